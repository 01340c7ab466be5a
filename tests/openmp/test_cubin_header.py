"""cubin_header.py: CUDA images get the ELF header that LLVM 19 loads; nothing else changes."""

import struct
import sys

import pytest


@pytest.fixture
def rewrite(source, monkeypatch):
    monkeypatch.syspath_prepend(source / "plugins" / "openmp")
    monkeypatch.delitem(sys.modules, "cubin_header", raising=False)
    from cubin_header import rewrite

    return rewrite


def elf(machine, os_abi, abi_version, flags):
    header = bytearray(64)
    header[:9] = b"\x7fELF\x02\x01\x01" + bytes([os_abi, abi_version])
    struct.pack_into("<H", header, 18, machine)
    struct.pack_into("<I", header, 48, flags)
    return bytes(header)


HOST = elf(62, 0, 0, 0)
AMD = elf(224, 0x40, 3, 0x53F)
NEW = elf(190, 0x41, 8, 0x06005A04)  # sm_90 by CUDA 13
OLD = elf(190, 0x33, 7, 0x005A055A)  # sm_90 by CUDA 12


def test_a_new_image_becomes_an_old_one(rewrite):
    data = bytearray(HOST + b"text" + AMD + NEW + b"tail")
    assert rewrite(data) == 1
    assert bytes(data) == HOST + b"text" + AMD + OLD + b"tail"


def test_an_old_image_stays(rewrite):
    data = bytearray(HOST + OLD + b"\x7fELF")
    assert rewrite(data) == 0
    assert bytes(data) == HOST + OLD + b"\x7fELF"
