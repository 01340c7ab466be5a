"""The Debian packages: what is in them, and that the program runs from them."""

import os
import re
import subprocess

import pytest

PLUGINS = {"serial", "openmp", "opencl", "hip", "mpi"}


def run(*arguments, **options):
    result = subprocess.run([*map(str, arguments)], text=True, capture_output=True, timeout=300, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def packages(build, tmp_path_factory):
    """Each package's file by its name, packed by a method that takes less time than theirs."""
    folder = tmp_path_factory.mktemp("packages")
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
    return {file.name.split("_")[0]: file for file in folder.glob("*.deb")}


@pytest.fixture(scope="module")
def root(packages, tmp_path_factory):
    """Where all of them are unpacked."""
    folder = tmp_path_factory.mktemp("root")
    for file in packages.values():
        run("dpkg-deb", "-x", file, folder)
    return folder


def fields(file):
    return dict(re.findall(r"^([A-Z][A-Za-z-]+): (.*)$", run("dpkg-deb", "-f", file), re.M))


def test_every_plugin_that_is_built_has_a_package(packages, build):
    built = {file.stem for file in (build / "lib/quoin/plugins").glob("*.so")} & PLUGINS
    assert set(packages) == {"quoin", "quoin-dev", "python3-quoin"} | {f"quoin-{name}" for name in built}


def test_packages_ask_for_what_they_use(packages):
    version = fields(packages["quoin"])["Version"]
    for name, file in packages.items():
        control = fields(file)
        assert control["Package"] == name and control["Version"] == version
        assert name == "quoin" or f"quoin (= {version})" in control["Depends"]
    assert "libyaml-cpp0.7" in fields(packages["quoin"])["Depends"]
    assert fields(packages["quoin"])["Recommends"] == "quoin-serial"
    if "quoin-opencl" in packages:
        assert "ocl-icd-libopencl1" in fields(packages["quoin-opencl"])["Depends"]


def test_every_installed_file_is_in_one_package(packages, build, tmp_path):
    run(os.environ["QUOIN_CMAKE"], "--install", build, "--prefix", tmp_path)
    installed = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if not file.is_dir()}
    of_developers = {f"lib/quoin/plugins/{file.name}" for file in (tmp_path / "lib/quoin/plugins").iterdir()
                     if file.stem not in PLUGINS}
    packed = []
    for name, file in packages.items():
        files = re.findall(r"^[-l]\S+ .* \./usr/(.+?)(?: -> .*)?$", run("dpkg-deb", "-c", file), re.M)
        for wanted in ["copyright", "changelog.gz"]:
            files.remove(f"share/doc/{name}/{wanted}")
        packed += [re.sub(r"(\.1)\.gz$", r"\1", one) for one in files if not one.startswith("share/lintian/")]
    assert sorted(packed) == sorted(installed - of_developers)


def test_the_program_runs_from_them(root, tmp_path):
    program = root / "usr/bin/quoin"
    assert "serial" in run(program, "list")
    run(program, "run", root / "usr/share/quoin/configs/jacobi/poisson-multigrid.yaml", "--backend", "serial",
        "--set", "problem.grid.nodes=[63,63]", cwd=tmp_path)
    assert (tmp_path / "results/poisson-multigrid/summary.json").exists()


def test_python_runs_from_them(packages, root, tmp_path):
    control = fields(packages["python3-quoin"])
    assert control["Architecture"] == "all" and {"python3-numpy", "python3-h5py"} < set(control["Depends"].split(", "))
    package = root / "usr/lib/python3/dist-packages"
    script = "import quoin; run = quoin.run(%r, {'problem.grid.nodes': [63, 63]}, backend='serial'); " \
             "print(quoin.__file__, quoin.__version__, run['u'].shape)" % str(
                 root / "usr/share/quoin/configs/jacobi/poisson-multigrid.yaml")
    environment = os.environ | {"PYTHONPATH": str(package), "QUOIN": str(root / "usr/bin/quoin")}
    said = run("/usr/bin/python3", "-B", "-c", script, cwd=tmp_path, env=environment)
    assert said == f"{package}/quoin/__init__.py {control['Version']} (65, 65)\n"


def test_objects_have_no_needless_symbols(root):
    for file in [root / "usr/bin/quoin", *(root / "usr/lib").rglob("*.so*")]:
        if not file.is_symlink():
            assert "no symbols" in run("sh", "-c", f"nm '{file}' 2>&1"), file
