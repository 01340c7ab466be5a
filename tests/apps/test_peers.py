"""apps/bench/peers/run, products and flows: Quoin next to other programs, here next to ones that stand for them."""

import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import numpy
import pytest

# Jacobi's method once more, in plain Python. SCALE spoils what it says of the residual.
PEER = """\
#!{python}
import json, math, os, sys
if os.environ.get("OMPI_COMM_WORLD_RANK", "0") != "0":
    sys.exit(0)
n, iterations = int(sys.argv[1]), int(sys.argv[2])
h = 1 / (n + 1)
sines = [math.sin(math.pi * k * h) for k in range(n + 2)]
u = [[0.0] * (n + 2) for _ in range(n + 2)]
nodes = [(j, i) for j in range(1, n + 1) for i in range(1, n + 1)]
def residual():
    return {{(j, i): 2 * math.pi ** 2 * sines[i] * sines[j]
            - (4 * u[j][i] - u[j - 1][i] - u[j + 1][i] - u[j][i - 1] - u[j][i + 1]) / h ** 2 for j, i in nodes}}
for _ in range(iterations):
    for (j, i), r in residual().items():
        u[j][i] += r * h ** 2 / 4
norm = math.sqrt(sum(r * r for r in residual().values())) * h
print(json.dumps({{"version": "Fake 1.0", "nodes": n, "iterations": iterations, "processes": {processes},
                  "seconds": 0.25, "residual": {scale} * norm}}))
"""
# Conjugate gradients for the same matrix without h.
PEER_CG = """\
#!{python}
import json, math, sys
n, iterations = int(sys.argv[1]), int(sys.argv[2])
nodes = [(j, i) for j in range(n) for i in range(n)]
def product(u):
    return {{(j, i): 4 * u[j, i] - sum(u.get(k, 0.0) for k in [(j - 1, i), (j + 1, i), (j, i - 1), (j, i + 1)])
            for j, i in nodes}}
def dot(u, v):
    return sum(u[k] * v[k] for k in nodes)
r = dict.fromkeys(nodes, 1.0)
p = dict(r)
for _ in range(iterations):
    rho, w = dot(r, r), product(p)
    alpha = rho / dot(p, w)
    r = {{k: r[k] - alpha * w[k] for k in nodes}}
    beta = dot(r, r) / rho
    p = {{k: r[k] + beta * p[k] for k in nodes}}
print(json.dumps({{"version": "Fake 1.0", "nodes": n, "iterations": iterations, "processes": {processes},
                  "seconds": 0.25, "residual": {scale} * math.sqrt(dot(r, r))}}))
"""
PEER_AMG = """#!{python}
import json, sys
print(json.dumps({{"version": "Fake 1.0", "nodes": int(sys.argv[1]), "iterations": 7, "processes": {processes},
                  "seconds": 0.25, "residual": {scale} * 1e-9}}))
"""
PEER_PRODUCT = """#!{python}
import json, sys
import numpy
folder, rows = sys.argv[1], int(sys.argv[2])
offsets, columns = (numpy.fromfile(folder + "/" + name, "int32") for name in ("offsets", "columns"))
values = numpy.fromfile(folder + "/values")
x = [1 + i % 7 / 8 for i in range(rows)]
y = [sum(values[k] * x[columns[k]] for k in range(offsets[row], offsets[row + 1])) for row in range(rows)]
print(json.dumps({{"version": "Fake 1.0", "processes": {processes}, "us_per_product": 250.0,
                  "norm": {scale} * float(numpy.linalg.norm(y))}}))
"""


@pytest.fixture
def load(source, monkeypatch):
    """A script of apps/bench/peers as a module."""
    monkeypatch.syspath_prepend(source / "apps/bench/peers")

    def call(name):
        loader = importlib.machinery.SourceFileLoader("peers_" + name, str(source / "apps/bench/peers" / name))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("peers_" + name, loader))
        loader.exec_module(module)
        return module

    return call


@pytest.fixture
def script(load):
    return load("run")


