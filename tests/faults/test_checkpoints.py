"""Runs that are ended and go on: rows 9 to 15, 21, 30 and 36 of the list of faults."""

import csv
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

import h5py
import numpy as np
import pytest
from conftest import results, summary
from test_dgcvs import SQUARES

BUILD = pathlib.Path(os.environ.get("QUOIN_BUILD_DIR", "build"))

JACOBI = """\
problem:
  type: jacobi
  grid: {nodes: [150, 130]}
  domain: {x: [0, 3], y: [0, 2]}
  source: "x*y"
  boundary: {left: "x+2*y", right: "x+2*y", bottom: "x+2*y", top: "x+2*y"}
  initial: "x*sin(y)"
method: {tolerance: 1e-12, max_iterations: 6000, stop: iterations}
run: {checkpoint: {every: 100}}
backend: serial
output:
  directory: result
  probes: {points: [[0.3, 1.1], [3, 2]], every: 70}
  lines: {cut: {from: [0, 0], to: [3, 1], every: 1500}}
"""
DGCVS = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [16, 16]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 2, cfl: 0.4, final_time: 1}
run: {checkpoint: {every: 4}}
backend: serial
output:
  directory: result
  fields: {every: 0.1}
  probes: {points: [[0.3, 0.1]], every: 3 steps}
  lines: {cut: {from: [0, 0], to: [1, 1]}}
