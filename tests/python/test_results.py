"""Results that Python reads: the values of the files, by other means than the package's, and no copy of them."""

import csv
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tracemalloc
import zlib
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
from conftest import BUILD, SMALL, needs_mpi
from package import WAVES, quoin
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the results of several runs are."""
    folder = tmp_path_factory.mktemp("runs")

    def run(text, *words):
        subprocess.run([BUILD.resolve() / "bin/quoin", "run", "-", "--quiet", *words], cwd=folder, input=text, text=True,
                       check=True, timeout=120)

    run(SMALL)
    run(SMALL, "--output", "float", "--set", "method.precision=float", "--set", "method.tolerance=1e-3")
    run("problem: {type: jacobi, grid: {nodes: [4, 5, 6]}, domain: {z: [1, 3]}, source: x*y*z}\n", "--output", "box")
    run(WAVES)
    system = "problem: {type: linear-system, matrix: {generator: poisson, nodes: [7, 6, 5]}}\nmethod: {solver: cg}\n"
    run(system, "--output", "space", "--set", "output.fields.hdf5=true")
    run(system.replace(", 5]", "]"), "--output", "plane")
    run(system.replace("generator: poisson, nodes: [7, 6, 5]", "generator: arrow, rows: 40"), "--output", "line")
    return folder


def source_of(array):
    """The file whose mapping has an array's bytes."""
    address = array.__array_interface__["data"][0]
    for line in pathlib.Path("/proc/self/maps").read_text().splitlines():
        where, access, *_, file = line.split(None, 5)
        first, end = (int(number, 16) for number in where.split("-"))
        if first <= address < end:
            assert access == "r--s" and address + array.nbytes <= end
            return pathlib.Path(file)
    raise AssertionError("in no file")


@pytest.mark.parametrize("name, dtype", [("result", np.float64), ("float", np.float32), ("box", np.float64)])
def test_a_grid_is_what_vtk_reads(folder, name, dtype):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(folder / name / "u.vti"))
    reader.Update()
    image = reader.GetOutput()
    wanted = vtk_to_numpy(image.GetPointData().GetArray("u"))
    run = quoin.read(folder / name)
    field = run["u"]
    axes = [count for count in image.GetDimensions()[::-1] if count > 1]
    assert field.shape == tuple(axes) and len(axes) == (3 if name == "box" else 2) and field.dtype == dtype and field.ravel().tolist() == wanted.tolist()
    frame = run.frames[-1]
    points = np.array([image.GetPoint(k)[:len(axes)] for k in range(len(wanted))])
    mesh = np.meshgrid(*[frame.coordinates[dim] for dim in frame.dims], indexing="ij")
    assert np.allclose(np.stack(mesh[::-1], axis=-1).reshape(-1, len(axes)), points, rtol=0, atol=1e-15)
    assert source_of(field) == folder / name / "u.vti" and not field.flags.writeable and field.flags.aligned
    assert type(field) is np.ndarray and run["u"] is field and list(frame) == ["u"] and frame.step is None
    with pytest.raises(KeyError, match="has no field 'v'; it has u"):
        run["v"]


def test_frames_are_what_h5py_reads(folder):
    run = quoin.read(folder / "waves")
    files = sorted((folder / "waves").glob("cells-*.h5"))
    assert set(run.series) == {"cells", "vertices"} and run.frames.name == "cells" and len(run.frames) == len(files) > 3
    for frame, file in zip(run.frames, files):
        with h5py.File(file) as wanted:
            assert frame.file == file and (frame.step, frame.time) == (wanted.attrs["step"], wanted.attrs["time"])
            assert list(frame) == list(wanted["fields"]) == ["h", "hu", "hv"]
            assert frame.attributes["variables"] == ["h", "hu", "hv"] and frame.attributes["degree"] == 3
            for name, field in frame.items():
                assert field.tolist() == wanted["fields"][name][:].tolist() and source_of(field) == file
                assert field.flags.aligned and not field.flags.writeable
            for name in ["coefficients", "powers", "length", "entity", "centre", "corners", "nodes"]:
                assert np.array_equal(frame.arrays[name], wanted[name][:]) and source_of(frame.arrays[name]) == file
            assert source_of(frame.coordinates["x"]) == file
            assert frame.coordinates["y"].tolist() == wanted["nodes"][:, 1].tolist()
    assert run["hu"] is run.frames[-1]["hu"] and run.frames[1:][0].step == run.frames[1].step
    assert run.series["vertices"][-1].time < run.frames[-1].time


