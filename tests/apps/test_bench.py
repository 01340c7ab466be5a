"""`quoin bench`, of DG-CVS: cases on several backends, run in turn, with times and what they are next to each other."""

import json

import pytest

CASE = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [4, 3]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "1+0.1*sin(2*pi*(x+y))"
method: {order: 2, final_time: 1}
output: {directory: unused}
"""


def lanes_with(flops, kernel):
    """The lanes that each launch of a kernel has updated, with so many operations each."""
    lanes = kernel["flops"] / kernel["calls"] / flops
    assert lanes == int(lanes)
    return lanes


@pytest.fixture
def waves(tmp_path):
    file = tmp_path / "waves.yaml"
    file.write_text(CASE)
    return file


def test_figures_of_every_backend(quoin, waves, tmp_path):
    result = quoin("bench", "dgcvs", waves, "--backends", "serial,template", "--repeats", 3, "--steps", 5,
                   "--output", "here", "--json", "copy.json")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    for words in ["operations that the kernels execute", "of what dense multiply-adds", "medians of 3\nruns",
                  "[1] serial: ", "[2] template: "]:
        assert words in result.stdout
    lines = result.stdout.splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("case "))
    assert lines[head].split() == ["case", "steps", "loop", "kernels", "ns/update", "min", "max", "Mupdates/s", "GFLOP/s", "%",
                                   "fma", "speed", "fields"]
    first, second = lines[head + 1].split(), lines[head + 2].split()
    assert first[:3] == [str(waves), "[1]", "5"] and first[-2:] == ["1.00", "equal"]
    assert second[:2] == ["[2]", "5"] and second[-1] == "equal"

    text = (tmp_path / "here/bench.json").read_text()
    assert (tmp_path / "copy.json").read_text() == text
    study = json.loads(text)
    assert study["version"] == 1 and study["repeats"] == 3 and study["backends"] == ["serial", "template"]
    assert study["command_line"].endswith("--json copy.json") and study["exit_code"] == 0 and study["complete"]
    (case,) = study["cases"]
    assert case["equation"] == "burgers" and case["order"] == 2
    for row in case["backends"]:
        assert row["steps"] == 5 and row["entities"] == {"cells": 12, "vertices": 12} and row["same_fields"]
        assert row["versions"].keys() >= {"quoin", "commit", "kernels", "plugin"} and row["device"]
        assert len(row["repeats"]) == 3
        for run in row["repeats"]:
            assert run["seconds"] == pytest.approx(sum(kernel["seconds"] for kernel in run["kernels"]))
            assert run["seconds"] <= run["loop_seconds"] <= run["wall_seconds"]
        update = row["ns_per_entity_update"]
        assert 0 < update["min"] <= update["median"] <= update["max"]
        assert row["seconds_per_step"]["median"] == pytest.approx(24e-9 * update["median"])
        # Four sub-quads, 3 points along an axis, and 3 sweeps of Burgers' equation: by the bodies' own count.
        kernels = {kernel["name"]: kernel for kernel in row["repeats"][0]["kernels"]}
        assert lanes_with(5487, kernels["cells"]) == lanes_with(5487, kernels["vertices"]) >= 12
        flops = sum(kernel["flops"] for kernel in kernels.values())
        assert row["flops_per_update"] == pytest.approx(flops / (5 * 24))
        assert row["gflops"] == pytest.approx(flops / (5 * 24) / update["median"])
        ceiling = max(run["multiply_add_gflops_per_second"] for run in row["repeats"])
        assert row["multiply_add_gflops_per_second"] == ceiling > 0
        assert row["percent_of_multiply_adds"] == pytest.approx(100 * row["gflops"] / ceiling)
    # Each run leaves its own folder, without fields.
    summary = json.loads((tmp_path / "here/01-waves/2/summary.json").read_text())
    assert summary["backend"] == "template" and summary["fields"] == []
    assert not (tmp_path / "unused").exists()


def test_steps_keep_the_time_step(quoin, waves, tmp_path):
    assert quoin("run", waves, "--output", "whole").returncode == 0
    assert quoin("run", waves, "--output", "part", "--set", "method.max_steps=3").returncode == 4
    assert quoin("run", waves, "--output", "more", "--set", "method.max_steps=1000000").returncode == 0
    whole, part, more = (json.loads((tmp_path / name / "summary.json").read_text()) for name in
                         ("whole", "part", "more"))
    assert part["status"] == "max_steps" and part["steps"] == 3 and whole["steps"] > 3
    assert part["time_step"] == whole["time_step"] and part["time"] == pytest.approx(3 * whole["time_step"])
    assert more["steps"] == whole["steps"] and more["field_sha256"] == whole["field_sha256"]
    assert more["time"] == pytest.approx(1)


def test_the_built_in_cases(quoin, tmp_path):
    result = quoin("bench", "dgcvs", "--repeats", 1, "--steps", 2, "--set", "problem.mesh.cells=[6,6]")
    assert result.returncode == 0, result.stderr
    cases = json.loads((tmp_path / "results/bench-dgcvs/bench.json").read_text())["cases"]
    assert [case["case"] for case in cases] == [
        f"{law}-p{order}" for law in ("burgers", "linear", "linear-perturbed", "linear-matrices") for order in (1, 2, 3)]
    # Burgers' equation, and matrices of 4, 10 and 20 rows for each of four slots.
    for case, flops in zip(cases[:3] + cases[9:], [1447, 5487, 17811, *(4 * 2 * n * n for n in (4, 10, 20))]):
        (cells,) = (kernel for kernel in case["backends"][0]["repeats"][0]["kernels"] if kernel["name"] == "cells")
        assert 36 <= lanes_with(flops, cells) <= 48
    assert len({case["case_sha256"] for case in cases}) == 12
    assert all(case["backends"][0]["steps"] == 2 for case in cases)


def test_a_backend_that_fails_leaves_the_others(quoin, waves, tmp_path):
    spoiled = "{name: fault, call: launch, fault: nan, at: 1}"
    result = quoin("bench", "dgcvs", waves, "--backends", f"nonesuch,{spoiled},serial", "--repeats", 2, "--steps", 2)
    assert result.returncode == 5, result.stderr
    study = json.loads((tmp_path / "results/bench-dgcvs/bench.json").read_text())
    absent, wrong, serial = study["cases"][0]["backends"]
    assert "nonesuch" in absent["error"] and "ended as diverged" in wrong["error"]
    assert len(serial["repeats"]) == 2 and serial["speed_ratio"] == 1 and serial["same_fields"]
    assert study["exit_code"] == 5
    assert absent["error"] in result.stdout and "[1] nonesuch" in result.stdout


@pytest.mark.parametrize("arguments, words", [
    ([], "subcommand is required"),
    (["nonesuch"], "nonesuch"),
    (["dgcvs", "--repeats", "0"], "--repeats"),
    (["dgcvs", "--repeats", "many"], "--repeats"),
    (["dgcvs", "--steps", "0"], "--steps"),
    (["dgcvs", "--set", "method.order"], "KEY=VALUE"),
    (["dgcvs", "--backends", "serial,,template"], "empty entry"),
])
def test_wrong_usage(quoin, tmp_path, arguments, words):
    result = quoin("bench", *arguments)
    assert result.returncode == 2 and words in result.stderr and result.stdout == ""
    assert not (tmp_path / "results").exists()


def test_what_cannot_run_is_said_before_anything_does(quoin, waves, case, tmp_path):
    result = quoin("bench", "dgcvs", waves, case)
    assert result.returncode == 3 and "case.yaml:2:9" in result.stderr and "dg-cvs, not of jacobi" in result.stderr
    assert quoin("bench", "dgcvs", waves, "absent.yaml").returncode == 6
    result = quoin("bench", "dgcvs", "--set", "problem.mesh.size=3")
    assert result.returncode == 3 and "problem.mesh.size" in result.stderr
    assert not (tmp_path / "results").exists()


def test_results_are_replaced_only_by_force(quoin, waves, tmp_path):
    arguments = ["bench", "dgcvs", waves, "--repeats", 1, "--steps", 1]
    assert quoin(*arguments).returncode == 0
    again = quoin(*arguments)
    assert again.returncode == 2 and "--force" in again.stderr
    (tmp_path / "copy.json").write_text("mine")
    kept = quoin(*arguments, "--output", "other", "--json", "copy.json")
    assert kept.returncode == 2 and "copy.json" in kept.stderr and not (tmp_path / "other").exists()
    assert quoin(*arguments, "--force", "--json", "copy.json").returncode == 0
    assert json.loads((tmp_path / "copy.json").read_text())["cases"]


JACOBI = """\
problem: {type: jacobi, grid: {nodes: [20, 20]}, source: "x"}
method: {stop: iterations}
output: {directory: unused}
"""


@pytest.mark.parametrize("arguments, text, limit, code", [
    (["dgcvs"], CASE.replace("final_time: 1", "final_time: 1, cfl: 0.01"), "max_steps", 4),
    (["jacobi", "--variants", "fused"], JACOBI, "max_iterations", 0),
], ids=["dgcvs", "jacobi"])
def test_what_was_measured_outlives_the_process(quoin, tmp_path, arguments, text, limit, code):
    for name, count in [("short", 2), ("long", 300)]:
        (tmp_path / f"{name}.yaml").write_text(text.replace("method: {", f"method: {{{limit}: {count}, "))
    assert quoin("run", "short.yaml").returncode == code
    # More than the short run has, with those that measure the memory's rates; the long one has three times as many.
    at = 100 + json.loads((tmp_path / "unused/summary.json").read_text())["launches"]
    result = quoin("bench", *arguments, "short.yaml", "long.yaml", "--repeats", 1, "--output", "here",
                   "--json", "copy.json", "--set", "run.watchdog=0.5",
                   "--backends", f"{{name: fault, call: launch, fault: hang, at: {at}}}")
    assert result.returncode == 7 and result.stdout == "" and "did not answer" in result.stderr
    text = (tmp_path / "here/bench.json").read_text()
    assert (tmp_path / "copy.json").read_text() == text
    study = json.loads(text)
    assert study["complete"] is False and study["exit_code"] is None
    (short,), (long,) = (case.get("rows") or case["backends"] for case in study["cases"])
    assert len(short["repeats"]) == 1 and short["device"] and "repeats" not in long
