"""Runs every shipped case, and makes a page of them with the pictures that `quoin report` draws."""

import concurrent.futures
import html
import json
import os
import re
import subprocess
import urllib.parse

TITLES = {"jacobi": "Poisson's equation and diffusion", "dgcvs": "Conservation laws", "linear-system": "Linear systems"}
# Cases that would take minutes here, and what is said of the change.
SMALLER = {"jacobi/seed-4096": (["--set", "problem.grid.nodes=[512,512]"], "Here on 512 x 512 nodes.")}
# Of the report's figures, by their captions: the first field but the bed, or where the matrix has entries and the residual.
FIGURES = {"linear-system": ["Where the matrix has entries", "The residual norm"]}
FIELD = [r"(?!b )\w+(?: at [tz] = \S+)?: from"]


def cases_in(source):
    """Names such as `jacobi/seed-100`, those of a series by its numbers."""
    names = [str(file.relative_to(source / "configs").with_suffix("")) for file in (source / "configs").rglob("*.yaml")]
    order = [*TITLES, *sorted({name.split("/")[0] for name in names} - set(TITLES))]
    natural = lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]
    return sorted(names, key=lambda name: (order.index(name.split("/")[0]), name.count("-p"), natural(name)))


def described(case):
    """The comment with which a case begins."""
    return " ".join(line.strip("# ") for line in re.match(r"(?:#.*\n)*", case.read_text())[0].splitlines())


def command(name):
    return ["run", f"configs/{name}.yaml", *SMALLER.get(name, ([], ""))[0]]


def drawn(page, wanted):
    """The figures of a report whose captions begin like that, in this order: caption and SVG."""
    figures = [(html.unescape(alt), urllib.parse.unquote(html.unescape(data)))
               for alt, data in re.findall(r'<img alt="([^"]*)" src="data:image/svg\+xml,([^"]*)"', page)]
    return [next(figure for figure in figures if re.match(words, figure[0])) for words in wanted]


def figures_of(summary):
    """What a run came to, in a line: all but times."""
    steps = summary.get("steps")
    if steps is None:
        text = f"{summary['iterations']} iterations to a residual of {summary['residual']:.1e}"
    else:
        text = f"{steps} time steps to t = {summary['time']:g}"
    if summary["status"] not in ("completed", "converged"):
        text += f", {summary['status'].replace('_', ' ')}"
    if "errors" in summary:
        text += f"; L2 error {summary['errors']['l2']:.2e}"
    return text


def run(quoin, source, name, runs, pictures):
    """The part of the page about a case, which is run where what is left of an earlier run is older than the program."""
    folder = runs / name
    report = folder / "report.html"
    newest = max(file.stat().st_mtime for file in [quoin, source / "configs" / f"{name}.yaml"])
    if not report.exists() or report.stat().st_mtime < newest:
        for arguments in [[*command(name), "--output", folder, "--force", "--quiet"], ["report", folder]]:
            done = subprocess.run([quoin, *arguments], cwd=source, capture_output=True, text=True)
            if done.returncode not in (0, 4):  # 4: that limits come first is what some cases show
                raise SystemExit(f"site: quoin {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    images = ""
    for k, (caption, svg) in enumerate(drawn(report.read_text(), FIGURES.get(name.split("/")[0], FIELD))):
        file = pictures / f"{name}{'-' + str(k + 1) if k else ''}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(svg)
        images += f'<img src="gallery/{file.relative_to(pictures)}" alt="{html.escape(caption)}">\n'
    words = " ".join([described(source / f"configs/{name}.yaml"), SMALLER.get(name, ([], ""))[1]]).strip()
    facts = figures_of(json.loads((folder / "summary.json").read_text()))
    return f'<figure id="{name}">\n{images}<figcaption><a href="configs/{name}.yaml">{name.split("/")[-1]}</a>: ' \
           f'{html.escape(words)} <em>{html.escape(facts)}.</em>\n' \
           f'<code>quoin {html.escape(" ".join(command(name)))}</code></figcaption>\n</figure>\n'


def page(quoin, source, runs, pictures):
    names = cases_in(source)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = dict(zip(names, pool.map(lambda name: run(quoin, source, name, runs, pictures), names)))
    text = f"# Gallery\n\nThe {len(names)} cases that come with Quoin, each as the command under it has left it. Colours and " \
           "figures are those of `quoin report`, which shows more.\n"
    for folder in dict.fromkeys(name.split("/")[0] for name in names):
        inside = "".join(part for name, part in parts.items() if name.startswith(folder + "/"))
        text += f'\n## {TITLES.get(folder, folder)}\n\n<div class="gallery">\n{inside}</div>\n'
    return text