def test_arrays_outlive_what_they_came_from_and_keep_no_file_open(folder):
    opened = len(list(pathlib.Path("/proc/self/fd").iterdir()))
    frames = [quoin.read(folder / "waves").frames[-1] for _ in range(20)]
    assert len(list(pathlib.Path("/proc/self/fd").iterdir())) == opened
    file, fields = frames[0].file, [frame["h"] for frame in frames]

    def maps():
        return pathlib.Path("/proc/self/maps").read_text().count(str(file))

    assert maps() == 20
    total = fields[0].sum()
    del frames
    assert maps() == 20 and fields[-1].sum() == total
    del fields
    assert maps() == 0


def test_frames_are_in_the_order_of_their_steps(folder, tmp_path):
    (tmp_path / "summary.json").write_text('{"status": "completed"}')
    for step in [1000000, 20, 999999]:
        shutil.copy(folder / "waves/cells-000000.h5", tmp_path / f"cells-{step:06}.h5")
    assert [frame.step for frame in quoin.read(tmp_path).frames] == [20, 999999, 1000000]


@pytest.mark.parametrize("name, shape, dims", [("space", (5, 6, 7), ("z", "y", "x")), ("plane", (6, 7), ("y", "x")),
                                               ("line", (40,), ("row",))])
def test_a_solution_of_a_system_is_its_matrix_market_file(folder, name, shape, dims):
    lines = (folder / name / "x.mtx").read_text().splitlines()
    assert lines[1].split() == [str(np.prod(shape)), "1"]
    run = quoin.read(folder / name)
    assert run["x"].shape == shape and run["x"].ravel().tolist() == [float(line) for line in lines[2:]]
    assert run.frames[0].dims == dims and source_of(run["x"]).suffix in {".vti", ".h5"}
    only = folder / f"only {name}"
    only.mkdir()
    for file in ["summary.json", "x.mtx"]:
        shutil.copy(folder / name / file, only)
    assert quoin.read(only)["x"].tolist() == run["x"].ravel().tolist()


@needs_mpi
def test_pieces_of_ranks_are_the_whole(folder):
    tall = re.sub("method: .*", "method: {stop: iterations, max_iterations: 50}", SMALL.replace("[30, 20]", "[30, 500]"))
    in_pieces = ["--ranks", "3", "--set", "output.fields.pieces=true"]
    for text, name, field in [(tall, "tall", "u"), (WAVES, "waves", "hu")]:
        for words in [["--output", name, "--force"], ["--output", f"pieces-{name}", *in_pieces]]:
            subprocess.run([BUILD.resolve() / "bin/quoin", "run", "-", "--quiet", *words], cwd=folder, input=text, text=True,
                           check=True, timeout=120)
        whole, pieces = quoin.read(folder / name), quoin.read(folder / f"pieces-{name}")
        assert list(pieces.series) == list(whole.series) and len(pieces.frames) == len(whole.frames)
        assert len(list((folder / f"pieces-{name}").glob("*_[012].[vh]*"))) > 1
        assert whole[field].shape == pieces[field].shape
        assert np.array_equal(np.sort(whole[field], axis=None), np.sort(pieces[field], axis=None))
        one, other = whole.frames[-1].picture(field), pieces.frames[-1].picture(field)
        assert one[1] == other[1] and np.array_equal(one[0], other[0], equal_nan=True)
        for ours, theirs in zip(whole.checkpoints[-1].arrays.values(), pieces.checkpoints[-1].arrays.values()):
            assert ours.tolist() == theirs.tolist()
        pieces.checkpoints[-1].verify()
    assert np.array_equal(quoin.read(folder / "tall")["u"], quoin.read(folder / "pieces-tall")["u"])
    [first, *_] = (folder / "pieces-tall").glob("u_*.vti")
    first.unlink()
    with pytest.raises(quoin.FileError, match=first.name):
        quoin.read(folder / "pieces-tall")["u"]


def test_a_picture_has_the_polynomials_values(folder, source):
    names = {}
    exec(re.search(r"^```python evaluate.py\n(.*?)^```$", (source / "apps/quoin/HDF5.md").read_text(), re.M | re.S)[1], names)
    for series in ["cells", "vertices"]:
        frame = quoin.read(folder / "waves").series[series][-1]
        image, (left, right, bottom, top) = frame.picture("hv", 31)
        assert image.shape == (31, 31) and (left, right, bottom, top) == (-1, 1, -1, 1) and np.isfinite(image).all()
        on_a_side = [(1, 28), (29, 2)]  # of two of the vertices' cells
        for row, column in [*np.ndindex(image.shape)][::17] + on_a_side:
            x, y = left + 2 * (column + 0.5) / 31, bottom + 2 * (row + 0.5) / 31
            assert image[row, column] == pytest.approx(names["evaluate"](frame.file, x, y)[2], abs=1e-13)
    with pytest.raises(ValueError, match="lies in no plane"):
        quoin.read(folder / "space").frames[0].picture("x")


