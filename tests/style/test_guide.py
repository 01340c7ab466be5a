"""The plugin guide tells the truth about how large the backends are."""

import os
import pathlib
import re

SOURCE = pathlib.Path(os.environ["QUOIN_SOURCE_DIR"])


def test_lines_and_files():
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|$", (SOURCE / "plugins/template/README.md").read_text(), re.M)
    assert {"template", "serial", "hip", "opencl", "openmp"} <= {row[0] for row in rows}
    for name, files, lines in rows:
        found = [file for file in (SOURCE / "plugins" / name).iterdir() if file.suffix != ".md"]
        assert (int(files), int(lines)) == (len(found), sum(len(file.read_text().splitlines()) for file in found)), name
