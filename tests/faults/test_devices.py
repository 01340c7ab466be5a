"""Devices that fail: rows 20 to 22 and 27 of the list of faults. The backend `fault` fails on request."""

import json
import os
import signal
import subprocess
import time

import pytest
from conftest import summary

# Backends, what keeps their devices from being used, and what a user reads. It is hidden from the drivers, so that this
# is tested on machines with devices, too.
HIDDEN = [("hip", {"HIP_VISIBLE_DEVICES": "-1", "CUDA_VISIBLE_DEVICES": "-1"}, "no GPU can be used"),
          ("opencl", {"OCL_ICD_VENDORS": "/nonexistent"}, "no OpenCL platform"),
          ("openmp:1", {"OMP_TARGET_OFFLOAD": "DISABLED"}, "would run on the host"),
          ("openmp:gpu", {"OMP_TARGET_OFFLOAD": "DISABLED"}, "has no device 'gpu'"),
          ("openmp:nonesuch", {}, "has no device 'nonesuch'"),
          ("serial:7", {}, "has no device '7'")]


def run(quoin, case, call, fault, at=1, **more):
    backend = f"{{name: fault, call: {call}, at: {at}, fault: {fault}}}"
    settings = [f"{key}={value}" for key, value in more.items()]
    return quoin("run", case, "--set", f"backend={backend}", *[word for s in settings for word in ("--set", s)])


def test_without_a_fault_it_gives_the_bits_of_serial(quoin, case, tmp_path):
    assert run(quoin, case, "launch", "none").returncode == 0
    mine = summary(tmp_path / "result")
    assert quoin("run", case, "--output", "serial").returncode == 0
    other = json.loads((tmp_path / "serial" / "summary.json").read_text())
    for key in ["field_sha256", "history_sha256", "iterations"]:
        assert mine[key] == other[key]


@pytest.mark.row(20)
@pytest.mark.parametrize("at", [1, 2, 5])
def test_out_of_device_memory(quoin, case, tmp_path, at):
    result = run(quoin, case, "allocate", "memory", at)
    assert result.returncode == 7, result.stderr
    assert "asked for, 0 bytes free" in result.stderr
    assert [file.name for file in (tmp_path / "result").iterdir() if file.name != "files.txt"] == ["summary.json"]  # there was nothing else to keep
    assert (summary(tmp_path / "result")["status"], summary(tmp_path / "result")["exit_code"]) == ("failed", 7)


def test_a_failure_before_the_run_spares_the_results_of_another(quoin, case, tmp_path):
    assert quoin("run", case).returncode == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "result").iterdir()}
    assert quoin("run", case, "--force", "--set", "backend={name: fault, call: allocate, fault: memory}").returncode == 7
    assert {file.name: file.read_bytes() for file in (tmp_path / "result").iterdir()} == before


@pytest.mark.row(21)
@pytest.mark.parametrize("call", ["queue", "event", "kernel", "copy_in", "launch", "synchronize", "copy_out"])
def test_a_call_that_fails(quoin, case, call):
    result = run(quoin, case, call, "throw")
    assert result.returncode == 7, result.stderr
    assert f"call 1 of {call} failed" in result.stderr and "fault.so" in result.stderr


@pytest.mark.row(21)
def test_a_device_that_is_lost_in_the_middle(quoin, case, tmp_path):
    result = run(quoin, case, "launch", "lost", 500)
    assert result.returncode == 7, result.stderr
    assert "the device was lost" in result.stderr
    facts = summary(tmp_path / "result")
    assert (facts["status"], facts["exit_code"]) == ("failed", 7)
    rows = (tmp_path / "result" / "history.csv").read_text().splitlines()
    assert rows[0] == "iteration,residual" and len(rows) - 2 == facts["iterations"] > 0


