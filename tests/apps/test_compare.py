"""`quoin compare`: several backends in one process, their times and bits side by side."""

import itertools
import json
import signal
import subprocess
import time

import pytest


def backends(quoin):
    """Every backend with a device: those of this machine's processors give the same bits."""
    listed = json.loads(quoin("list", "--json").stdout)["backends"]
    return {row["name"]: row for row in listed if row["name"] in ("serial", "openmp", "opencl", "hip")}


def test_the_table(quoin, case, tmp_path):
    result = quoin("compare", case, "--backends", "serial, template,{name: check, order: reversed}")
    assert result.returncode == 0, result.stderr
    for words in ["us an iteration", "GB/s", "% of copy", "% of roof", "speed, [1] is 1", "jacobi_sweeps", "residual_norm",
                  "[3] {name: check, order: reversed}: checked loops"]:
        assert words in result.stdout
    assert result.stdout.count("equal") == 3
    assert (tmp_path / "result-compare/2/summary.json").exists()


def test_it_goes_where_output_says(quoin, case, tmp_path):
    result = quoin("compare", case, "--backends", "serial", "--output", "both")
    assert result.returncode == 0 and result.stdout.endswith("\nresults in both\n")
    assert (tmp_path / "both/compare.json").exists() and (tmp_path / "both/1/summary.json").exists()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["both", "case.yaml"]
    again = quoin("compare", case, "--backends", "serial", "--json")
    json.loads(again.stdout)
    assert again.stderr.endswith("results in result-compare\n")


def test_the_json_and_what_is_not_there(quoin, case):
    result = quoin("compare", case, "--backends", "serial,nonesuch,template", "--json")
    assert result.returncode != 0
    first, absent, third = json.loads(result.stdout)["runs"]
    assert first["speed_ratio"] == 1 and third["same_bits"] and third["largest_difference"] == 0
    assert "nonesuch" in absent["error"]


def test_what_was_measured_outlives_the_process(quoin, case, tmp_path):
    hangs = "{name: fault, call: launch, fault: hang, at: 1}"
    result = quoin("compare", case, "--backends", f"serial,{hangs}", "--set", "run.watchdog=0.5")
    assert result.returncode == 7 and result.stdout == "" and "did not answer" in result.stderr
    study = json.loads((tmp_path / "result-compare/compare.json").read_text())
    assert study["complete"] is False and study["exit_code"] is None
    (run,) = study["runs"]
    assert run["requested"] == "serial" and run["speed_ratio"] == 1
    assert quoin("report", "result-compare").returncode == 0


def test_a_signal_ends_it(build, case, tmp_path):
    begun = tmp_path / "result-compare/1/timing.csv"
    with subprocess.Popen([build / "bin/quoin", "compare", case, "--backends", "serial,template", "--set",
                           "method={stop: iterations, max_iterations: 100000000}"], cwd=tmp_path,
                          stdout=subprocess.PIPE, text=True) as process:
        while not begun.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=240)
    assert process.returncode == 130
    study = json.loads((tmp_path / "result-compare/compare.json").read_text())
    assert study["complete"] is False and study["exit_code"] == 130
    assert [run["status"] for run in study["runs"]] == ["interrupted"]


def test_an_empty_entry_is_wrong_usage(quoin, case):
    result = quoin("compare", case, "--backends", "serial,,template")
    assert result.returncode == 2 and "empty entry" in result.stderr


@pytest.mark.parametrize("order", itertools.permutations(["serial", "openmp", "opencl", "hip"]),
                         ids=lambda order: "-".join(order))
def test_all_plugins_in_one_process_in_every_order(quoin, case, order):
    there = backends(quoin)
    wanted = [name for name in order if name in there]
    result = quoin("compare", case, "--backends", ",".join(wanted), "--json", "--set", "method.max_iterations=20",
                   "--set", "method.stop=iterations")
    for run in json.loads(result.stdout)["runs"]:
        if there[run["requested"]]["devices"]:
            assert run["same_bits"], run
        else:
            assert run["error"]  # opened, but without a device
