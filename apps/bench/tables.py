#!/usr/bin/env python3
"""tables.py [--check]: rewrites the tables of the pages beside it from the result files beside this script.

A table lies between `<!-- table: NAME FILE... -->` and `<!-- end -->`: the function NAME makes it of those of the files
that are there. With --check nothing is written, and the exit code is 1 where a table is not what its files say.
"""

import json
import math
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGES = ["README.md", "BESIDE.md"]


def markdown(head, rows):
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    lines.insert(1, "|" + len(head) * "---|")
    return "\n".join(lines) + "\n"


def decimal(value):
    return "-" if value is None else f"{value:.1f}"


def kernels(comparison):
    """The kernels of an iteration: a row for each backend, microseconds."""
    columns = {"jacobi_laplacian": "Laplacian", "jacobi_boundary": "boundary", "jacobi_update": "update",
               "jacobi_norm": "block sums", "residual_norm": "norm"}
    names = {"hip": "`hip`", "opencl:nvidia": "`opencl`", "openmp:NVIDIA": "`openmp`, data resident",
             "{name: openmp, device: NVIDIA, data: per_kernel}": "`openmp`, data mapped per kernel"}
    runs = {run["requested"]: run for run in comparison["runs"]}
    rows = []
    for requested, name in names.items():
        times = {kernel["name"]: kernel["us_per_iteration"] for kernel in runs[requested]["kernels"]}
        rows.append([name, *(decimal(times[key]) for key in columns), decimal(runs[requested]["us_per_iteration"])])
    return markdown(["backend", *columns.values(), "all"], rows)


def variants(*files):
    """The variants of the iteration, of the files of `quoin bench jacobi`; what several have, of the first."""
    studies = [file for file in files if file.get("benchmark") == "jacobi"]
    rows = {}
    for case in (case for study in studies for case in study["cases"]):
        for row in (row for row in case["rows"] if "us_per_iteration" in row):
            what = (row["device"], f"`{row['requested']}`", " x ".join(map(str, case["nodes"])),
                    f"`{row['variant']}`" + (", float" if row["precision"] == "float" else ""))
            rows.setdefault(what, [*what, decimal(row["us_per_iteration"]["median"]), decimal(row["speed_ratio"]),
                                   decimal(row["percent_of_roofline"])])
    return markdown(["device", "backend", "nodes", "variant", "microseconds an iteration", "times as fast as `classic`",
                     "% of the one-sweep roofline"], list(rows.values()))


def passes(*studies):
    """The variants of the iteration case by case, of the same files: microseconds, and how many times as fast passes of
    several sweeps are as the four kernels."""
    ways = ["classic", "fused", "blocked"]
    rows = []
    for case in (case for study in studies for case in study["cases"]):
        for backend in dict.fromkeys(row["requested"] for row in case["rows"]):
            of = {row["variant"]: row for row in case["rows"] if row["requested"] == backend and "us_per_iteration" in row}
            rows.append([f"`{pathlib.Path(case['case']).stem}`", " x ".join(map(str, case["nodes"])), f"`{backend}`",
                         *(decimal(of[way]["us_per_iteration"]["median"]) if way in of else "-" for way in ways),
                         decimal(of["blocked"]["speed_ratio"]) if "blocked" in of else "-"])
    return markdown(["case", "nodes", "backend", *(f"`{way}`" for way in ways), "`blocked` over `classic`"], rows)


def krylov(study, cusparse):
    """Products and iterations of `quoin bench krylov`, next to the product of the first case by cuSPARSE."""
    us = {f"poisson5-{row['nodes']}": row["median"] for row in cusparse["rows"]}
    rows = []
    for case in study["cases"]:
        other = us.get(case["case"])
        if other is not None:
            rows.append([f"`{case['case']}`", "cuSPARSE", "csr", "-", decimal(other), "1.0", "-"])
        for row in (row for row in case["rows"] if "us_per_product" in row):
            time = row["us_per_product"]["median"]
            rows.append([f"`{case['case']}`", f"`{row['requested']}`", row["format"], decimal(row["matrix"]["bytes"] / 1e6),
                         decimal(time), decimal(other / time if other else None),
                         decimal(row["us_per_iteration"]["median"])])
    return markdown(["case", "backend", "format", "MB of the matrix", "microseconds a product",
                     "times as fast as cuSPARSE", "microseconds an iteration"], rows)


