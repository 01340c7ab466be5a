"""The same bits again and again, however many threads there are: row 29 of the list of faults."""

import json

import pytest

REPEATS = 20
THREADS = [1, 2, 4]
PERIODIC = "{left: periodic, right: periodic, bottom: periodic, top: periodic}"
GRID = """\
problem:
  type: jacobi
  grid: {nodes: [301, 203]}
  domain: {x: [0, 3], y: [0, 2]}
  source: "sin(3*x)*y"
  boundary: {left: "x+2*y", right: "x+2*y", bottom: "x+2*y", top: "x+2*y"}
  initial: "x*y"
"""
CASES = {
    "classic": GRID + "method: {variant: classic, stop: iterations, max_iterations: 40}\n",
    "blocked": GRID + "method: {variant: blocked, stop: iterations, max_iterations: 50}\n",
    "float": GRID + "method: {precision: float, stop: iterations, max_iterations: 50}\n",
    "multigrid": GRID + "method: {solver: multigrid, stop: iterations, max_iterations: 4}\n",
    "dgcvs": f"""\
problem:
  type: dg-cvs
  equation: {{type: shallow_water, gravity: 1}}
  mesh: {{cells: [17, 13], shape: tri}}
  domain: {{x: [0, 1], y: [0, 1]}}
  boundary: {PERIODIC}
  initial: {{h: "1+0.1*cos(2*pi*x)*cos(2*pi*y)", hu: "0", hv: "0"}}
method: {{order: 2, final_time: 0.05, limiter: always}}
output: {{history_every: 1}}
""",
}


@pytest.mark.row(29)
@pytest.mark.parametrize("name", CASES)
def test_repeats(quoin, tmp_path, name):
    listed = json.loads(quoin("list", "--json").stdout)["backends"]
    (openmp,) = [backend for backend in listed if backend["name"] == "openmp"] or [{"usable": False, "reason": "absent"}]
    if not openmp["usable"]:
        pytest.skip(f"threads: the backend openmp cannot be used: {openmp['reason']}")
    (tmp_path / "case.yaml").write_text(CASES[name])
    wanted = [f"{{name: openmp, device: host, threads: {threads}}}" for threads in THREADS for _ in range(REPEATS)]
    result = quoin("compare", "case.yaml", "--backends", ",".join(["serial", *wanted]), "--json")
    assert result.returncode == 0, result.stderr
    runs = json.loads(result.stdout)["runs"]
    assert [run["requested"] for run in runs] == ["serial", *wanted]
    assert len({(run["field_sha256"], run["history_sha256"], run["iterations"]) for run in runs}) == 1
    assert all(run["same_bits"] for run in runs)
