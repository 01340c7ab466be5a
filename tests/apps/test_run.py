"""Runs: results, exit codes, mistakes."""

import csv
import hashlib
import json
import math
import os
import re
import subprocess

import pytest
from conftest import summary
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

KEYS = {"version", "status", "exit_code", "problem", "backend", "device", "precision", "iterations", "residual", "errors",
        "wall_seconds", "setup_seconds", "loop_seconds", "kernels", "versions", "command_line", "case_sha256", "field_sha256",
        "history_sha256"}


def test_results(quoin, case, tmp_path):
    result = quoin("run", case)
    assert result.returncode == 0, result.stderr
    assert re.fullmatch(r"errors against the exact solution: L1 \S+e-\d+, L2 \S+e-\d+, Linf \S+e-\d+\n"
                        r"converged; results in result\n", result.stdout)
    assert re.search(r"^info: converged after \d+ iterations, residual ", result.stderr, re.M)
    folder = tmp_path / "result"
    facts = summary(folder)
    assert KEYS <= facts.keys()
    assert facts["status"] == "converged" and facts["exit_code"] == 0 and facts["residual"] <= 1e-11
    assert facts["backend"] == "serial" and facts["command_line"].endswith(f"run {case}")
    assert facts["errors"]["linf"] < 1e-8  # a linear solution has no discretisation error
    for row in facts["kernels"]:
        assert {"name", "calls", "seconds", "bytes", "flops", "gbytes_per_second", "percent_of_copy",
                "percent_of_roofline"} <= row.keys()
    rows = list(csv.reader((folder / "history.csv").open()))
    assert rows[0] == ["iteration", "residual"] and facts["residual"] <= float(rows[-1][1])
    for name in ["timing.csv", "case.yaml", "run.log"]:
        assert (folder / name).stat().st_size > 0


def test_rates_of_memory_are_measured_once_a_day(quoin, case, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def run(*more):
        result = quoin("run", case, "--force", "--timing", *more)
        assert result.returncode == 0 and "may exceed it" in result.stdout, result.stderr
        return summary(tmp_path / "result")

    first = run()
    (file,) = (tmp_path / "cache/quoin/rates").iterdir()
    kept = json.loads(file.read_text())
    assert first["copy_gbytes_per_second"] == pytest.approx(kept["copy"] / 1e9) and kept["copy"] > 0
    assert first["triad_gbytes_per_second"] == pytest.approx(kept["triad"] / 1e9) and kept["triad"] > 0

    assert first["multiply_add_gflops_per_second"] == pytest.approx(kept["multiply_add"] / 1e9) and kept["multiply_add"] > 0

    file.write_text(json.dumps({**kept, "triad": 125e9, "multiply_add_float": 8e9}))
    assert run("--set", "method.precision=float", "--set", "method.tolerance=1e-3")["multiply_add_gflops_per_second"] == 8
    second = run()
    assert second["triad_gbytes_per_second"] == 125
    (passes,) = [row for row in second["kernels"] if row["name"] == "jacobi_sweeps"]
    sweeps = passes["roofline_bytes"] / passes["bytes"]
    assert 1 < sweeps <= 16 and passes["calls"] * sweeps == pytest.approx(second["iterations"], rel=0.01)
    assert passes["percent_of_roofline"] == pytest.approx(100 * passes["roofline_bytes"] / passes["seconds"] / 125e9)

    for spoiled in [json.dumps({**kept, "key": "of another device"}), "{", "[]", json.dumps({**kept, "copy": 0}),
                    json.dumps({**kept, "key": 5}), json.dumps({**kept, "triad": "fast"}),
                    json.dumps({**kept, "triad": 125e9, "multiply_add": 0})]:
        file.write_text(spoiled)
        assert run()["triad_gbytes_per_second"] not in (None, 125)
        assert json.loads(file.read_text())["key"] == kept["key"]
    yesterday = file.stat().st_mtime - 25 * 3600
    file.write_text(json.dumps({**kept, "triad": 125e9}))
    os.utime(file, times=(yesterday, yesterday))
    assert run()["triad_gbytes_per_second"] != 125

    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    assert run()["triad_gbytes_per_second"] > 0


def test_field_reads_back(quoin, case, tmp_path):
    assert quoin("run", case, "--quiet").returncode == 0
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(tmp_path / "result" / "u.vti"))
    reader.Update()
    image = reader.GetOutput()
    assert image.GetDimensions() == (32, 22, 1)  # with the sides
    assert image.GetBounds() == pytest.approx((0, 3, 0, 2, 0, 0), abs=1e-12)
    values = vtk_to_numpy(image.GetPointData().GetArray("u"))
    for index, value in enumerate(values):
        x, y, _ = image.GetPoint(index)
        assert value == pytest.approx(x + 2 * y, abs=1e-8)
    inside = values.reshape(22, 32)[1:-1, 1:-1].astype("<f8")
    assert hashlib.sha256(inside.tobytes()).hexdigest() == summary(tmp_path / "result")["field_sha256"]


