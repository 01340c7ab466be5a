"""What DG-CVS cases and their meshes are refused for (row 8 of the list of faults), and runs that grow (row 28)."""

import json
import re
import shutil

import pytest

BASE = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [6, 6]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 2, final_time: 0.1}
backend: serial
output: {directory: result}
"""
SIDES = "left: periodic, right: periodic"
WATER = [("equation: burgers", "equation: shallow_water"),
         ('initial: "0.25+0.5*sin(pi*(x+y))"', "initial: {h: 1, hu: 0, hv: 0}")]
MESH = ("mesh: {cells: [6, 6]}\n  domain: {x: [-1, 1], y: [-1, 1]}", "mesh: {type: gmsh, file: mesh.msh}")

# What is changed, where it is found, and what is said.
REFUSED = {
    "side without condition": ([("left: periodic, right: periodic, ", "")], "6:3", "said of the side 'left'"),
    "unknown side": ([("top: periodic", "top: periodic, lid: open")], "6:80", "its sides are left, right, bottom, top"),
    "periodic without its partner": ([(", top: periodic", "")], "6:55", "'bottom' is periodic and 'top' is not"),
    "periodic with another's partner": ([("left: periodic", "left: {type: periodic, with: top}")], "6:27",
                                        "each must name the other one"),
    "periodic with itself": ([("left: periodic", "left: {type: periodic, with: left}")], "6:27", "each must name"),
    "wall with burgers": ([(SIDES, "left: wall, right: wall")], "6:20", "knows no walls"),
    "exact side without exact": ([(SIDES, "left: exact, right: open")], "6:20",
                                 "there is no 'problem.exact'"),
    "dirichlet without value": ([(SIDES, "left: dirichlet, right: open")], "6:14",
                                "'problem.boundary.left.value'"),
    "no initial state": ([('  initial: "0.25+0.5*sin(pi*(x+y))"\n', "")], "1:1", "needs 'problem.initial'"),
    "missing variable": ([WATER[0], (WATER[1][0], "initial: {h: 1, hu: 0}")], "7:3", "'problem.initial.hv'"),
    "a variable of another law": ([(WATER[1][0], "initial: {u: 1, h: 1}")], "7:22", "burgers has no variable h"),
    "one formula for three variables": ([WATER[0]], "7:12", "shallow_water has no variable u"),
    "negative depth": ([WATER[0], (WATER[1][0], 'initial: {h: "x+0.9", hu: 0, hv: 0}')], "7:16", "not positive"),
    "negative depth at a side": (WATER + [(SIDES, "left: {type: dirichlet, value: {h: y, hu: 0, hv: 0}}, right: open")],
                                 "6:49", "not positive"),
    "initial state with an unknown name": ([("sin(pi*(x+y))", "sin(pi*(x+z))")], "7:32", "unknown name 'z'"),
    "initial state that is not finite": ([("0.25+0.5*sin(pi*(x+y))", "1/(x-x)")], "7:12", "u is not finite"),
    "exact with a wrong formula": ([("method:", '  exact: "sin(x"\nmethod:')], "8:15", "a closing parenthesis is missing"),
    "exact with an unknown name": ([("method:", "  exact: characteristic\nmethod:")], "8:10",
                                   "did you mean 'characteristics'?"),
    "neumann side": ([(SIDES, "left: neumann, right: open")], "6:20", "no side with a given flux; there are periodic,"),
    "misspelt side": ([("top: periodic", "tpo: periodic")], "6:65", "did you mean 'top'?"),
    "periodic side of no rectangle": ([("left: periodic", "left: {type: periodic, with: botom}")], "6:27", "not; both"),
    "definition that divides by zero": ([("problem:", "define: {low: 1/(x-x)}\nproblem:"), ("0.25+", "low+")], "1:15",
                                        "'define.low' is not finite there, and 'problem.initial.u' uses it"),
    "characteristics of a system": (WATER + [("method:", "  exact: characteristics\nmethod:")], "8:10", "formulas"),
    "float with order 3": ([("order: 2", "order: 3, precision: float")], "8:31", "float is for orders up to 2"),
    "bed of burgers": ([("domain:", "bed: x\n  domain:")], "5:3", "problem.bed"),
    "bed that moves": (WATER + [("domain:", "bed: x*t-9\n  domain:")], "5:8", "the bed stays as it is"),
    "bed that is not finite": (WATER + [("domain:", "bed: -1/(x-x)\n  domain:")], "5:8", "the bed is not finite"),
    "bed that differs where sides join": (WATER + [("domain:", "bed: x-9\n  domain:"), (SIDES, "left: periodic, right: periodic")],
                                          "5:8", "which periodic sides join"),
    "surface and depth": (WATER + [("domain:", "bed: -2\n  domain:"), ("{h: 1,", "{eta: 1, h: 3,")], "8:24",
                          "give the surface eta, or the depth h"),
    "negative depth over a bed": ([WATER[0], ("domain:", "bed: x\n  domain:"), (WATER[1][0], 'initial: {h: "0.5-x", hu: 0, hv: 0}')],
                                  "8:16", "the depth h is below 0"),
    "surface without a bed": (WATER + [("{h: 1,", "{eta: 1,")], "7:18", "without a bed"),
    "Newton over a bed": (WATER + [("domain:", "bed: -2\n  domain:"), ("order: 2", "order: 2, solver: newton")], "9:28",
                          "newton is for water over a flat bed"),
    "float over a bed": (WATER + [("domain:", "bed: -2\n  domain:"), ("order: 2", "order: 2, precision: float")], "9:31",
                         "float is for water over a flat bed"),
    "two laws of friction": (WATER + [("shallow_water", "{type: shallow_water, manning: 0.03, chezy: 40}")], "3:57",
                             "problem.equation.manning is given as well; give one of them"),
    "stage without a series": (WATER + [(SIDES, "left: {type: stage}, right: open")], "6:14", "needs 'problem.boundary"),
    "stage of burgers": ([(SIDES, "left: {type: stage, series: a.csv}, right: open")], "6:27", "is for shallow_water"),
    "order 5": ([("order: 2", "order: 5")], "8:17", "allowed: 0 to 4"),
    "limiter at order 0": ([("order: 2", "order: 0, limiter: always")], "8:29", "order 0 has no slopes"),
    "time step and Courant number": ([("order: 2", "order: 2, cfl: 0.1, time_step: 0.1")], "8:41",
                                     "method.cfl is given as well; give one of them"),
    "threshold without the indicator": ([("order: 2", "order: 2, limiter: always, limiter_threshold: 1")], "8:37",
                                        "limiter"),
    "iterations without Newton": ([("order: 2", "order: 2, newton_iterations: 3")], "8:20", "solver"),
    "matrices for burgers": ([("order: 2", "order: 2, solver: matrices")], "8:28", "burgers is not linear"),
    "advection without velocity": ([("burgers", "advection")], "3:3", "velocity"),
    "velocity of burgers": ([("burgers", "{type: burgers, velocity: [1, 1]}")], "3:29", "velocity"),
    "too many steps": ([("final_time: 0.1", "final_time: 1e12, cfl: 1e-6")], "8:32", "more than 1e12 time steps"),
    "probe outside the mesh": ([("result", "result, probes: [[0, 0], [1.5, 0]]")], "10:37", "(1.5, 0) lies outside"),
    "line out of the mesh": ([("result", "result, lines: {cut: {from: [0, 0], to: [0, 3]}}")], "10:61", "outside"),
    "twisted cells": ([("cells: [6, 6]", "cells: [6, 6], perturb: 0.5")], "4:34", "allowed: 0 to 0.44"),
    "cells of a mesh from a file": ([("mesh: {cells", "mesh: {type: gmsh, file: mesh.msh, cells")], "4:38", "gmsh"),
}


def write(tmp_path, changes):
    text = BASE
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    (tmp_path / "case.yaml").write_text(text)


@pytest.mark.row(1)
@pytest.mark.parametrize("fault", REFUSED)
def test_refused_cases(quoin, tmp_path, fault):
    changes, place, words = REFUSED[fault]
    write(tmp_path, changes)
    result = quoin("check", "case.yaml")
    assert result.returncode == 3, result.stderr
    assert f"case.yaml:{place}: error: " in result.stderr and words in result.stderr
    assert quoin("run", "case.yaml").stderr == result.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["case.yaml"]


# Two by one squares with named sides.
SQUARES = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
1 1 "left"
1 2 "right"
1 3 "bottom"
1 4 "top"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
$EndNodes
$Elements
8
1 1 2 1 1 4 1
2 1 2 2 2 3 6
3 1 2 3 3 1 2
4 1 2 3 3 2 3
5 1 2 4 4 6 5
6 1 2 4 4 5 4
7 3 2 9 9 1 2 5 4
8 3 2 9 9 2 3 6 5
$EndElements
"""
# The right square is two triangles and a square above and below: vertex 7 hangs in the edge from 2 to 5.
HANGING = SQUARES.replace("$Nodes\n6", "$Nodes\n8").replace("6 2 1 0\n", "6 2 1 0\n7 1 0.5 0\n8 2 0.5 0\n").replace(
    "$Elements\n8", "$Elements\n10").replace("2 1 2 2 2 3 6\n", "2 1 2 2 2 3 8\n10 1 2 2 2 8 6\n").replace(
    "8 3 2 9 9 2 3 6 5\n", "8 3 2 9 9 2 3 8 7\n9 3 2 9 9 7 8 6 5\n")