@pytest.fixture
def peers(tmp_path):
    """peers(scale, processes): the folder of the programs that stand for peers, none for hypre and Eigen."""

    def make(scale, processes):
        folder = tmp_path / "peers"
        folder.mkdir(exist_ok=True)
        for name, text in [("petsc", PEER), ("petsc_cg", PEER_CG), ("petsc_gamg", PEER_AMG),
                           ("petsc_spmv", PEER_PRODUCT)]:
            (folder / name).write_text(text.format(python=sys.executable, scale=scale, processes=processes))
            (folder / name).chmod(0o755)
        return folder

    return make


@pytest.fixture
def run(source, build, peers, tmp_path):
    """run(option, ..., scale=, processes=)"""

    def call(*options, scale=1.0, processes=1):
        return subprocess.run([source / "apps/bench/peers/run", "--quoin", build / "bin/quoin", "--peers",
                               peers(scale, processes), "--nodes", "13", "--iterations", "9", "--repeats", "2",
                               "--processes", "1", *map(str, options)], cwd=tmp_path, text=True, capture_output=True,
                              timeout=240)

    return call


@pytest.fixture
def products(source, build, peers, tmp_path):
    """products(option, ..., scale=)"""

    def call(*options, scale=1.0):
        return subprocess.run([sys.executable, "-B", source / "apps/bench/peers/products", "--quoin",
                               build / "bin/quoin", "--peers", peers(scale, 1), "--nodes", "20", "--nodes-27", "6",
                               "--repeats", "2", "--processes", "1", *map(str, options)], cwd=tmp_path, text=True,
                              capture_output=True, timeout=240)

    return call


def recorded():
    return {"method": "jacobi", "nodes": 8, "iterations": 10, "repeats": 3, "residual_after": 2.0, "machine": {"cpu": "a processor"},
            "rows": [
                {"name": "petsc", "processes": 1, "seconds": [4e-3, 2e-3, 3e-3], "residual": 2.0 + 1e-11},
                {"name": "quoin serial fused", "processes": 1, "seconds": [1e-3, 9e-3, 1e-3], "residual": 3.0},
                {"name": "petsc", "processes": 2, "seconds": [1e-3, 1e-3, 1e-3], "residual": 2.0 - 1e-11},
                {"name": "quoin openmp:host fused", "processes": 2, "seconds": [2e-3, 2e-3, 2e-3], "residual": 3.0}]}


def test_everything_in_turn(run, tmp_path):
    result = run()
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "peers.json").read_text())
    assert [row["name"] for row in study["rows"]] == ["petsc", "quoin serial fused", "quoin serial blocked"]
    petsc, *quoin = study["rows"]
    assert petsc["seconds"] == [0.25, 0.25] and petsc["version"] == "Fake 1.0"
    assert petsc["us_per_iteration"]["median"] == pytest.approx(0.25e6 / 9)
    for row in quoin:
        assert len(row["seconds"]) == 2 and min(row["seconds"]) > 0 and row["commit"] and row["device"]
        assert row["times_as_fast_as"].keys() == {"petsc"} and row["residual"] == quoin[0]["residual"]
    # The iteration after the last one that was timed: its residual is smaller.
    assert 0 < study["residual_after"] < quoin[0]["residual"]
    assert study["machine"]["cores"] >= 1 and study["nodes"] == 13
    assert "13 x 13 nodes, 9 iterations" in result.stdout and "quoin serial blocked" in result.stdout


def test_conjugate_gradients_in_every_format(run, tmp_path):
    result = run("--method", "cg")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "peers.json").read_text())
    assert [row["name"] for row in study["rows"]] == ["petsc_cg", "quoin serial csr", "quoin serial sell",
                                                      "quoin serial shared"]
    for row in study["rows"][1:]:
        assert row["residual"] == study["residual_after"] and row["times_as_fast_as"].keys() == {"petsc_cg"}
    assert study["rows"][0]["residual"] == pytest.approx(study["residual_after"], rel=1e-12)
    assert "cg, 13 x 13 nodes, 9 iterations" in result.stdout
    (tmp_path / "peers.json").unlink()
    wrong = run("--method", "cg", scale=1.001)
    assert wrong.returncode == 1 and "petsc_cg: residual" in wrong.stderr


