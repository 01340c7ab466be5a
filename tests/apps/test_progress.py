"""How a run tells its progress: on a terminal, in logs, and to programs."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios

import pytest
from conftest import summary

# Of about half a second: some hundred looks at the device.
LONGER = ["--set", "problem.grid.nodes=[63,63]", "--set", "method.stop=iterations", "--set", "method.variant=classic",
          "--set", "method.max_iterations=20000"]


def on_a_terminal(build, tmp_path, *arguments, command="run", code=0, columns=80, **variables):
    """What the program, which ends with that code, writes to a terminal of that width that is its standard error."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen([build / "bin" / "quoin", command, "case.yaml", *arguments], cwd=tmp_path,
                               env={**environment, "TERM": "xterm-256color", **variables}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=theirs)
    # The other end stays open until the program has ended: a reader that meets its close may lose the last lines.
    text = b""
    while True:
        ended = process.poll() is not None
        if select.select([ours], [], [], 0.05)[0]:
            text += os.read(ours, 65536)
        elif ended:
            break
    os.close(theirs)
    os.close(ours)
    assert process.returncode == code, text
    return text.decode().replace("\r\n", "\n")  # the terminal's own


@pytest.mark.parametrize("columns", [20, 40, 80, 132])
def test_one_line_that_is_never_wider_than_the_terminal(build, case, tmp_path, columns):
    text = on_a_terminal(build, tmp_path, *LONGER, columns=columns, NO_COLOR="1")
    first, *bars, last = text.split("\r")
    assert first.startswith("info: ") and first.endswith("\n")
    bars.append(last.split("\n")[0])
    for bar in bars:
        assert bar.endswith("\x1b[K") and len(bar) - 3 < columns and "\n" not in bar
    assert "20000" in bars[-1] and ("residual" in bars[-1]) == (columns >= 40)
    assert ("[####################]" in bars[-1]) == (columns >= 80)
    assert last.split("\n")[1].startswith("info: ")  # the line has ended


def test_colours_are_for_terminals_that_want_them(build, case, tmp_path):
    colours = re.compile("\x1b\\[[0-9;]*m")
    assert colours.search(on_a_terminal(build, tmp_path))
    assert not colours.search(on_a_terminal(build, tmp_path, "--force", NO_COLOR="1"))


RED, BOLD, PLAIN = "\x1b[1;31m", "\x1b[1m", "\x1b[0m"


def test_mistakes_of_a_case_are_coloured(build, quoin, case, tmp_path):
    case.write_text(case.read_text().replace("tolerance", "tolerence").replace("[30, 20]", "[0, 20]"))
    text = on_a_terminal(build, tmp_path, command="check", code=3)
    assert text.count(f"{RED}error:{PLAIN} ") == 2
    assert f"{BOLD}case.yaml:9:10:{PLAIN} {RED}error:{PLAIN} unknown key 'tolerence'" in text
    assert re.search(re.escape(f"{RED}^~~~~~~~~{PLAIN}") + "$", text, re.M)
    plain = re.sub("\x1b\\[[0-9;]*m", "", text)
    assert plain == quoin("check", "case.yaml").stderr  # to a pipe: the same without colours
    for variables in [{"NO_COLOR": "1"}, {"TERM": "dumb"}]:
        assert on_a_terminal(build, tmp_path, command="check", code=3, **variables) == plain
    assert on_a_terminal(build, tmp_path, "--backend", "nonesuch", command="check", code=3, NO_COLOR="") == text


def test_other_mistakes_are_coloured(build, case, tmp_path):
    text = on_a_terminal(build, tmp_path, "--backend", "nonesuch", code=8)
    assert f"quoin: {RED}error:{PLAIN} there is no backend 'nonesuch'" in text
    assert "\x1b" not in on_a_terminal(build, tmp_path, "--backend", "nonesuch", code=8, NO_COLOR="1")


def test_a_log_file_has_no_colours(build, case, tmp_path):
    assert RED in on_a_terminal(build, tmp_path, "--set", "method.max_iterations=3", code=4)
    assert "\x1b" not in (tmp_path / "result/run.log").read_text()


def test_a_dumb_terminal_gets_lines(build, case, tmp_path):
    text = on_a_terminal(build, tmp_path, *LONGER, TERM="dumb")
    assert "\x1b" not in text and "\r" not in text
    assert "\niteration 20000 of 20000, residual " in text


def test_quiet_says_nothing(build, case, tmp_path):
    assert on_a_terminal(build, tmp_path, "--quiet", *LONGER) == ""


def test_a_log_is_short_and_plain(quoin, case, tmp_path):
    result = quoin("run", case, *LONGER, env={**os.environ, "COLUMNS": "20"})
    assert result.returncode == 0 and "\x1b" not in result.stderr and "\r" not in result.stderr
    lines = [line for line in result.stderr.splitlines() if line.startswith("iteration ")]
    most = 1 + summary(tmp_path / "result")["wall_seconds"] / 5  # one each 5 s, and that of the end
    assert 1 <= len(lines) <= most and lines[-1].startswith("iteration 20000 of 20000, residual ")


def lines_of(text):
    """Of what --json-lines prints: (name, value)."""
    return [next(iter(json.loads(line).items())) for line in text.splitlines()]


def test_lines_for_programs(quoin, case, tmp_path):
    done = quoin("run", case, *LONGER, "--json-lines")
    assert done.returncode == 0
    (_, start), *told, (name, end) = lines_of(done.stdout)
    assert start == {"version": 1, "directory": "result"}
    assert name == "end" and end == summary(tmp_path / "result")
    assert {name for name, _ in told} == {"progress"}
    iterations = [progress["iterations"] for _, progress in told]
    assert iterations == sorted(set(iterations)) and 2 <= len(told) <= 2 + end["wall_seconds"] / 0.1
    assert told[-1][1] == {"iterations": 20000, "limit": 20000, "residual": end["residual"], "tolerance": 0.0,
                           "time": None, "final_time": None}
    for _, progress in told:
        assert progress["residual"] > 0
    further = quoin("resume", "result", "--set", "method.max_iterations=20400", "--json-lines")
    assert further.returncode == 0 and lines_of(further.stdout)[-1][1] == summary(tmp_path / "result")
    assert [progress["iterations"] for name, progress in lines_of(further.stdout) if name == "progress"][-1] == 20400


def test_lines_of_a_run_that_is_refused(quoin, case, tmp_path):
    done = quoin("run", case, "--set", "method.tolerence=1", "--json-lines")
    assert done.returncode == 3
    [(name, end)] = lines_of(done.stdout)
    assert name == "end" and end == json.loads(quoin("run", case, "--set", "method.tolerence=1", "--json").stdout)
    assert end["errors"][0]["line"] == 1 and end["exit_code"] == 3
    both = quoin("run", case, "--json", "--json-lines")
    assert both.returncode == 2 and "excludes" in both.stderr


def test_a_run_ends_where_nobody_reads_its_lines(build, case, tmp_path):
    command = [build / "bin/quoin", "run", "case.yaml", "--set", "method.max_iterations=1000000000", "--json-lines", *LONGER[:6]]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=120) == 130
    assert summary(tmp_path / "result")["status"] == "interrupted"
    assert list((tmp_path / "result").glob("checkpoint-*.h5"))
