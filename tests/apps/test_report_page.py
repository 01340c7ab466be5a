"""What Chromium makes of reports: that they fit a phone and a desk's screen, in both modes, by keyboard alone, and that
what the script shows are the values of the fields' files."""

import base64
import json
import os
import re
import subprocess

import h5py
import numpy
import pytest
from conftest import BUILD, SOURCE
from test_report import FRAMES, PATIENCE, POISSON, VORTEX, Page
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader
from vtkmodules.vtkIOXML import vtkXMLImageDataReader

WIDTHS = (400, 800, 1400)
LARGEST_PAGE = 6e6  # bytes, however many frames there are
LARGEST_OF_ONE_FRAME = 4e5


def run(folder, *arguments):
    result = subprocess.run([BUILD / "bin/quoin", *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                            check=False, timeout=600)
    assert result.returncode == 0, result.stderr


def with_report(folder):
    run(folder.parent, "report", folder.name)
    return folder


@pytest.fixture(scope="module")
def poisson(tmp_path_factory):
    folder = tmp_path_factory.mktemp("poisson")
    (folder / "poisson.yaml").write_text(POISSON)
    run(folder, "run", "poisson.yaml")
    return with_report(folder / "result")


@pytest.fixture(scope="module")
def moving(tmp_path_factory):
    folder = tmp_path_factory.mktemp("moving")
    run(folder, "run", SOURCE / "configs/dgcvs/vortex.yaml", "--output", "moving", *VORTEX, *FRAMES,
        "--set", "method.final_time=1.5")
    return with_report(folder / "moving")


@pytest.fixture(scope="module")
def triangles(tmp_path_factory):
    folder = tmp_path_factory.mktemp("triangles")
    run(folder, "run", SOURCE / "configs/dgcvs/burgers-p3-tri-10.yaml", "--output", "burgers")
    return with_report(folder / "burgers")


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    folder = tmp_path_factory.mktemp("system")
    run(folder, "run", SOURCE / "configs/linear-system/arrow-100000.yaml", "--set", "problem.matrix.rows=100",
        "--set", f"title={80 * 'long'} <&\">", "--output", "result")
    return with_report(folder / "result")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    (folder / "poisson.yaml").write_text(POISSON)
    run(folder, "converge", "poisson.yaml", "--levels", 2, "--output", "study")
    return with_report(folder / "study")


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    folder = tmp_path_factory.mktemp("comparison")
    (folder / "poisson.yaml").write_text(POISSON)
    run(folder, "compare", "poisson.yaml", "--backends", "serial,template", "--output", "two")
    return with_report(folder / "two")


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "poisson.yaml").write_text(POISSON)
    run(folder, "sweep", "poisson.yaml", "--vary", "problem.grid.nodes=[15,7],[31,15]", "--vary",
        "method.tolerance=1e-6,1e-9", "--output", "swept")
    return with_report(folder / "swept")


KINDS = ["poisson", "moving", "triangles", "system", "study", "comparison", "sweep"]


@pytest.fixture(params=KINDS)
def page(request):
    return Page(request.getfixturevalue(request.param) / "report.html")


def chromium(tmp_path, dark, *arguments):
    return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                           f"--blink-settings=preferredColorScheme={0 if dark else 1}",
                           f"--user-data-dir={tmp_path}/profile", *arguments], env={**os.environ, "HOME": str(tmp_path)},
                          check=True, capture_output=True, text=True, timeout=PATIENCE).stdout


def framed(tmp_path, page, widths, script, height=900):
    """A file with the page in frames side by side, in each of which `script` (of `page`, its document) is run."""
    (tmp_path / "framed.html").write_text(
        '<!DOCTYPE html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        "<style>body { margin: 0; display: flex } iframe { border: 0; flex: none; color-scheme: light dark }</style>"
        + "".join(f'<iframe width="{width}" height="{height}"></iframe>' for width in widths) + "<p hidden></p><script>"
        "const told = [], wait = time => new Promise(done => setTimeout(done, time));"
        'document.querySelectorAll("iframe").forEach((frame, k) => { frame.onload = async () => {'
        f"  const page = frame.contentDocument; told[k] = await (async () => {{ {script} }})();"
        '  document.querySelector("p").textContent = JSON.stringify(told); };'
        f'  frame.srcdoc = {json.dumps(page.source).replace("</", "<" + chr(92) + "/")}; }});</script>')
    return f"file://{tmp_path}/framed.html"


