"""`quoin bench remapping`: entities of the boundary in launches of their own, or with the others in one."""

import json

import pytest

WAYS = ["boundary_last", "boundary_last_together", "mesh_order", "mesh_order_indexed"]
CASE = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [6, 5], perturb: 0.1}
  boundary: {left: {type: dirichlet, value: 1}, right: open, bottom: periodic, top: periodic}
  initial: "1+0.1*sin(2*pi*x)"
method: {order: 1, final_time: 1}
output: {directory: unused}
"""


def test_every_way_on_every_backend(quoin, source, monkeypatch, tmp_path):
    file = tmp_path / "waves.yaml"
    file.write_text(CASE)
    result = quoin("bench", "remapping", file, "--backends", "serial,template", "--repeats", 3, "--steps", 4,
                   "--output", "here", "--json", "copy.json")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "here/bench.json").read_text())
    assert json.loads((tmp_path / "copy.json").read_text()) == study and study["complete"] and study["exit_code"] == 0
    assert study["benchmark"] == "remapping"
    (case,) = study["cases"]
    assert case["boundary"] is None
    assert [(row["requested"], row["entities"]) for row in case["rows"]] == [
        (backend, way) for backend in ("serial", "template") for way in WAYS]
    for number, row in enumerate(case["rows"], 1):
        assert row["steps"] == 4 and len(row["repeats"]) == 3 and row["same_bits"]
        # One launch for all has one row of kernels a level.
        kernels = {kernel["name"] for kernel in row["repeats"][0]["kernels"]}
        assert ("cells, boundary" in kernels) == ("vertices, boundary" in kernels) == (row["entities"] == WAYS[0])
        us = [1e6 * run["seconds"] / 4 for run in row["repeats"]]
        assert row["us_per_step"] == pytest.approx({"median": sorted(us)[1], "min": min(us), "max": max(us)})
        apart = case["rows"][0 if row["requested"] == "serial" else 4]
        assert row["time_ratio"] == pytest.approx(row["us_per_step"]["median"] / apart["us_per_step"]["median"])
        assert row["loop_time_ratio"] == pytest.approx(
            row["loop_us_per_step"]["median"] / apart["loop_us_per_step"]["median"])
        lines = [line.split() for line in result.stdout.splitlines() if f" {row['entities']} " in line]
        assert lines[0 if row["requested"] == "serial" else 1][-1] == "equal"
        assert json.loads((tmp_path / f"here/01-waves/{number}/summary.json").read_text())["fields"] == []
    monkeypatch.syspath_prepend(source / "apps/bench")
    import tables
    table = tables.remapping(study).splitlines()
    assert table[0].count("|") == 8 and len(table) == 4
    assert table[2].startswith(f"| `{file}` | - | `serial` | {case['rows'][0]['us_per_step']['median']:.1f} | ")


def test_the_built_in_cases(quoin, tmp_path):
    small = [word for key, value in (("mesh.cells", "[8,6]"), ("domain.x", "[0,8]"), ("domain.y", "[0,6]"))
             for word in ("--set", f"problem.{key}={value}")]
    result = quoin("bench", "remapping", "--repeats", 1, "--steps", 1, *small)
    assert result.returncode == 0, result.stderr
    cases = json.loads((tmp_path / "results/bench-remapping/bench.json").read_text())["cases"]
    assert [(case["case"], round(100 * case["boundary"], 1)) for case in cases] == [
        (f"burgers-p{order}-{cells}", share)
        for cells, share in (("40x40", 9.8), ("80x20", 2.5), ("4x400", 50.0), ("640x640", 0.6), ("80x5120", 2.5),
                             ("4x65536", 50.0))
        for order in (1, 3)]
    assert "burgers-p1-80x20, 2.5 %" in result.stdout
    assert all(row["same_bits"] for case in cases for row in case["rows"])
