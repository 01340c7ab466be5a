"""`quoin bench memory`: kernels, looks and cases in each kind of memory of a device."""

import csv
import json
import statistics

import pytest

SMALL = ["bench", "memory", "--runs", 5, "--mebibytes", 1, "--repeats", 1, "--output", "bench"]
KINDS = ["device", "pinned", "shared_coarse", "shared_fine", "shared_atomic", "zero_copy"]
ROWS = ["no_op", "add", "atomic_add", "shared_add", "hot_atomic_add", "hot_shared_add", "look", "host_writes", "copy", "sum"]


@pytest.fixture
def bench(quoin, tmp_path):
    """Runs a small benchmark: gives the result and the study that it left."""

    def call(*arguments):
        result = quoin(*SMALL, *arguments)
        return result, json.loads((tmp_path / "bench/bench.json").read_text())

    return call


def test_every_row_in_every_kind(bench, case, source, monkeypatch, tmp_path):
    result, study = bench(case, "--backends", "serial", "--json", "copy.json")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    assert json.loads((tmp_path / "copy.json").read_text()) == study and study["complete"] and study["exit_code"] == 0
    assert (study["benchmark"], study["runs"], study["large_runs"], study["mebibytes"]) == ("memory", 5, 1, 1)
    (found,) = study["microbenchmarks"]
    assert found["requested"] == found["backend"] == "serial" and found["device"] and found["versions"]["commit"]
    assert list(found["rows"]) == KINDS and all(list(rows) == ROWS for rows in found["rows"].values())
    # The figures are those of the times beside them.
    with open(tmp_path / "bench" / found["times"], encoding="ascii") as file:
        times = list(csv.DictReader(file))
    assert len(times) == len(KINDS) * (7 * 5 + 3)
    for kind, rows in found["rows"].items():
        for name, row in rows.items():
            us = [float(time["us"]) for time in times if (time["memory"], time["row"]) == (kind, name)]
            assert row == pytest.approx({"median": statistics.median(us), "min": min(us), "max": max(us)})
            assert f"{row['median']:.1f}" in result.stdout
    # Each kind has the case with the same bits, and the arrays were there.
    (of_case,) = study["cases"]
    assert [row["memory"] for row in of_case["rows"]] == KINDS
    own = of_case["rows"][0]["loop_ms"]["median"]
    for number, row in enumerate(of_case["rows"], 1):
        (run,) = row["repeats"]
        assert row["same_bits"] and run["field_sha256"] == of_case["rows"][0]["repeats"][0]["field_sha256"]
        assert row["loop_ms"]["median"] == pytest.approx(1e3 * run["loop_seconds"])
        assert row["kernels_ms"]["median"] == pytest.approx(1e3 * run["seconds"])
        assert row["time_ratio"] == pytest.approx(row["loop_ms"]["median"] / own)
        summary = json.loads((tmp_path / f"bench/01-case/{number}/summary.json").read_text())
        assert ("arrays in" in summary["device"]) == (row["memory"] != "device")
        assert row["memory"] == "device" or row["memory"] in summary["device"]
    lines = result.stdout.splitlines()
    assert [line.split() for line in lines if "thesis " in line and "figures" not in line] == [
        ["in", "the", "thesis", *figures] for figures in (["3", "3", "2"], ["11", "15", "22"], ["14", "X", "180"])]
    monkeypatch.syspath_prepend(source / "apps/bench")
    import tables
    table = tables.memory(study).splitlines()
    assert len(table) == 2 + len(ROWS) + 1
    assert table[2].split(" | ")[1:3] == ["no op", f"{found['rows']['device']['no_op']['median']:.1f}"]
    assert table[-1].split(" | ")[-2:] == [str(found["together"]["between"]), "X |"]
    last = tables.memory_cases(study).splitlines()[-1].split(" | ")
    assert last[:3] == [f"| `{of_case['case']}`", "`serial`", "`zero_copy`"]


@pytest.mark.parametrize("backend", ["serial", "openmp:host", "{name: openmp, device: x86-64}", "opencl:pocl", "template"])
def test_host_and_kernel_add_at_the_same_time(bench, quoin, case, backend):
    listed = quoin("run", case, "--set", f"backend={backend}")
    if listed.returncode in (7, 8):
        pytest.skip(f"there is no {backend} here")
    result, study = bench(case, "--backends", backend)
    assert result.returncode == 0, result.stdout
    (found,) = study["microbenchmarks"]
    together = found["together"]
    if "shared_atomic" not in found["rows"]:
        assert together is None
        return
    assert together["by_kernel"] % 6144 == 0 and 10 <= together["between"] <= together["by_host"]
    assert f"adds of the host meanwhile{'X':>17}" in result.stdout and f" {together['between']} " in result.stdout