def test_tables_are_what_is_written(folder):
    run = quoin.read(folder / "waves")
    for name in ["history", "probes", "timing"]:
        rows = list(csv.reader((folder / f"waves/{name}.csv").open()))
        assert list(run.tables[name].dtype.names) == rows[0] and len(run.tables[name]) == len(rows) - 1 > 1
        assert [list(row) for row in run.tables[name].tolist()] == [[float(cell) for cell in row] for row in rows[1:]]
    assert run.history["step"].dtype == np.int64 and run.history["time"].dtype == np.float64
    assert run.history is run.tables["history"] and set(run.tables["probes"]["probe"]) == {1, 2}


def test_odd_tables(tmp_path):
    (tmp_path / "summary.json").write_text('{"status": "diverged"}')
    (tmp_path / "history.csv").write_text("iteration,residual\n1,nan\n2,-nan\n3,inf\n9007199254740993,1e-320\n4,2.")
    run = quoin.read(tmp_path)
    assert run.history["iteration"].tolist() == [1, 2, 3, 9007199254740993]  # the last line is not whole
    assert np.isnan(run.history["residual"][:2]).all() and run.history["residual"][2:].tolist() == [np.inf, 1e-320]
    assert "diverged" in run._repr_html_()
    for text, rows in [("iteration,residual\n", 0), ("iteration,residual\n7,1\n", 1), ("iteration,resi", None), ("", None)]:
        (tmp_path / "history.csv").write_text(text)
        if rows is None:
            assert len(quoin.read(tmp_path).history) == 0
        else:
            assert len(quoin.read(tmp_path).history["residual"]) == rows
        quoin.read(tmp_path)._repr_html_()
    (tmp_path / "history.csv").write_text("iteration,residual\n7,seven\n")
    with pytest.raises(quoin.FileError, match="history.csv cannot be read"):
        quoin.read(tmp_path).history


def test_a_checkpoint_has_the_solvers_arrays(folder):
    run = quoin.read(folder / "result")
    [*_, newest] = run.checkpoints
    assert newest.iterations == run.summary["iterations"] == newest.about["iterations"]
    assert newest.about["backend"] == "serial" and newest.case == run.case
    inner = run["u"][1:-1, 1:-1]
    assert newest.arrays["u"].reshape(inner.shape).tolist() == inner.tolist()
    assert source_of(newest.arrays["u"]) in newest.files
    assert quoin.read(folder / "float").checkpoints[-1].arrays["u"].dtype == np.float32
    for checkpoint in [newest, *quoin.read(folder / "waves").checkpoints]:
        checkpoint.verify()
        for file in checkpoint.files[1:]:
            good = file.read_bytes()
            file.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
            with pytest.raises(quoin.CheckpointError, match=re.escape(file.name)):
                quoin.read(file.parent).checkpoints[-1].verify()
            file.write_bytes(good)


def test_a_checkpoint_of_padded_rows_is_put_together(folder):
    checkpoint = quoin.read(folder / "waves").checkpoints[-1]
    index = json.loads(checkpoint.files[0].read_text())
    for array in index["arrays"]:
        [part] = array["parts"]
        data = checkpoint.file.with_name(f"{checkpoint.file.stem}-{array['name']}.bin").read_bytes()
        wanted = bytearray(array["bytes"])
        for k in range(part["count"]):
            for first, size in part["ranges"]:
                wanted[first + k * part["stride"]:first + k * part["stride"] + size], data = data[:size], data[size:]
        assert data == b"" and checkpoint.arrays[array["name"]].tobytes() == wanted
        assert not checkpoint.arrays[array["name"]].flags.writeable


