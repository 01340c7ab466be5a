"""The installation, its documentation, and a backend built against it."""

import os
import re
import shutil
import subprocess

import pytest


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
    assert "def evaluate" in (prefix / "share/doc/quoin/HDF5.md").read_text()


def test_installed_program_runs_an_installed_case(prefix, tmp_path):
    case = prefix / "share/quoin/configs/jacobi/seed-100.yaml"
    run(prefix / "bin/quoin", "run", case, "--set", "method.stop=iterations", "--set", "method.max_iterations=5",
        cwd=tmp_path)
    assert (tmp_path / "results/seed-100/summary.json").exists()


def test_a_backend_from_the_template(prefix, source, case, tmp_path):
    """The steps of plugins/template/README.md."""
    mine = tmp_path / "mine"
    shutil.copytree(source / "plugins/template", mine)
    for name in ["CMakeLists.txt", "backend.cpp"]:
        text = (mine / name).read_text()
        text = text.replace("template", "mine") if name == "CMakeLists.txt" else text.replace('"template"', '"mine"')
        (mine / name).write_text(text)
    cmake = os.environ["QUOIN_CMAKE"]
    run(cmake, "-S", mine, "-B", mine / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run(cmake, "--build", mine / "build")
    run(cmake, "--install", mine / "build")
    quoin = prefix / "bin/quoin"
    assert re.search(r"^mine .*\n  0: ", run(quoin, "list"), re.M)
    assert "jacobi_sweeps" in run(quoin, "conformance", "mine")
    run(quoin, "run", case, "--backend", "mine", cwd=tmp_path)
    assert '"mine"' in (tmp_path / "result/summary.json").read_text()


# The kernels of DG-CVS, which the template compiles as well, take minutes: of backends with `parts` these are compiled,
# and all of the others.
@pytest.mark.parametrize("name, compiler, options, parts", [
    ("serial", "c++", [], ["backend", "kernels"]),
    ("opencl", "c++", [], []),
    ("openmp", "clang++-19", ["-DQUOIN_OPENMP_AMD=", "-DQUOIN_OPENMP_NVIDIA="], ["backend", "offload", "target"]),
    ("hip", "hipcc", ["-DQUOIN_HIP_PLATFORM=amd", "-DQUOIN_HIP_ARCHITECTURES=gfx90a"], ["backend", "grid"]),
])
def test_every_backend_builds_out_of_tree(prefix, source, tmp_path, name, compiler, options, parts):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    build = tmp_path / "build"
    run(os.environ["QUOIN_CMAKE"], "-S", source / "plugins" / name, "-B", build, "-G", "Ninja",
        f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={shutil.which(compiler)}",
        "-DCMAKE_BUILD_TYPE=Release", *options)
    if parts:
        targets = re.findall(r"^(\S+/(\w+)\.cpp\.o):", run("ninja", "-C", build, "-t", "targets", "all"), re.M)
        objects = [target for target, part in targets if part in parts]
        assert {part for _, part in targets} >= set(parts)
        run("ninja", "-C", build, *objects)
        return
    run(os.environ["QUOIN_CMAKE"], "--build", build)
    listed = run(prefix / "bin/quoin", "list", "--plugin-dir", build)
    assert re.search(rf"^{name} .*{re.escape(str(build))}", listed, re.M), listed