MESHES = {
    "truncated": (SQUARES[:300], "mesh.msh"),
    "no mesh": ("squares\n", "mesh.msh"),
    "unknown version": (SQUARES.replace("2.2 0 8", "3.7 0 8"), "3.7"),
    "3-D cells": (SQUARES.replace("8 3 2 9 9 2 3 6 5", "8 4 2 9 9 2 3 6 5"), "mesh.msh:29"),
    "not in a plane": (SQUARES.replace("6 2 1 0\n", "6 2 1 0.5\n"), "mesh.msh"),
    "a cell inside out": (SQUARES.replace("8 3 2 9 9 2 3 6 5", "8 3 2 9 9 2 6 3 5"), "8"),
    "a node that is not there": (SQUARES.replace("8 3 2 9 9 2 3 6 5", "8 3 2 9 9 2 3 6 55"), "55"),
    "an edge without a side": (SQUARES.replace("2 1 2 2 2 3 6\n", "").replace("$Elements\n8", "$Elements\n7"), "edge"),
    "hanging node": (HANGING, "7"),
    "unmatched periodic sides": (SQUARES.replace("6 2 1 0\n", "6 2 1.5 0\n"), "do not match"),
}


@pytest.mark.row(8)
@pytest.mark.parametrize("fault", MESHES)
def test_refused_meshes(quoin, tmp_path, fault):
    text, words = MESHES[fault]
    write(tmp_path, [MESH])
    (tmp_path / "mesh.msh").write_text(text)
    result = quoin("check", "case.yaml")
    assert result.returncode == 3, result.stderr
    assert "mesh.msh" in result.stderr and words in result.stderr
    assert quoin("run", "case.yaml").returncode == 3
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["case.yaml", "mesh.msh"]


