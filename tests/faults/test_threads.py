"""Threads that cannot be had. strace makes the system refuse to start them."""

import json
import os
import resource

import pytest

DGCVS = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [40, 40]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 1, final_time: 0.01}
backend: serial
output: {directory: result}
"""


def failed(result, tmp_path, words):
    assert result.returncode == 7, result.stderr
    assert words in result.stderr.splitlines()[-1] and "this is a bug" not in result.stderr and "OMP: " not in result.stderr
    facts = json.loads((tmp_path / "result/summary.json").read_text())
    assert (facts["status"], facts["exit_code"]) == ("failed", 7) and words in facts["message"]


@pytest.fixture
def openmp(quoin):
    """Skips where the backend is not built."""
    listed = json.loads(quoin("list", "--json").stdout)["backends"]
    if not any(backend["name"] == "openmp" and backend["usable"] for backend in listed):
        pytest.skip("threads: the backend openmp is not built")


@pytest.mark.parametrize("problem", ["jacobi", "dgcvs"])
def test_no_thread_can_be_started(quoin, case, build, tmp_path, problem):
    """The first new process is the one that looks at the plugin. DG-CVS has threads in its set-up, both in the run."""
    if problem == "dgcvs" and len(os.sched_getaffinity(0)) == 1:
        pytest.skip("threads: there is one core alone, and the set-up does without")
    if problem == "dgcvs":
        case.write_text(DGCVS)
    log = tmp_path / "strace.log"
    result = quoin("-f", "-qq", "-o", log, "-e", "trace=clone3,clone", "-e", "inject=clone3:error=EAGAIN:when=2+",
                   build / "bin/quoin", "run", "case.yaml", program="strace")
    assert "(INJECTED)" in log.read_text(), result.stderr  # else nothing was tested
    failed(result, tmp_path, "a thread cannot be started: Resource temporarily unavailable; raise the limit")


@pytest.mark.parametrize("key", ["run.threads", "backend.threads"])
@pytest.mark.parametrize("number", ["65536", "4097", "-1", "many"])
def test_a_number_of_threads_that_cannot_be(quoin, case, openmp, tmp_path, key, number):
    result = quoin("run", case, "--backend", "openmp:host", "--set", f"{key}={number}")
    assert result.returncode == 3, result.stderr
    assert number in result.stderr and not (tmp_path / "result").exists()


def test_more_threads_than_there_is_room_for(quoin, case, openmp, tmp_path):
    limit = 8 * 2**30  # of addresses: the stacks of 4000 threads need more
    result = quoin("run", case, "--backend", "openmp:host", "--threads", "4000",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    failed(result, tmp_path, "of 4000 threads can be started: Resource temporarily unavailable; ask for fewer")


@pytest.mark.parametrize("value", ["0", "-1", "abc", "999999", "", "2,", "2;4", "1e3"])
def test_an_environment_that_asks_for_what_cannot_be(quoin, case, openmp, tmp_path, value):
    result = quoin("run", case, "--backend", "openmp", env={**os.environ, "OMP_NUM_THREADS": value})
    assert result.returncode == 2, result.stderr
    assert f"OMP_NUM_THREADS is '{value}'; it must be a number of threads from 1 to 4096" in result.stderr
    assert "OMP: " not in result.stderr and not (tmp_path / "result").exists()


@pytest.mark.parametrize("value", ["1", "3", " 2 , 1"])
def test_an_environment_that_asks_for_threads(quoin, case, openmp, tmp_path, value):
    assert quoin("run", case, "--output", "serial").returncode == 0
    result = quoin("run", case, "--backend", "openmp:host", env={**os.environ, "OMP_NUM_THREADS": value})
    assert result.returncode == 0 and "OMP" not in result.stderr, result.stderr
    assert (tmp_path / "result/u.vti").read_bytes() == (tmp_path / "serial/u.vti").read_bytes()