def test_corners_of_the_field(quoin, case, tmp_path):
    """The mean of what the two sides come to there, or of the two nodes beside it where that is not finite."""
    sides = "{left: 1+y, right: 2, bottom: log(x), top: 4}"
    assert quoin("run", case, "--quiet", "--set", f"problem.boundary={sides}", "--set", "problem.grid.nodes=[2,3]",
                 "--set", "method.solver=multigrid", "--set", "method.tolerance=1e-8").returncode == 0
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(tmp_path / "result" / "u.vti"))
    reader.Update()
    u = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("u")).reshape(5, 4)
    assert u[0] == pytest.approx([(1.5 + math.log(1)) / 2, math.log(1), math.log(2), (2 + math.log(3)) / 2])
    assert u[-1] == pytest.approx([(3 + 4) / 2, 4, 4, 3]) and u[1, 0] == 1.5 and u[1, -1] == 2


def test_resolved_case_runs_to_the_same_bits(quoin, case, tmp_path):
    assert quoin("run", case, "--set", "method.variant=classic").returncode == 0
    assert quoin("run", "result/case.yaml", "--output", "again").returncode == 0
    first, second = summary(tmp_path / "result"), summary(tmp_path / "again")
    for key in ["case_sha256", "field_sha256", "history_sha256", "iterations"]:
        assert first[key] == second[key]


def test_quiet_prints_nothing(quoin, case):
    result = quoin("run", case, "--quiet")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_seed_case_prints_the_kernels(quoin, source):
    result = quoin("run", source / "configs/jacobi/seed-100.yaml", "--set", "method.stop=iterations", "--set",
                   "method.max_iterations=20", "--timing")
    assert result.returncode == 0, result.stderr
    for kernel in ["jacobi_laplacian", "jacobi_boundary", "jacobi_update", "jacobi_norm"]:
        assert kernel in result.stdout
    assert "completed" in result.stdout


def test_what_a_run_prints_for_programs(quoin, case, tmp_path):
    result = quoin("run", case, "--json")
    assert result.returncode == 0 and result.stdout == (tmp_path / "result/summary.json").read_text()
    assert "info: converged" in result.stderr
    silent = quoin("run", case, "--json", "--quiet", "--force")
    assert json.loads(silent.stdout)["status"] == "converged" and silent.stderr == ""
    short = quoin("run", case, "--json", "--force", "--set", "method.max_iterations=3")
    assert short.returncode == 4 and json.loads(short.stdout)["status"] == "not_converged"
    assert short.stderr.splitlines()[-1].startswith("quoin: error: not converged")
    wrong = quoin("run", case, "--json", "--set", "method.tolerence=1")
    told = json.loads(wrong.stdout)
    assert wrong.returncode == told["exit_code"] == 3 and told["status"] == "failed"
    assert told["errors"][0]["line"] == 1 and "tolerence" in told["message"] and "tolerence" in wrong.stderr


def test_not_converged_is_exit_4(quoin, case, tmp_path):
    result = quoin("run", case, "--set", "method.max_iterations=3")
    assert result.returncode == 4
    assert result.stderr.splitlines()[-1].startswith("quoin: error: not converged")
    assert summary(tmp_path / "result")["status"] == "not_converged"


@pytest.mark.row(7)
def test_results_are_kept_without_force(quoin, case, tmp_path):
    assert quoin("run", case).returncode == 0
    before = (tmp_path / "result" / "summary.json").read_bytes()
    refused = quoin("run", case)
    assert refused.returncode == 2 and "--force" in refused.stderr
    assert (tmp_path / "result" / "summary.json").read_bytes() == before
    assert quoin("run", case, "--force").returncode == 0


STUDIES = [["compare", "case.yaml", "--backends", "serial"], ["converge", "case.yaml", "--levels", 2],
           ["tune", "case.yaml", "--repeats", 1], ["bench", "jacobi", "case.yaml", "--repeats", 1]]