def told(tmp_path, page, widths, script, dark=False, time=1000):
    """What the script returns, width by width, within so many milliseconds of its own clock."""
    file = framed(tmp_path, page, widths, script)
    dom = chromium(tmp_path, dark, f"--virtual-time-budget={time}", "--dump-dom", file)
    (text,) = re.findall(r'<p hidden="">(.*?)</p>', dom)
    answers = json.loads(text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    assert len(answers) == len(widths)
    return answers


def pixels(file):
    """Those of a PNG image, row by row from above."""
    reader = vtkPNGReader()
    reader.SetFileName(str(file))
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[::-1, :, :3]


def screenshots(tmp_path, page, script, dark):
    """For each width the page as it is seen in full, row by row from above, after the script; and what that returned."""
    script = f"{script}; return {{ high: page.documentElement.scrollHeight, answer }};"
    answers = told(tmp_path, page, WIDTHS, script, dark)
    high = max(answer["high"] for answer in answers)
    file = framed(tmp_path, page, WIDTHS, script, high)
    chromium(tmp_path, dark, "--virtual-time-budget=1000", f"--window-size={sum(WIDTHS)},{high}",
             f"--screenshot={tmp_path}/seen.png", file)
    seen = pixels(tmp_path / "seen.png").astype(int)
    assert seen.shape == (high, sum(WIDTHS), 3)
    return [(part, answer["answer"]) for part, answer in
            zip(numpy.split(seen, numpy.cumsum(WIDTHS)[:-1], axis=1), answers, strict=True)]


# Of the sizes that elements have.
LAYOUT = r"""
  for (const details of page.querySelectorAll('details')) details.open = true;
  const root = page.documentElement, cut = [];
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (!node.data.trim() || node.parentElement.closest('.wide, script')) continue;
    const range = page.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.left < 0 || box.right > root.clientWidth) cut.push(node.data);
  }
  for (const box of page.querySelectorAll('section, figure, .wide, .player'))
    if (box.getBoundingClientRect().right > root.clientWidth) cut.push(box.className + box.id);
  const reachable = [...page.querySelectorAll('a[href], button, input, summary, [tabindex]')]
    .filter(each => each.getClientRects().length > 0);
  const unreached = reachable.filter(each => {
    each.focus();
    return page.activeElement != each || each.tabIndex != 0 || page.defaultView.getComputedStyle(each).outlineWidth != '3px';
  }).map(each => each.outerHTML.slice(0, 200));
  return { wide: root.scrollWidth, high: root.scrollHeight, cut, unreached, reachable: reachable.length,
           scrolls: [...page.querySelectorAll('.wide')].some(each => each.scrollWidth > each.clientWidth),
           drawn: [...page.images].every(image => image.complete && image.naturalWidth > 0) };
"""


def test_it_fits_every_width_and_the_keyboard_reaches_all(page, tmp_path):
    for width, seen in zip(WIDTHS, told(tmp_path, page, WIDTHS, LAYOUT), strict=True):
        assert seen["wide"] == width and seen["cut"] == [] and seen["unreached"] == [], width
        assert seen["drawn"] and seen["reachable"] > 0 and 800 < seen["high"] < 20000
        assert seen["scrolls"] or width > 400  # the widest table, in its own box


# Of all letters of the charts, in pixels of theirs.
LETTERS = r"""
  const cut = [];
  let letters = 0;
  for (const image of page.images) {
    const box = document.body.appendChild(document.createElement('div'));
    box.style.font = '16px sans-serif';
    box.innerHTML = decodeURIComponent(image.src.slice(image.src.indexOf(',') + 1));
    const drawing = box.querySelector('svg'), frame = drawing.getBoundingClientRect();
    for (const text of drawing.querySelectorAll('text')) {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      letters += text.textContent.length;
      if (left < frame.left - 2 || right > frame.right + 2 || top < frame.top - 4 || bottom > frame.bottom + 4)
        cut.push(image.alt + ': ' + text.textContent);
    }
    box.remove();
  }
  return { cut, letters };
"""


def test_no_letter_of_a_chart_is_cut(page, tmp_path):
    (seen,) = told(tmp_path, page, [800], LETTERS)
    assert seen["cut"] == [] and seen["letters"] > 20 * len(page.images)


def colours_of(text):
    return {name: [int(value[k:k + 2], 16) for k in (0, 2, 4)] if len(value) == 6 else [17 * int(c, 16) for c in value]
            for name, value in re.findall(r"(--\w+): ?#(\w{6}|\w{3})\b", text)}


def themes_of(css):
    """The colours of the light and of the dark mode."""
    light, dark = css.split("prefers-color-scheme:", 1)
    return colours_of(light), colours_of(re.match(r"[^}]*}", dark)[0])


def contrast(one, other):
    def luminance(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055)**2.4 for c in numpy.array(colour) / 255]
        return numpy.dot(linear, [0.2126, 0.7152, 0.0722])
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_letters_stand_out_from_their_ground(poisson):
    page = Page(poisson / "report.html")
    css = re.search(r"<style>(.*?)</style>", page.source, re.DOTALL)[1]
    chart = re.search(r"<style>(.*?)</style>", page.images[0]["svg"])[1]
    assert contrast([0, 0, 0], [255, 255, 255]) == pytest.approx(21)
    for theme, of_chart in zip(themes_of(css), themes_of(chart), strict=True):
        for ground in ("--page", "--card", "--code"):
            for letters in ("--text", "--faint", "--good", "--fair", "--bad", "--going"):
                assert contrast(theme[letters], theme[ground]) >= 4.5, (letters, ground)
        assert contrast(of_chart["--c0"], theme["--card"]) >= 4.5


