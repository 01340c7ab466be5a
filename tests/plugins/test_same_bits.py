"""Every shipped Jacobi case gives the same bits on every device of this machine."""

import json

import pytest

DEVICES = ["serial", "openmp:host", "openmp:x86-64", "opencl:pocl", "openmp:gpu", "opencl:nvidia", "hip"]
AT_LEAST = {"serial"}
# The large cases with fewer nodes and iterations: what they test is the bits, not the solution.
CASES = {"seed-100": "[100, 100]", "poisson-256": "[255, 255]", "seed-4096": "[517, 389]"}


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("variant", ["classic", "fused"])
@pytest.mark.parametrize("name", CASES)
def test_same_bits(quoin, source, name, variant, precision):
    settings = {"method.precision": precision, "method.variant": variant, "method.stop": "iterations",
                "method.max_iterations": 60, "problem.grid.nodes": CASES[name]}
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    result = quoin("compare", source / f"configs/jacobi/{name}.yaml", "--backends", ",".join(DEVICES), "--json",
                   "--output", "out", *words)
    ran = {run["requested"]: run for run in json.loads(result.stdout)["runs"] if "error" not in run}
    assert AT_LEAST <= ran.keys()
    for device, run in ran.items():
        assert run["same_bits"], f"{device}: off by {run['largest_difference']}"
        assert run["launches"] == (300 if variant == "classic" else 120), device


def test_every_shipped_case_is_in_the_list(source):
    assert {file.stem for file in (source / "configs/jacobi").glob("*.yaml")} == CASES.keys()
