"""Completion in bash, zsh and fish: what a Tab gives."""

import os
import pty
import re
import select
import shlex
import subprocess
import time

import pytest


@pytest.fixture
def folder(case, tmp_path):
    """Where the shells stand: a case, another file, and two folders."""
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "result").mkdir()
    (tmp_path / "other").mkdir()
    return tmp_path


@pytest.fixture
def environment(build):
    return {**os.environ, "PATH": f"{build / 'bin'}:{os.environ['PATH']}", "TERM": "dumb"}


@pytest.fixture
def asked(build, folder):
    """asked(word, ...): what the program itself offers in place of the last word, each with its meaning."""

    def call(*words):
        done = subprocess.run([build / "bin/quoin", "complete", "quoin", *words], cwd=folder, text=True,
                              capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return dict(line.partition("\t")[::2] for line in done.stdout.splitlines())

    return call


@pytest.fixture
def bash(source, folder, environment):
    """bash(word, ...): what bash's function offers in place of the last word."""

    def call(*words):
        parts = [part for word in words for part in re.findall("[=:]+|[^=:]+", word) or [""]]  # as bash parts them
        line = f"source {source}/apps/quoin/completion/quoin.bash; COMP_WORDS=(quoin {shlex.join(parts)}); " \
               f"COMP_CWORD={len(parts)}; _quoin; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, text=True, capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    return call


@pytest.fixture
def fish(source, folder, environment, monkeypatch):
    def call(line):
        script = f"source {source}/apps/quoin/completion/quoin.fish; complete -C {shlex.quote(line)}"
        home = {"HOME": str(folder / "other"), "XDG_CONFIG_HOME": str(folder / "other")}
        done = subprocess.run(["fish", "--no-config", "-c", script], cwd=folder, env={**environment, **home}, text=True,
                              capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    return call


def typed(arguments, keys, wanted, folder, environment):
    """What an interactive shell shows once these keys were typed, one string after the other, until `wanted` is there."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(arguments, cwd=folder, env={**environment, "PS1": "$ "}, stdin=theirs, stdout=theirs,
                               stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = b""
    for key in keys:
        os.write(ours, key.encode())
    end = time.monotonic() + 60
    while not re.search(wanted, shown.decode(errors="replace")) and time.monotonic() < end:
        if select.select([ours], [], [], 1)[0]:
            shown += os.read(ours, 65536)
    process.kill()
    process.wait()
    os.close(ours)
    return shown.decode(errors="replace")


def test_commands_and_options_have_their_meanings(asked):
    commands = asked("")
    assert commands["run"] == "Run a case and write its results into a folder"
    assert {"resume", "check", "explain", "bench", "help", "version"} <= set(commands) and "complete" not in commands
    assert set(asked("bench", "")) == {"jacobi", "dgcvs", "krylov", "spmv", "remapping", "scaling", "memory", "overhead", "end"}
    assert set(asked("help", "bench", "j")) == {"jacobi"} and "run" in asked("help", "")
    assert asked("run", "--qui") == {"--quiet": "Print errors only"}
    assert {"--help", "--version"} <= set(asked("-"))
    assert asked("version", "") == asked("nonesuch", "x") == asked("run", "case.yaml", "") == {}


@pytest.mark.parametrize("words, wanted", [
    (["list", ""], {"backends", "devices", "problems", "kernels", "communicators"}),
    (["bench", "jacobi", "--variants", "classic,f"], {"classic,fused"}),
    (["run", "--set", "method.solver="], {"method.solver=" + solver for solver in (
        "jacobi", "chebyshev", "multigrid", "auto", "sweeps", "newton", "matrices", "cg", "bicgstab", "gmres", "cgs",
        "bicg", "richardson")}),
    (["sweep", "--vary", "method.solver=cg,bicgs"], {"method.solver=cg,bicgstab"}),
    (["sweep", "--vary=backend=serial,tem"], {"--vary=backend=serial,template"}),
    (["run", "--set=run.trace=t"], {"--set=run.trace=true"}),
    (["run", "--set", "output.fields=f"], {"output.fields=false"}),
    (["run", "--set", "problem.boundary.left.type=w"], {"problem.boundary.left.type=wall"}),
    (["run", "--set", "problem.bound"], {"problem.boundary."} | {
        f"problem.boundary.{side}.{key}=" for side in ("left", "right", "bottom", "top", "back", "front")
        for key in ("type", "value", "coefficient")}),
    (["run", "--set", "backend=ser"], {"backend=serial"}),
    (["explain", "method.max_s"], {"method.max_steps"}),
    (["new", ""], {"dg-cvs", "jacobi", "linear-system", "backend", "problem"}),
    (["new", "backend", ""], {"@folders"}),
    (["explain", "me"], {"method"}),
    (["run", "--backend", "ser"], {"serial"}),
    (["resume", "result", "--backend=ser"], {"--backend=serial"}),
    (["compare", "case.yaml", "--backends", "template,ser"], {"template,serial"}),
    (["conformance", "ser"], {"serial", "@files"}),
    (["run", "--set", "run.threads=4", "--quiet", ""], {"@cases"}),
    (["bench", "dgcvs", "a.yaml", ""], {"@cases"}),
    (["resume", ""], {"@folders"}),
    (["report", ""], {"@folders"}),
    (["diff", "result", ""], {"@folders"}),
    (["table", "result", ""], {"@folders"}),
    (["run", "--output", ""], {"@folders"}),
    (["report", "result", "--output="], {"@files"}),
    (["run", "--threads", ""], set()),
])
def test_values(asked, words, wanted):
    given = set(asked(*words))
    assert wanted <= given if words[1:] == ["me"] else given == wanted


def test_backends_of_other_folders(asked, build, monkeypatch):
    assert "wrong" not in asked("run", "--backend", "")
    monkeypatch.setenv("QUOIN_PLUGIN_PATH", str(build / "tests/plugins/wrong"))
    assert "wrong" in asked("run", "--backend", "")


def test_bash(bash):
    assert bash("comp") == ["compare"]
    assert bash("run", "--fo") == ["--force"]
    assert bash("run", "c") == ["case.yaml"] and bash("run", "notes") == [] and bash("run", "res") == ["result"]
    assert sorted(bash("report", "")) == ["other", "result"] == sorted(bash("run", "--output", ""))
    assert bash("list", "dev") == ["devices"]
    # What follows a '=' or ':' is all that bash replaces.
    assert bash("run", "--set", "method.relative_tol") == ["method.relative_tolerance="]
    assert bash("run", "--set", "method.solver=che") == ["chebyshev"]
    assert "newton" in bash("run", "--set", "method.solver=")
    assert bash("run", "--set", "method.tolerance=1e-5", "--set", "run.progress=b") == ["bar"]
    assert bash("run", "--backend", "openmp:host", "--set", "method.precision=f") == ["float"]
    assert bash("run", "--backend=ser") == ["serial"]


def test_a_tab_in_bash(source, folder, environment):
    keys = [f"source {source}/apps/quoin/completion/quoin.bash\n", "quoin run ca\t--set method.sol\tche\t"]
    shown = typed(["bash", "--norc", "--noprofile", "-i"], keys, r"case\.yaml --set method\.solver=chebyshev", folder,
                  environment)
    assert "quoin run case.yaml --set method.solver=chebyshev" in shown


def test_zsh(source, folder, environment):
    subprocess.run(["zsh", "-n", source / "apps/quoin/completion/quoin.zsh"], check=True)
    (folder / "functions").mkdir()
    (folder / "functions/_quoin").symlink_to(source / "apps/quoin/completion/quoin.zsh")

    def tab(line, wanted):
        keys = ["fpath=(functions $fpath); autoload -Uz compinit; compinit -u -D; unsetopt zle_bracketed_paste\n", line]
        assert re.search(wanted, typed(["zsh", "-f", "-i"], keys, wanted, folder, environment))

    tab("quoin run ca\t--set method.sol\tche\t", r"quoin run case\.yaml.* --set method\.solver=chebyshev")
    tab("quoin resume res\t", "quoin resume result/")
    tab("quoin comp\t", "quoin compare ")


def test_fish(fish):
    assert fish("quoin comp") == ["compare"]
    assert fish("quoin run --fo") == ["--force"]
    assert "case.yaml" in fish("quoin run ") and "notes.txt" not in fish("quoin run n")
    assert sorted(fish("quoin resume ")) == ["other/", "result/"]
    assert fish("quoin run --set method.solver=che") == ["method.solver=chebyshev"]
    assert fish("quoin compare case.yaml --backends template,ser") == ["template,serial"]
