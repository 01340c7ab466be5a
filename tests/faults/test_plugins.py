"""Plugins that are wrong, unkind or planted, met by a user: rows 22 to 25, 35, 38 and 39 of the list of faults.

The shared objects are those of tests/plugins/fakes, each wrong in one way.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree

import pytest

# What is wrong with a plugin, and what a user reads about it.
WRONG = {
    "bad-key": "has a key of the unknown type 'colour'",
    "maps-only": "one of the functions memory_map and memory_unmap, not both",
    "no-manifest": "has no section",
    "no-symbol": "does not export 'quoin_plugin'",
    "null-entry": "the required function 'synchronize' is absent",
    "other-kernels": "was built from other kernel bodies",
    "other-major": "was built for version 2 of the plugin boundary, this is version 1",
    "refuses": "refuses this host",
    "short-table": "the required function 'launch' is absent",
    "some-events": "some of the four event functions",
    "some-sequences": "some of the four sequence functions",
    "text": "is not an ELF shared object",
    "truncated": "has no section",
    "two-names": "different names",
    "wrong-magic": "wrong magic number",
}
UNKIND = {
    "crashes": "crashed while probed: signal 11",
    "exits": "ended the process that probed it",
    "throwing-devices": "thrown by devices",
}
METHODS = ["executor", "supports", "layout", "allocate", "queue", "event", "copy_in", "copy_out", "record", "wait",
           "synchronize", "launches", "seconds_since", "kernel", "launch", "cost"]


@pytest.fixture(scope="module")
def fakes(build, tmp_path_factory):
    """A safe folder with every plugin but the one that hangs, which would be waited for."""
    folder = tmp_path_factory.mktemp("plugins")
    folder.chmod(0o755)
    for file in (build / "tests/framework/fakes").glob("*.so"):
        if file.stem != "hangs":
            shutil.copy(file, folder)
    whole = (folder / "good.so").read_bytes()
    (folder / "text.so").write_text("no shared object\n")
    (folder / "truncated.so").write_bytes(whole[: len(whole) // 2])
    for file in folder.iterdir():
        file.chmod(0o644)
    return folder


@pytest.fixture
def listed(quoin):
    """listed(FOLDER) gives the backends of `quoin list` by name."""

    def call(*folders, **options):
        words = [word for folder in folders for word in ("--plugin-dir", folder)]
        result = quoin("list", "--json", *words, **options)
        assert result.returncode == 0, result.stderr
        return {backend["name"]: backend for backend in json.loads(result.stdout)["backends"]}

    return call


@pytest.fixture
def alone(fakes, tmp_path):
    """A safe folder with one plugin: alone("good")."""

    def call(name, folder="alone"):
        place = tmp_path / folder
        place.mkdir(mode=0o755, exist_ok=True)
        return pathlib.Path(shutil.copy(fakes / f"{name}.so", place))

    return call


def refused(quoin, tmp_path, name, words, *arguments, code=8, **options):
    """A run on that plugin ends with that code and the reason; with a list, the next backend takes over."""
    result = quoin("run", "case.yaml", "--backend", name, *arguments, **options)
    assert result.returncode == code and words in result.stderr, result.stderr
    assert f"{name}.so" in result.stderr and not (tmp_path / "result").exists()
    result = quoin("run", "case.yaml", "--set", f"backend=[{name}, serial]", *arguments, **options)
    assert result.returncode == 0, result.stderr
    assert f"the backend '{name}' is not used" in result.stderr and words in result.stderr
    assert json.loads((tmp_path / "result/summary.json").read_text())["backend"] == "serial"


@pytest.mark.row(23)
def test_all_are_listed_with_their_reasons(listed, fakes):
    backends = listed(fakes)
    for name, words in (WRONG | UNKIND).items():
        assert not backends[name]["usable"] and words in backends[name]["reason"]
    for name in ["serial", "good", "older", "newer", "prints"]:
        assert backends[name]["usable"] and backends[name]["devices"], backends[name]["reason"]


@pytest.mark.row(23)
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_plugin(quoin, case, alone, tmp_path, name):
    refused(quoin, tmp_path, name, WRONG[name], "--plugin-dir", alone(name).parent)


@pytest.mark.row(23)
@pytest.mark.parametrize("name, opened", [("other-major", False), ("other-kernels", False), ("wrong-magic", True)])
def test_what_its_manifest_tells_is_refused_unopened(quoin, case, alone, tmp_path, name, opened):
    marker = tmp_path / "opened"
    result = quoin("run", case, "--plugin-dir", alone(name).parent, "--backend", name,
                   env={**os.environ, "QUOIN_FAKE_MARKER": str(marker)})
    assert result.returncode == 8
    assert marker.exists() == opened


@pytest.mark.row(23)
@pytest.mark.parametrize("name", ["good", "older", "newer"])
def test_minor_versions_that_cover_what_is_required(quoin, case, alone, name):
    """The device of these plugins is too small for any run; that this is what is said shows that they work."""
    result = quoin("run", case, "--plugin-dir", alone(name).parent, "--backend", name)
    assert result.returncode == 7
    assert "the device has 1000" in result.stderr and "Fake Alpha" in result.stderr


@pytest.mark.row(22)
def test_a_plugin_without_a_device(quoin, case, alone, tmp_path):
    refused(quoin, tmp_path, "no-device", "the driver is not loaded", "--plugin-dir", alone("no-device").parent, code=7)


@pytest.mark.row(24)
@pytest.mark.parametrize("name", UNKIND)
def test_an_unkind_plugin(quoin, case, alone, tmp_path, name):
    refused(quoin, tmp_path, name, UNKIND[name], "--plugin-dir", alone(name).parent)


@pytest.mark.row(24)
def test_a_plugin_that_never_returns(quoin, case, build, tmp_path):
    """Its time passes faster here than it does on the wall."""
    (tmp_path / "plugins").mkdir(mode=0o755)
    shutil.copy(build / "tests/framework/fakes/hangs.so", tmp_path / "plugins")
    refused_at = {}
    for arguments in [["list"], ["run", case, "--set", "backend=[hangs]"]]:
        result = quoin("-f", "+0 x5", build / "bin/quoin", *arguments, "--plugin-dir", "plugins", program="faketime")
        refused_at[arguments[0]] = result.returncode
        assert "did not return within 20.0 s while probed" in result.stdout + result.stderr
    assert refused_at == {"list": 0, "run": 8}
    assert not (tmp_path / "result").exists()


@pytest.mark.row(24)
@pytest.mark.parametrize("what, words", [("crash", "crashed while probed: signal 11"), ("exit", "ended the process"),
                                         ("hang", "did not return within 20.0 s while probed")])
def test_a_list_goes_on_where_no_executor_can_be_made(quoin, case, build, alone, tmp_path, what, words):
    """Time passes faster here than it does on the wall."""
    partial = f"{{name: partial, in: executor_create, what: {what}}}"
    result = quoin("-f", "+0 x10", build / "bin/quoin", "run", case, "--plugin-dir", alone("partial").parent, "--set",
                   f"backend=[{partial}, serial]", program="faketime")
    assert result.returncode == 0, result.stderr
    assert "the backend 'partial' is not used" in result.stderr and words in result.stderr
    assert json.loads((tmp_path / "result/summary.json").read_text())["backend"] == "serial"


@pytest.mark.row(23)
@pytest.mark.parametrize("problem, kernel", [
    ("", "jacobi_sweeps"), ("method.variant=classic", "jacobi_boundary"), ("method.solver=multigrid", "jacobi_sweeps")])
def test_a_backend_without_a_kernel_of_the_case(quoin, case, alone, tmp_path, problem, kernel):
    """It is refused before anything is set up, and a list goes on."""
    words = ["--plugin-dir", alone("partial").parent, *(["--set", problem] if problem else [])]
    for command in ["check", "run"]:
        result = quoin(command, case, *words, "--backend", "partial")
        assert result.returncode == 7 and f"the backend has no kernel '{kernel}'" in result.stderr, result.stderr
        assert not (tmp_path / "result").exists()
    result = quoin("run", case, *words, "--set", "backend=[partial, serial]")
    assert result.returncode == 0, result.stderr
    assert f"the backend 'partial' is not used: the backend has no kernel '{kernel}'" in result.stderr
    assert json.loads((tmp_path / "result/summary.json").read_text())["backend"] == "serial"


@pytest.mark.row(24)
@pytest.mark.parametrize("method", METHODS)
def test_a_plugin_that_throws(quoin, fakes, method):
    result = quoin("conformance", fakes / "throwing.so", "--set", f"in={method}")
    assert result.returncode == 8
    said = result.stdout + result.stderr
    assert "throwing.so, device 0 (thrower)" in said and f"thrown by {method}" in said


@pytest.mark.row(24)
@pytest.mark.parametrize("call", ["allocate", "queue", "event", "kernel", "copy_in", "launch", "synchronize",
                                  "copy_out"])
def test_a_crash_in_a_run_is_that_of_the_process(quoin, case, tmp_path, call):
    """Only while it is probed a plugin has a process of its own. What was written before the crash is whole."""
    result = quoin("run", case, "--set", f"backend={{name: fault, call: {call}, fault: crash}}")
    assert result.returncode == -11
    for file in (tmp_path / "result").glob("*"):
        assert not file.name.startswith("."), file


def fault(kind, call="launch", at=1):
    return f"{{name: fault, call: {call}, at: {at}, fault: {kind}}}"


@pytest.mark.row(38)
@pytest.mark.parametrize("kind", ["exit", "quick_exit", "_exit", "exit_of_a_thread"])
@pytest.mark.parametrize("call, entry", [("allocate", "memory_create"), ("launch", "launch"),
                                         ("synchronize", "synchronize")])
def test_a_plugin_that_ends_the_process(quoin, case, tmp_path, kind, call, entry):
    result = quoin("run", case, "--json", "--set", f"backend={fault(kind, call, 2)}")
    words = "a thread of a plugin" if kind == "exit_of_a_thread" else f"the plugin called exit() in '{entry}'"
    assert result.returncode == 8 and words in result.stderr, result.stderr
    facts = json.loads((tmp_path / "result/summary.json").read_text())
    assert (facts["status"], facts["exit_code"]) == ("failed", 8)
    assert words in facts["message"] and "fault.so" in facts["message"]
    told = json.loads(result.stdout)
    assert (told["status"], told["exit_code"]) == ("failed", 8) and words in told["message"]


@pytest.mark.row(38)
def test_a_plugin_whose_child_ends(quoin, case):
    """That is none of the run's business."""
    result = quoin("run", case, "--set", f"backend={fault('exit_of_a_child')}")
    assert result.returncode == 0, result.stderr
    assert "exit()" not in result.stderr


