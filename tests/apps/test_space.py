"""Three dimensions: the field that is written against its equations, orders, arrays from files, and what there is not."""

import math

import h5py
import numpy
import pytest
from conftest import needs_mpi, summary
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

SIDES = {
    "given": {"left": "y", "right": "1-z", "bottom": "x", "top": "x*z", "back": "x*y", "front": "y"},
    "mixed": {"left": "{type: neumann, value: y*z}", "right": "1-y", "bottom": "{type: robin, value: x, coefficient: 2+z}",
              "top": "x", "back": "{type: robin, value: y, coefficient: 1+x}", "front": "{type: neumann}"},
    "joined": {"left": "{type: periodic}", "right": "{type: periodic}", "bottom": "{type: robin, value: z, coefficient: 1}",
               "top": "{type: neumann, value: x}", "back": "{type: periodic}", "front": "{type: periodic}"},
    "rolled": {"left": "0", "right": "z", "bottom": "{type: periodic}", "top": "{type: periodic}",
               "back": "{type: neumann, value: x}", "front": "{type: robin, value: 1, coefficient: y}"},
    "insulated": {name: "{type: neumann}" for name in ("left", "right", "bottom", "top", "back", "front")},
}
SOURCE = {"insulated": "cos(pi*x)+cos(2*pi*z)"}
AXES = [("left", "right"), ("bottom", "top"), ("back", "front")]


def case_of(folder, sides, nodes=(9, 6, 7), solver="chebyshev", kappa="1+x*y*(1-x)+z/2", reaction="x*(1+z)", more="", method=""):
    if sides == "insulated":
        reaction = "0"
    boundary = ", ".join(f"{name}: {side}" if side[0] == "{" else f"{name}: '{side}'" for name, side in SIDES[sides].items())
    file = folder / "case.yaml"
    file.write_text(f"""\
problem:
  type: jacobi
  grid: {{nodes: {list(nodes)}}}
  domain: {{x: [0, 1], y: [0, 2], z: [-1, 0.5]}}
  diffusivity: {kappa}
  reaction: {reaction}
  source: {SOURCE.get(sides, "cos(3*x)*(1+y*z)")}
  boundary: {{{boundary}}}
{more}
method: {{solver: {solver}, relative_tolerance: 1e-5, max_iterations: 5000{method}}}
backend: serial
output: {{directory: result}}
""")
    return file


def field(folder):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(folder / "u.vti"))
    reader.Update()
    image = reader.GetOutput()
    return vtk_to_numpy(image.GetPointData().GetArray("u")).reshape(image.GetDimensions()[::-1])


def centres(nodes):
    return numpy.meshgrid(*[start + (numpy.arange(n + 1) + 0.5) * length / (n + 1)
                            for n, start, length in zip(nodes, (0, 0, -1), (1, 2, 1.5))], indexing="ij")


def residual(u, sides, nodes, kappa, reaction):
    """What the cells of nodes lack, from the definition: eight cells meet at a node, four at each half of a face."""
    u = u.transpose()
    d = numpy.array([1, 2, 1.5]) / (numpy.array(nodes) + 1)
    periodic = [SIDES[sides][lower] == "{type: periodic}" for lower, _ in AXES]
    places = numpy.meshgrid(*[start + numpy.arange(n + 2) * h for n, start, h in zip(nodes, (0, 0, -1), d)], indexing="ij")
    x, y, z = places
    f = numpy.cos(numpy.pi * x) + numpy.cos(2 * numpy.pi * z) if sides == "insulated" else numpy.cos(3 * x) * (1 + y * z)

    def wide(values):  # no cell beyond a side, but for that of the opposite one
        for axis in range(3):
            padded = numpy.pad(values, [(1, 1) if a == axis else (0, 0) for a in range(3)],
                               mode="wrap" if periodic[axis] else "constant")
            values = padded
        return values

    def pairs(values, axis):
        return numpy.take(values, range(values.shape[axis] - 1), axis) + numpy.take(values, range(1, values.shape[axis]), axis)

    k, c = wide(kappa), wide(reaction)
    volume = pairs(pairs(pairs(wide(numpy.ones_like(kappa)), 0), 1), 2) / 8
    r = f * volume - pairs(pairs(pairs(c, 0), 1), 2) / 8 * u
    for axis in range(3):
        across = [other for other in range(3) if other != axis]
        faces = pairs(pairs(k, across[0]), across[1]) / 4 / d[axis]**2  # one more than nodes
        if periodic[axis]:
            inner = numpy.take(u, range(nodes[axis] + 1), axis)
            beside = numpy.concatenate([numpy.take(inner, [-1], axis), inner, numpy.take(inner, [0, 1], axis)], axis)
        else:
            beside = numpy.pad(u, [(1, 1) if a == axis else (0, 0) for a in range(3)])
        flow = faces * numpy.diff(beside, axis=axis)
        r += numpy.diff(flow, axis=axis)
    ones = numpy.ones_like(u)
    shares = []
    for axis in range(3):
        half = numpy.ones(nodes[axis] + 2)
        if not periodic[axis]:
            half[0] = half[-1] = 0.5
        shares.append(half.reshape([-1 if a == axis else 1 for a in range(3)]) * ones)
    given = {"mixed": {"left": (y * z, 0), "bottom": (x, 2 + z), "back": (y, 1 + x)},
             "joined": {"bottom": (z, 1), "top": (x, 0)},
             "rolled": {"back": (x, 0), "front": (1, y)}}.get(sides, {})
    for axis, names in enumerate(AXES):
        for name, at in zip(names, (0, -1)):
            if name not in given:
                continue
            value, coefficient = given[name]
            share = numpy.prod([shares[other] for other in range(3) if other != axis], axis=0) / d[axis]
            side = tuple(at if a == axis else slice(None) for a in range(3))
            r[side] += (share * (value * ones - coefficient * u))[side]
    for axis, names in enumerate(AXES):  # what is given is no unknown, and joined sides are one
        first = 1 if SIDES[sides][names[0]][0] != "{" else 0
        last = 1 if SIDES[sides][names[1]][0] != "{" or periodic[axis] else 0
        r = numpy.take(r, range(first, r.shape[axis] - last), axis)
    return numpy.sqrt((r**2).sum() * d.prod())


