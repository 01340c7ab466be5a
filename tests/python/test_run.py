"""Cases that Python runs: what comes back, and what is raised."""

import json
import os
import pathlib
import pickle
import re
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
import yaml
from conftest import BUILD, SMALL, SOURCE, summary
from package import ENDLESS, WAVES, quoin, until


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def child_of(process):
    """The program that a process runs."""
    return int(pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()[0])


def test_a_file_a_text_and_a_mapping_are_the_same_case(case, tmp_path):
    mapping = {"problem": {"type": "jacobi", "grid": {"nodes": np.array([30, 20])}, "domain": {"x": [0, 3], "y": (0, 2)},
                           "source": "0", "boundary": dict.fromkeys(["left", "right", "bottom", "top"], "x+2*y"),
                           "initial": "0", "exact": "x+2*y"},
               "method": {"tolerance": np.float64(1e-11), "max_iterations": np.int64(20000)}, "backend": "serial"}
    of_file = quoin.run("case.yaml")
    assert (of_file.folder, of_file.status) == (tmp_path / "result", "converged")
    for k, same in enumerate([case, SMALL, mapping]):
        run = quoin.run(same, output=tmp_path / f"again-{k}")
        assert run["u"].tobytes() == of_file["u"].tobytes() and run.folder == tmp_path / f"again-{k}"
    assert np.abs(of_file["u"] - (of_file.frames[-1].coordinates["x"] + 2 * of_file.frames[-1].coordinates["y"][:, None])
                  ).max() < 1e-9
    assert quoin.run(case, force=True).summary == summary(tmp_path / "result")
    assert quoin.run(SMALL.replace("output: {directory: result}\n", "")).folder == tmp_path / "results/case"


def test_arrays_stay_what_they_are_though_their_run_is_replaced(case):
    run = quoin.run(case)
    state = run.checkpoints[-1].arrays["u"]
    kept = run["u"].copy(), state.copy()
    again = quoin.run(case, {"method.tolerance": 1e-3}, force=True)
    assert not np.array_equal(again["u"], kept[0])
    further = quoin.resume(again.folder, {"method.tolerance": 1e-5})
    assert not np.array_equal(again["u"], further["u"])
    assert np.array_equal(run["u"], kept[0]) and np.array_equal(state, kept[1])


def test_keys_are_set_to_what_their_values_are(case):
    run = quoin.run(case, {"problem.grid.nodes": (9, 7), "method.precision": "float", "title": 'yes: "1e5" # ü\\',
                           "method.tolerance": 1e-3, "output.history": False, "problem.exact": "x+2*y"}, backend="serial")
    assert run.summary["title"] == 'yes: "1e5" # ü\\' and run.summary["precision"] == "float"
    assert run["u"].shape == (9, 11) and run["u"].dtype == np.float32
    with pytest.raises(quoin.FileError, match="no history: output.history is false"):
        run.history
    with pytest.raises(ValueError, match="not JSON compliant"):
        quoin.run(case, {"method.tolerance": float("nan")})
    with pytest.raises(TypeError, match="value of the type complex"):
        quoin.run(case, {"method.tolerance": 1j})


def test_names_of_files_may_be_anything(tmp_path):
    for name in ["ein Fall – ü.yaml", "-case.yaml", "a'b$(c)\".yaml"]:
        pathlib.Path(name).write_text(SMALL.replace("result", "res ült"))
        run = quoin.run(name, force=True)
        assert run.folder == tmp_path / "res ült" and run.status == "converged"
    assert quoin.run("-case.yaml", output="-o =1,2").folder == tmp_path / "-o =1,2"
    assert quoin.resume("-o =1,2", {"method.tolerance": 1e-12}).folder == tmp_path / "-o =1,2"


@pytest.mark.parametrize("change", [("tolerance:", "tolerence:"), ("[30, 20]", "[30, 0]"), ('"x+2*y"', '"x+2*ü+("'),
                                    ("{tolerance", "{tolerance: [, "), ("method:", "method: *a\n#"), (SMALL, "ü: [\n")])