def us_by_format(case):
    """Microseconds of a product in each format that `quoin bench spmv` has timed."""
    return {row["format"]: row["us_per_product"]["median"] for row in case["rows"] if "us_per_product" in row}


def spmv(study):
    """Products of `quoin bench spmv`: a row for each matrix, a column for each format; microseconds."""
    formats = ["csr", "sell", "shared", "coo", "ell", "hybrid", "auto"]
    rows = []
    for case in study["cases"]:
        us = us_by_format(case)
        best = min(time for name, time in us.items() if name != "auto")
        rows.append([f"`{case['case']}`", *(decimal(us.get(name)) for name in formats), f"{best / us['auto']:.2f}"])
    return markdown(["matrix", *(f"`{name}`" for name in formats), "`auto` over the best other"], rows)


def eight(study, cusparse):
    """Products of `quoin bench spmv` with the matrices of peers/matrices.py, next to cuSPARSE's better one."""
    others = {}
    for row in cusparse["rows"]:
        others.setdefault(row["matrix"], {})[row["format"]] = row["median"]
    rows, ratios = [], []
    for case in study["cases"]:
        us = us_by_format(case)
        other = others[case["case"].removesuffix(".mtx")]
        fastest = min(us, key=us.get)
        ratios.append((min(other.values()) / us["auto"], min(other.values()) / us[fastest]))
        rows.append([f"`{case['case']}`", decimal(other["csr"]), decimal(other["coo"]), decimal(us["auto"]),
                     f"{decimal(us[fastest])} (`{fastest}`)", *(f"{ratio:.2f}" for ratio in ratios[-1])])
    means = [math.prod(column) ** (1 / len(ratios)) for column in zip(*ratios)]
    rows.append(["geometric mean", "", "", "", "", *(f"{mean:.2f}" for mean in means)])
    return markdown(["matrix", "cuSPARSE csr", "cuSPARSE coo", "`auto`", "fastest", "`auto` over cuSPARSE's better",
                     "fastest over it"], rows)


def speeds(study):
    """How much faster the loop of DG-CVS is on the second backend: a row for each case, a column for each mesh."""
    ratios = {pathlib.Path(case["case"]).stem: case["backends"][1]["loop_speed_ratio"] for case in study["cases"]
              if case["case"][-6].isdigit()}
    meshes = ["10", "20", "40"]
    names = sorted({name.rpartition("-")[0] for name in ratios})
    return markdown(["case", *meshes],
                    [[f"`{name}`", *(decimal(ratios[f"{name}-{mesh}"]) for mesh in meshes)] for name in names])


def peers(study):
    """The same iterations, or the same solution, by other libraries."""
    unit = next(key for key in study["rows"][0] if key.startswith("us_per_"))
    others = list(dict.fromkeys(row["name"] for row in study["rows"] if not row["name"].startswith("quoin ")))
    rows = []
    for row in study["rows"]:
        ratios = row.get("times_as_fast_as", {})
        rows.append([f"`{row['name']}`", str(row["processes"]), decimal(row[unit]["median"]),
                     *(decimal(ratios.get(name)) for name in others)])
    what = unit.removeprefix("us_per_")
    article = "an" if what[0] in "aeiou" else "a"
    return markdown(["program", "cores", f"microseconds {article} {what}",
                     *(f"times as fast as `{name}`" for name in others)], rows)


def products(*studies):
    """Products by other libraries and by Quoin: a row for each matrix and number of cores; microseconds, and ratios of them.
    Each study has its own: what was not measured side by side is not compared."""
    us = {}
    for number, study in enumerate(studies):
        for row in (row for row in study["rows"] if "us_per_product" in row):
            key = (row["matrix"], row["processes"], number)
            us.setdefault(key, {})[row["program"]] = row["us_per_product"]["median"]
    columns = {"petsc_spmv": "PETSc", "eigen_spmv": "Eigen",
               **{f"quoin {name}": f"`{name}`" for name in ("csr", "sell", "shared", "auto")}}

    def ratio(time, other):
        return f"{other / time:.2f}" if time and other else "-"

    rows = []
    for (matrix, cores, _), times in us.items():
        petsc, eigen, _, sell, shared, auto = map(times.get, columns)
        faster = min((time for time in (petsc, eigen) if time), default=None)
        rows.append([f"`{matrix}`", str(cores), *(decimal(times.get(name)) for name in columns), ratio(sell, petsc),
                     ratio(shared, petsc), ratio(auto, faster)])
    return markdown(["matrix", "cores", *columns.values(), "`sell` over PETSc", "`shared` over PETSc",
                     "`auto` over the faster of PETSc and Eigen"], rows)


