"""Result folders that hold or hide something: row 7 of the list of faults."""

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
    for name in ["notes.txt", "history.csv"]:
        (tmp_path / "result" / name).write_text("mine\n")
    before = tree(tmp_path / "result")
    result = quoin("run", case)
    assert result.returncode == 2
    assert "result: the result folder is not empty; --force replaces the results in it" in result.stderr
    assert tree(tmp_path / "result") == before
    assert quoin("run", case, "--force").returncode == 0
    assert (tmp_path / "result/notes.txt").read_text() == "mine\n"  # it is no result of an earlier run
    assert (tmp_path / "result/history.csv").read_text() != "mine\n"


@pytest.mark.row(7)
@pytest.mark.parametrize("arguments", [[], ["--force"]])
@pytest.mark.parametrize("below, words", [("", "the result folder is no folder"), ("/below", "Not a directory")])
def test_a_file_in_place_of_the_folder(quoin, case, tmp_path, arguments, below, words):
    (tmp_path / "result").write_text("mine\n")
    result = quoin("run", case, "--output", f"result{below}", *arguments)
    assert result.returncode == 6 and words in result.stderr
    assert (tmp_path / "result").read_text() == "mine\n"


@pytest.mark.row(7)
def test_a_hostile_summary_of_an_earlier_run(quoin, case, tmp_path, victim):
    """--force removes what the earlier summary lists: names of fields in the folder, nothing else."""
    (tmp_path / "result").mkdir()
    (tmp_path / "elsewhere/victim.vti").write_text("mine\n")
    (tmp_path / "result/notes.txt").write_text("mine\n")
    (tmp_path / "result/old.vti").write_text("old\n")
    (tmp_path / "result/summary.json").write_text(
        '{"fields": ["../elsewhere/victim", "../elsewhere/victim.vti", "notes.txt", "old.vti", "..", "", 7, null]}')
    assert quoin("run", case, "--force").returncode == 0
    assert (tmp_path / "result/notes.txt").exists() and not (tmp_path / "result/old.vti").exists()
    (tmp_path / "elsewhere/victim.vti").unlink()  # fails where it is gone
