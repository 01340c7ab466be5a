"""Disks that are full or fail: rows 16 and 17 of the list of faults.

strace makes the calls of the program on one file fail, by their number; libfiu makes writes short; where the system
allows it, small file systems are filled for real.
"""

import json
import os
import re
import shlex
import subprocess

import pytest

DGCVS = """\
problem:
  type: dg-cvs
  equation: burgers
  mesh: {cells: [6, 6]}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: periodic, top: periodic}
  initial: "0.25+0.5*sin(pi*(x+y))"
method: {order: 2, cfl: 0.4, final_time: 0.1}
backend: serial
output: {directory: result, fields: {every: 0.05}, probes: [[0, 0]], lines: {cut: {from: [-1, 0], to: [1, 0]}}}
"""
# By case: its files that appear whole, and those that grow. To have another kind of file tested, add it here.
WHOLE = {"jacobi": ["case.yaml", "u.vti", "trace.json", "summary.json"],
         "dgcvs": ["case.yaml", "cells-000001.h5", "cells-000001.vtu", "cells.pvd", "cells-000002.h5",
                   "cells-000002.vtu", "summary.json"]}
GROWING = {"jacobi": ["history.csv", "timing.csv"], "dgcvs": ["history.csv", "timing.csv", "probes.csv"]}
EVERY_WHOLE = [(problem, name) for problem, names in WHOLE.items() for name in names]
EVERY_GROWING = [(problem, name) for problem, names in GROWING.items() for name in names]
TIMES = {"summary.json", "timing.csv", "run.log", "trace.json"}  # hold times, which differ between runs


@pytest.fixture
def cases(case, tmp_path):
    (tmp_path / "jacobi.yaml").write_text(case.read_text().replace("output:", "run: {trace: true}\noutput:"))
    (tmp_path / "dgcvs.yaml").write_text(DGCVS)
    case.unlink()


@pytest.fixture
def undisturbed(quoin, cases, tmp_path):
    """The folder that an undisturbed run leaves: undisturbed("jacobi")."""

    def call(problem):
        assert quoin("run", f"{problem}.yaml").returncode == 0
        return (tmp_path / "result").rename(tmp_path / "undisturbed")

    return call


@pytest.fixture
def failing(quoin, build, tmp_path):
    """Runs a case while a call of the system on one file fails: failing("jacobi", "u.vti", "write", "ENOSPC")."""

    def call(problem, file, what, error, when="1", command=("run",)):
        log = tmp_path / "strace.log"
        places = [word for name in [f"{tmp_path}/result/{file}", file] for word in ("-P", name)] if file else []
        result = quoin("-f", "--seccomp-bpf", "-qq", "-o", log, *places, "-e", f"trace={what}", "-e",
                       f"inject={what}:error={error}:when={when}", build / "bin/quoin", *command, f"{problem}.yaml",
                       program="strace")
        assert "(INJECTED)" in log.read_text(), result.stderr  # else nothing was tested
        return result

    return call


def is_whole_so_far(folder, undisturbed):
    """What lies in the folder is what the undisturbed run wrote, or the beginning of it in a file that grows."""
    for file in folder.iterdir():
        expected = (undisturbed / file.name).read_bytes()
        if file.name in ["files.txt", "history.csv", "probes.csv"]:
            assert expected.startswith(file.read_bytes()), file.name
        elif file.name.endswith(".pvd"):
            assert all((folder / name).exists() for name in re.findall('file="(.*?)"', file.read_text()))
        elif file.name not in TIMES:
            assert file.read_bytes() == expected, file.name
    for name in ["summary.json", "trace.json"]:
        if (folder / name).exists():
            json.loads((folder / name).read_text())


def failed(result, tmp_path, undisturbed, file, words):
    assert result.returncode == 6, result.stderr
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"quoin: error: result/{file}: ") and words in last
    is_whole_so_far(tmp_path / "result", undisturbed)
    if file != "summary.json":
        facts = json.loads((tmp_path / "result/summary.json").read_text())
        assert (facts["status"], facts["exit_code"]) == ("failed", 6) and words in facts["message"]


