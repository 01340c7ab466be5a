"""The plugin guide starts from a small backend."""

import os
import pathlib

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])


def test_the_smallest_backend_stays_small():
    files = [file for file in (SOURCE / "plugins/template").iterdir() if file.suffix != ".md"]
    assert {file.name for file in files} == {"CMakeLists.txt", "backend.cpp"}
    assert sum(len(file.read_text().splitlines()) for file in files) < 40
