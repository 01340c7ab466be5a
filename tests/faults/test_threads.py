"""Threads that cannot be had. strace makes the system refuse to start them."""

import json
import os

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
    assert words in result.stderr.splitlines()[-1] and "bug" not in result.stderr and "OMP" not in result.stderr
    facts = json.loads((tmp_path / "result/summary.json").read_text())
    assert (facts["status"], facts["exit_code"]) == ("failed", 7) and words in facts["message"]


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
