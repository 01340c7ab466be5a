"""`quoin report`: a page about a result folder that holds all it needs, with charts by gnuplot."""

import html.parser
import json
import os
import re
import resource
import signal
import subprocess
import time
import urllib.parse
import xml.etree.ElementTree

import pytest
from conftest import summary

VOID = {"meta", "img", "br", "link", "input", "hr"}
PATIENCE = 120  # seconds before something is taken to hang

POISSON = """\
title: Poisson's equation
problem:
  type: jacobi
  grid: {nodes: [31, 15]}
  domain: {x: [0, 2], y: [0, 1]}
  source: "2*pi^2*sin(pi*x)*sin(pi*y)"
  exact: "sin(pi*x)*sin(pi*y)"
method: {tolerance: 1e-9, max_iterations: 20000}
backend: serial
output: {directory: result}
"""

VORTEX = ["--set", "problem.mesh.cells=[8,8]", "--set", "method.final_time=0.1", "--set", "method.order=2"]


class Page(html.parser.HTMLParser):
    """A page that was checked on the way: every element is closed in its turn, and nothing is fetched from anywhere."""

    def __init__(self, file):
        super().__init__()
        self.open, self.sections, self.images, self.numbers, self.metas = [], {}, [], [], []
        self.scripts, self.headings, self.ids = [], [], []
        self.tables, self.status, self.elements = 0, None, set()
        self.source = file.read_text()
        self.feed(self.source)
        self.close()
        assert self.open == []
        assert "url(" not in self.source and "@import" not in self.source
        for image in self.images:
            xml.etree.ElementTree.fromstring(image["svg"])
            assert any(letter.isdigit() for letter in image["alt"]), "it tells no figure"
        assert '<html lang="en">' in self.source and len(set(self.ids)) == len(self.ids)
        assert self.headings[0] == 1 and self.headings.count(1) == 1
        assert all(after <= before + 1 for before, after in zip(self.headings, self.headings[1:]))
        for table in re.findall(r"<table>.*?</table>", self.source, re.DOTALL):
            assert re.match(r"<table>\n<caption>[^<]+</caption>\n<thead><tr>(<th scope=\"col\">[^<]*</th>)+</tr>", table)
            body = table[table.index("<tbody>"):]
            assert body.count("<tr>") == body.count('<tr><th scope="row">')
        # Either none, or the values of the fields and the page's own.
        assert [script["attributes"] for script in self.scripts] in (
            [], [{"type": "application/json", "id": "field-data"}, {}])
        self.data = json.loads(self.scripts[0]["text"]) if self.scripts else None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.add(tag)
        if tag not in VOID:
            self.open.append((tag, attributes.get("id")))
        assert not {"srcset", "action", "data", "background"} & set(attributes)
        assert attributes.get("href", "./").startswith("./")  # to a member of a sweep
        assert not any(name.startswith("on") for name in attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "input":  # what it is called stands in its label
            assert self.open[-1][0] == "label"
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "script":
            self.scripts.append({"attributes": attributes, "text": ""})
        if "src" in attributes:
            kind, data = attributes["src"].split(",", 1)
            assert (tag, kind) == ("img", "data:image/svg+xml")
            self.images.append({"alt": attributes["alt"], "svg": urllib.parse.unquote(data)})
        if tag == "section":
            self.sections[attributes["id"]] = ""
        if tag == "data":
            self.numbers.append(attributes["value"])
        if tag == "meta":
            self.metas.append(attributes)
        self.tables += tag == "table"
        self.status = attributes.get("data-status", self.status)

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "script":
            self.scripts[-1]["text"] += data
            return
        inside = [name for tag, name in self.open if tag == "section"]
        if inside:
            self.sections[inside[-1]] += data

    @property
    def reloads(self):
        return any(meta.get("http-equiv") == "refresh" for meta in self.metas)

    @property
    def captions(self):
        return [image["alt"] for image in self.images]


def numbers_in(json_value):
    if isinstance(json_value, dict):
        json_value = list(json_value.values())
    if isinstance(json_value, list):
        return [number for value in json_value for number in numbers_in(value)]
    return [json_value] if isinstance(json_value, (int, float)) and not isinstance(json_value, bool) else []


def report(quoin, folder, *arguments, **options):
    result = quoin("report", folder, *arguments, **options)
    assert result.returncode == 0, result.stderr
    return Page(folder / "report.html")


def spread(page, name):
    """The least and the greatest value of a field in the table of the page."""
    row = re.search(rf'<th scope="row">{re.escape(name)}</th><td><data value="([^"]+)">.*?<data value="([^"]+)">',
                    page.source)
    return float(row[1]), float(row[2])


@pytest.fixture
def poisson(quoin, tmp_path):
    (tmp_path / "poisson.yaml").write_text(POISSON)
    assert quoin("run", "poisson.yaml").returncode == 0
    return tmp_path / "result"


@pytest.fixture
def vortex(quoin, source, tmp_path):
    result = quoin("run", source / "configs/dgcvs/vortex.yaml", "--output", "vortex", *VORTEX)
    assert result.returncode == 0, result.stderr
    return tmp_path / "vortex"


def test_a_jacobi_run(quoin, poisson):
    page = report(quoin, poisson)
    facts = summary(poisson)
    assert page.status == "converged" and not page.reloads
    assert list(page.sections) == ["summary", "history", "fields", "kernels", "case", "versions"]
    shown = {float(number) for number in page.numbers}
    told_elsewhere = {"version", "exit_code"}
    for key, value in facts.items():
        if key not in told_elsewhere | {"kernels"}:
            assert set(map(float, numbers_in(value))) <= shown, key
    for kernel in facts["kernels"]:
        assert kernel["name"] in page.sections["kernels"] and kernel["seconds"] in shown
    assert 1e-9 in shown  # the tolerance
    assert (poisson / "case.yaml").read_text() in page.sections["case"]
    for version in facts["versions"].values():
        assert version in page.sections["versions"]
    assert "<h1>Poisson&#39;s equation</h1>" in page.source and f"result · {facts['date']}" in page.source
    for fact in ["name", "cpu", "os"]:
        assert facts["host"][fact] in page.sections["versions"]
    assert facts["title"] == "Poisson's equation"
    captions = " ".join(page.captions)
    for words in ["residual norm", "u: from", "u minus the exact solution", "Time by kernel", "Roofline"]:
        assert words in captions
    assert len(page.images) == 7
    assert "multiply-adds, " in page.images[6]["svg"]
    residual = page.images[0]["svg"]
    assert "tolerance" in residual and "iteration" in residual
    # Each node has pixels of its own, so that the errors are those of the summary.
    low, high = spread(page, "error of u")
    assert max(-low, high) == pytest.approx(facts["errors"]["linf"], rel=1e-6)
    assert [name for name in os.listdir(poisson) if name.endswith(".part")] == []


def test_the_columns_of_a_matrix_have_room_for_their_numbers(quoin, source, tmp_path):
    changes = ["--set", "problem.matrix.rows=65536", "--output", "result"]
    assert quoin("run", source / "configs/linear-system/arrow-100000.yaml", *changes).returncode == 0
    (pattern,) = [image["svg"] for image in report(quoin, tmp_path / "result").images if image["alt"].startswith("Where")]
    numbers = re.findall(r'translate\(([\d.]+),[\d.]+\)"[^>]*text-anchor="middle">\s*<text>(?:<tspan[^>]*>)?(\d+)', pattern)
    assert len(numbers) > 1
    for (left, _), (right, number) in zip(numbers, numbers[1:]):
        assert float(right) - float(left) > 9 * len(number)  # pixels a digit


def test_a_linear_system(quoin, source, tmp_path):
    changes = ["--set", "problem.matrix.rows=100", "--output", "result"]
    assert quoin("run", source / "configs/linear-system/arrow-100000.yaml", *changes).returncode == 0
    page = report(quoin, tmp_path / "result")
    facts = summary(tmp_path / "result")
    assert "matrix" in page.sections
    drawn = {image["alt"]: image["svg"] for image in page.images}
    (pattern,) = [svg for words, svg in drawn.items() if words.startswith("Where the matrix has entries")]
    assert "<image" in pattern and ">row<" in pattern
    (lengths,) = [svg for words, svg in drawn.items() if words.startswith("Rows by their number")]
    assert ">65 to 128<" in lengths and ">99<" in lengths  # the rows of two entries
    (residual,) = [svg for words, svg in drawn.items() if words.startswith("The residual norm")]
    assert "b - A x" in residual
    assert facts["matrix"]["row_lengths"] == [0, 0, 99, 0, 0, 0, 0, 0, 1]
    lines = facts["matrix"]["pattern"]
    assert len(lines) == 64 and lines[0] == 64 * lines[0][0] and lines[5].count(".") == 62

    # Of a summary that others have written, nothing is believed.
    for spoilt in ["9", [], ["9", "99"], [1], [""], ["<b>" * 1000]]:
        facts["matrix"].update(pattern=spoilt, row_lengths=["1", None])
        (tmp_path / "result/summary.json").write_text(json.dumps(facts))
        report(quoin, tmp_path / "result")


def test_a_dgcvs_run(quoin, vortex):
    page = report(quoin, vortex)
    facts = summary(vortex)
    assert page.status == "completed"
    shown = {float(number) for number in page.numbers}
    for key in ["errors", "mass", "steps", "time", "time_step", "entities"]:
        assert set(map(float, numbers_in(facts[key]))) <= shown, key
    for name in ["h", "hu", "hv"]:
        low, high = spread(page, f"error of {name}")
        assert 0 < max(-low, high) <= 1.2 * facts["errors"]["linf"], name
    low, high = spread(page, "h")
    assert low == pytest.approx(0.91, abs=0.01) and high == pytest.approx(1, abs=0.01)
    assert sum("minus the exact solution at t = 0.1" in caption for caption in page.captions) == 3
    for image in [image for image in page.images if re.match("hu?v? (at|minus)", image["alt"])]:
        assert "<image" in image["svg"], image["alt"]
        assert ">x<" in image["svg"] and ">y<" in image["svg"]


def test_a_ceiling_that_was_not_measured_is_not_drawn(quoin, poisson):
    facts = summary(poisson)
    assert facts["multiply_add_gflops_per_second"] > 0
    (poisson / "summary.json").write_text(json.dumps({**facts, "multiply_add_gflops_per_second": None}))
    roofline = report(quoin, poisson).images[6]["svg"]
    assert "multiply-adds" not in roofline and "triad, " in roofline


FRAMES = ["--set", "output.fields.every=0.01", "--set", "output.probes=[[0.5,0.5],[-1,2]]",
          "--set", "output.lines.middle={from: [-2, 0], to: [2, 0], every: 0.1}"]


@pytest.fixture
def moving(quoin, source, tmp_path):
    result = quoin("run", source / "configs/dgcvs/vortex.yaml", "--output", "moving", *VORTEX, *FRAMES,
                   "--set", "method.final_time=1.5")
    assert result.returncode == 0, result.stderr
    return tmp_path / "moving"


def test_frames_probes_and_lines(quoin, moving):
    page = report(quoin, moving)
    frames = [name for name in summary(moving)["fields"] if name.startswith("cells-") and name.endswith(".h5")]
    assert len(frames) > 12
    # Without a script the last is seen.
    assert [frame["at"] for frame in page.data["frames"]][::15] == ["t = 0", "t = 1.5"]
    assert len(page.data["frames"]) == len(frames) and "frames are shown" not in page.sections["fields"]
    captions = page.captions
    assert [caption for caption in captions if caption.startswith("h at t = ")] == [
        page.data["frames"][-1]["captions"][0]]
    assert sum("minus the exact solution at t = 1.5" in caption for caption in captions) == 3
    for name in ["h", "hu", "hv"]:
        assert any(caption.startswith(f"{name} at the probes, by time.") for caption in captions)
    (line,) = [image["svg"] for image in page.images if image["alt"].startswith("h along the line middle, by distance.")]
    assert len(set(re.findall(r"href='#gpPt\d+'", line))) >= 6  # a mark for each moment
    again = (moving / "report.html").read_bytes()
    report(quoin, moving)
    assert (moving / "report.html").read_bytes() == again


def test_a_frame_that_is_broken_is_passed_over(quoin, moving):
    names = sorted(file.name for file in moving.glob("cells-*.h5"))
    (moving / names[0]).write_bytes(b"no HDF5")
    page = report(quoin, moving)
    assert len(page.data["frames"]) == 15 and page.data["frames"][-1]["at"] == "t = 1.5"


def test_characteristics_on_triangles_of_a_file(quoin, source, tmp_path):
    result = quoin("run", source / "configs/dgcvs/burgers-p1-tri-10.yaml", "--output", "burgers")
    assert result.returncode == 0, result.stderr
    page = report(quoin, tmp_path / "burgers")
    low, high = spread(page, "error of u")
    linf = summary(tmp_path / "burgers")["errors"]["linf"]
    assert 0.3 * linf < max(-low, high) <= 1.3 * linf  # which is taken inside the cells


def test_a_study_of_convergence(quoin, poisson, tmp_path):
    result = quoin("converge", "poisson.yaml", "--levels", 3, "--output", "study", "--expect-order", 1.9)
    assert result.returncode == 0, result.stderr
    page = report(quoin, tmp_path / "study")
    study = json.loads((tmp_path / "study/converge.json").read_text())
    shown = {float(number) for number in page.numbers}
    for level in study["levels"]:
        assert set(map(float, numbers_in([level["errors"], level["orders"], level["iterations"]]))) <= shown
    chart = page.images[0]["svg"]
    assert "slope 1.9" in chart and "1/4" in chart and "mesh width" in chart
    assert "expected was 1.9" in page.sections["convergence"] and "nodes: [127, 63]" in page.sections["convergence"]
    assert page.status == "converged" and "fields" in page.sections  # of the finest mesh
    assert str(study["levels"][2]["errors"]["l2"]) in page.source


def test_a_comparison(quoin, poisson, tmp_path):
    arguments = ["poisson.yaml", "--backends", "nonesuch,serial,template", "--output", "two"]
    assert quoin("compare", *arguments).returncode == 8
    folder = tmp_path / "two"
    study = json.loads((folder / "compare.json").read_text())
    page = report(quoin, folder)
    shown = {float(number) for number in page.numbers}
    assert "there is no backend 'nonesuch'" in page.sections["backends"]
    for run in study["runs"][1:]:
        assert {run["us_per_iteration"], run["speed_ratio"], run["wall_seconds"]} <= shown
        assert run["device"] in page.sections["backends"]
    bars = page.images[0]["svg"]
    assert "serial" in bars and "template" in bars and "nonesuch" not in bars
    assert page.status == "converged"  # of the first that ran
    again = quoin("compare", *arguments)
    assert again.returncode == 2 and "--force" in again.stderr
    assert quoin("compare", *arguments, "--force").returncode == 8


def test_without_gnuplot_the_tables_are_there(quoin, poisson):
    with_charts = report(quoin, poisson)
    page = report(quoin, poisson, env={"PATH": "/nonexistent"})
    assert page.images == [] and "gnuplot-nox" in page.source
    assert page.numbers == with_charts.numbers and page.tables == with_charts.tables


def test_a_gnuplot_that_fails(quoin, poisson, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gnuplot").write_text("#!/bin/sh\necho 'no <terminal>' >&2\nexit 1\n")
    (tmp_path / "bin/gnuplot").chmod(0o755)
    page = report(quoin, poisson, env={"PATH": f"{tmp_path}/bin", "TMPDIR": str(tmp_path / "bin")})
    assert page.images == [] and "no &lt;terminal&gt;" in page.source and page.tables == 5
    assert os.listdir(tmp_path / "bin") == ["gnuplot"]  # nothing temporary stays


@pytest.mark.parametrize("changes, status, words", [
    (["--set", "method.max_iterations=5"], "not_converged", "the iteration limit came first"),
    (["--set", "backend={name: fault, call: launch, at: 500, fault: lost}"], "failed", "the device was lost"),
], ids=["not-converged", "failed"])
def test_a_run_that_did_not_end_well(quoin, poisson, changes, status, words):
    assert quoin("run", "poisson.yaml", "--force", *changes).returncode in (4, 7)
    page = report(quoin, poisson)
    assert page.status == status and words in page.source
    if status == "failed":
        assert "error: " in page.sections["summary"] and "No fields were written" in page.sections["fields"]


def test_keys_of_a_backend_are_no_hindrance(quoin, poisson):
    backend = "backend={name: check, order: reversed}"
    assert quoin("run", "poisson.yaml", "--force", "--set", backend).returncode == 0
    page = report(quoin, poisson)
    assert "u minus the exact solution" in " ".join(page.captions) and "order: reversed" in page.sections["case"]


def test_what_was_not_written_is_said(quoin, poisson):
    nothing = ["--set", "output.fields.write=false", "--set", "output.history=false"]
    assert quoin("run", "poisson.yaml", "--force", *nothing).returncode == 0
    assert not (poisson / "report.html").exists()
    page = report(quoin, poisson)
    assert "output.fields.write is false" in page.sections["fields"]
    assert "no history.csv" in page.sections["history"]


def test_a_relative_tolerance_has_its_line(quoin, poisson):
    assert quoin("run", "poisson.yaml", "--force", "--set", "method.relative_tolerance=1e-3").returncode == 0
    page = report(quoin, poisson)
    first = float((poisson / "history.csv").read_text().splitlines()[1].split(",")[1])
    assert summary(poisson)["tolerance"] == pytest.approx(1e-3 * first)  # the run started from a field of zeros
    assert "tolerance" in page.images[0]["svg"] and str(summary(poisson)["tolerance"]) in page.numbers
    assert quoin("run", "poisson.yaml", "--force", "--set", "method.stop=iterations", "--set",
                 "method.max_iterations=50").returncode == 0
    assert "tolerance" not in report(quoin, poisson).images[0]["svg"]


def test_hostile_names_break_nothing(quoin, poisson, tmp_path):
    name = "<img src=x onerror=alert(1)>'\" `id` $(id) &amp; %s {:Bold x}"
    folder = tmp_path / name
    poisson.rename(folder)
    facts = summary(folder)
    facts["kernels"][0]["name"] = facts["device"] = facts[name] = name
    facts["tuned"] = {name: name}
    facts["message"] = "</p></section><script>alert(1)</script>"
    (folder / "summary.json").write_text(json.dumps(facts))
    (folder / "history.csv").write_text(f"<script>,{name.replace(',', '')}\n0,1\n1,0.5\n2,0.25\n")
    (folder / "run.log").write_bytes(b"x error: </pre><script>\xff\x00\n")
    (folder / "case.yaml").write_text((folder / "case.yaml").read_text() + "# </pre><script>alert(1)</script>\n")
    page = report(quoin, folder)
    assert len(page.scripts) == 2 and len(page.images) == 7
    assert name in page.sections["kernels"] and name in page.sections["summary"]
    assert "uid=" not in page.source  # of a command that gnuplot would have run


def test_where_there_is_no_result(quoin, poisson, tmp_path):
    (tmp_path / "empty").mkdir()
    for folder, words in [("absent", "no such folder"), ("empty", "holds no result"), ("poisson.yaml", "no such folder")]:
        result = quoin("report", folder)
        assert result.returncode == 6 and words in result.stderr and folder in result.stderr
    for output in ["absent/page.html", "empty"]:
        result = quoin("report", "result", "--output", output)
        assert result.returncode == 6 and "empty" not in os.listdir(tmp_path / "empty")
    assert quoin("report").returncode == 2
    assert quoin("report", "result", "--output", "other.html").returncode == 0
    assert Page(tmp_path / "other.html").status == "converged" and not (poisson / "report.html").exists()


def test_a_full_disk_keeps_the_earlier_page(quoin, poisson):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))

    report(quoin, poisson)
    before = (poisson / "report.html").read_bytes()
    result = quoin("report", poisson, preexec_fn=small_files)
    assert result.returncode == 6 and "report.html: cannot write the last" in result.stderr
    assert (poisson / "report.html").read_bytes() == before
    assert [name for name in os.listdir(poisson) if name.endswith(".part")] == []


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it hangs"
        time.sleep(0.05)


