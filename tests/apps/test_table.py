"""`quoin table`: runs, a line each."""

import csv
import fcntl
import io
import json
import os
import shutil
import subprocess

import pytest
from conftest import SMALL, summary

COLUMNS = ["folder", "problem", "backend", "size", "method", "iterations", "residual", "error_l2", "loop_seconds",
           "wall_seconds", "status"]


@pytest.fixture(scope="module")
def made(build, source, tmp_path_factory):
    """results/b, results/a, results/deep/er/c, results/x and study/1, study/2."""
    folder = tmp_path_factory.mktemp("runs")
    shutil.copytree(source / "configs/linear-system", folder / "configs")

    def run(*words, code=0):
        done = subprocess.run([build.resolve() / "bin/quoin", *words], cwd=folder, text=True, capture_output=True,
                              input=SMALL, timeout=240)
        assert done.returncode == code, done.stderr

    run("run", "-", "--quiet", "--output", "results/b")
    run("run", "-", "--quiet", "--output", "results/a", "--set", "method.max_iterations=3", code=4)
    run("run", source / "configs/dgcvs/vortex.yaml", "--quiet", "--output", "results/deep/er/c", "--set",
        "method.final_time=0.02")
    run("run", "configs/anisotropic-20.yaml", "--quiet", "--output", "results/x", "--backend", "template")
    run("compare", "-", "--backends", "serial,template", "--output", "study")
    return folder


@pytest.fixture
def runs(made, tmp_path):
    return shutil.copytree(made, tmp_path, dirs_exist_ok=True)


def rows_of(quoin, *folders, code=0):
    done = quoin("table", *folders, "--json")
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout)
    assert all(list(row) == COLUMNS for row in found["runs"])
    return {row["folder"]: row for row in found["runs"]}


def test_each_run_has_what_its_summary_tells(quoin, runs):
    rows = rows_of(quoin, "results", "study")
    assert list(rows) == ["results/a", "results/b", "results/deep/er/c", "results/x", "study/1", "study/2"]
    for folder, row in rows.items():
        told = summary(runs / folder)
        assert {name: row[name] for name in ("problem", "backend", "iterations", "residual", "loop_seconds",
                                             "wall_seconds", "status")}.items() <= told.items()
        assert row["error_l2"] == told.get("errors", {}).get("l2")
    brief = {folder: (row["size"], row["method"], row["status"]) for folder, row in rows.items()}
    assert brief["results/b"] == ("30 x 20", "jacobi, auto", "converged")
    assert brief["results/a"] == ("30 x 20", "jacobi, auto", "not_converged")
    assert brief["results/deep/er/c"] == ("20 x 20", "order 3, auto", "completed")
    assert brief["results/x"] == ("anisotropic-20.mtx", "cg, jacobi", "converged")
    assert list(rows_of(quoin, "study/2", "results/b")) == ["study/2", "results/b"]


def test_the_same_as_text_and_for_spreadsheets(quoin, runs):
    rows = rows_of(quoin, "results")
    text = quoin("table", "results").stdout.splitlines()
    assert text[0].split() == ["run", "problem", "backend", "size", "method", "iterations", "residual", "error", "L2", "loop",
                               "s", "wall", "s", "state"]
    for line, row in zip(text[1:], rows.values(), strict=True):
        cells = line.replace("  ", "\t").split("\t")
        cells = [cell.strip() for cell in cells if cell.strip()]
        assert cells[:5] == [row["folder"], row["problem"], row["backend"], row["size"], row["method"]]
        assert cells[5] == str(row["iterations"]) and cells[-1] == row["status"]
        assert cells[6] == ("-" if row["residual"] is None else f"{row['residual']:.3e}")
        assert cells[9] == f"{row['wall_seconds']:.3f}"
    read = list(csv.DictReader(io.StringIO(quoin("table", "results", "--csv").stdout)))
    assert list(read[0]) == COLUMNS and len(read) == len(rows)
    for line, row in zip(read, rows.values(), strict=True):
        for name in COLUMNS:
            value = row[name]
            assert line[name] == ("" if value is None else value if isinstance(value, str) else line[name])
            if isinstance(value, (int, float)):
                assert float(line[name]) == value


