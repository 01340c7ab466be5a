#!/usr/bin/env python3
"""build.py QUOIN QUOIN-DOCS FOLDER: makes a site of the pages of the tree in FOLDER/html, by two programs of a build tree.

Pages keep their places relative to each other, so that a link that is right in the tree is right on the site.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import gallery

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
TOOLS = {"mkdocs": "mkdocs", "doxygen": "doxygen", "gnuplot": "gnuplot-nox"}  # with their Debian packages
JQUERY = pathlib.Path("/usr/share/javascript/jquery/jquery.min.js")  # of libjs-jquery, which mkdocs depends on
MADE = {"gallery.md", "headers.md", "kernels.md"}
LINK = re.compile(r"(\]\()(?!https?:|#)([^)#\s]+)")


def pages_of_tree():
    """What mkdocs.yml shows, but for pages that are made here."""
    return [page for page in re.findall(r"^ *- .*: (\S+\.md)$", (HERE / "mkdocs.yml").read_text(), re.M) if page not in MADE]


def copy(name, pages):
    """A file that a page links to; of a folder its files, with a page that lists them. Gives what is linked on the site."""
    source, target = SOURCE / name, pages / name
    if not source.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        return ""
    shutil.copytree(source, target, dirs_exist_ok=True)
    items = "".join(f'<li><a href="{file.name}">{file.name}</a>\n' for file in sorted(source.iterdir()) if file.is_file())
    (target / "index.html").write_text(f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>{name}</title>\n<h1>{name}</h1>\n'
                                       f"<ul>\n{items}</ul>\n")  # plain, so that the search does not look into it
    return "/index.html"


def on_site(page, text, pages):
    """The text of a page as mkdocs takes it: names of files over their blocks, what is linked at its place."""

    def link(match):
        target = (SOURCE / page).parent.joinpath(match[2]).resolve()
        if target.suffix == ".md":
            return match[0]
        return match[0] + copy(target.relative_to(SOURCE), pages)

    prose_and_blocks = re.split(r"^(```.*?^```$)", text, flags=re.M | re.S)
    return "".join(re.sub(r"\A(```\w+) (\S+)\n", r"`\2`:\n\n\1\n", part) if k % 2 else LINK.sub(link, part)
                   for k, part in enumerate(prose_and_blocks))


def first_sentence(header):
    """Of its first comment; nothing where it has none."""
    comment = re.search(r"^//.*(?:\n//.*)*|/\*(?s:.)*?\*/", header, re.M)
    words = " ".join(line.strip("/* ") for line in comment[0].splitlines()).strip() if comment else ""
    return re.match(r".*?\.(?= |$)|.*", words)[0]


def perform(*command, **options):
    """Runs a program, which says itself what it has against its input."""
    if subprocess.run(command, text=True, **options).returncode != 0:
        sys.exit(f"site: {command[0]} has failed")


def headers(pages):
    """The reference of the installed headers, and a page that says what each is for."""
    settings = (HERE / "Doxyfile").read_text() + f'\nOUTPUT_DIRECTORY = "{pages}"\n'
    perform("doxygen", "-", input=settings, cwd=SOURCE)
    include = SOURCE / "framework/include"
    text = "# The headers\n\nWhat is installed under `include/`, and what each header holds; also by [classes]" \
           "(api/annotated.html) and [names](api/namespacemembers.html).\n\n| header | what it holds |\n|---|---|\n"
    for header in sorted(include.rglob("*.h*")):
        made = header.name.replace("_", "__").replace(".", "_8") + ".html"
        text += f"| [`{header.relative_to(include)}`](api/{made}) | {first_sentence(header.read_text())} |\n"
    (pages / "headers.md").write_text(text)


def main(quoin, documentation, folder):
    missing = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if missing:
        sys.exit("site: programs are missing; Debian has them: apt-get install --no-install-recommends " + " ".join(missing))
    pages = folder / "pages"
    if pages.exists():
        shutil.rmtree(pages)
    for page in pages_of_tree():
        (pages / page).parent.mkdir(parents=True, exist_ok=True)
        (pages / page).write_text(on_site(page, (SOURCE / page).read_text(), pages))
    shutil.copytree(SOURCE / "configs", pages / "configs", dirs_exist_ok=True)
    (pages / "gallery.md").write_text(gallery.page(quoin, SOURCE, folder / "runs", pages / "gallery"))
    perform(documentation, folder / "documentation")
    shutil.copy(folder / "documentation/doc/quoin/kernels.md", pages)
    headers(pages)
    shutil.copy(HERE / "style.css", pages)
    (pages / "js").mkdir()  # Debian's theme asks for these two and lacks them
    shutil.copy(HERE / "theme_extra.js", pages / "js")
    shutil.copy(JQUERY, pages / "js/jquery-3.6.0.min.js")
    shutil.copy(HERE / "mkdocs.yml", folder)
    perform("mkdocs", "build", "--strict", "--config-file", folder / "mkdocs.yml")
    print(f"the site is {folder / 'html/index.html'}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:]))
