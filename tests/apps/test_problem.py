"""A problem from outside: plugins/heat, built against an installation and run on every backend."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from conftest import summary
from test_docs import WHEN_INSTALLED, follow

BACKENDS = ["serial", "openmp:host", "openmp:x86-64", "opencl"]


@pytest.fixture(scope="module")
def outside(prefix, quick_compiler, tmp_path_factory):
    """The folder in which the guide's commands were run, and an environment in which `quoin` finds what they built."""
    folder = tmp_path_factory.mktemp("outside")
    cmake = os.path.dirname(shutil.which(os.environ["QUOIN_CMAKE"]))
    environment = os.environ | {"PATH": f"{prefix / 'bin'}:{cmake}:{os.environ['PATH']}", "CMAKE_GENERATOR": "Ninja",
                                "CMAKE_CXX_COMPILER_LAUNCHER": str(quick_compiler),
                                "QUOIN_PLUGIN_PATH": str(folder / "heat/build/quoin/plugins")}
    followed = []

    def perform(reason, text):
        assert reason == WHEN_INSTALLED
        followed.append(text)
        wanted = int(match[1]) if (match := re.search(r"# exit (\d+)", text)) else 0
        text = re.sub(r"\bPREFIX\b", str(prefix), text)
        done = subprocess.run(["bash", "-ec", text], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=900)
        assert done.returncode == wanted, f"{text}\n{done.stdout}"
        return done.stdout

    follow(prefix / "share/doc/quoin/heat/README.md", folder, perform)
    assert len(followed) > 3
    return folder, environment


@pytest.fixture
def quoin(outside, tmp_path):
    """Runs the program: gives its exit code and all that it says."""
    folder, environment = outside

    def call(*arguments, plugins=None, **variables):
        env = environment | ({"QUOIN_PLUGIN_PATH": str(plugins)} if plugins else {}) | variables
        return subprocess.run(["quoin", *map(str, arguments)], cwd=tmp_path, env=env, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=120)
    return call


@pytest.fixture
def cases(outside):
    return outside[0] / "heat/cases"


def copied(outside, folder):
    """The problem and its serial backend, to be spoilt."""
    folder.mkdir()
    for name in ["heat.so", "heat-serial.so"]:
        shutil.copy(outside[0] / "heat/build/quoin/plugins" / name, folder)
    return folder


def test_new_and_table_know_it(quoin, tmp_path):
    assert quoin("new", "heat").returncode == 0
    ran = quoin("run", "heat.yaml", "--quiet")
    assert ran.returncode == 0 and summary(tmp_path / "results/heat")["errors"]["linf"] < 0.01, ran.stdout
    assert re.search(r"^results/heat +heat +serial +31 x 31 +rkc +10 ", quoin("table", "results").stdout, re.M)


@pytest.mark.parametrize("precision", ["double", "float"])
@pytest.mark.parametrize("case", ["decay", "source"])
def test_every_backend_gives_the_same_bits(quoin, cases, tmp_path, case, precision):
    hashes = set()
    for backend in BACKENDS:
        done = quoin("run", cases / f"{case}.yaml", "--backend", backend, "--set", f"method.precision={precision}",
                     "--output", tmp_path / backend)
        assert done.returncode == 0, done.stdout
        told = summary(tmp_path / backend)
        assert (told["status"], told["problem"], told["versions"]["problem"]) == ("completed", "heat", "1.0.0")
        hashes.add((told["field_sha256"], told["history_sha256"]))
    assert len(hashes) == 1


def test_ranks_are_refused(quoin, cases, tmp_path):
    done = quoin("run", "--ranks", 2, cases / "decay.yaml")
    assert done.returncode == 2 and "this problem runs in one process only" in done.stdout
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("changes", [["method.integrator=rkc"], ["method.integrator=euler", "method.step=2e-4"]])
def test_errors_fall_with_the_square_of_the_mesh_width(quoin, cases, changes):
    sets = [part for change in changes for part in ("--set", change)]
    done = quoin("converge", cases / "decay.yaml", *sets, "--levels", "3")
    assert done.returncode == 0
    orders = [float(row.split()[4]) for row in done.stdout.splitlines() if re.match("[12] ", row)]
    assert len(orders) == 2 and min(orders) > 1.95


