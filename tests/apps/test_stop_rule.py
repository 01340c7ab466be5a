"""When a run says that it has converged: recomputed from the files that it leaves."""

import json
import re

import numpy
import pytest

PLATE = """\
problem: {{type: jacobi, grid: {{nodes: [{n}, {n}]}}, source: "1"}}
method: {{{method}}}
output: {{directory: result}}
"""


def field(folder, n):
    """The values of u.vti at the interior nodes."""
    head, data = (folder / "u.vti").read_bytes().split(b"<AppendedData encoding=\"raw\">\n_", 1)
    kind = {b"Float64": "<f8", b"Float32": "<f4"}[re.search(rb'<DataArray type="(\w+)"', head).group(1)]
    size = int.from_bytes(data[:8], "little")
    u = numpy.frombuffer(data[8:8 + size], kind).astype(float)
    side = round(len(u) ** 0.5)
    u = u.reshape(side, side)
    return u if side == n else u[1:-1, 1:-1]  # with its sides


def residual(u):
    n = len(u)
    h = 1 / (n + 1)
    v = numpy.pad(u, 1)
    r = 1 - (4 * u - v[:-2, 1:-1] - v[2:, 1:-1] - v[1:-1, :-2] - v[1:-1, 2:]) / h**2
    return float((r**2).sum() ** 0.5 * h)


def run(quoin, tmp_path, n, method):
    (tmp_path / "plate.yaml").write_text(PLATE.format(n=n, method=method))
    result = quoin("run", "plate.yaml", "--force")
    return result, json.loads((tmp_path / "result/summary.json").read_text())


@pytest.mark.parametrize("n", [31, 127])
def test_the_default_is_as_strict_on_every_grid(quoin, tmp_path, n):
    result, summary = run(quoin, tmp_path, n, "solver: multigrid")
    assert result.returncode == 0 and summary["status"] == "converged", result.stderr
    u = field(tmp_path / "result", n)
    assert residual(u) <= 1e-8 * residual(numpy.zeros((n, n))) and residual(u) <= summary["tolerance"] * (1 + 1e-6)
    assert u.max() == pytest.approx(0.07367, rel=2e-3)


def test_what_float_cannot_reach_is_said(quoin, tmp_path):
    result, summary = run(quoin, tmp_path, 127, "solver: multigrid, precision: float")
    assert result.returncode == 4 and summary["status"] == "stagnated" and summary["exit_code"] == 4
    assert "the residual stays at" in result.stderr and "precision: double" in result.stderr
    assert summary["iterations"] < 40
    assert summary["residual"] == pytest.approx(residual(field(tmp_path / "result", 127)), rel=0.3)


def test_float_says_converged_of_what_is(quoin, tmp_path):
    result, summary = run(quoin, tmp_path, 127, "solver: multigrid, precision: float, relative_tolerance: 1e-2")
    assert result.returncode == 0, result.stderr
    reached = residual(field(tmp_path / "result", 127))
    assert reached <= 1e-2 * 127 / 128 and reached == pytest.approx(summary["residual"], rel=1e-6)


def test_a_limit_that_comes_first_is_said(quoin, tmp_path):
    result, summary = run(quoin, tmp_path, 31, "max_iterations: 100")
    assert result.returncode == 4 and summary["status"] == "not_converged"
    assert "raise method.max_iterations, or use solver: multigrid" in result.stderr
    assert summary["residual"] == pytest.approx(residual(field(tmp_path / "result", 31)), rel=1e-9)


def test_squares_that_underflow_are_refused(quoin, tmp_path):
    (tmp_path / "small.yaml").write_text(PLATE.format(n=15, method="precision: float").replace('"1"', '"1e-25"'))
    result = quoin("run", "small.yaml")
    assert result.returncode == 3 and "use precision: double" in result.stderr and not (tmp_path / "result").exists()
