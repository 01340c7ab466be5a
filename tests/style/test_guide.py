"""The plugin guides start from small backends."""

import os
import pathlib

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])


def sources(plugin):
    return [file for file in (SOURCE / "plugins" / plugin).iterdir() if file.suffix != ".md"]


def lines(files):
    return sum(len(file.read_text().splitlines()) for file in files)


def test_the_smallest_backend_stays_small():
    files = sources("template")
    assert {file.name for file in files} == {"CMakeLists.txt", "backend.cpp"}
    assert lines(files) < 40


def test_the_asynchronous_device_stays_small():
    files = sources("worker")
    assert {"CMakeLists.txt", "backend.cpp", "queue.hpp"} < {file.name for file in files}
    assert lines(files) <= 400
