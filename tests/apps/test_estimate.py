"""The memory that `quoin check` announces is that which the run then uses, within a factor of 1.5 both ways."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import STARTER

JACOBI = """\
problem:
  type: jacobi
  grid: {nodes: [30, 20]}
  source: "sin(x)"
  exact: "x+2*y"
method: {max_iterations: 3, stop: iterations}
output: {directory: result}
"""
DGCVS = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [20, 20]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 1, final_time: 0.1, max_steps: 2}
output: {directory: result}
"""
OPEN = DGCVS.replace("left: periodic, right: periodic, bottom: periodic, top: periodic",
                     'left: open, right: open, bottom: {type: dirichlet, value: "1+0.1*t"}, top: open')
GMSH = DGCVS.replace("cells: [20, 20]", "type: gmsh, file: mesh.msh, refine: 3").replace(
    "  domain: {x: [-1, 1], y: [-1, 1]}\n", "")
LINEAR = """\
problem:
  type: linear-system
  matrix: {generator: convection-diffusion, nodes: [1000, 1000], velocity: [1, 1]}
method: {solver: cgs, format: csr, max_iterations: 3}
output: {directory: result}
"""
# Name, case, changes. Small ones are mostly the program itself.
CASES = [("small", JACOBI, []), ("plain", JACOBI, ["problem.grid.nodes=[1500, 1500]"]),
         ("classic", JACOBI, ["problem.grid.nodes=[1200, 1200]", "method.variant=classic"]),
         ("chebyshev in float", JACOBI,
          ["problem.grid.nodes=[2000, 1500]", "method.solver=chebyshev", "method.precision=float"]),
         ("multigrid", JACOBI, ["problem.grid.nodes=[1500, 1500]", "method.solver=multigrid"]),
         ("small DG", DGCVS, []), ("order 0", DGCVS, ["problem.mesh.cells=[150, 150]", "method.order=0"]),
         ("order 1 on quads", DGCVS, ["problem.mesh.cells=[150, 150]"]),
         ("order 2 on triangles", DGCVS, ["problem.mesh.cells=[60, 60]", "problem.mesh.shape=tri", "method.order=2"]),
         ("order 3 on quads", DGCVS, ["problem.mesh.cells=[60, 60]", "method.order=3"]),
         ("three variables", DGCVS,
          ["problem.mesh.cells=[80, 80]", "problem.equation={type: shallow_water, gravity: 1}",
           "problem.initial={h: 1, hu: 0, hv: 0}"]),
         ("open sides", OPEN, ["problem.mesh.cells=[80, 80]"]), ("refined", GMSH, []),
         ("cgs", LINEAR, []), ("a matrix and its transpose", LINEAR, ["method.solver=bicg"]),
         ("frames of triangles", OPEN,
          ["problem.mesh.cells=[110, 110]", "problem.mesh.shape=tri", "problem.mesh.perturb=0.2", "method.order=3",
           "output.fields.every=1 step"]),
         ("with checkpoints", DGCVS, ["problem.mesh.cells=[150, 150]", "run.checkpoint.every=1"])]

UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def announced_and_used(quoin, build, source, tmp_path):
    """announced_and_used(TEXT, CHANGES, CACHE): bytes by `check`, and the largest that the run had."""
    shutil.copy(source / "configs/dgcvs/meshes/tri-burgers-10.msh", tmp_path / "mesh.msh")

    def call(text, changes, cache):
        environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
        (tmp_path / "case.yaml").write_text(text)
        words = ["case.yaml", *[word for change in changes for word in ("--set", change)]]
        check = quoin("check", *words, env=environment)
        assert check.returncode == 0, check.stderr
        amount, unit = re.search(r"memory of the host +([\d.]+) (\w+)", check.stdout).groups()
        started = subprocess.run([sys.executable, "-ISc", STARTER, build / "bin/quoin", "run", "--quiet", *words],
                                 cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
        code, used = map(int, started.stdout.split())
        assert code in (0, 4), started.stderr
        return float(amount) * UNITS[unit], used

    return call


def test_the_measurement_of_the_devices_rates_counts(announced_and_used, tmp_path):
    """It comes after the first run of a day, whose memory is mostly that."""
    announced, used = announced_and_used(JACOBI, [], tmp_path / "cache")
    assert used > 150 * 2**20 and used / 1.5 < announced < used * 1.5
    announced, used = announced_and_used(JACOBI.replace("result", "again"), [], tmp_path / "cache")
    assert used < 100 * 2**20 and used / 1.5 < announced < used * 1.5


@pytest.mark.parametrize("text, changes", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_estimate_follows_the_run(announced_and_used, cache, text, changes):
    announced_and_used(JACOBI.replace("result", "first"), [], cache)  # the rates are known then
    announced, used = announced_and_used(text, changes, cache)
    assert used / 1.5 < announced < used * 1.5, f"{announced / 2**20:.1f} MiB announced, {used / 2**20:.1f} MiB used"