@pytest.mark.row(38)
def test_a_comparison_keeps_what_ran_before_a_plugin_ends_the_process(quoin, case, tmp_path):
    result = quoin("compare", case, "--json", "--backends", f"serial,{fault('exit', at=300)}")
    assert result.returncode == 8 and "the plugin called exit() in 'launch'" in result.stderr
    study = json.loads(result.stdout)
    assert study == json.loads((tmp_path / "result-compare/compare.json").read_text())
    assert study["complete"] and study["exit_code"] == 8
    assert [run["exit_code"] for run in study["runs"]] == [0, 8]
    assert "called exit()" in study["runs"][1]["error"]


@pytest.fixture
def checked(quoin, fakes, tmp_path):
    """checked(CALL, WHAT) gives the checks of conformance by name, for a backend that offers some kernels only."""

    def call(entry="", what="", *arguments):
        result = quoin("conformance", fakes / "partial.so", "--json", "--junit", "report.xml", "--set", f"in={entry}",
                       "--set", f"what={what}", *arguments)
        report = json.loads(result.stdout)
        cases = xml.etree.ElementTree.parse(tmp_path / "report.xml").getroot().findall("testcase")
        assert [case.get("name").split(" double")[0] for case in cases] == [one["name"] for one in report["checks"]]
        outcomes = ["passed" if len(case) == 0 else case[0].tag for case in cases]
        assert outcomes == [one["outcome"].replace("not_offered", "skipped").replace("failed", "failure")
                            for one in report["checks"]]
        assert result.returncode == (0 if report["conforms"] else 8)
        return {one["name"]: one for one in report["checks"]}

    return call


