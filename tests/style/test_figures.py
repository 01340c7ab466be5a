"""The figures of the pages on benchmarks are those of the result files that the program wrote."""

import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])
README = (SOURCE / "apps/bench/README.md").read_text()
BESIDE = (SOURCE / "apps/bench/BESIDE.md").read_text()


@pytest.fixture
def tables(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "apps/bench")
    import tables
    return tables


def test_the_tables_are_those_of_their_files():
    assert re.findall(r"^<!-- table: (\w+) \S+\.json", README, re.M) == ["kernels", "variants", "passes", "speeds", "krylov",
                                                                             "spmv", "eight", "products", "peers",
                                                                             "peers", "peers", "peers", "flows", "flows", *7 * ["scaling"], "end",
                                                                             "remapping", "memory", "memory_cases"]
    assert README.count("<!-- end -->") == 25
    assert re.findall(r"^<!-- table: (\w+) \S+\.json", BESIDE, re.M) == ["beside"] and BESIDE.count("<!-- end -->") == 1
    result = subprocess.run([sys.executable, SOURCE / "apps/bench/tables.py", "--check"], capture_output=True,
                            text=True)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", ["kernels", "variants", "passes", "speeds", "krylov", "spmv", "eight", "products", "peers",
                                  "flows", "scaling", "end", "remapping", "memory_cases", "beside"])
def test_another_figure_is_seen(tables, name):
    page = BESIDE if name == "beside" else README
    start = page.index(f"<!-- table: {name} ")
    digit = re.search(r"(\d) \|\n<!-- end -->", page[start:]).start(1) + start
    other = page[:digit] + str(9 - int(page[digit])) + page[digit + 1:]
    assert tables.rewritten(other) == page


def test_no_page_is_left_out(tables, tmp_path, monkeypatch):
    assert set(tables.PAGES) == {file.name for file in (SOURCE / "apps/bench").glob("*.md")}
    monkeypatch.setattr(tables, "HERE", tmp_path)
    for page in tables.PAGES:
        (tmp_path / page).write_text("<!-- table: scaling absent.json -->\n<!-- end -->\n")
    monkeypatch.setattr(sys, "argv", ["tables.py"])
    tables.main()
    monkeypatch.setattr(sys, "argv", ["tables.py", "--check"])
    tables.main()
    (tmp_path / "BESIDE.md").write_text("<!-- table: scaling absent.json -->\nold\n<!-- end -->\n")
    with pytest.raises(SystemExit, match="^apps/bench/BESIDE.md has a table"):
        tables.main()


def test_other_programs_beside_quoin(tables):
    """On the most cores, by the faster of ways that are named alike, and the finest mesh of a flow."""
    def row(name, cores, us):
        return {"name": name, "processes": cores, "us_per_iteration": {"median": us}}

    def flow(cells, stages, over):
        return {"law": "burgers", "order": 2, "program": "rkdg", "cells": cells, "stages": stages, "l2": 1e-3 / cells,
                "ms": {"median": 0.5}, "quoin_ms": 0.5 * over, "quoin_over": over}

    xeon, epyc = ({"cpu": cpu} for cpu in ("Intel(R) Xeon(R) Processor", "AMD EPYC"))
    rows = [row("petsc_cg", 1, 9000), row("quoin serial sell", 1, 8000), row("petsc_cg", 2, 3000), row("eigen_cg", 2, 1),
            row("quoin openmp:host sell", 2, 2000), row("quoin ranks sell", 2, 1500)]
    cg = {"machine": xeon, "method": "cg", "nodes": 64, "rows": rows}
    assert tables.beside(cg, {"machine": epyc, "rows": [flow(80, 2, 4), flow(80, 3, 3), flow(40, 2, 5)]}) == """\
| what is timed | cores | by | takes | Quoin by | takes | times as fast |
|---|---|---|---|---|---|---|
| an iteration of conjugate gradients, 64 x 64 | 2, Xeon | PETSc | 3.00 | `ranks sell` | 1.50 | 2.00 |
| burgers of order 2 to an L2 error of 1.25e-05 | 1, EPYC | RKDG | 0.50 | `serial` | 2.00 | 0.25 |
"""


