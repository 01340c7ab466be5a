"""Clocks, time zones and locales: row 31 of the list of faults. None of them reaches results or files."""

import datetime
import json
import os
import re
import subprocess

import pytest

DGCVS = """\
problem:
  type: dg-cvs
  equation: {type: advection, velocity: [1, 0.5]}
  mesh: {cells: [6, 6], perturb: 0.2}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*(x-t))*sin(pi*(y-0.5*t))"
method: {order: 2, final_time: 0.1}
output: {directory: result, fields: {every: 0.05}, probes: [[0.5, 0.5]], lines: {cut: {from: [-1, 0], to: [1, 0]}}}
"""
# What tells or depends on the time that the run took, or on the machine's load.
TIMES = re.compile("seconds|per_second|percent|^message$|^date$|^launches$")
CLOCKS = {"steps back": "+0 x-20", "stands": "+0 x0.000001", "is slow": "-10y x0.1", "before 1970": "@1969-12-31 00:00:00",
          "after 2038": "@2039-01-01 00:00:00"}


@pytest.fixture(params=["jacobi", "dgcvs"])
def undisturbed(request, quoin, case, tmp_path):
    """The folder of an undisturbed run; the same case is solved under faults then."""
    if request.param == "dgcvs":
        case.write_text(DGCVS)
    assert quoin("run", case, env={**os.environ, "LC_ALL": "C", "TZ": "UTC"}).returncode == 0
    return (tmp_path / "result").rename(tmp_path / "undisturbed")


def facts(folder):
    return {key: value for key, value in json.loads((folder / "summary.json").read_text()).items()
            if not TIMES.search(key) and key not in ("kernels", "command_line")}


def is_the_same(folder, undisturbed):
    assert sorted(file.name for file in folder.iterdir()) == sorted(file.name for file in undisturbed.iterdir())
    for file in undisturbed.iterdir():
        if file.name not in ("summary.json", "timing.csv", "run.log"):
            assert (folder / file.name).read_bytes() == file.read_bytes(), file.name
    assert facts(folder) == facts(undisturbed)
    # A comma in a number would be a column more.
    rows = (folder / "timing.csv").read_text().splitlines()
    assert rows[0] == "iteration,seconds" and all(re.fullmatch(r"\d+,[\d.e+-]+", row) for row in rows[1:])


def times_of_the_log(folder):
    return [datetime.datetime.fromisoformat(line.split()[0]) for line in (folder / "run.log").read_text().splitlines()]


@pytest.mark.row(31)
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_clock_that_is_wrong(quoin, build, tmp_path, undisturbed, clock):
    """The monotonic clock keeps going, as the system promises."""
    result = quoin("-f", CLOCKS[clock], build / "bin/quoin", "run", "case.yaml", program="faketime",
                   env={**os.environ, "DONT_FAKE_MONOTONIC": "1", "LC_ALL": "C", "TZ": "UTC"})
    assert result.returncode == 0, result.stderr
    first, *_, last = times_of_the_log(tmp_path / "result")
    assert (last < first) == (clock == "steps back")
    assert first.year == {"before 1970": 1969, "after 2038": 2039}.get(clock, first.year)
    is_the_same(tmp_path / "result", undisturbed)
    assert json.loads((tmp_path / "result/summary.json").read_text())["loop_seconds"] >= 0


@pytest.mark.row(31)
@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "UTC+11:30", "America/Caracas", "Nowhere/At_All", ":/nonexistent", ""])
def test_another_time_zone(quoin, tmp_path, undisturbed, zone):
    result = quoin("run", "case.yaml", env={**os.environ, "TZ": zone})
    assert result.returncode == 0, result.stderr
    is_the_same(tmp_path / "result", undisturbed)


@pytest.fixture(scope="module")
def comma(tmp_path_factory):
    """The environment of a user whose numbers have a decimal comma."""
    folder = tmp_path_factory.mktemp("locales")
    subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], check=True, capture_output=True)
    environment = {**os.environ, "LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    printed = subprocess.run(["/usr/bin/printf", "%.1f", "1,5"], env=environment, capture_output=True, text=True)
    assert (printed.stdout, printed.stderr) == ("1,5", "")  # the locale does what it should
    return environment


@pytest.mark.row(31)
def test_a_locale_with_a_decimal_comma(quoin, tmp_path, undisturbed, comma):
    result = quoin("run", "case.yaml", env=comma)
    assert result.returncode == 0, result.stderr
    is_the_same(tmp_path / "result", undisturbed)
    assert not re.search(r"\d,\d", result.stdout + (tmp_path / "result/run.log").read_text())


@pytest.mark.row(31)
def test_mistakes_read_the_same_in_another_locale(quoin, case, comma):
    settings = ["--set", "method.tolerance=1,5", "--set", "problem.source=1,5*x"]
    there, here = quoin("check", case, *settings, env=comma), quoin("check", case, *settings)
    assert there.returncode == 3
    assert there.stderr == here.stderr
