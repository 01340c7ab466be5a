"""Which device the openmp backend takes, and what it refuses: target regions that would run on the host, and keys that
a device has no use for."""

import json
import os

import pytest


# The OpenMP runtime keeps what it allocates until the process ends.
ENVIRONMENT = os.environ | {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0"}


@pytest.fixture
def conformance(quoin, build):
    plugin = build / "lib" / "quoin" / "plugins" / "openmp.so"

    def call(device, *arguments, **environment):
        return quoin("conformance", f"{plugin}:{device}", *arguments,
                     env=ENVIRONMENT | environment)

    return call


@pytest.fixture
def taken(quoin, case, tmp_path):
    """taken("openmp"): the device that a run takes, in its log and its summary."""

    def call(backend, **environment):
        result = quoin("run", case, "--backend", backend, env=ENVIRONMENT | environment)
        assert result.returncode == 0 and "OMP:" not in result.stderr and "KMP" not in result.stderr, result.stderr
        device = json.loads((tmp_path / "result/summary.json").read_text())["device"]
        assert f"jacobi on openmp ({device})" in (tmp_path / "result/run.log").read_text()
        return device

    return call


def test_who_names_no_device_gets_a_gpu_or_else_the_hosts_threads(quoin, taken):
    listed = json.loads(quoin("list", "--json").stdout)["backends"]
    devices = next(backend["devices"] for backend in listed if backend["name"] == "openmp")
    kinds = [("threads" in device["name"], "x86-64" in device["name"]) for device in devices]
    assert kinds == sorted(kinds, key=lambda kind: (kind[0] or kind[1], kind[1]))  # GPUs, threads, offload to the host
    assert taken("openmp") == devices[0]["name"]


def test_without_a_gpu_it_is_the_hosts_threads(taken):
    hidden = {"CUDA_VISIBLE_DEVICES": "-1", "ROCR_VISIBLE_DEVICES": "", "HIP_VISIBLE_DEVICES": "-1"}
    assert taken("openmp", **hidden).startswith("host threads")


def test_offload_to_the_host_is_for_those_who_name_it(taken):
    assert taken("openmp:x86-64") == "x86-64 offload 0"


@pytest.mark.parametrize("device, opens", [("host", False), ("x86-64", True)])
def test_the_runtime_for_offload_devices_is_opened_for_them_alone(taken, tmp_path, device, opens):
    """It brings the whole of LLVM."""
    taken(f"openmp:{device}", LD_DEBUG="files", LD_DEBUG_OUTPUT=str(tmp_path / "opened"))
    processes = [file.read_text(errors="replace") for file in tmp_path.glob("opened.*")]
    probe = [text for text in processes if "quoin-probe" in text]
    assert len(processes) == 2 and len(probe) == 1
    for text in processes:
        assert "openmp.so" in text and ("libomptarget" in text) == opens


def test_a_gpu_that_is_named_is_not_replaced(quoin, case, tmp_path):
    result = quoin("run", case, "--backend", "openmp:gpu", env=ENVIRONMENT | {"OMP_TARGET_OFFLOAD": "DISABLED"})
    assert result.returncode == 7 and "has no device 'gpu'; it has: 0 (host threads" in result.stderr
    assert not (tmp_path / "result").exists()


@pytest.mark.row(22)
def test_a_region_on_the_host_is_an_error(conformance):
    result = conformance(1, OMP_TARGET_OFFLOAD="DISABLED")
    assert result.returncode == 7
    assert "would run on the host" in result.stderr and "OMP_TARGET_OFFLOAD" in result.stderr


def test_mandatory_offloading_is_the_usual_case(conformance):
    result = conformance("x86-64", OMP_TARGET_OFFLOAD="MANDATORY")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("device, setting", [("host", "data=per_kernel"), ("x86-64", "threads=2"),
                                             ("x86-64", "data=elsewhere"), ("host", "threads=some")])
def test_a_key_without_meaning_is_refused(conformance, device, setting):
    result = conformance(device, "--set", setting)
    assert result.returncode == 3
    assert setting.replace("=", ": ") in result.stderr


def test_data_that_are_mapped_around_each_kernel_are_in_one_kind_of_memory(quoin, case, tmp_path):
    mapped = "name: openmp, device: x86-64, data: per_kernel"
    for kind in ("shared_atomic", "shared_coarse", "zero_copy", "pinned"):
        done = quoin("run", case, "--set", f"backend={{{mapped}, memory: {kind}}}", env=ENVIRONMENT)
        assert done.returncode == 7 and f"no memory of the kind {kind}; it has: device\n" in done.stderr, done.stderr
    done = quoin("run", case, "--set", f"backend=[{{{mapped}, memory: zero_copy}}, serial]", env=ENVIRONMENT)
    assert done.returncode == 0 and json.loads((tmp_path / "result/summary.json").read_text())["backend"] == "serial"
