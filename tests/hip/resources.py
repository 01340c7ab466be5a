"""What every kernel of the hip backend takes of an AMD architecture, as the notes of its code object say.

Prints a line a kernel; fails where one needs scratch memory or spills vector registers, or where one is missing. The
kernels over entities of DG-CVS alone may do both: one thread holds all polynomials of an entity, which from order 1
or 2 on are more than a thread has registers. Their figures are printed, so that a change shows.
    resources.py SOURCE_DIR GENERATED OBJECTS                                             of the plugin's own objects
    resources.py SOURCE_DIR GENERATED --hipcc HIPCC [--clang CLANG] ARCHITECTURE...       compiled for these
An architecture newer than hipcc's device libraries is compiled by CLANG with the libraries of a near relative.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BITCODE = pathlib.Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
RELATIVES = {"gfx942": ("90a", "on"), "gfx1100": ("1030", "off")}  # library of the architecture, wavefronts of 64
LIBRARIES = ["hip", "ocml", "ockl", "oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off", "oclc_finite_only_off",
             "oclc_unsafe_math_off", "oclc_abi_version_500"]
OCCUPANCY = r"remark:\s+Function Name: (\S+) .*?remark:\s+Occupancy \[waves/SIMD\]: (\d+)"
COLUMNS = {"vgpr_count": "VGPRs", "sgpr_count": "SGPRs", "sgpr_spill_count": "SGPR spills",
           "private_segment_fixed_size": "scratch", "vgpr_spill_count": "VGPR spills"}
FILES = ("grid.cpp", "entities.cpp")


def compiler(arguments, architecture):
    if architecture not in RELATIVES:
        return [arguments.hipcc]
    library, wide = RELATIVES[architecture]
    command = [arguments.clang, "-x", "hip", "-nogpulib", "--rocm-path=/usr"]
    for name in [*LIBRARIES, f"oclc_isa_version_{library}", f"oclc_wavefrontsize64_{wide}"]:
        command += ["-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(BITCODE / f"{name}.bc")]
    return command


SWEEPS = ("sweep_strips", "sweep_bands")  # one, and several in a pass


def run(*command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed\n{done.stderr}")
    return done


def compiled(arguments, architecture, file, folder):
    """The code object that the compiler makes of a file of the backend, and what it says of occupancies."""
    source = arguments.source
    made = folder / f"{architecture}-{file}.o"
    done = run(*compiler(arguments, architecture), f"--offload-arch={architecture}", "--cuda-device-only",
               "--no-gpu-bundle-output", "-std=c++20", "-O3", "-DNDEBUG", "-ffp-contract=off",
               "-Rpass-analysis=kernel-resource-usage", '-DQUOIN_HIP_ARCHITECTURES=""',
               f"-I{source}/framework/include", f"-I{source}/framework", f"-I{arguments.generated}", "-c", "-o", made,
               f"{source}/plugins/hip/{file}")
    return made, dict(re.findall(OCCUPANCY, done.stderr, re.S))


def built(objects, file, folder):
    """The code objects in one of the plugin's, by their architectures."""
    bundle = folder / f"{file}.bundle"
    run("llvm-objcopy-19", f"--dump-section=.hip_fatbin={bundle}", objects / f"{file}.o", "/dev/null")
    of_bundle = ["clang-offload-bundler-19", "--type=o", f"--input={bundle}"]
    made = {}
    for target in re.findall(r"^hip.*--(gfx\w+)$", run(*of_bundle, "--list").stdout, re.M):
        code = folder / f"{target}-{file}.o"
        run(*of_bundle, "--unbundle", f"--targets=hipv4-amdgcn-amd-amdhsa--{target}", f"--output={code}")
        made[target] = code, {}
    return made


def rows_of(code, occupancies):
    """(skeleton, kernel, precision, {column: value}) for each kernel of a code object."""
    rows = []
    for notes in re.split(r"^  - (?=\.)", run("llvm-readelf-19", "--notes", code).stdout, flags=re.M)[1:]:
        values = dict(re.findall(r"^    \.(\w+): +(\S+)$", notes, re.M))
        name = run("c++filt", values["name"]).stdout
        skeleton, precision, point = re.search(r"(\w+)<(double|float), (.*?)>\(", name).groups()
        point = re.sub(r"[\w:]*::(\w+?)(?:Point|_call)<(?:double|float)(?:, )?(.*)>", r"\1 \2", point)
        point = re.sub(r"[\w:]*::|,", "", point).strip()
        if skeleton in SWEEPS:
            point = f"Sweeps {point}"
        figures = {"waves": int(occupancies[values["name"]])} if occupancies else {}
        figures |= {title: int(values[key]) for key, title in COLUMNS.items()}
        rows.append((skeleton, point, precision, figures))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hipcc")
    parser.add_argument("--clang")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("generated", type=pathlib.Path, help="headers made from the families")
    parser.add_argument("what", nargs="+", help="architectures, or the folder with the plugin's objects")
    arguments = parser.parse_args()
    declared = "".join(file.read_text() for file in (arguments.source / "framework/kernels").glob("*/kernels.h"))
    # Of the passes of several sweeps GPUs have those of jacobi_sweeps, which are counted apart.
    expected = 1 + len(re.findall(r"\bK\(\w+, (?!own_entities|own_sweeps)", declared))

    faults = []
    columns = (["waves"] if arguments.hipcc else []) + [*COLUMNS.values()]
    print(f"{'':8} {'skeleton':15} {'kernel':23} {'':6} " + " ".join(columns))
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    folder = pathlib.Path(tempfile.mkdtemp())
    if arguments.hipcc:
        jobs = {architecture: [pool.submit(compiled, arguments, architecture, file, folder) for file in FILES]
                for architecture in arguments.what}
        codes = {architecture: [job.result() for job in of_one] for architecture, of_one in jobs.items()}
    else:
        grid, updates = (built(pathlib.Path(arguments.what[0]), file, folder) for file in FILES)
        codes = {architecture: (grid[architecture], updates[architecture]) for architecture in grid}
    for architecture, halves in codes.items():
        grid, updates = (rows_of(*half) for half in halves)
        rows = grid + updates
        for skeleton, kernel, precision, values in sorted(rows, key=lambda row: row[:3]):
            cells = " ".join(f"{values[column]:{len(column)}}" for column in columns)
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
            # Three laws by sweeps and Newton, limiters from order 1 on, shared matrices, also from the group's memory; in
            # double by unknowns from order 3 on, teams of two orders and two laws, and of four and shallow water, those of
            # limiters, and water over a bed, by sweeps and with limiters.
            launches = 11 * orders - 3 + (2 + 8 + 3 * (orders - 1) + 2 * orders - 1 if precision == "double" else 0)
            if found != launches:
                faults.append(f"{architecture}: {found} kernels over entities in {precision}, not {launches}")
    shutil.rmtree(folder)
    sys.exit("\n".join(faults or ([] if codes else ["there is no code object"])) or None)


if __name__ == "__main__":
    main()
