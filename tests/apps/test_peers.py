"""apps/bench/peers/run: Quoin next to other libraries, here next to programs that stand for them."""

import importlib.machinery
import importlib.util
import json
import re
import shutil
import subprocess
import sys

import pytest

# Jacobi's method once more, in plain Python. SCALE spoils what it says of the residual.
PEER = """\
#!{python}
import json, math, sys
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
def run(source, build, tmp_path):
    """run(option, ..., scale=, processes=): with a peer in place of PETSc and none in place of hypre."""

    def call(*options, scale=1.0, processes=1):
        peers = tmp_path / "peers"
        peers.mkdir(exist_ok=True)
        for name, text in [("petsc", PEER), ("petsc_cg", PEER_CG), ("petsc_gamg", PEER_AMG)]:
            (peers / name).write_text(text.format(python=sys.executable, scale=scale, processes=processes))
            (peers / name).chmod(0o755)
        return subprocess.run([source / "apps/bench/peers/run", "--quoin", build / "bin/quoin", "--peers", peers,
                               "--nodes", "13", "--iterations", "9", "--repeats", "2", "--processes", "1",
                               *map(str, options)], cwd=tmp_path, text=True, capture_output=True, timeout=240)

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


@pytest.mark.skipif(shutil.which("pkg-config") is None or subprocess.run(["pkg-config", "--exists", "petsc"]).returncode,
                    reason="libpetsc-real-dev is not installed")
def test_the_peers_themselves(source, build, tmp_path):
    compiled = tmp_path / "compiled"
    for step in (["-S", source / "apps/bench/peers", "-B", compiled], ["--build", compiled]):
        subprocess.run(["cmake", *step], check=True, capture_output=True, timeout=240)
    result = subprocess.run([source / "apps/bench/peers/run", "--quoin", build / "bin/quoin", "--peers", compiled,
                             "--nodes", "37", "--iterations", "21", "--repeats", "1", "--processes", "1"],
                            cwd=tmp_path, text=True, capture_output=True, timeout=240)
    assert result.returncode == 0, result.stderr
    rows = {row["name"]: row for row in json.loads((tmp_path / "peers.json").read_text())["rows"]}
    assert rows["petsc"]["version"].startswith("PETSc ")
