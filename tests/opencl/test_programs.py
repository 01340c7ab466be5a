"""Kernels that are compiled at set-up: the cache of programs, a kernel that does not build, no driver at all."""

import json
import os
import re
import shutil
import subprocess

import pytest
from conftest import summary


@pytest.fixture(scope="session")
def pocl(build):
    listed = subprocess.run([build / "bin" / "quoin", "list"], capture_output=True, text=True, timeout=120).stdout
    if "PoCL:" not in listed:
        pytest.skip("opencl: PoCL is not installed")


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """A folder that PoCL may keep things in: the second test need not wait as long as the first."""
    return tmp_path_factory.mktemp("pocl")


@pytest.fixture
def caches(tmp_path, compiled):
    """The environment with an empty cache of the backend."""
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "POCL_CACHE_DIR": str(compiled)}


@pytest.fixture
def solve(quoin, case, caches):
    """Runs the small case: solve("opencl") gives code, out and err."""

    def call(backend, folder="result", **environment):
        return quoin("run", case, "--backend", backend, "--set", f"output.directory={folder}",
                     env={**caches, **environment})

    return call


def entries(tmp_path, ending):
    return sorted((tmp_path / "cache" / "quoin" / "opencl").glob("*" + ending))


def test_programs_are_kept_and_found_again(pocl, solve, tmp_path):
    assert solve("opencl:pocl", "first").returncode == 0
    kept = {file: file.stat().st_mtime_ns for file in entries(tmp_path, "")}
    assert kept and all(file.suffix == ".bin" for file in kept)
    assert solve("opencl:pocl", "second").returncode == 0
    assert {file: file.stat().st_mtime_ns for file in entries(tmp_path, "")} == kept


@pytest.mark.parametrize("source, precision", [("x*y", "double"), ("2", "float")])
def test_passes_of_several_sweeps_have_the_bits_of_serial(pocl, quoin, case, caches, tmp_path, source, precision):
    """They are what GPUs do; on processors OpenCL does one sweep in a pass unless it is asked for more."""
    settings = [f"problem.source={source}", f"method.precision={precision}", "method.variant=blocked",
                "method.stop=iterations", "method.max_iterations=43"]
    words = [word for setting in settings for word in ("--set", setting)]
    found = {}
    for backend in ("serial", "{name: opencl, device: pocl, sweep_depth: 8}"):
        done = quoin("run", case, *words, "--set", f"backend={backend}", "--force", env=caches)
        assert done.returncode == 0, done.stderr
        facts = summary(tmp_path / "result")
        found[backend] = (facts["field_sha256"], facts["history_sha256"], facts["iterations"])
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("damage", [lambda text: b"", lambda text: text[: len(text) // 2],
                                    lambda text: text[:-9] + bytes([text[-9] ^ 1]) + text[-8:]],
                         ids=["empty", "cut off", "one bit"])
def test_a_damaged_entry_is_made_anew(pocl, solve, tmp_path, damage):
    assert solve("opencl:pocl", "first").returncode == 0
    whole = {file: file.read_bytes() for file in entries(tmp_path, ".bin")}
    assert whole
    for file, text in whole.items():
        file.write_bytes(damage(text))
    shutil.rmtree(tmp_path / "cache" / "quoin" / "rates")  # so that what measures them is built again as well
    run = solve("opencl:pocl", "second")
    assert run.returncode == 0, run.stderr
    for file, text in whole.items():
        assert len(file.read_bytes()) > len(text) // 2 and file.read_bytes() != damage(text)


def test_the_driver_and_the_device_have_versions(pocl, quoin, solve, tmp_path):
    assert solve("opencl:pocl").returncode == 0
    versions = json.loads((tmp_path / "result/summary.json").read_text())["versions"]
    assert re.match(r"OpenCL \d+\.\d+ ", versions["device"]) and re.match(r"\d+\.\d+", versions["device_driver"])
    listed = json.loads(quoin("list", "devices", "--json").stdout)["devices"]
    (device,) = [row for row in listed if row["backend"] == "opencl" and row["name"].startswith("PoCL:")]
    assert (device["version"], device["driver"]) == (versions["device"], versions["device_driver"])


def test_processes_may_start_at_once(pocl, case, caches, build, tmp_path):
    runs = [subprocess.Popen([build / "bin" / "quoin", "run", case, "--backend", "opencl:pocl", "--set",
                              f"output.directory=result{k}"], cwd=tmp_path, env=caches,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for k in range(4)]
    for run in runs:
        errors = run.communicate(timeout=240)[1]
        assert run.returncode == 0, errors
    histories = {(tmp_path / f"result{k}" / "history.csv").read_bytes() for k in range(4)}
    assert len(histories) == 1
    assert entries(tmp_path, "") == entries(tmp_path, ".bin")  # no temporary files


def test_a_cache_that_cannot_be_written_is_done_without(pocl, solve, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert solve("opencl:pocl").returncode == 0


@pytest.mark.row(26)
def test_a_kernel_that_does_not_build(pocl, solve, tmp_path):
    run = solve("opencl:pocl", POCL_EXTRA_BUILD_FLAGS="-Dlong=unknown_type")
    assert run.returncode == 7
    (log,) = entries(tmp_path, ".log")
    (reason,) = re.findall("the kernels do not build \\((.*)\\); the compiler's messages are in (.*)", run.stderr)
    assert reason[1] == str(log) and reason[0].startswith("error: ") and f"\n{reason[0]}\n" in log.read_text()
    assert [file.name for file in (tmp_path / "result").iterdir() if file.name != "files.txt"] == ["summary.json"]  # which says so


@pytest.mark.row(26)
def test_a_kernel_that_does_not_build_without_a_cache(pocl, solve, tmp_path):
    """The log goes where temporary files go; no run has begun."""
    (tmp_path / "cache").write_text("a file")
    (tmp_path / "temporary").mkdir()
    run = solve("opencl:pocl", POCL_EXTRA_BUILD_FLAGS="-Dlong=unknown_type", TMPDIR=str(tmp_path / "temporary"))
    assert run.returncode == 7
    (log,) = (tmp_path / "temporary").glob("*.log")
    assert f"the compiler's messages are in {log}" in run.stderr
    assert "unknown_type" in log.read_text()
    assert [file.name for file in (tmp_path / "result").iterdir() if file.name != "files.txt"] == ["summary.json"]  # which says so


def test_adding_with_the_host_is_not_offered_where_it_does_not_build(pocl, quoin, case, caches, tmp_path):
    run = quoin("bench", "memory", case, "--backends", "opencl:pocl", "--runs", 1, "--mebibytes", 1, "--repeats", 1,
                "--output", "bench", env={**caches, "POCL_EXTRA_BUILD_FLAGS": "-Datomic_int=unknown_type"})
    assert run.returncode == 0, run.stdout + run.stderr
    (found,) = json.loads((tmp_path / "bench/bench.json").read_text())["microbenchmarks"]
    assert found["together"] is None
    for rows in found["rows"].values():
        assert "atomic_add" in rows and "shared_add" not in rows


@pytest.mark.row(22)
def test_no_driver(solve, tmp_path):
    (tmp_path / "vendors").mkdir()
    run = solve("opencl", OCL_ICD_VENDORS=str(tmp_path / "vendors"))
    assert run.returncode == 7
    assert "no OpenCL platform" in run.stderr
