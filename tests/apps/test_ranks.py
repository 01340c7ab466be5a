"""Runs on several ranks, by real mpirun."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import pytest
from conftest import BUILD, SOURCE, STARTER, needs_mpi, results, summary

pytestmark = needs_mpi

CASE = """\
problem: {type: jacobi, grid: {nodes: [70, 203]}, source: 'sin(3*x)+y', exact: 'x*y'}
method: {stop: iterations, max_iterations: 200}
backend: serial
output: {directory: result}
"""
ENDLESS = CASE.replace("max_iterations: 200", "max_iterations: 30000000")


def bits(folder):
    facts = summary(folder)
    return results(folder), [facts.get(name) for name in ("status", "iterations", "residual", "errors", "field_sha256",
                                                          "history_sha256")]


@pytest.mark.parametrize("setting", ["method.variant=classic", "method.variant=fused", "method.variant=blocked",
                                     "method.solver=chebyshev", "method.solver=multigrid",
                                     "method.precision=float"])
def test_the_files_are_those_of_one_process(quoin, tmp_path, setting):
    (tmp_path / "c.yaml").write_text(CASE)
    assert quoin("run", "c.yaml", "--set", setting, "--output", "one").returncode == 0
    for ranks in (2, 7):
        result = quoin("run", "--ranks", ranks, "c.yaml", "--set", setting, "--output", f"r{ranks}")
        assert result.returncode == 0, result.stderr
        assert result.stdout.count("results in") == 1
        assert bits(tmp_path / f"r{ranks}") == bits(tmp_path / "one")


@pytest.mark.parametrize("backend", ["openmp:host", "openmp:x86-64"])
def test_devices_without_threads_have_ranks_too(quoin, tmp_path, backend):
    if not (BUILD / "lib/quoin/plugins/openmp.so").exists():
        pytest.skip("no openmp")
    (tmp_path / "c.yaml").write_text(CASE)
    assert quoin("run", "c.yaml", "--output", "one").returncode == 0
    for ranks in (2, 3):  # with a processor each, and more than there may be
        result = quoin("run", "--ranks", ranks, "c.yaml", "--backend", backend, "--output", f"r{ranks}")
        assert result.returncode == 0, result.stderr
        assert bits(tmp_path / f"r{ranks}") == bits(tmp_path / "one")


@pytest.mark.row(40)
@pytest.mark.parametrize("change, code, words", [
    (("source: 'sin(3*x)+y'", "source: '1/(y-129/204)'"), 3, r"^quoin: error: rank \d \(\S+\): c.yaml:\d+:\d+: error: .* is inf at node"),
    (("stop: iterations", "stop: never"), 3, "c.yaml:2:16: error"),
])
def test_a_mistake_is_told_once(quoin, tmp_path, change, code, words):
    assert change[0] in CASE
    (tmp_path / "c.yaml").write_text(CASE.replace(*change))
    result = quoin("run", "--ranks", 3, "c.yaml")
    assert result.returncode == code
    assert re.search(words, result.stderr, re.M), result.stderr
    assert result.stderr.count("error: ") - result.stderr.count("quoin: error: ") == 1
    assert not (tmp_path / "result").exists()


@pytest.mark.parametrize("method", ["solver: cg, preconditioner: {type: amg}", "solver: gmres, restart: 9"])
def test_a_linear_system_has_the_files_of_one_process(quoin, tmp_path, method):
    (tmp_path / "c.yaml").write_text(
        "problem: {type: linear-system, matrix: {generator: poisson, nodes: [17, 15, 14]}, rhs: {solution: random}}\n"
        f"method: {{{method}, relative_tolerance: 1e-4}}\nbackend: serial\n")
    assert quoin("run", "c.yaml", "--output", "one").returncode == 0
    for ranks in (2, 7):
        result = quoin("run", "--ranks", ranks, "c.yaml", "--output", f"r{ranks}")
        assert result.returncode == 0, result.stderr
        assert bits(tmp_path / f"r{ranks}") == bits(tmp_path / "one")
        assert (tmp_path / f"r{ranks}/x.mtx").read_bytes() == (tmp_path / "one/x.mtx").read_bytes()


@pytest.mark.parametrize("case", ["adv-sin-p2-tri-10", "burgers-p1-quad-10-dirichlet"])
def test_a_flow_has_the_files_of_one_process(quoin, tmp_path, case):
    words = [SOURCE / f"configs/dgcvs/{case}.yaml", "--set", "method.final_time=0.2", "--set",
             "output.fields={every: 0.1, level: both}", "--set",
             "output.probes={points: [[0.3, 0.1], [0.9, 0.8]], every: 1 step}"]
    assert quoin("run", *words, "--output", "one").returncode == 0
    names = {file.name for file in (tmp_path / "one").iterdir()}
    assert {"history.csv", "cells.pvd", "vertices.pvd", "probes.csv"} <= names
    for ranks in (2, 5):
        result = quoin("run", "--ranks", ranks, *words, "--output", f"r{ranks}")
        assert result.returncode == 0, result.stderr
        assert bits(tmp_path / f"r{ranks}") == bits(tmp_path / "one")


def test_the_summary_names_the_ranks(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE)
    assert quoin("run", "c.yaml", "--output", "alone").returncode == 0
    assert quoin("run", "--ranks", 3, "c.yaml").returncode == 0
    facts = summary(tmp_path / "result")
    assert [rank["rank"] for rank in facts["ranks"]] == [0, 1, 2]
    assert all(rank["host"] and rank["backend"] == "serial" and rank["device"] for rank in facts["ranks"])
    waiting = [rank["waiting_seconds"] for rank in facts["ranks"]]
    assert all(0 < seconds <= facts["loop_seconds"] for seconds in waiting)
    assert facts["waiting_seconds"] == pytest.approx(sum(waiting) / 3)
    first, middle, last = facts["ranks"]
    assert first["collectives"] == middle["collectives"] == last["collectives"] > 0
    for name in ("messages", "bytes"):  # of ghosts, to each neighbour
        assert middle[name] == 2 * first[name] == 2 * last[name] > 0
    assert not {"ranks", "waiting_seconds"} & set(summary(tmp_path / "alone"))


def test_a_run_that_has_ended_has_nothing_left_for_its_ranks(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE)
    assert quoin("run", "--ranks", 2, "c.yaml").returncode == 0
    result = quoin("resume", "result", "--ranks", 3)
    assert result.returncode == 0 and "nothing is left to do" in result.stderr
    assert ranks_of(tmp_path) == []


@pytest.mark.row(45)
def test_ranks_that_share_a_device_need_room_for_all(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE.replace("[70, 203]", "[6000, 9000]"))
    words = ["run", "--ranks", 2, "c.yaml", "--set", "backend={name: worker, device: 0}"]
    refused = quoin(*words)
    assert refused.returncode == 7, refused.stderr
    assert len(re.findall("error: ", refused.stderr)) == 1, refused.stderr
    assert f"the ranks 0, 1 of {socket.gethostname()} share this device; together they need" in refused.stderr
    small = quoin(*words, "--set", "problem.grid.nodes=[70, 203]", "--force")
    assert small.returncode == 0, small.stderr


def test_the_trace_has_a_lane_a_rank(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE)
    assert quoin("run", "--ranks", 3, "c.yaml", "--set", "run.trace=true").returncode == 0
    events = json.loads((tmp_path / "result/trace.json").read_text())["traceEvents"]
    assert [event["args"]["name"] for event in events if event["name"] == "process_name"] == \
        [f"rank {rank} ({socket.gethostname()})" for rank in range(3)]
    for lane in (1, 2, 3):
        spans = [event for event in events if event["pid"] == lane and event["ph"] == "X"]
        assert {"jacobi_sweeps", "wait for ranks", "device to host"} <= {span["name"] for span in spans}
        assert all(0 <= span["ts"] < 6e7 for span in spans)


@pytest.mark.parametrize("more", [[], ["--set", "method.solver=multigrid"]])
def test_a_rank_has_the_memory_of_its_part(quoin, tmp_path, more):
    """No rank holds the field, though the first one writes it."""
    (tmp_path / "c.yaml").write_text(CASE + "run: {checkpoint: {end: false}}\n")
    words = ["c.yaml", "--set", "problem.grid.nodes=[4000,4000]", "--set", "method.max_iterations=2", *more]
    needs = {ranks: json.loads(quoin("check", *words, "--json", "--ranks", ranks).stdout)["estimate"] for ranks in (1, 4)}
    assert [needs[ranks]["ranks"] for ranks in (1, 4)] == [1, 4]
    field = 4000 * 4000 * 8
    assert needs[4]["host_bytes"] < needs[1]["host_bytes"] - field
    run = quoin("--quiet", "--bind-to", "none", "--oversubscribe", "-n", 4, sys.executable, "-ISc", STARTER,
                BUILD / "bin/quoin", "run", "--quiet", *words, program="mpirun",
                env=os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                                  "OMPI_MCA_orte_top_session_dir": str(tmp_path / "mpirun")})
    ended = [[int(word) for word in line.split()] for line in run.stdout.splitlines()]
    assert [code for code, used in ended] == [0, 0, 0, 0], run.stderr
    used = max(used for code, used in ended)
    assert used / 1.5 < needs[4]["host_bytes"] < used * 1.5, f"{needs[4]['host_bytes'] / 2**20:.1f}, {used / 2**20:.1f} MiB"
    assert (tmp_path / "result/u.vti").stat().st_size > field


def test_ranks_of_a_host_have_their_own_processors(quoin, tmp_path):
    allowed = len(os.sched_getaffinity(0))
    if allowed < 2:
        pytest.skip("one processor")
    (tmp_path / "c.yaml").write_text(ENDLESS.replace("serial", "openmp:host"))
    process = subprocess.Popen([BUILD / "bin/quoin", "run", "--ranks", "2", "c.yaml", "--quiet"], cwd=tmp_path)
    try:
        deadline = time.monotonic() + 60
        masks = []
        while len(masks) < 2 or set.intersection(*masks):
            assert time.monotonic() < deadline and process.poll() is None, masks
            time.sleep(0.05)
            masks = [os.sched_getaffinity(pid) for pid in ranks_of(tmp_path)]
        assert len(masks) == 2 and abs(len(masks[0]) - len(masks[1])) <= 1
        assert len(set.union(*masks)) == allowed
    finally:
        process.terminate()
        process.wait(timeout=60)


def test_without_the_plugin_ranks_are_refused(quoin, tmp_path):
    shutil.copytree(BUILD / "lib/quoin/plugins", tmp_path / "plugins", ignore=shutil.ignore_patterns("mpi.so"))
    (tmp_path / "c.yaml").write_text(CASE)
    shutil.copytree(BUILD / "bin", tmp_path / "bin", ignore=lambda _, names: set(names) - {"quoin"})
    (tmp_path / "lib").mkdir()
    for file in (BUILD / "lib").glob("libquoin.so*"):
        shutil.copy(file, tmp_path / "lib", follow_symlinks=True)
    result = subprocess.run([tmp_path / "bin/quoin", "run", "c.yaml", "--plugin-dir", tmp_path / "plugins"], cwd=tmp_path,
                            text=True, capture_output=True, timeout=60,
                            env=os.environ | {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0",
                                              "LD_LIBRARY_PATH": str(tmp_path / "lib")})
    assert result.returncode == 8
    assert "libopenmpi-dev" in result.stderr and not (tmp_path / "result").exists()


def started(tmp_path, settings="run: {checkpoint: {every: 2000}}\n", **options):
    """A run that does not end by itself, and has a checkpoint."""
    (tmp_path / "c.yaml").write_text(ENDLESS + settings)
    process = subprocess.Popen([BUILD / "bin/quoin", "run", "--ranks", "3", "c.yaml", "--quiet"], cwd=tmp_path, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "result").glob("checkpoint-*.json")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    return process


@pytest.mark.row(43)
def test_a_signal_ends_the_run_with_a_checkpoint_that_goes_on(quoin, tmp_path):
    process = started(tmp_path)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 143, err
    facts = summary(tmp_path / "result")
    assert facts["status"] == "interrupted"
    more = facts["iterations"] + 100
    assert quoin("resume", "result", "--ranks", 2, "--set", f"method.max_iterations={more}").returncode == 0
    assert len(summary(tmp_path / "result")["ranks"]) == 2
    unbroken = quoin("run", "c.yaml", "--set", f"method.max_iterations={more}", "--output", "one", "--quiet")
    assert unbroken.returncode == 0
    assert summary(tmp_path / "one")["field_sha256"] == summary(tmp_path / "result")["field_sha256"]
    assert summary(tmp_path / "one")["history_sha256"] == summary(tmp_path / "result")["history_sha256"]


def ranks_of(tmp_path):
    """Their process numbers."""
    found = subprocess.run(["pgrep", "-f", f"{BUILD}/bin/quoin run c.yaml --quiet"], text=True, capture_output=True)
    ranks = []
    for pid in found.stdout.split():
        try:
            if os.readlink(f"/proc/{pid}/cwd") == str(tmp_path) and "quoin" in os.readlink(f"/proc/{pid}/exe"):
                ranks.append(int(pid))
        except OSError:  # it has ended meanwhile
            continue
    return ranks


@pytest.mark.row(41)
def test_a_rank_that_is_killed_ends_all(quoin, tmp_path):
    process = started(tmp_path)
    ranks = ranks_of(tmp_path)
    assert len(ranks) == 3
    os.kill(max(ranks), signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == 137
    more = int(max(re.findall(r"checkpoint-(\d+)", " ".join(os.listdir(tmp_path / "result"))), key=int)) + 10
    assert quoin("resume", "result", "--set", f"method.max_iterations={more}").returncode == 0


@pytest.mark.row(42)
def test_a_rank_that_does_not_answer_ends_all(tmp_path):
    process = started(tmp_path, "run: {watchdog: 2, checkpoint: {every: 2000}}\n")
    stopped = max(ranks_of(tmp_path))
    number = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", pathlib.Path(f"/proc/{stopped}/environ").read_bytes())[1].decode()
    os.kill(stopped, signal.SIGSTOP)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 7, err
    assert f"the device of rank {number} ({socket.gethostname()}) did not answer for 2 s" in err
    assert summary(tmp_path / "result")["status"] == "failed"
    assert list((tmp_path / "result").glob("checkpoint-*.json"))
    assert ranks_of(tmp_path) == []


def with_mpirun(tmp_path, script):
    """The environment where `mpirun` is this script, with the real one as $mpirun, and temporary files are in `t`."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "t").mkdir()
    program = tmp_path / "bin/mpirun"
    program.write_text(f'#!/bin/sh\nmpirun={shutil.which("mpirun")}\n{script}\n')
    program.chmod(0o755)
    return os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "TMPDIR": str(tmp_path / "t")}


