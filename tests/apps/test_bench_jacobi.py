"""`quoin bench jacobi`: the variants of the iteration on several backends, run in turn, and whether bits agree."""

import json
import signal
import subprocess
import time

import pytest

VARIANTS = ["classic", "fused", "blocked"]


@pytest.fixture
def bench(quoin, tmp_path):
    """Runs a benchmark: gives the result and the study that it left."""

    def call(*arguments, output="bench"):
        result = quoin("bench", "jacobi", *arguments, "--output", output)
        return result, json.loads((tmp_path / output / "bench.json").read_text())

    return call


def test_figures_of_every_variant(bench, source, monkeypatch, tmp_path):
    result, study = bench("--sizes", "40,33", "--iterations", 20, "--precisions", "float,double", "--repeats", 3,
                          "--json", "copy.json")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    assert json.loads((tmp_path / "copy.json").read_text()) == study
    assert study["benchmark"] == "jacobi" and study["complete"] and study["exit_code"] == 0
    assert study["command_line"].endswith("--output bench") and study["backends"] == ["serial"]
    assert [(case["nodes"], case["source"]) for case in study["cases"]] == [([40, 40], "array"), ([33, 33], "array")]
    for case in study["cases"]:
        rows = case["rows"]
        assert [(row["precision"], row["variant"]) for row in rows] == [
            (precision, variant) for precision in ("double", "float") for variant in VARIANTS]
        classic = rows[0]["us_per_iteration"]["median"]
        triad = study["devices"][rows[0]["device"]]["triad_gbytes_per_second"]
        for row in rows:
            assert row["iterations"] == 20 and row["same_bits"] and len(row["repeats"]) == 3
            assert row["versions"].keys() >= {"quoin", "commit", "kernels", "plugin"}
            for run in row["repeats"]:
                assert run["seconds"] == pytest.approx(sum(kernel["seconds"] for kernel in run["kernels"]))
                assert run["seconds"] <= run["loop_seconds"] and run["triad_gbytes_per_second"] <= triad
            loops = sorted(1e6 * run["loop_seconds"] / 20 for run in row["repeats"])
            took = row["us_per_iteration"]
            assert [took["min"], took["median"], took["max"]] == pytest.approx(loops)
            assert row["kernels_us_per_iteration"]["median"] <= took["median"]
            assert row["speed_ratio"] == pytest.approx(classic / took["median"])
            bytes_per_point = 24 if row["precision"] == "double" else 12
            roofline = bytes_per_point * case["nodes"][0] * case["nodes"][1] / triad / 1000
            assert row["percent_of_roofline"] == pytest.approx(100 * roofline / took["median"])
    kernels = {kernel["name"] for row in study["cases"][0]["rows"] for kernel in row["repeats"][0]["kernels"]}
    assert {"jacobi_laplacian", "jacobi_sweeps", "residual_norm"} <= kernels
    lines = result.stdout.splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("case "))
    assert lines[head + 1].split()[:7] == ["poisson", "40", "x", "40", "[1]", "classic", "double"]
    assert lines[head + 1].split()[12] == "1.00" and lines[head + 6].split()[-1] == "equal"
    # Each run leaves its own folder, without fields and rows of the history.
    summary = json.loads((tmp_path / "bench/02-poisson/6/summary.json").read_text())
    assert summary["precision"] == "float" and summary["fields"] == []
    assert not (tmp_path / "bench/02-poisson/6/history.csv").exists()
    # The tables of the page on benchmarks can be made of it.
    monkeypatch.syspath_prepend(source / "apps/bench")
    import tables
    last = tables.variants(study).splitlines()[-1].split(" | ")
    assert last[1:4] == ["`serial`", "33 x 33", "`blocked`, float"] and last[4] == f"{took['median']:.1f}"