def test_how_far_quoin_has_been_measured():
    """What the page on other programs says of processes and GPUs."""
    most = {}
    for file in (SOURCE / "apps/bench/results").glob("*-scaling-*.json"):
        for row in (row for case in json.loads(file.read_text())["cases"] for row in case["rows"] if "us_per_iteration" in row):
            most[row["requested"]] = max(most.get(row["requested"], 0), row["ranks"] or 1)
    assert most == {"serial": 16, "openmp:host": 16, "hip": 4}
    assert f"Quoin on more than {most['serial']} processes or {most['hip']} GPUs of one host" in BESIDE


def test_the_variants_by_the_benchmark_take_their_place(tables, tmp_path):
    """In files of `quoin bench jacobi`, of which only those that are there make rows."""
    def row(variant, precision, time, ratio, share):
        return {"requested": "hip", "device": "a GPU", "variant": variant, "precision": precision, "speed_ratio": ratio,
                "us_per_iteration": {"median": time, "min": 1, "max": 99}, "percent_of_roofline": share}

    rows = [row("classic", "double", 20.04, 1.0, 25.0), row("blocked", "float", 2, 10.02, None),
            {"requested": "hip", "variant": "fused", "precision": "double", "error": "it has none"}]
    (tmp_path / "a.json").write_text(json.dumps(
        {"benchmark": "jacobi", "cases": [{"case": "poisson", "nodes": [64, 32], "rows": rows}]}))
    (tmp_path / "old.json").write_text(json.dumps({"runs": []}))
    text = "before\n<!-- table: variants old.json absent.json a.json -->\nold\n<!-- end -->\nafter\n"
    assert tables.rewritten(text, tmp_path) == """\
before
<!-- table: variants old.json absent.json a.json -->
| device | backend | nodes | variant | microseconds an iteration | times as fast as `classic` | % of the one-sweep roofline |
|---|---|---|---|---|---|---|
| a GPU | `hip` | 64 x 32 | `classic` | 20.0 | 1.0 | 25.0 |
| a GPU | `hip` | 64 x 32 | `blocked`, float | 2.0 | 10.0 | - |
<!-- end -->
after
"""


def test_the_fastest_way_of_a_peer_takes_its_place(tables):
    def row(program, cells, stages, ms, over):
        return {"law": "burgers", "order": 1, "program": program, "cells": cells, "steps": 9, "l2": 1.25e-3, "stages": stages,
                "courant": 0.2, "ms": {"median": ms}, "quoin_ms": ms * over, "quoin_over": over}

    quoin = {"law": "burgers", "order": 1, "program": "quoin", "cells": 40, "steps": 4, "l2": 1e-3, "ms": {"median": 1.0}}
    rows = [quoin, row("rkdg", 40, 2, 2.0, 1.5), row("rkdg", 40, 3, 1.0, 3.0), row("mfem_dg", 80, 4, 4.0, 0.5)]
    assert tables.flows({"rows": rows}) == """\
| law | order | peer | its Courant number | squares | steps | L2 error | milliseconds | Quoin's to this error | Quoin's over the peer's |
|---|---|---|---|---|---|---|---|---|---|
| burgers | 1 | RKDG, RK3 | 0.200 | 40 x 40 | 9 | 1.25e-03 | 1.000 | 3.000 | 3.00 |
| burgers | 1 | MFEM, RK4 | 0.200 | 80 x 80 | 9 | 1.25e-03 | 4.000 | 2.000 | 0.50 |
"""