@pytest.mark.row(39)
@pytest.mark.parametrize("what, words", [("crash", "the plugin crashed: signal 11"), ("abort", "signal 6 (Aborted)"),
                                         ("exit", "the plugin called exit() in"),
                                         ("hang", "the plugin did not return within 2.0 s")])
@pytest.mark.parametrize("entry", ["launch", "copy_out", "shutdown"])
def test_a_check_in_which_a_plugin_fails(checked, what, words, entry):
    checks = checked(entry, what, "--timeout", "2")
    failed = {name for name, check in checks.items() if words in check["message"]}
    launches = {"stream_copy", "stream_triad", "memory", "order across queues", "events and counts"}
    copies = {"source of a copy", "copies at offsets"}
    assert failed == {"launch": launches, "copy_out": launches | copies, "shutdown": {"shutdown"}}[entry]
    if entry == "launch":
        assert checks["stream_copy"]["message"].startswith("1x1: ") and checks["stream_copy"]["cases"] == 1
    for name in ["layouts", "costs", "unknown kernels"]:
        assert checks[name]["outcome"] == "passed"


@pytest.mark.row(39)
@pytest.mark.parametrize("what, words", [("crash", "partial.so: the plugin crashed: signal 11"), ("exit", "called exit()"),
                                         ("hang", "did not return within 2.0 s")])
