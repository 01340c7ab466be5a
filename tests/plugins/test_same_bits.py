"""Every shipped Jacobi case, and DG-CVS of every law and order, give the same bits on every device of this machine."""

import json
import math
import os
import pathlib

import pytest

TILES = ["{name: serial, sweep_depth: 6, sweep_columns: 48}",
         "{name: openmp, device: host, sweep_depth: 3, sweep_columns: 80}"]
DEVICES = ["serial", *TILES, "openmp:host", "openmp:x86-64", "opencl:pocl", "openmp:gpu", "opencl:nvidia", "hip", "worker"]
AT_LEAST = {"serial"}
DEPTH = {"serial": 16, TILES[0]: 6, TILES[1]: 3, "openmp:host": 16, "hip": 8}  # sweeps of a pass
# The large cases with fewer nodes and iterations: what they test is the bits, not the solution.
CASES = {"seed-100": "[100, 100]", "poisson-256": "[255, 255]", "seed-4096": "[517, 389]"}
DIFFUSION = ["diffusion", "diffusion-layers", "robin", "neumann", "periodic"]


# Periodic, given and open sides, and walls; quadrilaterals out of shape, and triangles; squares share their shape.
DGCVS = {
    "adv-sin": """
  equation: {type: advection, velocity: [1, -0.6]}
  mesh: {cells: [9, 7], perturb: 0.3}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "sin(2*pi*(x+y))"
""",
    "adv-dirichlet": """
  equation: {type: advection, velocity: [1, 0.3]}
  mesh: {cells: [7, 5], shape: tri}
  boundary: {left: {type: dirichlet, value: "sin(2*pi*(x-t))"}, right: open, bottom: {type: dirichlet, value: "sin(2*pi*(x-t))"},
             top: open}
  initial: "sin(2*pi*x)"
""",
    "burgers": """
  equation: burgers
  mesh: {cells: [6, 5], perturb: 0.3}
  boundary:
    left: {type: dirichlet, value: "0.5+0.2*sin(pi*(y-t))"}
    right: open
    bottom: {type: dirichlet, value: "0.5+0.2*sin(pi*(x-t))"}
    top: open
  initial: "0.5+0.2*sin(pi*(x+y))"
""",
    "squares": """
  equation: burgers
  mesh: {cells: [9, 7]}
  boundary: {left: {type: dirichlet, value: "0.5+0.2*sin(pi*(y-t))"}, right: open, bottom: periodic, top: periodic}
  initial: "0.5+0.2*sin(2*pi*y)*sin(pi*x)"
""",
    "shallow-water": """
  equation: {type: shallow_water, gravity: 1}
  mesh: {cells: [6, 5], shape: tri}
  boundary: {left: wall, right: {type: dirichlet, value: {h: "1", hu: "0", hv: "0"}}, bottom: wall, top: open}
  initial: {h: "1+0.1*cos(pi*x)", hu: "0.05*y", hv: "0"}
""",
    "ground": """
  equation: {type: shallow_water, gravity: 1, manning: 0.1, rain: 0.2}
  bed: "0.2*sin(5*x-3*y)+0.1*abs(x-0.4)"
  mesh: {cells: [6, 5], perturb: 0.3}
  boundary: {left: wall, right: {type: dirichlet, value: {eta: 1, hu: "0.1*t", hv: 0}}, bottom: wall, top: open}
  initial: {eta: "1+0.1*cos(pi*x)", hu: "0.05*y", hv: "0"}
""",
    "shore": """
  equation: {type: shallow_water, gravity: 1, chezy: 5}
  bed: "0.5*sin(5*x-3*y)"
  mesh: {cells: [6, 5], perturb: 0.3}
  boundary: {left: wall, right: {type: discharge, series: in.csv}, bottom: {type: stage, series: stage.csv}, top: open}
  initial: {h: "max(0, 0.2*cos(pi*x)-0.5*sin(5*x-3*y))", hu: "0.3*y*max(0, 0.2*cos(pi*x)-0.5*sin(5*x-3*y))", hv: "0"}
""",
}


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """What `quoin tune` has kept would change the number of launches; compiled OpenCL programs and rates of
    devices, which take minutes, are those of the other tests."""
    kept = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    (tmp_path / "cache/quoin").mkdir(parents=True)
    for folder in ["quoin/opencl", "quoin/rates", "pocl"]:
        (kept / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / "cache" / folder).symlink_to(kept / folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def compare(quoin, case, *words):
    """The runs of one case on every device that there is, by the device."""
    result = quoin("compare", case, "--backends", ",".join(DEVICES), "--json", "--output", "out", *words)
    ran = {run["requested"]: run for run in json.loads(result.stdout)["runs"] if "error" not in run}
    assert AT_LEAST <= ran.keys()
    for device, run in ran.items():
        assert run["same_bits"], f"{device}: off by {run['largest_difference']}"
    return ran


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("variant", ["classic", "fused", "auto"])
@pytest.mark.parametrize("name", CASES)
def test_same_bits(quoin, source, name, variant, precision):
    settings = {"method.precision": precision, "method.variant": variant, "method.stop": "iterations",
                "method.max_iterations": 60, "problem.grid.nodes": CASES[name]}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    ran = compare(quoin, source / f"configs/jacobi/{name}.yaml", *words)
    for device, run in ran.items():
        depth = DEPTH.get(device, 1) if variant == "auto" else 1
        # A launch finds the norms of a pass, or of two sweeps alone.
        expected = 300 if variant == "classic" else 90 if depth == 1 else 2 * math.ceil(60 / depth)
        assert run["launches"] == expected, device


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize(("solver", "variant"),
                         [("jacobi", "classic"), ("jacobi", "auto"), ("chebyshev", "fused"), ("multigrid", "auto")])
@pytest.mark.parametrize("name", DIFFUSION)
def test_same_bits_of_diffusion(quoin, source, name, solver, variant, precision):
    settings = {"method.precision": precision, "method.variant": variant, "method.solver": solver, "method.stop": "iterations",
                "method.max_iterations": 12}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    compare(quoin, source / f"configs/jacobi/{name}.yaml", *words)


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize(("solver", "variant"), [("jacobi", "classic"), ("chebyshev", "fused"), ("multigrid", "auto")])
def test_same_bits_in_space(quoin, source, solver, variant, precision):
    settings = {"method.precision": precision, "method.variant": variant, "method.solver": solver, "method.stop": "iterations",
                "method.max_iterations": 12, "problem.grid.nodes": "[21, 17, 11]"}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    compare(quoin, source / "configs/jacobi/box.yaml", *words)


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("variant", ["classic", "fused", "blocked", "auto"])
def test_same_bits_of_poisson_in_space(quoin, tmp_path, variant, precision):
    case = tmp_path / "case.yaml"
    case.write_text("problem: {type: jacobi, grid: {nodes: [130, 37, 25]}, source: 'x*exp(y*z)', boundary: {left: y, front: 'x*y'}}\n"
                    f"method: {{variant: {variant}, stop: iterations, max_iterations: 11, precision: {precision}}}\n")
    ran = compare(quoin, case)
    for device, run in ran.items():
        # A launch finds the norms of a pass, or of two sweeps alone; what stays in caches is swept so.
        expected = {"classic": 44, "blocked": 2 * math.ceil(11 / min(DEPTH.get(device, 1), 8))}.get(variant, 17)
        assert run["launches"] == expected, device


@pytest.mark.parametrize("nodes", ["[255, 255]", "[96, 333]", "[3, 40]"])
@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("solver", ["chebyshev", "multigrid"])
def test_same_bits_of_solvers(quoin, source, solver, precision, nodes):
    settings = {"method.solver": solver, "method.precision": precision, "method.stop": "iterations",
                "method.max_iterations": 12, "problem.grid.nodes": nodes}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    compare(quoin, source / "configs/jacobi/poisson-multigrid.yaml", *words)


@pytest.mark.parametrize(("name", "precision", "order"),
                         [(name, precision, order) for name in DGCVS if name not in ("squares", "shore")
                          for precision, orders in (("double", 5), ("float", 3)) for order in range(orders)
                          if (name, precision) != ("ground", "float")])
def test_same_bits_of_dgcvs(quoin, tmp_path, name, precision, order):
    case = tmp_path / "case.yaml"
    limiter = "indicator, limiter_threshold: 0.01" if order in (1, 3) else "none"
    case.write_text(f"problem:\n  type: dg-cvs{DGCVS[name]}"
                    f"method: {{order: {order}, precision: {precision}, final_time: 0.1, limiter: {limiter}}}\n"
                    "output: {history_every: 1}\n")
    ran = compare(quoin, case)
    assert all(run["launches"] == ran["serial"]["launches"] >= 8 for run in ran.values())


@pytest.mark.parametrize(("name", "method"), [
    ("squares", "order: 3"), ("squares", "order: 1, precision: float"), ("squares", "order: 2, solver: newton"),
    ("squares", "order: 2, loops: split"), ("adv-sin", "order: 2, solver: newton"),
    ("shallow-water", "order: 1, solver: newton"),
    ("adv-dirichlet", "order: 3, loops: split"), ("burgers", "order: 2, entities: mesh_order_indexed"),
    ("adv-dirichlet", "order: 1, entities: boundary_last_together"),
    ("ground", "order: 2, loops: split"), ("ground", "order: 1, limiter: always"),
    ("shore", "order: 0"), ("shore", "order: 1"), ("shore", "order: 2, limiter: always"), ("shore", "order: 3, loops: split"),
    ("shallow-water", "order: 2, limiter: always"), ("burgers", "order: 1, limiter: always, precision: float")])
def test_same_bits_of_other_methods(quoin, tmp_path, name, method):
    case = tmp_path / "case.yaml"
    (tmp_path / "in.csv").write_text("0, 0.2\n1, 0.3\n")
    (tmp_path / "stage.csv").write_text("0, 0.1\n1, -0.3\n")
    case.write_text(f"problem:\n  type: dg-cvs{DGCVS[name]}method: {{{method}, final_time: 0.1}}\n"
                    "output: {history_every: 1}\n")
    compare(quoin, case)


@pytest.mark.parametrize("precision", ["double", "float"])
def test_same_bits_of_shared_matrices(quoin, tmp_path, precision):
    case = tmp_path / "case.yaml"
    case.write_text(f"problem:\n  type: dg-cvs{DGCVS['adv-sin'].replace(', perturb: 0.3', '')}"
                    f"method: {{order: 2, solver: matrices, precision: {precision}, final_time: 0.1}}\n"
                    "output: {history_every: 1}\n")
    compare(quoin, case)


def test_every_shipped_case_is_in_the_list(source):
    assert {file.stem for file in (source / "configs/jacobi").glob("*.yaml")} == {
        *CASES, *DIFFUSION, "poisson-multigrid", "box"}
