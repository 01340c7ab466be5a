"""Fields that each rank writes a piece of, read by VTK and by Quoin."""

import glob
import hashlib
import os
import subprocess

import h5py
import numpy as np
import pytest
from conftest import BUILD, SOURCE, needs_mpi, summary
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import (vtkXMLImageDataReader, vtkXMLPImageDataReader, vtkXMLPUnstructuredGridReader,
                                 vtkXMLUnstructuredGridReader)

pytestmark = needs_mpi

GRID = """\
problem: {type: jacobi, grid: {nodes: [70, 203]}, source: 'sin(3*x)+y', exact: 'x*y'}
method: {stop: iterations, max_iterations: 60}
backend: serial
output: {directory: result, fields: {pieces: true}}
"""
FLOW = [SOURCE / "configs/dgcvs/adv-sin-p2-tri-10.yaml", "--set", "method.final_time=0.2", "--set",
        "output.fields={every: 0.1, level: both}"]


def read(reader, file):
    reader.SetFileName(str(file))
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()


def image(file):
    grid = read(vtkXMLPImageDataReader() if file.suffix == ".pvti" else vtkXMLImageDataReader(), file)
    return grid.GetDimensions(), grid.GetOrigin(), grid.GetSpacing(), vtk_to_numpy(grid.GetPointData().GetArray("u"))


def cells(file):
    """Of each cell its points and the values there, in an order that does not depend on who wrote it."""
    grid = read(vtkXMLPUnstructuredGridReader() if file.suffix == ".pvtu" else vtkXMLUnstructuredGridReader(), file)
    points = vtk_to_numpy(grid.GetPoints().GetData())
    fields = [vtk_to_numpy(grid.GetPointData().GetArray(k)) for k in range(grid.GetPointData().GetNumberOfArrays())]
    found = []
    for c in range(grid.GetNumberOfCells()):
        ids = [grid.GetCell(c).GetPointId(k) for k in range(grid.GetCell(c).GetNumberOfPoints())]
        found.append((points[ids].tobytes(), *(field[ids].tobytes() for field in fields)))
    return sorted(found)


def names(folder, pattern):
    return sorted(file.name for file in folder.glob(pattern))


@pytest.mark.parametrize("setting, ranks, pieces", [
    ("method.variant=blocked", 9, 7),  # 203 rows are 7 rows of blocks
    ("method.precision=float", 3, 3),
    ("method.solver=multigrid", 2, 2),
])
def test_a_grid_in_pieces_is_that_in_one(quoin, tmp_path, setting, ranks, pieces):
    (tmp_path / "c.yaml").write_text(GRID)
    whole = ["--set", "output.fields.pieces=false", "--output", "one"]
    assert quoin("run", "c.yaml", "--set", setting, *whole).returncode == 0
    result = quoin("run", "--ranks", ranks, "c.yaml", "--set", setting)
    assert result.returncode == 0, result.stderr
    folder = tmp_path / "result"
    assert len(names(folder, "u_*.vti")) == pieces and not (folder / "u.vti").exists()
    whole, parts = image(tmp_path / "one/u.vti"), image(folder / "u.pvti")
    assert parts[:3] == whole[:3] and np.array_equal(parts[3], whole[3])
    facts, alone = summary(folder), summary(tmp_path / "one")
    assert facts["field_sha256"] == alone["field_sha256"] and facts["errors"] == alone["errors"]
    assert set(facts["fields"]) == {"u.pvti", *names(folder, "u_*.vti")}
    assert set(facts["fields"]) <= set((folder / "files.txt").read_text().split("\n"))


