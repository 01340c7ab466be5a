"""`quoin bench end`: cases from the command to the result."""

import json

import pytest

CASES = {
    "grid": "problem: {type: jacobi, grid: {nodes: [30, 20]}, source: x, exact: x*y}\n"
            "method: {stop: iterations, max_iterations: 40}\n",
    "flow": "problem:\n  type: dg-cvs\n  equation: {type: advection, velocity: [1, 0.5]}\n  mesh: {cells: [6, 6]}\n"
            "  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}\n"
            "  initial: sin(2*pi*x)\nmethod: {order: 1, final_time: 1, max_steps: 3}\n",
}


def test_parts_of_a_run_sum_up_to_its_process(quoin, tmp_path):
    for name, text in CASES.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    result = quoin("bench", "end", "grid.yaml", "flow.yaml", "--backends", "serial,openmp:host", "--repeats", "3")
    assert result.returncode == 0, result.stdout + result.stderr
    study = json.loads((tmp_path / "results/bench-end/bench.json").read_text())
    assert [case["case"] for case in study["cases"]] == ["grid.yaml", "flow.yaml"]
    for case in study["cases"]:
        assert case["goal"] is None
        for row in case["rows"]:
            assert row["same_bits"] and len(row["repeats"]) == 3 and "reached" not in row
            for run in row["repeats"]:
                inside = run["setup_seconds"] + run["loop_seconds"] + sum(run["end_seconds"].values())
                assert 0 < inside <= run["wall_seconds"] <= run["process_seconds"]
            ratios = sorted(run["process_seconds"] / run["loop_seconds"] for run in row["repeats"])
            assert row["over_loop"] == pytest.approx({"min": ratios[0], "median": ratios[1], "max": ratios[2]})
    # Files are written as a case says, each time anew.
    folders = tmp_path / "results/bench-end"
    assert (folders / "01-grid/1/u.vti").exists() and list((folders / "02-flow/2").glob("cells-*.vtu"))
    summary = json.loads((folders / "01-grid/2/summary.json").read_text())
    last = study["cases"][0]["rows"][1]["repeats"][2]
    assert all(last[name] == summary[name] for name in ("wall_seconds", "setup_seconds", "end_seconds"))


def test_cases_of_its_own_are_sound(quoin, tmp_path):
    result = quoin("bench", "end", "--backends", "nonesuch", "--repeats", "1")
    assert result.returncode == 8, result.stdout + result.stderr
    cases = json.loads((tmp_path / "results/bench-end/bench.json").read_text())["cases"]
    assert len(cases) == 4
    for case in cases:
        assert case["goal"]["aim"] < case["goal"]["must"]
        assert "the run ended with code 8" in case["rows"][0]["error"]
    assert "nonesuch" in (tmp_path / "results/bench-end/01-multigrid-4096/1.log").read_text()
    assert "Goal of adv-sin-p3-quad-40: beside 0.08 s" in result.stdout
