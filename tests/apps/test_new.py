"""`quoin new`: a case, a backend or a problem to start from."""

import json
import os
import re
import shutil
import subprocess

import pytest
import yaml
from conftest import summary


@pytest.fixture(scope="module")
def problems(build):
    rows = json.loads(subprocess.run([build / "bin/quoin", "list", "problems", "--json"], capture_output=True, check=True,
                                     text=True).stdout)["problems"]
    return [row["name"] for row in rows]


def everything(folder):
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_case_of_every_problem_runs(quoin, problems, tmp_path):
    assert {"jacobi", "dg-cvs", "linear-system"} <= set(problems)
    for problem in problems:
        made = quoin("new", problem)
        assert made.returncode == 0 and made.stdout.startswith(f"{problem}.yaml: a case to start from")
        checked = quoin("check", f"{problem}.yaml")
        assert checked.returncode == 0 and "warning" not in checked.stderr and "note" not in checked.stdout, checked.stderr
        assert quoin("run", f"{problem}.yaml", "--quiet").returncode == 0
        told = summary(tmp_path / "results" / problem)
        assert told["status"] in ("converged", "completed") and told["errors"]["linf"] < 0.01


def flat(text):
    return " ".join(text.replace("#", " ").split())


def paths_of(text):
    """The keys of a case, written a line each."""
    stack = []
    for indent, name, value in re.findall(r"^( *)([a-z_]+):(.*)$", text, re.M):
        stack[len(indent) // 2:] = [name]
        if value:
            yield ".".join(stack)


def test_its_comments_are_what_explain_says(quoin, problems):
    """Of each key that it has; of the others it has the names."""
    page = quoin("schema", "--markdown").stdout
    for problem in problems:
        text = quoin("new", problem, "-").stdout
        assert max(map(len, text.splitlines())) <= 80
        given = list(paths_of(text))
        for path in given[1:]:
            # The short form of a key there, and a section to those who ask for it by that name.
            rest = {"jacobi": ".value", "dg-cvs": ".type"}[problem] if path.startswith("problem.boundary.") else ""
            said = [part for part in quoin("explain", path + rest).stdout.split("\n\n")
                    if "(problem" not in part or f"(problem {problem})" in part]
            assert flat(said[0].split("\n", 1)[1]).split(". ")[0][:60] in flat(text), path
        (methods,) = re.findall(rf"^## `method` of `{problem}`\n(.*?)^## ", page, re.M | re.S)
        more = re.search("'quoin explain method' tells of more: (.*?)\\.\\s", flat(text))[1].split(", ")
        keys = re.findall(r"^\| `([^`]+)` \|", methods, re.M)
        assert len(more) > 3 and sorted(keys) == sorted(
            [path for path in given if path.startswith("method.")] + [f"method.{name}" for name in more])


@pytest.mark.parametrize("name", ["mine.yaml", "a folder/my case.yaml", "größe \"x\" 'y'.yaml", "back\\slash", "#.yaml"])
def test_it_goes_by_the_name_of_the_file(quoin, name, tmp_path):
    (tmp_path / "a folder").mkdir()
    made = quoin("new", "jacobi", name)
    assert made.returncode == 0 and made.stderr == ""
    stem = (tmp_path / name).stem
    assert yaml.safe_load((tmp_path / name).read_text())["output"]["directory"] == f"results/{stem}"
    assert quoin("run", name, "--quiet").returncode == 0
    assert (tmp_path / "results" / stem / "summary.json").exists()


def test_a_pipe_from_new_to_run(quoin, build, tmp_path):
    piped = quoin("-ec", f"set -o pipefail; q={build.resolve()}/bin/quoin; $q new jacobi - | $q run -", program="bash")
    assert piped.returncode == 0 and (tmp_path / "results/jacobi/summary.json").exists(), piped.stderr
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["results"]


@pytest.mark.parametrize("what, like", [("backend", "template"), ("problem", "heat")])
def test_sources_are_the_example_by_another_name(quoin, source, what, like, tmp_path):
    """Turned back they are the example to the last byte, and the name occurs nowhere in that: nothing is mixed up."""
    made = quoin("new", what, "two_words/")
    assert made.returncode == 0 and made.stderr == ""
    page = made.stdout.split()[-1]
    assert page.endswith(f"share/doc/quoin/{like}/README.md") and os.path.isfile(page)
    example = everything(source / "plugins" / like)
    del example["README.md"]
    copy = {}
    for name, data in everything(tmp_path / "two_words").items():
        for new, old in (("two_words", like), ("TwoWords", like.title()), ("TWO_WORDS", like.upper())):
            name, data = name.replace(new, old), data.replace(new.encode(), old.encode())
        copy[name] = data
    assert copy == example
    rest = re.sub(rb"heat equation", b"", b"".join(everything(tmp_path / "two_words").values()))
    assert like.encode() not in rest.lower() and b"two_words" in rest


def test_the_example_by_its_own_name_is_the_example(quoin, source, tmp_path):
    assert quoin("new", "problem", "heat").returncode == 0
    example = everything(source / "plugins/heat")
    del example["README.md"]
    assert everything(tmp_path / "heat") == example


@pytest.mark.parametrize("words, code, message", [
    (["backend"], 2, "it needs a name: quoin new backend NAME"),
    (["backend", "Mine"], 2, "'Mine' cannot be its name: it takes small letters, digits and _"),
    (["backend", "mine-2"], 2, "'mine-2' cannot be its name"),
    (["problem", ".."], 2, "'..' cannot be its name"),
    (["problem", "2d"], 2, "'2d' cannot be its name"),
    (["backend", "below/serial"], 2, "there is a backend 'serial' already; choose another name"),
    (["problem", "jacobi"], 2, "there is a problem 'jacobi' already"),
    (["problem", "reduce"], 2, "there is a family of kernels 'reduce' already"),
    (["problem", "union"], 2, "'union' is a word of C++"),
    (["problem", "setup"], 2, "'setup' stands in the example's "),
    (["problem", "time_stepper"], 2, "'TimeStepper' stands in the example's "),
    (["poisson"], 2, "there is no 'poisson' to start; did you mean 'jacobi'?"),
    (["bakend"], 2, "there is no 'bakend' to start; did you mean 'backend'?"),
    (["plasma"], 2, "there is no 'plasma' to start; there are: dg-cvs, jacobi, linear-system, backend, problem"),
    (["jacobi", "nowhere/case.yaml"], 6, "nowhere: there is no such folder; make it first"),
    (["jacobi", "below/"], 6, "below/: is there already"),
    (["jacobi", "/proc/case.yaml"], 6, "/proc: cannot write into the folder: "),
])
def test_refusals(quoin, words, code, message, tmp_path):
    (tmp_path / "below").mkdir()
    refused = quoin("new", *words)
    assert refused.returncode == code and message in refused.stderr and refused.stdout == "", refused.stderr
    assert [str(entry.relative_to(tmp_path)) for entry in tmp_path.rglob("*")] == ["below"]


@pytest.mark.parametrize("words", [["jacobi", "taken"], ["backend", "taken"], ["problem", "taken"]], ids=" ".join)
@pytest.mark.parametrize("kind", ["file", "folder", "link to nothing"])
def test_what_is_there_stays(quoin, words, kind, tmp_path):
    taken = tmp_path / "taken"
    {"file": lambda: taken.write_text("mine\n"), "folder": taken.mkdir,
     "link to nothing": lambda: taken.symlink_to("absent")}[kind]()
    refused = quoin("new", *words)
    assert refused.returncode == 6 and "taken: is there already, and stays as it is; choose another name" in refused.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["taken"]
    assert kind != "file" or taken.read_text() == "mine\n"


@pytest.mark.parametrize("words", ["backend mine", "jacobi mine"])
def test_nothing_is_left_half_written(quoin, build, words, tmp_path):
    """Where a file cannot be longer than nothing."""
    refused = quoin("-c", f"ulimit -f 0; exec {build.resolve()}/bin/quoin new {words} 2>&1 | cat; exit ${{PIPESTATUS[0]}}",
                    program="bash")
    assert refused.returncode == 6 and "quoin: error: mine: cannot write the file: File too large" in refused.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full(quoin, build):
    full = quoin("-c", f"{build.resolve()}/bin/quoin new jacobi - > /dev/full", program="bash")
    assert full.returncode == 6 and "cannot write to standard output: No space left on device" in full.stderr
    gone = quoin("-c", f"{build.resolve()}/bin/quoin new jacobi - | head -1; exit ${{PIPESTATUS[0]}}", program="bash")
    assert gone.returncode == 0 and gone.stderr == ""


def test_an_installation_without_its_examples(quoin, build, tmp_path):
    tree = tmp_path / "tree"
    for file in ["bin/quoin", "lib/libquoin.so.0"]:
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / file, tree / file)
    refused = quoin("new", "backend", "mine", program=tree / "bin/quoin")
    assert refused.returncode == 6 and refused.stderr.endswith(
        "tree/share/doc/quoin/template: the example is not there; it is installed with Quoin's headers "
        "(Debian: quoin-dev)\n"), refused.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["tree"]
