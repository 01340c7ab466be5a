"""The figures of the README are those of the result files that the program wrote."""

import json
import os
import pathlib
import re

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])
KERNELS = ["jacobi_laplacian", "jacobi_boundary", "jacobi_update", "jacobi_norm", "residual_norm"]
NAMES = {"`hip`": "hip", "`opencl`": "opencl:nvidia", "`openmp`, data resident": "openmp:NVIDIA",
         "`openmp`, data mapped per kernel": "{name: openmp, device: NVIDIA, data: per_kernel}"}


def test_the_seeds_kernels():
    runs = {run["requested"]: run for run in
            json.loads((SOURCE / "apps/bench/results/h100-seed-4096-classic.json").read_text())["runs"]}
    table = re.findall(r"^\| (`\w+`[^|]*?) \|((?: [\d.]+ \|){6})$", (SOURCE / "README.md").read_text(), re.M)
    assert {row[0] for row in table} == NAMES.keys()
    for name, figures in table:
        run = runs[NAMES[name]]
        kernels = {kernel["name"]: kernel["us_per_iteration"] for kernel in run["kernels"]}
        expected = [kernels[kernel] for kernel in KERNELS] + [run["us_per_iteration"]]
        assert figures.replace(" ", "").split("|")[:-1] == [f"{value:.1f}" for value in expected], name


def test_the_variants_on_a_gpu():
    found = {}
    for variant in ("classic", "fused", "blocked"):
        text = (SOURCE / f"apps/bench/results/h100-poisson-4096-{variant}.json").read_text()
        (found[variant],) = [run for run in json.loads(text)["runs"] if run["requested"] == "hip"]
        assert f"method.variant={variant} " in found[variant]["command_line"]
    assert len({(run["field_sha256"], run["history_sha256"], run["versions"]["commit"]) for run in found.values()}) == 1
    times = {variant: run["us_per_iteration"] for variant, run in found.items()}
    expected = [(variant, f"{time:.1f}", f"{times['classic'] / time:.1f}") for variant, time in times.items()]
    assert re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|$", (SOURCE / "README.md").read_text(), re.M) == expected


def test_the_bits():
    files = sorted((SOURCE / "apps/bench/results").glob("h100-bits-*.json"))
    assert len(files) == 6
    for file in files:
        runs = json.loads(file.read_text())["runs"]
        assert len(runs) == 7 and all(run["same_bits"] for run in runs), file.name


def test_the_cases_of_dgcvs():
    cases = json.loads((SOURCE / "apps/bench/results/h100-dgcvs-cases.json").read_text())["cases"]
    assert len(cases) == 24 and all(row["same_fields"] for case in cases for row in case["backends"])
    ratios = {pathlib.Path(case["case"]).stem: case["backends"][1]["loop_speed_ratio"] for case in cases}
    table = re.findall(r"^\| `([\w-]+)` \|((?: [\d.]+ \|){3})$", (SOURCE / "README.md").read_text(), re.M)
    assert len(table) == 8
    for name, figures in table:
        expected = [f"{ratios[f'{name}-{level}']:.1f}" for level in (10, 20, 40)]
        assert figures.replace(" ", "").split("|")[:-1] == expected, name


def test_the_large_mesh_of_dgcvs():
    (case,) = json.loads((SOURCE / "apps/bench/results/h100-dgcvs-2048.json").read_text())["cases"]
    rates = [f"{row['nominal_gflops'] / 1000:.1f}" for row in case["backends"]]
    assert all(row["same_fields"] for row in case["backends"])
    text = (SOURCE / "README.md").read_text()
    assert re.search(r"does {} TFLOP/s .*\n?`hip`, {} with `opencl` and {} with".format(*rates), text)
