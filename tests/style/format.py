"""format.py CLANG_FORMAT SOURCE_DIR: every source is formatted as .clang-format says."""

import pathlib
import subprocess
import sys

clang_format, root = sys.argv[1], pathlib.Path(sys.argv[2])
files = sorted(file for folder in ("framework", "plugins", "apps", "tests") for file in (root / folder).rglob("*")
               if file.suffix in {".cpp", ".hpp", ".h", ".c"})
sys.exit(subprocess.run([clang_format, "--dry-run", "-Werror", "--style=file", *files]).returncode)