def test_no_memory_is_taken_for_what_is_not_used(tmp_path):
    text = SMALL.replace("[30, 20]", "[1500, 1500]").replace("20000", "1")
    subprocess.run([BUILD.resolve() / "bin/quoin", "run", "-", "--quiet"], cwd=tmp_path, input=text, text=True)
    subprocess.run([BUILD.resolve() / "bin/quoin", "run", "-", "--quiet"], cwd=tmp_path,
                   input=WAVES.replace("[5, 4]", "[60, 60]").replace("0.4", "0.003").replace("waves", "fine"), text=True)
    quoin.read(tmp_path / "fine")["h"]  # imports are done
    tracemalloc.start()
    field = quoin.read(tmp_path / "result")["u"]
    corner = field[-1, -1]
    state = quoin.read(tmp_path / "result").checkpoints[-1].arrays["u"][-1]
    frame = quoin.read(tmp_path / "fine").frames[-1]
    size = frame.file.stat().st_size
    total = sum(float(array[-1].sum()) for array in (*frame.values(), *frame.arrays.values()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert field.nbytes > 18e6 and size > 4e6 and peak < 0.2 * size
    assert corner == 3 + 2 * 2 and np.isfinite(state + total)


def test_xarray(folder):
    xarray = pytest.importorskip("xarray")
    run = quoin.read(folder / "result")
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset) and data.u.dims == ("y", "x") and np.shares_memory(data.u.values, run["u"])
    there = data.u.sel(x=1.5, y=0.7, method="nearest")
    assert float(there) == pytest.approx(float(there.x + 2 * there.y), rel=1e-9) and abs(there.x - 1.5) < 0.1
    assert data.attrs["status"] == "converged" and data.attrs["residual"] == run.summary["residual"]
    frames = quoin.read(folder / "waves").frames
    both = xarray.concat([frame.to_xarray() for frame in frames], "time")
    assert both.h.dims == ("time", "node") and both.time.values.tolist() == [frame.time for frame in frames]
    assert both.hu.values[2].tolist() == frames[2]["hu"].tolist() and both.x.values.tolist() == frames[0].coordinates["x"].tolist()
    assert quoin.read(folder / "plane").to_xarray().x.dims == ("row", "column")
    assert quoin.read(folder / "space").to_xarray().x.dims == ("z", "row", "column")


def test_without_other_packages(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    monkeypatch.setitem(sys.modules, "h5py", None)
    run = quoin.read(folder / "result")
    assert run["u"].shape == (22, 32) and "<svg" in run._repr_html_()
    with pytest.raises(ImportError, match="python3-xarray"):
        run.to_xarray()
    with pytest.raises(ImportError, match="python3-h5py"):
        quoin.read(folder / "waves")["h"]
    assert "python3-h5py" in quoin.read(folder / "waves")._repr_html_()


def pixels_of(png):
    """Rows of an image with four bytes a pixel, none of which has a filter."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        data += body if kind == b"IDAT" else b""
        at += 12 + size
    rows = np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, 1 + 4 * width)
    assert (rows[:, 0] == 0).all()
    return rows[:, 1:].reshape(height, width, 4)


def test_a_notebook_shows_field_and_residual(folder):
    import base64

    text = quoin.read(folder / "result")._repr_html_()
    page = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    field, history = page.iter(f"{name}svg")
    [image] = field.iter(f"{name}image")
    pixels = pixels_of(base64.b64decode(image.get("href").removeprefix("data:image/png;base64,")))
    assert pixels.shape == (160, 240, 4) and (pixels[..., 3] == 255).all()
    assert pixels[-1, 0, :3].tolist() == [0x44, 0x01, 0x54] and pixels[0, -1, :3].tolist() == [0xFD, 0xE7, 0x25]
    assert "".join(field.itertext()).startswith("u: from 0 to 7")
    [line] = history.iter(f"{name}polyline")
    points = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
    assert points == sorted(points) and points[0][0] == 0.5 and points[-1][0] == 240.5 and len(points) > 100
    assert "converged" in text and "residual" in text
    assert text.count("<svg") == 2 and quoin.read(folder / "waves")._repr_html_().count("<svg") == 4
    for run in ["float", "space", "plane", "line"]:
        ElementTree.fromstring(quoin.read(folder / run)._repr_html_())
        ElementTree.fromstring(quoin.read(folder / run).frames[-1]._repr_html_())


def vti(values):
    """A file as a run of an odd problem writes it."""
    rows, columns = values.shape
    extent = f"0 {columns - 1} 0 {rows - 1} 0 0"
    return (f'<VTKFile type="ImageData">\n<ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="1 1 1">\n'
            f'<DataArray type="Float64" Name="u"/>\n</ImageData>\n<AppendedData encoding="raw">\n_').encode() + \
        struct.pack("<Q", values.nbytes) + values.tobytes()


@pytest.mark.parametrize("values", [np.full((4, 5), np.nan), np.array([[1e308, -1e308], [np.inf, 1.0]]), np.ones((1, 1)),
                                    np.full((3, 3), 7.0), np.array([[5e-324, 0.0], [0.0, 0.0]]), np.ones((2, 3000))],
                         ids=["nan", "huge", "one", "constant", "tiny", "long"])
def test_odd_fields_are_shown(values, tmp_path, recwarn):
    (tmp_path / "summary.json").write_text(json.dumps({"status": "<b>", "message": "a < b & \"c\""}))
    (tmp_path / "u.vti").write_bytes(vti(values))
    run = quoin.read(tmp_path)
    assert np.array_equal(run["u"].ravel(), values.ravel(), equal_nan=True)
    page = ElementTree.fromstring(run._repr_html_())
    assert "a < b & \"c\"" in "".join(page.itertext()) and "<b>" in "".join(page.itertext())
    assert not recwarn.list


@pytest.mark.parametrize("name", ["result/u.vti", "waves/cells-000000.h5", "space/x.mtx", "space/x.h5"])
def test_a_file_that_is_cut_is_refused(folder, tmp_path, name):
    good = (folder / name).read_bytes()
    (tmp_path / "summary.json").write_text('{"status": "converged"}')
    file = tmp_path / pathlib.Path(name).name
    file.write_bytes(good)
    assert quoin.read(tmp_path).frames[0].fields
    for size in [0, 1, good.index(b"\n") + 1, 100, len(good) // 2, len(good) - 40]:
        file.write_bytes(good[:size])
        with pytest.raises(quoin.FileError, match=re.escape(file.name)):
            quoin.read(tmp_path).frames[0]
        assert file.name in quoin.read(tmp_path)._repr_html_()
    file.write_bytes(good.replace(b"0 31 0 21", b"0 99999999999 0 9999999").replace(b"210 1", b"9999 1"))
    if b"9999" in file.read_bytes():
        with pytest.raises(quoin.FileError, match="shorter than it says"):
            quoin.read(tmp_path).frames[0]
    file.write_bytes(b"nothing of the kind, " * 1000)
    with pytest.raises(quoin.FileError, match=re.escape(file.name)):
        quoin.read(tmp_path).frames[0]
    file.unlink()
    file.mkdir()
    with pytest.raises(quoin.FileError):
        quoin.read(tmp_path).frames[0]


def test_what_is_no_result(folder, tmp_path):
    with pytest.raises(quoin.FileError, match="there is no such folder"):
        quoin.read(tmp_path / "nowhere")
    with pytest.raises(quoin.FileError, match="there is no such folder"):
        quoin.read(folder / "result/u.vti")
    with pytest.raises(quoin.FileError, match="neither summary.json nor case.yaml"):
        quoin.read(tmp_path)
    with pytest.raises(quoin.FileError, match="result.* in it"):
        quoin.read(folder)
    for text in ["", "[1]", "{", "\xff"]:
        (tmp_path / "summary.json").write_text(text, "latin-1")
        with pytest.raises(quoin.FileError, match="summary.json cannot be read"):
            quoin.read(tmp_path)


def test_a_run_without_fields(folder, tmp_path):
    (tmp_path / "summary.json").write_text('{"status": "failed", "message": "no device", "residual": null}')
    run = quoin.read(tmp_path)
    assert run.status == "failed" and len(run.frames) == 0 and run.checkpoints == [] and "no device" in run._repr_html_()
    for ask in [lambda: run["u"], run.to_xarray, lambda: run.case, lambda: run.log]:
        with pytest.raises((KeyError, quoin.FileError)):
            ask()
    for file in ["case.yaml", "files.txt"]:
        shutil.copy(folder / "result" / file, tmp_path)
    (tmp_path / "summary.json").unlink()
    assert quoin.read(tmp_path).status == "killed"


def test_studies(folder):
    text = re.sub('exact: .*', 'exact: "sin(x)*y"', re.sub('source: .*', 'source: "sin(x)*y"', SMALL)).replace(
        '"x+2*y"', '"sin(x)*y"')
    for words, name, count in [(["converge", "-", "--levels", "2", "--set", "problem.grid.nodes=[15,7]"], "order", 2),
                               (["compare", "-", "--backends", "serial,template"], "both", 2)]:
        subprocess.run([BUILD.resolve() / "bin/quoin", *words, "--output", name], cwd=folder, input=text, text=True,
                       check=True, capture_output=True, timeout=120)
        study = quoin.read(folder / name)
        assert len(study.runs) == count and all(run.status == "converged" for run in study.runs)
        assert isinstance(study, quoin.Study) and f"{count} runs" in repr(study)
    order = quoin.read(folder / "order")
    assert order.table["l2"].tolist() == [row["errors"]["l2"] for row in order.summary["levels"]]
    assert [run["u"].shape for run in order.runs] == [(9, 17), (17, 33)] and np.isnan(order.table["l2_order"][0])
