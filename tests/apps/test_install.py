"""The installation, its documentation, and a backend built against it."""

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess

import pytest
from test_docs import BLOCK, WHEN_INSTALLED, follow


def run(*arguments, **options):
    result = subprocess.run([*map(str, arguments)], text=True, capture_output=True, timeout=900, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def commands(prefix):
    text = run(prefix / "bin/quoin", "--help")
    names = re.findall(r"^  ([a-z]+) ", text[text.index("Commands:"):text.index("Exit codes:")], re.M)
    assert {"check", "compare", "conformance", "converge", "list", "run", "schema"} <= set(names)
    return names


def test_man_page_names_every_command(prefix, commands):
    page = (prefix / "share/man/man1/quoin.1").read_text()
    for name in commands:
        assert f".SS quoin {name}\n" in page
    assert ".SS quoin bench jacobi\n" in page and ".B quoin bench jacobi\n" in page
    assert "plugin\\-dir" in page and ".SH EXIT STATUS" in page


def test_man_page_has_the_usual_parts(prefix):
    page = (prefix / "share/man/man1/quoin.1").read_text()
    parts = re.findall(r"^\.SH (.*)$", page, re.M)
    assert {"SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"} <= set(parts)
    assert "complete" not in re.findall(r"^\.SS quoin (.*)$", page, re.M)


def test_completion(prefix):
    """What they give, test_completion.py asks."""
    for file in ["bash-completion/completions/quoin", "zsh/site-functions/_quoin", "fish/vendor_completions.d/quoin.fish"]:
        assert "quoin complete" in (prefix / "share" / file).read_text()
    line = f"source {prefix}/share/bash-completion/completions/quoin; COMP_WORDS=({prefix}/bin/quoin comp); COMP_CWORD=1; " \
           "_quoin; printf '%s\\n' \"${COMPREPLY[@]}\""
    assert run("bash", "-c", line) == "compare\n"


def test_explain_names_installed_cases(prefix):
    text = run(prefix / "bin/quoin", "explain", "method.relative_tolerance")
    (cases,) = re.findall(r"^  used in  (.*?)\Z", text, re.M | re.S)
    assert "jacobi/" in cases and ".yaml" in cases and str(prefix / "share/quoin/configs") in cases
    assert "used in" not in run(prefix / "bin/quoin", "explain", "run.watchdog")


def test_reference_pages(prefix):
    assert "method.tolerance" in (prefix / "share/doc/quoin/case-keys.md").read_text()
    assert (prefix / "share/doc/quoin/case.schema.json").stat().st_size > 0
    kernels = (prefix / "share/doc/quoin/kernels.md").read_text()
    assert "## jacobi\n\n### `jacobi_laplacian`\n\nau = A u on a box. Pattern `map`.\n" in kernels
    assert "| `u` | reals | in | `with_sides()` |\n| `au` | reals | out | `points()` |\n" in kernels
    assert "Constant `order`: 0 to 4, in float to 2." in kernels
    assert "def evaluate" in (prefix / "share/doc/quoin/HDF5.md").read_text()


def test_installed_program_runs_an_installed_case(prefix, tmp_path):
    case = prefix / "share/quoin/configs/jacobi/seed-100.yaml"
    run(prefix / "bin/quoin", "run", case, "--set", "method.stop=iterations", "--set", "method.max_iterations=5",
        cwd=tmp_path)
    assert (tmp_path / "results/seed-100/summary.json").exists()


def test_the_guides_are_installed_with_their_examples(prefix, source):
    for folder in ["template", "worker", "fault", "heat"]:
        files = [file for file in (source / "plugins" / folder).rglob("*") if file.is_file()]
        assert len(files) > 1
        for file in files:
            assert (prefix / "share/doc/quoin" / file.relative_to(source / "plugins")).read_text() == file.read_text()


def environment_of(prefix):
    """That of who follows a guide: with the installed programs, and CMake."""
    cmake = os.path.dirname(shutil.which(os.environ["QUOIN_CMAKE"]))
    return os.environ | {"PATH": f"{prefix / 'bin'}:{cmake}:{os.environ['PATH']}", "CMAKE_GENERATOR": "Ninja"}


def backend_by_guide(prefix, folder, guide, reasons, launcher):
    """Runs the commands of a guide that are given one of these reasons why they are not run with the page, as they stand
    there, and looks for what they print."""
    environment = environment_of(prefix) | {"CMAKE_CXX_COMPILER_LAUNCHER": str(launcher)}
    followed = []

    def perform(reason, text):
        if reason not in reasons:
            return None
        followed.append(text)
        return run("bash", "-ec", "exec 2>&1\n" + re.sub(r"\bPREFIX\b", str(prefix), text), cwd=folder, env=environment)

    follow(prefix / "share/doc/quoin" / guide / "README.md", folder, perform)
    return followed


@pytest.mark.parametrize("guide", ["template", "worker"])
def test_a_backend_by_the_guide(prefix, case, tmp_path, quick_compiler, guide):
    followed = backend_by_guide(prefix, tmp_path, guide, {WHEN_INSTALLED}, quick_compiler)
    assert "quoin conformance" in followed[0]
    assert "CMAKE_BUILD_TYPE:STRING=Release\n" in (tmp_path / "mine/build/CMakeCache.txt").read_text()


def test_a_program_with_a_problem_of_its_own(prefix, source, tmp_path):
    """It links the library, and its tests use mocks."""
    run(os.environ["QUOIN_CMAKE"], "-S", source / "tests/apps/outside", "-B", tmp_path, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}")
    run(os.environ["QUOIN_CMAKE"], "--build", tmp_path)
    assert "4 tests from 1 test suite ran" in run(tmp_path / "decay_test")
    (tmp_path / "case.yaml").write_text("problem: {type: decay, rate: 2}\nmethod: {steps: 2, step: 0.125}\n"
                                        "backend: serial\noutput: {directory: result}\n")
    run(tmp_path / "decay", "case.yaml", cwd=tmp_path)
    summary = json.loads((tmp_path / "result/summary.json").read_text())
    assert (summary["problem"], summary["status"], summary["backend"]) == ("decay", "completed", "serial")
    eight = struct.pack("<8d", *[0.5625] * 8)
    assert summary["field_sha256"] == hashlib.sha256(eight).hexdigest()


@pytest.mark.parametrize("wanted, without, reason", [
    ("", ["GTest", "spdlog"], ""),
    ("COMPONENTS quoin", ["GTest"], ""),
    ("COMPONENTS quoin", ["spdlog"], "Quoin::quoin needs spdlog"),
    ("COMPONENTS testing", ["GTest"], "Quoin::testing needs GoogleMock"),
    ("COMPONENTS testing", ["spdlog"], "Quoin::quoin needs spdlog"),
    ("COMPONENTS sdk", ["GTest", "spdlog"], ""),
    ("COMPONENTS tests", [], "no component tests"),
])
def test_components_need_only_what_they_use(prefix, tmp_path, wanted, without, reason):
    target = wanted.split()[-1] if wanted else "sdk"
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(any LANGUAGES CXX)\nfind_package(Quoin {wanted})\n"
        f"if(NOT Quoin_FOUND)\n  message(FATAL_ERROR \"not found: ${{Quoin_NOT_FOUND_MESSAGE}}\")\nendif()\n"
        f"add_library(any INTERFACE)\ntarget_link_libraries(any INTERFACE Quoin::{target})\n"
        f"if(NOT TARGET Quoin::{target})\n  message(FATAL_ERROR no)\nendif()\n")
    command = [os.environ["QUOIN_CMAKE"], "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
               *[f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in without]]
    result = subprocess.run(command, text=True, capture_output=True, timeout=60)
    assert (result.returncode == 0) == (not reason), result.stdout + result.stderr
    assert reason in result.stderr


