"""Problems that are too large: row 5 of the list of faults."""

import re
import resource
import shutil

import pytest


UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
MEMORY = r"([\d.]+) (bytes|KiB|MiB|GiB)"


def bytes_of(number, unit):
    return float(number) * UNITS[unit]


def needed_and_had(text):
    found = re.search(f"needs {MEMORY} of host memory and {MEMORY} can be had", text)
    assert found, text
    return bytes_of(*found.groups()[:2]), bytes_of(*found.groups()[2:])


def refused(result, tmp_path):
    assert result.returncode == 3, result.stderr
    assert not (tmp_path / "result").exists()
    return result.stderr


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_nodes_than_there_can_be(quoin, case, tmp_path, command):
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[4294967296, 4294967296]"), tmp_path)
    assert text.count("4294967296") >= 2 and "allowed" in text


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_host_has(quoin, case, tmp_path, command):
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[2147483648, 2147483648]"), tmp_path)
    needed, had = needed_and_had(text)
    assert needed > had > 0


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_process_may_have(quoin, case, tmp_path, command):
    limit = 2**30
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[16384, 16384]",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))), tmp_path)
    needed, had = needed_and_had(text)
    assert needed >= 16384**2 * 8 and had <= limit


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_device_has(quoin, case, build, tmp_path, command):
    (tmp_path / "plugins").mkdir(mode=0o755)
    shutil.copy(build / "tests/framework/fakes/good.so", tmp_path / "plugins")
    result = quoin(command, case, "--plugin-dir", "plugins", "--backend", "good:beta")
    assert result.returncode == 7, result.stderr
    found = re.search(f"Fake Beta: the run needs {MEMORY} of device memory and the device has 1000 bytes; "
                      "make the problem smaller or choose another device", result.stderr)
    assert bytes_of(*found.groups()) > 3 * 30 * 20 * 8 and not (tmp_path / "result").exists()
    result = quoin(command, case, "--plugin-dir", "plugins", "--set", "backend=[good, serial]")
    assert result.returncode == 0 and "the backend 'good' is not used: the run needs" in result.stderr, result.stderr


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_arrays_that_a_device_has_in_the_hosts_memory(quoin, case, build, tmp_path, command):
    """They are held against what the host has, not against the device's 1000 bytes."""
    (tmp_path / "plugins").mkdir(mode=0o755)
    shutil.copy(build / "tests/framework/fakes/good.so", tmp_path / "plugins")
    limit = 2**31

    def call(nodes):
        return quoin(command, case, "--plugin-dir", "plugins", "--set", "backend={name: good, memory: zero_copy}",
                     "--set", f"problem.grid.nodes=[{nodes}, {nodes}]",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    needed, had = needed_and_had(refused(call(12288), tmp_path))
    assert needed >= 2 * 12288**2 * 8 and had <= limit
    result = call(30)
    assert result.returncode == 7 and "the backend has no kernel" in result.stderr, result.stderr


GENERATED = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [5, 3], shape: tri}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25"
method: {order: 1, final_time: 0.1}
output: {directory: result}
"""
FROM_FILE = GENERATED.replace("cells: [5, 3], shape: tri", "type: gmsh, file: mesh.msh").replace(
    "  domain: {x: [-1, 1], y: [-1, 1]}\n", "")
# Some 500 million cells.
LARGE = [(GENERATED, "problem.mesh.refine=12"), (GENERATED, "problem.mesh.cells=[16000, 16000]"),
         (FROM_FILE, "problem.mesh.refine=11")]


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("text, change", LARGE, ids=["refined", "rectangle", "from a file"])
def test_a_mesh_that_does_not_fit_is_not_made(quoin, source, tmp_path, command, text, change):
    """It is counted and refused; were it made, memory would run out, and that is exit 7."""
    (tmp_path / "case.yaml").write_text(text)
    shutil.copy(source / "configs/dgcvs/meshes/tri-burgers-10.msh", tmp_path / "mesh.msh")
    limit = 4 * 2**30
    result = quoin(command, "case.yaml", "--set", change,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    needed, had = needed_and_had(refused(result, tmp_path))
    assert needed > 200 * 2**30 and had <= limit
