"""A new map kernel, block sum and list sum are one folder: nothing else of the project changes."""

import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent / "family"
SOURCE = HERE.parents[2]


def test_a_folder_is_all_that_a_new_family_needs(tmp_path):
    kernels = tmp_path / "framework" / "kernels"
    shutil.copytree(SOURCE / "framework" / "kernels", kernels)
    shutil.copytree(HERE / "vector", kernels / "vector")
    changed = subprocess.run(["diff", "-rq", SOURCE / "framework" / "kernels", kernels], capture_output=True, text=True,
                             check=False).stdout.splitlines()
    assert changed == [f"Only in {kernels}: vector"] and len(list((kernels / "vector").iterdir())) == 2

    build = tmp_path / "build"
    cmake = os.environ["QUOIN_CMAKE"]
    subprocess.run([cmake, "-S", HERE, "-B", build, f"-DSOURCE={SOURCE}", f"-DKERNELS={kernels}"], check=True)
    subprocess.run([cmake, "--build", build, "-j2"], check=True)
    subprocess.run([build / "family"], check=True)