def test_one_process_has_one_piece(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(GRID)
    assert quoin("run", "c.yaml").returncode == 0
    assert quoin("run", "c.yaml", "--set", "output.fields.pieces=false", "--output", "one").returncode == 0
    assert (tmp_path / "result/u.vti").read_bytes() == (tmp_path / "one/u.vti").read_bytes()
    assert np.array_equal(image(tmp_path / "result/u.pvti")[3], image(tmp_path / "one/u.vti")[3])


@pytest.mark.parametrize("ranks", [1, 3, 5])
def test_frames_in_pieces_are_those_in_one(quoin, tmp_path, ranks):
    assert quoin("run", *FLOW, "--output", "one").returncode == 0
    result = quoin("run", "--ranks", ranks, *FLOW, "--set", "output.fields.pieces=true", "--output", "result")
    assert result.returncode == 0, result.stderr
    one, folder = tmp_path / "one", tmp_path / "result"
    frames = names(one, "*.vtu")
    assert len(frames) > 4 and names(folder, "*.pvtu") == [name.replace(".vtu", ".pvtu") for name in frames]
    for name in frames:
        assert cells(folder / name.replace(".vtu", ".pvtu")) == cells(one / name)
    for level in ("cells", "vertices"):
        series = (one / f"{level}.pvd").read_text()
        assert (folder / f"{level}.pvd").read_text() == series.replace(".vtu", ".pvtu")
    assert summary(folder)["field_sha256"] == summary(one)["field_sha256"]
    assert set(summary(folder)["fields"]) == {file.name for file in folder.iterdir()
                                              if file.suffix in (".pvtu", ".pvd", ".vtu") or
                                              file.suffix == ".h5" and "checkpoint" not in file.name}


def test_pieces_for_programs_say_which_entities_they_have(quoin, tmp_path):
    assert quoin("run", *FLOW, "--output", "one").returncode == 0
    assert quoin("run", "--ranks", 3, *FLOW, "--set", "output.fields.pieces=true", "--output", "result").returncode == 0
    for name in names(tmp_path / "one", "*-[0-9]*.h5"):
        if name.startswith("checkpoint"):
            continue
        with h5py.File(tmp_path / "one" / name) as whole:
            numbers = []
            for file in sorted(glob.glob(str(tmp_path / "result" / name.replace(".h5", "_*.h5")))):
                with h5py.File(file) as piece:
                    number = piece["number"][:]
                    numbers += list(number)
                    assert np.array_equal(piece["coefficients"][:], whole["coefficients"][:][number])
                    assert np.array_equal(piece["length"][:], whole["length"][:][number])
                    for cell, entity in enumerate(piece["entity"][:]):
                        assert (whole["centre"][:][whole["entity"][:] == number[entity]] ==
                                piece["centre"][cell]).all(axis=1).any()
            assert sorted(numbers) == list(range(len(whole["length"])))


def test_a_run_that_goes_on_leaves_no_piece_of_other_ranks(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(GRID)
    assert quoin("run", "--ranks", 3, "c.yaml").returncode == 0
    more = ["--set", "method.max_iterations=90"]
    result = quoin("resume", "result", "--ranks", 2, *more)
    assert result.returncode == 0, result.stderr
    folder = tmp_path / "result"
    assert names(folder, "u*") == ["u.pvti", "u_0.vti", "u_1.vti"]
    assert set(summary(folder)["fields"]) == {"u.pvti", "u_0.vti", "u_1.vti"}
    assert quoin("run", "c.yaml", *more, "--set", "output.fields.pieces=false", "--output", "one").returncode == 0
    assert np.array_equal(image(folder / "u.pvti")[3], image(tmp_path / "one/u.vti")[3])
    assert quoin("resume", "result", "--set", "method.max_iterations=95", "--set",
                 "output.fields.pieces=false").returncode == 0
    assert names(folder, "u*") == ["u.vti"]


@pytest.mark.parametrize("case", ["grid", "flow"])
def test_the_report_draws_pieces_as_it_draws_the_whole(quoin, tmp_path, case):
    (tmp_path / "c.yaml").write_text(GRID)
    words = ["c.yaml"] if case == "grid" else FLOW
    pictures = []
    for ranks, pieces, folder in ((1, "false", "one"), (3, "true", "result")):
        assert quoin("run", "--ranks", ranks, *words, "--set", f"output.fields.pieces={pieces}", "--output",
                     folder).returncode == 0
        assert quoin("report", folder).returncode == 0
        page = (tmp_path / folder / "report.html").read_text()
        section = page[page.index('id="fields"'):]
        section = section[:section.index("</section>")]
        pictures.append([hashlib.sha256(part.split('"')[0].encode()).hexdigest()
                         for part in section.split("data:image/png;base64,")[1:]])
    assert pictures[0] and pictures[0] == pictures[1]


@pytest.mark.parametrize("spoil", ["missing", "torn", "elsewhere", "gap"])
def test_a_report_on_pieces_that_do_not_fit_says_so(quoin, tmp_path, spoil):
    (tmp_path / "c.yaml").write_text(GRID)
    assert quoin("run", "--ranks", 3, "c.yaml").returncode == 0
    head, piece = tmp_path / "result/u.pvti", tmp_path / "result/u_1.vti"
    if spoil == "missing":
        piece.unlink()
    elif spoil == "torn":
        piece.write_bytes(piece.read_bytes()[:-5000])
    elif spoil == "elsewhere":
        head.write_text(head.read_text().replace("u_1.vti", "../result/u_1.vti"))
    else:
        head.write_text("\n".join(line for line in head.read_text().split("\n") if "u_1.vti" not in line))
    result = quoin("report", "result")
    page = (tmp_path / "result/report.html").read_text() if (tmp_path / "result/report.html").exists() else ""
    assert any(words in result.stderr + page for words in ("cannot be read back", "shorter than it says",
                                                           "no file beside it", "do not fit together"))


def test_ranks_that_do_not_see_the_folder_send_their_pieces(quoin, tmp_path):
    """As on a host with a disk of its own: a rank whose folder is another one of that name."""
    if subprocess.run(["unshare", "-m", "true"], check=False).returncode != 0:
        pytest.skip("no rank can be given a file system of its own here")
    (tmp_path / "c.yaml").write_text(GRID)
    (tmp_path / "result").mkdir()
    program = str(BUILD / "bin/quoin")
    hidden = f"mount -t tmpfs none {tmp_path}/result && exec {program} run c.yaml --force"
    result = quoin("--allow-run-as-root", "--oversubscribe", "-n", 1, program, "run", "c.yaml", "--force", ":", "-n", 2,
                   "unshare", "-m", "sh", "-c", hidden, program="mpirun",
                   env=os.environ | {"OMPI_MCA_orte_top_session_dir": str(tmp_path / "mpirun")})
    assert result.returncode == 0, result.stderr
    folder = tmp_path / "result"
    assert names(folder, "u*") == ["u.pvti", "u_0.vti", "u_1.vti", "u_2.vti"]
    assert len(names(folder, "checkpoint-*_*.bin")) == 3
    assert quoin("run", "c.yaml", "--set", "output.fields.pieces=false", "--output",
                 "one").returncode == 0
    assert np.array_equal(image(folder / "u.pvti")[3], image(tmp_path / "one/u.vti")[3])
    assert quoin("resume", "result", "--set", "method.max_iterations=70").returncode == 0
