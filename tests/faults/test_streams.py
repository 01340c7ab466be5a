"""Standard streams that are closed, full or read no longer: row 18 of the list of faults."""

import json
import shlex
import subprocess

import pytest

FILES = ["case.yaml", "checkpoint-000000003468-u.bin", "checkpoint-000000003468.h5", "checkpoint-000000003468.json",
         "files.txt", "history.csv", "run.log", "summary.json", "timing.csv", "u.vti"]


@pytest.fixture
def shell(build, tmp_path):
    """shell("QUOIN run case.yaml >&-") gives the exit code of quoin, what is left of the streams, and whether
    everything was written that an undisturbed run writes."""

    def call(line):
        command = line.replace("QUOIN", shlex.quote(str(build / "bin/quoin")))
        return subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=tmp_path, text=True, capture_output=True,
                              timeout=240)

    return call


def is_whole(folder, undisturbed):
    facts = json.loads((folder / "summary.json").read_text())
    assert (facts["status"], facts["exit_code"]) == ("converged", 0)
    assert sorted(file.name for file in folder.iterdir()) == FILES
    for name in ["case.yaml", "history.csv", "u.vti"]:
        expected = (undisturbed / name).read_bytes().replace(undisturbed.name.encode(), folder.name.encode())
        assert (folder / name).read_bytes() == expected, name
    assert all(" info: " in line or " debug: " in line for line in (folder / "run.log").read_text().splitlines())


@pytest.mark.row(18)
@pytest.mark.parametrize("streams, code", [
    ("| head -n 1", 0), ("| head -c 0", 0), ("2>&1 | head -c 0", 0), ("| true", 0), (">&-", 6), ("2>&-", 0),
    ("<&- 2>&-", 0), (">&- 2>&-", 6), ("<&- >&- 2>&-", 6), (">/dev/full", 6), ("2>/dev/full", 0),
    (">/dev/full 2>/dev/full", 6)])
def test_the_run_and_its_files_are_not_lost(shell, quoin, case, tmp_path, streams, code):
    assert quoin("run", case, "--output", "undisturbed").returncode == 0
    result = shell(f"QUOIN run case.yaml {streams}")
    assert result.returncode == code, result.stderr
    is_whole(tmp_path / "result", tmp_path / "undisturbed")
    if code == 6 and "2>" not in streams:
        assert "cannot write to standard output" in result.stderr


@pytest.mark.row(18)
@pytest.mark.parametrize("command", ["list", "schema", "check case.yaml", "run --help"])
@pytest.mark.parametrize("streams, code", [("| head -c 0", 0), (">&-", 6), (">/dev/full", 6)])
def test_other_commands(shell, case, command, streams, code):
    result = shell(f"QUOIN {command} {streams}")
    if command == "run --help":
        code = 0  # what is printed before anything is done
    assert result.returncode == code, result.stderr
    assert ("cannot write to standard output" in result.stderr) == (code == 6)


@pytest.mark.row(18)
def test_the_end_of_a_run_outlives_its_output(shell, case):
    """A run that did not converge says so by its code, whether or not its table could be printed."""
    result = shell("QUOIN run case.yaml --set method.max_iterations=3 >/dev/full")
    assert result.returncode == 4, result.stderr
    assert "not converged" in result.stderr and "results in result" in result.stderr
