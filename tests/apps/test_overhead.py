"""`quoin bench overhead`: the loop of a run next to the same launches without the framework."""

import json

import pytest

SMALL = ["bench", "overhead", "--nodes", 37, "--iterations", 40, "--repeats", 3]


def test_figures(quoin, tmp_path):
    result = quoin(*SMALL, "--backends", "serial,template")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "results/bench-overhead/bench.json").read_text())
    assert study["version"] == 1 and study["exit_code"] == 0 and study["command_line"].endswith("serial,template")
    assert [row["backend"] for row in study["rows"]] == ["serial", "template"]
    for row in study["rows"]:
        assert len(row["repeats"]) == 3 and row["device"] and row["versions"]["commit"]
        for which in ("loop", "direct"):
            us = sorted(1e6 * run[f"{which}_seconds"] / 40 for run in row["repeats"])
            assert us[0] > 0
            assert row[f"{which}_us_per_iteration"] == pytest.approx({"min": us[0], "median": us[1], "max": us[2]})
        assert row["loop_over_direct"] == pytest.approx(row["loop_us_per_iteration"]["median"] /
                                                        row["direct_us_per_iteration"]["median"])
        assert f"{row['loop_over_direct']:.3f}" in result.stdout
    # The run did what it was asked for, and both had the same residual or there would be an error.
    summary = json.loads((tmp_path / "results/bench-overhead/run/summary.json").read_text())
    assert summary["iterations"] == 40 and summary["residual"] == study["rows"][1]["residual"]
    assert {kernel["name"]: kernel["calls"] for kernel in summary["kernels"]}["residual_norm"] == 20


def test_launches_that_do_something_else_are_found(quoin, build):
    # It writes all norms into slot 0: right for a chunk of one iteration, as a run's last one is here.
    result = quoin("bench", "overhead", "--nodes", 37, "--iterations", 3, "--backends", "{name: wrong, mistake: slot}",
                   "--plugin-dir", build / "tests/plugins/wrong")
    assert result.returncode == 1 and "but 0 by the same launches without it" in result.stdout, result.stdout


def test_a_backend_that_fails_leaves_the_others(quoin, tmp_path):
    result = quoin(*SMALL, "--backends", "nonesuch,{name: fault, call: launch, fault: throw, at: 7},serial")
    assert result.returncode == 7, result.stderr
    absent, wrong, serial = json.loads((tmp_path / "results/bench-overhead/bench.json").read_text())["rows"]
    assert "nonesuch" in absent["error"] and wrong["error"] in result.stdout and serial["loop_over_direct"] > 0


@pytest.mark.parametrize("arguments, words", [
    (["--nodes", "0"], "--nodes"),
    (["--iterations", "some"], "--iterations"),
    (["--repeats", "0"], "--repeats"),
    (["--backends", "serial,"], "empty entry"),
])
def test_wrong_usage(quoin, tmp_path, arguments, words):
    result = quoin("bench", "overhead", *arguments)
    assert result.returncode == 2 and words in result.stderr and not (tmp_path / "results").exists()


def test_results_are_replaced_only_by_force(quoin):
    assert quoin(*SMALL).returncode == 0
    again = quoin(*SMALL)
    assert again.returncode == 2 and "--force" in again.stderr
    assert quoin(*SMALL, "--force").returncode == 0