FLOWS = {"mfem_dg": "MFEM", "rkdg": "RKDG"}


def fastest(study):
    """Of each law, order and mesh the peer's way that is the fastest to its error."""
    best = {}
    for row in (row for row in study["rows"] if "quoin_over" in row):
        key = (row["law"], row["order"], row["cells"])
        if key not in best or row["quoin_over"] > best[key]["quoin_over"]:
            best[key] = row
    return best


def flows(study):
    """Flows by other programs and by Quoin at the same error."""
    return markdown(["law", "order", "peer", "its Courant number", "squares", "steps", "L2 error", "milliseconds",
                     "Quoin's to this error", "Quoin's over the peer's"],
                    [[row["law"], str(row["order"]), f"{FLOWS[row['program']]}, RK{row['stages']}", f"{row['courant']:.3f}",
                      f"{row['cells']} x {row['cells']}", str(row["steps"]), f"{row['l2']:.2e}", f"{row['ms']['median']:.3f}",
                      f"{row['quoin_ms']:.3f}", f"{row['quoin_over']:.2f}"] for row in fastest(study).values()])


def beside(*studies):
    """Other programs and Quoin in short, on the most cores of each study and the finest mesh of each flow: milliseconds."""
    works = {"jacobi": "an iteration of Jacobi's method", "cg": "an iteration of conjugate gradients",
             "amg": "a solution by conjugate gradients with AMG"}
    programs = {"petsc": "PETSc", "hypre": "hypre", "petsc_cg": "PETSc", "petsc_gamg": "PETSc, GAMG",
                "petsc_boomeramg": "PETSc, BoomerAMG"}
    rows = []

    def add(study, work, cores, peer, us, way, quoin_us):
        cpu = re.search(r"Xeon|EPYC", study["machine"]["cpu"])[0]
        rows.append([work, f"{cores}, {cpu}", peer, f"{us / 1000:.2f}", f"`{way}`", f"{quoin_us / 1000:.2f}",
                     f"{us / quoin_us:.2f}"])

    for study in studies:
        if "law" in study["rows"][0]:
            finest = {key[:2]: row for key, row in sorted(fastest(study).items())}
            for (law, order), row in finest.items():
                add(study, f"{law} of order {order} to an L2 error of {row['l2']:.2e}", 1, FLOWS[row["program"]],
                    1000 * row["ms"]["median"], "serial", 1000 * row["quoin_ms"])
            continue
        cores = max(row["processes"] for row in study["rows"])
        us = {row["name"]: next(row[unit]["median"] for unit in row if unit.startswith("us_per_"))
              for row in study["rows"] if row["processes"] == cores}
        for word in ("fused", "blocked", "sell", "shared", "amg"):
            ways = [name for name in us if name.endswith(f" {word}")]
            for peer in (name for name in us if ways and name in programs):
                way = min(ways, key=us.get)
                add(study, f"{works[study['method']]}, {study['nodes']} x {study['nodes']}", cores, programs[peer], us[peer],
                    way.removeprefix("quoin "), us[way])
    return markdown(["what is timed", "cores", "by", "takes", "Quoin by", "takes", "times as fast"], rows)


def scaling(*studies):
    """Problems on several ranks, of the files of `quoin bench scaling`."""
    rows = []
    for study in studies:
        for row in (row for row in study["cases"][0]["rows"] if "us_per_iteration" in row):
            rows.append(["{} x {}".format(*row["nodes"]), f"`{row['requested']}`", row["on"],
                         decimal(row["us_per_iteration"]["median"]), decimal(row["percent_waiting"]["median"]),
                         f"{row['speed_ratio']:.2f}"])
    return markdown(["nodes", "backend", "on", "microseconds an iteration", "% waiting",
                     "nodes a second over the first row"], rows)


def memory(*studies):
    """Kinds of memory, of the files of `quoin bench memory`: a row for each row of its microbenchmark, microseconds."""
    kinds = ["device", "pinned", "shared_coarse", "shared_fine", "shared_atomic", "zero_copy"]
    names = {"no_op": "no op", "add": "add", "atomic_add": "atomic add", "shared_add": "atomic add, seen by the host",
             "hot_atomic_add": "all to one, atomic", "hot_shared_add": "all to one, seen by the host",
             "look": "a launch and a look", "host_writes": "written by the host", "copy": "copied", "sum": "summed"}
    rows = []
    for found in (found for study in studies for found in study["microbenchmarks"] if "rows" in found):
        for row, name in names.items():
            times = (found["rows"].get(kind, {}).get(row) for kind in kinds)
            rows.append([f"`{found['requested']}`", name, *(decimal(time["median"]) if time else "X" for time in times)])
        between = found["together"] and str(found["together"]["between"])
        rows.append([f"`{found['requested']}`", "adds of the host meanwhile",
                     *(between if between and kind == "shared_atomic" else "X" for kind in kinds)])
    return markdown(["backend", "", *(f"`{kind}`" for kind in kinds)], rows)