def test_mistakes_have_the_places_that_check_prints(program, case, change):
    text = SMALL.replace(*change)
    case.write_text(text)
    said = program("check", "case.yaml").stderr
    places = re.findall(r"^(\S+?):(\d+):(\d+): error: (.*)", said, re.M)
    assert places
    for attempt in [lambda: quoin.run("case.yaml"), lambda: quoin.check("case.yaml")]:
        with pytest.raises(quoin.CaseError) as raised:
            attempt()
        error = raised.value
        assert [(one.file, str(one.line), str(one.column), one.message) for one in error.mistakes] == places
        assert (error.file, error.line, error.column, error.message) == error.mistakes[0]
        assert str(error) == said.strip() and error.exit_code == 3 and error.run is None
    with pytest.raises(quoin.CaseError) as raised:
        quoin.run(text)
    assert [(one.file, str(one.line), str(one.column), one.message) for one in raised.value.mistakes] == [
        ("<stdin>", *place[1:]) for place in places]
    assert not pathlib.Path("result").exists()
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.mistakes == raised.value.mistakes and str(again) == str(raised.value)


def test_mistakes_of_a_change_and_of_a_mapping_have_places(case):
    with pytest.raises(quoin.CaseError) as raised:
        quoin.run(case, {"method.tolerence": 1, "problem.source": "sin(w)"})
    assert {(one.file, one.line) for one in raised.value.mistakes} == {("--set method.tolerence", 1),
                                                                     ("--set problem.source", 1)}
    with pytest.raises(quoin.CaseError) as raised:
        quoin.run({"problem": {"type": "jacobi",
                               "gird": 1}})
    place = json.dumps({"problem": {"type": "jacobi", "gird": 1}}, indent=2).splitlines()[raised.value.line - 1]
    assert place[raised.value.column - 1:].startswith('"gird"')


def test_every_exit_code_has_a_class():
    table = re.search(r"## Exit codes\n(.*?)\n\n[^|]", (SOURCE / "README.md").read_text(), re.S)[1]
    codes = {int(code) for cell in re.findall(r"^\| ([\d, ]+) \|", table, re.M) for code in cell.split(",")}
    from quoin._errors import OF_CODE
    assert codes == {0, *OF_CODE} and len(codes) == 12
    for code, kind in OF_CODE.items():
        assert issubclass(kind, quoin.Error) and re.search(rf"\b{code}\b", kind.__doc__)


@pytest.mark.parametrize("set, options, kind, words", [
    ({"method.max_iterations": 3}, {}, "NotConverged", "the iteration limit came first"),
    ({"problem.source": "1/(x-x)"}, {}, "CaseError", "finite at every node"),
    ({}, {"backend": "nonesuch"}, "PluginError", "there is no backend 'nonesuch'"),
    ({}, {"options": ["--frobnicate"]}, "UsageError", "--frobnicate"),
    ({}, {"output": "case.yaml"}, "FileError", "case.yaml"),
    ({}, {"output": "full"}, "UsageError", "not empty"),
    ({"problem.grid.nodes": [10**7, 10**8]}, {}, "FileError", "GiB of disk"),
])
def test_an_exit_code_is_an_exception(case, set, options, kind, words):
    pathlib.Path("full").mkdir()
    pathlib.Path("full/file").touch()
    with pytest.raises(quoin.Error, match=words) as raised:
        quoin.run(case, set, **options)
    error = raised.value
    assert type(error).__name__ == kind and not str(error).startswith("quoin: ")
    from quoin._errors import OF_CODE
    assert OF_CODE[error.exit_code] is type(error)
    if kind == "NotConverged":
        assert error.run.status == "not_converged" and error.run.summary["iterations"] == 3
        assert quoin.resume(error.run.folder, {"method.max_iterations": 20000}).status == "converged"
    else:
        assert error.run is None


def test_a_run_that_diverges(case):
    with pytest.raises(quoin.Diverged) as raised:
        quoin.run(WAVES, {"method.cfl": 1.9, "method.final_time": 50})
    assert raised.value.exit_code == 5 and raised.value.run.status == "diverged"


def test_a_checkpoint_that_is_damaged(case):
    run = quoin.run(case)
    for checkpoint in run.checkpoints:
        checkpoint.file.write_bytes(checkpoint.file.read_bytes()[:-1])
    with pytest.raises(quoin.CheckpointError) as raised:
        quoin.resume("result", {"method.tolerance": 1e-12})
    assert raised.value.exit_code == 9


