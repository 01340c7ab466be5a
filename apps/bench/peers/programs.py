"""What the scripts beside this file share: the programs they run, and what they say of times and of the machine."""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
THREADED = ("eigen_cg", "eigen_spmv")  # the other peers are MPI processes
ONE_CORE = ["taskset", "-c", "0"]  # in front of a program


def fail(words):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {words}")


def called(command, codes=(0,), **options):
    """What a program prints. Ends this one with what it says where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, **options)
    except FileNotFoundError:
        fail(f"there is no program {command[0]}")
    if done.returncode not in codes:
        fail(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder):
    called(["cmake", "-S", HERE, "-B", folder])
    called(["cmake", "--build", folder])
    return folder


def present(folder, names):
    """The programs of these names that were built."""
    found = [folder / name for name in names if (folder / name).exists()]
    return found or fail(f"{folder} has none of {', '.join(names)}; README.md says what they need")


def run_peer(program, processes, *words):
    """What a peer says of one run."""
    # Threads inside a process would be more than were asked for. Open MPI refuses root unless it is told twice.
    threads = processes if program.name in THREADED else 1
    environment = os.environ | {"OMP_NUM_THREADS": str(threads), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    launcher = ONE_CORE if processes == 1 else ["mpiexec", "-n", str(processes)] if processes > threads else []
    result = json.loads(called([*launcher, program, *map(str, words)], env=environment))
    if result["processes"] != processes:
        fail(f"{program} ran on {result['processes']} processes, not on {processes}")
    return result


def machine():
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return {"cpu": names[0] if names else platform.machine(), "cores": os.cpu_count(), "system": platform.platform()}


def spread(times):
    return {"median": statistics.median(times), "min": min(times), "max": max(times)}


def positive(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1 on, not '{text}'")
    return int(text)


def several_cores(parser):
    parser.add_argument("--processes", type=positive, default=os.cpu_count(),
                        help="processes of a peer, and threads of openmp:host, beside one [a core each]")


def parsed(parser, argv, output):
    """The arguments, with the options that all scripts have. A file that is there is not replaced."""
    parser.add_argument("--repeats", type=positive, default=7, help="runs of each program, in turn [7]")
    parser.add_argument("--quoin", type=pathlib.Path, default=ROOT / "build/bin/quoin", help="[build/bin/quoin]")
    parser.add_argument("--peers", type=pathlib.Path,
                        help="the folder of the peers' programs, already built [they are built in build/peers]")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(output), help=f"[{output}]")
    arguments = parser.parse_args(argv)
    if arguments.output.exists():
        parser.error(f"{arguments.output} exists")
    return arguments
