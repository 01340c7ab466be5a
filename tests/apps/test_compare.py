"""`quoin compare`: several backends in one process, their times and bits side by side."""

import itertools
import json

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


def test_the_json_and_what_is_not_there(quoin, case):
    result = quoin("compare", case, "--backends", "serial,nonesuch,template", "--json")
    assert result.returncode != 0
    first, absent, third = json.loads(result.stdout)["runs"]
    assert first["speed_ratio"] == 1 and third["same_bits"] and third["largest_difference"] == 0
    assert "nonesuch" in absent["error"]


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
