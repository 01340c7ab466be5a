"""The pages beside the program hold what the program does: their commands run, and print what they say."""

import os
import re
import subprocess
import sys

import pytest
from conftest import SOURCE

PAGES = ["README.md", "apps/quoin/TUTORIAL.md", "apps/quoin/TROUBLE.md", "apps/quoin/HDF5.md",
         "apps/python/README.md", "plugins/template/README.md", "plugins/worker/README.md"]
WHEN_INSTALLED = "the test of the installed files does"
WHEN_LONG = "the long test of the installed files does"
BUILDS, MEASURES = "installs and builds", "measures for minutes"
# Blocks of commands that are not run with their page: reasons, as comments above them give them, and how many.
NOT_RUN = {"README.md": {BUILDS: 2}, "CONTRIBUTING.md": {BUILDS: 1}, "apps/quoin/TUTORIAL.md": {BUILDS: 1},
           "apps/python/README.md": {BUILDS: 1},
           "apps/bench/README.md": {MEASURES: 1}, "apps/bench/peers/README.md": {"installs other programs and " + MEASURES: 3},
           "plugins/hip/README.md": {WHEN_INSTALLED: 1}, "plugins/opencl/README.md": {WHEN_INSTALLED: 1},
           "plugins/openmp/README.md": {WHEN_INSTALLED: 1}, "plugins/heat/README.md": {WHEN_INSTALLED: 4},
           "plugins/template/README.md": {WHEN_INSTALLED: 2}, "plugins/worker/README.md": {WHEN_INSTALLED: 1, WHEN_LONG: 1}}

BLOCK = re.compile(r"(?:<!-- not run: ([^\n]*) -->\n)?^```(sh|text|yaml|python|c)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def run(line, folder, build):
    """The output of a line, whose comment gives its exit code where it is not 0."""
    wanted = int(match[1]) if (match := re.search(r"# exit (\d+)", line)) else 0
    environment = os.environ | {"PATH": f"{build / 'bin'}:{os.path.dirname(sys.executable)}:{os.environ['PATH']}",
                                "PYTHONPATH": str(SOURCE / "apps/python"), "PYTHONDONTWRITEBYTECODE": "1"}
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
            return None
        return "".join(run(line, tmp_path, build) for line in text.splitlines())

    follow(source / page, tmp_path, perform)


def test_the_reference_is_that_of_the_program(source, build):
    """Without the backends that only tests have."""
    page = subprocess.run([build / "bin/quoin", "schema", "--markdown"], check=True, capture_output=True, text=True).stdout
    page = re.sub(r"## `backend` of `(check|fault)`\n.*?(?=^## )", "", page, flags=re.S | re.M)
    assert (source / "apps/quoin/REFERENCE.md").read_text() == page, \
        "of a build without tests: build/bin/quoin schema --markdown > apps/quoin/REFERENCE.md"


def pages_of_tree(source):
    """Their names, such as `apps/quoin/TUTORIAL.md`."""
    found = {str(file.relative_to(source)) for file in source.rglob("*.md")}
    found = {page for page in found if not re.match(r"build|results/", page)}
    assert set(PAGES) < found
    return sorted(found)


def test_every_block_of_commands_is_run_or_says_why_not(source):
    not_run = {}
    for page in pages_of_tree(source):
        text = (source / page).read_text()
        opened = re.findall(r"^ *```(.*)$", text, re.M)[::2]
        assert {words.split(" ")[0] for words in opened} <= {"sh", "text", "yaml", "python", "c", "json", ""}, page
        reasons = [reason for reason, kind, *_ in BLOCK.findall(text) if kind == "sh"]
        assert len(reasons) == opened.count("sh"), page
        assert page in PAGES or all(reasons), f"{page} is not among the pages whose commands run"
        for reason in filter(None, reasons):
            of_page = not_run.setdefault(page, {})
            of_page[reason] = of_page.get(reason, 0) + 1
    assert not_run == NOT_RUN


def test_the_benchmarks_take_the_options_of_the_page(source, build, tmp_path):
    """What they do with them, each test_bench_NAME.py looks at."""
    text = (source / "apps/bench/README.md").read_text()
    (block,) = [text for reason, kind, _, text in BLOCK.findall(text) if (reason, kind) == (MEASURES, "sh")]
    for line in block.splitlines():
        name = re.match(r"quoin bench (\w+) ", line)[1]
        taken = run(f"quoin bench {name} --help", tmp_path, build)
        for option in re.findall(r" (--\w+)", line):
            assert re.search(rf"^ +.*{option}\b", taken, re.M), line


def anchors_of(text):
    """The places in a page that a link can lead to, as GitHub names its headings."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)$", text, re.M)}


def test_links_lead_somewhere(source):
    for page in (source / name for name in pages_of_tree(source)):
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)", page.read_text()):
            file = page.parent / target if target else page
            assert file.exists(), f"{page}: {target}"
            assert not anchor or anchor in anchors_of(file.read_text()), f"{page}: {target}#{anchor}"