def test_the_built_in_cases_are_those_that_ship(quoin, tmp_path, source):
    assert quoin(*SMALL, "--backends", "serial").returncode == 0
    study = json.loads((tmp_path / "bench/bench.json").read_text())
    for of_case, file in zip(study["cases"], ["jacobi/seed-100.yaml", "dgcvs/adv-sin-p3-quad-40.yaml"], strict=True):
        assert of_case["case"] in file and len(of_case["rows"]) == len(KINDS)
        assert quoin("run", source / "configs" / file, "--output", "shipped", "--force").returncode in (0, 4)
        shipped = json.loads((tmp_path / "shipped/summary.json").read_text())
        assert {row["repeats"][0]["field_sha256"] for row in of_case["rows"]} == {shipped["field_sha256"]}


def test_what_a_device_lacks_is_an_x(bench, case):
    result, study = bench(case, "--backends", "worker")
    assert result.returncode == 0, result.stdout + result.stderr
    (found,) = study["microbenchmarks"]
    assert list(found["rows"]) == ["device"] and found["together"] is None
    assert [row["memory"] for row in study["cases"][0]["rows"]] == ["device"]
    line = next(line for line in result.stdout.splitlines() if line.startswith("atomic add  "))
    assert line.split()[-5:] == 5 * ["X"]


def test_lost_adds_are_errors(bench, case, build):
    result, study = bench(case, "--backends", "{name: wrong, mistake: lost},serial", "--plugin-dir",
                          build / "tests/plugins/wrong")
    wrong, serial = study["microbenchmarks"]
    assert result.returncode == study["exit_code"] == 7
    assert "memory_atomic_add lost adds in device memory: integer 0 is 0 after 6 launches, and must be 6" in wrong["error"]
    assert wrong["error"] in result.stdout and "together" not in wrong and serial["together"]["between"] > 0


def test_other_bits_are_an_error(bench, case):
    result, study = bench(case, "--backends", "serial,{name: fault, call: launch, fault: nan, at: 7}", "--set",
                          "method={variant: fused, stop: iterations, max_iterations: 5}")
    rows = study["cases"][0]["rows"]
    assert [row["same_bits"] for row in rows] == 6 * [True] + 6 * [False]
    assert result.returncode == study["exit_code"] == 1 and result.stdout.count(" differ\n") == 6


def test_a_kernel_that_hangs_is_an_error(quoin, case):
    hangs = "{name: fault, call: launch, fault: hang, at: 100}"
    result = quoin(*SMALL, case, "--backends", hangs, "--patience", 0.5)
    assert result.returncode == 7 and "a pass over integers did not end in 0.5 s" in result.stderr, result.stderr


def test_a_backend_that_fails_leaves_the_others(bench, case):
    result, study = bench(case, "--backends", "nonesuch,{name: fault, call: launch, fault: throw, at: 9},serial")
    absent, failing, serial = study["microbenchmarks"]
    assert result.returncode != 0 and "nonesuch" in absent["error"] and "call 9 of launch" in failing["error"]
    assert serial["rows"] and study["complete"]


@pytest.mark.parametrize("arguments, words", [
    (["--runs", "0"], "--runs"),
    (["--mebibytes", "some"], "--mebibytes"),
    (["--patience", "0"], "--patience"),
    (["--backends", "serial,"], "empty entry"),
])
def test_wrong_usage(quoin, tmp_path, arguments, words):
    result = quoin("bench", "memory", *arguments)
    assert result.returncode == 2 and words in result.stderr and not (tmp_path / "results").exists()


def test_a_device_that_maps_data_around_kernels_has_one_kind(bench, case):
    _, study = bench(case, "--backends", "{name: openmp, device: x86-64, data: per_kernel}")
    assert study["complete"] and study["exit_code"] == 0
    (found,) = study["microbenchmarks"]
    assert list(found["rows"]) == ["device"] and found["together"] is None
    assert [row["memory"] for row in study["cases"][0]["rows"]] == ["device"]
