"""`quoin diff`: two runs side by side."""

import json
import shutil

import h5py
import numpy
import pytest
from conftest import SMALL, needs_mpi, summary

WAVE = """\
problem:
  type: dg-cvs
  equation: {type: shallow_water, gravity: 1}
  mesh: {cells: [4, 3]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: {h: "1+0.1*sin(2*pi*x)", hu: "0.2", hv: "0.1*sin(2*pi*y)"}
method: {order: 1, time_step: 0.01, final_time: 0.05}
output: {directory: wave, fields: {every: 2 steps}}
"""


@pytest.fixture
def run(quoin, tmp_path):
    """run(folder, text, KEY=VALUE...): a run of the case into that folder."""

    def call(folder, text=SMALL, *changes, backend="serial"):
        settings = [word for change in changes for word in ("--set", change)]
        done = quoin("run", "-", "--quiet", "--output", folder, "--backend", backend, *settings, input=text)
        assert done.returncode in (0, 4), done.stderr
        return tmp_path / folder

    return call


@pytest.fixture
def diff(quoin):
    def call(a, b, code):
        done = quoin("diff", a, b, "--json")
        text = quoin("diff", a, b)
        assert (done.returncode, text.returncode) == (code, code), done.stderr + text.stdout
        found = json.loads(done.stdout)
        assert found["same"] is (code == 0)
        return found, text.stdout

    return call


def values(file):
    """The values of a .vti with one array of doubles."""
    data = file.read_bytes()
    start = data.index(b"_", data.index(b"<AppendedData")) + 1
    size = int.from_bytes(data[start:start + 8], "little")
    return numpy.frombuffer(data[start + 8:start + 8 + size], "<f8")


def test_runs_of_one_case_are_equal_wherever_they_ran(run, diff):
    a = run("a")
    run("b", SMALL, "run.threads=1", backend="template")
    found, text = diff("a", "b", 0)
    assert found["case"] == [{"key": "backend.name", "a": "serial", "b": "template"},
                             {"key": "run.threads", "a": "0", "b": "1"}]
    assert found["figures"] == [{"name": "device", "a": summary(a)["device"], "b": "plain loops"}]
    (field,) = found["fields"]
    assert field == {"file": "u.vti", "field": "u", "nodes": "32 x 22 nodes", "equal_bits": True,
                     "largest_difference": 0.0, "l2_difference": 0.0}
    assert {"wall_seconds", "setup_seconds", "loop_seconds"} <= {row["name"] for row in found["times"]}
    assert all(row["ratio"] == pytest.approx(row["b"] / row["a"]) for row in found["times"] if row["a"] > 0)
    assert "\n  run.threads: 0 -> 1\n" in text and " equal\n" in text
    assert text.endswith("the same problem and method, and fields that are equal to the bit\n")


def test_what_differs_is_told_as_numpy_has_it(run, diff):
    a, b = run("a"), run("b", SMALL.replace('  exact: "x+2*y"\n', ""), "method.tolerance=1e-6")
    found, text = diff("a", "b", 4)
    assert {row["key"]: (row["a"], row["b"]) for row in found["case"]} == {
        "method.tolerance": ("1e-11", "1e-06"), "problem.exact": ("'x+2*y'", None)}
    told_a, told_b = summary(a), summary(b)
    figures = {row["name"]: (row["a"], row["b"]) for row in found["figures"]}
    assert figures["iterations"] == (told_a["iterations"], told_b["iterations"])
    assert figures["residual"] == (told_a["residual"], told_b["residual"])
    assert figures["errors.l2"] == (told_a["errors"]["l2"], None)
    away = numpy.abs(values(a / "u.vti") - values(b / "u.vti"))
    (field,) = found["fields"]
    assert field["equal_bits"] is False and field["largest_difference"] == away.max() > 0
    assert field["l2_difference"] == pytest.approx(numpy.sqrt((away ** 2).mean()), rel=1e-13)
    assert "\n  method.tolerance: 1e-11 -> 1e-06\n" in text and "\n  problem.exact: 'x+2*y' -> -\n" in text
    assert f"{away.max():.3e}" in text and text.endswith("\nthe runs differ\n")


