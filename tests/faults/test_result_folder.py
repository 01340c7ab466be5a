"""Result folders that hold or hide something: rows 7, 33 and 34 of the list of faults."""

import json
import os
import shutil
import socket
import subprocess

import pytest

VICTIM = "untouched\n"
# Names that a run creates, under which links may have been planted.
NAMES = ["summary.json", ".summary.json.part", "history.csv", "timing.csv", "case.yaml", ".case.yaml.part", "run.log",
         "u.vti", ".u.vti.part", "notes.txt"]


@pytest.fixture
def victim(tmp_path):
    """A file elsewhere, which must stay as it is."""
    (tmp_path / "elsewhere").mkdir()
    file = tmp_path / "elsewhere/victim"
    file.write_text(VICTIM)
    yield file
    assert file.read_text() == VICTIM and [other.name for other in file.parent.iterdir()] == ["victim"]


def tree(folder):
    return sorted((file.name, file.is_symlink() or file.read_bytes()) for file in folder.iterdir())


@pytest.mark.row(7)
@pytest.mark.parametrize("arguments", [[], ["--force"]])
@pytest.mark.parametrize("name", NAMES)
def test_a_link_inside(quoin, case, tmp_path, victim, name, arguments):
    folder = tmp_path / "result"
    folder.mkdir()
    (folder / "earlier.csv").write_text("mine\n")
    (folder / name).symlink_to(victim)
    before = tree(folder)
    result = quoin("run", case, *arguments)
    assert result.returncode == 6
    assert f"{name}: the result folder holds a symbolic link, which is not followed; remove it" in result.stderr
    assert tree(folder) == before


@pytest.mark.row(7)
@pytest.mark.parametrize("arguments", [[], ["--force"]])
def test_a_link_inside_that_leads_nowhere(quoin, case, tmp_path, arguments):
    (tmp_path / "result").mkdir()
    (tmp_path / "result/history.csv").symlink_to(tmp_path / "created")
    assert quoin("run", case, *arguments).returncode == 6
    assert not (tmp_path / "created").exists()


@pytest.mark.row(7)
@pytest.mark.parametrize("slash", ["", "/"])
@pytest.mark.parametrize("arguments", [[], ["--force"]])
def test_a_link_in_place_of_the_folder(quoin, case, tmp_path, victim, arguments, slash):
    (tmp_path / "result").symlink_to(victim.parent)
    result = quoin("run", case, "--output", f"result{slash}", *arguments)
    assert result.returncode == 6
    assert "the result folder is a symbolic link, which is not followed" in result.stderr


@pytest.mark.row(7)
def test_a_folder_that_is_not_empty(quoin, case, tmp_path):
    (tmp_path / "result").mkdir()
    (tmp_path / "result/notes.txt").write_text("mine\n")
    before = tree(tmp_path / "result")
    result = quoin("run", case)
    assert result.returncode == 2
    assert "result: the result folder is not empty; --force replaces the results in it" in result.stderr
    assert tree(tmp_path / "result") == before
    assert quoin("run", case, "--force").returncode == 0
    assert (tmp_path / "result/notes.txt").read_text() == "mine\n"  # it is no result of an earlier run


@pytest.mark.row(7)
@pytest.mark.parametrize("arguments", [[], ["--force"]])
@pytest.mark.parametrize("below, words", [("", "the result folder is no folder"), ("/below", "Not a directory")])
def test_a_file_in_place_of_the_folder(quoin, case, tmp_path, arguments, below, words):
    (tmp_path / "result").write_text("mine\n")
    result = quoin("run", case, "--output", f"result{below}", *arguments)
    assert result.returncode == 6 and words in result.stderr
    assert (tmp_path / "result").read_text() == "mine\n"


def of_older_version(folder, fields):
    """Leaves a folder as a run did before there was a list of its files."""
    (folder / "summary.json").write_text(json.dumps({"fields": fields, "field_sha256": "", "versions": {"quoin": "0.1.0"}}))


@pytest.mark.row(7)
@pytest.mark.row(33)
def test_a_hostile_summary_of_an_earlier_run(quoin, case, tmp_path, victim):
    """Of an older version --force removes what its summary lists: names of fields in the folder, nothing else."""
    (tmp_path / "result").mkdir()
    (tmp_path / "elsewhere/victim.vti").write_text("mine\n")
    (tmp_path / "result/notes.txt").write_text("mine\n")
    (tmp_path / "result/old.vti").write_text("old\n")
    of_older_version(tmp_path / "result", ["../elsewhere/victim", "../elsewhere/victim.vti", "notes.txt", "old.vti", "..",
                                           "", 7, None])
    assert quoin("run", case, "--force").returncode == 0
    assert (tmp_path / "result/notes.txt").exists() and not (tmp_path / "result/old.vti").exists()
    (tmp_path / "elsewhere/victim.vti").unlink()  # fails where it is gone


