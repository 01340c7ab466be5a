"""Values at points and along lines: probes.csv and LINE-STEP.csv."""

import csv
import json
import math

import numpy
import pytest

WAVE = """\
problem:
  type: dg-cvs
  equation: {type: advection, velocity: [1, 0.5]}
  mesh: {cells: [6, 6], shape: tri}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*(x-t))*sin(pi*(y-0.5*t))"
method: {order: 3, cfl: 0.25, final_time: 0.5}
output: {directory: result, fields: false}
"""


def table(file):
    return numpy.genfromtxt(file, delimiter=",", names=True)


def wave(x, y, t):
    return numpy.sin(math.pi * (x - t)) * numpy.sin(math.pi * (y - 0.5 * t))


def run(quoin, tmp_path, text, *settings):
    (tmp_path / "case.yaml").write_text(text)
    result = quoin("run", "case.yaml", "--force", *(part for s in settings for part in ("--set", s)))
    assert result.returncode == 0, result.stderr
    return json.loads((tmp_path / "result/summary.json").read_text())


def test_probes_need_no_frames(quoin, tmp_path):
    facts = run(quoin, tmp_path, WAVE, "output.probes=[[0.3,0.1],[-0.7,1]]")
    rows = table(tmp_path / "result/probes.csv")
    assert rows.dtype.names == ("step", "time", "probe", "x", "y", "u")
    steps = sorted({*range(0, facts["steps"], 10), facts["steps"]})
    assert list(rows["step"]) == [step for step in steps for _ in range(2)] and len(steps) > 2
    assert list(rows["probe"]) == [1, 2] * len(steps)
    assert list(rows["x"][:2]) == [0.3, -0.7] and list(rows["y"][:2]) == [0.1, 1]
    assert rows["time"][0] == 0 and rows["time"][-1] == pytest.approx(0.5)
    assert rows["u"] == pytest.approx(wave(rows["x"], rows["y"], rows["time"]), abs=5e-3)
    assert "probes.csv" in facts["fields"] and not list((tmp_path / "result").glob("*.vtu"))


@pytest.mark.parametrize("every, count", [("0.1", 6), ("7 steps", None), ("1 step", None), ("3", 2)])
def test_probes_by_time_and_by_steps(quoin, tmp_path, every, count):
    facts = run(quoin, tmp_path, WAVE, "output.probes.points=[[0,0]]", f"output.probes.every={every}")
    rows = table(tmp_path / "result/probes.csv")
    if count is None:
        between = int(every.split()[0])
        assert list(rows["step"]) == sorted({*range(0, facts["steps"], between), facts["steps"]})
    else:
        assert len(rows) == count
        # Each at the first step that is there or beyond.
        times = numpy.minimum(numpy.arange(count) * float(every), 0.5)
        assert (rows["time"] >= times - 1e-12).all() and (rows["time"] < times + facts["time_step"]).all()


def test_frames_and_lines_begin_at_the_start(quoin, tmp_path):
    facts = run(quoin, tmp_path, WAVE, "output.fields={every: 0.25, level: both}",
                "output.lines={cut: {from: [-1, -0.5], to: [0.5, 1], samples: 31}, "
                "rare: {from: [0, 0], to: [1, 0], every: 5 steps}}")
    folder = tmp_path / "result"
    times = [float(line.split('"')[1]) for line in (folder / "cells.pvd").read_text().splitlines() if "timestep" in line]
    assert len(times) == 3 and times[0] == 0 and times[1] == pytest.approx(0.25, abs=facts["time_step"])
    assert (folder / "cells-000000.h5").exists() and not (folder / "vertices-000000.h5").exists()
    cuts = sorted(folder.glob("cut-*.csv"))
    assert [file.stem[4:] for file in cuts] == [file.stem[6:] for file in sorted(folder.glob("cells-*.vtu"))]
    assert {file.name for file in folder.glob("rare-*.csv")} >= {"rare-000000.csv", "rare-000005.csv"}
    assert {file.name for file in folder.glob("*-*.csv")} <= set(facts["fields"])
    for file, time in zip(cuts, times):
        rows = table(file)
        assert rows.dtype.names == ("step", "time", "distance", "x", "y", "u") and len(rows) == 31
        assert (rows["time"] == time).all() and (rows["step"] == int(file.stem[4:])).all()
        assert rows["distance"] == pytest.approx(numpy.linspace(0, 1.5 * 2 ** 0.5, 31))
        assert rows["x"] == pytest.approx(rows["distance"] / 2 ** 0.5 - 1) and rows["y"] == pytest.approx(rows["x"] + 0.5)
        assert rows["u"] == pytest.approx(wave(rows["x"], rows["y"], time), abs=5e-3)


def test_nothing_else_changes(quoin, tmp_path):
    """Values are looked at, not disturbed."""
    alone = run(quoin, tmp_path, WAVE)
    looked_at = run(quoin, tmp_path, WAVE, "output.probes={every: 1 step, points: [[0,0]]}",
                    "output.lines.cut={from: [0,0], to: [1,1], every: 0.03}")
    for key in ("field_sha256", "history_sha256", "case_sha256", "steps"):
        assert alone[key] == looked_at[key]