def test_multigrid_to_the_solution(run, tmp_path):
    result = run("--method", "amg", "--nodes", "40")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "peers.json").read_text())
    gamg, quoin = study["rows"]
    assert (gamg["name"], quoin["name"]) == ("petsc_gamg", "quoin serial amg")
    assert gamg["us_per_solution"]["median"] == pytest.approx(0.25e6) and gamg["iterations"] == 7
    assert 1 < quoin["iterations"] < 12 and quoin["residual"] <= 40e-8
    assert quoin["times_as_fast_as"]["petsc_gamg"] == pytest.approx(0.25e6 / quoin["us_per_solution"]["median"])
    assert "amg, 40 x 40 nodes, in double" in result.stdout and "us/solution" in result.stdout
    (tmp_path / "peers.json").unlink()
    wrong = run("--method", "amg", "--nodes", "40", scale=1e3)
    assert wrong.returncode == 1 and re.search("petsc_gamg: residual 1.*e-06 after 7 iterations", wrong.stderr)


def test_a_peer_that_does_something_else_is_found(run, tmp_path):
    result = run(scale=1 + 1e-9)
    assert result.returncode == 1 and "petsc: residual" in result.stderr and "Quoin's is" in result.stderr
    assert json.loads((tmp_path / "peers.json").read_text())["rows"]


def test_a_peer_on_other_processes_is_found(run, tmp_path):
    result = run(processes=2)
    assert result.returncode == 1 and "ran on 2 processes, not on 1" in result.stderr
    assert not (tmp_path / "peers.json").exists()


def test_several_leaves_out_what_runs_on_one_core(run, tmp_path):
    assert run("--several").returncode == 0  # one core is what the others have here
    assert run("--several", "--processes", "2", "--output", "two.json", processes=2).returncode == 0
    rows = json.loads((tmp_path / "two.json").read_text())["rows"]
    assert {row["processes"] for row in rows} == {2}
    assert [row["name"] for row in rows] == ["petsc", "quoin openmp:host fused", "quoin ranks fused",
                                             "quoin openmp:host blocked", "quoin ranks blocked"]


def test_medians_and_ratios(script):
    study = recorded()
    assert script.evaluate(study) == []
    one, fused, two, threads = study["rows"]
    assert one["us_per_iteration"] == pytest.approx({"median": 300, "min": 200, "max": 400})
    assert fused["times_as_fast_as"] == pytest.approx({"petsc": 3})
    assert threads["times_as_fast_as"] == pytest.approx({"petsc": 0.5})
    assert "times_as_fast_as" not in one
    lines = script.table(study).splitlines()
    assert len(lines) == 6 and lines[3].split() == ["quoin", "serial", "fused", "1", "100.0", "100.0", "900.0", "petsc",
                                                    "3.0"]


@pytest.mark.parametrize("row, residual", [(0, 2.0 + 1e-9), (0, float("nan")), (3, 3.0 + 1e-15)])
def test_residuals_that_differ(script, row, residual):
    study = recorded()
    study["rows"][row]["residual"] = residual
    (wrong,) = script.evaluate(study)
    assert wrong.startswith(study["rows"][row]["name"])


@pytest.mark.parametrize("arguments, words", [
    (["--nodes", "0"], "--nodes"),
    (["--repeats", "many"], "--repeats"),
    (["--output", "there.json"], "there.json exists"),
])
def test_wrong_usage(run, tmp_path, arguments, words):
    (tmp_path / "there.json").write_text("mine")
    result = run(*arguments)
    assert result.returncode == 2 and words in result.stderr and (tmp_path / "there.json").read_text() == "mine"


def test_a_program_that_is_missing_is_named(run):
    result = run("--quoin", "absent/quoin")
    assert result.returncode == 1 and "absent/quoin" in result.stderr


def test_products_in_every_format(products, tmp_path):
    result = products("--matrices", "points5,varying5,points27")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "products.json").read_text())
    assert [(matrix["matrix"], matrix["rows"], matrix["entries"]) for matrix in study["matrices"]] == [
        ("points5-20", 400, 1920), ("varying5-20", 400, 1920), ("points27-6", 216, 16 ** 3)]
    assert [row["program"] for row in study["rows"]] == 3 * ["petsc_spmv", "quoin csr", "quoin sell", "quoin shared",
                                                             "quoin auto"]
    for row in study["rows"]:
        us = row["us_per_product"]
        assert len(row["us"]) == 2 and us["median"] == pytest.approx(sum(row["us"]) / 2) and row["processes"] == 1
        if row["program"] == "petsc_spmv":
            assert row["us"] == [250.0, 250.0] and row["version"] == "Fake 1.0"
        else:
            assert row["times_as_fast_as"] == {"petsc_spmv": pytest.approx(250.0 / us["median"])}
            assert row["commit"] and row["backend"] == "serial" and row["version"].startswith("Quoin ")
    assert study["machine"]["cores"] >= 1 and study["repeats"] == 2
    assert result.stdout.count("petsc_spmv") == 15 and "varying5-20      quoin shared " in result.stdout


