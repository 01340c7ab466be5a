"""`quoin converge`: errors on refined meshes and the order at which they fall."""

import csv
import json

import pytest
import yaml

CASE = """\
problem:
  type: jacobi
  grid: {nodes: [7, 3]}
  domain: {x: [0, 1], y: [0, 1]}
  source: "2*pi^2*sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*x)*sin(pi*y)"
method: {tolerance: 1e-13, max_iterations: 20000}
backend: serial
output: {directory: study, fields: false}
"""


@pytest.fixture
def poisson(tmp_path):
    file = tmp_path / "poisson.yaml"
    file.write_text(CASE)
    return file


def test_five_points_are_of_second_order(quoin, poisson, tmp_path):
    result = quoin("converge", poisson, "--levels", 3, "--expect-order", 1.9)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["level", "L1", "order", "L2", "order", "Linf", "order", "iterations", "status"]
    assert len(lines) == 5 and all(line.endswith("converged") for line in lines[1:4]) and lines[4] == "results in study"
    study = json.loads((tmp_path / "study/converge.json").read_text())
    assert [level["changes"] for level in study["levels"]] == [
        {"problem.grid.nodes": nodes} for nodes in ("[7, 3]", "[15, 7]", "[31, 15]")]
    assert study["levels"][0]["orders"] is None
    for norm in ("l1", "l2", "linf"):
        assert study["levels"][2]["orders"][norm] == pytest.approx(2, abs=0.05)
    # Each level is a run of its own, whose summary says the same.
    for level in study["levels"]:
        folder = tmp_path / level["directory"]
        assert folder == tmp_path / f"study/level-{level['level']}"
        assert json.loads((folder / "summary.json").read_text())["errors"] == level["errors"]
        nodes = yaml.safe_load((folder / "case.yaml").read_text())["problem"]["grid"]["nodes"]
        assert str(nodes) == level["changes"]["problem.grid.nodes"]
    with open(tmp_path / "study/converge.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["l2"]) for row in rows] == [level["errors"]["l2"] for level in study["levels"]]
    assert rows[0]["l2_order"] == "" and float(rows[2]["l2_order"]) == study["levels"][2]["orders"]["l2"]


def test_json_is_what_the_file_holds(quoin, poisson, tmp_path):
    result = quoin("converge", poisson, "--levels", 2, "--json", "--output", "other", "--set",
                   "problem.grid.nodes=[3,3]")
    assert result.returncode == 0 and result.stderr.endswith("results in other\n"), result.stderr
    assert json.loads(result.stdout) == json.loads((tmp_path / "other/converge.json").read_text())
    assert json.loads(result.stdout)["levels"][1]["changes"] == {"problem.grid.nodes": "[7, 7]"}


def test_an_order_that_is_too_low(quoin, poisson, tmp_path):
    result = quoin("converge", poisson, "--levels", 2, "--expect-order", 2.5)
    assert result.returncode == 4 and "the order of L2" in result.stderr and "less than the 2.5" in result.stderr
    assert json.loads((tmp_path / "study/converge.json").read_text())["exit_code"] == 4


def test_errors_of_rounding_have_no_order(quoin, poisson):
    plain = ["--set", "problem.source=0", "--set", "problem.exact=0"]
    assert quoin("converge", poisson, "--levels", 2, *plain).returncode == 0
    result = quoin("converge", poisson, "--levels", 2, *plain, "--force", "--expect-order", 2)
    assert result.returncode == 4 and "is no number" in result.stderr


def test_a_loose_tolerance_is_tightened(quoin, poisson, tmp_path):
    loose = ["--set", "method={relative_tolerance: 0.1, max_iterations: 20000}", "--set", "problem.grid.nodes=[7,7]"]
    result = quoin("converge", poisson, "--levels", 4, "--expect-order", 1.9, *loose)
    assert result.returncode == 0 and "warning" not in result.stderr, result.stderr
    levels = json.loads((tmp_path / "study/converge.json").read_text())["levels"]
    assert levels[3]["orders"]["l2"] == pytest.approx(2, abs=0.1)
    for level in levels:
        assert level["tolerances_times"] < 1 and level["directory"].endswith("-tighter")
        assert level["algebraic_error"] <= 0.1 * level["errors"]["l2"]
        # The run that was not tight enough stays beside it: there most of the error is the solver's.
        loose = json.loads((tmp_path / f"study/level-{level['level']}/summary.json").read_text())
        assert loose["algebraic_error"] > 0.1 * loose["errors"]["l2"] and loose["residual"] > loose["tolerance"] / 2


def test_errors_that_the_precision_does_not_let_fall(quoin, poisson, tmp_path):
    narrow = ["--set", "method={solver: multigrid, precision: float, relative_tolerance: 2e-3}", "--set",
              "problem.grid.nodes=[63,63]"]
    result = quoin("converge", poisson, "--levels", 2, *narrow)
    assert result.returncode == 0 and "may be the solver's" in result.stderr and "stagnated" in result.stderr
    study = json.loads((tmp_path / "study/converge.json").read_text())
    assert study["warnings"] and "level 1" in study["warnings"][-1]


def test_an_order_too_good_to_be_true(quoin, poisson, tmp_path):
    # On the first mesh the source is not that of the exact solution.
    spoilt = "2*pi^2*sin(pi*x)*sin(pi*y)*(nx<10?1.5:1)"
    result = quoin("converge", poisson, "--levels", 2, "--set", f'problem.source="{spoilt}"')
    assert result.returncode == 0 and "where the scheme has 2" in result.stderr
    assert "add levels" in json.loads((tmp_path / "study/converge.json").read_text())["warnings"][0]


def test_a_level_that_does_not_converge_ends_it(quoin, poisson, tmp_path):
    result = quoin("converge", poisson, "--levels", 3, "--set", "method.max_iterations=300")
    assert result.returncode == 4 and "level 1 ended as not_converged" in result.stderr
    levels = json.loads((tmp_path / "study/converge.json").read_text())["levels"]
    assert [level["status"] for level in levels] == ["converged", "not_converged"]
    assert not (tmp_path / "study/level-2").exists()


def test_what_was_measured_outlives_the_process(quoin, poisson, tmp_path):
    first = ["--set", "problem.grid.nodes=[31, 31]", "--set", "method.variant=fused"]
    assert quoin("run", poisson, "--output", "one", *first).returncode == 0
    # More than the first level has, with those that measure the memory's rates; the second has four times as many.
    at = 100 + json.loads((tmp_path / "one/summary.json").read_text())["launches"]
    hangs = f"backend={{name: fault, call: launch, fault: hang, at: {at}}}"
    result = quoin("converge", poisson, "--levels", 3, *first, "--set", hangs, "--set", "run.watchdog=0.5")
    assert result.returncode == 7 and "did not answer" in result.stderr
    study = json.loads((tmp_path / "study/converge.json").read_text())
    assert study["complete"] is False and study["exit_code"] is None
    assert [level["status"] for level in study["levels"]] == ["converged"]
    assert quoin("report", "study").returncode == 0 and (tmp_path / "study/report.html").exists()


def test_without_an_exact_solution_there_is_nothing_to_compare(quoin, poisson, tmp_path):
    poisson.write_text("".join(line for line in CASE.splitlines(True) if "exact" not in line))
    result = quoin("converge", poisson, "--levels", 2)
    assert result.returncode == 3 and "problem.exact" in result.stderr
    assert not (tmp_path / "study").exists()


def test_what_cannot_run_leaves_nothing(quoin, poisson, tmp_path):
    for change in ["problem.exact=1/(x-0.5)", "problem.grid.nodes=[1500000000,1500000000]", "backend=nonesuch"]:
        assert quoin("converge", poisson, "--levels", 2, "--set", change).returncode not in (0, 1), change
        assert not (tmp_path / "study").exists(), change
    for levels in ["1", "21", "two"]:
        assert quoin("converge", poisson, "--levels", levels).returncode == 2


def test_results_are_replaced_only_by_force(quoin, poisson, tmp_path):
    assert quoin("converge", poisson, "--levels", 2).returncode == 0
    again = quoin("converge", poisson, "--levels", 2)
    assert again.returncode == 2 and "--force" in again.stderr
    assert quoin("converge", poisson, "--levels", 3, "--force").returncode == 0
    assert len(json.loads((tmp_path / "study/converge.json").read_text())["levels"]) == 3


def test_a_shipped_case_of_third_order(quoin, source, tmp_path):
    file = source / "configs/dgcvs/adv-sin-p2-quad-10.yaml"
    result = quoin("converge", file, "--levels", 3, "--expect-order", 2.9, "--output", "study")
    assert result.returncode == 0, result.stderr
    study = json.loads((tmp_path / "study/converge.json").read_text())
    assert [level["changes"] for level in study["levels"]] == [
        {"problem.mesh.cells": cells} for cells in ("[10, 10]", "[20, 20]", "[40, 40]")]
    assert study["levels"][2]["orders"]["l2"] == pytest.approx(3, abs=0.05)
    result = quoin("converge", file, "--levels", 3, "--expect-order", 3.5, "--output", "study", "--force")
    assert result.returncode == 4 and "less than the 3.5" in result.stderr


def test_a_mesh_from_a_file_is_refined(quoin, source):
    result = quoin("converge", source / "configs/dgcvs/adv-sin-p2-tri-10.yaml", "--levels", 2, "--expect-order", 2.9,
                   "--json", "--output", "study")
    assert result.returncode == 0, result.stderr
    assert [level["changes"] for level in json.loads(result.stdout)["levels"]] == [
        {"problem.mesh.refine": refined} for refined in "01"]