# As Open MPI 4.1 does, once in some fifty runs that fail, with a lock of PMIx.
STAYS = '$mpirun "$@"\nexec sleep 1000'
ENDED = "mpirun did not end after its ranks, and was ended"


@pytest.mark.parametrize(("setting", "code"), [("method.max_iterations=200", 0), ("method.stop=tolerance", 4)])
def test_an_mpirun_that_stays_after_its_ranks_is_ended(quoin, tmp_path, setting, code):
    (tmp_path / "c.yaml").write_text(CASE)
    result = quoin("run", "--ranks", 2, "c.yaml", "--set", setting, env=with_mpirun(tmp_path, STAYS))
    assert result.returncode == code, result.stderr
    assert ENDED in result.stderr
    assert summary(tmp_path / "result")["exit_code"] == code
    assert not os.listdir(tmp_path / "t")


@pytest.mark.row(41)
def test_an_mpirun_that_stays_after_a_killed_rank_is_ended(quoin, tmp_path):
    process = started(tmp_path, env=with_mpirun(tmp_path, STAYS))
    os.kill(max(ranks_of(tmp_path)), signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 137 and ENDED in err, err
    assert not os.listdir(tmp_path / "t")


@pytest.mark.row(43)
def test_a_signal_before_the_ranks_are_there_reaches_them(tmp_path):
    (tmp_path / "c.yaml").write_text(ENDLESS)
    process = subprocess.Popen([BUILD / "bin/quoin", "run", "--ranks", "2", "c.yaml", "--quiet"], cwd=tmp_path,
                               env=with_mpirun(tmp_path, 'touch started; sleep 2; exec $mpirun "$@"'))
    while not (tmp_path / "started").exists():
        time.sleep(0.05)
    process.terminate()
    assert process.wait(timeout=60) == 143
    assert ranks_of(tmp_path) == []


def test_runs_at_the_same_time_have_session_folders_of_their_own(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE)
    told = with_mpirun(tmp_path, 'echo "$OMPI_MCA_orte_top_session_dir" >> sessions; exec $mpirun "$@"')
    for run in ("one", "two"):
        assert quoin("run", "--ranks", 2, "c.yaml", "--output", run, env=told).returncode == 0
    one, two = (tmp_path / "sessions").read_text().split()
    assert one != two and {pathlib.Path(folder).parent for folder in (one, two)} == {tmp_path / "t"}
    assert not os.listdir(tmp_path / "t")


@pytest.mark.row(44)
def test_a_disk_that_is_full_amid_the_rows_of_a_rank_ends_all(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE + "run: {checkpoint: {every: 100}}\n")
    log = tmp_path / "strace.log"
    result = quoin("-f", "--seccomp-bpf", "-qq", "-o", log, "-P", tmp_path / "result/.u.vti.part", "-P",
                   ".u.vti.part", "-e", "trace=write", "-e", "inject=write:error=ENOSPC:when=120",
                   BUILD / "bin/quoin", "run", "--ranks", 3, "c.yaml", program="strace")
    assert "(INJECTED)" in log.read_text(), result.stderr
    assert result.returncode == 6, result.stderr
    assert len(re.findall("error: .*u.vti", result.stderr)) == 1 and "No space left" in result.stderr
    assert summary(tmp_path / "result")["exit_code"] == 6
    assert not list((tmp_path / "result").glob("u.vti*")) and ranks_of(tmp_path) == []
    assert quoin("resume", "result", "--ranks", 2).returncode == 0


@pytest.mark.row(44)
def test_a_disk_that_is_full_for_a_rank_which_writes_its_part_of_a_checkpoint_ends_all(quoin, tmp_path):
    (tmp_path / "c.yaml").write_text(CASE + "run: {checkpoint: {every: 100}}\n")
    part = ".checkpoint-000000000200-u_1.bin.part"
    log = tmp_path / "strace.log"
    result = quoin("-f", "--seccomp-bpf", "-qq", "-o", log, "-P", tmp_path / "result" / part, "-P", part, "-e",
                   "trace=write", "-e", "inject=write:error=ENOSPC", BUILD / "bin/quoin", "run", "--ranks", 3, "c.yaml",
                   program="strace")
    assert "(INJECTED)" in log.read_text(), result.stderr
    assert result.returncode == 6, result.stderr
    told = r"error: rank 1 \(.*: \S*result/checkpoint-000000000200-u_1.bin: .*No space left"
    assert len(re.findall(told, result.stderr)) == 1, result.stderr
    assert summary(tmp_path / "result")["exit_code"] == 6
    assert not (tmp_path / "result" / "checkpoint-000000000200.json").exists() and ranks_of(tmp_path) == []
    assert quoin("resume", "result", "--ranks", 2).returncode == 0


FLOW = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [60, 60]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 3, final_time: 0.02}
backend: serial
run: {checkpoint: {every: 1}}
output: {directory: result, fields: {every: 0.01}}
"""


@pytest.mark.row(44)
@pytest.mark.parametrize("file, call", [("cells-000002.h5", 2), ("cells-000002.h5", 20), ("cells-000002.vtu", 1)])
def test_a_disk_that_is_full_amid_what_ranks_give_for_a_frame_ends_all(quoin, tmp_path, file, call):
    (tmp_path / "c.yaml").write_text(FLOW)
    assert quoin("run", "c.yaml", "--output", "one").returncode == 0
    log = tmp_path / "strace.log"
    result = quoin("-f", "--seccomp-bpf", "-qq", "-o", log, "-P", tmp_path / f"result/.{file}.part", "-P", f".{file}.part",
                   "-e", "trace=write,pwrite64", "-e", f"inject=write,pwrite64:error=ENOSPC:when={call}",
                   BUILD / "bin/quoin", "run", "--ranks", 3, "c.yaml", program="strace")
    assert "(INJECTED)" in log.read_text(), result.stderr
    assert result.returncode == 6, result.stderr
    assert f"result/{file}: cannot write " in result.stderr and "No space left" in result.stderr
    assert not list((tmp_path / "result").glob(f"*{file}*")) and ranks_of(tmp_path) == []
    assert quoin("resume", "result", "--ranks", 2).returncode == 0
    for whole in (tmp_path / "one").glob("cells-*"):
        assert (tmp_path / "result" / whole.name).read_bytes() == whole.read_bytes(), whole.name