@pytest.mark.row(33)
@pytest.mark.parametrize("name", ["case.yaml", "history.csv", "timing.csv", "summary.json", "run.log", "u.vti", "files.txt",
                                  "checkpoint-000000000100.h5", "checkpoint-000000000100.json", "checkpoint-000000000100-u.bin",
                                  ".u.vti.part"])
def test_a_file_of_ones_own_in_the_way(quoin, case, tmp_path, name):
    assert quoin("run", case).returncode == 0
    listed = (tmp_path / "result/files.txt").read_text()
    (tmp_path / "result" / name.removeprefix(".").removesuffix(".part")).unlink(missing_ok=True)
    (tmp_path / "result" / name).write_text("mine\n")
    if name != "files.txt":
        (tmp_path / "result/files.txt").write_text(listed.replace(f"\n{name.removeprefix('.').removesuffix('.part')}\n",
                                                                  "\n"))
    before = tree(tmp_path / "result")
    result = quoin("run", case, "--force")
    assert result.returncode == 6 and f"result/{name}: is in the way: " in result.stderr, result.stderr
    assert tree(tmp_path / "result") == before


@pytest.mark.row(33)
@pytest.mark.parametrize("name", ["summary.json", "u.vti", "history.csv"])
def test_a_list_is_not_needed_to_be_careful(quoin, case, tmp_path, name):
    """As of a case file beside which its user keeps files of such names."""
    (tmp_path / name).write_text("{}\n")
    case.rename(tmp_path / "mine.yaml")
    before = tree(tmp_path)
    result = quoin("run", "mine.yaml", "--output", ".", "--force")
    assert result.returncode == 6 and f"{name}: is in the way" in result.stderr
    assert tree(tmp_path) == before


@pytest.mark.row(33)
def test_a_case_file_in_its_result_folder(quoin, case, tmp_path):
    text = case.read_text()
    result = quoin("run", case, "--output", ".", "--force")
    assert result.returncode != 0 and "case.yaml" in result.stderr
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("case.yaml", text)]
    case.rename(tmp_path / "mine.yaml")
    for _ in range(2):
        assert quoin("run", "mine.yaml", "--output", ".", "--force").returncode == 0
    assert (tmp_path / "mine.yaml").read_text() == text and (tmp_path / "case.yaml").read_text() != text


@pytest.mark.row(33)
def test_copies_and_others_stay(quoin, case, tmp_path):
    """Through runs, --force, pruning and resume."""
    folder = tmp_path / "result"
    folder.mkdir()
    mine = ["checkpoint-backup.h5", "checkpoint-backup.json", "checkpoint-x.json", "checkpoint-9.h5", "notes.csv", "u2.vti",
            "converge.json", "report.html", "trace.json"]
    for name in mine:
        (folder / name).write_text("mine\n")
    every = ["--set", "run.checkpoint.every=500"]
    for _ in range(2):
        assert quoin("run", case, "--force", *every).returncode == 0
    assert quoin("resume", "result").returncode == 0
    assert all((folder / name).read_text() == "mine\n" for name in mine)
    kept = sorted(file.name for file in folder.glob("checkpoint-0*.h5"))
    shutil.copy(folder / kept[-1], folder / "checkpoint-000000000001.h5")
    assert quoin("run", case, "--force").returncode == 6  # its name is one that a run gives
    assert sorted(file.name for file in folder.glob("checkpoint-0*.h5")) == ["checkpoint-000000000001.h5", *kept]
    assert quoin("report", "result").returncode == 6 and (folder / "report.html").read_text() == "mine\n"


@pytest.mark.row(33)
def test_what_a_run_wrote_goes(quoin, case, tmp_path):
    every = ["--set", "run.checkpoint.every=500", "--set", "run.trace=true"]
    assert quoin("run", case, *every).returncode == 0
    assert quoin("report", "result").returncode == 0
    assert quoin("run", case, "--force", "--set", "output.history=false", "--set", "output.fields.write=false",
                 "--set", "method.max_iterations=10").returncode == 4
    names = {file.name for file in (tmp_path / "result").iterdir() if not file.name.startswith("checkpoint-")}
    assert names == {"case.yaml", "files.txt", "run.log", "summary.json", "timing.csv"}


