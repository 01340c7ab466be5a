"""tidy.py CLANG_TIDY BUILD_DIR SOURCE_DIR [COMMITS]: clang-tidy over the sources of framework/, plugins/ and apps/, all
or those that the last so many commits, or what is not committed yet, changed; all where git cannot tell.

A source that passed is remembered by the hash of what the compiler sees of it, so that only changes are looked at again.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

clang_tidy, build, source = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
commits = sys.argv[4] if len(sys.argv) > 4 else None
passed = build / "tidy"
passed.mkdir(exist_ok=True)
configuration = (source / ".clang-tidy").read_bytes()


def check(entry):
    """The report of one source, empty where there is nothing to say."""
    command = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
    command = command[:command.index("-o")] + ["-E", "-C", entry["file"]]
    seen = subprocess.run(command, cwd=entry["directory"], capture_output=True, check=True).stdout
    stamp = passed / hashlib.sha256(configuration + seen).hexdigest()
    if stamp.exists():
        return ""
    result = subprocess.run([clang_tidy, "--quiet", "-p", passed, entry["file"]], capture_output=True, text=True)
    if result.returncode == 0:
        stamp.touch()
        return ""
    return result.stdout + result.stderr


def git(*words):
    """Lines of git's answer. The oldest commit that there is, of a shallow clone too, has changed nothing."""
    command = ["git", "-C", source, "-c", "log.showRoot=false", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def sources(commands):
    """Those of a folder that are compiled as one are looked at one by one: each has to include what it uses."""
    for command in commands:
        file = pathlib.Path(command["file"])
        if "/Unity/" not in command["file"]:
            yield command
        else:
            for name in re.findall('#include "(.*)"', file.read_text()):
                yield {**command, "file": name, "command": command["command"].replace(command["file"], name)}


folders = tuple(f"{source}/{folder}/" for folder in ("framework", "plugins", "apps"))
entries = {entry["file"]: entry for entry in sources(json.loads((build / "compile_commands.json").read_text()))
           if entry["file"].startswith(folders)}
(passed / "compile_commands.json").write_text(json.dumps(list(entries.values())))
known = len(entries)
if commits:
    try:
        changed = {*git("log", f"--max-count={commits}", "--name-only", "--format="), *git("diff", "--name-only", "HEAD")}
        entries = {file: entry for file, entry in entries.items()
                   if str(pathlib.Path(file).relative_to(source)) in changed}
    except (OSError, subprocess.CalledProcessError) as error:
        print(error)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    reports = list(filter(None, pool.map(check, entries.values())))
print("\n".join(reports) + f"{len(entries)} of {known} sources, {len(reports)} with findings")
sys.exit(bool(reports) or not known)
