"""golden.py [--write] QUOIN CONFIGS TABLE BACKEND...: runs every case under the folder CONFIGS on each backend (`serial`,
`openmp:host`) and compares the status, and the hashes of field and history, with the table.

--write makes the table anew from one backend. What the table sets for a case, so that it takes a second at most, is kept;
a new case gets nothing set. The bits of a formula's functions are those of a library, which the table names.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

KEPT = ("status", "field_sha256", "history_sha256")


def solve(quoin, case, settings, backend, folder):
    """What is kept of the case's summary, and the library that its formulas took their functions from."""
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    # A file of fields or a checkpoint would take time and change nothing.
    command = [quoin, "run", case, *words, "--set", "output.fields=false", "--set", "run.checkpoint.end=false",
               "--backend", backend, "--output", folder, "--force", "--json"]
    result = subprocess.run(command, text=True, capture_output=True)
    try:
        summary = json.loads(result.stdout)
        return {key: summary[key] for key in KEPT}, summary["versions"]["functions"]
    except (ValueError, KeyError):
        return {"status": f"no result, exit code {result.returncode}: {result.stderr.strip()}"}, None


def main(quoin, configs, table_file, *backends, write=False):
    table = json.loads(table_file.read_text()) if table_file.exists() else {"cases": {}}
    names = sorted(str(file.relative_to(configs).with_suffix("")) for file in configs.rglob("*.yaml"))
    settings = {name: table["cases"].get(name, {}).get("set", {}) for name in names}
    failures = []
    libraries = set()
    with tempfile.TemporaryDirectory() as folder:
        for backend in backends:
            for name in names:
                found, library = solve(quoin, configs / f"{name}.yaml", settings[name], backend, pathlib.Path(folder) / "out")
                libraries |= {library} - {None}
                expected = table["cases"].get(name)
                if write:
                    table["cases"][name] = {"set": settings[name], **found}
                elif expected is None:
                    failures.append(f"{name}: not in {table_file}; add it with --write")
                else:
                    failures += [f"{name} on {backend}: {key} is {found.get(key)}, not {expected[key]}"
                                 for key in KEPT if found.get(key) != expected[key]]
    functions = ", ".join(sorted(libraries))
    gone = sorted(table["cases"].keys() - set(names))
    if write:
        cases = {name: table["cases"][name] for name in names}
        table_file.write_text(json.dumps({"functions": functions, "cases": cases}, indent=1) + "\n")
        return [f"{name}: {case['status']}" for name, case in cases.items() if "field_sha256" not in case]
    if failures and functions != table["functions"]:
        failures.append(f"the table was made with {table['functions']}, and these results with {functions}")
    return failures + [f"{name}: in {table_file}, but there is no such case" for name in gone]


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    writing = "--write" in sys.argv
    if len(words) < 4 or writing and len(words) != 4:
        sys.exit(__doc__)
    os.environ["QUOIN_PLUGIN_PATH"] = ""  # the plugins are those beside the program
    wrong = main(*[pathlib.Path(word).absolute() for word in words[:3]], *words[3:], write=writing)
    sys.exit("\n".join(wrong) or None)