def decoded(page, frame, field):
    data = page.data
    values = numpy.frombuffer(base64.b64decode(data["frames"][frame]["values"][field]), "<f4")
    return values.reshape(len(data["y"]), len(data["x"]))


def painted(page, frame, field):
    """The colours of a field at its points, row by row from below."""
    palette = numpy.array([[int(colour[k:k + 2], 16) for k in (1, 3, 5)] for colour in page.data["palette"]])
    low, high = page.data["ranges"][field]
    place = numpy.clip((decoded(page, frame, field) - low) / (high - low), 0, 1) * (len(palette) - 1)
    below = numpy.minimum(place.astype(int), len(palette) - 2)
    share = (place - below)[..., None]
    return palette[below] * (1 - share) + palette[below + 1] * share


PLACES = """
  const choose = (id, value) => { const input = page.getElementById(id); input.value = value;
                                  input.dispatchEvent(new page.defaultView.Event('input')); };
  choose('frame', %d);
  choose('pick-x', 0);  // out of the way
  choose('pick-y', 0);
  for (const other of page.querySelectorAll('section:not(#fields)')) other.hidden = true;  // for a smaller picture
  const answer = [...page.querySelectorAll('[data-field]')].map(each => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return [left, top, width, height];
  });
"""


@pytest.mark.parametrize("dark, frame", [(False, 15), (True, 0)], ids=["light", "dark"])
def test_fields_have_the_colours_of_their_values(moving, tmp_path, frame, dark):
    page = Page(moving / "report.html")
    ground = themes_of(page.source)[dark]
    rows, columns = len(page.data["y"]), len(page.data["x"])
    for width, (seen, places) in zip(WIDTHS, screenshots(tmp_path, page, PLACES % frame, dark)):
        for corner in (seen[3, 3], seen[-3, 3]):
            assert numpy.abs(corner - ground["--page"]).max() <= 1
            assert corner.max() < 60 if dark else corner.min() > 220
        assert len(places) == len(page.data["fields"]) == 3
        for field, (left, top, wide, high) in enumerate(places):
            assert wide > 0.4 * min(width, 400)
            x = (left + (numpy.arange(columns) + 0.5) / columns * wide).astype(int)
            y = (top + (1 - (numpy.arange(rows) + 0.5) / rows) * high).astype(int)

            def difference(k):
                return numpy.abs(seen[y][:, x] - painted(page, k, field)).max(axis=2)[8:-4, 8:-4]  # the ring is below
            assert numpy.median(difference(frame)) <= 6 and numpy.quantile(difference(frame), 0.9) <= 30
            assert numpy.quantile(difference(15 - frame), 0.9) > 40  # it is not another frame


