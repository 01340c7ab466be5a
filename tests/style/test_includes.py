"""The include rules, and the folders of tests.

framework/ never includes a file of plugins/ or apps/; plugins/ use only their own folder, framework/include and
framework/kernels; apps/ only their own folder, framework/include and framework/conformance. The oracles of a family and
framework/conformance see nothing that a mistake could come from: no body, launcher or skeleton of kernels. Nothing
else uses them.
"""

import os
import pathlib
import re

ALLOWED = {
    "framework": ("framework/",),
    "plugins": ("framework/include/", "framework/kernels/"),
    "apps": ("framework/include/", "framework/conformance/"),
}
ORACLE = re.compile(r"framework/conformance/|(framework|plugins/[^/]+)/kernels/[^/]+/oracle[^/]*$")
HANDS_ORACLES_OVER = "framework/include/quoin/problem_plugin.hpp"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.M)


def meant(root, file, name):
    """The file of ours that an include line can mean, or None for one of another library."""
    folders = [*file.relative_to(root).parents, pathlib.Path("framework/include"), pathlib.Path("framework")]
    for folder in folders:
        if (root / folder / name).is_file():
            return str((root / folder / name).resolve().relative_to(root))
    return f"framework/{name}" if name.startswith("kernels/") else None  # made from the families


def may_include(file, found):
    own = file.split("/")[:2]
    if ORACLE.match(file):
        family = f"{file.rpartition('/')[0]}/oracle"
        return found.startswith(("framework/include/", "framework/conformance/", family))
    if ORACLE.match(found):
        return (own[0] == "apps" or file == HANDS_ORACLES_OVER) and found.startswith("framework/conformance/")
    return found.startswith(("/".join(own) + "/", *ALLOWED[own[0]]))


def violations(root):
    root = root.resolve()
    for top in ALLOWED:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in {".cpp", ".hpp", ".h", ".c", ".cl", ".hip", ".cu"}:
                continue
            text = file.read_text()
            for match in INCLUDE.finditer(text):
                found = meant(root, file, match[1])
                if found and not may_include(str(file.relative_to(root)), found):
                    line = text.count("\n", 0, match.start()) + 1
                    yield f"{file.relative_to(root)}:{line}: must not include {found}"


def test_the_sources_keep_the_rules():
    assert list(violations(pathlib.Path(os.environ["QUOIN_SOURCE_DIR"]))) == []


def test_violations_are_found(tmp_path):
    sources = {
        "framework/include/quoin/open.hpp": "",
        "framework/case/hidden.hpp": '#include "quoin/open.hpp"\n',
        "framework/conformance/harness.hpp": '#include "quoin/open.hpp"\n#include "case/hidden.hpp"\n',
        "framework/kernels/halo/bodies.h": '#include "conformance/harness.hpp"\n',
        "framework/kernels/halo/oracle.cpp": '#include "conformance/harness.hpp"\n#include "quoin/open.hpp"\n'
                                             '#include "kernels/bodies.h"\n#include "bodies.h"\n'
                                             '#include "kernels/halo/oracle_lines.hpp"\n#include "oracle_lines.hpp"\n',
        "framework/kernels/halo/oracle_lines.hpp": '#include "kernels/skeleton.hpp"\n',
        "framework/kernels/skeleton.hpp": "",
        "framework/kernels/stream/oracle.cpp": '#include "kernels/halo/oracle_lines.hpp"\n',
        "framework/run/run.cpp": '\n#include "plugins/serial/skeleton.hpp"\n',
        "plugins/serial/skeleton.hpp": '#include "quoin/open.hpp"\n#include <vector>\n',
        "plugins/other/a.cpp": '#include "../serial/skeleton.hpp"\n#include "case/hidden.hpp"\n'
                               '#include "kernels/bodies.h"\n#include "kernels/halo/oracle_lines.hpp"\n',
        "apps/quoin/main.cpp": "#include <quoin/open.hpp>\n#  include <case/hidden.hpp>\n"
                               '#include "conformance/harness.hpp"\n#include "kernels/halo/oracle_lines.hpp"\n',
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert list(violations(tmp_path)) == [
        "framework/conformance/harness.hpp:2: must not include framework/case/hidden.hpp",
        "framework/kernels/halo/bodies.h:1: must not include framework/conformance/harness.hpp",
        "framework/kernels/halo/oracle.cpp:3: must not include framework/kernels/bodies.h",
        "framework/kernels/halo/oracle.cpp:4: must not include framework/kernels/halo/bodies.h",
        "framework/kernels/halo/oracle_lines.hpp:1: must not include framework/kernels/skeleton.hpp",
        "framework/kernels/stream/oracle.cpp:1: must not include framework/kernels/halo/oracle_lines.hpp",
        "framework/run/run.cpp:2: must not include plugins/serial/skeleton.hpp",
        "plugins/other/a.cpp:1: must not include plugins/serial/skeleton.hpp",
        "plugins/other/a.cpp:2: must not include framework/case/hidden.hpp",
        "plugins/other/a.cpp:4: must not include framework/kernels/halo/oracle_lines.hpp",
        "apps/quoin/main.cpp:2: must not include framework/case/hidden.hpp",
        "apps/quoin/main.cpp:4: must not include framework/kernels/halo/oracle_lines.hpp",
    ]


# What each room of framework/ may use, besides the contracts in include/ and the rooms that these may use.
ROOMS = {"base": (), "case": ("base",), "conformance": (), "plugin": ("base", "device"), "device": (), "matrix": ("base",),
         "mesh": ("base",), "output": ("base", "ranks"),
         "problems": ("base", "case", "device", "kernels", "mesh", "output"), "ranks": ("base",), "report": ("output",),
         "run": ("base", "case", "device", "output", "ranks")}


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
                own = f"problems/{problem.name}/"  # else a room of the framework, some of which are called alike
                used = match[1].removeprefix(own).split("/")[0] if match[1].startswith(own) else ""
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