def test_products_with_a_matrix_of_a_file(load, build, peers, monkeypatch, tmp_path):
    script = load("products")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(script.matrices.MATRICES, "tail",
                        lambda random: script.matrices.scattered(script.matrices.zipf(3000, random), None, random))
    assert script.main(["--quoin", str(build / "bin/quoin"), "--peers", str(peers(1.0, 1)), "--matrices", "tail",
                        "--repeats", "1", "--processes", "1"]) == 0
    study = json.loads((tmp_path / "products.json").read_text())
    rows = {row["program"]: row for row in study["rows"]}
    assert study["matrices"][0]["rows"] == 3000 and rows["quoin csr"]["stored"]["rows"] == 3000
    assert "sell would store" in rows["quoin sell"]["error"] and "us_per_product" not in rows["quoin sell"]
    assert rows["quoin sell"]["error"] in script.table(study["rows"])


def test_the_coefficient_varies_as_in_quoin(load):
    """Its generator takes the coefficient half way to each of the four neighbours, be they nodes or not."""
    n = 5
    found = numpy.zeros((n * n, n * n))
    rows, columns, values = load("products").varying((n, n))
    found[rows, columns] = values
    wanted = numpy.zeros((n * n, n * n))
    for row in range(n * n):
        j, i = divmod(row, n)
        for up, right in [(-1, 0), (0, -1), (0, 1), (1, 0)]:
            k = 1 + (i + 1 + right / 2) * (j + 1 + up / 2) / (n + 1) ** 2
            wanted[row, row] += k
            if 0 <= i + right < n and 0 <= j + up < n:
                wanted[row, row + up * n + right] = -k
    assert found == pytest.approx(wanted, rel=1e-14)


def test_products_that_differ_are_found(products, tmp_path):
    result = products("--matrices", "points5", scale=1 + 1e-11)
    assert result.returncode == 1
    assert re.fullmatch(r"products: points5-20, petsc_spmv on 1: the norm of A x is \S+, but \S+ by numpy\n", result.stderr)
    assert len(json.loads((tmp_path / "products.json").read_text())["rows"]) == 5


@pytest.mark.parametrize("what", ["rows", "entries"])
def test_another_matrix_in_quoin_is_found(load, what):
    facts = {"matrix": "points5-20", "rows": 400, "entries": 1920, "norm": 1.0}
    row = {"program": "quoin csr", "processes": 2, "us": [1.0], "stored": {"rows": 400, "entries": 1920}}
    assert load("products").evaluate(facts, [row]) == []
    row["stored"][what] = 7
    assert load("products").evaluate(facts, [row]) == [
        f"points5-20, quoin csr on 2: 7 {what}, but the peers have {facts[what]}"]


@pytest.mark.parametrize("arguments, words", [
    (["--matrices", "points5,points6"], "there is no matrix 'points6', but points5, varying5, points27, poisson5-1024,"),
    (["--output", "there.json"], "there.json exists"),
])
def test_wrong_usage_of_products(products, tmp_path, arguments, words):
    (tmp_path / "there.json").write_text("mine")
    result = products(*arguments)
    assert result.returncode == 2 and words in result.stderr and (tmp_path / "there.json").read_text() == "mine"


@pytest.fixture(scope="session")
def compiled(source, tmp_path_factory):
    """The folder of the peers themselves, as far as their libraries are found."""
    folder = tmp_path_factory.mktemp("compiled")
    for step in (["-S", source / "apps/bench/peers", "-B", folder], ["--build", folder]):
        subprocess.run(["cmake", *step], check=True, capture_output=True, timeout=240)
    return folder