GRID = "ncols 2\nnrows 2\nxllcorner -1\nyllcorner -1\ncellsize 1\nnodata_value -9\n"
SERIES = (SIDES, "left: {type: stage, series: file}, right: wall")
BED = ("domain:", "bed: {file: file}\n  domain:")
# What is changed, the text of the file, where the fault lies in it, and what is said.
FILES = {
    "grid of words": (BED, GRID + "-8 -8\n-8 low\n", "8:4", "the height in column 2 of row 2 of 2 must be a number"),
    "grid that ends": (BED, GRID + "-8 -8\n-8", "8:3", "the file ends before the height in column 2 of row 2"),
    "grid with too much": (BED, GRID + "-8 -8 -8\n-8 -8\n", "8:4", "more heights than the 2 x 2"),
    "grid without a size": (BED, GRID.replace("cellsize 1\n", "") + "-8 -8\n-8 -8\n", None, "the header lacks cellsize"),
    "grid of another kind": (BED, "width 2\n", "1:1", "'width' is no part of the header"),
    "grid with a broken count": (BED, GRID.replace("ncols 2", "ncols 2.5") + "-8 -8\n", None, "ncols is 2.5"),
    "series of words": (SERIES, "time,stage\n0,1\n1,high\n", "3:3", "a value must be a number, not 'high'"),
    "series back in time": (SERIES, "0,1\n2,1\n1,1\n", "3:1", "the time 1 does not lie behind 2"),
    "series that starts late": (SERIES, "0.05,1\n2,1\n", "1:1", "starts at 0.05"),
    "series that ends early": (SERIES, "0,1\n0.05,1\n", None, "ends at 0.05, before method.final_time"),
    "series without values": (SERIES, "0,1\n1\n", "2:1", "this one has no value"),
    "empty series": (SERIES, "# nothing\n", None, "no line with a time and a value"),
}