def test_frames_by_keyboard(moving, tmp_path):
    page = Page(moving / "report.html")
    (seen,) = told(tmp_path, page, [800], """
      const find = id => page.getElementById(id), seen = [];
      const note = () => seen.push([find('frame').value, find('time').textContent, find('play').textContent,
                                    find('frame').getAttribute('aria-valuetext'),
                                    page.querySelector('[data-field]').previousElementSibling.alt,
                                    page.querySelector('canvas').getClientRects().length]);
      await wait(1000); note();                    // nothing plays by itself
      find('on').click(); note();                  // there is no frame behind the last
      find('back').click(); note();
      find('frame').stepDown(3); find('frame').dispatchEvent(new page.defaultView.Event('input')); note();
      find('on').click(); note();
      find('play').click(); await wait(500); find('play').click(); note();
      await wait(1000); note();
      find('play').click(); await wait(10000); note();
      find('play').click(); note();                // from the first again
      find('back').click(); await wait(1000); note();
      return seen;""", time=30000)
    frames = page.data["frames"]
    for value, time, _, spoken, alt, canvas in seen:
        frame = frames[int(value)]
        assert time == spoken == frame["at"] and alt == frame["captions"][0]
        assert canvas == (int(value) < len(frames) - 1)  # the last is gnuplot's, in all its pixels
    assert [int(value) for value, *_ in seen] == [15, 15, 14, 11, 12, 14, 14, 15, 0, 0]
    assert [play for _, _, play, *_ in seen] == ["Play"] * 8 + ["Pause", "Play"]