@pytest.fixture
def flows(source, build, compiled, tmp_path):
    """flows(option, ...)"""

    def call(*options):
        return subprocess.run([sys.executable, "-B", source / "apps/bench/peers/flows", "--quoin", build / "bin/quoin",
                               "--peers", compiled, "--cells", "16,24", "--repeats", "2", *map(str, options)], cwd=tmp_path,
                              text=True, capture_output=True, timeout=240)

    return call


def whole(study, orders, peer, ways):
    """Whether the study has every way of the peer, and times of Quoin at its errors that follow from those of Quoin's rows."""
    for order in orders:
        rows = [row for row in study["rows"] if row["order"] == order]
        quoin = [row for row in rows if row["program"] == "quoin"]
        others = [row for row in rows if row["program"] == peer]
        assert len(quoin) + len(others) == len(rows) and [row["cells"] for row in quoin] == [14, 20, 22, 27, 30, 41]
        assert [(row["stages"], row["cells"]) for row in others] == [(s, n) for s in ways[order] for n in (16, 24)]
        for row in rows:
            assert len(row["seconds"]) == 2 and min(row["seconds"]) > 0 and row["version"] and row["steps"] > 0
            assert row["ms"]["median"] == pytest.approx(5e2 * sum(row["seconds"]))
        for row in others:
            around = [mesh["ms"]["median"] for fine, coarse in zip(quoin[1:], quoin) for mesh in (fine, coarse)
                      if fine["l2"] <= row["l2"] <= coarse["l2"]]
            assert min(around) <= row["quoin_ms"] <= max(around)
            assert row["quoin_over"] == pytest.approx(row["quoin_ms"] / row["ms"]["median"])
    return True


def test_burgers_next_to_runge_kutta(flows, tmp_path):
    result = flows("--laws", "burgers")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "flows.json").read_text())
    assert whole(study, [1, 2, 3], "rkdg", {1: [2, 2, 3, 3], 2: [3, 3], 3: [3, 3]})
    assert study["repeats"] == 2 and study["machine"]["cores"] >= 1
    assert "medians of 2 runs" in result.stdout and len(result.stdout.splitlines()) == 2 + len(study["rows"])


def test_advection_next_to_mfem(flows, compiled, tmp_path):
    result = flows("--laws", "advection", "--orders", "1,3")
    if not (compiled / "mfem_dg").exists():
        assert result.returncode == 1 and "has none of mfem_dg" in result.stderr
        pytest.skip("MFEM was not found")
    assert result.returncode == 0 and result.stderr == "", result.stderr
    study = json.loads((tmp_path / "flows.json").read_text())
    assert whole(study, [1, 3], "mfem_dg", {1: [2, 3, 4], 3: [3, 4]})
    assert all(row["version"].startswith("MFEM v") for row in study["rows"] if row["program"] == "mfem_dg")


@pytest.mark.parametrize("order", [1, 2, 3])
def test_runge_kutta_converges_to_the_exact_solution(compiled, order):
    def error(cells):
        result = subprocess.run([compiled / "rkdg", str(order), str(cells), "3", "0.1"], capture_output=True, text=True, check=True)
        return json.loads(result.stdout)["l2"]

    assert order + 0.7 < numpy.log2(error(24) / error(48)) < order + 1.3


@pytest.mark.parametrize("words, code, message", [
    (["1", "16", "3"], 2, "usage: "), (["4", "16", "3", "0.1"], 2, "usage: "), (["1", "20", "3", "0.1"], 2, "multiples of 8"),
    (["1", "16", "4", "0.1"], 2, "2 or 3 stages"), (["3", "80", "3", "0.5"], 1, "COURANT is too large")])
def test_what_runge_kutta_does_not_do(compiled, words, code, message):
    result = subprocess.run([compiled / "rkdg", *words], capture_output=True, text=True)
    assert result.returncode == code and message in result.stderr and result.stdout == ""


def test_quoin_divides_errors_by_the_root_of_the_area(load, build, monkeypatch):
    """As the peers do: of a solution that is off by 1 everywhere it is 1."""
    script = load("flows")
    monkeypatch.setitem(script.LAWS["advection"], "exact", "1+sin(pi*(x-t))*sin(pi*(y-0.5*t))")
    arguments = script.parse(["--quoin", str(build / "bin/quoin"), "--output", "none.json"])
    assert script.run_quoin(arguments, "advection", 2, 16)["l2"] == pytest.approx(1.0, abs=1e-4)


