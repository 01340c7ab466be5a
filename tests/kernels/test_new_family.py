"""A new map kernel, block sum and list sum are one folder, with what they must give: nothing else of the project changes."""

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
    assert changed == [f"Only in {kernels}: vector"]
    assert {file.name for file in (kernels / "vector").iterdir()} == {"kernels.h", "bodies.h", "oracle.cpp"}

    build = tmp_path / "build"
    cmake = os.environ["QUOIN_CMAKE"]
    subprocess.run([cmake, "-S", HERE, "-B", build, f"-DSOURCE={SOURCE}", f"-DKERNELS={kernels}"], check=True)

    def conformance():
        subprocess.run([cmake, "--build", build, "-j2"], check=True)
        finished = subprocess.run([build / "conformance"], stdout=subprocess.PIPE, text=True, check=False)
        return finished.returncode, [line.partition(":")[0] for line in finished.stdout.splitlines()]

    names = [f"{kernel} {precision}" for kernel in ("axpy", "dot_blocks", "mean") for precision in ("double", "float")]
    assert conformance() == (0, [f"{name} passed" for name in names])
    subprocess.run([build / "family"], check=True)

    # An oracle that says something else is no kernel: the checks fail, and the kernels' hash stays.
    hash_of_kernels = (build / "generated/quoin/kernels_hash.h").read_text()
    oracle = kernels / "vector" / "oracle.cpp"
    oracle.write_text('#include "kernels/vector/oracle_sign.hpp"\n' + oracle.read_text().replace("fma(a,", "fma(sign * a,"))
    oracle.with_name("oracle_sign.hpp").write_text("constexpr int sign = -1;\n")
    assert conformance() == (1, [f"{name} {'FAILED' if name.startswith('axpy') else 'passed'}" for name in names])
    assert (build / "generated/quoin/kernels_hash.h").read_text() == hash_of_kernels
