"""`quoin sweep`: a case with other values, its members side by side."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import time

import pytest
from conftest import results, summary

VARY = ["--vary", "method.max_iterations=20,40", "--vary", "problem.grid.nodes=[30,20],[15,10]"]
NAMES = ["max_iterations=20,nodes=30x20", "max_iterations=20,nodes=15x10",
         "max_iterations=40,nodes=30x20", "max_iterations=40,nodes=15x10"]
ENDLESS = ["--set", "method={stop: iterations, max_iterations: 100000000}", "--set", "output.history=false"]


def stored(folder):
    return json.loads((folder / "sweep.json").read_text())


def statuses(folder):
    return [row["status"] for row in stored(folder)["members"]]


@pytest.fixture
def begun(build, case, tmp_path):
    """begun(word, ...): a sweep in the background, once so many members have begun, and their logs say so."""
    started = []

    def call(*words, members=1, log=""):
        process = subprocess.Popen([build.resolve() / "bin/quoin", "sweep", case, *words, "--output", "out"], cwd=tmp_path,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        started.append(process)
        while sum(log in file.with_name("run.log").read_text() for file in tmp_path.glob("out/*/timing.csv")) < members:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        return process

    yield call
    for process in started:
        process.kill()
        process.communicate()


def processes_of(folder):
    """The processes whose command line names a folder in `folder`, by that."""
    found = {}
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().decode().split("\0")
            if entry.isdigit() and os.readlink(f"/proc/{entry}/cwd") == str(folder.parent) and words[1] in ("run", "resume"):
                found[next(word for word in words if word.startswith(folder.name + "/"))] = int(entry)
        except (OSError, IndexError, StopIteration):
            pass
    return found


def gone(folder):
    for _ in range(3000):
        if not processes_of(folder):
            return True
        time.sleep(0.01)
    return False


def test_the_tables_are_what_the_members_tell(quoin, case, tmp_path):
    done = quoin("sweep", case, *VARY, "--set", "method.stop=iterations", "--output", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\nresults in out\n") and done.stderr.count(" completed") == 4
    study = stored(tmp_path / "out")
    assert study["complete"] and study["exit_code"] == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out/sweep.csv").read_text())))
    assert [row["directory"] for row in rows] == [f"out/{name}" for name in NAMES]
    for number, (name, member, row) in enumerate(zip(NAMES, study["members"], rows)):
        told = summary(tmp_path / "out" / name)
        assert member["member"] == number == int(row["member"]) and member["status"] == told["status"] == row["status"]
        assert member["values"] == {"method.max_iterations": told["iterations"],
                                    "problem.grid.nodes": "[30,20]" if number % 2 == 0 else "[15,10]"}
        assert row["problem.grid.nodes"] == member["values"]["problem.grid.nodes"]
        for path in ["iterations", "residual", "errors.l2", "wall_seconds", "end_seconds.fields"]:
            value = told
            for part in path.split("."):
                value = value[part]
            assert member["figures"][path] == value == float(row[path])
        assert not {"version", "host.cores", "exit_code"} & set(member["figures"])
        line = done.stdout.splitlines()[number + 1].split()
        assert line[:3] == [str(told["iterations"]), row["problem.grid.nodes"], str(told["iterations"])]
        assert line[4] == f"{told['errors']['l2']:.3e}" and line[-1] == "completed"


def test_a_member_is_the_run_that_its_command_line_names(quoin, case, tmp_path):
    assert quoin("sweep", case, "--vary", "method.max_iterations=20,40", "--set", "method.stop=iterations").returncode == 0
    folder = tmp_path / "result-sweep/max_iterations=40"
    alone = quoin("run", case, "--set", "method.stop=iterations", "--set", "method.max_iterations=40")
    assert alone.returncode == 0 and results(tmp_path / "result") == results(folder)
    line = summary(folder)["command_line"]
    shutil.rmtree(folder)
    assert subprocess.run(line, shell=True, cwd=tmp_path, check=False).returncode == 0
    assert results(tmp_path / "result") == results(folder)


def test_zip_and_list(quoin, case, tmp_path):
    done = quoin("sweep", case, *VARY, "--zip", "--list")
    assert done.returncode == 0 and done.stderr == ""
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["member", "max_iterations", "nodes", "folder"],
        ["0", "20", "[30,20]", f"result-sweep/{NAMES[0]}"], ["1", "40", "[15,10]", f"result-sweep/{NAMES[3]}"]]
    assert len(quoin("sweep", case, *VARY, "--list").stdout.splitlines()) == 5
    assert [entry.name for entry in tmp_path.iterdir()] == ["case.yaml"]


@pytest.mark.parametrize("words, code, message", [
    (["--vary", "method.max_iteration=1,2"], 3, "--vary method.max_iteration:1:8: error: unknown key 'max_iteration' in "
     "'method'; did you mean 'max_iterations'?\n1 | method.max_iteration=1\n           ^~~~~~~~~~~~~\n"),
    (["--vary", "method.max_iterations=20,x"], 3, "--vary method.max_iterations:1:23: error: "),
    (["--vary", "method.max_iterations=20,0"], 3, "1 | method.max_iterations=0\n"),
    (["--vary", "problem.grid.nodes=[3,3"], 3, "--vary problem.grid.nodes:1:"),
    (["--vary", "method.max_iterations=20,40", "--vary", "backend=serial,nonesuch"], 8, "in the member "
     "method.max_iterations=20 backend=nonesuch:\n"),
    (["--vary", "method.tolerance=1,2", "--vary", "method.max_iterations=20,30,40", "--zip"], 2,
     "method.tolerance has 2 values and method.max_iterations has 3: --zip needs as many of each"),
    (["--vary", "method.max_iterations"], 2, "expected KEY=V1,V2,..., not 'method.max_iterations'"),
    (["--vary", "method.max_iterations=1,,2"], 2, "--vary method.max_iterations has an empty value: '1,,2'"),
    (["--vary", "output.directory=a,b"], 2, "give that of the sweep by --output"),
    (["--vary", "method.max_iterations=1,2", "--member", "2"], 2, "--member 2: the members are 0 to 1"),
    (["--vary", "method.max_iterations=1,2", "--resume", "--force"], 2, "excludes"),
    ([], 2, "--vary is required"),
])
def test_bad_input_is_refused_before_anything_runs(quoin, case, tmp_path, words, code, message):
    done = quoin("sweep", case, *words)
    assert done.returncode == code and message in done.stderr and done.stdout == ""
    assert [entry.name for entry in tmp_path.iterdir()] == ["case.yaml"]


def test_members_read_what_standard_input_held(quoin, case, tmp_path):
    text = case.read_text()
    words = [*VARY, "--jobs", "2", "--output"]
    assert quoin("sweep", case, *words, "of a file").returncode == quoin("sweep", "-", *words, "piped", input=text).returncode
    for name in NAMES:
        assert results(tmp_path / "piped" / name) == results(tmp_path / "of a file" / name)
        assert summary(tmp_path / "piped" / name)["case_sha256"] == summary(tmp_path / "of a file" / name)["case_sha256"]
    shutil.rmtree(tmp_path / "piped" / NAMES[2])
    quoin("sweep", "-", *words, "piped", "--resume", input=text)
    assert results(tmp_path / "piped" / NAMES[2]) == results(tmp_path / "of a file" / NAMES[2])
    other = quoin("sweep", "-", *words, "piped", "--resume", input=text.replace("1e-11", "1e-10"))
    assert other.returncode == 2 and "method.tolerance is 1e-11 there, and 1e-10 here" in other.stderr
    wrong = quoin("sweep", "-", *words, "wrong", input=text.replace("method:", "methode:"))
    assert wrong.returncode == 3 and "<stdin>:" in wrong.stderr and not (tmp_path / "wrong").exists()


@pytest.mark.parametrize("words", [["--slurm"], ["--member", "0"]])
def test_a_member_by_itself_needs_a_file(quoin, case, words):
    done = quoin("sweep", "-", *VARY, *words, input=case.read_text())
    assert done.returncode == 2 and "a member by itself reads the case from a file: give one" in done.stderr


def test_a_member_that_fails_does_not_end_the_others(quoin, case, tmp_path):
    words = ["sweep", case, "--vary", "method.max_iterations=20000,3,20001", "--jobs", "1"]
    done = quoin(*words, "--json")
    study = json.loads(done.stdout)
    assert done.returncode == study["exit_code"] == 4 and study == stored(tmp_path / "result-sweep")
    assert [row["status"] for row in study["members"]] == ["converged", "not_converged", "converged"]
    assert study["complete"] and "2 of 3 members ended well" in done.stderr
    before = (tmp_path / "result-sweep/max_iterations=3/summary.json").read_bytes()
    again = quoin(*words, "--resume")  # came to its end: it would end so again
    assert again.returncode == 4 and "0 of 3 members to run" in again.stderr
    assert (tmp_path / "result-sweep/max_iterations=3/summary.json").read_bytes() == before


def test_a_member_that_crashes_is_run_again(quoin, case, tmp_path):
    words = ["sweep", case, "--jobs", "1", "--vary", "backend=serial,{name: fault, call: launch, fault: crash, at: 3}"]
    done = quoin(*words)
    folder = tmp_path / "result-sweep"
    crashed = stored(folder)["members"][1]
    assert done.returncode == crashed["exit_code"] == 128 + signal.SIGSEGV and crashed["figures"] == {}
    assert crashed["status"] == "killed" and crashed["message"] == "Segmentation fault"
    assert not stored(folder)["complete"] and "--resume goes on" in done.stderr
    again = quoin(*words, "--resume")
    assert again.returncode == 128 + signal.SIGSEGV and "1 of 2 members to run" in again.stderr


def test_one_that_cannot_go_on_says_why(quoin, case, tmp_path):
    words = ["sweep", case, "--vary", "method.max_iterations=30,40", "--set", "method.stop=iterations"]
    assert quoin(*words).returncode == 0
    first = tmp_path / "result-sweep/max_iterations=30"
    (first / "summary.json").unlink()
    next(first.glob("checkpoint-*.h5")).write_text("broken")
    done = quoin(*words, "--resume")
    row = stored(tmp_path / "result-sweep")["members"][0]
    assert done.returncode == row["exit_code"] == 9 and row["status"] == "failed" and row["figures"] == {}
    assert row["message"].startswith("result-sweep/max_iterations=30: ") and row["message"] in done.stderr
    assert "1 of 2 members ended well; --resume" in done.stderr


def test_results_are_replaced_only_when_asked(quoin, case, tmp_path):
    words = ["sweep", case, *VARY, "--zip", "--set", "method.stop=iterations"]
    assert quoin(*words).returncode == 0
    (tmp_path / "result-sweep/mine.txt").write_text("mine")
    done = quoin(*words)
    assert done.returncode == 2 and "--resume goes on with it, --force replaces it, --output chooses another" in done.stderr
    first = summary(tmp_path / "result-sweep" / NAMES[0])["date"]
    again = quoin(*words, "--force")
    assert again.returncode == 0 and "2 of 2 members to run" in again.stderr
    assert (tmp_path / "result-sweep/mine.txt").exists() and summary(tmp_path / "result-sweep" / NAMES[0])["date"] >= first


def test_another_sweep_is_not_gone_on_with(quoin, case, tmp_path):
    words = ["sweep", case, "--vary", "method.max_iterations=20,40", "--set", "method.stop=iterations"]
    assert quoin(*words).returncode == 0
    kept = stored(tmp_path / "result-sweep")
    other = quoin("sweep", case, "--vary", "method.max_iterations=20,50", "--resume")
    assert other.returncode == 2 and "holds a sweep over other values; choose another folder with --output" in other.stderr
    changed = quoin(*words, "--set", "problem.initial=1", "--resume")
    assert changed.returncode == 2 and "problem.initial.u is '0' there, and '1' here; choose another" in changed.stderr
    assert stored(tmp_path / "result-sweep") == kept
    (tmp_path / "own").mkdir()
    (tmp_path / "own/notes.txt").write_text("mine")
    own = quoin(*words, "--resume", "--output", "own")
    assert own.returncode == 2 and "own: holds no sweep to go on with" in own.stderr
    assert [entry.name for entry in (tmp_path / "own").iterdir()] == ["notes.txt"]


def test_a_signal_ends_members_in_order_and_resume_goes_on(tmp_path, begun):
    words = ["--vary", "problem.grid.nodes=[30,20],[15,10],[9,9]", "--jobs", "2", *ENDLESS]
    process = begun(*words, members=2)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
    out, err = process.communicate(timeout=240)
    assert process.returncode == 130 and "--resume goes on" in err and out.endswith("results in out\n")
    assert statuses(tmp_path / "out") == ["interrupted", "interrupted", "waiting"]
    assert stored(tmp_path / "out")["complete"] is False
    assert len(list(tmp_path.glob("out/*/checkpoint-*.h5"))) == 2
    reached = [row["figures"]["iterations"] for row in stored(tmp_path / "out")["members"][:2]]
    process = begun(*words, "--resume", members=2, log="goes on after")
    os.killpg(process.pid, signal.SIGTERM)
    assert "3 of 3 members to run" in process.communicate(timeout=240)[1] and process.returncode == 143
    for folder, count in zip(["nodes=30x20", "nodes=15x10"], reached):
        assert summary(tmp_path / "out" / folder)["resumed"]["iterations"] == count


def test_what_was_interrupted_goes_on_from_its_checkpoint(quoin, case, tmp_path):
    words = ["sweep", case, "--vary", "method.max_iterations=3000,4000", "--set", "method.stop=iterations", "--jobs", "1",
             "--set", "run.checkpoint.every=1000", "--output"]
    assert quoin(*words, "whole").returncode == 0
    assert quoin(*words, "out").returncode == 0
    # As a kill leaves it: the first has a checkpoint and no end, the second had not begun.
    first, second = (tmp_path / f"out/max_iterations={count}" for count in (3000, 4000))
    told = summary(first)
    (first / "summary.json").write_text(json.dumps({**told, "status": "running", "iterations": 2500}))
    for file in first.glob("checkpoint-000000003000.*"):
        file.unlink()
    shutil.rmtree(second)
    checkpoints = sorted(file.name for file in first.glob("checkpoint-*.h5"))
    assert checkpoints and "3000" not in checkpoints[-1]
    again = quoin(*words, "out", "--resume")
    assert again.returncode == 0 and "2 of 2 members to run" in again.stderr
    assert summary(first)["resumed"]["iterations"] == 2000 and "resumed" not in summary(second)
    for folder in (first, second):
        assert results(folder) == results(tmp_path / "whole" / folder.name)
    assert stored(tmp_path / "out")["complete"]


def test_a_killed_sweep_leaves_no_member_behind(quoin, case, tmp_path, begun):
    words = ["--vary", "problem.grid.nodes=[30,20],[15,10]", "--jobs", "2", *ENDLESS]
    process = begun(*words, members=2)
    second = quoin("sweep", case, *words, "--output", "out", "--resume")
    assert second.returncode == 6 and "another run (process" in second.stderr
    process.kill()
    process.communicate()
    assert gone(tmp_path / "out")
    assert all(summary(folder)["status"] == "interrupted" for folder in (tmp_path / "out").glob("nodes=*"))
    assert len(list(tmp_path.glob("out/*/checkpoint-*.h5"))) == 2


def test_a_killed_member_does_not_end_the_others(quoin, case, tmp_path, begun):
    process = begun("--vary", "problem.grid.nodes=[30,20],[15,10]", "--jobs", "2", *ENDLESS, members=2)
    members = processes_of(tmp_path / "out")
    os.kill(members.pop("out/nodes=30x20"), signal.SIGKILL)
    while "killed" not in process.stderr.readline():
        pass
    assert processes_of(tmp_path / "out") == members
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=240)
    assert process.returncode == 143
    rows = stored(tmp_path / "out")["members"]
    assert [(row["status"], row["exit_code"]) for row in rows] == [("killed", 137), ("interrupted", 143)]


@pytest.mark.parametrize("words, wanted", [([], ["interrupted", "waiting"]), (["--jobs", "2"], ["interrupted"] * 2)])
def test_members_take_turns_at_a_device(tmp_path, begun, words, wanted):
    process = begun("--vary", "problem.grid.nodes=[30,20],[15,10]", "--backend", "worker", *words, *ENDLESS,
                    members=wanted.count("interrupted"))
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=240)[1]
    assert statuses(tmp_path / "out") == wanted and f"2 of 2 members to run, {wanted.count('interrupted')} at a time" in err


def test_slurm_runs_members_and_resume_gathers_them(quoin, build, case, tmp_path):
    words = [case, *VARY, "--set", "method.stop=iterations", "--set", "title='a, b'", "--output", "out dir"]
    script = quoin("sweep", *words, "--slurm", "--threads", "2")
    lines = script.stdout.splitlines()
    assert script.returncode == 0 and lines[0] == "#!/bin/sh" and "#SBATCH --array=0-3" in lines
    assert "#SBATCH --cpus-per-task=2" in lines and not (tmp_path / "out dir").exists()
    for task in ("3", "0", "1"):
        done = subprocess.run(["sh", "-c", script.stdout], cwd=tmp_path, env={**os.environ, "SLURM_ARRAY_TASK_ID": task},
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    again = quoin("sweep", *words, "--member", "1")
    assert again.returncode == 0 and "nothing is left to do" in again.stdout
    dates = [summary(tmp_path / "out dir" / name)["date"] for name in (NAMES[0], NAMES[1], NAMES[3])]
    done = quoin("sweep", *words, "--resume")
    assert done.returncode == 0 and "1 of 4 members to run" in done.stderr
    assert stored(tmp_path / "out dir")["complete"] and statuses(tmp_path / "out dir") == ["completed"] * 4
    assert [summary(tmp_path / "out dir" / name)["date"] for name in (NAMES[0], NAMES[1], NAMES[3])] == dates
    assert summary(tmp_path / "out dir" / NAMES[2])["title"] == "a, b"


def test_the_report(quoin, case, tmp_path):
    assert quoin("sweep", case, *VARY, "--set", "title=Two <grids>").returncode == 4
    page = (tmp_path / "result-sweep/report.html").read_text()
    study = stored(tmp_path / "result-sweep")
    assert "<h1>Two &lt;grids&gt;</h1>" in page
    for name, member in zip(NAMES, study["members"]):
        assert f'<a href="./{name}/">' in page and f'<data value="{member["figures"]["errors.l2"]}">' in page
    assert "over method.max_iterations" in page and page.count("<td>not_converged</td>") == 4
    assert page.count("<figure>") == (4 if shutil.which("gnuplot") else 0)
    assert quoin("report", "result-sweep").returncode == 0
    # Without numbers to run over there are bars.
    assert quoin("sweep", case, "--vary", "backend=serial,template", "--output", "bars").returncode == 0
    assert "by member." in (tmp_path / "bars/report.html").read_text() or not shutil.which("gnuplot")


def test_a_full_disk_is_told_and_nothing_is_lost(build, case, tmp_path):
    """As `ulimit -f` makes it: no file may have more than a few bytes, for members and table alike."""
    words = f"{build.resolve()}/bin/quoin sweep {case} --vary method.max_iterations=20,40 --set method.stop=iterations"
    done = subprocess.run(["bash", "-c", f"ulimit -f 1; {words}"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 6 and "cannot write" in done.stderr
    again = subprocess.run(["bash", "-c", f"{words} --resume"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert again.returncode == 0 and stored(tmp_path / "result-sweep")["complete"]


def test_many_members(quoin, case, tmp_path):
    values = ",".join(map(str, range(1, 21)))
    done = quoin("sweep", case, "--vary", f"method.max_iterations={values}", "--set", "method.stop=iterations",
                 "--set", "output.fields=false", "--set", "run.checkpoint.end=false")
    assert done.returncode == 0 and "20 of 20: " in done.stderr
    assert [row["figures"]["iterations"] for row in stored(tmp_path / "result-sweep")["members"]] == list(range(1, 21))
