"""A case from standard input: `quoin run -`."""

import json
import socket
import subprocess

import pytest
from conftest import BUILD, SMALL, needs_mpi, results, summary


def test_a_case_from_standard_input_runs_as_from_a_file(quoin, case, tmp_path):
    assert quoin("run", "case.yaml").returncode == 0
    ran = quoin("run", "-", "--output", "piped", input=SMALL)
    assert ran.returncode == 0 and ran.stdout.endswith("converged; results in piped\n")
    assert results(tmp_path / "piped") == results(tmp_path / "result")
    assert summary(tmp_path / "piped")["command_line"].endswith("run - --output piped")
    assert quoin("check", "piped/case.yaml", "--output", "other").returncode == 0
    more = quoin("resume", "piped", "--set", "method.tolerance=1e-12")
    assert more.returncode == 0 and summary(tmp_path / "piped")["resumed"]["iterations"] > 0
    assert summary(tmp_path / "piped")["residual"] <= 1e-12 < summary(tmp_path / "result")["residual"]


def test_its_results_go_where_the_case_says_and_else_to_the_usual_place(quoin, tmp_path):
    assert quoin("run", "-", "--quiet", input=SMALL).returncode == 0
    assert quoin("run", "-", "--quiet", input=SMALL.replace("output: {directory: result}\n", "")).returncode == 0
    assert sorted(str(file.parent.relative_to(tmp_path)) for file in tmp_path.rglob("summary.json")) == [
        "result", "results/case"]


@pytest.mark.parametrize("command", ["run", "check"])
def test_mistakes_have_their_places(quoin, command, tmp_path):
    refused = quoin(command, "-", input=SMALL.replace("tolerance:", "tolerence:"))
    assert refused.returncode == 3 and refused.stdout == ""
    assert refused.stderr.startswith("<stdin>:9:10: error: unknown key 'tolerence'"), refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_check(quoin, tmp_path):
    checked = quoin("check", "-", input=SMALL)
    assert checked.returncode == 0 and checked.stdout.startswith("<stdin>: no mistakes\n")
    found = json.loads(quoin("check", "-", "--json", input=SMALL.replace("tolerance:", "tolerence:")).stdout)
    assert (found["errors"][0]["file"], found["errors"][0]["line"]) == ("<stdin>", 9)
    assert list(tmp_path.iterdir()) == []


def test_files_that_it_names_lie_in_the_working_folder(quoin, source, tmp_path):
    """And are found by a run that goes on elsewhere."""
    folder = source / "configs/linear-system"
    (tmp_path / "anisotropic-20.mtx").write_bytes((folder / "anisotropic-20.mtx").read_bytes())
    text = (folder / "anisotropic-20.yaml").read_text()
    ran = quoin("run", "-", "--output", "result", "--set", "method.max_iterations=9", input=text)
    assert ran.returncode == 4, ran.stderr
    (tmp_path / "below").mkdir()
    more = quoin("-C", tmp_path / "below", BUILD.resolve() / "bin/quoin", "resume", "../result", "--set", "method.max_iterations=999",
                 program="env")
    assert more.returncode == 0, more.stderr



def test_commands_that_load_a_case_often_take_it_as_well(quoin, tmp_path):
    both = quoin("compare", "-", "--backends", "serial,template", "--json", input=SMALL)
    assert both.returncode == 0 and json.loads(both.stdout)["runs"][1]["same_bits"] is True
    levels = quoin("converge", "-", "--levels", "2", input=SMALL.replace("[30, 20]", "[15, 7]"))
    assert levels.returncode == 0, levels.stderr


@needs_mpi
def test_several_ranks(quoin, tmp_path):
    assert quoin("run", "-", "--quiet", input=SMALL).returncode == 0
    ran = quoin("run", "-", "--ranks", "2", "--output", "two", input=SMALL)
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "two/u.vti").read_bytes() == (tmp_path / "result/u.vti").read_bytes()


@pytest.mark.parametrize("words, code, message", [
    ("< /dev/null", 3, "<stdin>:1:1: error: the file is empty"),
    ("<&-", 6, "<stdin>: cannot read the case file: Bad file descriptor"),
    ("< .", 6, "<stdin>: cannot read the case file: Is a directory"),
    ("< <(true)", 6, "<stdin>: the case file is a pipe, and nobody has written to it"),
    ("< <(head -c 1M /dev/zero)", 3, "<stdin>:1:1: error: larger than a case file can be"),
])
def test_nothing_to_read(quoin, build, words, code, message, tmp_path):
    refused = quoin("-c", f"{build.resolve()}/bin/quoin run - {words}", program="bash")
    assert refused.returncode == code and message in refused.stderr, refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_socket_is_read_as_well(build, tmp_path):
    """What some programs connect their children by."""
    ours, theirs = socket.socketpair()
    with subprocess.Popen([build.resolve() / "bin/quoin", "check", "-"], cwd=tmp_path, stdin=theirs, text=True,
                          stdout=subprocess.PIPE) as process:
        theirs.close()
        ours.sendall(SMALL.encode())
        ours.close()
        assert process.communicate(timeout=60)[0].startswith("<stdin>: no mistakes\n")


def test_a_file_of_that_name_is_still_a_file(quoin, tmp_path):
    (tmp_path / "-").write_text(SMALL)
    checked = quoin("check", "./-", input="no case")
    assert checked.returncode == 0 and checked.stdout.startswith("./-: no mistakes\n")