@pytest.mark.row(8)
@pytest.mark.parametrize("fault", FILES)
def test_files_of_ground_and_sides(quoin, tmp_path, fault):
    change, text, place, words = FILES[fault]
    write(tmp_path, [*WATER, change])
    (tmp_path / "file").write_text(text)
    result = quoin("check", "case.yaml")
    assert result.returncode == 3, result.stderr
    assert f"file:{place}: " in result.stderr if place else "file:" in result.stderr
    assert words in result.stderr
    (tmp_path / "file").unlink()
    result = quoin("check", "case.yaml")
    assert result.returncode == 6 and "file" in result.stderr


@pytest.mark.row(8)
def test_ground_without_heights(quoin, tmp_path):
    write(tmp_path, [*WATER, BED])
    (tmp_path / "file").write_text(GRID + "-8 -8\n-9 -8\n")
    result = quoin("check", "case.yaml")
    assert result.returncode == 3
    assert "case.yaml:5:" in result.stderr and "the grid has no height at (" in result.stderr


def said_of_broken(source):
    """What tests/framework/mesh/broken.txt expects, by the name of the file."""
    lines = (source / "tests/framework/mesh/broken.txt").read_text().splitlines()
    return {line.split(":")[0]: line for line in lines}


@pytest.mark.row(8)
@pytest.mark.parametrize("name", ["no-mesh", "version-3", "22-node-twice", "22-line-of-3-nodes", "40-pyramid",
                                  "40-partitions", "41-elements-cut", "41-edge-without-side", "41-nodes-announced"])
def test_broken_files_get_one_message(quoin, source, tmp_path, name):
    shutil.copy(source / f"tests/framework/mesh/broken/{name}.msh", tmp_path)
    write(tmp_path, [(MESH[0], MESH[1].replace("mesh.msh", f"{name}.msh"))])
    for command in ("check", "run"):
        result = quoin(command, "case.yaml")
        assert (result.returncode, result.stderr) == (3, said_of_broken(source)[f"{name}.msh"] + "\n")


@pytest.mark.row(8)
def test_a_broken_binary_file_gets_one_message(quoin, source, tmp_path):
    name = "22-binary-other-byte-order.msh"
    sound = (source / "tests/fuzz/corpus/mesh/old-binary").read_bytes()
    (tmp_path / name).write_bytes(sound.replace(b"1 8\n\1\0\0\0", b"1 8\n\0\0\0\1"))
    write(tmp_path, [(MESH[0], MESH[1].replace("mesh.msh", name))])
    result = quoin("check", "case.yaml")
    assert (result.returncode, result.stderr) == (3, said_of_broken(source)[name] + "\n")


@pytest.mark.row(8)
def test_a_sound_mesh_is_accepted_and_an_absent_one_is_not(quoin, tmp_path):
    write(tmp_path, [MESH])
    absent = quoin("check", "case.yaml")
    assert absent.returncode == 6 and "mesh.msh: cannot open the mesh file" in absent.stderr
    (tmp_path / "mesh.msh").write_text(SQUARES)
    for refined in (1, 2):
        result = quoin("check", "case.yaml", "--set", f"problem.mesh.refine={refined}")
        assert result.returncode == 0, result.stderr


