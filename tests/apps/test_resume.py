"""Runs that go farther than they were to."""

import csv

import pytest
from conftest import results, summary

JACOBI = """\
problem:
  type: jacobi
  grid: {nodes: [45, 37]}
  source: "x*y"
  boundary: {left: "1+y", top: "x*x"}
  initial: "x*sin(y)"
method: {relative_tolerance: 1e-9, max_iterations: 100000}
output: {directory: long}
"""
DGCVS = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [8, 8]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 2, cfl: 0.4, final_time: 0.5}
output: {directory: long, fields: {every: 0.07}, history_every: 4, probes: [[0.3, 0.1]]}
"""
ADVECTION = DGCVS.replace("burgers", "{type: advection, velocity: [1, 0.5]}") \
    .replace("initial", 'exact: "0.25+0.5*sin(pi*(x-t+y-0.5*t))"\n  initial')
def everything(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def rows(file):
    return list(csv.DictReader(file.open()))


@pytest.fixture
def run(quoin):
    def run_it(*arguments, code=0):
        done = quoin(*arguments)
        assert done.returncode == code, done.stderr
        return done.stderr
    return run_it


def case(tmp_path, text):
    (tmp_path / "case.yaml").write_text(text)


def require_same(tmp_path, one="short", other="long"):
    """But for what the runs are called, and how long they took."""
    ours, theirs = results(tmp_path / one), results(tmp_path / other)
    ours["case.yaml"] = (tmp_path / one / "case.yaml").read_text().replace(one, other)
    theirs["case.yaml"] = (tmp_path / other / "case.yaml").read_text()
    assert sorted(ours) == sorted(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []
    for fact in ("status", "iterations", "residual", "field_sha256", "history_sha256", "fields"):
        assert summary(tmp_path / one)[fact] == summary(tmp_path / other)[fact], fact


METHODS = {"jacobi": ("", 37), "classic": ("variant: classic, ", 60), "float": ("precision: float, ", 100),
           "rarely": ("check_every: 7, ", 200), "chebyshev": ("solver: chebyshev, ", 37),
           "multigrid": ("solver: multigrid, ", 3)}


@pytest.mark.parametrize("name", METHODS)
def test_a_larger_limit_of_iterations(run, tmp_path, name):
    method, few = METHODS[name]
    text = JACOBI.replace("1e-9", "1e-4") if name == "float" else JACOBI
    case(tmp_path, text.replace("method: {", "method: {" + method))
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", f"method.max_iterations={few}", code=4)
    assert summary(tmp_path / "short")["status"] == "not_converged"
    run("resume", "short", "--set", f"method.max_iterations={few + 1}", code=4)
    run("resume", "short", "--set", "method.max_iterations=100000")
    assert summary(tmp_path / "short")["resumed"]["iterations"] == few + 1
    require_same(tmp_path)


def test_more_iterations_without_a_tolerance(run, tmp_path):
    case(tmp_path, JACOBI.replace("max_iterations: 100000", "stop: iterations, max_iterations: 200"))
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", "method.max_iterations=50")
    run("resume", "short", "--set", "method.max_iterations=200")
    require_same(tmp_path)


@pytest.mark.parametrize("solver", ["jacobi", "chebyshev", "multigrid"])
def test_a_smaller_tolerance(run, tmp_path, solver):
    case(tmp_path, JACOBI.replace("method: {", f"method: {{solver: {solver}, "))
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", "method.relative_tolerance=1e-3")
    assert summary(tmp_path / "short")["status"] == "converged"
    run("resume", "short", "--set", "method.relative_tolerance=1e-9")
    require_same(tmp_path)


def test_a_larger_tolerance_for_a_run_that_stagnated(run, tmp_path):
    case(tmp_path, JACOBI.replace("method: {", "method: {solver: multigrid, "))
    run("run", "case.yaml", "--set", "method.relative_tolerance=1e-19", code=4)
    assert summary(tmp_path / "long")["status"] == "stagnated"
    run("resume", "long", "--set", "method.relative_tolerance=1e-6")
    assert summary(tmp_path / "long")["status"] == "converged"


def test_more_time_steps(run, tmp_path):
    """The frame and the row of the end that was are no part of the run that goes farther."""
    case(tmp_path, DGCVS.replace("final_time: 0.5", "final_time: 2"))
    run("run", "case.yaml", "--set", "method.max_steps=11", code=4)
    run("run", "case.yaml", "--output", "short", "--set", "method.max_steps=6", code=4)
    assert [row["step"] for row in rows(tmp_path / "short/history.csv")] == ["0", "4", "6"]
    run("resume", "short", "--set", "method.max_steps=11", code=4)
    require_same(tmp_path)


@pytest.mark.parametrize("solver", ["sweeps", "newton", "matrices"])
def test_a_later_final_time(run, tmp_path, solver):
    """The steps of the past stay what they are; those to come are as good as any."""
    case(tmp_path, ADVECTION.replace("order: 2", f"solver: {solver}, order: 2"))
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", "method.final_time=0.21")
    before = results(tmp_path / "short")
    run("resume", "short", "--set", "method.final_time=0.5")
    after = results(tmp_path / "short")
    facts = summary(tmp_path / "short")
    assert facts["status"] == "completed" and facts["time"] == pytest.approx(0.5, abs=1e-14)
    assert facts["errors"]["l2"] == pytest.approx(summary(tmp_path / "long")["errors"]["l2"], rel=0.05)
    frames = sorted(name for name in before if name.endswith(".vtu"))
    # The newest .h5 has coefficients in time, which are in the steps that follow.
    frames += sorted(name for name in before if name.endswith(".h5"))[:-1]
    assert len(frames) >= 6 and [name for name in frames if after[name] != before[name]] == []
    steps = {row["step"]: row for row in rows(tmp_path / "short/history.csv")}
    times = [float(row["time"]) for row in steps.values()]
    assert times == sorted(times) and len(set(times)) == len(times)
    assert times[-1] == pytest.approx(0.5, abs=1e-14)


def test_an_earlier_final_time_that_is_still_to_come(run, tmp_path):
    case(tmp_path, ADVECTION)
    run("run", "case.yaml", "--set", "method.max_steps=3", code=4)
    message = run("resume", "long", "--set", "method.final_time=0.001", code=3)
    assert "--set method.final_time:1:19: error: the run has reached t = " in message
    run("resume", "long", "--set", "method={max_steps: 1000, final_time: 0.31, order: 2, cfl: 0.4}")
    assert summary(tmp_path / "long")["time"] == pytest.approx(0.31, abs=1e-14)


def test_what_is_done_stays_as_it_is(run, tmp_path):
    """Keys on which it depends, and limits that lie behind, are named; nothing is touched."""
    case(tmp_path, JACOBI)
    run("run", "case.yaml", "--set", "method.max_iterations=50", code=4)
    before = everything(tmp_path / "long")
    message = run("resume", "long", "--set", "problem.source=1", "--set", "method.solver=chebyshev", "--set",
                  "method.max_iterations=100", "--set", "output.directory=elsewhere", code=3)
    assert "--set problem.source:1:16: error: a run that goes on keeps its 'problem.source'" in message
    assert "--set method.solver:1:15: error: a run that goes on keeps its 'method.solver'" in message
    assert "--set output.directory:1:18: error: a run goes on in the folder that is given" in message
    assert "max_iterations" not in message
    message = run("resume", "long", "--set", "method.max_iterations=49", code=3)
    assert "--set method.max_iterations:1:23: error: the run has done 50 iterations already" in message
    run("resume", "long", "--set", "method.max_iteration=100", code=3)
    assert everything(tmp_path / "long") == before

    case(tmp_path, DGCVS)
    run("run", "case.yaml", "--output", "waves", "--set", "method.max_steps=5", code=4)
    before = everything(tmp_path / "waves")
    for key, value in (("method.order", "1"), ("method.cfl", "0.1"), ("method.max_steps", "4"),
                       ("method.final_time", "0.01")):
        assert f"--set {key}:1:" in run("resume", "waves", "--set", f"{key}={value}", code=3)
    assert everything(tmp_path / "waves") == before


@pytest.mark.parametrize("text, limit, code", [(JACOBI, "method.max_iterations=100000", 0),
                                               (JACOBI, "method.max_iterations=20", 4),
                                               (DGCVS, "method.final_time=0.1", 0)])
def test_a_run_that_has_ended_is_left_alone(run, tmp_path, text, limit, code):
    case(tmp_path, text)
    run("run", "case.yaml", "--set", limit, code=code)
    before = everything(tmp_path / "long")
    assert "nothing is left to do" in run("resume", "long", code=code)
    assert "nothing is left to do" in run("resume", "long", "--backend", "check", code=code)
    assert everything(tmp_path / "long") == before


def test_what_is_written_may_change(run, tmp_path):
    case(tmp_path, JACOBI)
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", "output.fields=false", "--set", "output.history=false",
        "--set", "method.max_iterations=50", code=4)
    assert not {"u.vti", "history.csv"} & set(results(tmp_path / "short"))
    run("resume", "short", "--set", "output={fields: true, history: true}", "--set", "method.max_iterations=100000")
    require_same(tmp_path)
    run("resume", "short", "--set", "output={fields: false, history: false}")
    assert not {"u.vti", "history.csv"} & set(results(tmp_path / "short"))


def test_the_larger_limit_holds_until_the_run_has_met_it(run, tmp_path):
    """As after a kill that came before the next checkpoint: case.yaml knows more than the checkpoint."""
    case(tmp_path, JACOBI)
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", "method.max_iterations=50", code=4)
    kept = tmp_path / "short/case.yaml"
    kept.write_text(kept.read_text().replace("max_iterations: 50", "max_iterations: 100000"))
    (tmp_path / "short/summary.json").unlink()
    run("resume", "short")
    require_same(tmp_path)


def test_no_checkpoint_where_none_is_wanted(run, tmp_path):
    case(tmp_path, JACOBI)
    run("run", "case.yaml")
    assert len(list((tmp_path / "long").glob("checkpoint-*.h5"))) == 1
    run("run", "case.yaml", "--force", "--set", "run.checkpoint.end=false")
    assert not list((tmp_path / "long").glob("checkpoint-*"))
    assert "there is no checkpoint" in run("resume", "long", code=9)
