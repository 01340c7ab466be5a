"""The pages beside the program hold what the program does: their commands run, and print what they say."""

import os
import re
import subprocess
import sys

import pytest

PAGES = ["README.md", "apps/quoin/TUTORIAL.md", "apps/quoin/TROUBLE.md", "apps/quoin/HDF5.md",
         "plugins/template/README.md", "plugins/worker/README.md"]
WHEN_INSTALLED = "the test of the installed files does"
WHEN_LONG = "the long test of the installed files does"
NOT_RUN = {"installs and builds", WHEN_INSTALLED, WHEN_LONG}  # reasons, as comments above a block give them

BLOCK = re.compile(r"(?:<!-- not run: ([^\n]*) -->\n)?^```(sh|text|yaml|python|c)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def run(line, folder, build):
    """The output of a line, whose comment gives its exit code where it is not 0."""
    wanted = int(match[1]) if (match := re.search(r"# exit (\d+)", line)) else 0
    environment = os.environ | {"PATH": f"{build / 'bin'}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", line], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, timeout=240)
    assert done.returncode == wanted, f"{line}\n{done.stdout}"
    return done.stdout


def expect(text, output):
    """Each line of `text` begins a later line of the output; a dot of three stands for anything."""
    at = 0
    for line in text.splitlines():
        pattern = ".*".join(map(re.escape, line.split("…")))
        match = re.compile("^" + pattern, re.M).search(output, at)
        assert match, f"no line like '{line}' in the rest of:\n{output[at:]}"
        at = match.end()


def follow(page, folder, perform):
    """Writes the files of a page, the blocks with a name, and looks in what `perform` says of a block of commands for the
    text that follows it.

    `perform` is given the reason why the block is not run, or an empty one, and says None of a block that it passes over.
    """
    output = None
    blocks = BLOCK.findall(page.read_text())
    assert len(blocks) > 3
    for reason, kind, name, text in blocks:
        if kind == "sh":
            output = perform(reason, text)
        elif kind != "text" or name:
            (folder / name).write_text(text)
        elif output is not None:
            expect(text, output)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_print_what_the_page_says(page, source, build, tmp_path):
    (tmp_path / "configs").symlink_to(source / "configs")

    def perform(reason, text):
        if reason:
            assert reason in NOT_RUN
            return None
        return "".join(run(line, tmp_path, build) for line in text.splitlines())

    follow(source / page, tmp_path, perform)


def test_the_reference_is_that_of_the_program(source, build):
    """Without the backends that only tests have."""
    page = subprocess.run([build / "bin/quoin", "schema", "--markdown"], check=True, capture_output=True, text=True).stdout
    page = re.sub(r"## `backend` of `(check|fault)`\n.*?(?=^## )", "", page, flags=re.S | re.M)
    assert (source / "apps/quoin/REFERENCE.md").read_text() == page, \
        "of a build without tests: build/bin/quoin schema --markdown > apps/quoin/REFERENCE.md"


def test_links_lead_somewhere(source):
    pages = [file for file in source.rglob("*.md") if not {"build", "results"} & set(file.parts)]
    assert len(pages) > 5
    for page in pages:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page}: {target}"
