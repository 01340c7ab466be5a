"""Runs that start from the fields of others: `initial: {from: results/x}`."""

import h5py
import pytest
from test_resume import ADVECTION, JACOBI, case, everything, require_same, rows, run, summary  # noqa: F401


def onwards(text, folder="long"):
    """The case with the fields of another run at its start."""
    head, _, rest = text.partition("initial: ")
    return head + f"initial: {{from: {folder}}}" + rest[rest.index("\n"):]


def test_jacobi_goes_on_from_the_field_of_another_run(run, tmp_path):  # noqa: F811
    case(tmp_path, JACOBI)
    run("run", "case.yaml", "--set", "method.max_iterations=300", code=4)
    whole = rows(tmp_path / "long/history.csv")
    case(tmp_path, onwards(JACOBI))
    run("check", "case.yaml", "--output", "next")
    message = run("run", "case.yaml", "--output", "next")
    assert "starts from the fields of checkpoint-000000000300.h5 in long" in message
    assert "starts from the fields" in (tmp_path / "next/run.log").read_text()
    run("resume", "long", "--set", "method.max_iterations=100000")
    there, here = rows(tmp_path / "long/history.csv"), rows(tmp_path / "next/history.csv")
    assert there[:301] == whole
    # The norm of an iteration is that of the field before it, so that both tables have it from there on.
    assert [row["residual"] for row in here[1:]] == [row["residual"] for row in there[301:]]
    assert (tmp_path / "next/u.vti").read_bytes() == (tmp_path / "long/u.vti").read_bytes()
    run("run", "case.yaml", "--output", "narrow", "--set", "method={precision: float, relative_tolerance: 1e-4}")
    assert int(summary(tmp_path / "narrow")["iterations"]) < 100


@pytest.mark.parametrize("text, limit", [(JACOBI, "method.max_iterations=60"), (ADVECTION, "method.max_steps=5")])
def test_a_run_needs_the_other_one_only_at_its_start(run, tmp_path, text, limit):  # noqa: F811
    case(tmp_path, text)
    run("run", "case.yaml", "--output", "old", "--set", limit, code=4)
    case(tmp_path, onwards(text, "old"))
    run("run", "case.yaml")
    run("run", "case.yaml", "--output", "short", "--set", limit, code=4)
    (tmp_path / "old").rename(tmp_path / "gone")
    run("resume", "short", "--set", limit.replace("60", "100000").replace("=5", "=1000"))
    short = tmp_path / "short/case.yaml"
    long = tmp_path / "long/case.yaml"
    for key in ("max_iterations", "max_steps"):  # which one of the runs was never given
        lines = [line for line in short.read_text().splitlines(True) if key not in line]
        short.write_text("".join(lines))
        long.write_text("".join(line for line in long.read_text().splitlines(True) if key not in line))
    require_same(tmp_path)
    message = run("check", "case.yaml", "--output", "another", code=3)
    assert "case.yaml:6:" in message or "case.yaml:8:" in message
    assert "there is no folder old" in message


@pytest.mark.parametrize("solver", ["sweeps", "matrices"])
@pytest.mark.parametrize("precision", ["double", "float"])
def test_waves_go_on_from_those_of_another_run(run, tmp_path, solver, precision):  # noqa: F811
    """As exactly as without the break, and with steps of their own."""
    text = ADVECTION.replace("order: 2", f"solver: {solver}, order: 2")
    case(tmp_path, text)
    run("run", "case.yaml", "--set", "method.final_time=0.25")
    run("run", "case.yaml", "--output", "whole", "--set", "method.final_time=0.5")
    text = text.replace("x-t+y-0.5*t", "x-(t+0.25)+y-0.5*(t+0.25)").replace("final_time: 0.5", "final_time: 0.25")
    case(tmp_path, onwards(text.replace("order: 2", f"order: 2, precision: {precision}")))
    run("check", "case.yaml", "--output", "next")
    run("run", "case.yaml", "--output", "next")
    whole, after = summary(tmp_path / "whole"), summary(tmp_path / "next")
    assert after["errors"]["l2"] == pytest.approx(whole["errors"]["l2"], rel=0.05)
    assert after["mass"]["start"] == pytest.approx(whole["mass"]["end"], rel=1e-12 if precision == "double" else 1e-6)
    with h5py.File(next((tmp_path / "next").glob("cells-000000.h5"))) as start:
        with h5py.File(max((tmp_path / "long").glob("cells-*.h5"))) as end:
            rounding = 1e-15 if precision == "double" else 1e-6
            assert abs(start["fields/u"][:] - end["fields/u"][:]).max() <= rounding


MISFITS = {
    "grid": (JACOBI, "problem.grid.nodes=[45, 38]", "problem.grid.nodes is [45, 37] there, and [45, 38] here"),
    "domain": (JACOBI, "problem.domain.x=[0, 2]", "problem.domain.x is [0, 1] there, and [0, 2] here"),
    "both": (JACOBI, "problem.initial.u=x", "give either 'from', or a formula"),
    "itself": (JACOBI, "output.directory=long", "the run would replace what it starts from"),
    "cells": (ADVECTION, "problem.mesh.cells=[8, 9]", "problem.mesh.cells is [8, 8] there, and [8, 9] here"),
    "order": (ADVECTION, "method.order=1", "method.order is 2 there, and 1 here"),
    "law": (ADVECTION, "problem.equation=burgers", "problem.equation.type is advection there, and burgers here"),
    "periodic": (ADVECTION, "problem.boundary={left: periodic, right: periodic, bottom: exact, top: exact}",
                 "the other run has another mesh, or other periodic sides"),
    "open": (ADVECTION, "problem.boundary={left: open, right: open, bottom: open, top: open}", "is open"),
    "problem": (ADVECTION, "problem.initial.from=jacobi", "problem.type is jacobi there, and dg-cvs here"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_what_does_not_fit_is_named(run, tmp_path, name):  # noqa: F811
    text, change, words = MISFITS[name]
    case(tmp_path, JACOBI)
    run("run", "case.yaml", "--output", "jacobi", "--set", "method.max_iterations=5", code=4)
    case(tmp_path, text)
    run("run", "case.yaml", "--set", "method={max_steps: 3, order: 2, final_time: 1}" if text == ADVECTION else
        "method.max_iterations=5", code=4)
    before = everything(tmp_path / "long")
    case(tmp_path, onwards(text))
    for command in ("check", "run"):
        assert words in run(command, "case.yaml", "--output", "next", "--set", change, code=3)
    assert everything(tmp_path / "long") == before and not (tmp_path / "next").exists()


def test_nothing_to_start_from(run, tmp_path):  # noqa: F811
    case(tmp_path, onwards(JACOBI, "nowhere"))
    assert "there is no folder nowhere" in run("check", "case.yaml", code=3)
    (tmp_path / "nowhere").mkdir()
    assert "nothing to start from in nowhere: there is no checkpoint" in run("check", "case.yaml", code=3)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["case.yaml", "nowhere"]
