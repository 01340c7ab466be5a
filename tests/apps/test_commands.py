"""Every command, and what it says."""

import json

import jsonschema
import pytest
import yaml

COMMANDS = ["run", "check", "list", "compare", "converge", "bench", "tune", "schema", "conformance"]


def test_help_names_the_commands_and_exit_codes(quoin):
    result = quoin("--help")
    assert result.returncode == 0 and result.stderr == ""
    for command in COMMANDS:
        assert f"  {command} " in result.stdout
    for code in [*range(10), 130, 143]:
        assert f"\n  {code:<3}  " in result.stdout


def test_help_of_set_comes_from_the_table_of_keys(quoin):
    text = quoin("run", "--help").stdout
    for key in ["method.tolerance", "problem.grid.nodes", "output.directory", "run.threads"]:
        assert key in text


def test_version(quoin):
    result = quoin("--version")
    assert result.returncode == 0 and result.stdout.startswith("quoin 0.")


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


def test_list_problems_and_kernels(quoin):
    assert "\njacobi " in quoin("list", "problems").stdout
    rows = json.loads(quoin("list", "problems", "--json").stdout)["problems"]
    assert [row["name"] for row in rows] == ["dg-cvs", "jacobi"]
    assert "jacobi_sweeps" in quoin("list", "kernels").stdout
    rows = json.loads(quoin("list", "kernels", "--json").stdout)["kernels"]
    sweeps = next(row for row in rows if row["name"] == "jacobi_sweeps")
    assert {"name": "u_new", "kind": "reals", "intent": "out", "optional": False} in sweeps["arguments"]


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
