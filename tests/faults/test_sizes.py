"""Problems that are too large: row 5 of the list of faults."""

import re
import resource
import shutil

import pytest


def refused(result, tmp_path):
    assert result.returncode == 3, result.stderr
    assert not (tmp_path / "result").exists()
    return result.stderr


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_nodes_than_there_can_be(quoin, case, tmp_path, command):
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[4294967296, 4294967296]"), tmp_path)
    assert text.count("4294967296") >= 2 and "allowed" in text


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_host_has(quoin, case, tmp_path, command):
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[2147483648, 2147483648]"), tmp_path)
    needed, had = map(int, re.search(r"needs (\d+) bytes of host memory and (\d+) can be had", text).groups())
    assert needed > 2**65 > had > 0


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_process_may_have(quoin, case, tmp_path, command):
    limit = 2**30
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[16384, 16384]",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))), tmp_path)
    needed, had = map(int, re.search(r"needs (\d+) bytes of host memory and (\d+) can be had", text).groups())
    assert needed > 16384**2 * 8 and had < limit


@pytest.mark.row(5)
@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_device_has(quoin, case, build, tmp_path, command):
    (tmp_path / "plugins").mkdir(mode=0o755)
    shutil.copy(build / "tests/framework/fakes/good.so", tmp_path / "plugins")
    result = quoin(command, case, "--plugin-dir", "plugins", "--backend", "good:beta")
    assert result.returncode == 7, result.stderr
    (needed,) = map(int, re.search(r"Fake Beta: the run needs (\d+) bytes of device memory and the device has 1000; "
                                   "make the problem smaller or choose another device", result.stderr).groups())
    assert needed > 3 * 30 * 20 * 8 and not (tmp_path / "result").exists()
