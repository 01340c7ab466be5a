"""The script that compares the cases' bits with the table finds each kind of difference."""

import json
import pathlib
import subprocess
import sys

import pytest

from conftest import SMALL


@pytest.fixture
def golden(build, tmp_path):
    """Runs the script on the cases of a folder of its own, of which there is one: gives its exit code and what it says."""

    def call(*words):
        script = pathlib.Path(__file__).with_name("golden.py")
        result = subprocess.run([sys.executable, "-B", script, build / "bin/quoin", tmp_path / "configs",
                                 tmp_path / "table.json", *words], text=True, capture_output=True, timeout=60)
        return result.returncode, result.stderr

    (tmp_path / "configs/jacobi").mkdir(parents=True)
    (tmp_path / "configs/jacobi/small.yaml").write_text(SMALL)
    assert call("serial", "--write") == (0, "")
    return call


def change(file, **values):
    table = json.loads(file.read_text())
    table["cases"]["jacobi/small"].update(values)
    file.write_text(json.dumps(table))


def test_the_same_bits_pass(golden):
    assert golden("serial", "check") == (0, "")


@pytest.mark.parametrize("key", ["status", "field_sha256", "history_sha256"])
def test_another_value_is_named(golden, tmp_path, key):
    change(tmp_path / "table.json", **{key: "other"})
    code, said = golden("serial")
    assert code == 1
    assert said.startswith(f"jacobi/small on serial: {key} is ") and said.endswith(", not other\n")


def test_what_is_set_is_kept_and_counts(golden, tmp_path):
    change(tmp_path / "table.json", set={"method.max_iterations": 7})
    code, said = golden("serial")
    assert code == 1 and "status is not_converged, not converged" in said
    assert golden("serial", "--write") == (0, "")
    assert golden("serial") == (0, "")
    case = json.loads((tmp_path / "table.json").read_text())["cases"]["jacobi/small"]
    assert case["status"] == "not_converged" and case["set"] == {"method.max_iterations": 7}


def test_table_and_folder_have_the_same_cases(golden, tmp_path):
    small = tmp_path / "configs/jacobi/small.yaml"
    small.rename(small.with_name("new.yaml"))
    code, said = golden("serial")
    assert code == 1
    assert "jacobi/new: not in" in said and "jacobi/small: in" in said


def test_a_backend_that_fails_fails(golden):
    code, said = golden("serial:9")
    assert code == 1 and "no result, exit code 7" in said


def test_another_library_of_functions_is_named(golden, tmp_path):
    file = tmp_path / "table.json"
    change(file, field_sha256="other")
    file.write_text(json.dumps(json.loads(file.read_text()) | {"functions": "SLEEF 1.0"}))
    assert "the table was made with SLEEF 1.0, and these results with SLEEF" in golden("serial")[1]