@pytest.mark.parametrize("named, words", [("/no/such/quoin", "QUOIN names no program"), (None, "no program 'quoin' on PATH"),
                                          ("text", "cannot be started")])
def test_there_is_no_program(case, monkeypatch, tmp_path, named, words):
    (tmp_path / "text").write_text("no program")
    (tmp_path / "text").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("QUOIN", named or "")
    with pytest.raises(quoin.ProgramNotFound, match=words) as raised:
        quoin.run(case)
    assert isinstance(raised.value, quoin.FileError)


def test_the_program_is_found_on_the_path(case, monkeypatch):
    monkeypatch.delenv("QUOIN")
    monkeypatch.setenv("PATH", f"{BUILD / 'bin'}:{os.environ['PATH']}")
    assert quoin.run(case).status == "converged"


def test_a_program_that_says_nothing(case, monkeypatch, tmp_path):
    """As of another version, or one that has crashed."""
    for text, kind, words in [("exit 42", quoin.ProgramBug, "exit code 42"), ("kill -SEGV $$", quoin.Killed, "SIGSEGV"),
                              ("echo 'quoin: error: unknown option' >&2; exit 2", quoin.UsageError, "^unknown option$")]:
        (tmp_path / "fake").write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "fake").chmod(0o755)
        monkeypatch.setenv("QUOIN", str(tmp_path / "fake"))
        with pytest.raises(kind, match=words):
            quoin.run(case)


def test_what_the_program_warns_of_is_a_warning(case):
    with pytest.warns(RuntimeWarning, match="no device '7'") as warned:
        quoin.run(case, {"backend": [{"name": "serial", "device": "7"}, "serial"]})
    assert warned[0].filename == __file__


def test_progress_grows_to_the_end(case):
    told = []
    run = quoin.run(case, ENDLESS | {"method.max_iterations": 30000}, progress=told.append)
    iterations = [progress.iterations for progress in told]
    assert iterations == sorted(set(iterations)) and len(told) >= 2
    assert told[-1] == quoin.Progress(30000, 30000, run.summary["residual"], 0.0, None, None)
    assert [progress.residual for progress in told] == sorted((progress.residual for progress in told), reverse=True)
    times = []
    quoin.run(WAVES, progress=lambda progress: times.append((progress.time, progress.final_time)))
    assert times == sorted(times) and times[-1] == pytest.approx((0.4, 0.4))


def test_a_line_shows_progress(case, capfd):
    quoin.run(case, progress=True)
    shown = capfd.readouterr()
    assert shown.out == "" and re.search(r"^(\riteration \d+ of 20000, residual \S+ *)+\n$", shown.err)
    quoin.run(WAVES, progress=True)
    assert re.search(r"\rstep \d+, t = 0.4 of 0.4 *\n$", capfd.readouterr().err)
    quoin.run(case, force=True)
    assert capfd.readouterr() == ("", "")


def test_an_error_of_the_callback_ends_the_run(case, tmp_path):
    def show(progress):
        if progress.iterations > 100:
            raise ZeroDivisionError("of the callback")

    with pytest.raises(ZeroDivisionError, match="of the callback"):
        quoin.run(case, ENDLESS, progress=show)
    assert summary(tmp_path / "result")["status"] == "interrupted" and quoin.read("result").checkpoints


def test_ctrl_c_ends_the_run_with_a_checkpoint(case):
    sessions = set()

    def show(progress):
        if progress.iterations > 100 and not sessions:
            sessions.add(os.getsid(child_of(os.getpid())))
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as raised:
        quoin.run(case, ENDLESS, progress=show)
    error = raised.value
    assert isinstance(error, quoin.Interrupted) and not isinstance(error, Exception)
    assert error.run.status == "interrupted" and error.run.checkpoints[-1].iterations >= error.run.summary["iterations"] > 100
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert os.getsid(0) not in sessions  # a terminal's Ctrl-C does not reach it besides
    more = error.run.summary["iterations"] + 16
    done = quoin.resume(error.run.folder, {"method.max_iterations": more})
    assert done.summary["iterations"] == more and done.summary["resumed"]["iterations"] == more - 16