def test_sides_of_a_mesh_may_have_any_name(quoin, tmp_path):
    write(tmp_path, [MESH, ("boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}",
                            """boundary:
    the wall: open
    "1.5 \\"in\\"": {type: periodic, with: über}
    über: {type: periodic, with: '1.5 "in"'}
    a.b=c: {type: dirichlet, value: inflow}""")])
    case = tmp_path / "case.yaml"
    case.write_text("define: {inflow: 0.25 + 0.5*sin(pi*x)}\n" + case.read_text())
    names = ['the wall', 'a.b=c', '1.5 "in"', 'über']
    mesh = SQUARES
    for plain, odd in zip(["left", "right", "bottom", "top"], names):
        mesh = mesh.replace(f'"{plain}"', f'"{odd}"')
    (tmp_path / "mesh.msh").write_text(mesh)
    result = quoin("run", "case.yaml", "--set", "method.final_time=0.01", "--set",
                   'problem.boundary."a.b=c".value=x < 0 ? 1 : inflow')
    assert result.returncode == 0, result.stderr
    resolved = (tmp_path / "result/case.yaml").read_text()
    assert "'a.b=c':\n      type: dirichlet\n      value:\n        u: 'x < 0 ? 1 : inflow'\n" in resolved
    (tmp_path / "resolved.yaml").write_text(resolved)
    assert quoin("run", "resolved.yaml", "--output", "again").returncode == 0
    assert (tmp_path / "again/case.yaml").read_text() == resolved.replace("directory: 'result'", "directory: 'again'")
    wrong = quoin("check", "case.yaml", "--set", 'problem.boundary."the wal"=open', "--output", "other")
    assert wrong.returncode == 3 and "no side 'the wal'; did you mean 'the wall'?" in wrong.stderr, wrong.stderr
    unclosed = quoin("check", "case.yaml", "--set", 'problem.boundary."the wal=open', "--output", "other")
    assert unclosed.returncode == 2 and "expected KEY=VALUE" in unclosed.stderr, unclosed.stderr


@pytest.mark.row(28)
def test_a_time_step_beyond_the_limit_ends_as_diverged(quoin, tmp_path):
    """15 % above the measured limit of order 2 on squares, from a start that is rough at the scale of the cells."""
    write(tmp_path, [("equation: burgers", "equation: {type: advection, velocity: [1, 0]}"),
                     ("0.25+0.5*sin(pi*(x+y))", "sin(1234.5*x*x+77.7*y)*cos(513.1*y*y-98.3*x)")])
    result = quoin("run", "case.yaml", "--set", "method.cfl=0.557", "--set", "method.final_time=370")
    assert result.returncode == 5, result.stderr
    assert "method.cfl is 0.557, and 0.45 would be stable" in result.stderr
    assert re.search(r"at step \d+, most in cell \d+ at \(\S+, \S+\)", result.stderr)
    facts = json.loads((tmp_path / "result/summary.json").read_text())
    assert facts["status"] == "diverged" and facts["exit_code"] == 5
    # The last row of the history is the one that tells: the first above a thousand times the start's norm.
    norms = [float(row.split(",")[3]) for row in (tmp_path / "result/history.csv").read_text().splitlines()[1:]]
    assert norms[-1] > 100 * norms[0] and all(norm < 3000 * norms[0] for norm in norms[:-1])
    rare = quoin("run", "case.yaml", "--force", "--set", "method.cfl=0.557", "--set", "method.final_time=370", "--set",
                 "output.history_every=1000")
    assert rare.returncode == 5, rare.stderr
    later = json.loads((tmp_path / "result/summary.json").read_text())["iterations"]
    assert facts["iterations"] <= later and int(re.search(r"at step (\d+)", rare.stderr)[1]) <= int(
        re.search(r"at step (\d+)", result.stderr)[1]) + 10
    assert quoin("run", "case.yaml", "--force", "--set", "method.final_time=20").returncode == 0


def test_check_says_how_many_time_steps_there_are(quoin, tmp_path):
    """At least so many where waves may speed up, and what is stable."""
    write(tmp_path, [])
    said = quoin("check", "case.yaml").stderr
    assert re.search(r"at least \d+ time steps of [\d.e-]+, where up to [\d.e-]+ is stable", said), said
    given = quoin("check", "case.yaml", "--set", "method.time_step=0.01").stderr
    assert re.search(r"info: \d+ time steps of 0.01, where up to [\d.e-]+ is stable", given), given
