"""What the tests of the program share."""

import json
import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ.get("QUOIN_BUILD_DIR", "build"))
needs_mpi = pytest.mark.skipif(not (BUILD / "lib/quoin/plugins/mpi.so").exists(),
                               reason="built where there is no MPI")

# Thirty by twenty nodes of Laplace's equation: converges in a fraction of a second.
SMALL = """\
problem:
  type: jacobi
  grid: {nodes: [30, 20]}
  domain: {x: [0, 3], y: [0, 2]}
  source: "0"
  boundary: {left: "x+2*y", right: "x+2*y", bottom: "x+2*y", top: "x+2*y"}
  initial: "0"
  exact: "x+2*y"
method: {tolerance: 1e-11, max_iterations: 20000}
backend: serial
output: {directory: result}
"""

# With `python3 -c`, prints the exit code of a program and the most memory that it had, in bytes. Another process starts
# it: one that starts as a copy of a large one counts that as its own memory.
STARTER = """\
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
_, status, usage = os.wait4(os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet), 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024)
"""


def summary(folder):
    """What a run's summary.json holds."""
    return json.loads((folder / "summary.json").read_text())


def results(folder):
    """The bytes of what a run has computed, but not of the files that tell of the run itself."""
    return {file.name: file.read_bytes() for file in folder.iterdir()
            if file.name not in {"summary.json", "timing.csv", "run.log", "case.yaml", "files.txt"}
            and not file.name.startswith("checkpoint-")}


def pytest_configure(config):
    config.addinivalue_line("markers", "row(number): row of the list of faults")


@pytest.fixture(scope="session")
def source():
    return SOURCE


@pytest.fixture(scope="session")
def build():
    return BUILD


@pytest.fixture
def quoin(tmp_path):
    """Runs the program in an empty folder: quoin("run", "case.yaml") gives code, out and err."""

    def call(*arguments, program=BUILD / "bin" / "quoin", **options):
        if program == "strace":  # sees calls that a library in between would leave out, as tests/run has one do
            options["env"] = {name: value for name, value in (options.get("env") or os.environ).items()
                              if name != "LD_PRELOAD"}
        return subprocess.run([program, *map(str, arguments)], cwd=tmp_path, text=True, capture_output=True,
                              timeout=240, **options)

    return call


@pytest.fixture
def case(tmp_path):
    """The small case as a file."""
    file = tmp_path / "case.yaml"
    file.write_text(SMALL)
    return file


@pytest.fixture(scope="session")
def quick_compiler(tmp_path_factory):
    """To launch a compiler by, where what it makes need not be fast: kernels take a fourth of the time to compile."""
    launcher = tmp_path_factory.mktemp("launcher") / "quick"
    launcher.write_text("#!/bin/sh\nexec \"$@\" -O0\n")
    launcher.chmod(0o755)
    return launcher


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """An installation, as `cmake --install` makes it."""
    folder = tmp_path_factory.mktemp("prefix")
    subprocess.run([os.environ["QUOIN_CMAKE"], "--install", BUILD, "--prefix", folder], check=True, capture_output=True)
    return folder
