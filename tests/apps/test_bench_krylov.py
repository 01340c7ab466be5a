"""`quoin bench krylov`: iterations and products in every format; its figures follow from what it wrote."""

import json
import statistics

import pytest

CASE = """\
problem: {type: linear-system, matrix: {generator: poisson, nodes: [40, 30]}, rhs: ones}
method: {solver: cg, relative_tolerance: 1e-6}
output: {directory: unused}
"""


@pytest.fixture
def study(quoin, tmp_path):
    (tmp_path / "case.yaml").write_text(CASE)

    def run(*words):
        ran = quoin("bench", "krylov", "case.yaml", "--output", "here", *words)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return json.loads((tmp_path / "here/bench.json").read_text()), ran.stdout

    return run


def test_figures_follow_from_the_runs(study):
    found, printed = study("--backends", "serial,template", "--precisions", "double,float", "--repeats", 3,
                           "--iterations", 7)
    assert found["benchmark"] == "krylov" and found["complete"] and found["exit_code"] == 0
    (case,) = found["cases"]
    rows = case["rows"]
    assert case["solver"] == "cg" and case["preconditioner"] == "jacobi"
    assert [(row["requested"], row["precision"], row["format"]) for row in rows] == [
        (backend, precision, format) for backend in ("serial", "template") for precision in ("double", "float")
        for format in ("csr", "sell", "shared")]
    entries = 5 * 40 * 30 - 2 * (40 + 30)
    for row in rows:
        size = 4 if row["precision"] == "float" else 8
        assert row["iterations"] == 7 and row["same_bits"]
        assert row["matrix"]["rows"] == 1200 and row["matrix"]["entries"] == entries
        assert row["matrix"]["format"] == ("csr" if row["format"] == "csr" else "sell")
        products = []
        for run in row["repeats"]:
            (product,) = (k for k in run["kernels"] if k["name"] in ("csr_segments", "sell_product"))
            assert product["calls"] == 7
            products.append(1e6 * product["seconds"] / 7)
        time = statistics.median(products)
        assert row["us_per_product"]["median"] == pytest.approx(time)
        assert row["product_gflops"] == pytest.approx(2e-3 * entries / time)
        moved = entries * (size + 4) + 1201 * 8 + 2 * 1200 * size
        assert row["product_gbytes_per_second"] == pytest.approx(1e-3 * moved / time)
        loop = statistics.median(1e6 * run["loop_seconds"] / 7 for run in row["repeats"])
        assert row["us_per_iteration"]["median"] == pytest.approx(loop)
        assert row["speed_ratio"] == pytest.approx(rows[0]["us_per_iteration"]["median"] / loop)
    for first in (0, 3, 6, 9):
        csr, sell, shared = rows[first:first + 3]
        # By csr 12 or 8 bytes an entry and an offset a row; equal slices once take next to nothing.
        size = 4 if csr["precision"] == "float" else 8
        assert csr["matrix"]["bytes"] == entries * (size + 4) + 1201 * 8
        assert shared["matrix"]["bytes"] < sell["matrix"]["bytes"] and shared["matrix"]["shared"] > 0.5
    assert printed.count(" equal\n") == 12 and "Triad of " in printed


def test_a_case_runs_to_its_tolerance_unless_iterations_are_given(study):
    found, _ = study("--formats", "auto", "--repeats", 1)
    (row,) = found["cases"][0]["rows"]
    assert row["iterations"] > 7 and row["residual"] <= 1e-6 * 1200 ** 0.5


def test_rows_of_more_than_a_segment_are_part_of_a_product(study):
    found, _ = study("--set", "problem.matrix={generator: arrow, rows: 3000}", "--repeats", 1, "--formats", "csr,sell")
    for row in found["cases"][0]["rows"]:
        (run,) = row["repeats"]
        parts = [k for k in run["kernels"] if "segments" in k["name"] or k["name"] == "row_join"]
        (products,) = [k["calls"] for k in parts if k["name"].endswith("_segments")]  # the joins of parts are twice as many
        assert len(parts) == 3
        assert row["us_per_product"]["median"] == pytest.approx(1e6 * sum(k["seconds"] for k in parts) / products)
        assert row["same_bits"]


def test_another_problem_is_refused(quoin, tmp_path):
    (tmp_path / "case.yaml").write_text("problem: {type: jacobi, grid: {nodes: [4, 4]}}\noutput: {directory: unused}\n")
    ran = quoin("bench", "krylov", "case.yaml", "--output", "here")
    assert ran.returncode == 3 and "this benchmark is of the problem linear-system, not of jacobi" in ran.stderr