def test_frames_and_fields_as_h5py_has_them(run, diff):
    """A run that is shorter, and another initial depth: frames of both, and the last of each."""
    a = run("a", WAVE)
    b = run("b", WAVE, "problem.initial.h=1+0.1001*sin(2*pi*x)", "method.final_time=0.03")
    found, _ = diff("a", "b", 4)
    compared = {}
    for row in found["fields"]:
        if "field" in row:
            compared.setdefault(row["file"], {})[row["field"]] = row
    assert set(compared) == {"cells-000000.h5", "cells-000002.h5", "cells-000005.h5, cells-000003.h5"}
    assert [row for row in found["fields"] if "field" not in row] == [{"file": "cells-000004.h5", "differs": "is only in A"}]
    for files, fields in compared.items():
        names = files.split(", ")
        with h5py.File(a / names[0]) as one, h5py.File(b / names[-1]) as other:
            assert set(fields) == set(one["fields"]) == {"h", "hu", "hv"}
            for name, row in fields.items():
                away = numpy.abs(one["fields"][name][:] - other["fields"][name][:])
                assert row["largest_difference"] == away.max() and row["equal_bits"] is bool(away.max() == 0)
                assert row["l2_difference"] == pytest.approx(numpy.sqrt((away ** 2).mean()), rel=1e-13)
    assert compared["cells-000000.h5"]["hu"]["equal_bits"] is True
    assert compared["cells-000000.h5"]["h"]["largest_difference"] == pytest.approx(1e-4, rel=0.2)


@pytest.mark.parametrize("text, name, array", [(SMALL, "u.vti", None), (WAVE, "cells-000005.h5", "fields/hv"),
                                               (WAVE, "cells-000002.h5", "nodes"), (WAVE, "cells-000005.h5", "corners")])
def test_one_bit_is_found(run, diff, text, name, array, tmp_path):
    a = run("a", text)
    shutil.copytree(a, tmp_path / "b")
    diff("a", "b", 0)
    if array is None:
        data = bytearray((a / name).read_bytes())
        data[data.index(b"_", data.index(b"<AppendedData")) + 9 + 8 * 100] ^= 1
        (tmp_path / "b" / name).write_bytes(data)
    else:
        with h5py.File(a / name) as file:
            place = file[array].id.get_offset()
        with open(tmp_path / "b" / name, "r+b") as file:
            file.seek(place)
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ 1]))
    found, text = diff("a", "b", 4)
    differing = [row for row in found["fields"] if not row.get("equal_bits")]
    assert {row["file"] for row in differing} == {name}
    if array is None or array.startswith("fields/"):
        (row,) = differing
        assert 0 < row["largest_difference"] < 1e-12 and row["field"] == (array or "fields/u")[7:]
        assert row["l2_difference"] < row["largest_difference"]
    else:
        what = "as many nodes, but at other places" if array == "nodes" else "the rest of the file is not"
        assert all(what in row["differs"] for row in differing) and what in text


def test_other_grids_and_problems_are_said(run, diff):
    run("a")
    run("b", SMALL, "problem.grid.nodes=[31, 20]")
    run("c", SMALL, "problem.domain.x=[0, 4]")
    run("d", WAVE)
    found, text = diff("a", "b", 4)
    assert found["fields"] == [{"file": "u.vti", "differs": "u: 32 x 22 nodes in A, 33 x 22 nodes in B"}]
    assert "\n  u.vti: u: 32 x 22 nodes in A, 33 x 22 nodes in B\n" in text
    found, _ = diff("a", "c", 4)
    assert found["fields"] == [{"file": "u.vti", "differs": "u: as many nodes, but at other places"}]
    found, _ = diff("d", "a", 4)
    assert {"key": "problem.type", "a": "dg-cvs", "b": "jacobi"} in found["case"]
    assert [row["differs"] for row in found["fields"]] == ["4 files only in A", "is only in B"]


def test_double_against_float(run, diff):
    run("a")
    run("b", SMALL, "method={precision: float, tolerance: 1e-4}")
    found, _ = diff("a", "b", 4)
    assert found["fields"][0]["equal_bits"] is False and 0 < found["fields"][0]["largest_difference"] < 1e-2


def test_values_that_are_no_numbers(run, diff, tmp_path):
    a = run("a")
    shutil.copytree(a, tmp_path / "b")
    data = bytearray((a / "u.vti").read_bytes())
    start = data.index(b"_", data.index(b"<AppendedData")) + 9
    data[start:start + 16] = numpy.array([numpy.nan, -numpy.inf]).tobytes()
    (tmp_path / "b/u.vti").write_bytes(data)
    found, text = diff("a", "b", 4)
    assert found["fields"][0]["largest_difference"] is None and found["fields"][0]["equal_bits"] is False
    assert " nan " in text
    shutil.copy(tmp_path / "b/u.vti", a / "u.vti")
    diff("a", "b", 0)


