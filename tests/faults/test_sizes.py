"""Problems that are too large: row 5 of the list of faults."""

import re
import resource

import pytest


def refused(result, tmp_path):
    assert result.returncode == 3, result.stderr
    assert not (tmp_path / "result").exists()
    return result.stderr


@pytest.mark.parametrize("command", ["run", "check"])
def test_more_nodes_than_there_can_be(quoin, case, tmp_path, command):
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[4294967296, 4294967296]"), tmp_path)
    assert text.count("4294967296") >= 2 and "allowed" in text


@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_host_has(quoin, case, tmp_path, command):
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[2147483648, 2147483648]"), tmp_path)
    needed, had = map(int, re.search(r"needs (\d+) bytes of host memory and (\d+) can be had", text).groups())
    assert needed > 2**65 > had > 0


@pytest.mark.parametrize("command", ["run", "check"])
def test_more_bytes_than_the_process_may_have(quoin, case, tmp_path, command):
    limit = 2**30
    text = refused(quoin(command, case, "--set", "problem.grid.nodes=[16384, 16384]",
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))), tmp_path)
    needed, had = map(int, re.search(r"needs (\d+) bytes of host memory and (\d+) can be had", text).groups())
    assert needed > 16384**2 * 8 and had < limit
