#!/usr/bin/env python3
"""Which share of a parser's lines the corpus reaches: coverage.py TARGET COMPILER FOLDER... Below 90 % is a failure."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

PARSERS = {
    "fuzz-case": ["case/backend.cpp", "case/case.cpp", "case/definitions.cpp", "case/diagnostics.cpp",
                  "case/override.cpp", "case/path.cpp", "case/reader.cpp", "case/scalar.cpp", "base/text.cpp",
                  "case/values.cpp", "case/yaml.cpp", "case/yaml_fault.cpp"],
    "fuzz-mesh": ["mesh/gmsh.cpp", "mesh/gmsh_22.cpp", "mesh/gmsh_40.cpp", "mesh/gmsh_41.cpp", "mesh/gmsh_elements.cpp",
                  "mesh/gmsh_file.cpp", "mesh/gmsh_layout.cpp", "mesh/gmsh_nodes.cpp", "mesh/gmsh_sides.cpp",
                  "mesh/gmsh_stream.cpp"],
    "fuzz-matrix": ["matrix/market_entries.cpp", "matrix/market_header.cpp", "matrix/market_rows.cpp",
                    "matrix/market_text.cpp", "matrix/market_text.hpp"],
    "fuzz-manifest": ["plugin/manifest.cpp"],
    "fuzz-formula": ["case/expression.cpp"],
    "fuzz-index": ["output/checkpoint_index.cpp"],
    "fuzz-grid": ["problems/dgcvs/setup/esri_grid.cpp", "problems/dgcvs/setup/words.cpp"],
    "fuzz-series": ["problems/dgcvs/setup/series.cpp", "problems/dgcvs/setup/words.cpp"],
}

target = pathlib.Path(sys.argv[1])
tools = pathlib.Path(sys.argv[2]).resolve().parent  # of the compiler's version
files = [file for folder in sys.argv[3:] for file in sorted(pathlib.Path(folder).iterdir()) if file.is_file()]

with tempfile.TemporaryDirectory() as folder:
    raw, merged = pathlib.Path(folder, "raw"), pathlib.Path(folder, "merged")
    replay = subprocess.run([target, *files], capture_output=True, text=True,
                            env=os.environ | {"LLVM_PROFILE_FILE": str(raw)})
    if replay.returncode != 0:
        sys.exit(replay.stderr[-10000:])
    subprocess.run([tools / "llvm-profdata", "merge", "-o", merged, raw], check=True)
    report = subprocess.run([tools / "llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", target],
                            check=True, capture_output=True)

covered = lines = 0
for file in json.loads(report.stdout)["data"][0]["files"]:
    if any(file["filename"].endswith("/framework/" + parser) for parser in PARSERS[target.name]):
        counts = file["summary"]["lines"]
        print(f"{counts['percent']:5.1f} % of {counts['count']:4} lines  {file['filename'].split('/framework/')[1]}")
        covered += counts["covered"]
        lines += counts["count"]
print(f"{100 * covered / lines:5.1f} % of {lines:4} lines, by {len(files)} inputs")
sys.exit(0 if covered >= 0.9 * lines else "the corpus reaches less than 90 % of the parser's lines")
