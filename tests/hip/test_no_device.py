"""The hip backend where no device can be used: a reason, exit 7, and never another backend unasked."""

import json

import pytest

# Hides devices from both runtimes, so that this is tested on machines with one, too.
HIDDEN = {"HIP_VISIBLE_DEVICES": "-1", "CUDA_VISIBLE_DEVICES": "-1"}


@pytest.fixture(autouse=True)
def without_devices(monkeypatch):
    for name, value in HIDDEN.items():
        monkeypatch.setenv(name, value)


@pytest.mark.row(22)
def test_list_gives_the_reason(quoin):
    result = quoin("list", "backends", "--json")
    assert result.returncode == 0, result.stderr
    (hip,) = [backend for backend in json.loads(result.stdout)["backends"] if backend["name"] == "hip"]
    assert not hip["usable"]
    assert "no GPU can be used" in hip["reason"] and "compiled" in hip["reason"]


@pytest.mark.row(22)
def test_a_run_exits_with_7(quoin, case):
    result = quoin("run", case, "--backend", "hip")
    assert result.returncode == 7
    assert "no GPU can be used" in result.stderr


@pytest.mark.row(22)
def test_a_list_falls_back_and_says_so(quoin, case, tmp_path):
    result = quoin("run", case, "--set", "backend=[hip, serial]")
    assert result.returncode == 0, result.stderr
    assert "no GPU can be used" in result.stderr
    assert json.loads((tmp_path / "result" / "summary.json").read_text())["backend"] == "serial"