@pytest.mark.row(16)
@pytest.mark.parametrize("problem, file", EVERY_WHOLE)
def test_no_room_for_a_whole_file(failing, undisturbed, tmp_path, problem, file):
    before = undisturbed(problem)
    bytes_ = "" if file in TIMES or file == "cells.pvd" else f"the last {(before / file).stat().st_size} "
    result = failing(problem, f".{file}.part", "write", "ENOSPC", "1+")
    failed(result, tmp_path, before, file, f"{bytes_}bytes: No space left on device")
    assert file == "cells.pvd" or problem == "dgcvs" or not (tmp_path / "result" / file).exists()


@pytest.mark.row(16)
@pytest.mark.parametrize("when", ["1", "2", "3"])
@pytest.mark.parametrize("problem, file", EVERY_GROWING)
def test_no_room_for_a_file_that_grows(failing, undisturbed, tmp_path, problem, file, when):
    before = undisturbed(problem)
    result = failing(problem, file, "write", "ENOSPC", when)
    assert re.search(r"cannot write the last \d+ bytes: No space left on device", result.stderr)
    failed(result, tmp_path, before, file, "No space left on device")


@pytest.mark.row(16)
@pytest.mark.parametrize("file", ["converge.json", "converge.csv"])
def test_no_room_for_the_files_of_a_study(failing, cases, tmp_path, file):
    command = ("converge", "--levels", "2", "--output", "result", "--set", "run.trace=false")
    result = failing("jacobi", f".{file}.part", "write", "ENOSPC", "1+", command)
    assert result.returncode == 6, result.stderr
    assert re.search(rf"result/{file}: cannot write the last \d+ bytes: No space left on device", result.stderr)
    assert not (tmp_path / "result" / file).exists() and not list((tmp_path / "result").glob(".*"))
    done = json.loads((tmp_path / "result/level-0/summary.json").read_text())
    assert done["status"] == "converged" and not (tmp_path / "result/level-1").exists()  # the run that is done stays


@pytest.mark.row(16)
def test_no_room_for_the_log(failing, undisturbed, tmp_path):
    """A run is worth more than its log."""
    before = undisturbed("jacobi")
    result = failing("jacobi", "run.log", "write", "ENOSPC", "1+")
    assert result.returncode == 0 and "No space left on device" in result.stderr
    is_whole_so_far(tmp_path / "result", before)


@pytest.mark.row(16)
@pytest.mark.parametrize("limit, file", [(300, "case.yaml"), (3000, "history.csv")])
def test_files_that_may_not_grow_further(quoin, undisturbed, build, tmp_path, limit, file):
    """The limit of the shell (ulimit -f) is met by a real write, which is short before it fails."""
    before = undisturbed("jacobi")
    result = quoin(f"--fsize={limit}", build / "bin/quoin", "run", "jacobi.yaml", "--quiet", program="prlimit")
    assert "File too large" in result.stderr
    failed(result, tmp_path, before, file, "File too large") if file != "case.yaml" else None
    assert result.returncode == 6


@pytest.mark.row(16)
def test_too_little_room_is_seen_before_the_run(quoin, cases, tmp_path):
    """How much is missing is known: both numbers are given."""
    result = quoin("run", "jacobi.yaml", "--set", "problem.grid.nodes=[2000000, 2000000]", "--set",
                   "method.max_iterations=1000000000000", "--set", "output.fields.write=false")
    assert result.returncode in (3, 6)  # where the memory does not do either, that comes first
    assert re.search(r"needs? [\d.]+ GiB of (disk|host memory) and [\d.]+ GiB (are left|can be had)", result.stderr)
    assert not (tmp_path / "result").exists()