@pytest.mark.parametrize("solver", ["jacobi", "chebyshev", "multigrid"])
@pytest.mark.parametrize("sides", SIDES)
def test_the_residual_is_that_of_the_field(quoin, tmp_path, sides, solver):
    nodes = (9, 6, 7)
    result = quoin("run", case_of(tmp_path, sides, nodes, solver))
    assert result.returncode == 0, result.stderr
    u = field(tmp_path / "result")
    assert u.shape == (9, 8, 11)
    x, y, z = centres(nodes)
    kappa, reaction = 1 + x * y * (1 - x) + z / 2, numpy.zeros_like(x) if sides == "insulated" else x * (1 + z)
    assert summary(tmp_path / "result")["residual"] == pytest.approx(residual(u, sides, nodes, kappa, reaction), rel=1e-6)


@pytest.mark.parametrize("nodes", [(1, 1, 1), (5, 4, 1), (1, 9, 2)])
@pytest.mark.parametrize("variant", ["classic", "fused"])
def test_few_nodes(quoin, tmp_path, nodes, variant):
    for sides in SIDES:
        case = case_of(tmp_path, sides, nodes, "jacobi", method=f", variant: {variant}")
        assert quoin("run", case, "--force").returncode == 0
        x, y, z = centres(nodes)
        kappa, reaction = 1 + x * y * (1 - x) + z / 2, numpy.zeros_like(x) if sides == "insulated" else x * (1 + z)
        found = residual(field(tmp_path / "result"), sides, nodes, kappa, reaction)
        assert summary(tmp_path / "result")["residual"] == pytest.approx(found, rel=1e-6, abs=1e-13)


@pytest.mark.parametrize(("solver", "variant"), [("jacobi", "classic"), ("chebyshev", "fused"), ("multigrid", "auto")])
def test_poisson(quoin, tmp_path, solver, variant):
    nodes = (8, 5, 6)
    case = case_of(tmp_path, "given", nodes, solver, "1", "0", method=f", variant: {variant}")
    assert quoin("run", case).returncode == 0
    ones = numpy.ones([n + 1 for n in nodes])
    u = field(tmp_path / "result")
    assert summary(tmp_path / "result")["residual"] == pytest.approx(residual(u, "given", nodes, ones, 0 * ones), rel=1e-6)
    assert u[0, 3, 4] == pytest.approx(4 / 9 * 3 * 2 / 6) and u[2, 0, 4] == pytest.approx(4 / 9)  # back: x*y, bottom: x


def test_variants_have_the_same_bits(quoin, tmp_path):
    # Large enough for several launches of a wave; the run stops within one.
    case = case_of(tmp_path, "given", (90, 41, 33), "jacobi", "1", "0")
    runs = {}
    for variant in ["classic", "fused", "blocked", "auto"]:
        done = quoin("run", case, "--output", variant, "--set", f"method.variant={variant}",
                     "--set", "method.relative_tolerance=0.03")
        assert done.returncode == 0, done.stderr
        facts = summary(tmp_path / variant)
        runs[variant] = facts["iterations"], facts["field_sha256"], facts["history_sha256"]
    assert len(set(runs.values())) == 1, runs
    assert runs["classic"][0] % 4 != 0


