"""Running cases."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from ._errors import Error, FileError, Interrupted
from ._program import Case, call, changes, error_of, file_word, warn_of, words_of, yaml
from ._results import Run, Study, holds_run, read


class Progress(NamedTuple):
    """How far a run is."""

    iterations: int  #: or time steps, done since its start
    limit: int  #: how many the case allows
    residual: float | None  #: the newest; None where the problem has none, or it is not finite
    tolerance: float  #: 0 where the run does not stop on a residual
    time: float | None  #: reached; None where the problem does not advance in time
    final_time: float | None

    def __str__(self) -> str:
        if self.time is None or self.final_time is None:
            text = f"iteration {self.iterations} of {self.limit}"
        else:
            text = f"step {self.iterations}, t = {self.time:.6g} of {self.final_time:.6g}"
        return text + ("" if self.residual is None else f", residual {self.residual:.3e}")


Show = bool | Callable[[Progress], object]


def run(case: Case, set: Mapping[str, Any] | None = None, *, backend: str | None = None,
        output: str | os.PathLike[str] | None = None, force: bool = False, progress: Show = False,
        options: Sequence[str] = ()) -> Run:
    """Runs a case to its end and gives its results.

    case: a file's name, the text of a case (a string with a line break), or a case as a mapping.
    set: changes of keys, such as {"method.order": 3, "problem.grid.nodes": [255, 255]}.
    backend: 'serial', 'hip:1'; else what the case says.
    output: the result folder; else what the case says, `results/NAME` where it says nothing.
    force: replaces the results that are there.
    progress: True shows a line on standard error, which a notebook shows below the cell; a function is called with a
        Progress ten times a second at most. An exception from it ends the run in order.
    options: more words for `quoin run`, such as ["--ranks", "4"].

    Raises a class of quoin.Error for each exit code of the program but 0, whose `run` is what the run has left:
    CaseError with line and column, NotConverged, Diverged and others. Ctrl-C raises Interrupted, once the run has ended
    in order and left a checkpoint; pressed again it leaves at once.
    """
    words, text = words_of(case, set, backend, output)
    words += ["--force"] if force else []
    return _watched(["run", *words, *options], text, progress, None)


def resume(folder: str | os.PathLike[str], set: Mapping[str, Any] | None = None, *, backend: str | None = None,
           progress: Show = False, options: Sequence[str] = ()) -> Run:
    """Goes on with the run in a folder from its newest checkpoint, to its end or with `set` farther; else as run."""
    words = ["resume", file_word(folder), *changes(set), *(["--backend", backend] if backend else []), *options]
    return _watched(words, None, progress, Path(folder).absolute())


def check(case: Case, set: Mapping[str, Any] | None = None, *, backend: str | None = None) -> dict[str, Any]:
    """What a run would need: `host_bytes`, `device_bytes`, `disk_bytes`. Raises what it would, and runs nothing."""
    words, text = words_of(case, set, backend, None)
    return cast(dict[str, Any], _told(["check", *words, "--json"], text)["estimate"])


def sweep(case: Case, vary: Mapping[str, Sequence[Any]], set: Mapping[str, Any] | None = None, *,
          backend: str | None = None, output: str | os.PathLike[str] | None = None, force: bool = False,
          options: Sequence[str] = ()) -> Study:
    """Runs a case with every combination of values of some keys, members side by side, and gives their results.

    case: as run takes it.
    vary: the values of each key, {"method.order": [1, 2, 3]}.
    options: more words for `quoin sweep`, such as ["--zip"] or ["--jobs", "2"].

    Raises as run does where a member did not end well; `run` of the error is then the Study.
    """
    words, text = words_of(case, set, backend, output)
    for key, values in vary.items():
        words += ["--vary", f"{key}={','.join(map(yaml, values))}"]
    words += ["--force"] if force else []
    return cast(Study, _told(["sweep", *words, *options, "--json"], text, study=True))


def _told(words: list[str], text: str | None, study: bool = False) -> Any:
    """What the program prints as JSON; or the study whose members that names."""
    lines: list[str] = []
    ended = call(words, text, lines.append)
    warn_of(ended.said)
    told: dict[str, Any] = json.loads("".join(lines)) if lines else {}
    found = read(Path(told["members"][0]["directory"]).parent) if study and told.get("members") else None
    if ended.by_keys:
        raise _interrupted(found)
    if ended.code != 0:
        raise error_of(ended, told, found)
    return found or told


def _watched(words: list[str], text: str | None, progress: Show, folder: Path | None) -> Run:
    show = _Line() if progress is True else progress or None
    end: dict[str, Any] = {}

    def hear(line: str) -> None:
        nonlocal folder, end
        try:
            told = json.loads(line)
        except ValueError:
            return  # what starts ranks may print as well
        if "start" in told:
            folder = folder or Path(told["start"]["directory"]).absolute()
        elif "progress" in told and show is not None:
            show(Progress(**told["progress"]))
        else:
            end = told.get("end", end)

    try:
        ended = call([*words, "--json-lines"], text, hear)
    finally:
        if isinstance(show, _Line):
            show.close()
    warn_of(ended.said)
    left = Run(folder) if folder is not None and holds_run(folder) else None
    if ended.by_keys:
        raise _interrupted(left)
    if ended.code != 0:
        raise error_of(ended, end, left)
    if left is None:
        raise FileError(f"{folder}: the results of the run are not there any more")
    return left


def _interrupted(left: Run | Study | None) -> Interrupted:
    error = Interrupted("interrupted" + (f"; what was written lies in {left.folder}" if left is not None else ""))
    error.run = left
    return error


class _Line:
    """A line that rewrites itself, on a terminal or in a notebook."""

    width = 0

    def __call__(self, progress: Progress) -> None:
        text = str(progress)
        print("\r" + text.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            print(file=sys.stderr)
