"""What messages may be given: rows 35 and 37 of the list of faults."""

import re

import pytest
from test_dgcvs import SQUARES

HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
CLEAR = "\x1b[2J\x1b]0;mine\x07\u009b31m\u202e"


def is_clean(*texts):
    for text in texts:
        assert not HARMFUL.search(text), repr(text)


@pytest.mark.row(35)
def test_names_of_files_and_folders(quoin, case, tmp_path):
    odd = f"a{CLEAR}é"
    (tmp_path / f"{odd}\nb.yaml").write_text(case.read_text().replace("tolerance", "tolerence"))
    result = quoin("run", f"{odd}\nb.yaml")
    assert result.returncode == 3 and "a\\u001b[2J" in result.stderr and "é\\u000ab.yaml:9:" in result.stderr
    is_clean(result.stderr)
    refused = quoin("run", case, "--output", odd)
    assert refused.returncode == 3 and "holds a control character" in refused.stderr
    odd = "a\u009b31m\u202eé"
    done = quoin("run", case, "--output", odd)
    assert done.returncode == 0 and "results in a\\u009b31m\\u202eé" in done.stdout
    again = quoin("run", case, "--output", odd)
    assert again.returncode == 2
    is_clean(refused.stderr, done.stdout, done.stderr, again.stderr, quoin("run", odd).stderr, quoin("report", odd + "x").stderr)


@pytest.mark.row(35)
@pytest.mark.parametrize("arguments", [["--set", f"method.{CLEAR}=1"], ["--set", f"method.tolerance={CLEAR}"],
                                       [f"--{CLEAR}"], [CLEAR], ["--backend", CLEAR], ["--set", f"problem.source='{CLEAR}'"]])
def test_words_of_the_command_line(quoin, case, arguments):
    result = quoin("run", case, *arguments)
    assert result.returncode in (2, 3, 8) and result.stderr
    is_clean(result.stderr)


@pytest.mark.row(35)
@pytest.mark.parametrize("text", ["# \x1b[2J", "a: \u009b31m", "a: '\u202e'", "\u202eb: 1"])
def test_lines_of_a_case_file(quoin, case, text):
    case.write_text(case.read_text() + text + "\n")
    result = quoin("check", case)
    assert result.returncode == 3
    is_clean(result.stderr)


@pytest.mark.row(35)
def test_sides_of_a_mesh(quoin, case, tmp_path):
    case.write_text("""\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {type: gmsh, file: mesh.msh}
  boundary: {left: open}
  initial: "1"
method: {order: 1, final_time: 1}
""")
    (tmp_path / "mesh.msh").write_text(SQUARES.replace("right", f"right{CLEAR}"))
    result = quoin("check", case)
    assert result.returncode == 3 and "right\\u001b[2J" in result.stderr, result.stderr
    is_clean(result.stderr)


@pytest.mark.row(35)
def test_what_a_plugin_says(quoin, build, tmp_path):
    folder = tmp_path / "plugins"
    folder.mkdir(mode=0o755)
    bytes_ = (build / "tests/framework/fakes/bad-key.so").read_bytes()
    assert b'"colour"' in bytes_
    (folder / "bad.so").write_bytes(bytes_.replace(b'"colour"', b'"\\u001b"'))
    result = quoin("list", "--plugin-dir", folder)
    assert result.returncode == 0 and "unknown type '\\u001b'" in result.stdout
    is_clean(result.stdout, result.stderr)


@pytest.mark.row(37)
@pytest.mark.parametrize("command", [
    ["run", "case.yaml", "--output"], ["run", "case.yaml", "--backend"], ["run", "case.yaml", "--threads"],
    ["check", "case.yaml", "--output"], ["report", "result", "--output"], ["bench", "jacobi", "--output"],
    ["bench", "jacobi", "--json"], ["compare", "case.yaml", "--backends"], ["run"], ["resume"], ["report"]])
def test_an_empty_value(quoin, case, tmp_path, command):
    result = quoin(*command, "")
    assert result.returncode == 2 and "the value is empty" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["case.yaml"]


@pytest.mark.row(37)
@pytest.mark.parametrize("arguments, words", [
    (["run", "case.yaml", "--x"], "unknown option '--x'"),
    (["--x", "run", "case.yaml"], "unknown option '--x'"),
    (["run", "--x"], "unknown option '--x'"),
    (["run", "case.yaml", "--sett", "a=b"], "unknown option '--sett'; did you mean '--set'?"),
    (["run", "case.yaml", "--otput", "r"], "unknown option '--otput'; did you mean '--output'?"),
    (["run", "case.yaml", "--method.order=2"], "; a key of the case is set with --set method.order=VALUE"),
    (["run", "case.yaml", "--set", "--force"], "expected KEY=VALUE, not the option '--force'"),
    (["run", "case.yaml", "--set", "--x=1"], "expected KEY=VALUE, not the option '--x=1'"),
    (["run", "case.yaml", "other.yaml"], "one argument too many: 'other.yaml'"),
    (["runn", "case.yaml"], "unknown command 'runn'; did you mean 'run'?"),
    (["bench", "jakobi"], "unknown command 'jakobi'; did you mean 'jacobi'?"),
])
def test_unknown_words(quoin, case, tmp_path, arguments, words):
    result = quoin(*arguments)
    assert result.returncode == 2 and words in result.stderr and "key '" not in result.stderr, result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["case.yaml"]
