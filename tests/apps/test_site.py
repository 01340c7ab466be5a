"""The site made of the tree's pages: none is missing, no link leads nowhere, and nothing comes from elsewhere."""

import base64
import html.parser
import os
import re
import struct
import subprocess
import sys
import urllib.parse
import zlib

import numpy
import pytest
from test_docs import pages_of_tree
from test_report_page import pixels


@pytest.fixture(scope="module")
def scripts(source):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(source / "apps/site"))
    import build
    import gallery
    return build, gallery


def built(source, arguments, **options):
    return subprocess.run([sys.executable, "-B", source / "apps/site/build.py", *arguments], text=True, capture_output=True,
                          timeout=800, **options)


@pytest.fixture(scope="module")
def site(source, build, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    done = built(source, [build / "bin/quoin", build / "apps/quoin/docs/quoin-docs", folder])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"the site is {folder}/html/index.html\n"
    return folder / "html"


class Page(html.parser.HTMLParser):
    """Where a page leads, what it loads, the places in it, and its paragraphs."""

    def __init__(self, file):
        super().__init__()
        self.links, self.loaded, self.places, self.paragraphs, self.open = [], [], set(), [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places |= {attributes.get("id"), attributes.get("name")}
        self.links += [attributes["href"]] if tag == "a" and attributes.get("href") else []
        self.loaded += [attributes[name] for name in ("src", "srcset", "data")
                        if attributes.get(name) and attributes[name] != "javascript:void(0)"]  # doxygen's field of search
        self.loaded += [attributes["href"]] if tag == "link" else []
        self.open.append(tag)
        self.paragraphs += [""] if tag == "p" else []

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "p" in self.open and "code" not in self.open:
            self.paragraphs[-1] += data


@pytest.fixture(scope="module")
def pages(site):
    found = {file: Page(file) for file in site.rglob("*.html") if file.name != "404.html"}
    assert len(found) > 100
    return found


def by_hand(site, file):
    """Not one of the reference of headers, whose links are doxygen's."""
    return file.relative_to(site).parts[0] != "api"


def test_every_page_of_the_tree_is_there(scripts, source, site):
    assert sorted(scripts[0].pages_of_tree()) == pages_of_tree(source)
    for page in [*pages_of_tree(source), "gallery.md", "headers.md", "kernels.md"]:
        file = site / page.replace("README.md", "index.html").replace(".md", ".html")
        title = (source / page).read_text().splitlines()[0] if (source / page).exists() else "# "
        assert title.removeprefix("# ") in re.sub("<[^>]*>", "", file.read_text()), page


def test_no_link_leads_nowhere(site, pages):
    checked = 0
    for file, page in pages.items():
        for link in page.links + page.loaded:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            assert target.is_file(), f"{file}: {link}"
            if parts.fragment and target in pages and by_hand(site, file):
                assert urllib.parse.unquote(parts.fragment) in pages[target].places, f"{file}: {link}"
            checked += 1
    assert checked > 1000


def test_nothing_is_loaded_from_elsewhere(site, pages):
    for file, page in pages.items():
        assert [name for name in page.loaded if re.match(r"\w+:|//", name)] == [], file
    sheets = list(site.rglob("*.css"))
    assert len(sheets) > 3
    for file in sheets:
        for name in re.findall(r"url\(\s*[\"']?([^\"')]+)|@import\s+[\"']([^\"']+)", file.read_text()):
            assert not re.match(r"https?:|//", "".join(name)), file


def test_markdown_that_mkdocs_does_not_read_as_github_does(site, pages):
    """Lists without an empty line before them, fences with more words than a language."""
    for file, page in pages.items():
        if by_hand(site, file):
            assert [text for text in page.paragraphs if re.search(r"```|^\s*[*-] |\n[*-] |\n\d+\. |\|--", text)] == [], file


def shown(svg, folder):
    """How many colours the image in a picture has, or parts its longest line; axes have one of two."""
    if image := re.search(r"data:image/png;base64,([^\"']+)", svg):
        (folder / "image.png").write_bytes(base64.b64decode(image[1]))
        return len(numpy.unique(pixels(folder / "image.png").astype(int) @ [1, 256, 65536]))
    drawn = re.sub(r"<defs>.*?</defs>", "", svg, flags=re.S)
    return max((line.count("L") for line in re.findall(r"\bd='([^']*)'", drawn)), default=0)


def test_a_blank_picture_is_seen(tmp_path):
    mark = "<defs><path d='M-1,0 L1,0 M0,-1 L0,1 M-1,-1 L1,1'/></defs>"
    assert shown(mark + "<path d='M90,21 L90,188 L370,188 M370,21 M90,21'/>", tmp_path) == 2
    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    pieces = [(b"IHDR", header), (b"IDAT", zlib.compress(2 * b"\0gggggg")), (b"IEND", b"")]
    grey = b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in pieces)
    assert shown(f"<image href='data:image/png;base64,{base64.b64encode(grey).decode()}'/>", tmp_path) == 1


def test_the_gallery_shows_every_case(scripts, source, site, tmp_path):
    text = (site / "gallery.html").read_text()
    figures = dict(re.findall(r'<figure id="([^"]*)">(.*?)</figure>', text, re.S))
    cases = {str(file.relative_to(source / "configs"))[:-len(".yaml")] for file in (source / "configs").rglob("*.yaml")}
    assert set(figures) == cases and f"The {len(cases)} cases" in text
    for name, figure in figures.items():
        pictures = re.findall(r'<img src="([^"]*)" alt="([^"]+)">', figure)
        assert len(pictures) == (2 if name.startswith("linear-system/") else 1), name
        for file, caption in pictures:
            least = 2 if caption.startswith("Where the matrix") else 3 if caption.startswith("The residual") else 30
            assert shown((site / file).read_text(), tmp_path) >= least, file
        comment = (source / f"configs/{name}.yaml").read_text().split("\n")[0]
        assert comment.startswith("# ") and html.escape(comment[2:], quote=True) in figure, name
        (command,) = re.findall("<code>(.*)</code>", figure)
        smaller = scripts[1].SMALLER.get(name)
        assert command == " ".join(["quoin run", f"configs/{name}.yaml", *(smaller[0] if smaller else [])])
        assert not smaller or smaller[1] in figure
        assert re.search(r"<em>\d+ (iterations to a residual of \d|time steps to t = \d)[^<]*</em>", figure), name
    assert set(scripts[1].SMALLER) < cases
    assert ["seed-100", "seed-4096"] == [name.split("/")[1] for name, figure in figures.items() if "not converged" in figure]


def test_only_what_is_older_than_the_program_is_run_again(scripts, source, site, tmp_path):
    program, runs = tmp_path / "quoin", site.parent / "runs"
    program.write_text("#!/bin/sh\necho it does not work >&2\nexit 7\n")
    program.chmod(0o755)
    os.utime(program, (0, 0))
    text = scripts[1].page(program, source, runs, tmp_path / "pictures")
    assert "quoin run configs/jacobi/seed-100.yaml" in text and (tmp_path / "pictures/jacobi/seed-100.svg").exists()
    os.utime(program)
    with pytest.raises(SystemExit, match=r"^site: quoin run configs/\S+\.yaml .*\nit does not work\n$"):
        scripts[1].page(program, source, runs, tmp_path / "pictures")


def test_a_page_of_what_is_linked(scripts, tmp_path):
    """A file is copied, a folder gets a page, and code stays as it is."""
    text = "[a](results), [b](peers/flow.h)\n\n```c a.c\n[c](nothing)\n```\n"
    text = scripts[0].on_site("apps/bench/README.md", text, tmp_path)
    assert text == "[a](results/index.html), [b](peers/flow.h)\n\n`a.c`:\n\n```c\n[c](nothing)\n```\n"
    assert (tmp_path / "apps/bench/peers/flow.h").exists()
    assert '<a href="h100-spmv.json">h100-spmv.json</a>' in (tmp_path / "apps/bench/results/index.html").read_text()


def test_missing_programs_are_named(scripts, source, tmp_path):
    done = built(source, ["quoin", "quoin-docs", tmp_path / "site"], env=os.environ | {"PATH": str(tmp_path)})
    assert done.returncode == 1 and not (tmp_path / "site").exists()
    assert done.stderr == "site: programs are missing; Debian has them: apt-get install --no-install-recommends mkdocs " \
                          "doxygen gnuplot-nox\n"
    assert "build.py QUOIN" in built(source, []).stderr
    with pytest.raises(SystemExit, match="^site: false has failed$"):
        scripts[0].perform("false")


def test_the_target_makes_it(source, build):
    done = subprocess.run(["ninja", "-C", build, "-t", "commands", "site"], capture_output=True, text=True, check=True)
    last = done.stdout.splitlines()[-1]
    assert f"apps/site/build.py {build}/bin/quoin {build}/apps/quoin/docs/quoin-docs {build}/site" in last
    assert "lib/quoin/plugins/serial.so" in done.stdout
