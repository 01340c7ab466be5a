"""`quoin bench scaling`: ranks next to one process."""

import json
import os

import pytest
from conftest import needs_mpi

pytestmark = needs_mpi


def study_of(quoin, tmp_path, *more):
    result = quoin("bench", "scaling", "--nodes", "100,96", "--iterations", "64", "--repeats", "2", "--json", "s.json",
                   *more)
    assert result.returncode == 0, result.stderr
    return result.stdout, json.loads((tmp_path / "s.json").read_text())


def test_ranks_next_to_a_process(quoin, tmp_path):
    text, study = study_of(quoin, tmp_path, "--ranks", "0,1,3", "--backends", "serial,openmp:host")
    rows = study["cases"][0]["rows"]
    assert [(row["requested"], row["ranks"]) for row in rows] == [
        (backend, ranks) for backend in ("serial", "openmp:host") for ranks in (0, 1, 3)]
    for row in rows:
        assert row["same_bits"] and row["iterations"] == 64 and len(row["repeats"]) == 2
        times = sorted(1e6 * run["loop_seconds"] / 64 for run in row["repeats"])
        assert row["us_per_iteration"]["median"] == pytest.approx((times[0] + times[1]) / 2)
        assert row["speed_ratio"] == pytest.approx(
            rows[0]["us_per_iteration"]["median"] / row["us_per_iteration"]["median"])
        assert (row["percent_waiting"]["max"] > 0) == (row["ranks"] == 3)
    # A model of one backend needs two numbers of ranks with a core each.
    assert study["cases"][0]["models"] == [] and "model" not in text
    assert "a process" in text and "3 ranks" in text and "equal" in text


@pytest.mark.parametrize("weak", [False, True])
def test_a_model_is_drawn_out_from_ranks_with_a_core_each(quoin, tmp_path, weak):
    text, study = study_of(quoin, tmp_path, "--ranks", "2,3", *(["--weak"] if weak else []))
    rows = study["cases"][0]["rows"]
    cores = os.cpu_count()
    assert [row["shares_cores"] for row in rows] == [row["ranks"] > cores for row in rows]
    assert len(study["cases"][0]["models"]) == (1 if cores >= 3 else 0)
    assert ("A model, nothing of it measured" in text) == (cores >= 3)
    for row in rows:
        for run in row["repeats"]:
            assert all(run["traffic"][name] > 0 for name in ("messages", "bytes", "collectives"))


def test_bits_are_held_against_the_same_precision(quoin, tmp_path):
    _, study = study_of(quoin, tmp_path, "--ranks", "0,2", "--precisions", "double,float")
    rows = study["cases"][0]["rows"]
    assert [row["precision"] for row in rows] == ["double", "double", "float", "float"]
    assert all(row["same_bits"] for row in rows)


def test_weak_scaling_grows_the_grid(quoin, tmp_path):
    _, study = study_of(quoin, tmp_path, "--ranks", "1,2", "--weak")
    one, two = study["cases"][0]["rows"]
    assert one["nodes"] == [100, 96] and two["nodes"] == [100, 192]
    assert two["speed_ratio"] == pytest.approx(
        2 * one["us_per_iteration"]["median"] / two["us_per_iteration"]["median"])


def test_flows_grow_by_their_cells(quoin, tmp_path, source):
    case = source / "configs/dgcvs/burgers-p2-quad-10.yaml"
    result = quoin("bench", "scaling", case, "--nodes", "12,6", "--iterations", "5", "--ranks", "0,2", "--weak",
                   "--repeats", "1", "--json", "s.json")
    assert result.returncode == 0, result.stderr
    alone, two = json.loads((tmp_path / "s.json").read_text())["cases"][0]["rows"]
    assert (alone["nodes"], two["nodes"]) == ([12, 6], [12, 12]) and two["iterations"] == 5
    result = quoin("bench", "scaling", case, "--nodes", "12,6", "--iterations", "5", "--ranks", "0,2,3", "--repeats", "1",
                   "--json", "t.json", "--output", "strong")
    assert result.returncode == 0, result.stderr
    assert all(row["same_bits"] for row in json.loads((tmp_path / "t.json").read_text())["cases"][0]["rows"])


def test_other_problems_are_refused(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text("problem: {type: linear-system, matrix: {generator: tridiagonal, rows: 9}, rhs: ones}\n")
    result = quoin("bench", "scaling", "c.yaml")
    assert result.returncode == 3 and "problems jacobi and dg-cvs, not of linear-system" in result.stderr


def test_a_run_that_fails_is_a_row_without_figures(quoin, tmp_path):
    result = quoin("bench", "scaling", "--nodes", "100,96", "--iterations", "16", "--repeats", "1", "--json", "s.json",
                   "--backends", "serial,no-such")
    assert result.returncode != 0
    serial, _, absent, _ = json.loads((tmp_path / "s.json").read_text())["cases"][0]["rows"]
    assert "repeats" in serial and "ended with code 8" in absent["error"]
    said = absent["error"].split("; see ")[1]
    assert "there is no backend 'no-such'" in (tmp_path / said).read_text() and result.stderr == ""