def test_the_built_in_case(bench):
    _, study = bench("--repeats", 1, "--variants", "fused")
    (case,) = study["cases"]
    assert case["case"] == "poisson" and case["nodes"] == [1024, 1024]
    (row,) = case["rows"]
    assert row["iterations"] == 256 and row["precision"] == "double" and row["speed_ratio"] is None
    _, study = bench("--repeats", 1, "--variants", "fused", "--set", "problem.grid.nodes=[50,20]", output="small")
    assert study["cases"][0]["nodes"] == [50, 20] and study["cases"][0]["rows"][0]["iterations"] == 1024


def test_case_files_run_as_they_are(bench, quoin, case, tmp_path):
    assert quoin("run", case).returncode == 0
    alone = json.loads((tmp_path / "result/summary.json").read_text())
    result, study = bench(case, "--repeats", 1)
    assert result.returncode == 0, result.stderr
    assert study["cases"][0]["nodes"] == [30, 20] and study["cases"][0]["source"] == "number"
    for row in study["cases"][0]["rows"]:
        assert row["iterations"] == alone["iterations"] and row["repeats"][0]["field_sha256"] == alone["field_sha256"]
        assert row["repeats"][0]["history_sha256"] == alone["history_sha256"]
    triad = study["devices"][row["device"]]["triad_gbytes_per_second"]
    assert row["roofline_us_per_iteration"] == pytest.approx(16 * 600 / triad / 1000)
    _, study = bench(case, "--repeats", 1, "--sizes", "25,10", "--iterations", 7, "--set", "method.precision=float",
                     output="sizes")
    assert [entry["nodes"] for entry in study["cases"]] == [[25, 25], [10, 10]]
    for row in (row for entry in study["cases"] for row in entry["rows"]):
        assert row["iterations"] == 7 and row["precision"] == "float" and row["speed_ratio"] > 0


@pytest.mark.parametrize(("name", "reals"), [("poisson-space", 3), ("diffusion-space", 7), ("diffusion-plane", 6)])
def test_cases_in_space_and_with_coefficients(bench, source, name, reals):
    result, study = bench(source / f"apps/bench/{name}.yaml", "--repeats", 1, "--sizes", 20, "--iterations", 9)
    assert result.returncode == 0, result.stderr
    (case,) = study["cases"]
    assert case["nodes"] == [20] * (3 if "space" in name else 2) and case["source"] == "array"
    assert f"{name}.yaml {' x '.join(map(str, case['nodes']))} " in result.stdout
    for row in case["rows"]:
        triad = study["devices"][row["device"]]["triad_gbytes_per_second"]
        assert row["roofline_us_per_iteration"] == pytest.approx(8 * reals * 20 ** len(case["nodes"]) / triad / 1000)
        assert row["same_bits"] and row["speed_ratio"] > 0
    passes = {kernel["name"] for kernel in case["rows"][2]["repeats"][0]["kernels"]}
    assert any(kernel.endswith("_sweeps") for kernel in passes)


def test_a_variant_that_a_backend_does_not_have_leaves_the_others(bench):
    result, study = bench("--sizes", 20, "--iterations", 5, "--repeats", 2, "--backends", "nonesuch,template,serial")
    assert result.returncode == 7 and study["exit_code"] == 7 and study["complete"]
    rows = {(row["requested"], row["variant"]): row for row in study["cases"][0]["rows"]}
    for variant in VARIANTS:
        assert "nonesuch" in rows["nonesuch", variant]["error"]
        assert rows["serial", variant]["same_bits"] and len(rows["serial", variant]["repeats"]) == 2
    assert "no kernel 'jacobi_sweeps'" in rows["template", "blocked"]["error"]
    assert rows["template", "blocked"]["error"] in result.stdout
    assert rows["template", "classic"]["speed_ratio"] == rows["serial", "classic"]["speed_ratio"] == 1
    times = [rows["template", variant]["us_per_iteration"]["median"] for variant in ("classic", "fused")]
    assert rows["template", "fused"]["speed_ratio"] == pytest.approx(times[0] / times[1])


@pytest.mark.parametrize("at, spoilt", [(7, "field_sha256"), (8, "history_sha256")],
                         ids=["the last sweep", "the last norm"])