def test_products_by_other_libraries_take_their_place(tables):
    """A format that does not suit has no time, and a peer may not be installed."""
    times = {1: {"petsc_spmv": 40, "eigen_spmv": 30, "quoin csr": 20, "quoin shared": 10, "quoin auto": 10.04},
             2: {"petsc_spmv": 20, "quoin sell": 8}}
    rows = [{"matrix": "zipf", "processes": cores, "program": name, "us_per_product": {"median": time, "min": 1, "max": 99}}
            for cores, of_program in times.items() for name, time in of_program.items()]
    rows.append({"matrix": "zipf", "processes": 1, "program": "quoin sell", "error": "it does not suit"})
    assert tables.products({"rows": rows}) == """\
| matrix | cores | PETSc | Eigen | `csr` | `sell` | `shared` | `auto` | `sell` over PETSc | `shared` over PETSc | `auto` over the faster of PETSc and Eigen |
|---|---|---|---|---|---|---|---|---|---|---|
| `zipf` | 1 | 40.0 | 30.0 | 20.0 | - | 10.0 | 10.0 | - | 4.00 | 2.99 |
| `zipf` | 2 | 20.0 | - | - | 8.0 | - | - | 2.50 | - | - |
"""


def test_the_variants_on_a_gpu():
    found = {}
    for variant in ("classic", "fused", "blocked"):
        text = (SOURCE / f"apps/bench/results/h100-poisson-4096-{variant}.json").read_text()
        (found[variant],) = [run for run in json.loads(text)["runs"] if run["requested"] == "hip"]
        assert f"method.variant={variant} " in found[variant]["command_line"]
    assert len({(run["field_sha256"], run["history_sha256"], run["versions"]["commit"]) for run in found.values()}) == 1


def test_the_studies_are_whole_and_of_one_commit():
    files = [file for file in sorted((SOURCE / "apps/bench/results").glob("*.json"))
             if json.loads(file.read_text()).get("benchmark") == "jacobi"]
    for file in files:
        study = json.loads(file.read_text())
        rows = [row for case in study["cases"] for row in case["rows"] if "error" not in row]
        assert study["complete"] and all(row["same_bits"] for row in rows), file.name
        assert len({row["versions"]["commit"] for row in rows}) == 1, file.name


def test_the_bits():
    files = sorted((SOURCE / "apps/bench/results").glob("h100-bits-*.json"))
    assert len(files) == 6
    for file in files:
        runs = json.loads(file.read_text())["runs"]
        assert len(runs) == 7 and all(run["same_bits"] for run in runs), file.name


def test_the_cases_of_dgcvs():
    cases = json.loads((SOURCE / "apps/bench/results/h100-dgcvs-cases.json").read_text())["cases"]
    assert len(cases) == 24 and all(row["same_fields"] for case in cases for row in case["backends"])
    assert {tuple(row["backend"] for row in case["backends"][:2]) for case in cases} == {("serial", "hip")}


def test_small_cases_of_dgcvs():
    cases = json.loads((SOURCE / "apps/bench/results/h200-dgcvs-cases.json").read_text())["cases"]
    assert len(cases) == 26 and all(row["same_fields"] for case in cases for row in case["backends"])
    break_, vortex = (f"{case['backends'][1]['loop_speed_ratio']:.1f}" for case in cases[:2])
    assert re.search(rf"order 1 with a limiter, {break_} times,\n.*as many of order 3, {vortex} times\.", README)


def test_remapping():
    for backend in ("hip", "opencl"):
        cases = json.loads((SOURCE / f"apps/bench/results/h200-remapping-{backend}.json").read_text())["cases"]
        assert len(cases) == 12 and all(row["same_bits"] for case in cases for row in case["rows"])


def test_the_large_mesh_of_dgcvs():
    (case,) = json.loads((SOURCE / "apps/bench/results/h200-dgcvs-2048.json").read_text())["cases"]
    rates = [f"{row['gflops'] / 1000:.1f}" for row in case["backends"]]
    shares = [f"{row['percent_of_multiply_adds']:.0f}" for row in case["backends"]]
    assert all(row["same_fields"] for row in case["backends"])
    words = "execute {} TFLOP/s with `hip`, {} with `opencl` and {} with `openmp`: {}, {} and {} %".format(*rates, *shares)
    assert words in " ".join(README.split())