def test_vectors(run, diff, source, tmp_path):
    shutil.copy(source / "configs/linear-system/anisotropic-20.mtx", tmp_path)
    text = (source / "configs/linear-system/anisotropic-20.yaml").read_text()
    a = run("a", text, "output.fields={hdf5: true}")
    b = run("b", text, "output.fields={hdf5: true}", "method.relative_tolerance=1e-3")
    found, _ = diff("a", "b", 4)
    away = numpy.abs(numpy.loadtxt(a / "x.mtx", skiprows=2) - numpy.loadtxt(b / "x.mtx", skiprows=2))
    assert {row["file"]: row["nodes"] for row in found["fields"]} == {
        "x.h5": "400 elements", "x.mtx": "400 elements", "x.vti": "400 x 1 nodes"}
    for row in found["fields"]:
        assert row["largest_difference"] == pytest.approx(away.max(), rel=1e-12)
    diff("a", "a", 0)


def test_without_files_of_fields_their_hashes_tell(run, diff):
    run("a", SMALL, "output.fields=false")
    run("b", SMALL, "output.fields=false")
    run("c", SMALL, "output.fields=false", "method.tolerance=1e-4")
    found, text = diff("a", "b", 0)
    assert found["fields"] == [] and found["same_hash"] is True and "their hashes are equal" in text
    found, text = diff("a", "c", 4)
    assert found["same_hash"] is False and "their hashes differ" in text


@needs_mpi
def test_pieces_of_ranks(quoin, run, diff):
    run("a")
    done = quoin("run", "-", "--ranks", "2", "--output", "b", "--set", "output.fields.pieces=true", input=SMALL)
    assert done.returncode == 0, done.stderr
    found, _ = diff("a", "b", 0)
    assert [row["file"] for row in found["fields"]] == ["u.vti"]


def test_a_run_that_was_killed(run, diff, tmp_path):
    """As far as its files tell: they are those of a run, without an end."""
    run("a", WAVE)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    (tmp_path / "b/summary.json").unlink()
    (tmp_path / "b/cells-000005.h5").unlink()
    found, text = diff("a", "b", 4)
    assert {"name": "status", "a": "completed", "b": "killed"} in found["figures"]
    files = {row["file"]: row["equal_bits"] for row in found["fields"]}
    assert files == {"cells-000000.h5": True, "cells-000002.h5": True, "cells-000004.h5": True,
                     "cells-000005.h5, cells-000004.h5": False}


def test_a_case_that_cannot_be_read(run, diff, tmp_path):
    a = run("a")
    shutil.copytree(a, tmp_path / "b")
    (tmp_path / "b/case.yaml").write_text("problem: {type: heat}\n")
    found, text = diff("a", "b", 4)
    (fault,) = found["case_errors"]
    assert found["case"] is None and fault.startswith("b/case.yaml:1:17: error: ") and "\n" not in fault
    assert text.count("case: cannot be compared\n") == 1 and found["fields"][0]["equal_bits"] is True


@pytest.mark.parametrize("how, code, message", [
    ("absent", 6, "b: there is no such folder; give the result folder of a run"),
    ("empty", 6, "b: the folder holds no run; give the result folder of one (output.directory)"),
    ("cut", 6, "a file of the runs cannot be read"),
    ("spoilt summary", 6, "b/summary.json: cannot be read as JSON"),
])
def test_what_cannot_be_read(quoin, run, how, code, message, tmp_path):
    a = run("a")
    b = tmp_path / "b"
    if how == "empty":
        b.mkdir()
    elif how != "absent":
        shutil.copytree(a, b)
    if how == "cut":
        (b / "u.vti").write_bytes((b / "u.vti").read_bytes()[:700])
    if how == "spoilt summary":
        (b / "summary.json").write_text("{")
    refused = quoin("diff", "a", "b")
    assert refused.returncode == code and message in refused.stderr, refused.stderr
    assert how != "cut" or "\n  u.vti: b/u.vti: " in refused.stdout


def test_names_and_readers(quoin, build, run, tmp_path):
    run("a")
    (tmp_path / "a").rename(tmp_path / "größe a")
    shutil.copytree(tmp_path / "größe a", tmp_path / "b")
    done = quoin("diff", "größe a", "b")
    assert done.returncode == 0 and done.stdout.startswith("A: größe a\nB: b\n")
    program = f"{build.resolve()}/bin/quoin"
    gone = quoin("-c", f"{program} diff b b | head -1; exit ${{PIPESTATUS[0]}}", program="bash")
    assert gone.returncode == 0 and gone.stdout == "A: b\n" and gone.stderr == ""
    full = quoin("-c", f"{program} diff b b > /dev/full", program="bash")
    assert full.returncode == 6 and "cannot write to standard output" in full.stderr