def test_every_installed_header_comes_with_its_library(prefix, tmp_path):
    include = prefix / "include"
    headers = sorted(str(file.relative_to(include)) for file in (include / "quoin").rglob("*.h*"))
    assert len(headers) > 20
    assert not list((include / "quoin-kernels/kernels").rglob("oracle*"))
    (tmp_path / "all.cpp").write_text("".join(f"#include <{header}>\n" for header in headers) + "int main() {}\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(every LANGUAGES CXX)\n"
        "find_package(Quoin REQUIRED COMPONENTS testing)\nadd_executable(every all.cpp)\n"
        "target_link_libraries(every PRIVATE Quoin::testing Quoin::reference)\n")
    run(os.environ["QUOIN_CMAKE"], "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run(os.environ["QUOIN_CMAKE"], "--build", tmp_path / "build")

    symbols = run("nm", "-DC", "--defined-only", prefix / "lib/libquoin.so")
    symbols += run("nm", "-C", "--defined-only", prefix / "lib/libquoin_reference.a")
    function = re.compile(r"^(?!inline|constexpr|template|using)[A-Za-z][\w:<>,&* ]*? [&*]?(\w+)\((?:[^;{}]|\{\})*\);$",
                          re.M)
    declared = {name for header in headers for name in function.findall((include / header).read_text())}
    assert {"run_case", "run_reference", "log", "choose_backend"} <= declared
    assert [name for name in sorted(declared) if not re.search(rf" quoin::(testing::)?{name}(\[abi:cxx11\])?\(", symbols)] == []


@pytest.mark.parametrize("name, compiler, options", [
    ("serial", "c++", []),
    ("opencl", "c++", []),
    ("openmp", "clang++-19", []),
    ("hip", "hipcc", ["-DQUOIN_HIP_PLATFORM=amd", "-DQUOIN_HIP_ARCHITECTURES=gfx90a"]),
])
def test_every_backend_builds_out_of_tree(prefix, source, tmp_path, name, compiler, options):
    """As their guides say. Machine code for all their kernels takes minutes, and comes from the same files within the tree:
    where there are kernels, all is parsed and checked here, and no more."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    folder = source / "plugins" / name
    lines = [f"cmake -S plugins/{name} -B build-{name} -DCMAKE_PREFIX_PATH=PREFIX"]
    if (folder / "README.md").exists():
        (lines,) = [text.splitlines() for reason, *_, text in BLOCK.findall((folder / "README.md").read_text())
                    if reason == WHEN_INSTALLED]

    def perform(line, *more):
        line = line.replace("INSTALL_PREFIX=PREFIX", f"INSTALL_PREFIX={tmp_path}").replace("=PREFIX", f"={prefix}")
        run("bash", "-ec", " ".join([line.replace(f"plugins/{name}", str(folder)), *more]), cwd=tmp_path,
            env=environment_of(prefix))

    perform(lines[0], f"-DCMAKE_CXX_COMPILER={shutil.which(compiler)}", *options)
    build = tmp_path / f"build-{name}"
    if name != "opencl":  # whose kernels are compiled when they run
        commands = [line for line in run("ninja", "-C", build, "-t", "commands").splitlines() if " -c " in line]
        assert len(commands) >= len(list(folder.glob("*.cpp")))
        by_source = {command.split()[-1]: command for command in commands}  # one for any instruction set
        for command in by_source.values():
            run("bash", "-c", re.sub(r" -o \S+", "", command) + " -fsyntax-only", cwd=build)
        return
    perform(lines[1])
    plugins = tmp_path / "lib/quoin/plugins"
    listed = run(prefix / "bin/quoin", "list", "--plugin-dir", plugins)
    assert re.search(rf"^{name} .*{re.escape(str(plugins))}", listed, re.M), listed
