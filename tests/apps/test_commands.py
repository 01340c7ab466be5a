"""Every command, and what it says."""

import json
import re
import shutil

import jsonschema
import pytest
import yaml
from conftest import BUILD

COMMANDS = ["run", "resume", "check", "list", "compare", "converge", "sweep", "report", "diff", "table", "bench", "tune",
            "matrix", "new", "explain", "schema", "conformance", "help", "version"]


def test_help_names_the_commands_and_exit_codes(quoin):
    result = quoin("--help")
    assert result.returncode == 0 and result.stderr == ""
    for command in COMMANDS:
        assert f"  {command} " in result.stdout
    for code in [*range(10), 130, 143]:
        assert re.search(rf"\b{code} [a-z]", result.stdout)


@pytest.mark.parametrize("words", [[], *([command] for command in COMMANDS), ["bench", "jacobi"], ["bench", "dgcvs"],
                                   ["bench", "krylov"], ["bench", "spmv"], ["bench", "scaling"], ["bench", "overhead"],
                                   ["bench", "remapping"], ["bench", "memory"], ["bench", "end"]],
                         ids=" ".join)
def test_help_fits_a_screen_and_is_that_of_help(quoin, words):
    result = quoin(*words, "--help")
    assert result.returncode == 0 and result.stderr == ""
    assert max(map(len, result.stdout.splitlines())) <= 80 and len(result.stdout.splitlines()) <= 32
    assert quoin("help", *words).stdout == result.stdout


@pytest.mark.parametrize("words", [["runn"], ["run", "case"], ["bench", "runn"]])
def test_help_of_what_is_no_command(quoin, words):
    result = quoin("help", *words)
    assert result.returncode == 2 and result.stdout == "" and f"there is no command '{words[-1]}'" in result.stderr


def test_version(quoin):
    result = quoin("--version")
    assert result.returncode == 0 and result.stdout.startswith("quoin 0.")
    for word in ["version", "-V"]:
        again = quoin(word)
        assert (again.returncode, again.stdout, again.stderr) == (0, result.stdout, "")


@pytest.mark.parametrize("arguments, words", [
    ([], "subcommand"),
    (["solve"], "solve"),
    (["run"], "case is required"),
    (["run", "a.yaml", "b.yaml"], "b.yaml"),
    (["run", "a.yaml", "--set", "tolerance"], "KEY=VALUE"),
    (["run", "a.yaml", "--no-such-option"], "--no-such-option"),
    (["list", "planets"], "planets"),
    (["schema", "--json", "--markdown"], "excludes"),
])
def test_wrong_usage(quoin, arguments, words):
    result = quoin(*arguments)
    assert result.returncode == 2
    assert result.stdout == "" and result.stderr.startswith("quoin: error: ") and words in result.stderr


def test_list_backends(quoin):
    text = quoin("list").stdout
    assert "serial" in text and "  0: " in text
    rows = json.loads(quoin("list", "backends", "--json").stdout)["backends"]
    serial = next(row for row in rows if row["name"] == "serial")
    assert serial["usable"] and serial["reason"] == "" and serial["file"].endswith("/serial.so")
    assert serial["devices"][0]["kind"] == "cpu" and serial["devices"][0]["precisions"] == ["double", "float"]


def test_list_devices(quoin):
    assert "serial" in quoin("list", "devices").stdout
    rows = json.loads(quoin("list", "devices", "--json").stdout)["devices"]
    assert ("serial", 0) in [(row["backend"], row["index"]) for row in rows]


def test_no_file_stays_where_a_runtime_copied_an_image_of_kernels(quoin, tmp_path):
    log = tmp_path / "strace.log"
    arguments = ["-f", "-qq", "-o", log, "-e", "trace=openat,unlink", BUILD / "bin/quoin", "list", "devices"]
    devices = quoin(*arguments, program="strace").stdout
    made = re.findall(r'openat\(.*?"(/tmp/[^"]+)", [^)]*O_CREAT', log.read_text())
    assert len(made) == devices.count("x86-64 offload") > 0
    assert sorted(made) == sorted(re.findall(r'unlink\("(/tmp/[^"]+)"\) += 0', log.read_text()))


def test_list_problems_and_kernels(quoin):
    assert "\njacobi " in quoin("list", "problems").stdout
    rows = json.loads(quoin("list", "problems", "--json").stdout)["problems"]
    assert [row["name"] for row in rows] == ["dg-cvs", "jacobi", "linear-system"]
    assert "jacobi_sweeps" in quoin("list", "kernels").stdout
    rows = json.loads(quoin("list", "kernels", "--json").stdout)["kernels"]
    sweeps = next(row for row in rows if row["name"] == "jacobi_sweeps")
    assert {"name": "u_new", "kind": "reals", "intent": "out", "optional": False} in sweeps["arguments"]