# x + 2y is bilinear, and the scheme is exact for it.
@pytest.mark.parametrize("precision, solver", [("double", "jacobi"), ("float", "multigrid")])
def test_probes_and_lines_of_jacobi(quoin, case, tmp_path, precision, solver):
    every = 250 if solver == "jacobi" else 2
    plain = run(quoin, tmp_path, case.read_text(), f"method.precision={precision}", f"method.solver={solver}",
                "method.tolerance=1e-3")
    facts = run(quoin, tmp_path, case.read_text(), f"method.precision={precision}", f"method.solver={solver}",
                "method.tolerance=1e-3",
                f"output.probes={{every: {every}, points: [[0, 0], [3, 2], [1.234, 0.567], [0.01, 1], [2.99, 1.99]]}}",
                "output.lines={cut: {from: [0, 2], to: [3, 0], samples: 7}}")
    for key in ("field_sha256", "history_sha256", "iterations", "residual"):
        assert plain[key] == facts[key], key
    folder, last = tmp_path / "result", facts["iterations"]
    rows = table(folder / "probes.csv")
    assert rows.dtype.names == ("iteration", "probe", "x", "y", "u")
    assert list(rows["iteration"][::5]) == sorted({*range(0, last, every), last}) and len(rows) > 10
    start = rows[:5]
    assert list(start["u"][:3]) == [0, 7, 0]  # the corners, and inside where the run starts from nothing
    # A third of a spacing from the left side: bilinear between that and the nodes beside it.
    assert start["u"][3] == pytest.approx((1 - 0.01 * 31 / 3) * 2, rel=1e-6)
    end = rows[-5:]
    assert end["u"] == pytest.approx(end["x"] + 2 * end["y"], abs=1e-3)
    assert sorted(file.name for file in folder.glob("cut-*")) == ["cut-000000.csv", f"cut-{last:06}.csv"]
    line = table(folder / f"cut-{last:06}.csv")
    assert line.dtype.names == ("iteration", "distance", "x", "y", "u")
    assert line["u"] == pytest.approx(line["x"] + 2 * line["y"], abs=1e-3) and len(line) == 7
    assert line["distance"][-1] == pytest.approx(13 ** 0.5)


def test_lines_of_jacobi_as_it_goes(quoin, case, tmp_path):
    facts = run(quoin, tmp_path, case.read_text(), "output.lines.cut={from: [1, 0], to: [1, 2], every: 1000}")
    wanted = sorted({*range(0, facts["iterations"], 1000), facts["iterations"]})
    assert [int(file.stem[4:]) for file in sorted((tmp_path / "result").glob("cut-*"))] == wanted and len(wanted) > 2


# `>` stands before what the message points at.
@pytest.mark.parametrize("output, words", [
    *((f"probes: {{points: [[0, 0]], every: >{every}}}", "must be a time of the simulation, as 0.1, or a number of steps")
      for every in ("0", "-0.1", "5 min", "-1 steps", "1.5 steps", "0 steps", "nan", "1e999", "10  steps")),
    ("probes: {every: >0.1}", "there are no probes: give 'output.probes.points'"),
    ("probes: {points: >[]}", "1 or more points"),
    ("probes: >5", "in brackets"),
    ("probes: >[[0, 0], [2, 0]]", "(2, 0) lies outside the mesh"),
    ("lines: {cut: {from: >[-2, 0], to: [0, 0]}}", "(-2, 0) lies outside the mesh"),
    ("lines: {cut: {from: [0, 0], to: >[2, 0]}}", "lies outside the mesh"),
    ("lines: {cut: {from: [0, 0], to: [1, 0], every: >often}}", "must be a time of the simulation"),
    ("fields: {every: >0}", "must be a time of the simulation")])
def test_mistakes(quoin, tmp_path, output, words):
    text = WAVE.replace("fields: false", output)
    column = text.splitlines()[-1].index(">") + 1
    (tmp_path / "case.yaml").write_text(text.replace(">", ""))
    for command in ("check", "run"):
        result = quoin(command, "case.yaml")
        assert result.returncode == 3 and f"case.yaml:10:{column}: error: " in result.stderr, result.stderr
        assert words in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["case.yaml"]


def test_mistakes_of_jacobi(quoin, case, tmp_path):
    for setting, words in [("probes=[[3.1,0]]", "the point (3.1, 0) lies outside the rectangle"),
                           ("probes={points: [[0,0]], every: 0.1}", "is a real number; an integer"),
                           ("probes={points: [[0,0]], every: 0}", "allowed: 1 to"),
                           ("lines={cut: {from: [0,0], to: [1,-1]}}", "lies outside the rectangle")]:
        result = quoin("run", case, "--set", "output." + setting)
        assert result.returncode == 3 and words in result.stderr, result.stderr
    assert not (tmp_path / "result").exists()


def test_rows_are_all_as_wide(quoin, tmp_path):
    """Of several variables, too."""
    text = WAVE.replace("{type: advection, velocity: [1, 0.5]}", "{type: shallow_water, gravity: 1}")
    text = text.replace('"sin(pi*x)*sin(pi*y)"', '{h: "1+0.1*sin(pi*x)", hu: "0", hv: "0.2"}')
    text = "\n".join(line for line in text.splitlines() if "exact" not in line) + "\n"
    run(quoin, tmp_path, text, "output.probes=[[0,0],[0.5,0.5],[1,1]]")
    rows = list(csv.reader((tmp_path / "result/probes.csv").read_text().splitlines()))
    assert rows[0] == ["step", "time", "probe", "x", "y", "h", "hu", "hv"] and {len(row) for row in rows} == {8}
    assert float(rows[2][5]) == pytest.approx(1.1, abs=1e-3) and float(rows[2][7]) == pytest.approx(0.2, abs=1e-6)
