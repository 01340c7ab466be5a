"""`backend.memory`: the arrays of a run in each kind of memory that a device has."""

import json
import subprocess

import pytest
from conftest import summary

KINDS = ["device", "pinned", "zero_copy", "shared_coarse", "shared_fine", "shared_atomic"]
FLOW = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [6, 5], shape: tri}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.5 + 0.2*sin(2*pi*(x+y))"
method: {order: 2, final_time: 0.05}
backend: serial
output: {directory: result}
"""
FIELD = 30 * 20 * 8  # bytes of the small case's interior


@pytest.fixture(scope="module")
def devices(build):
    """The kinds that each device lists, by backend and name."""
    listed = subprocess.run([build / "bin/quoin", "list", "devices", "--json"], capture_output=True, text=True,
                            check=True, timeout=120).stdout
    return {(row["backend"], row["name"]): row["memories"] for row in json.loads(listed)["devices"]}


def found(quoin, tmp_path, case, backend, kind):
    done = quoin("run", case, "--set", f"backend={{{backend}, memory: {kind}}}", "--force")
    assert done.returncode == 0, done.stderr
    facts = summary(tmp_path / "result")
    assert (f"arrays in {kind} memory" in facts["device"]) == (kind != "device")
    return facts


@pytest.mark.parametrize("backend, device", [("serial", ""), ("check", ""), ("openmp", "host threads"),
                                             ("openmp", "x86-64"), ("opencl", "PoCL")])
def test_each_kind_has_the_same_bits(quoin, tmp_path, case, devices, backend, device):
    kinds = next((kinds for (name, text), kinds in devices.items() if name == backend and device in text), None)
    if kinds is None:
        pytest.skip(f"{backend} has no device {device} here")
    if backend == "check":
        kinds = kinds[:2]  # it does the same for each, and slowly
    flow = tmp_path / "flow.yaml"
    flow.write_text(FLOW)
    case.write_text(case.read_text().replace("20000", "60, stop: iterations"))
    chosen = f"name: {backend}, device: '{device.lower() or 0}'"
    for file in (case, flow):
        bits = {kind: found(quoin, tmp_path, file, chosen, kind) for kind in kinds}
        assert len({(facts["field_sha256"], facts["history_sha256"]) for facts in bits.values()}) == 1
    assert "device" in kinds and set(kinds) <= set(KINDS)
    if backend in ("serial", "openmp", "opencl"):
        assert set(kinds) >= {"device", "pinned", "zero_copy"}


def test_kinds_are_listed_beside_the_device(quoin):
    listed = quoin("list").stdout
    assert "one core" in listed and "     memory: device, pinned, shared_coarse, shared_fine" in listed


def test_a_kind_that_a_device_lacks_is_refused_with_those_that_it_has(quoin, tmp_path, case):
    done = quoin("run", case, "--set", "backend={name: worker, memory: shared_fine}")
    assert done.returncode == 7
    assert "has no memory of the kind shared_fine" in done.stderr and "it has: device" in done.stderr, done.stderr
    done = quoin("run", case, "--set", "backend=[{name: worker, memory: pinned}, serial]")
    assert done.returncode == 0 and "no memory of the kind pinned" in done.stderr, done.stderr
    assert summary(tmp_path / "result")["backend"] == "serial"


def test_a_kind_that_there_is_not_is_a_mistake_of_the_case(quoin, case):
    done = quoin("run", case, "--set", "backend={name: serial, memory: pined}")
    assert done.returncode == 3 and "did you mean 'pinned'" in done.stderr, done.stderr


def test_the_host_copies_nothing_that_it_can_look_at(quoin, tmp_path, case):
    """A field comes and goes without a copy where host and device share memory; worker's is its own."""
    copied = {}
    for backend in ("serial", "worker"):
        assert quoin("run", case, "--backend", backend, "--force").returncode == 0
        copied[backend] = summary(tmp_path / "result")["copied_bytes"]
    assert copied["worker"]["to_device"] - copied["serial"]["to_device"] >= FIELD, copied
    assert copied["worker"]["from_device"] - copied["serial"]["from_device"] >= FIELD, copied


def test_a_start_from_zero_is_loaded_once(quoin, tmp_path, case):
    """For the residual of a zero field, which the tolerance is a share of, and for the start, which is the same field."""
    copied = {}
    for initial in ("0", "0*x"):
        done = quoin("run", case, "--backend", "worker", "--force", "--set", f"problem.initial={initial}",
                     "--set", "method={relative_tolerance: 0.5, max_iterations: 1000}")
        assert done.returncode == 0, done.stderr
        copied[initial] = summary(tmp_path / "result")["copied_bytes"]["to_device"]
    assert copied["0*x"] - copied["0"] >= 2 * FIELD, copied
