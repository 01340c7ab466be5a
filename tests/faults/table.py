#!/usr/bin/env python3
"""Writes README.md beside it: the list of faults with the tests behind each row.

table.py         writes it
table.py --check says where it differs from the tests that there are

Tests of the program carry @pytest.mark.row(NUMBER), tests in C++ a line `// row NUMBER` above them, tests that CMake
defines a line `# row NUMBER` above add_test.
"""

import collections
import os
import pathlib
import re
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent

# What goes wrong, and what must happen. "Case error": exit 3 with file, line, column and what is allowed, for every
# mistake of the file at once.
ROWS = [
    ("misspelt or missing key, wrong type, value out of range", "case error with a suggestion or the range"),
    ("key given twice, second document, NUL byte, bytes that are no UTF-8, tabs that indent", "case error"),
    ("aliases that multiply or name themselves, a million brackets", "case error; memory and visits are bounded"),
    ("`010`, `1e400`, `.nan`, integers of 20 digits, sizes of 0 or less", "case error"),
    ("more nodes than there can be, more memory than the host or the device has",
     "case error, exit 7 for the device; both numbers of bytes are named and nothing is allocated"),
    ("formulas with mistakes, of boundless depth, or infinite at a node", "case error with the column in the formula"),
    ("symbolic links in or for the result folder, a folder in use, a file in its place",
     "exit 6, 2 for results without `--force`; nothing is followed or overwritten"),
    ("mesh files that are torn, of unknown versions, twisted, hanging, unnamed or in space",
     "case error that names the entity"),
    ("SIGINT", "the step is finished, a checkpoint written; exit 130, never `converged`"),
    ("SIGTERM", "as SIGINT within `run.grace`, else the last checkpoint stands; exit 143"),
    ("a second SIGINT", "leaves at the next launch; the earlier checkpoint is whole"),
    ("SIGKILL at any moment", "the newest valid checkpoint loads, and what lies in the folder can be read"),
    ("going on after an interruption or a kill",
     "fields and history of the unbroken run, byte for byte, on any backend"),
    ("checkpoints with flipped bits, torn, empty, of other versions",
     "never opened by HDF5; the one before is taken, with a word, else exit 9"),
    ("a checkpoint of another case, mesh or order", "exit 9 with the differences"),
    ("no room on the disk, for any file of a run", "exit 6, what was whole stays whole, the missing bytes are named"),
    ("fsync, close or rename fail, folders that cannot be written, short writes, interrupted calls",
     "exit 6 and no rename; the last two do not show"),
    ("standard streams that are closed, full, or read no longer", "neither the run nor its files are lost"),
    ("the n-th allocation fails", "exit 6 or 7 with a clear message, no crash (those inside HDF5 apart)"),
    ("the device runs out of memory", "exit 7 with what was asked for and is free"),
    ("the device is lost or hangs",
     "exit 7 within the watchdog's time, or within `run.grace` of a second signal; the last checkpoint is kept"),
    ("no device, no driver", "exit 7 with the reason, never another device unasked; with a list the next one, logged"),
    ("plugins that are no ELF, torn, of other versions or kernels, or lack entries",
     "exit 8, the others work; a wrong ABI is refused unopened, other minor versions work"),
    ("plugins that throw anywhere, crash, end the process or never return while probed",
     "exit 8, the host survives, `quoin list` gives the reason"),
    ("plugins in the working directory or where others may write, libraries from there", "refused with the reason"),
    ("kernels that do not build", "exit 7, the compiler's log is kept in a file that is named"),
    ("a number that is spoilt at some step", "exit 5 with the step and the place, the last good checkpoint is kept"),
    ("a time step beyond the stable one", "exit 5 soon after the norm has passed its bound, with a hint"),
    ("20 repeats with 1, 2 and 4 threads", "the same bits"),
    ("two runs into one folder", "the second one: exit 6, naming the process of the first"),
    ("clocks that step back or stand, time zones, decimal commas", "no effect on results and files"),
    ("fuzzing of every parser", "no crash, hang, leak or report; the corpus covers 90 % of each parser"),
    ("files of the user's own in the result folder, under names that a run gives",
     "exit 6 with the name before anything is removed; `--force` removes what is in Quoin's list there, no copies"),
    ("a folder, a pipe or a socket in the place of a file", "exit 6 with the name, no waiting"),
    ("control characters in names and in what meshes and plugins say", "escaped, in messages and in `run.log`"),
    ("a checkpoint with a right checksum that no run wrote", "exit 9, little memory, the folder stays as it is"),
    ("empty values and unknown words on the command line", "exit 2 with what they were taken for"),
    ("plugins that end the process in the middle of a run", "exit 8 with the plugin and the call, status `failed`"),
    ("plugins that crash, hang, end the process or print while conformance checks them",
     "exit 8; the check has failed, the others go on, and the reports are whole"),
    ("a rank of several fails by itself", "all end with its code and one message, which names it and its host"),
    ("a rank of several is killed", "all end within seconds with 137; the newest checkpoint goes on"),
    ("a rank of several is stopped", "exit 7 after the watchdog's time, with its number and host; the newest checkpoint is kept"),
    ("SIGTERM to a run on several ranks", "one checkpoint, with which any number of ranks goes on; exit 143"),
    ("the disk is full while the rows of another rank are written, or that rank writes them", "exit 6 with the file, nothing half written; a checkpoint goes on"),
    ("ranks share a device that has no room for all of them", "exit 7 before anything is allocated, with the ranks and what they need"),
]
IN_CPP = re.compile(r"^// rows? ([\d, ]+)\nTEST(?:_F|_P)?\((\w+), (\w+)\)", re.M)
IN_CMAKE = re.compile(r"^ *# rows? ([\d, ]+)\n *add_test\(NAME ([^\s)]+)", re.M)