def test_a_run_that_goes_on_is_watched_until_it_is_killed(quoin, build, tmp_path):
    (tmp_path / "poisson.yaml").write_text(POISSON)
    program = build / "bin" / "quoin"
    endless = ["--set", "method.stop=iterations", "--set", "method.max_iterations=30000000"]
    run = subprocess.Popen([program, "run", "poisson.yaml", *endless], cwd=tmp_path, stderr=subprocess.DEVNULL)
    folder = tmp_path / "result"
    file = folder / "report.html"
    watchers = []

    def watch():
        watchers.append(subprocess.Popen([program, "report", "result", "--watch"], cwd=tmp_path,
                                         stdout=subprocess.DEVNULL))
        return watchers[-1]

    try:
        wait_until(lambda: (folder / "history.csv").exists() and (folder / "history.csv").stat().st_size > 1000)
        page = report(quoin, folder)  # the run does not mind
        assert page.status == "running" and not page.reloads
        assert "Last residual" in page.sections["summary"] and "residual norm" in page.captions[0]
        file.unlink()

        first = watch()
        wait_until(file.exists)
        assert Page(file).reloads
        first.send_signal(signal.SIGINT)
        assert first.wait(PATIENCE) == 130
        page = Page(file)
        assert page.status == "running" and not page.reloads

        second = watch()
        wait_until(lambda: Page(file).reloads)
        assert run.poll() is None
        run.kill()
        run.wait()
        with open(folder / "history.csv", "a") as history:
            history.write("12,0.")  # torn
        assert second.wait(PATIENCE) == 0
        page = Page(file)
        assert page.status == "killed" and not page.reloads and "it was killed" in page.source
        assert "that are no numbers" not in page.sections["history"]
    finally:
        for process in [run, *watchers]:
            process.kill()
            process.wait()