def test_a_value_by_keyboard_and_by_pointer(moving, poisson, system, tmp_path):
    for folder in (moving, poisson, system):
        page = Page(folder / "report.html")
        (seen,) = told(tmp_path, page, [400], """
          const find = id => page.getElementById(id), Event = page.defaultView.PointerEvent;
          const seen = [[find('pick-x').value, find('pick-y').value, find('value').textContent]];
          find('pick-x').stepUp(7); find('pick-y').stepDown(4);
          find('pick-x').dispatchEvent(new Event('input'));
          seen.push([find('pick-x').value, find('pick-y').value, find('value').textContent]);
          const plot = page.querySelector('[data-field]');
          if (plot) {
            const box = plot.getBoundingClientRect();
            for (const [type, x, y, buttons] of [['pointermove', .2, .2, 0], ['pointerdown', .7502, .2503, 1],
                                                 ['pointermove', .9, 1.2, 1]]) {
              plot.dispatchEvent(new Event(type, { clientX: box.left + x * box.width, clientY: box.top + y * box.height,
                                                   buttons }));
              seen.push([find('pick-x').value, find('pick-y').value, find('value').textContent]);
            }
          }
          const captions = [...page.querySelectorAll('[data-field]')].map(each =>
            each.closest('figure').querySelector('figcaption').textContent);
          return { seen, captions };""")
        columns, rows = len(page.data["x"]), len(page.data["y"])
        middle = [columns // 2, rows // 2]
        chosen = [[int(i), int(j)] for i, j, _ in seen["seen"]]
        assert chosen[:2] == [middle, [middle[0] + 7, max(middle[1] - 4, 0)]]
        if folder != system:
            assert chosen[2:] == [chosen[1], [int(0.7502 * columns), int(0.7497 * rows)], [int(0.9 * columns), 0]]
        for (i, j), (_, _, text) in zip(chosen, seen["seen"]):
            at = re.fullmatch(r"(.*), at x = ([^ ,:]+)(?:, y = ([^ :]+))?: (.*)", text)
            assert at[1] == page.data["frames"][-1]["at"] and (at[3] is None) == (folder == system)
            assert [float(at[2]), float(at[3] or 0)] == pytest.approx([page.data["x"][i], page.data["y"][j]], rel=1e-5)
            values = dict(value.split(" = ") for value in at[4].split(", "))
            assert list(values) == page.data["fields"]
            for field, value in enumerate(values.values()):
                assert float(value) == pytest.approx(float(decoded(page, -1, field)[j, i]), rel=1e-5)
                if folder != system:
                    caption = seen["captions"][field]
                    assert caption.startswith(page.data["frames"][-1]["captions"][field] + "; at the ring ")
        if folder != system:
            assert seen["captions"][0].endswith(" " + next(iter(values.values())))


def test_values_are_those_of_the_grid(poisson):
    page = Page(poisson / "report.html")
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(poisson / "u.vti"))
    reader.Update()
    grid = reader.GetOutput()
    nx, ny, _ = grid.GetDimensions()
    nodes = vtk_to_numpy(grid.GetPointData().GetArray(0)).reshape(ny, nx)
    places = []
    for axis, count, at in ((0, nx, page.data["x"]), (1, ny, page.data["y"])):
        first, spacing = grid.GetOrigin()[axis], grid.GetSpacing()[axis]
        index = numpy.rint((numpy.array(at) - first) / spacing).astype(int)
        assert at == pytest.approx(first + index * spacing, abs=1e-14)
        middles = first + (numpy.arange(len(at)) + 0.5) / len(at) * (count - 1) * spacing
        assert numpy.abs(at - middles).max() <= 0.5 * spacing * (1 + 1e-9)  # there is none nearer
        places.append(index)
    assert (decoded(page, 0, 0) == nodes[numpy.ix_(places[1], places[0])].astype("f4")).all()


def polynomials(frame):
    """Of a frame's cells: corners, and a function that evaluates field and cell anywhere, by the values at its nodes."""
    order, nodes = int(frame.attrs["order"]), frame["nodes"][:]
    cells, start = [], 0
    for corners in frame["corners"][:].astype(int):
        powers = [(a, b) for a in range(order + 1) for b in range(order + 1) if corners == 4 or a + b <= order]
        of_cell = nodes[start:start + len(powers)]
        cells.append((of_cell[:corners], of_cell.mean(axis=0), of_cell, powers, slice(start, start + len(powers))))
        start += len(powers)
    assert start == len(nodes)
    return cells


def candidates(frame, cells, field, x, y):
    """The values that the cells around a point have there."""
    values = frame["fields"][field][:]
    found = []
    for corners, middle, nodes, powers, part in cells:
        to = numpy.roll(corners, -1, axis=0) - corners
        if ((to[:, 0] * (y - corners[:, 1]) - to[:, 1] * (x - corners[:, 0])) < -1e-9).any():
            continue
        matrix = numpy.array([[(px - middle[0])**a * (py - middle[1])**b for a, b in powers] for px, py in nodes])
        at = [(x - middle[0])**a * (y - middle[1])**b for a, b in powers]
        found.append(numpy.dot(at, numpy.linalg.solve(matrix, values[part])))
    return found