def test_other_bits_are_seen(bench, at, spoilt):
    wrong = f"{{name: fault, call: launch, fault: nan, at: {at}}}"
    result, study = bench("--sizes", 20, "--iterations", 5, "--repeats", 1, "--variants", "fused",
                          "--backends", f"serial,{wrong},template")
    right, other, third = study["cases"][0]["rows"]
    assert result.returncode == 0, result.stderr
    assert right["same_bits"] and third["same_bits"] and not other["same_bits"]
    assert [key for key in ("field_sha256", "history_sha256")
            if right["repeats"][0][key] != other["repeats"][0][key]] == [spoilt]
    assert result.stdout.count(" equal\n") == 2 and result.stdout.count(" differ\n") == 1


def test_runs_that_do_not_end_well_have_no_figures(bench, case):
    result, study = bench(case, "--repeats", 2, "--set", "method.max_iterations=3", "--variants", "fused")
    assert result.returncode == 4 and "ended as not_converged" in study["cases"][0]["rows"][0]["error"]
    spoilt = "{name: fault, call: launch, fault: nan, at: 4}"
    result, study = bench(case, "--repeats", 1, "--backends", f"{spoilt},serial", "--variants", "fused,classic",
                          output="spoilt")
    assert result.returncode == 5
    rows = study["cases"][0]["rows"]
    assert all("ended as diverged" in row["error"] for row in rows[:2])
    assert all(row["same_bits"] for row in rows[2:]) and rows[2]["speed_ratio"] > 0


def test_an_interrupted_benchmark_tells_what_it_has(build, tmp_path):
    first = tmp_path / "bench/01-poisson/1/summary.json"
    second = tmp_path / "bench/01-poisson/2/timing.csv"
    with subprocess.Popen([build / "bin/quoin", "bench", "jacobi", "--variants", "fused,classic", "--repeats", "1",
                           "--sizes", "200", "--iterations", "50000", "--output", "bench"], cwd=tmp_path,
                          stdout=subprocess.PIPE, text=True) as process:
        while not second.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=240)[0]
    assert process.returncode == 130 and "ended as interrupted" in text and json.loads(first.read_text())
    study = json.loads((tmp_path / "bench/bench.json").read_text())
    assert study["complete"] is False and study["exit_code"] == 130
    fused, classic = study["cases"][0]["rows"]
    assert fused["us_per_iteration"]["median"] > 0 and "interrupted" in classic["error"]


@pytest.mark.parametrize("arguments, words", [
    (["--sizes", "0"], "--sizes"),
    (["--sizes", "10,many"], "--sizes"),
    (["--variants", "quick"], "quick"),
    (["--precisions", "half"], "half"),
    (["--iterations", "0"], "--iterations"),
    (["--steps", "5"], "--steps"),
    (["--backends", "serial,"], "empty entry"),
])
def test_wrong_usage(quoin, tmp_path, arguments, words):
    result = quoin("bench", "jacobi", *arguments)
    assert result.returncode == 2 and words in result.stderr and result.stdout == ""
    assert not (tmp_path / "results").exists()


def test_mistakes_are_said_before_anything_runs(quoin, case, source, tmp_path):
    result = quoin("bench", "jacobi", case, source / "configs/dgcvs/vortex.yaml", "--iterations", 5)
    assert result.returncode == 3 and "jacobi, not of dg-cvs" in result.stderr
    assert quoin("bench", "jacobi", case, "absent.yaml").returncode == 6
    result = quoin("bench", "jacobi", "--backends", "serial,{name: serial, speed: 3}")
    assert result.returncode == 3 and "speed" in result.stderr
    assert not (tmp_path / "results").exists()


def test_results_are_replaced_only_by_force(quoin, case):
    arguments = ["bench", "jacobi", case, "--iterations", 2, "--repeats", 1]
    assert quoin(*arguments).returncode == 0
    again = quoin(*arguments)
    assert again.returncode == 2 and "--force" in again.stderr
    assert quoin(*arguments, "--force").returncode == 0