@pytest.mark.row(21)
def test_a_device_that_hangs_in_the_middle(quoin, case, tmp_path):
    result = run(quoin, case, "launch", "hang", 500, **{"run.watchdog": 0.5})
    assert result.returncode == 7, result.stderr
    assert "did not answer for 0.5 s" in result.stderr
    facts = summary(tmp_path / "result")
    assert (facts["status"], facts["exit_code"]) == ("failed", 7)
    assert "iteration" in facts["message"]


@pytest.mark.row(21)
@pytest.mark.parametrize("call, at, set_up", [("launch", 500, True), ("allocate", 2, False)])
@pytest.mark.parametrize("name, code", [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_run_that_hangs_ends_soon_after_the_second_signal(build, case, tmp_path, call, at, set_up, name, code):
    backend = f"backend={{name: fault, call: {call}, at: {at}, fault: hang}}"
    run = subprocess.Popen([build / "bin/quoin", "run", case, "--set", backend, "--set", "run.grace=0.2", "--set",
                            "run.watchdog=0"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    seen = ""
    while f"call {at} of {call} hangs" not in seen:
        assert (line := run.stderr.readline()), seen
        seen += line
    while run.poll() is None:  # the first is only noted, and more than two change nothing
        run.send_signal(getattr(signal, name))
        time.sleep(0.05)
    words = "did not answer for 0.2 s after the second signal (run.grace)"
    assert run.returncode == code and words in run.stderr.read()
    if set_up:
        facts = summary(tmp_path / "result")
        assert (facts["status"], facts["exit_code"]) == ("interrupted", code) and words in facts["message"]
    else:
        assert not (tmp_path / "result").exists()


@pytest.mark.row(27)
def test_a_number_that_is_spoilt(quoin, case, tmp_path):
    result = run(quoin, case, "launch", "nan", 226)  # the fused sweep of iteration 151
    assert result.returncode == 5, result.stderr
    facts = summary(tmp_path / "result")
    assert facts["status"] == "diverged" and facts["iterations"] in (151, 152)
    assert f"iteration {facts['iterations']}" in result.stderr
    assert "around node (0, 0) at x = 0.0967742, y = 0.0952381" in result.stderr


@pytest.mark.row(22)
@pytest.mark.parametrize("backend, environment, words", HIDDEN)
def test_no_device(quoin, case, tmp_path, backend, environment, words):
    environment = {**os.environ, **environment}
    name, _, device = backend.partition(":")
    strict = quoin("run", case, "--backend", backend, env=environment)
    if f"there is no backend '{name}'" in strict.stderr:
        pytest.skip(f"no device: the backend {name} is not built")
    assert strict.returncode == 7 and words in strict.stderr, strict.stderr
    assert not (tmp_path / "result/u.vti").exists()  # no other device took its place
    first = f"{{name: {name}, device: {device}}}" if device else name
    result = quoin("run", case, "--set", f"backend=[{first}, {{name: fault}}]", "--force", env=environment)
    assert result.returncode == 0, result.stderr
    assert f"the backend '{name}' is not used: " in result.stderr and words in result.stderr
    assert summary(tmp_path / "result")["backend"] == "fault"


@pytest.mark.row(22)
def test_the_next_backend_takes_over(quoin, case, tmp_path):
    result = quoin("run", case, "--set", "backend=[{name: nonesuch}, serial]")
    assert result.returncode == 0, result.stderr
    assert "nonesuch" in result.stderr
    assert summary(tmp_path / "result")["backend"] == "serial"


def test_a_traced_run_leaves_its_timeline(quoin, case, tmp_path):
    assert quoin("run", case, "--set", "run.trace=true", "--set", "method.max_iterations=5", "--set",
                 "method.stop=iterations", "--set", "method.variant=fused").returncode == 0
    events = json.loads((tmp_path / "result" / "trace.json").read_text())["traceEvents"]
    spans = [event for event in events if event["ph"] == "X"]
    kernels = [event for event in spans if event["cat"] == "kernel"]
    assert sum(event["name"] == "jacobi_sweeps" for event in kernels) == 5
    assert {event["cat"] for event in spans} >= {"kernel", "copy in", "copy out"}
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in spans)