def test_runs_without_an_end(quoin, runs):
    """Killed, and going on: a lock on the folder tells them apart."""
    for name in ("results/b", "results/deep/er/c"):
        (runs / name / "summary.json").unlink()
    row = rows_of(quoin, "results/b")["results/b"]
    times = (runs / "results/b/timing.csv").read_text().split()[-1].split(",")
    assert (row["status"], row["iterations"], row["loop_seconds"]) == ("killed", int(times[0]), float(times[1]))
    assert row["residual"] == float((runs / "results/b/history.csv").read_text().split()[-1].split(",")[1])
    assert (row["problem"], row["backend"], row["size"], row["wall_seconds"]) == ("jacobi", "serial", "30 x 20", None)
    folder = os.open(runs / "results/deep/er/c", os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    assert rows_of(quoin, "results/deep")["results/deep/er/c"]["status"] == "running"
    os.close(folder)
    (runs / "results/b/timing.csv").write_text("iteration,seconds\n")
    (runs / "results/b/history.csv").unlink()
    assert rows_of(quoin, "results/b")["results/b"]["iterations"] is None
    assert quoin("table", "results/b").stdout.splitlines()[1].split()[-1] == "killed"


def test_folders_without_a_run_do_not_end_the_others(quoin, runs):
    (runs / "empty").mkdir()
    (runs / "mine").mkdir()
    (runs / "mine/case.yaml").write_text(SMALL)  # the user's own
    (runs / "results/x/summary.json").write_text("no JSON")
    done = quoin("table", "empty", "results", "absent", "mine", "configs/hpcg.yaml", "study")
    assert done.returncode == 6
    assert [line.split()[0] for line in done.stdout.splitlines()] == [
        "run", "results/a", "results/b", "results/deep/er/c", "study/1", "study/2"]
    assert done.stderr.splitlines() == [
        "quoin: error: empty: neither the folder nor one in it holds a run",
        "quoin: error: results/x/summary.json: cannot be read as JSON",
        "quoin: error: absent: the folder cannot be read: No such file or directory",
        "quoin: error: mine: neither the folder nor one in it holds a run",
        "quoin: error: configs/hpcg.yaml: the folder cannot be read: Not a directory"]
    found = json.loads(quoin("table", "empty", "study", "--json").stdout)
    assert len(found["runs"]) == 2 and found["errors"] == [
        {"folder": "empty", "message": "neither the folder nor one in it holds a run"}]
    alone = quoin("table", "empty")
    assert alone.returncode == 6 and alone.stdout == ""


def test_names_links_and_readers(quoin, build, runs):
    odd = 'größe, "x"\n1'
    (runs / "results/b").rename(runs / odd)
    (runs / "results/loop").symlink_to("..")
    assert list(rows_of(quoin, odd)) == [odd]
    assert quoin("table", odd).stdout.splitlines()[1].startswith('größe, "x"\\u000a1  jacobi ')
    (line,) = csv.DictReader(io.StringIO(quoin("table", odd, "--csv").stdout))
    assert line["folder"] == odd and line["method"] == "jacobi, auto"
    assert list(rows_of(quoin, "results")) == ["results/a", "results/deep/er/c", "results/x"]
    program = f"{build.resolve()}/bin/quoin"
    gone = quoin("-c", f"{program} table results | head -1; exit ${{PIPESTATUS[0]}}", program="bash")
    assert gone.returncode == 0 and gone.stderr == ""
    full = quoin("-c", f"{program} table results > /dev/full", program="bash")
    assert full.returncode == 6 and "cannot write to standard output" in full.stderr


def test_a_case_that_this_program_cannot_read(quoin, runs):
    """Of a problem whose plugin is not here: the summary still tells most."""
    (runs / "results/b/case.yaml").write_text("problem: {type: heat}\n")
    row = rows_of(quoin, "results/b")["results/b"]
    assert (row["problem"], row["status"], row["size"], row["method"]) == ("jacobi", "converged", None, None)


def test_wrong_usage(quoin):
    assert quoin("table").returncode == 2
    assert quoin("table", ".", "--csv", "--json").returncode == 2