def test_communicators_are_listed_and_are_no_backends(quoin, tmp_path):
    if not (BUILD / "lib/quoin/plugins/mpi.so").exists():
        pytest.skip("built where there is no MPI")
    assert re.match(r"mpi +\d\S* +/\S+/mpi.so\n$", quoin("list", "communicators").stdout)
    rows = json.loads(quoin("list", "communicators", "--json").stdout)["communicators"]
    assert [(row["name"], row["usable"], row["reason"]) for row in rows] == [("mpi", True, "")]
    for words in (["mpi"], [BUILD / "lib/quoin/plugins/mpi.so"]):
        refused = quoin("conformance", *words)
        assert refused.returncode == 8
        assert "mpi.so: the plugin connects ranks; conformance is that of backends" in refused.stderr


def test_list_explains_a_broken_plugin(quoin, case, tmp_path):
    folder = tmp_path / "plugins"
    folder.mkdir(mode=0o755)
    (folder / "broken.so").write_text("no shared object\n")
    text = quoin("list", "--plugin-dir", folder).stdout
    assert "broken" in text and "cannot be used: " in text and "serial" in text
    rows = json.loads(quoin("list", "--json", "--plugin-dir", folder).stdout)["backends"]
    usable = {row["name"]: row["usable"] for row in rows}
    assert usable["broken"] is False and usable["serial"] is True
    assert quoin("run", case, "--plugin-dir", folder, "--quiet").returncode == 0
    strict = quoin("run", case, "--plugin-dir", folder, "--backend", "broken", "--output", "other")
    assert strict.returncode == 8 and "broken.so" in strict.stderr


def test_schema_is_valid_and_accepts_every_shipped_case(quoin, source):
    schema = json.loads(quoin("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    cases = sorted((source / "configs").rglob("*.yaml"))
    assert cases
    for file in cases:
        jsonschema.validate(yaml.safe_load(file.read_text()), schema)


def test_schema_refuses_mistakes(quoin, case):
    schema = json.loads(quoin("schema", "--json").stdout)
    good = yaml.safe_load(case.read_text())
    jsonschema.validate(good, schema)
    for fields in [False, {"write": False}]:
        jsonschema.validate({**good, "output": {"fields": fields}}, schema)
    for section, key, value in [("method", "tolerence", 1e-5), ("method", "max_iterations", "many"),
                                ("problem", "type", "heat"), ("output", "fields", "no"),
                                ("output", "fields", {"writ": False})]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**good, section: {**good[section], key: value}}, schema)


def test_explain_a_key(quoin):
    text = quoin("explain", "method.check_every").stdout
    assert text.startswith("method.check_every (problem jacobi)\n  Compare every k-th residual norm")
    rows = dict(re.findall(r"^  (type|default|unit|range) +(.*)$", text, re.M))
    assert rows == {"type": "integer", "default": "`1`", "unit": "iterations", "range": "1 to 1000000000000"}
    both = quoin("explain", "method.solver").stdout
    assert "method.solver (problem jacobi)\n" in both and "method.solver (problem dg-cvs)\n" in both
    exact = quoin("explain", "problem.exact").stdout  # a key of one problem, the short form of one of another
    assert exact.startswith("problem.exact (problem jacobi)\n") and "\nproblem.exact.u (problem dg-cvs)\n" in exact
    assert exact.count("\n  used in  ") == 2
    side = quoin("explain", "problem.boundary.left").stdout  # a section of one problem, and a name of another
    assert "\n  problem.boundary.left.value " in side and "\n  problem.boundary.*.type " in side
    for path in ["problem.boundary.left.type", "problem.boundary.*.type"]:  # a name of the user's choice
        assert "problem.boundary.*.type (problem dg-cvs)\n" in quoin("explain", path).stdout
    assert "(backend serial)\n" in quoin("explain", "backend.sweep_depth").stdout


def test_explain_a_section(quoin):
    text = quoin("explain", "run").stdout
    assert "\n  run.threads " in text and "\n  run.checkpoint.keep " in text and "method." not in text
    text = quoin("explain", "method").stdout
    assert "method (problem dg-cvs)\n" in text and "method (problem jacobi)\n" in text
    for section in ["method", "problem", "output", "backend"]:
        lines = quoin("explain", section).stdout.splitlines()
        assert len(lines) > 3 and max(map(len, lines)) <= 80
    assert quoin("explain", "output.fields").stdout.count("\n  output.") == 5


def test_explain_the_file(quoin):
    result = quoin("explain")
    assert result.returncode == 0
    for section in ["problem", "method", "backend", "output", "run"]:
        assert re.search(rf"^  {section} .*\(\d+ keys\)$", result.stdout, re.M)


def test_explain_lists_every_key(quoin):
    """What the schema knows, and no key that is not one."""
    keys = re.findall(r"^\| `([^`]+)` \|", quoin("schema", "--markdown").stdout, re.M)
    in_sections = [key for key in keys if "." in key]
    sections = "".join(quoin("explain", name).stdout for name in sorted({key.split(".")[0] for key in in_sections}))
    assert sorted(re.findall(r"^  (\S+\.\S+) ", sections, re.M)) == sorted(in_sections)
    assert all(re.search(rf"^  {key} ", quoin("explain").stdout, re.M) for key in set(keys) - set(in_sections))
    for key in keys[::10]:
        assert key in [line.split(" ")[0] for line in quoin("explain", key).stdout.splitlines()]