def test_a_plugin_that_cannot_be_checked_at_all(quoin, fakes, what, words):
    result = quoin("conformance", fakes / "partial.so", "--json", "--timeout", "2", "--set", "in=executor_create",
                   "--set", f"what={what}")
    assert result.returncode == 8 and words in result.stderr and result.stdout == ""


@pytest.mark.row(39)
@pytest.mark.parametrize("entry", ["executor_create", "launch"])
def test_what_a_plugin_prints_is_no_part_of_the_report(checked, entry):
    assert checked(entry, "print").keys() == checked().keys()


def test_a_partial_backend_conforms_for_what_it_offers(checked):
    outcomes = {name: check["outcome"] for name, check in checked().items()}
    assert set(outcomes.values()) == {"passed", "not_offered"}
    assert outcomes["jacobi_norm"] == outcomes["order in a queue"] == "not_offered"
    for name in ["stream_copy", "stream_triad", "order across queues", "events and counts", "memory", "leaks"]:
        assert outcomes[name] == "passed"


@pytest.mark.row(39)
@pytest.mark.parametrize("entry, check, words", [
    ("event_seconds", "events and counts", "seconds_since is 0 (0x0p+0) for work"),
    ("event_wait", "order across queues", "it has not waited"),
    ("synchronize", "order across queues", "synchronize has not waited"),
    ("memory_destroy", "leaks", "memory of 16.0 MiB is not given back"),
    ("queue_destroy", "leaks", "a queue is not given back"),
    ("event_destroy", "leaks", "an event is not given back"),
    ("kernel_destroy", "leaks", "a kernel is not given back")])
def test_a_call_that_does_nothing(checked, entry, check, words):
    failed = {name: one["message"] for name, one in checked(entry, "skip").items() if one["outcome"] == "failed"}
    assert failed.keys() == {check} and words in failed[check]


@pytest.mark.row(39)
def test_event_times_that_are_not_those_of_the_work(checked):
    failed = {name: one["message"] for name, one in checked("", "short").items() if one["outcome"] == "failed"}
    assert failed.keys() == {"events and counts"} and "for all the work of" in failed["events and counts"]


@pytest.mark.row(39)
def test_values_that_are_no_numbers_are_told_by_their_bits(checked):
    message = checked("copy_in", "skip")["stream_copy"]["message"]
    assert "x(-8,-33) was changed from nan (0x7ff4000000000000) to " in message


@pytest.mark.row(35)
def test_what_a_plugin_says_is_escaped(quoin, checked, fakes, alone, tmp_path):
    """In the name of its device and in its errors. What takes several lines in a message takes one in the report."""
    said = r"red: \u001b[31m{}and no UTF-8: \xff, an end: </testsuite>"
    assert said.format("\n") in checked("launch", "text")["stream_copy"]["message"]
    attribute = xml.etree.ElementTree.parse(tmp_path / "report.xml").find(".//failure").get("message")
    assert said.format("\n") in attribute
    result = quoin("conformance", fakes / "partial.so", "--set", "in=launch", "--set", "what=text")
    lines = [line for line in result.stdout.splitlines() if "FAILED: " in line]
    assert len(lines) == 5 and all(said.format(r"\u000a") in line for line in lines)
    verdict = result.stdout.splitlines()[-1]
    assert verdict.startswith(r"partial on half \u001b[1mdone\u000aand more: 5 of ") and " checks FAILED" in verdict
    listed = quoin("list", "--plugin-dir", alone("partial").parent).stdout
    assert r"half \u001b[1mdone\u000aand more" in listed


