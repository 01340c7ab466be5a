"""cubin_header.py FILE: makes the CUDA image inside a shared object loadable by LLVM 19.

CUDA 13's assembler writes a newer ELF header than LLVM 19's loader accepts. The image itself is the same: three
header fields of each embedded cubin go back to their older values. Images of older assemblers stay as they are.
"""

import pathlib
import struct
import sys

EM_CUDA = 190
OS_ABI, ABI_VERSION, MACHINE, FLAGS = 7, 8, 18, 48  # offsets in the ELF header


def rewrite(data):
    """The number of cubin headers in the bytearray that were rewritten."""
    rewritten = 0
    at = data.find(b"\x7fELF")
    while at >= 0:
        if len(data) - at >= 64 and struct.unpack_from("<H", data, at + MACHINE)[0] == EM_CUDA:
            flags = struct.unpack_from("<I", data, at + FLAGS)[0]
            if data[at + OS_ABI] == 0x41:
                sm = flags >> 8 & 0xFF  # the newer header keeps the architecture in the second byte
                data[at + OS_ABI], data[at + ABI_VERSION] = 0x33, 7
                struct.pack_into("<I", data, at + FLAGS, 0x00000500 | sm << 16 | sm)
                rewritten += 1
        at = data.find(b"\x7fELF", at + 1)
    return rewritten


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    contents = bytearray(path.read_bytes())
    if rewrite(contents):
        path.write_bytes(contents)