def flow_rows():
    """Second order: Quoin's times go with n^3, the peer's errors are twice as large."""
    quoin = [{"program": "quoin", "cells": n, "l2": 1 / n ** 2, "seconds": 3 * [1e-6 * n ** 3]} for n in (10, 20, 40)]
    peer = [{"program": "rkdg", "stages": 2, "courant": 0.3, "cells": n, "l2": 2 / n ** 2, "seconds": [1e-9, 1e-6 * n ** 3, 9.0]} for n in (20, 40)]
    return [{"law": "burgers", "order": 1, "steps": 7, **row} for row in quoin + peer]


def test_times_at_equal_errors(load):
    rows = flow_rows()
    assert load("flows").evaluate(rows) == []
    assert [row["quoin_over"] for row in rows[3:]] == pytest.approx(2 * [2 ** -1.5])
    assert rows[3]["quoin_ms"] == pytest.approx(8 / 2 ** 1.5) and "quoin_over" not in rows[0]
    assert load("flows").table(rows).splitlines()[-1].endswith("22.627, 0.35")


@pytest.mark.parametrize("row, l2, message", [
    (2, 1 / 400, r"burgers, order 1, quoin: errors fall like h\^0.00 from 20 to 40"),
    (2, float("nan"), "burgers, order 1, quoin: errors fall like h"),
    (4, 2 / 800, "burgers, order 1, rkdg with 2 stages at 0.3: errors fall like h"),
    (3, 0.02, "no two errors of Quoin are around 0.02"),
])
def test_flows_that_are_not_the_same_are_found(load, row, l2, message):
    rows = flow_rows()
    rows[row]["l2"] = l2
    assert any(re.search(message, line) for line in load("flows").evaluate(rows))


@pytest.mark.parametrize("arguments, words", [
    (["--laws", "burgers,euler"], "expected some of advection, burgers, not 'euler'"), (["--orders", "0"], "expected some of 1, 2, 3"),
    (["--cells", "16,0"], "expected a number from 1 on"), (["--output", "there.json"], "there.json exists"),
])
def test_wrong_usage_of_flows(flows, tmp_path, arguments, words):
    (tmp_path / "there.json").write_text("mine")
    result = flows(*arguments)
    assert result.returncode == 2 and words in result.stderr and (tmp_path / "there.json").read_text() == "mine"


def test_peers_that_were_not_built_are_named(source, build, tmp_path):
    for name, words in [("run", "petsc, hypre"), ("products", "petsc_spmv, eigen_spmv"), ("flows", "mfem_dg, rkdg")]:
        result = subprocess.run([sys.executable, "-B", source / "apps/bench/peers" / name, "--quoin", build / "bin/quoin", "--peers",
                                 tmp_path], cwd=tmp_path, text=True, capture_output=True, timeout=240)
        assert result.returncode == 1 and f"{tmp_path} has none of {words}; README.md" in result.stderr


@pytest.mark.skipif(shutil.which("pkg-config") is None or subprocess.run(["pkg-config", "--exists", "petsc"]).returncode,
                    reason="libpetsc-real-dev is not installed")
def test_the_peers_themselves(source, build, compiled, tmp_path):
    result = subprocess.run([source / "apps/bench/peers/run", "--quoin", build / "bin/quoin", "--peers", compiled,
                             "--nodes", "37", "--iterations", "21", "--repeats", "1", "--processes", "1"],
                            cwd=tmp_path, text=True, capture_output=True, timeout=240)
    assert result.returncode == 0, result.stderr
    rows = {row["name"]: row for row in json.loads((tmp_path / "peers.json").read_text())["rows"]}
    assert rows["petsc"]["version"].startswith("PETSc ")
    result = subprocess.run([sys.executable, "-B", source / "apps/bench/peers/products", "--quoin", build / "bin/quoin",
                             "--peers", compiled, "--matrices", "varying5,points27", "--nodes", "80", "--nodes-27", "9",
                             "--repeats", "1", "--processes", str(min(2, os.cpu_count()))], cwd=tmp_path, text=True,
                            capture_output=True, timeout=240)
    assert result.returncode == 0, result.stderr
    assert any(row["version"].startswith("PETSc ") for row in json.loads((tmp_path / "products.json").read_text())["rows"])