def test_a_run_in_another_thread(case):
    told = []
    thread = threading.Thread(target=lambda: told.append(quoin.run(case)))
    thread.start()
    thread.join()
    assert told[0].status == "converged"


@pytest.mark.parametrize("number, kind, code", [(signal.SIGKILL, quoin.Killed, 137), (signal.SIGTERM, quoin.Stopped, 143),
                                                (signal.SIGINT, quoin.Stopped, 130)])
def test_somebody_else_ends_the_program(case, number, kind, code):
    sent = []

    def show(progress):
        if progress.iterations > 100 and not sent:
            sent.append(number)
            os.kill(child_of(os.getpid()), number)

    with pytest.raises(kind) as raised:
        quoin.run(case, ENDLESS, progress=show)
    assert raised.value.exit_code == code
    assert raised.value.run.status == ("killed" if number == signal.SIGKILL else "interrupted")
    assert len(raised.value.run.history) > 100


def test_a_run_ends_with_the_python_that_has_started_it(case, tmp_path):
    script = f"import sys; sys.path.insert(0, {str(SOURCE / 'apps/python')!r}); import quoin; " \
             f"quoin.run({str(case)!r}, {ENDLESS!r}, progress=lambda each: print(each, flush=True))"
    with subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE, text=True) as python:
        assert python.stdout.readline().startswith("iteration ")
        program = child_of(python.pid)
        python.kill()
    until(lambda: not pathlib.Path(f"/proc/{program}").exists() or
          pathlib.Path(f"/proc/{program}/stat").read_text().split()[2] == "Z")
    assert summary(tmp_path / "result")["status"] == "interrupted" and quoin.read("result").checkpoints


def test_a_running_run_is_read_while_it_writes(case):
    seen = []

    def show(progress):
        run = quoin.read("result")
        history = run.history
        assert (np.diff(history["iteration"]) > 0).all() and np.isfinite(history["residual"]).all()
        assert run.status == "running" and run.summary["iterations"] >= progress.iterations
        assert "running" in repr(run) and "<svg" in run._repr_html_() or len(history) < 2
        seen.append(len(history))
        if len(seen) > 5:
            raise StopIteration

    with pytest.raises(StopIteration):
        quoin.run(case, ENDLESS, progress=show)
    assert seen == sorted(set(seen))


def test_check(case):
    needs = quoin.check(case)
    assert 10**6 < needs["host_bytes"] < 10**9 and needs["disk_bytes"] > 0
    larger = quoin.check(case, {"problem.grid.nodes": [3000, 2000]})
    assert larger["host_bytes"] - needs["host_bytes"] > 3000 * 2000 * 8
    assert not pathlib.Path("result").exists()


def test_sweep(case, tmp_path):
    study = quoin.sweep(case, {"problem.grid.nodes": [[15, 15], [31, 31]], "method.precision": ["double", "float"]},
                        {"method.tolerance": 1e-3}, output="all of them", options=["--jobs", "2"])
    assert [run["u"].shape + (run["u"].dtype.itemsize,) for run in study.runs] == [
        (17, 17, 8), (17, 17, 4), (33, 33, 8), (33, 33, 4)]
    assert study.folder == tmp_path / "all of them" and study.table["method.precision"].tolist() == ["double", "float"] * 2
    with pytest.raises(quoin.NotConverged, match="1 of 2 members ended well") as raised:
        quoin.sweep(case, {"method.max_iterations": [3, 20000]}, output="one of them")
    assert [run.status for run in raised.value.run.runs] == ["not_converged", "converged"]
    with pytest.raises(quoin.CaseError):
        quoin.sweep(case, {"method.max_iterations": [-3, 20000]})
    text = pathlib.Path(case).read_text()
    for given, name in ((text, "a text"), (yaml.safe_load(text.replace("1e-11", "1.0e-11")), "a mapping")):
        again = quoin.sweep(given, {"problem.grid.nodes": [[15, 15]]}, {"method.tolerance": 1e-3}, output=name)
        assert again.runs[0]["u"].tobytes() == study.runs[0]["u"].tobytes()


@pytest.fixture
def program(tmp_path):
    return lambda *words: subprocess.run([BUILD.resolve() / "bin/quoin", *words], cwd=tmp_path, text=True,
                                         capture_output=True, timeout=60)