def errors(quoin, case, nodes):
    done = quoin("run", case, "--force", "--set", f"problem.grid.nodes={list(nodes)}", "--set", "output.directory=result")
    assert done.returncode == 0, done.stderr
    return summary(case.parent / "result")["errors"]["l2"]


def test_the_order_is_two(quoin, source, tmp_path):
    case = tmp_path / "box.yaml"
    case.write_text((source / "configs/jacobi/box.yaml").read_text())
    assert math.log2(errors(quoin, case, (15, 7, 11)) / errors(quoin, case, (31, 15, 23))) > 1.9
    poisson = case_of(tmp_path, "given", kappa="1", reaction="0", more="  exact: 'sin(x)*sin(y)*sin(2*z)'")
    text = poisson.read_text().replace("cos(3*x)*(1+y*z)", "6*sin(x)*sin(y)*sin(2*z)")
    for side in SIDES["given"].items():
        text = text.replace(f"{side[0]}: '{side[1]}'", f"{side[0]}: 'sin(x)*sin(y)*sin(2*z)'")
    poisson.write_text(text.replace("1e-5", "1e-9"))
    assert math.log2(errors(quoin, poisson, (7, 11, 9)) / errors(quoin, poisson, (15, 23, 19))) > 1.9


def test_the_mean_is_the_one_asked_for(quoin, tmp_path):
    assert quoin("run", case_of(tmp_path, "insulated", more="  mean: 3", solver="multigrid")).returncode == 0
    u = field(tmp_path / "result")
    weights = numpy.ones_like(u)
    for axis in range(3):
        for end in (0, -1):
            weights[tuple(end if a == axis else slice(None) for a in range(3))] /= 2
    assert (weights * u).sum() / weights.sum() == pytest.approx(3, abs=1e-12)
    unbalanced = quoin("check", case_of(tmp_path, "insulated"), "--set", "problem.source=1")
    assert unbalanced.returncode == 3 and "take 1 from the source" in unbalanced.stderr


@pytest.mark.parametrize("kappa", ["1", "1+x*y*(1-x)+z/2"])
def test_a_run_goes_on(quoin, tmp_path, kappa):
    case = case_of(tmp_path, "given", kappa=kappa, reaction="0")
    assert quoin("run", case, "--output", "whole", "--set", "method.max_iterations=23").returncode == 4
    assert quoin("run", case, "--output", "part", "--set", "method.max_iterations=9").returncode == 4
    assert quoin("resume", "part", "--set", "method.max_iterations=23").returncode == 4
    whole, part = summary(tmp_path / "whole"), summary(tmp_path / "part")
    assert whole["field_sha256"] == part["field_sha256"] and whole["history_sha256"] == part["history_sha256"]


def test_an_array_of_a_file_is_as_good_as_its_formula(quoin, tmp_path):
    assert quoin("run", case_of(tmp_path, "mixed"), "--output", "formula").returncode == 0
    x, y, z = [values.transpose() for values in centres((9, 6, 7))]
    with h5py.File(tmp_path / "soil.h5", "w") as file:
        file["k"] = 1 + x * y * (1 - x) + z / 2
        file["c"] = x * (1 + z)
        file["turned"] = (1 + x).transpose()
        file["flat"] = (1 + x)[0]
        file["dry"] = x - 0.5
    case = case_of(tmp_path, "mixed", kappa="{file: soil.h5, array: k}", reaction="{file: soil.h5, array: c}")
    assert quoin("run", case, "--output", "file").returncode == 0
    assert field(tmp_path / "file") == pytest.approx(field(tmp_path / "formula"), rel=1e-12)
    for array, words in [("turned", "8 planes of 7 rows of 10 numbers"), ("flat", "8 planes of 7 rows of 10 numbers"),
                         ("dry", "is -0.45 in the cell around x = 0.05, y = 0.142857, z = -0.90625")]:
        done = quoin("check", case, "--set", f"problem.diffusivity.array={array}")
        assert done.returncode == 3 and words in done.stderr


