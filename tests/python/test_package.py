"""The package itself: its types, and the wheel that pip makes of it."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest
from conftest import BUILD, SMALL, SOURCE

# What people write who have their own types checked.
USER = """\
from typing import Any

import numpy as np
import quoin

run: quoin.Run = quoin.run("case.yaml", {"method.order": 3}, progress=lambda progress: print(progress.residual))
field: np.ndarray[Any, Any] = run["u"]
times: list[float | None] = [frame.time for frame in run.frames[1:]]
reveal_type(quoin.sweep("case.yaml", {"method.order": [1, 2]}).runs[0].history)
run.status = "converged"
quoin.run("case.yaml", sett={})
"""


def python(*words, program="/usr/bin/python3", code=0, **options):
    done = subprocess.run([program, *map(str, words)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=300, **options)
    assert done.returncode == code, done.stdout
    return done.stdout


@pytest.fixture
def sources(tmp_path):
    """A copy, for setuptools builds where the sources are."""
    return shutil.copytree(SOURCE / "apps/python", tmp_path / "sources", ignore=shutil.ignore_patterns("__pycache__"))


def test_types(sources, tmp_path):
    (tmp_path / "user.py").write_text(USER)
    said = python("-m", "mypy", "--strict", "--cache-dir", tmp_path, "user.py", cwd=tmp_path, code=1,
                  env=os.environ | {"MYPYPATH": str(sources)})
    lines = [line for line in said.splitlines()[:-1] if "defined here" not in line]  # also those of the package
    assert len(lines) == 3 and "Revealed type is \"numpy.ndarray" in lines[0], said
    assert '"status"' in lines[1] and '"sett"' in lines[2]


def test_a_wheel(sources, tmp_path):
    python("-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", tmp_path, sources)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("quoin/")}
    assert names == {f"quoin/{file.name}" for file in (SOURCE / "apps/python/quoin").iterdir() if file.is_file()}
    python("-m", "venv", "--system-site-packages", tmp_path / "venv")
    inside = tmp_path / "venv/bin/python"
    python("-m", "pip", "install", "--no-index", "--no-deps", wheel, program=inside)
    script = f"import quoin; print(quoin.__file__); print(quoin.run({SMALL!r})['u'][-1, -1], quoin.__version__)"
    environment = os.environ | {"PATH": f"{BUILD.resolve() / 'bin'}:{os.environ['PATH']}"}
    said = python("-c", script, program=inside, cwd=tmp_path, env=environment).splitlines()
    version = subprocess.run([BUILD.resolve() / "bin/quoin", "--version"], capture_output=True, text=True, check=True).stdout
    assert said[0].startswith(str(tmp_path / "venv")) and said[1] == f"7.0 {version.split()[1]}"
    metadata = python("-m", "pip", "show", "quoin", program=inside)
    assert f"Version: {version.split()[1]}" in metadata and "Requires: h5py, numpy" in metadata


def test_the_names_that_are_promised():
    """Each is there, and says what it is."""
    import package

    for name in package.quoin.__all__:
        thing = getattr(package.quoin, name)
        assert thing.__doc__ and thing.__module__.startswith("quoin."), name
    public = {name for name in vars(package.quoin) if name[0] != "_"}
    assert public == set(package.quoin.__all__) | {name for name in public if f"quoin.{name}" in sys.modules}