def memory_cases(*studies):
    """Cases in each kind of memory, of the same files: milliseconds of the loop."""
    rows = []
    for case in (case for study in studies for case in study["cases"]):
        for row in (row for row in case["rows"] if "loop_ms" in row):
            rows.append([f"`{case['case']}`", f"`{row['requested']}`", f"`{row['memory']}`",
                         f"{row['loop_ms']['median']:.2f}", f"{row['kernels_ms']['median']:.2f}",
                         "-" if row["time_ratio"] is None else f"{row['time_ratio']:.2f}"])
    return markdown(["case", "backend", "memory", "ms of the loop", "of its kernels", "over `device`"], rows)


def remapping(*studies):
    """Entities of the boundary apart or among the others, of the files of `quoin bench remapping`: a row for each case and
    backend, microseconds of a step's kernels and, of the other ways, ratios to that."""
    ways = ["boundary_last", "boundary_last_together", "mesh_order", "mesh_order_indexed"]
    rows = []
    for case in (case for study in studies for case in study["cases"]):
        share = "-" if case["boundary"] is None else decimal(100 * case["boundary"])
        for backend in dict.fromkeys(row["requested"] for row in case["rows"]):
            of = {row["entities"]: row for row in case["rows"] if row["requested"] == backend and "us_per_step" in row}
            apart = of.get(ways[0])
            if apart:
                rows.append([f"`{case['case']}`", share, f"`{backend}`", decimal(apart["us_per_step"]["median"]),
                             *(f"{of[way]['time_ratio']:.2f}" if way in of else "-" for way in ways[1:])])
    return markdown(["case", "% of its cells on the boundary", "backend", f"microseconds a step, `{ways[0]}`",
                     *(f"`{way}` over it" for way in ways[1:])], rows)


def end(study):
    """Runs from the command to the result, of `quoin bench end`: seconds, and the goal of each case."""
    rows = []
    for case in study["cases"]:
        goal = case["goal"]
        must = "{} {}".format({"over_loop": "all / loop", "beside_loop": "beside"}[goal["figure"]], goal["must"]) if goal else "-"
        for row in (row for row in case["rows"] if "over_loop" in row):
            parts = [row["seconds"][part]["median"] for part in ("start", "setup", "loop", "fields", "checkpoint", "errors", "all")]
            rows.append([f"`{case['case']}`", f"`{row['requested']}`", *(f"{part:.2f}" for part in parts),
                         f"{row['beside_loop']['median']:.2f}", f"{row['over_loop']['median']:.2f}", must])
    return markdown(["case", "backend", "start", "set-up", "loop", "fields", "checkpoint", "errors", "all",
                     "beside the loop", "all / loop", "goal"], rows)


def rewritten(text, results=HERE / "results"):
    """The text with every table as its files say."""

    def table(match):
        files = [results / name for name in match["files"].split()]
        found = [json.loads(file.read_text()) for file in files if file.exists()]
        make = {"kernels": kernels, "variants": variants, "passes": passes, "speeds": speeds, "peers": peers, "krylov": krylov,
                "spmv": spmv, "eight": eight, "products": products, "flows": flows, "beside": beside, "scaling": scaling,
                "end": end, "remapping": remapping, "memory": memory, "memory_cases": memory_cases}[match["name"]]
        return match["start"] + make(*found) + match["end"]

    return re.sub(r"(?P<start><!-- table: (?P<name>\w+) (?P<files>.*?) -->\n).*?(?P<end><!-- end -->)", table, text,
                  flags=re.S)


def main():
    for page in (HERE / name for name in PAGES):
        text = page.read_text()
        if "--check" not in sys.argv[1:]:
            page.write_text(rewritten(text))
        elif rewritten(text) != text:
            sys.exit(f"apps/bench/{page.name} has a table that is not what its files say: apps/bench/tables.py rewrites it")


if __name__ == "__main__":
    main()
