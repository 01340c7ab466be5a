"""Varying coefficients and sides of all kinds: the field that is written against its equations, arrays from files, places."""

import h5py
import numpy
import pytest
from conftest import needs_mpi, summary
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

NODES = (17, 12)  # inside, along x and y
SIDES = {
    "mixed": "{left: {type: neumann, value: y}, right: 1-y, bottom: {type: robin, value: x, coefficient: 2+x}, top: x}",
    "insulated": "{left: {type: neumann}, right: {type: neumann}, bottom: {type: neumann}, top: {type: neumann}}",
    "joined": "{left: {type: periodic}, right: {type: periodic}, bottom: '0', top: {type: neumann, value: 1}}",
}
SOURCES = {"mixed": "cos(3*x)", "insulated": "cos(pi*x)", "joined": "sin(2*pi*x)"}
CASE = """\
problem:
  type: jacobi
  grid: {nodes: [17, 12]}
  domain: {x: [0, 1], y: [0, 1]}
  diffusivity: KAPPA
  source: SOURCE
  boundary: SIDES
method: {solver: SOLVER, relative_tolerance: 1e-5, max_iterations: 5000}
backend: serial
output: {directory: result}
"""


def case_of(folder, sides, solver="multigrid", kappa="1+x*y*(1-x)"):
    file = folder / "case.yaml"
    file.write_text(CASE.replace("KAPPA", kappa).replace("SOURCE", SOURCES[sides]).replace("SIDES", SIDES[sides])
                    .replace("SOLVER", solver))
    return file


def field(folder):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(folder / "u.vti"))
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("u")).reshape(NODES[1] + 2, NODES[0] + 2)


def cells():
    x = (numpy.arange(NODES[0] + 1) + 0.5) / (NODES[0] + 1)
    y = (numpy.arange(NODES[1] + 1) + 0.5) / (NODES[1] + 1)
    return numpy.meshgrid(x, y)


def balances(u, sides):
    """What the cell of each node lacks, over dx dy: f and what comes in through sides, less what leaves."""
    dx, dy = 1 / (NODES[0] + 1), 1 / (NODES[1] + 1)
    x, y = numpy.meshgrid(numpy.linspace(0, 1, NODES[0] + 2), numpy.linspace(0, 1, NODES[1] + 2))
    across, up = cells()
    k = 1 + across * up * (1 - across)
    wide = numpy.pad(k, 1)  # no cell beyond a side,
    if sides == "joined":  # but for that of the opposite one
        wide[1:-1, 0], wide[1:-1, -1] = k[:, -1], k[:, 0]
    kx = (wide[:-1] + wide[1:]) / 2 / dx**2  # of the faces between columns, one more at either end
    ky = (wide[:, :-1] + wide[:, 1:]) / 2 / dy**2
    joined = numpy.pad(u, 1)
    if sides == "joined":
        joined[1:-1, 0], joined[1:-1, -1] = u[:, -2], u[:, 1]
    leaves = kx[:, :-1] * (u - joined[1:-1, :-2]) + kx[:, 1:] * (u - joined[1:-1, 2:]) \
        + ky[:-1] * (u - joined[:-2, 1:-1]) + ky[1:] * (u - joined[2:, 1:-1])
    half = numpy.where((y == 0) | (y == 1), 0.5, 1.0)
    volume = half if sides == "joined" else half * numpy.where((x == 0) | (x == 1), 0.5, 1.0)
    given = {"mixed": numpy.cos(3 * x), "insulated": numpy.cos(numpy.pi * x), "joined": numpy.sin(2 * numpy.pi * x)}[sides]
    r = given * volume - leaves
    if sides == "mixed":
        r[:, 0] += y[:, 0] * half[:, 0] / dx
        r[0] += (x[0] - (2 + x[0]) * u[0]) * volume[0] * 2 / dy
        r = r[:-1, :-1]  # u is given on the right and at the top
    if sides == "joined":
        r[-1] += 1 / dy
        r = r[1:, :-1]
    return numpy.sqrt((r**2).sum() * dx * dy)


@pytest.mark.parametrize("solver", ["jacobi", "chebyshev", "multigrid"])
@pytest.mark.parametrize("sides", SIDES)
def test_the_residual_is_that_of_the_field(quoin, tmp_path, sides, solver):
    result = quoin("run", case_of(tmp_path, sides, solver))
    assert result.returncode == 0, result.stderr
    facts = summary(tmp_path / "result")
    u = field(tmp_path / "result")
    assert facts["residual"] == pytest.approx(balances(u, sides), rel=1e-6)
    if sides == "insulated":
        weights = numpy.ones_like(u)
        for side in (weights[0], weights[-1], weights[:, 0], weights[:, -1]):
            side /= 2
        assert (weights * u).sum() == pytest.approx(0, abs=1e-12)
    if sides == "joined":
        assert (u[:, 0] == u[:, -1]).all()