@pytest.mark.row(33)
def test_a_folder_of_an_older_version_goes_on(quoin, case, tmp_path):
    folder = tmp_path / "result"
    assert quoin("run", case, "--set", "run.checkpoint.every=500").returncode == 0
    for missing in ["files.txt", "summary.json"]:
        (folder / missing).unlink()
    fields = (folder / "u.vti").read_bytes()
    (folder / "u.vti").unlink()
    done = quoin("resume", "result")
    assert done.returncode == 0 and (folder / "u.vti").read_bytes() == fields, done.stderr


def put(kind, place):
    if kind == "folder":
        place.mkdir()
    elif kind == "named pipe":
        os.mkfifo(place)
    else:
        here = os.getcwd()
        os.chdir(place.parent)  # a socket's path may not be long
        socket.socket(socket.AF_UNIX).bind(place.name)
        os.chdir(here)


OTHERS = ["folder", "named pipe", "socket"]


@pytest.mark.row(34)
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("name", ["summary.json", "run.log", "history.csv", "case.yaml", "u.vti", "files.txt"])
def test_no_file_in_the_place_of_a_result(quoin, case, tmp_path, kind, name):
    assert quoin("run", case, "--set", "method.max_iterations=500").returncode == 4
    (tmp_path / "result" / name).unlink()
    put(kind, tmp_path / "result" / name)
    for command in [("run", case, "--force"), ("resume", "result", "--set", "method.max_iterations=20000")]:
        result = quoin(*command)
        assert result.returncode == 6 and f"result/{name}" in result.stderr, result.stderr
        assert kind.split()[-1] in result.stderr
    assert not (tmp_path / "result" / name).is_file()


@pytest.mark.row(34)
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("name", ["summary.json", "run.log", "history.csv", "timing.csv"])
def test_no_file_in_the_place_of_what_a_report_reads(quoin, case, tmp_path, kind, name):
    assert quoin("run", case).returncode == 0
    (tmp_path / "result" / name).unlink()
    put(kind, tmp_path / "result" / name)
    result = quoin("report", "result")
    assert result.returncode == 6 and f"result/{name}: there is a {kind}" in result.stderr


@pytest.mark.row(34)
@pytest.mark.parametrize("kind, words", [("folder", "the case file is a folder"),
                                         ("named pipe", "the case file is a pipe, and nobody has written to it"),
                                         ("socket", "the case file is a socket")])
def test_no_file_in_the_place_of_a_case(quoin, case, tmp_path, kind, words):
    case.unlink()
    put(kind, case)
    for command in ["run", "check"]:
        result = quoin(command, "case.yaml")
        assert result.returncode == 6 and f"case.yaml: {words}" in result.stderr


@pytest.mark.row(34)
def test_a_case_may_come_through_a_pipe(build, case, tmp_path):
    for line in ["run <(cat case.yaml) --output a", "run /dev/stdin --output b < case.yaml",
                 "run /dev/stdin --output c < <(sleep 0.1; cat case.yaml)"]:
        subprocess.run(["bash", "-c", f"{build / 'bin/quoin'} {line}"], cwd=tmp_path, check=True, timeout=240)
    assert (tmp_path / "a/u.vti").read_bytes() == (tmp_path / "b/u.vti").read_bytes() == (tmp_path / "c/u.vti").read_bytes()


@pytest.mark.row(34)
@pytest.mark.parametrize("kind", OTHERS)
def test_no_file_in_the_place_of_a_cache(quoin, case, tmp_path, kind):
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert quoin("run", case, env=environment).returncode == 0
    tune = ("tune", case, "--repeats", "1", "--seconds", "0.001", "--output", "tuned")
    assert quoin(*tune, env=environment).returncode == 0
    (rates,) = (tmp_path / "cache/quoin/rates").iterdir()
    (tuned,) = (tmp_path / "cache/quoin/tuned").iterdir()
    rates.unlink()
    put(kind, rates)
    result = quoin("run", case, "--output", "second", env=environment)
    assert result.returncode == 6 and f"{rates}: there is a {kind} in the place of a file" in result.stderr
    rates.rmdir() if kind == "folder" else rates.unlink()
    tuned.unlink()
    put(kind, tuned)
    result = quoin("run", case, "--output", "third", env=environment)
    assert result.returncode == 6 and f"{tuned}: there is a {kind} in the place of a file" in result.stderr


@pytest.mark.row(34)
def test_nobody_reads_the_report_of_a_benchmark(quoin, case, tmp_path):
    os.mkfifo(tmp_path / "report.json")
    result = quoin("bench", "jacobi", case, "--iterations", "16", "--repeats", "1", "--json", "report.json", "--output", "b",
                   "--force")
    assert result.returncode == 6 and "report.json: cannot write the file: No such device or address" in result.stderr