def test_the_backend_that_watches_accesses_finds_none_that_are_wrong(quoin, outside, cases, prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text((outside[0] / "heat/CMakeLists.txt").read_text().replace(
        "WITH reduce", "BACKENDS check WITH reduce"))
    for name in ["problem.cpp", "setup.cpp", "setup.hpp", "integrator.cpp", "integrator.hpp", "kernels"]:
        (tmp_path / name).symlink_to(outside[0] / "heat" / name)
    for command in [["-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                    ["--build", "build", "--target", "quoin_plugin_heat-check"]]:
        subprocess.run([os.environ["QUOIN_CMAKE"], *command], cwd=tmp_path, env=outside[1], check=True,
                       capture_output=True)
    plugins = copied(outside, tmp_path / "plugins")
    shutil.copy(tmp_path / "build/quoin/plugins/heat-check.so", plugins)
    done = quoin("run", cases / "decay.yaml", "--backend", "check", plugins=plugins)
    assert done.returncode == 0, done.stdout


def test_a_family_that_quoin_has_not_is_refused(outside, prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text((outside[0] / "heat/CMakeLists.txt").read_text().replace("reduce", "redude"))
    done = subprocess.run([os.environ["QUOIN_CMAKE"], "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                          cwd=tmp_path, env=outside[1], capture_output=True, text=True)
    assert done.returncode != 0
    assert "heat: WITH names 'redude', and Quoin has no family of kernels called so" in " ".join(done.stderr.split())


def test_a_run_that_is_stopped_goes_on_to_the_same_bits(quoin, outside, cases, tmp_path):
    changes = ["--set", "method.step=2e-6", "--set", "run.checkpoint.every=1000"]
    whole = quoin("run", cases / "source.yaml", *changes, "--output", "whole")
    assert whole.returncode == 0, whole.stdout
    run = subprocess.Popen(["quoin", "run", str(cases / "source.yaml"), *changes, "--output", "broken"], cwd=tmp_path,
                           env=outside[1], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while run.poll() is None and not list(tmp_path.glob("broken/checkpoint-*")):
        time.sleep(0.01)
    run.send_signal(signal.SIGTERM)
    assert run.wait(60) == 128 + signal.SIGTERM
    assert quoin("resume", "broken").returncode == 0
    for key in ["field_sha256", "history_sha256", "iterations"]:
        assert summary(tmp_path / "broken")[key] == summary(tmp_path / "whole")[key]


def test_its_keys_are_known(quoin, cases, tmp_path):
    schema = json.loads(quoin("schema").stdout)
    assert "diffusivity" in json.dumps(schema) and "heat" in json.dumps(schema)
    assert "Runge-Kutta-Chebyshev" in quoin("explain", "method.integrator").stdout
    text = (cases / "decay.yaml").read_text().replace("diffusivity", "difusivity")
    (tmp_path / "case.yaml").write_text(text)
    done = quoin("check", "case.yaml")
    assert done.returncode == 3
    assert "unknown key 'difusivity' in 'problem'; did you mean 'diffusivity'?" in done.stdout
    assert "case.yaml:5:3: error" in done.stdout
    kernels = json.loads(quoin("list", "kernels", "--json").stdout)["kernels"]
    assert {"heat_start", "heat_stage", "heat_energy", "sum", "dgcvs_update"} < {kernel["name"] for kernel in kernels}


def test_the_report_reads_its_results(quoin, cases, tmp_path):
    assert quoin("run", cases / "decay.yaml", "--output", "result").returncode == 0
    assert quoin("report", "result").returncode == 0
    page = (tmp_path / "result/report.html").read_text()
    assert "heat_stage" in page and "diffusivity" in page


def test_other_problems_take_quoins_own_backend(quoin, prefix, case):
    backends = json.loads(quoin("list", "backends", "--json").stdout)["backends"]
    files = [backend["file"] for backend in backends if backend["name"] == "serial"]
    assert len(files) == 2 and files[0] == str(prefix / "lib/quoin/plugins/serial.so")
    done = quoin("run", case, LD_DEBUG="files")  # the linker's own word
    assert done.returncode == 0 and f"calling init: {files[0]}\n" in done.stdout
    assert files[1].endswith("/heat-serial.so") and f"calling init: {files[1]}\n" not in done.stdout


def test_a_backend_without_its_kernels_is_not_used(quoin, cases, tmp_path):
    alone = quoin("run", cases / "decay.yaml", "--backend", "template")
    assert alone.returncode == 8
    assert "has no kernels of the family 'heat', which the problem 'heat' needs" in alone.stdout
    first = quoin("run", cases / "decay.yaml", "--set", "backend=[template, serial]", "--output", "result")
    assert first.returncode == 0 and summary(tmp_path / "result")["backend"] == "serial"


def spoil(file, old, new):
    data = file.read_bytes()
    assert data.count(old) > 0 and len(old) == len(new)
    file.write_bytes(data.replace(old, new))


def test_a_problem_from_other_headers_or_kernels_is_refused(quoin, outside, cases, tmp_path):
    plugins = copied(outside, tmp_path / "plugins")
    data = (plugins / "heat.so").read_bytes()
    for key, reason in [(b"interface", "other headers"), (b"reduce", "other kernel bodies")]:
        shutil.copy(outside[0] / "heat/build/quoin/plugins/heat.so", plugins)
        old = re.search(b'"' + key + b'":"[0-9a-f]{64}"', data)[0]
        spoil(plugins / "heat.so", old, old[:-5] + b"0000\"")
        listed = quoin("list", "problems", plugins=plugins)
        assert listed.returncode == 0 and f"was built from {reason} than this Quoin: rebuild it" in listed.stdout
        done = quoin("run", cases / "decay.yaml", plugins=plugins)
        assert done.returncode == 3
        assert re.search(f"decay.yaml:3:9: error: .*heat.so was built from {reason}", done.stdout)


def test_a_backend_from_other_kernels_of_its_family_is_not_used(quoin, outside, cases, tmp_path):
    plugins = copied(outside, tmp_path / "plugins")
    old = re.search(rb'"heat":"[0-9a-f]{64}"', (plugins / "heat-serial.so").read_bytes())[0]
    spoil(plugins / "heat-serial.so", old, old[:-5] + b"0000\"")
    done = quoin("run", cases / "decay.yaml", plugins=plugins)
    assert done.returncode == 8 and "has no kernels of the family 'heat'" in done.stdout


def test_what_others_may_write_is_refused(quoin, outside, cases, tmp_path):
    plugins = copied(outside, tmp_path / "plugins")
    (plugins / "heat.so").chmod(0o775)
    done = quoin("run", cases / "decay.yaml", plugins=plugins)
    assert done.returncode == 3 and "may be written by others" in done.stdout


def test_a_problem_that_crashes_costs_itself_only(quoin, outside, prefix, case, tmp_path):
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    (tmp_path / "bad.c").write_text("""
#include <signal.h>
#include "quoin/interface_hash.h"
#include "quoin/kernels_hash.h"
#include "quoin/plugin_abi.h"
__attribute__((used, section(QUOIN_MANIFEST_SECTION))) static const char manifest[] =
    "{\\"kind\\":\\"problem\\",\\"name\\":\\"bad\\",\\"abi\\":[1,1],\\"interface\\":\\"" QUOIN_INTERFACE_HASH "\\","
    "\\"kernels\\":" QUOIN_KERNELS "}";
__attribute__((constructor)) static void crash(void) { raise(SIGSEGV); }
""")
    subprocess.run(["cc", "-shared", "-fPIC", "-I", prefix / "include", "bad.c", "-o", plugins / "bad.so"], cwd=tmp_path,
                   check=True)
    (plugins / "bad.so").chmod(0o755)
    listed = quoin("list", "problems", plugins=plugins)
    assert listed.returncode == 0 and "crashed while probed: signal 11" in listed.stdout
    assert quoin("run", case, "--output", "result", plugins=plugins).returncode == 0