class Collector:
    """Counts the cases of each marked test in a file."""

    def __init__(self, cases):
        self.cases = cases

    def pytest_collection_modifyitems(self, items):
        for item in items:
            for mark in item.iter_markers("row"):
                self.cases[mark.args[0], str(item.path.relative_to(TESTS))] += 1


def collect():
    """Cases by row and file."""
    cases = collections.Counter()
    files = sorted(file for file in TESTS.glob("*/test_*.py") if "pytest.mark.row(" in file.read_text())
    sys.path.insert(0, str(HERE))  # one test file may take from another
    with open(os.devnull, "w") as nowhere:
        told, sys.stdout = sys.stdout, nowhere
        code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "--import-mode=importlib",
                            f"--confcutdir={TESTS}", f"--rootdir={TESTS}", *map(str, files)], [Collector(cases)])
        sys.stdout = told
    if code != 0:
        sys.exit(f"pytest cannot collect the tests ({code}): {', '.join(map(str, files))}")
    for pattern, names in [(IN_CPP, "**/*.cpp"), (IN_CMAKE, "*/CMakeLists.txt")]:
        for file in sorted(TESTS.glob(names)):
            for match in pattern.finditer(file.read_text()):
                for row in match[1].split(","):
                    cases[int(row), str(file.relative_to(TESTS))] += 1
    return cases


def untested(cases):
    return set(range(1, len(ROWS) + 1)) - {row for row, _ in cases}


def text_of(cases):
    lines = [
        "# Faults", "",
        "What goes wrong, what must happen then, and the tests that make it happen, with the number of their cases. Tests",
        "in C++ count once each, however many values they are given. `tests/faults/table.py` writes this file from the",
        "marks of the tests; its first lines say how a test is marked.", "",
        "| # | fault | what must happen | tests | cases |", "|---|---|---|---|---|"]
    for number, (fault, outcome) in enumerate(ROWS, 1):
        files = {file: count for (row, file), count in sorted(cases.items()) if row == number}
        tests = ", ".join(f"[{file}](../{file}) {count}" for file, count in files.items()) or "none yet"
        lines.append(f"| {number} | {fault} | {outcome} | {tests} | {sum(files.values())} |")
    return "\n".join(lines) + "\n"


def main():
    cases = collect()
    if strange := {row for row, _ in cases} - set(range(1, len(ROWS) + 1)):
        sys.exit(f"there are marks of rows that the list does not have: {sorted(strange)}")
    if untested(cases):
        sys.exit(f"rows without a test: {sorted(untested(cases))}")
    if "--check" not in sys.argv:
        (HERE / "README.md").write_text(text_of(cases))
    elif (HERE / "README.md").read_text() != text_of(cases):
        sys.exit("tests/faults/README.md is not that of the tests: run tests/faults/table.py")


if __name__ == "__main__":
    main()