@pytest.mark.parametrize("path, suggestion", [
    ("method.tolerence", "did you mean 'method.tolerance'"),
    ("tolerance", "did you mean 'method.tolerance'"),
    ("metod", "did you mean 'method'"),
    ("cooking", "has no key or section 'cooking'\n"),
    ("method.", "has no key or section 'method.'"),
    ("method.tolerance.x", "did you mean 'method.tolerance'"),
])
def test_explain_what_is_not_there(quoin, path, suggestion):
    result = quoin("explain", path)
    assert result.returncode == 2 and result.stdout == "" and suggestion in result.stderr, result.stderr


def test_reference_page(quoin):
    text = quoin("schema", "--markdown").stdout
    assert "method.tolerance" in text and "| " in text


def test_every_shipped_case_is_checked(quoin, source):
    for file in sorted((source / "configs").rglob("*.yaml")):
        result = quoin("check", file)
        assert result.returncode == 0, result.stderr
        assert "memory of the host" in result.stdout and "disk" in result.stdout


def test_check_runs_and_writes_nothing(quoin, case, tmp_path):
    assert quoin("check", case).returncode == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["case.yaml"]


def test_check_notes_a_result_folder_that_is_not_empty(quoin, case, tmp_path):
    assert quoin("run", case).returncode == 0
    checked = quoin("check", case)
    assert checked.returncode == 0 and "\nnote: result is not empty: 'run' needs --force" in checked.stdout
    noted = json.loads(quoin("check", case, "--json").stdout)
    assert noted["valid"] is True and len(noted["notes"]) == 1
    refused = quoin("run", case)
    assert refused.returncode == 2 and "--force" in refused.stderr
    (tmp_path / "empty").mkdir()
    assert "note:" not in quoin("check", case, "--output", "empty").stdout


def test_check_for_programs(quoin, case):
    result = quoin("check", case, "--json")
    assert result.returncode == 0 and result.stderr == ""
    found = json.loads(result.stdout)
    assert found["valid"] is True and found["errors"] == [] and found["notes"] == [] and found["exit_code"] == 0
    needs = found["estimate"]
    assert needs["device_bytes"] >= 0 and needs["host_bytes"] > 0 and needs["disk_bytes"] > 0

    case.write_text(case.read_text().replace("tolerance", "tolerence").replace('source: "0"', 'source: "q"'))
    plain, result = quoin("check", case), quoin("check", case, "--json")
    assert result.returncode == plain.returncode == 3 and result.stderr == plain.stderr and plain.stdout == ""
    found = json.loads(result.stdout)
    assert found["valid"] is False and found["estimate"] is None and found["exit_code"] == 3
    assert [(error["file"], error["line"], error["column"]) for error in found["errors"]] == [
        (str(case), 5, 12), (str(case), 9, 10)]
    assert "did you mean 'tolerance'" in found["errors"][1]["message"]


@pytest.mark.parametrize("words, code, file", [
    (["absent.yaml"], 6, None),
    (["case.yaml", "--backend", "nonesuch"], 8, None),
    (["case.yaml", "--set", "method.tolerance=-1"], 3, "--set method.tolerance"),
])
def test_check_for_programs_says_what_else_is_wrong(quoin, case, words, code, file):
    result = quoin("check", *words, "--json")
    assert result.returncode == code and result.stderr
    found = json.loads(result.stdout)
    (error,) = found["errors"]
    assert found["exit_code"] == code and found["valid"] is False and error["file"] == file and error["message"]


def test_a_backend_that_is_not_built_says_how_to_build_it(quoin, build, case, tmp_path):
    """As in a tree of which only the program and one backend are built."""
    tree = tmp_path / "tree"
    for file in ["bin/quoin", "lib/libquoin.so.0", "lib/quoin/quoin-probe", "lib/quoin/quoin-hdf5.so",
                 "lib/quoin/plugins/serial.so"]:
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(build / file, tree / file)
    shutil.copytree(build / "lib/quoin/not-built", tree / "lib/quoin/not-built")
    assert {"serial", "openmp", "opencl"} <= {file.name for file in (tree / "lib/quoin/not-built").iterdir()}
    (tree / "lib/quoin/not-built/slow").write_text("there is no abacus")
    for backend, words in [("opencl", f"is not built; build it with: cmake --build '{build}' --target quoin_plugin_opencl"),
                           ("slow", "is not built; there is no abacus"), ("../not-built/slow", "known are: serial")]:
        result = quoin("run", case, "--backend", backend, program=tree / "bin/quoin")
        assert result.returncode == 8 and words in result.stderr, result.stderr
    both = quoin("run", case, "--set", "backend=[opencl, serial]", program=tree / "bin/quoin")
    assert both.returncode == 0 and "--target quoin_plugin_opencl" in both.stderr, both.stderr