@pytest.fixture
def small_disk(build, tmp_path):
    """small_disk("size=64k", SCRIPT): runs a shell script with an empty file system in `disk`, of which it copies what
    it wants to keep. QUOIN is the program."""
    (tmp_path / "disk").mkdir()
    enter = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-Urm"]
    mount = "mount -t tmpfs -o {} tmpfs disk"
    probe = subprocess.run([*enter, "sh", "-c", mount.format("size=64k")], cwd=tmp_path, capture_output=True, text=True)
    if probe.returncode != 0:
        pytest.skip(f"a small disk: this system lets nobody mount one here ({probe.stderr.strip()})")

    def call(options, script):
        text = f"QUOIN={shlex.quote(str(build / 'bin/quoin'))}\n{mount.format(options)} || exit 99\n{script}"
        return subprocess.run([*enter, "sh", "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=240)

    return call


@pytest.mark.row(16)
@pytest.mark.parametrize("files", range(1, 9))
def test_a_disk_without_room_for_another_file(small_disk, undisturbed, tmp_path, files):
    """The file system itself takes so many files and folders; the run would have ten."""
    before = undisturbed("jacobi")
    result = small_disk(f"size=1m,nr_inodes={files}", """
        $QUOIN run jacobi.yaml --output disk/result; code=$?
        test -d disk/result && cp -a disk/result result
        exit $code""")
    assert result.returncode == 6 and "No space left on device" in result.stderr, result.stderr
    if (tmp_path / "result").exists():
        (before / "case.yaml").write_text((before / "case.yaml").read_text().replace("directory: 'result'",
                                                                                    "directory: 'disk/result'"))
        is_whole_so_far(tmp_path / "result", before)


@pytest.mark.row(16)
def test_a_disk_that_another_program_fills(small_disk, cases, tmp_path):
    """Without the filler the run would go on for minutes."""
    result = small_disk("size=48m", """
        $QUOIN run jacobi.yaml --output disk/result --set problem.grid.nodes=[200,200] --set method.stop=iterations \\
            --set method.max_iterations=1000000 --set run.trace=false &
        while [ ! -s disk/result/history.csv ]; do sleep 0.01; done
        dd if=/dev/zero of=disk/filler bs=64k 2>/dev/null
        wait $!; code=$?
        cp -a disk/result result
        exit $code""")
    assert result.returncode == 6, result.stderr
    assert re.search(r"(history|timing).csv: cannot write the last \d+ bytes: No space left on device", result.stderr)
    kept = tmp_path / "result"
    assert sorted(file.name for file in kept.iterdir()) == ["case.yaml", "files.txt", "history.csv", "run.log",
                                                               "timing.csv"]
    rows = (kept / "history.csv").read_text().splitlines()
    assert rows[0] == "iteration,residual"
    assert [int(row.split(",")[0]) for row in rows[1:-1]] == list(range(len(rows) - 2))  # the last may be torn


@pytest.mark.row(17)
@pytest.mark.parametrize("call, words", [("fsync", "cannot bring the file to the disk: Input/output error"),
                                         ("close", "cannot close the file: Input/output error")])
@pytest.mark.parametrize("problem, file", EVERY_WHOLE)
def test_a_file_that_does_not_reach_the_disk(failing, undisturbed, tmp_path, problem, file, call, words):
    before = undisturbed(problem)
    failed(failing(problem, f".{file}.part", call, "EIO", "1+"), tmp_path, before, file, words)
    assert not list((tmp_path / "result").glob(".*"))


@pytest.mark.row(17)
@pytest.mark.parametrize("call, words", [("fsync", "cannot bring the file to the disk: Input/output error"),
                                         ("close", "cannot close the file: Input/output error")])
@pytest.mark.parametrize("problem, file", EVERY_GROWING)
def test_a_growing_file_that_does_not_reach_the_disk(failing, undisturbed, tmp_path, problem, file, call, words):
    before = undisturbed(problem)
    failed(failing(problem, file, call, "EIO", "1+"), tmp_path, before, file, words)


@pytest.mark.row(17)
@pytest.mark.parametrize("problem, file", EVERY_WHOLE)
def test_a_rename_that_fails(failing, undisturbed, tmp_path, problem, file):
    before = undisturbed(problem)
    result = failing(problem, f".{file}.part", "renameat", "EACCES", "1+")
    failed(result, tmp_path, before, file, "cannot rename the file: Permission denied")
    assert not list((tmp_path / "result").glob(".*"))


@pytest.mark.row(17)
def test_a_folder_that_does_not_reach_the_disk(failing, undisturbed, tmp_path):
    before = undisturbed("jacobi")
    result = failing("jacobi", "", "fsync", "EIO", "4")  # after twice the list of files and case.yaml, its folder's
    assert result.returncode == 6 and "cannot bring the folder to the disk: Input/output error" in result.stderr
    is_whole_so_far(tmp_path / "result", before)


@pytest.mark.row(17)
@pytest.mark.parametrize("call", ["write", "fsync"])
@pytest.mark.parametrize("problem", WHOLE)
def test_interrupted_calls_are_invisible(failing, undisturbed, tmp_path, problem, call):
    before = undisturbed(problem)
    assert failing(problem, "", call, "EINTR", "1+2").returncode == 0
    assert sorted(file.name for file in (tmp_path / "result").iterdir()) == sorted(
        file.name for file in before.iterdir())
    is_whole_so_far(tmp_path / "result", before)
    assert (tmp_path / "result/history.csv").read_bytes() == (before / "history.csv").read_bytes()


@pytest.mark.row(17)
@pytest.mark.parametrize("problem", WHOLE)
def test_short_writes_are_invisible(quoin, undisturbed, build, tmp_path, problem):
    before = undisturbed(problem)
    result = quoin("-x", "-c", "enable_random name=posix/io/rw/write/reduce,probability=0.9", build / "bin/quoin",
                   "run", f"{problem}.yaml", program="fiu-run")
    assert result.returncode == 0, result.stderr
    is_whole_so_far(tmp_path / "result", before)
    assert (tmp_path / "result/history.csv").read_bytes() == (before / "history.csv").read_bytes()
    assert sum(" info: " in line for line in (tmp_path / "result/run.log").read_text().splitlines()) >= 2


@pytest.mark.row(17)
@pytest.mark.parametrize("made", [False, True])
def test_a_folder_that_may_not_be_written(quoin, cases, build, tmp_path, made):
    """In a user namespace of its own the program has no rights beyond its user's, not even root's."""
    place = tmp_path / "place"
    folder = place / "result"
    (folder if made else place).mkdir(parents=True)
    (folder if made else place).chmod(0o555)
    result = quoin("-U", build / "bin/quoin", "run", "jacobi.yaml", "--output", folder, program="unshare")
    if "unshare failed" in result.stderr:
        pytest.skip(f"a folder that may not be written: {result.stderr.strip()}")
    assert result.returncode == 6 and "Permission denied" in result.stderr
    assert str(place) in result.stderr and not list(place.glob("result/*"))
    place.chmod(0o755)


@pytest.mark.row(17)
def test_a_disk_that_is_read_only(small_disk, cases, tmp_path):
    result = small_disk("size=1m", """
        mkdir disk/result && mount -o remount,bind,ro disk || exit 99
        $QUOIN run jacobi.yaml --output disk/result && exit 0
        $QUOIN run jacobi.yaml --output disk/other""")
    assert result.returncode == 6, result.stderr
    for folder, there in [("disk/result", "disk/result"), ("disk/other", "disk")]:
        assert (f"quoin: error: {folder}: the result folder lies on a read-only file system ({tmp_path / there}); "
                "choose another folder with --output") in result.stderr
    assert "iteration" not in result.stderr


@pytest.mark.row(17)
@pytest.mark.parametrize("command", ["run", "check"])
@pytest.mark.parametrize("folder, there, kind", [("/proc/x", "/proc", "proc"), ("/proc/x/y/z", "/proc", "proc"),
                                                 ("/proc", "/proc", "proc"), ("/sys/x", "/sys", "sysfs")])
def test_what_the_kernel_shows_as_files(quoin, cases, command, folder, there, kind):
    result = quoin(command, "jacobi.yaml", "--output", folder)
    assert result.returncode == 6, result.stderr
    assert result.stderr.splitlines()[-1] == (f"quoin: error: {folder}: {there} is of a pseudo file system ({kind}) that "
                                              "holds no files; choose another folder with --output")
