"""The page about the files for programs: what its code evaluates is what probes show."""

import re

import h5py
import numpy
import pytest

POINTS = [[0.3, 0.8], [-0.71, 0.123], [0.999, -0.998], [0, 0], [-1, 1], [0.25, 0.5]]

CASE = """\
problem:
  type: dg-cvs
  equation: {{type: shallow_water, gravity: 1}}
  mesh: {{cells: [5, 4], shape: {shape}, perturb: 0.2}}
  domain: {{x: [-1, 1], y: [-1, 1]}}
  boundary: {{left: periodic, right: periodic, bottom: wall, top: open}}
  initial: {{h: "1+0.1*sin(pi*x)*cos(pi*y)", hu: "0.1*y", hv: "0.05*x"}}
method: {{order: {order}, precision: {precision}, final_time: 0.4}}
output:
  directory: result
  fields: {{every: 0.1, level: both}}
  probes: {{points: {points}, every: 1 step}}
"""


@pytest.fixture(scope="module")
def evaluate(source):
    code = re.search(r"^```python evaluate.py\n(.*?)^```$", (source / "apps/quoin/HDF5.md").read_text(), re.M | re.S)[1]
    assert len(code.splitlines()) <= 22
    names = {}
    exec(code, names)  # pylint: disable=exec-used
    return names["evaluate"]


@pytest.fixture(params=[(3, "tri", "double"), (2, "quad", "double"), (0, "quad", "double"), (1, "tri", "float")],
                ids=lambda param: "-".join(map(str, param)))
def folder(request, quoin, tmp_path):
    order, shape, precision = request.param
    (tmp_path / "case.yaml").write_text(CASE.format(order=order, shape=shape, precision=precision, points=POINTS))
    result = quoin("run", "case.yaml")
    assert result.returncode == 0, result.stderr
    return tmp_path / "result"


def test_the_code_of_the_page_gives_what_probes_show(folder, evaluate):
    rows = numpy.genfromtxt(folder / "probes.csv", delimiter=",", names=True)
    files = sorted(folder.glob("cells-*.h5"))
    assert len(files) > 2 and files[0].name == "cells-000000.h5"
    for file in files:
        there = rows[rows["step"] == int(file.stem[6:])]
        assert len(there) == len(POINTS)
        for row in there:
            state = evaluate(file, row["x"], row["y"])
            assert state == pytest.approx([row["h"], row["hu"], row["hv"]], rel=1e-12, abs=1e-12)
    with pytest.raises(ValueError, match="outside"):
        evaluate(files[0], 1.2, 0)


def test_the_files_say_what_they_hold(folder, evaluate):
    file = sorted(folder.glob("vertices-*.h5"))[-1]
    for name in (file, folder / file.name.replace("vertices", "cells")):
        with h5py.File(name) as frame:
            assert list(frame.attrs["variables"]) == ["h", "hu", "hv"]
            degree = frame.attrs["degree"]
            assert frame.attrs["order"] == max(1, degree)
            powers = frame["powers"][:]
            assert len(powers) == (degree + 1) * (degree + 2) * (degree + 3) // 6 and (powers.sum(axis=1) <= degree).all()
            entities = len(frame["length"])
            assert frame["coefficients"].shape == (entities, 3, len(powers))
            assert frame["entity"].shape == frame["corners"].shape and set(frame["entity"]) == set(range(entities))
            assert frame["centre"].shape == (len(frame["corners"]), 2)
            assert "X^i Y^j s^k" in frame.attrs["basis"] and "half_step" in frame.attrs["scaling"]
            nodes, depth = frame["nodes"][:], frame["fields/h"][:]
            order, corners = frame.attrs["order"], frame["corners"][:]
        # The last node is inside a cell, if its order has such nodes; polynomials have its value.
        if order < (3 if 3 in corners else 2):
            continue
        last = numpy.cumsum(numpy.where(corners == 3, (order + 1) * (order + 2) // 2, (order + 1) ** 2)) - 1
        for k in last:
            assert evaluate(name, *nodes[k])[0] == pytest.approx(depth[k], rel=1e-12)
    with h5py.File(file) as vertices, h5py.File(folder / file.name.replace("vertices", "cells")) as cells:
        assert cells.attrs["time"] - vertices.attrs["time"] == pytest.approx(cells.attrs["half_step"])