"""
KRYLOV = """\
problem: {type: linear-system, matrix: {generator: convection-diffusion, nodes: [40, 30], velocity: [1, 2]}}
method: {solver: gmres, restart: 20, max_iterations: 2000, relative_tolerance: 1e-9}
run: {checkpoint: {every: 7}}
backend: serial
output: {directory: result}
"""
CASES = {"jacobi": JACOBI, "dg-cvs": DGCVS}
@pytest.fixture(params=CASES)
def unbroken(request, quoin, tmp_path):
    """A case, and what a run without a break leaves of it."""
    (tmp_path / "case.yaml").write_text(CASES[request.param])
    done = quoin("run", "case.yaml", "--output", "unbroken")
    assert done.returncode == 0, done.stderr
    return results(tmp_path / "unbroken")


def start(tmp_path, *arguments):
    return subprocess.Popen([BUILD / "bin" / "quoin", "run", "case.yaml", "--quiet", *arguments], cwd=tmp_path,
                            stderr=subprocess.PIPE, text=True)


def wait_for(found):
    """Returns what `found` gives once it gives something."""
    for _ in range(20000):
        if value := found():
            return value
        time.sleep(0.003)
    raise AssertionError("it never came")


def checkpoints(folder):
    return sorted(file.name for file in folder.glob("checkpoint-*.json"))


def remove_newest(folder):
    """The checkpoint of the end."""
    newest = folder / checkpoints(folder)[-1]
    newest.unlink()
    newest.with_suffix(".h5").unlink()


def readable(folder):
    """Whether all that a run leaves can be read; of tables the last line may be torn."""
    for file in folder.iterdir():
        if file.suffix == ".json":
            json.loads(file.read_text())
        elif file.suffix in (".pvd", ".vtu"):
            xml.etree.ElementTree.fromstring(file.read_bytes().replace(b"\0", b""))
        elif file.suffix == ".csv":
            rows = list(csv.reader(file.read_text().splitlines()[:-1]))
            assert all(len(row) == len(rows[0]) for row in rows)


@pytest.mark.row(13)
@pytest.mark.parametrize("backend", ["serial", "openmp:host", "openmp:x86-64", "opencl:PoCL", "check"])
def test_goes_on_on_any_backend(quoin, tmp_path, unbroken, backend):
    """From a checkpoint in the middle, as a kill leaves it."""
    whole = tmp_path / "unbroken"
    assert len(checkpoints(whole)) == 2
    remove_newest(whole)
    frames = sorted(whole.glob("cells-*.vtu")) + sorted(whole.glob("cells-*.h5"))
    tables = [*whole.glob("[!c]*.csv"), *sorted(whole.glob("cut-*.csv"))[-1:]]
    for file in [*tables, *whole.glob("*.pvd"), *whole.glob("*.vti"), *frames[-1:]]:
        file.unlink()
    done = quoin("resume", "unbroken", "--backend", backend)
    assert done.returncode == 0, done.stderr
    assert "goes on after" in done.stderr
    assert results(whole) == unbroken
    resumed = summary(whole)["resumed"]
    assert resumed["iterations"] > 0 and resumed["backend"] == "serial"
    log = (whole / "run.log").read_text()
    assert log.count("set up in") == 2 and "goes on after" in log  # that of the first part is kept


@pytest.mark.row(9)
@pytest.mark.row(10)
@pytest.mark.row(13)
@pytest.mark.parametrize("name, code", [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_signal_leaves_a_checkpoint(quoin, tmp_path, unbroken, name, code):
    run = start(tmp_path, "--set", "run.checkpoint.every=1 h")
    wait_for(lambda: (tmp_path / "result/history.csv").exists())
    run.send_signal(getattr(signal, name))
    run.wait(timeout=120)
    if run.returncode == 0:
        pytest.fail("the run was too short to be interrupted")
    folder = tmp_path / "result"
    assert run.returncode == code, run.stderr.read()
    facts = summary(folder)
    assert (facts["status"], facts["exit_code"]) == ("interrupted", code)
    readable(folder)
    if facts["iterations"] > 0:
        assert len(checkpoints(folder)) == 1
        done = quoin("resume", "result", "--backend", "openmp:host")
        assert done.returncode == 0, done.stderr
        assert results(folder) == unbroken


@pytest.mark.row(10)
def test_no_grace_no_checkpoint(tmp_path):
    (tmp_path / "case.yaml").write_text(JACOBI.replace("6000", "60000"))
    run = start(tmp_path, "--set", "run.grace=0")
    newest = wait_for(lambda: checkpoints(tmp_path / "result") if (tmp_path / "result").exists() else [])[-1]
    run.send_signal(signal.SIGTERM)
    run.wait(timeout=120)
    assert run.returncode == 143
    ended = int(checkpoints(tmp_path / "result")[-1][11:-5])
    assert ended % 100 == 0 and ended >= int(newest[11:-5])  # those of `every` alone


def killed_and_resumed(quoin, tmp_path, unbroken, seed):
    """A run that is killed at a random moment, perhaps again while it goes on, and goes on to its end."""
    moment = random.Random(seed)
    folder = tmp_path / "result"
    shutil.rmtree(folder, ignore_errors=True)
    run = start(tmp_path)
    wait_for(lambda: folder.exists() and checkpoints(folder) or run.poll() is not None)
    time.sleep(moment.uniform(0, 0.3))
    run.kill()
    run.wait()
    readable(folder)
    done = quoin("resume", "result", "--quiet")
    assert done.returncode == 0, done.stderr
    assert results(folder) == unbroken


@pytest.mark.row(12)
@pytest.mark.row(13)
@pytest.mark.parametrize("seed", range(3))
def test_a_kill_loses_nothing(quoin, tmp_path, unbroken, seed):
    killed_and_resumed(quoin, tmp_path, unbroken, seed)


@pytest.mark.row(14)
def test_a_damaged_checkpoint_is_passed_over(quoin, tmp_path, unbroken):
    folder = tmp_path / "unbroken"
    newest = folder / checkpoints(folder)[-1].replace(".json", ".h5")
    data = bytearray(newest.read_bytes())
    data[len(data) // 2] ^= 16
    newest.write_bytes(data)
    done = quoin("resume", "unbroken")
    assert done.returncode == 0 and f"passed over {newest.name}: its checksum is wrong" in done.stderr
    assert results(folder) == unbroken
    for file in folder.glob("checkpoint-*.h5"):
        file.write_bytes(b"")
    done = quoin("resume", "unbroken")
    assert done.returncode == 9 and done.stderr.count("it has 0 bytes where") == 2


@pytest.mark.row(14)
def test_nothing_to_go_on_with(quoin, tmp_path):
    absent = quoin("resume", "nowhere")
    assert absent.returncode == 6 and "nowhere" in absent.stderr
    (tmp_path / "empty").mkdir()
    empty = quoin("resume", "empty")
    assert empty.returncode == 9 and "there is no checkpoint" in empty.stderr


@pytest.mark.row(15)
def test_a_checkpoint_of_another_case(quoin, tmp_path, unbroken):
    file = tmp_path / "unbroken" / "case.yaml"
    text = file.read_text()
    file.write_text(text.replace("residual_norm: l2", "residual_norm: seed").replace("order: 2", "order: 3"))
    before = results(tmp_path / "unbroken")
    done = quoin("resume", "unbroken")
    assert done.returncode == 9, done.stderr
    key, was, is_now = ("order", 2, 3) if "order: 2" in text else ("residual_norm", "l2", "seed")
    assert f"-method.{key}: {was}" in done.stderr and f"+method.{key}: {is_now}" in done.stderr
    assert results(tmp_path / "unbroken") == before


@pytest.mark.row(15)
def test_a_checkpoint_of_another_mesh(quoin, tmp_path):
    """A node of the mesh file has moved since."""
    text = DGCVS.replace("{cells: [16, 16]}\n  domain: {x: [-1, 1], y: [-1, 1]}", "{type: gmsh, file: mesh.msh}")
    for side in ("left", "right", "bottom", "top"):
        text = text.replace(f"{side}: periodic", f"{side}: open")
    (tmp_path / "case.yaml").write_text(text.replace("every: 4", "every: 1"))
    (tmp_path / "mesh.msh").write_text(SQUARES)
    assert quoin("run", "case.yaml", "--set", "method.max_steps=1").returncode == 4
    assert quoin("resume", "result", "--set", "method.max_steps=2").returncode == 4
    (tmp_path / "mesh.msh").write_text(SQUARES.replace("5 1 1 0", "5 1.01 1 0"))
    before = {file.name: file.read_bytes() for file in (tmp_path / "result").iterdir()}
    done = quoin("resume", "result", "--set", "method.max_steps=3")
    assert done.returncode == 9 and "another mesh" in done.stderr, done.stderr
    assert before == {file.name: file.read_bytes() for file in (tmp_path / "result").iterdir()}


@pytest.mark.row(15)
def test_a_checkpoint_of_other_values_of_formulas(quoin, tmp_path):
    """As from a machine whose mathematical library rounds differently."""
    (tmp_path / "case.yaml").write_text(CASES["jacobi"])
    assert quoin("run", "case.yaml").returncode == 0
    for file in (tmp_path / "result").glob("checkpoint-*.h5"):
        with h5py.File(file, "r+") as content:
            content["formulas"][0] ^= 1
        index = file.with_suffix(".json")
        facts = json.loads(index.read_text())
        index.write_text(json.dumps(facts | {"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}))
    done = quoin("resume", "result", "--set", "method.max_iterations=7000")
    assert done.returncode == 9 and "the formulas of the case have other values here" in done.stderr, done.stderr


def put(content, name, value):
    """Replaces an array by those bytes, or by JSON."""
    del content[name]
    value = value if isinstance(value, bytes) else json.dumps(value).encode()
    content.create_dataset(name, data=np.frombuffer(value, dtype="u1"))


def put_set(content, name, **how):
    del content[name]
    content.create_dataset(name, **how)


def put_link(content, name, link):
    del content[name]
    content[name] = link


BIG = {"shape": (1 << 40,), "dtype": "u1"}
# What is done to an array of any name.
CRAFTED = {
    "absent": lambda content, name: content.__delitem__(name),
    "a group": lambda content, name: put_link(content, name, content.create_group("elsewhere")),
    "a soft link": lambda content, name: put_link(content, name, h5py.SoftLink("/u")),
    "a link to another file": lambda content, name: put_link(content, name, h5py.ExternalLink("/etc/passwd", "/x")),
    "bytes of another file": lambda content, name: put_set(content, name, shape=(16,), dtype="u1",
                                                           external=[("/etc/passwd", 0, 16)]),
    "without end": lambda content, name: put_set(content, name, **BIG),
    "without end, in chunks": lambda content, name: put_set(content, name, **BIG, chunks=(1 << 20,)),
    "without end, packed": lambda content, name: put_set(content, name, **BIG, chunks=(1 << 24,), compression="gzip"),
    "reals": lambda content, name: put_set(content, name, data=np.zeros(8)),
    "a text": lambda content, name: put_set(content, name, data="text"),
}
# What is done to those that the runner writes, and to those of the problem.
RECORDS = {
    "case": [b"problem:", b"{", b"\0", b"a: &a [*a]", b"[" * 100000],
    "history": [b"torn", bytes([7] * 18)],
    "about": [b"[" * 100000, b"\xff", [], {"iterations": 1}, {"iterations": -1, "backend": ""},
              {"iterations": 1.5, "backend": ""}, {"iterations": 2**64, "backend": ""}, {"iterations": 1, "backend": 7}],
    "files": [b"", b"null", [], {"names": []}, *({"names": [], "frames": {}, "series": {}} | part for part in [
        {"names": 7}, {"names": ["../u.vti"]}, {"names": ["notes"]}, {"frames": []}, {"frames": {"../x": []}},
        {"frames": {"cells": [[0]]}}, {"frames": {"cells": [[0, "../x.vtu"]]}}, {"frames": {"cells": [["0", "x.vtu"]]}},
        {"series": [[1, "a\n"]]}, {"series": {"../evil": [1, "a\n"]}}, {"series": {"probes": [-1, "a\n"]}},
        {"series": {"probes": [2, "a\n"]}}, {"series": {"probes": [1, 7]}}])],
    "iterations": [b"", *(np.int64(number).tobytes() for number in (-1, -2**63, 2**62, 6001))],
    "convergence": [b"", *(np.full(7, number).tobytes() for number in (np.nan, np.inf, -1, 1e300))],
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with one checkpoint of the middle of a run."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "case.yaml").write_text(JACOBI)
    subprocess.run([BUILD / "bin" / "quoin", "run", "case.yaml", "--quiet"], cwd=folder, check=True)
    for file in (folder / "result").glob("checkpoint-*"):
        if not file.name.startswith("checkpoint-000000005900"):
            file.unlink()
    return folder / "result"


def facts(file):
    return {"bytes": file.stat().st_size, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}


def is_refused(quoin, folder, change):
    """With the right checksums of files of which one was changed so."""
    (file,) = folder.glob("checkpoint-*.h5")
    with h5py.File(file, "r+") as content:
        change(content)
    index = json.loads(file.with_suffix(".json").read_text())
    arrays = [array | facts(folder / f"{file.stem}-{array['name']}.bin") for array in index["arrays"]]
    file.with_suffix(".json").write_text(json.dumps(index | facts(file) | {"arrays": arrays}))
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    done = quoin("--as=4000000000", BUILD / "bin/quoin", "resume", folder, "--quiet", program="prlimit")
    assert done.returncode == 9, done.stderr
    assert done.stderr.startswith("quoin: error: ") and {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.row(36)
@pytest.mark.parametrize("how", CRAFTED)
def test_a_crafted_checkpoint(quoin, tmp_path, whole, how):
    for name in ["case", "case file", "history", "files", "about", "iterations", "limit", "residual", "convergence", "formulas"]:
        folder = tmp_path / name.replace(" ", "-")
        shutil.copytree(whole, folder)
        is_refused(quoin, folder, lambda content: CRAFTED[how](content, name))


@pytest.mark.row(36)
@pytest.mark.parametrize("name", RECORDS)
def test_a_crafted_record(quoin, tmp_path, whole, name):
    for number, value in enumerate(RECORDS[name]):
        shutil.copytree(whole, tmp_path / f"{number}")
        is_refused(quoin, tmp_path / f"{number}", lambda content: put(content, name, value))


@pytest.mark.row(36)
@pytest.mark.parametrize("values", [b"", np.full(150 * 130, np.nan).tobytes(), np.zeros(150 * 130 + 1).tobytes()],
                         ids=["empty", "nan", "longer"])
def test_a_crafted_field(quoin, tmp_path, whole, values):
    folder = tmp_path / "field"
    shutil.copytree(whole, folder)
    (file,) = folder.glob("checkpoint-*-u.bin")
    file.write_bytes(values)
    is_refused(quoin, folder, lambda content: None)


@pytest.mark.row(14)
def test_a_field_that_is_torn_is_passed_over(quoin, tmp_path, whole):
    shutil.copytree(whole, tmp_path / "field")
    (file,) = (tmp_path / "field").glob("checkpoint-*-u.bin")
    file.write_bytes(file.read_bytes()[:-1])
    done = quoin("resume", "field", "--quiet")
    assert done.returncode == 9 and "its array 'u' has 155999 bytes where 156000 are right" in done.stderr


def whole_array(index, array):
    """The bytes of an array from the files of its parts; what no part has is zero."""
    whole = bytearray(array["bytes"])
    many = len(array["parts"]) > 1
    for rank, part in enumerate(array["parts"]):
        if sum(length for _, length in part["ranges"]) == 0:
            continue
        file = index.with_name(f"{index.stem}-{array['name']}{f'_{rank}' * many}.bin")
        data = file.read_bytes()
        assert hashlib.sha256(data).hexdigest() == part["sha256"]
        for k in range(part["count"]):
            for first, length in part["ranges"]:
                whole[first + k * part["stride"]:first + k * part["stride"] + length] = data[:length]
                data = data[length:]
        assert not data
        file.unlink()
    return bytes(whole)


@pytest.mark.row(14)
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("text", [JACOBI, DGCVS, KRYLOV, KRYLOV.replace("gmres, restart: 20", "bicg")],
                         ids=["jacobi", "dg-cvs", "gmres", "bicg"])
def test_a_checkpoint_of_an_earlier_version_goes_on(quoin, tmp_path, text, version):
    """The first had all arrays in one file, the second each in one of its own."""
    new, old = tmp_path / "result", tmp_path / "old"
    (tmp_path / "case.yaml").write_text(text)
    assert quoin("run", "case.yaml", "--quiet").returncode == 0
    unbroken = results(new)
    remove_newest(new)
    shutil.copytree(new, old)
    index = old / checkpoints(old)[-1]
    file = index.with_suffix(".h5")
    arrays = {array["name"]: whole_array(index, array) for array in json.loads(index.read_text())["arrays"]}
    said = {"version": version}
    if version == 1:
        with h5py.File(file, "r+") as content:
            for name, data in arrays.items():
                content.create_dataset(name, data=np.frombuffer(data, dtype="u1"))
    else:
        said["arrays"] = []
        for name, data in arrays.items():
            own = file.with_name(f"{file.stem}-{name}.bin")
            own.write_bytes(data)
            said["arrays"].append({"name": name} | facts(own))
    index.write_text(json.dumps(said | facts(file)))
    for folder in (new, old):
        done = quoin("resume", folder)
        assert done.returncode == 0 and f"from {file.name} written" in done.stderr, done.stderr
        assert results(folder) == unbroken


@pytest.mark.row(30)
def test_a_second_run_into_the_folder(quoin, tmp_path):
    (tmp_path / "case.yaml").write_text(JACOBI.replace("6000", "600000"))
    first = start(tmp_path)
    wait_for(lambda: (tmp_path / "result/history.csv").exists())
    for command in (("run", "case.yaml", "--force"), ("resume", "result")):
        wait_for(lambda: checkpoints(tmp_path / "result"))
        second = quoin(*command)
        assert second.returncode == 6, second.stderr
        assert f"another run (process {first.pid}) is using the result folder" in second.stderr
    first.kill()
    first.wait()


@pytest.mark.row(21)
def test_a_device_that_hangs_leaves_its_checkpoint(quoin, tmp_path):
    (tmp_path / "case.yaml").write_text(JACOBI)
    assert quoin("run", "case.yaml", "--output", "unbroken", "--set", "method.variant=fused").returncode == 0
    fault = "backend={name: fault, call: launch, fault: hang, at: 5001}"
    hung = quoin("run", "case.yaml", "--set", fault, "--set", "run.watchdog=0.5", "--set", "method.variant=fused")
    assert hung.returncode == 7 and "did not answer" in hung.stderr
    done = quoin("resume", "result", "--backend", "serial")
    assert done.returncode == 0, done.stderr
    assert results(tmp_path / "result") == results(tmp_path / "unbroken")


@pytest.mark.row(27)
@pytest.mark.parametrize("name, at", [("jacobi", 61), ("jacobi", 62), ("dg-cvs", 51)])
def test_a_number_that_is_spoilt_is_in_no_checkpoint(quoin, tmp_path, name, at):
    """The norm of an iteration is that of what it started from, and rows of DG-CVS may be rare."""
    text = CASES[name].replace("every: 100", "every: 1").replace("every: 4", "every: 1, keep: 1")
    text = text.replace("max_iterations: 6000", "max_iterations: 60")
    (tmp_path / "case.yaml").write_text(text.replace("stop: iterations", "stop: iterations, variant: fused"))
    assert quoin("run", "case.yaml", "--output", "unbroken").returncode == 0
    fault = f"backend={{name: fault, call: launch, fault: nan, at: {at}}}"
    spoilt = quoin("run", "case.yaml", "--set", fault)
    assert spoilt.returncode == 5, spoilt.stderr
    done = quoin("resume", "result", "--backend", "serial")
    assert done.returncode == 0, done.stderr
    whole = results(tmp_path / "unbroken")
    after = results(tmp_path / "result")
    assert {file: after[file] for file in whole} == whole


@pytest.mark.parametrize("every", ["0", "-5", "soon", "10 parsec", "1.5", "99999999999999999999", "5 min 3"])
@pytest.mark.row(1)
def test_when_is_said_in_the_case(quoin, tmp_path, every):
    (tmp_path / "case.yaml").write_text(JACOBI.replace("every: 100", f'every: "{every}"'))
    for command in ("check", "run"):
        done = quoin(command, "case.yaml")
        assert done.returncode == 3 and "case.yaml:9:27: error: must be a number of iterations" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["case.yaml"]
