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


def test_the_bits():
    files = sorted((SOURCE / "apps/bench/results").glob("h100-bits-*.json"))
    assert len(files) == 6
    for file in files:
        runs = json.loads(file.read_text())["runs"]
        assert len(runs) == 7 and all(run["same_bits"] for run in runs), file.name
