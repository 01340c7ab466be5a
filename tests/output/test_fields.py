"""Fields of high order, as other programs read them."""

import pathlib
import struct
import subprocess
import sys
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import mutable, vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_LAGRANGE_QUADRILATERAL, VTK_LAGRANGE_TRIANGLE, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkProbeFilter
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

ORDERS = [1, 2, 3, 4, 6]


@pytest.fixture(scope="module", params=ORDERS)
def order(request):
    return request.param


@pytest.fixture(scope="module")
def folder(build, order, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fields") / "result"
    subprocess.run([build / "bin/quoin-example-fields", folder, str(order)], check=True)
    return folder


def read(file):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()


@pytest.fixture
def grid(folder):
    return read(folder / "cells-000020.vtu")


def values(data, name):
    return vtk_to_numpy(data.GetPointData().GetArray(name))


def polynomial(x, y, order):
    return (x + y / 2) ** order + x - y


def test_cells_and_nodes(grid, order):
    nodes = {VTK_LAGRANGE_TRIANGLE: (order + 1) * (order + 2) // 2, VTK_LAGRANGE_QUADRILATERAL: (order + 1) ** 2}
    types = [grid.GetCellType(c) for c in range(grid.GetNumberOfCells())]
    assert types == [VTK_LAGRANGE_TRIANGLE] * 2 + [VTK_LAGRANGE_QUADRILATERAL] * 2
    seen = []
    for c, kind in enumerate(types):
        ids = vtkIdList()
        grid.GetCellPoints(c, ids)
        assert ids.GetNumberOfIds() == nodes[kind]
        seen += [ids.GetId(k) for k in range(ids.GetNumberOfIds())]
    assert seen == list(range(grid.GetNumberOfPoints()))  # no cell shares a node
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert np.array_equal(values(grid, "x"), points[:, 0]) and np.array_equal(values(grid, "y"), points[:, 1])
    assert not points[:, 2].any()
    assert grid.GetPointData().GetScalars().GetName() == "f"
    assert grid.GetFieldData().GetArray("TimeValue").GetValue(0) == 2.0


def test_polynomials_are_reproduced_inside_each_cell(grid, order):
    """With any other order of the nodes either the place or the value would be wrong."""
    random = np.random.default_rng(1)
    for c in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(c)
        count = cell.GetNumberOfPoints()
        ids = [cell.GetPointId(k) for k in range(count)]
        corners = [np.array(cell.GetPoints().GetPoint(k)) for k in range(3 if c < 2 else 4)]
        for r, s in random.uniform(0.05, 0.45, (20, 2)):
            place, weights = [0.0] * 3, [0.0] * count
            cell.EvaluateLocation(mutable(0), [r, s, 0.0], place, weights)
            shares = [1 - r - s, r, s] if c < 2 else [(1 - r) * (1 - s), r * (1 - s), r * s, (1 - r) * s]
            assert place == pytest.approx(sum(w * x for w, x in zip(shares, corners)), abs=1e-12)
            value = np.dot(weights, values(grid, "f")[ids])
            assert value == pytest.approx(polynomial(place[0], place[1], order) + c, abs=1e-9)


def test_probing_finds_the_cell_and_the_polynomial(grid, order):
    places = [(0.3, 0.3, 0), (0.8, 0.7, 0), (1.7, 0.5, 0), (0.5, 1.5, 0)]  # one a cell
    points = vtkPoints()
    for place in places:
        points.InsertNextPoint(place)
    cloud = vtkPolyData()
    cloud.SetPoints(points)
    probe = vtkProbeFilter()
    probe.SetInputData(cloud)
    probe.SetSourceData(grid)
    probe.Update()
    for c, (x, y, _) in enumerate(places):
        assert values(probe.GetOutput(), "f")[c] == pytest.approx(polynomial(x, y, order) + c, abs=1e-5)


def test_the_series_names_its_frames(folder):
    root = ElementTree.parse(folder / "cells.pvd").getroot()
    assert root.attrib["type"] == "Collection"
    sets = [(float(s.attrib["timestep"]), s.attrib["file"]) for s in root.iter("DataSet")]
    assert sets == [(0.0, "cells-000000.vtu"), (2.0, "cells-000020.vtu")]
    assert all((folder / name).is_file() for _, name in sets)


def test_the_same_for_programs(folder, grid, order):
    with h5py.File(folder / "cells-000020.h5") as file:
        facts = dict(file.attrs)
        assert list(facts.pop("variables")) == ["f", "x", "ü"]
        assert facts == {"step": 20, "time": 2.0, "order": order, "degree": 7, "half_step": 0.25, "basis": "X^i"}
        assert np.array_equal(file["corners"], [3, 3, 4, 4])
        assert np.array_equal(file["nodes"], vtk_to_numpy(grid.GetPoints().GetData())[:, :2])
        assert set(file["fields"]) == {"f", "x", "y"}
        for name, field in file["fields"].items():
            assert np.array_equal(field, values(grid, name))
        assert np.array_equal(file["coefficients"], [[1, 2, 3], [4, 5, 6]])
        assert file["mesh/faces"].dtype == np.int64 and list(file["mesh/faces"]) == [1, -2, 3, 1 << 40]


def test_arrays_of_many_blocks_are_read_whole(build, tmp_path):
    folder = tmp_path / "result"
    subprocess.run([build / "bin/quoin-example-fields", folder, "many"], check=True)
    grid = read(folder / "cells-000000.vtu")
    assert (folder / "cells-000000.vtu").stat().st_size > 1 << 20  # not written at once
    points = vtk_to_numpy(grid.GetPoints().GetData())
    assert points.nbytes > 8 << 20 and points.shape == (12000 * (2 * 6 + 2 * 9), 3)  # several batches
    with h5py.File(folder / "cells-000000.h5") as file:
        assert np.array_equal(file["nodes"], points[:, :2])
        for name, field in file["fields"].items():
            assert np.array_equal(field, values(grid, name))
        assert np.array_equal(file["fields/f"][:30] + 11999, file["fields/f"][-30:])
        assert np.array_equal(file["corners"], [3, 3, 4, 4] * 12000)
    assert [grid.GetCell(c).GetPointId(0) for c in (0, 3, 47999)] == [0, 21, 12000 * 30 - 9]


def test_compression_changes_the_size_alone(quoin, tmp_path, source):
    sizes, kept = [], []
    for compression in ["none", "fast", "best"]:
        done = quoin("run", source / "configs/dgcvs/adv-sin-p2-tri-10.yaml", "--backend", "serial", "--output", compression,
                     "--set", f"output.compression={compression}")
        assert done.returncode == 0, done.stderr
        file = max((tmp_path / compression).glob("cells-*.vtu"))
        sizes.append(file.stat().st_size)
        grid = read(file)
        kept.append([vtk_to_numpy(grid.GetPoints().GetData()), values(grid, "u")])
    assert sizes[0] > 1.3 * sizes[1] and sizes[1] > sizes[2]
    assert sizes[0] > 4 / 3 * sum(array.nbytes for array in kept[0])  # in base64
    for arrays in kept[1:]:
        assert all(np.array_equal(one, other) for one, other in zip(arrays, kept[0]))


def test_files_are_reproducible(folder, build, order, tmp_path):
    again = tmp_path / "again"
    subprocess.run([build / "bin/quoin-example-fields", again, str(order)], check=True)
    names = sorted(file.name for file in pathlib.Path(folder).iterdir())
    assert names == ["cells-000000.h5", "cells-000000.vtu", "cells-000020.h5", "cells-000020.vtu", "cells.pvd", "files.txt"]
    for name in names:
        assert (folder / name).read_bytes() == (again / name).read_bytes(), name


def test_pictures(folder, source, tmp_path):
    def draw(variable):
        command = [sys.executable, source / "apps/pictures/field.py", folder / "cells-000020.vtu", variable, "x.png"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "there is no variable 'z'" in draw("z").stderr and not (tmp_path / "x.png").exists()
    done = draw("x")
    assert done.returncode == 0 and done.stderr == ""
    picture = (tmp_path / "x.png").read_bytes()
    width, height = struct.unpack(">II", picture[16:24])
    assert width == 840 and height > 300