def test_a_run_goes_on(quoin, tmp_path):
    case = case_of(tmp_path, "insulated", "chebyshev")
    assert quoin("run", case, "--output", "whole", "--set", "method.max_iterations=41").returncode == 4
    assert quoin("run", case, "--output", "part", "--set", "method.max_iterations=18").returncode == 4
    assert quoin("resume", "part", "--set", "method.max_iterations=41").returncode == 4
    whole, part = summary(tmp_path / "whole"), summary(tmp_path / "part")
    assert whole["field_sha256"] == part["field_sha256"] and whole["history_sha256"] == part["history_sha256"]


def test_an_array_of_a_file_is_as_good_as_its_formula(quoin, tmp_path):
    case = case_of(tmp_path, "mixed")
    assert quoin("run", case, "--output", "formula").returncode == 0
    across, up = cells()
    with h5py.File(tmp_path / "soil.h5", "w") as file:
        file["rock/k"] = 1 + across * up * (1 - across)
        file["short"] = (1 + across)[:-1]
        file["narrow"] = (1 + across)[:, :-1]
        file["dry"] = across - 0.5
        file["unknown"] = numpy.where(across > 0.9, numpy.nan, 1)
        file["deep"] = numpy.ones((13, 18, 2))
        file["words"] = numpy.full((13, 18), b"rock")
    (tmp_path / "torn.h5").write_bytes((tmp_path / "soil.h5").read_bytes()[:700])
    case_of(tmp_path, "mixed", kappa="{file: soil.h5, array: rock/k}")
    assert quoin("run", case, "--output", "file").returncode == 0
    assert (field(tmp_path / "file") == pytest.approx(field(tmp_path / "formula"), rel=1e-12))
    resolved = quoin("run", tmp_path / "file/case.yaml", "--output", "again", "--set", "problem.diffusivity.file=../soil.h5")
    assert resolved.returncode == 0, resolved.stderr
    assert summary(tmp_path / "again")["field_sha256"] == summary(tmp_path / "file")["field_sha256"]

    def refused(*more):
        done = quoin("check", case, *more)
        assert done.returncode == 3
        return done.stderr + done.stdout

    for array in ["short", "narrow", "none", "deep", "words"]:
        assert "it takes an array of 13 rows of 18 numbers" in refused("--set", f"problem.diffusivity.array={array}")
    assert "must be more than 0 everywhere" in refused("--set", "problem.diffusivity.array=dry")
    assert "case.yaml:5:23" in refused("--set", "problem.diffusivity.array=dry")
    assert "is nan in the cell around x = 0.916667" in refused("--set", "problem.diffusivity.array=unknown")
    assert "torn.h5" in refused("--set", "problem.diffusivity.file=torn.h5")
    assert "not both" in refused("--set", "problem.diffusivity.formula=1")
    assert "no_such.h5" in refused("--set", "problem.diffusivity.file=no_such.h5")
    converge = quoin("converge", case, "--levels", "2", "--set", "problem.exact=x")
    assert converge.returncode == 3 and "an array belongs to one grid" in converge.stderr


@needs_mpi
def test_more_than_one_rank_is_refused(quoin, tmp_path):
    done = quoin("run", case_of(tmp_path, "mixed"), "--ranks", "2")
    assert done.returncode == 3 and "solve this one with one rank" in done.stderr


def test_points_between_nodes(quoin, tmp_path):
    case = case_of(tmp_path, "joined")
    done = quoin("run", case, "--set", "output.probes=[[0, 0.5], [1, 0.5], [0.99, 0.25], [0.3, 1]]")
    assert done.returncode == 0, done.stderr
    values = [float(row.split(",")[-1]) for row in (tmp_path / "result/probes.csv").read_text().splitlines()[1:]]
    u, last = field(tmp_path / "result"), values[-4:]
    assert last[0] == last[1]

    def between(x, y):
        i, j = int(x * 18), int(y * 13)
        a, b = x * 18 - i, y * 13 - j
        return (1 - b) * ((1 - a) * u[j, i] + a * u[j, i + 1]) + b * ((1 - a) * u[j + 1, i] + a * u[j + 1, i + 1])

    assert last[0] == pytest.approx(between(0, 0.5)) and last[2] == pytest.approx(between(0.99, 0.25))
    assert last[3] == pytest.approx(between(0.3, 0.9999999), rel=1e-5)