def test_values_are_those_of_the_cells(moving, triangles):
    random = numpy.random.default_rng(5)
    for folder, count in ((moving, 16), (triangles, 1)):
        page = Page(folder / "report.html")
        files = sorted(folder.glob("cells-*.h5"))[-count:]
        assert len(page.data["frames"]) == count
        for k, file in enumerate(files):
            with h5py.File(file) as frame:
                assert page.data["frames"][k]["at"] == f"t = {frame.attrs['time'].item():.6g}"
                cells = polynomials(frame)
                for field, name in enumerate(page.data["fields"]):
                    values = decoded(page, k, field)
                    assert numpy.isfinite(values).all()
                    for _ in range(12):
                        j, i = random.integers(values.shape[0]), random.integers(values.shape[1])
                        there = candidates(frame, cells, name, page.data["x"][i], page.data["y"][j])
                        assert min(abs(value - values[j, i]) for value in there) < 1e-5, (file, name, i, j)
                low, high = page.data["ranges"][0]
                assert low <= decoded(page, k, 0).min() and decoded(page, k, 0).max() <= high


def test_numbers_along_the_middle_lines(moving, poisson):
    for folder in (moving, poisson):
        page = Page(folder / "report.html")
        tables = re.findall(r"<caption>Values along (\w) = ([^,]+), .*?</table>", page.source, re.DOTALL)
        assert [axis for axis, _ in tables] == ["y", "x"]
        for axis, at in tables:
            assert float(at) == pytest.approx(page.data[axis][len(page.data[axis]) // 2], abs=1e-6)
            text = re.search(rf"<caption>Values along {axis} = .*?</table>", page.source, re.DOTALL)[0]
            rows = [[float(value) for value in re.findall(r'<data value="([^"]+)">', row)]
                    for row in re.findall(r"<tr>(.*?)</tr>", text[text.index("<tbody>"):])]
            along = page.data["x" if axis == "y" else "y"]
            assert len(rows) == min(17, len(set(along))) and rows[0][0] == along[0] and rows[-1][0] == along[-1]
            for place, *values in rows:
                for field, value in enumerate(values):
                    cut = decoded(page, -1, field)
                    cut = cut[cut.shape[0] // 2] if axis == "y" else cut[:, cut.shape[1] // 2]
                    assert value == cut[along.index(place)]
        for name in page.data["fields"]:
            for axis in "yx":
                (alt,) = [alt for alt in page.captions if alt.startswith(f"{name} along {axis} = ")]
                assert "exact" in alt and "greatest" in alt


def test_a_thousand_frames_are_bounded(moving, tmp_path):
    folder = tmp_path / "many"
    folder.mkdir()
    for name in ("case.yaml", "summary.json", "history.csv"):
        (folder / name).write_bytes((moving / name).read_bytes())
    files = sorted(moving.glob("cells-*.h5"))
    for k in range(1000):
        os.link(files[k % 16], folder / f"cells-{k:06}.h5")
    page = Page(with_report(folder) / "report.html")
    shown = len(page.data["frames"])
    assert 20 <= shown < 1000 and f"{shown} of 1000 frames are shown" in page.sections["fields"]
    assert (folder / "report.html").stat().st_size < LARGEST_PAGE
    # At equal distances, both ends among them.
    times = [float(frame["at"][4:]) for frame in page.data["frames"]]
    assert times[0] == 0 and times[-1] == pytest.approx(0.1 * (999 % 16))


def test_an_ordinary_page_is_small(poisson, system):
    for folder in (poisson, system):
        assert (folder / "report.html").stat().st_size < LARGEST_OF_ONE_FRAME


def test_without_the_script_the_last_frame_is_seen(moving, tmp_path):
    page = Page(moving / "report.html")
    page.source = re.sub(r"<script>.*?</script>", "", page.source, flags=re.DOTALL)
    (seen,) = told(tmp_path, page, [400], """
      return { shown: [...page.querySelectorAll('#player, #reader, canvas')].some(each => each.getClientRects().length),
               alts: [...page.images].map(image => image.alt) };""")
    assert not seen["shown"] and page.data["frames"][-1]["captions"][0] in seen["alts"]
