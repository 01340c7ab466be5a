"""Compiles every kernel of the hip backend for one AMD architecture after the other and reads the compiler's report.

Prints a line a kernel; fails where one needs scratch memory or spills vector registers, or where one is missing. The
kernels over entities of DG-CVS alone may do both: one thread holds all polynomials of an entity, which from order 1
or 2 on are more than a thread has registers. Their figures are printed, so that a change shows.
    resources.py --hipcc HIPCC [--clang CLANG] SOURCE_DIR ARCHITECTURE...
An architecture newer than hipcc's device libraries is compiled by CLANG with the libraries of a near relative.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

BITCODE = pathlib.Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
RELATIVES = {"gfx942": ("90a", "on"), "gfx1100": ("1030", "off")}  # library of the architecture, wavefronts of 64
LIBRARIES = ["hip", "ocml", "ockl", "oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off", "oclc_finite_only_off",
             "oclc_unsafe_math_off", "oclc_abi_version_500"]
COLUMNS = {"Occupancy [waves/SIMD]": "waves", "VGPRs": "VGPRs", "SGPRs": "SGPRs", "SGPRs Spill": "SGPR spills",
           "ScratchSize [bytes/lane]": "scratch", "VGPRs Spill": "VGPR spills"}


def compiler(arguments, architecture):
    if architecture not in RELATIVES:
        return [arguments.hipcc]
    library, wide = RELATIVES[architecture]
    command = [arguments.clang, "-x", "hip", "-nogpulib", "--rocm-path=/usr"]
    for name in [*LIBRARIES, f"oclc_isa_version_{library}", f"oclc_wavefrontsize64_{wide}"]:
        command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(BITCODE / f"{name}.bc")]
    return command


SWEEPS = ("sweep_strips", "sweep_bands")  # one, and several in a pass


def report(arguments, architecture, file):
    """Rows of (skeleton, kernel, precision, {column: value}) from the compiler's remarks on one file."""
    source = arguments.source
    command = compiler(arguments, architecture) + [
        f"--offload-arch={architecture}", "--cuda-device-only", "-std=c++20", "-O3", "-DNDEBUG", "-ffp-contract=off",
        "-Rpass-analysis=kernel-resource-usage", '-DQUOIN_HIP_ARCHITECTURES=""',
        f"-I{source}/framework/include", f"-I{source}/framework", f"-I{arguments.generated}", "-S", "-o", "/dev/null",
        f"{source}/plugins/hip/{file}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{architecture}: the kernels do not compile\n{done.stderr}")
    rows = []
    for key, value in re.findall(r"remark:\s+([^:]+): (\S+) \[-Rpass-analysis", done.stderr):
        if key == "Function Name":
            name = subprocess.run(["c++filt", value], capture_output=True, text=True, check=True).stdout
            kernel = re.search(r"(\w+)<(double|float), (.*?)>\(", name)
            skeleton, precision, point = kernel.groups() if kernel else ("not inlined", "", name.strip())
            point = re.sub(r"[\w:]*::(\w+?)(?:Point|_call)<(?:double|float)(?:, )?(.*)>", r"\1 \2", point)
            point = re.sub(r"[\w:]*::|,", "", point).strip()
            if skeleton in SWEEPS:
                point = f"Sweeps {point}"
            rows.append((skeleton, point, precision, {}))
        elif key in COLUMNS:
            rows[-1][3][COLUMNS[key]] = int(value)
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hipcc", required=True)
    parser.add_argument("--clang")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("generated", type=pathlib.Path, help="headers made from the families")
    parser.add_argument("architectures", nargs="+")
    arguments = parser.parse_args()
    declared = "".join(file.read_text() for file in (arguments.source / "framework/kernels").glob("*/kernels.h"))
    expected = len(re.findall(r"\bK\(\w+, (?!own_entities)", declared))

    faults = []
    print(f"{'':8} {'skeleton':15} {'kernel':23} {'':6} " + " ".join(COLUMNS.values()))
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    reports = [[pool.submit(report, arguments, architecture, file) for file in ("grid.cpp", "entities.cpp")]
               for architecture in arguments.architectures]
    for architecture, halves in zip(arguments.architectures, reports):
        grid, updates = (half.result() for half in halves)
        rows = grid + updates
        for skeleton, kernel, precision, values in sorted(rows, key=lambda row: row[:3]):
            cells = " ".join(f"{values[column]:{len(column)}}" for column in COLUMNS.values())
            print(f"{architecture:8} {skeleton:15} {kernel:23} {precision:6} {cells}")
            if skeleton == "update_entities":
                continue
            if values["scratch"] != 0 or values["VGPR spills"] != 0:
                faults.append(f"{architecture}: {skeleton} {kernel} {precision} spills")
        for precision, orders in (("double", 5), ("float", 3)):
            passes = sum(row[0] in SWEEPS and row[2] == precision for row in grid)
            if passes != 4:
                faults.append(f"{architecture}: {passes} kernels of sweeps in {precision}, not 4 (of one and of several, "
                              "either right-hand side)")
            found = 1 + sum(row[2] == precision for row in grid) - passes
            if found < expected:
                faults.append(f"{architecture}: {found} kernels in {precision}, the catalogue has {expected}")
            found = sum(row[2] == precision for row in updates)
            # Three laws by sweeps and Newton, limiters from order 1 on, shared matrices; teams in double, of two orders
            # and two laws.
            launches = 10 * orders - 3 + (4 if precision == "double" else 0)
            if found != launches:
                faults.append(f"{architecture}: {found} kernels over entities in {precision}, not {launches}")
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