@pytest.mark.row(7)
@pytest.mark.parametrize("command", [["run", "case.yaml"], ["check", "case.yaml"], *STUDIES], ids=lambda words: words[0])
@pytest.mark.parametrize("output", [".", "./", "../{}", "{}"], ids=["dot", "slash", "parent", "absolute"])
def test_results_that_would_replace_the_case_file_are_refused(quoin, case, tmp_path, command, output):
    before = case.read_bytes()
    place = output.format(tmp_path if output == "{}" else tmp_path.name)
    force = [] if command[0] == "check" else ["--force"]
    result = quoin(*command, "--output", place, *force)
    assert result.returncode == 2 and "would replace the case file" in result.stderr, result.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["case.yaml"] and case.read_bytes() == before


@pytest.mark.row(7)
def test_a_case_file_in_a_folder_of_results_is_kept(quoin, case, tmp_path):
    """By whatever name it is called, and in the folders of a study's runs."""
    assert quoin("run", case).returncode == 0
    inner = tmp_path / "result/case.yaml"
    before = inner.read_bytes()
    (tmp_path / "link.yaml").symlink_to(inner)
    for file in ["result/case.yaml", "link.yaml"]:
        result = quoin("run", file, "--output", "result", "--force")
        assert result.returncode == 2 and "would replace the case file" in result.stderr
    assert quoin("compare", case, "--backends", "serial").returncode == 0
    study = tmp_path / "result-compare/1/case.yaml"
    refused = quoin("compare", study, "--backends", "serial", "--output", "result-compare", "--force")
    assert refused.returncode == 2 and "would replace the case file" in refused.stderr
    assert inner.read_bytes() == before and study.exists()
    mine = tmp_path / "mine.yaml"
    mine.write_text(case.read_text())
    for name in ["u.vti", "history.csv"]:
        (tmp_path / "other").mkdir(exist_ok=True)
        (tmp_path / "other" / name).write_text(mine.read_text())
        refused = quoin("run", f"other/{name}", "--output", "other", "--force")
        assert refused.returncode == 2 and (tmp_path / "other" / name).read_text() == mine.read_text()


@pytest.mark.parametrize("arguments, code, words", [
    (["absent.yaml"], 6, "absent.yaml"),
    (["case.yaml", "--backend", "nonesuch"], 8, "nonesuch"),
    (["case.yaml", "--backend", "serial:7"], 7, "7"),
    (["case.yaml", "--set", "method.tolerence=1"], 3, "did you mean"),
    (["case.yaml", "--set", "method.tolerance=-1"], 3, "--set"),
    (["case.yaml", "--output", "case.yaml"], 6, "case.yaml"),
    (["case.yaml", "--threads", "-1"], 3, "run.threads"),
])
def test_refusals(quoin, case, arguments, code, words):
    for command in ["run", "check"]:
        result = quoin(command, *arguments)
        assert result.returncode == code, result.stderr
        assert words in result.stderr


@pytest.mark.row(1)
def test_five_mistakes_are_reported_with_their_places(quoin, tmp_path):
    (tmp_path / "bad.yaml").write_text("""\
problem:
  type: jacobi
  grid: {nodes: [0, 20]}
  domain: {x: [0, 1], y: [0, 1]}
  source: "sin(x"
  boundary: {left: "0", right: "0", bottom: "0", top: "w"}
method:
  tolerence: 1e-5
  max_iterations: many
backend: serial
""")
    result = quoin("run", "bad.yaml")
    assert result.returncode == 3
    for place in ["3:18", "5:", "6:", "8:3", "9:19"]:
        assert f"bad.yaml:{place}" in result.stderr
    assert result.stderr.count(": error: ") == 5
    assert "did you mean 'tolerance'" in result.stderr and "\n  tolerence" not in result.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["bad.yaml"]


@pytest.mark.row(18)
def test_a_reader_that_goes_away_does_not_lose_the_run(build, case, tmp_path):
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = subprocess.run([build / "bin/quoin", "run", case], cwd=tmp_path, stdout=write_end, stderr=write_end,
                            timeout=240)
    os.close(write_end)
    assert result.returncode == 0
    assert summary(tmp_path / "result")["status"] == "converged"


@pytest.mark.row(23)
def test_fallback_goes_down_the_list_and_says_why(quoin, case, tmp_path):
    folder = tmp_path / "plugins"
    folder.mkdir(mode=0o755)
    (folder / "broken.so").write_text("no shared object\n")
    result = quoin("run", case, "--plugin-dir", folder, "--set", "backend=[broken, serial]")
    assert result.returncode == 0, result.stderr
    assert "broken" in result.stderr
    assert summary(tmp_path / "result")["backend"] == "serial"
