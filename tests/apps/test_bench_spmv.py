"""`quoin bench spmv`: products in every format; its figures follow from what it wrote."""

import json
import statistics

import pytest

POISSON = "{generator: poisson, nodes: [40, 30]}"
FORMATS = ["csr", "sell", "shared", "coo", "ell", "hybrid", "auto"]


@pytest.fixture
def study(quoin, tmp_path):
    def run(*words):
        ran = quoin("bench", "spmv", "--output", "here", *words)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return json.loads((tmp_path / "here/bench.json").read_text()), ran.stdout

    return run


def write_matrix(path, rows, entries):
    lines = [f"{i} {j} {value!r}" for i, j, value in entries]
    path.write_text("\n".join(["%%MatrixMarket matrix coordinate real general", f"{rows} {rows} {len(lines)}", *lines])
                    + "\n")


def test_figures_follow_from_the_runs(study, tmp_path):
    found, printed = study("--matrix", POISSON, "--backends", "serial,template", "--precisions", "double,float",
                           "--repeats", 3, "--json", "copy.json")
    assert found == json.loads((tmp_path / "copy.json").read_text())
    assert found["benchmark"] == "spmv" and found["complete"] and found["exit_code"] == 0
    (case,) = found["cases"]
    assert case["case"] == POISSON
    rows = case["rows"]
    assert [(row["requested"], row["precision"], row["format"]) for row in rows] == [
        (backend, precision, format) for backend in ("serial", "template") for precision in ("double", "float")
        for format in FORMATS]
    entries = 5 * 40 * 30 - 2 * (40 + 30)
    for k, row in enumerate(rows):
        csr = rows[k - k % len(FORMATS)]
        assert len(row["repeats"]) == 3 and row["same_bits"]
        assert {run["field_sha256"] for run in row["repeats"]} == {csr["repeats"][0]["field_sha256"]}
        assert (row["matrix"]["rows"], row["matrix"]["entries"]) == (1200, entries)
        assert row["matrix"]["format"] == {"shared": "sell", "auto": "sell"}.get(row["format"], row["format"])
        assert {"quoin", "commit", "compiler", "kernels", "plugin"} <= row["versions"].keys()
        size = 4 if row["precision"] == "float" else 8
        times = [1e6 * run["seconds"] / run["products"] for run in row["repeats"]]
        time = statistics.median(times)
        spread = row["us_per_product"]
        assert (spread["median"], spread["min"], spread["max"]) == pytest.approx((time, min(times), max(times)))
        assert row["product_gflops"] == pytest.approx(2e-3 * entries / time)
        vectors = 2 * 1200 * size
        triad = found["devices"][row["device"]]["triad_gbytes_per_second"]
        for key, share, moved in [("product_gbytes_per_second", "percent_of_triad",
                                   entries * (size + 4) + 1201 * 8 + vectors),
                                  ("own_gbytes_per_second", "own_percent_of_triad", row["matrix"]["bytes"] + vectors)]:
            assert row[key] == pytest.approx(1e-3 * moved / time)
            assert row[share] == pytest.approx(100 * row[key] / triad)
        assert row["speed_to_csr"] == pytest.approx(csr["us_per_product"]["median"] / time)
    # Backends agree; double and float do not.
    assert rows[0]["repeats"][0]["field_sha256"] == rows[14]["repeats"][0]["field_sha256"]
    assert rows[0]["repeats"][0]["field_sha256"] != rows[7]["repeats"][0]["field_sha256"]
    by_format = {row["format"]: row["matrix"] for row in rows[:7]}
    assert by_format["csr"]["bytes"] == 12 * entries + 8 * 1201
    assert by_format["ell"]["bytes"] == by_format["hybrid"]["bytes"] == 12 * 5 * 1216  # a multiple of 32 rows
    assert by_format["coo"]["bytes"] > 16 * entries and by_format["shared"]["shared"] > 0.5
    assert printed.count(" equal\n") == 28 and "Triad of " in printed


def test_matrices_are_files_cases_and_what_a_case_would_say(study, tmp_path):
    write_matrix(tmp_path / "a.mtx", 3, [(1, 1, 2.0), (1, 3, 1e300), (3, 2, -0.0)])
    (tmp_path / "case.yaml").write_text("problem: {type: linear-system, matrix: a.mtx, rhs: ones}\n"
                                        "method: {precision: float}\noutput: {directory: unused}\n")
    found, _ = study("a.mtx", "case.yaml", "--matrix", "{generator: arrow, rows: 3000}", "--repeats", 1)
    assert [case["case"] for case in found["cases"]] == ["a.mtx", "case.yaml", "{generator: arrow, rows: 3000}"]
    file, case, arrow = (case["rows"] for case in found["cases"])
    assert {row["precision"] for row in file + arrow} == {"double"} and {row["precision"] for row in case} == {"float"}
    assert all((row["matrix"]["rows"], row["matrix"]["entries"]) == (3, 3) for row in file + case)
    assert all(row["matrix"]["entries"] == 3 * 3000 - 2 for row in arrow)
    assert all(row["same_bits"] for rows in (file, case, arrow) for row in rows)
    assert not (tmp_path / "unused").exists()


def test_a_format_that_does_not_suit_is_left_out(study, tmp_path):
    write_matrix(tmp_path / "a.mtx", 2000, [(i, i, 2.0) for i in range(1, 2001)] + [(1, j, 1.0) for j in range(2, 26)])
    found, printed = study("a.mtx", "--repeats", 2, "--formats", "ell,hybrid,csr")
    ell, hybrid, csr = found["cases"][0]["rows"]
    assert "ell would store 24.7 values for each entry" in ell["error"] and "repeats" not in ell
    assert ell["error"] in printed
    assert len(hybrid["repeats"]) == len(csr["repeats"]) == 2 and hybrid["same_bits"] and csr["same_bits"]


def test_without_csr_there_is_no_speed_next_to_it(study):
    found, printed = study("--matrix", POISSON, "--repeats", 1, "--formats", "sell")
    assert found["cases"][0]["rows"][0]["speed_to_csr"] is None and " -  equal\n" in printed


@pytest.mark.parametrize("words, message", [
    (["--formats", "csr,elll"], "elll"),
    (["--matrix", "{generator: poisson}"], "missing key 'nodes'"),
    (["none.yaml"], "none.yaml"),
    (["case.yaml"], "this benchmark is of the problem linear-system, not of jacobi"),
])
def test_mistakes_are_refused_before_anything_runs(quoin, tmp_path, words, message):
    (tmp_path / "case.yaml").write_text("problem: {type: jacobi, grid: {nodes: [4, 4]}}\noutput: {directory: unused}\n")
    ran = quoin("bench", "spmv", *words, "--output", "here")
    assert ran.returncode != 0 and message in ran.stderr
    assert not (tmp_path / "here").exists()
