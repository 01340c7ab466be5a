"""The include rules, and the folders of tests.

framework/ never includes a file of plugins/ or apps/; plugins/ use only their own folder, framework/include and
framework/kernels; apps/ only their own folder and framework/include.
"""

import os
import pathlib
import re

ALLOWED = {
    "framework": ("framework/",),
    "plugins": ("framework/include/", "framework/kernels/"),
    "apps": ("framework/include/",),
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)


def meant(root, file, name):
    """The file of ours that an include line can mean, or None for one of another library."""
    folders = [*file.relative_to(root).parents, pathlib.Path("framework/include"), pathlib.Path("framework")]
    for folder in folders:
        if (root / folder / name).is_file():
            return (root / folder / name).resolve().relative_to(root)
    return None


def violations(root):
    root = root.resolve()
    for top, allowed in ALLOWED.items():
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in {".cpp", ".hpp", ".h", ".c", ".cl", ".hip", ".cu"}:
                continue
            own = "/".join(file.relative_to(root).parts[:2]) + "/"
            text = file.read_text()
            for match in INCLUDE.finditer(text):
                found = meant(root, file, match[1])
                if found and not str(found).startswith((own, *allowed)):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{file.relative_to(root)}:{line}: must not include {found}"


def test_the_sources_keep_the_rules():
    assert list(violations(pathlib.Path(os.environ["QUOIN_SOURCE_DIR"]))) == []


def test_violations_are_found(tmp_path):
    sources = {
        "framework/include/quoin/open.hpp": "",
        "framework/case/hidden.hpp": '#include "quoin/open.hpp"\n',
        "framework/run/run.cpp": '\n#include "plugins/serial/skeleton.hpp"\n',
        "plugins/serial/skeleton.hpp": '#include "quoin/open.hpp"\n#include <vector>\n',
        "plugins/other/a.cpp": '#include "../serial/skeleton.hpp"\n#include "case/hidden.hpp"\n',
        "apps/quoin/main.cpp": "#include <quoin/open.hpp>\n#  include <case/hidden.hpp>\n",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(violations(tmp_path)) == [
        "framework/run/run.cpp:2: must not include plugins/serial/skeleton.hpp",
        "plugins/other/a.cpp:1: must not include plugins/serial/skeleton.hpp",
        "plugins/other/a.cpp:2: must not include framework/case/hidden.hpp",
        "apps/quoin/main.cpp:2: must not include framework/case/hidden.hpp",
    ]


# What each room of framework/ may use, besides the contracts in include/ and the rooms that these may use.
ROOMS = {"base": (), "case": ("base",), "plugin": ("base",), "device": (), "mesh": ("base",), "output": ("base",),
         "problems": ("base", "case", "device", "kernels", "mesh", "output"), "report": ("output",),
         "run": ("base", "case", "device", "output")}


def upward(framework):
    for room, below in ROOMS.items():
        for file in sorted((framework / room).rglob("*.[ch]pp")):
            for match in INCLUDE.finditer(file.read_text()):
                used = match[1].split("/")[0]
                if used in ROOMS and used not in (room, *below):
                    yield f"{file.relative_to(framework)} must not include {match[1]}"


# The parts of a problem's folder, each above those that it may use.
PARTS = ("setup", "scheme", "loop", "output")


def upward_in(problem):
    for above, part in enumerate(PARTS):
        for file in sorted((problem / part).glob("*.[ch]pp")):
            for match in INCLUDE.finditer(file.read_text()):
                used = match[1].removeprefix(f"problems/{problem.name}/").split("/")[0]
                if used in PARTS[above + 1:] or used == "problem.hpp":
                    yield f"{file.relative_to(problem)} must not include {match[1]}"


def test_parts_of_a_problem_use_those_before_them():
    problems = [path for path in (pathlib.Path(os.environ["QUOIN_SOURCE_DIR"]) / "framework/problems").iterdir()
                if path.is_dir()]
    assert problems
    for problem in problems:
        assert {path.name for path in problem.iterdir()} == {"problem.cpp", "problem.hpp", *PARTS}
        assert list(upward_in(problem)) == []


def test_parts_that_use_later_ones_are_found(tmp_path):
    problem = tmp_path / "heat"
    (problem / "scheme").mkdir(parents=True)
    (problem / "scheme" / "a.cpp").write_text(
        '#include "problems/heat/setup/keys.hpp"\n#include "problems/heat/loop/time.hpp"\n'
        '#include "problems/heat/problem.hpp"\n#include "quoin/problem.hpp"\n')
    assert list(upward_in(problem)) == ["scheme/a.cpp must not include problems/heat/loop/time.hpp",
                                        "scheme/a.cpp must not include problems/heat/problem.hpp"]


def test_rooms_of_the_framework_use_those_below_them():
    framework = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"]) / "framework"
    assert {folder.name for folder in framework.iterdir() if folder.is_dir()} == \
        {*ROOMS, "include", "kernels", "cmake"}
    assert list(upward(framework)) == []


def test_arrows_that_run_up_are_found(tmp_path):
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "a.cpp").write_text('#include "base/text.hpp"\n#include "run/runner.hpp"\n')
    assert list(upward(tmp_path)) == ["case/a.cpp must not include run/runner.hpp"]


def test_tests_lie_in_the_folders_of_what_they_test():
    root = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])
    tests = root / "tests/framework"
    folders = {file.parent.relative_to(tests) for file in tests.rglob("*.cpp")}
    assert len(folders) > 5
    for folder in folders:
        assert folder != pathlib.Path(".")
        assert (root / "framework" / folder).is_dir() or (root / "framework/include/quoin" / folder).is_dir(), folder
