"""What the openmp backend refuses: target regions that would run on the host, and keys that a device has no use for."""

import os

import pytest


@pytest.fixture
def conformance(quoin, build):
    plugin = build / "lib" / "quoin" / "plugins" / "openmp.so"

    def call(device, *arguments, **environment):
        return quoin("conformance", f"{plugin}:{device}", *arguments,
                     env=os.environ | {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0"} | environment)

    return call


@pytest.mark.row(22)
def test_a_region_on_the_host_is_an_error(conformance):
    result = conformance(0, OMP_TARGET_OFFLOAD="DISABLED")
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