@pytest.mark.parametrize("sides", SIDES)
def test_probes_and_lines_lie_between_the_nodes(quoin, tmp_path, sides):
    nodes = (9, 6, 7)
    start, end = numpy.array([0, 0, -1]), numpy.array([1, 2, 0.5])
    places = numpy.random.default_rng(3).uniform(start, end, (20, 3))
    places[:4] = [start, end, (0.5, 2, -1), (1, 0.3, 0.5)]  # corners, an edge's middle, on an edge
    places[4:10:2, 0], places[5:10:2, 2] = 0, -1  # on sides
    points = ", ".join(str([float(c) for c in place]) for place in places)
    line = f"{{across: {{from: {start.tolist()}, to: {end.tolist()}, samples: 8}}}}"
    done = quoin("run", case_of(tmp_path, sides, nodes), "--set", f"output.probes=[{points}]", "--set", f"output.lines={line}")
    assert done.returncode == 0, done.stderr
    u = field(tmp_path / "result").transpose()

    def between(place):
        at = (place - start) / (end - start) * (numpy.array(nodes) + 1)
        low = numpy.minimum(at.astype(int), numpy.array(nodes))
        share = at - low
        return sum(u[tuple(low + corner)] * numpy.prod(numpy.where(corner, share, 1 - share))
                   for corner in numpy.ndindex(2, 2, 2))

    last = numpy.genfromtxt(tmp_path / "result/probes.csv", delimiter=",", names=True)[-20:]
    assert last.dtype.names == ("iteration", "probe", "x", "y", "z", "u")
    for row, place in zip(last, places):
        assert (row["x"], row["y"], row["z"]) == pytest.approx(tuple(place))
        assert row["u"] == pytest.approx(between(place), abs=1e-12 * numpy.abs(u).max())
    path = sorted((tmp_path / "result").glob("across-*.csv"))[-1]
    rows = numpy.genfromtxt(path, delimiter=",", names=True)
    assert rows["distance"] == pytest.approx(numpy.linspace(0, numpy.linalg.norm(end - start), 8))
    for row in rows:
        assert row["u"] == pytest.approx(between(numpy.array([row["x"], row["y"], row["z"]])), abs=1e-12 * numpy.abs(u).max())
    assert quoin("report", tmp_path / "result").returncode == 0
    assert "(0, 0, -1)" in (tmp_path / "result/report.html").read_text()


def test_what_space_does_not_have_is_refused(quoin, tmp_path, source):
    case = case_of(tmp_path, "joined")
    for setting, words in [("output.probes=[[0.5, 0.5]]", "a point is [x, y, z]"),
                           ("output.probes=[[0, 0, 0], [0, 1]]", "one point has 2 coordinates, and the first 3"),
                           ("output.probes=[[0, 0, 0, 0]]", "two or three real numbers in brackets: [x, y] or [x, y, z]"),
                           ("output.probes=[[0, 0, 0.75]]", "the point (0, 0, 0.75) lies outside the box"),
                           ("output.lines={a: {from: [0, 0, 0], to: [1, 2]}}", "3 coordinates, and ends at one of 2"),
                           ("output.lines={a: {from: [0, 0, 0], to: [1, 3, 0]}}", "(0.67, 2.01, 0) lies outside the box"),
                           ("problem.boundary.back={type: neumann}", "make back periodic as well"),
                           ("problem.boundary.back={type: periodic, value: 1}", "a periodic side has no value"),
                           ("problem.grid.nodes=[3, 4]", "has no z"), ("problem.grid.nodes=[3, 4, 5, 6]", "3"),
                           ("problem.grid.nodes=[2000000000, 2000000000, 2000000000]", "take fewer"),
                           ("problem.source=t", "t is the time"), ("problem.source=1/(z+1)", "z = -1"),
                           ("method.variant=blocked", "choose auto, fused or classic")]:
        done = quoin("check", case, "--set", setting)
        assert done.returncode == 3 and words in done.stderr, (setting, done.stderr)
    robin = quoin("check", case_of(tmp_path, "mixed"), "--set", "problem.boundary.front={type: robin}")
    assert robin.returncode == 3 and "give problem.boundary.front.coefficient" in robin.stderr
    flat = source / "configs/jacobi/poisson-256.yaml"
    done = quoin("check", flat, "--set", "output.probes=[[0.5, 0.5, 0.5]]")
    assert done.returncode == 3 and "where a point is [x, y]" in done.stderr
    for setting in ["problem.source=z", "problem.domain.z=[0, 1]", "problem.boundary.front=1",
                    "problem.boundary.back={type: neumann}"]:
        done = quoin("check", flat, "--set", setting)
        assert done.returncode == 3 and "a problem in the plane has no z" in done.stderr, (setting, done.stderr)
        assert f"problem.{setting.split('.')[1].split('=')[0]}" in done.stderr or "poisson" in done.stderr


@needs_mpi
def test_more_than_one_rank_is_refused(quoin, tmp_path):
    done = quoin("run", case_of(tmp_path, "given", kappa="1", reaction="0"), "--ranks", "2")
    assert done.returncode == 3 and "solve one in space with one rank" in done.stderr
