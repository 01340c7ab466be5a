"""The program `quoin` as a child process: a run that crashes or is killed takes nothing else with it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ._errors import OF_CODE, CaseError, Error, Killed, Mistake, ProgramBug, ProgramNotFound

Case = str | os.PathLike[str] | Mapping[str, Any]
Hear = Callable[[str], None]


def program() -> str:
    """The executable: what the environment variable QUOIN names, else the first `quoin` on PATH."""
    named = os.environ.get("QUOIN")
    found = shutil.which(named or "quoin")
    if found is None:
        raise ProgramNotFound(f"QUOIN names no program that can be run: {named}" if named else
                              "there is no program 'quoin' on PATH: install Quoin, or let the environment variable "
                              "QUOIN name its executable")
    return found


# Text that YAML takes for nothing else.
_PLAIN = re.compile(r"(?!(true|false|yes|no|on|off|y|n|null)$)[a-z][a-z0-9_.-]*", re.IGNORECASE)


def yaml(value: Any) -> str:
    """A value as YAML in one line. Text stays text, whatever it looks like; NumPy's numbers and arrays are Python's."""
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a case cannot hold a value of the type {type(value).__name__}: {value!r}")


def file_word(path: str | os.PathLike[str]) -> str:
    """What begins with a dash is no option."""
    name = os.fspath(path)
    return f"./{name}" if name.startswith("-") else name


def words_of(case: Case, set: Mapping[str, Any] | None, backend: str | None,
             output: str | os.PathLike[str] | None) -> tuple[list[str], str | None]:
    """The command line's words for a case, and what it reads from standard input."""
    text = None
    name = "-"
    if isinstance(case, Mapping):
        text = json.dumps(case, ensure_ascii=False, allow_nan=False, default=_plain, indent=2)
    elif isinstance(case, str) and "\n" in case:
        text = case
    else:
        name = file_word(case)
    words = [name, *changes(set)]
    if backend is not None:
        words += ["--backend", backend]
    if output is not None:
        words += ["--output", os.fspath(output)]
    return words, text


def changes(set: Mapping[str, Any] | None) -> list[str]:
    return [word for key, value in (set or {}).items() for word in ("--set", f"{key}={yaml(value)}")]


class Ended(NamedTuple):
    code: int  #: of the exit, below 0 that of a signal
    said: str  #: on standard error
    by_keys: bool  #: Ctrl-C was pressed


class _CtrlC:
    """Passes Ctrl-C on to the child, each time that it is pressed. Only the main thread is told of it."""

    def __init__(self) -> None:
        self.child: subprocess.Popen[bytes] | None = None
        self.pressed = False

    def pass_on(self, number: int, frame: object) -> None:
        self.pressed = True
        if self.child is not None:
            self.child.send_signal(number)

    def __enter__(self) -> _CtrlC:
        self.before = signal.getsignal(signal.SIGINT)
        self.here = threading.current_thread() is threading.main_thread() and self.before not in (None, signal.SIG_IGN)
        if self.here:
            signal.signal(signal.SIGINT, self.pass_on)
        return self

    def __exit__(self, *error: object) -> None:
        if self.here:
            signal.signal(signal.SIGINT, self.before)


def call(words: Sequence[str], text: str | None, hear: Hear) -> Ended:
    """Calls `hear` with each line that the program prints. An error of `hear` ends the program as Ctrl-C does."""
    command = [program(), *words]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said, _CtrlC() as keys:
        given.write((text or "").encode("utf-8", "surrogateescape"))
        given.seek(0)
        try:  # in a session of its own: a terminal's Ctrl-C reaches it once, from here
            child = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE, stderr=said, start_new_session=True)
        except OSError as error:
            raise ProgramNotFound(f"{command[0]} cannot be started: {error.strerror}") from error
        keys.child = child
        with child:
            if keys.pressed:
                child.send_signal(signal.SIGINT)
            assert child.stdout is not None
            try:
                for line in child.stdout:
                    hear(line.decode("utf-8", "replace"))
            except BaseException:
                child.send_signal(signal.SIGINT)
                raise
        said.seek(0)
        return Ended(child.returncode, said.read().decode("utf-8", "replace"), keys.pressed)


def warn_of(said: str) -> None:
    """What the program warns of, such as a backend that was passed over, is a warning of Python."""
    for line in said.splitlines():
        if line.startswith("warning: "):
            warnings.warn(line.removeprefix("warning: "), RuntimeWarning, stacklevel=4)


def error_of(ended: Ended, told: Mapping[str, Any], run: Any = None) -> Error:
    """What went wrong: `told` is the last that the program has told programs."""
    error: Error
    if ended.code < 0:
        error = Killed(f"the program was ended by {signal.Signals(-ended.code).name}" +
                       (f"; what it had written lies in {run.folder}" if run is not None else ""))
        error.exit_code = 128 - ended.code
    else:
        _, found, reason = ended.said.rpartition("quoin: error: ")
        text = (reason if found else told.get("message", ended.said)).strip()
        error = OF_CODE.get(ended.code, ProgramBug)(text or f"the program ended with exit code {ended.code}")
        error.exit_code = ended.code
        if isinstance(error, CaseError):
            error.mistakes = tuple(Mistake(each["file"], each["line"], each["column"], each["message"])
                                   for each in told.get("errors", []))
    error.run = run
    return error