@pytest.mark.row(25)
@pytest.mark.parametrize("path", [":", "::", ".", "./", "plugins", ":/nonexistent"])
def test_plugins_in_the_working_directory(quoin, listed, alone, case, tmp_path, path):
    alone("good", ".")
    alone("good", "plugins")
    environment = {**os.environ, "QUOIN_PLUGIN_PATH": path}
    assert "good" not in listed(env=environment)
    result = quoin("run", case, "--backend", "good", env=environment)
    assert result.returncode == 8 and "there is no backend 'good'" in result.stderr
    assert "is ignored" in result.stderr and "QUOIN_PLUGIN_PATH" in result.stderr
    assert result.stderr.count("QUOIN_PLUGIN_PATH: ") == len(set(re.findall("QUOIN_PLUGIN_PATH: .*", result.stderr)))


@pytest.mark.row(25)
@pytest.mark.parametrize("name, words", [("gpu", "[hip, opencl, openmp]"), ("CUDA", "NVIDIA's GPUs are reached with hip"),
                                         ("cpu", "write openmp or serial"), ("seriel", "did you mean 'serial'?")])
def test_names_that_are_no_backend(quoin, case, name, words):
    result = quoin("run", case, "--backend", name)
    assert result.returncode == 8 and f"there is no backend '{name}'" in result.stderr and words in result.stderr


@pytest.mark.row(25)
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_folder_that_others_may_write(quoin, case, alone, tmp_path, mode):
    folder = alone("good").parent
    folder.chmod(mode)
    refused(quoin, tmp_path, "good", f"may be written by others ('{folder}')", "--plugin-dir", folder)


@pytest.mark.row(25)
def test_a_link_into_a_folder_that_others_may_write(quoin, case, alone, tmp_path):
    target = alone("good", "open")
    target.parent.chmod(0o777)
    (tmp_path / "links").mkdir(mode=0o755)
    (tmp_path / "links/good.so").symlink_to(target)
    refused(quoin, tmp_path, "good", f"may be written by others ('{target.parent}')", "--plugin-dir", "links")


@pytest.mark.row(25)
def test_a_library_in_the_working_directory_by_the_plugins_own_path(quoin, case, alone, listed, tmp_path):
    plugin = alone("needs-it-here")
    assert listed(plugin.parent)["needs-it-here"]["usable"]
    (tmp_path / "libanl.so.1").write_text("planted")
    refused(quoin, tmp_path, "needs-it-here", f"needs libanl.so.1, and its RUNPATH would take '{tmp_path}",
            "--plugin-dir", plugin.parent)


@pytest.mark.row(25)
def test_libraries_in_the_working_directory_are_not_taken(quoin, case, build, listed, tmp_path):
    """None that the program or a backend of its own needs, whatever lies there."""
    expected = {name: backend["usable"] for name, backend in listed().items()}
    ours = [build / "bin/quoin", build / "lib/libquoin.so", build / "lib/quoin/quoin-probe",
            build / "lib/quoin/quoin-hdf5.so",             *(build / "lib/quoin/plugins").glob("*.so")]
    told = subprocess.run(["readelf", "-d", *ours], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", told))
    assert {"libquoin.so.0", "libstdc++.so.6", "libyaml-cpp.so.0.7"} <= needed
    for name in needed:
        (tmp_path / name).write_text("planted")
    assert {name: backend["usable"] for name, backend in listed().items()} == expected
    assert quoin("run", case).returncode == 0


@pytest.mark.row(25)
@pytest.mark.parametrize("path", [":", "/usr/lib:", "."])
def test_a_library_in_the_working_directory(quoin, case, alone, listed, tmp_path, path):
    environment = {**os.environ, "LD_LIBRARY_PATH": path}
    plugin = alone("needs-library")
    assert listed(plugin.parent, env=environment)["needs-library"]["usable"]  # nothing lies there
    (tmp_path / "libanl.so.1").write_text("planted")
    refused(quoin, tmp_path, "needs-library", f"needs libanl.so.1, and LD_LIBRARY_PATH would take '{tmp_path}",
            "--plugin-dir", plugin.parent, env=environment)
