"""What goes wrong: a class for each exit code of the program."""

from __future__ import annotations

from typing import Any, NamedTuple


class Error(Exception):
    """Whatever Quoin refuses or fails at; the message says what, where, and what to do.

    exit_code: that of the program; None where the program had no part in it.
    run: what the run has left, as `quoin.read` gives it; None where it has left nothing.
    """

    exit_code: int | None = None
    run: Any = None


class ProgramBug(Error):
    """Exit code 1: something happened that must not; please report it."""


class UsageError(Error):
    """Exit code 2: an argument makes no sense, or results would be overwritten (`force=True` lets them)."""


class Mistake(NamedTuple):
    """A mistake of a case and its place. A case that is no file is '<stdin>', a value of `set` '--set KEY'."""

    file: str | None
    line: int | None  #: from 1
    column: int | None  #: from 1, in characters
    message: str


class CaseError(Error):
    """Exit code 3: mistakes in the case. Its text is what `quoin check` prints: each with its place and line."""

    mistakes: tuple[Mistake, ...] = ()  #: all of them

    @property
    def file(self) -> str | None:
        """Of the first mistake, as are line, column and message."""
        return self.mistakes[0].file if self.mistakes else None

    @property
    def line(self) -> int | None:
        return self.mistakes[0].line if self.mistakes else None

    @property
    def column(self) -> int | None:
        return self.mistakes[0].column if self.mistakes else None

    @property
    def message(self) -> str:
        return self.mistakes[0].message if self.mistakes else str(self)


class NotConverged(Error):
    """Exit code 4: a limit came first, or the precision does not reach the tolerance. `run` has the last fields."""


class Diverged(Error):
    """Exit code 5: the solution grew without bound, or a value is not a number."""


class FileError(Error):
    """Exit code 6: a file cannot be read or written, or a folder is no result of Quoin."""


class ProgramNotFound(FileError):
    """There is no executable `quoin`, or it cannot be started."""


class DeviceError(Error):
    """Exit code 7: a device, its driver or its memory failed, or the host's memory is too small."""


class PluginError(Error):
    """Exit code 8: the backend cannot be used."""


class CheckpointError(Error):
    """Exit code 9: a checkpoint cannot be used."""


class Stopped(Error):
    """Exit codes 130 and 143: somebody else ended the run by SIGINT or SIGTERM. `quoin.resume` goes on with it."""


class Killed(Error):
    """A signal ended the program at once, as when memory runs out; the exit code is 128 and the signal's number."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: the run has ended in order, with a checkpoint, from which `quoin.resume(interrupted.run.folder)` goes on.

    Like every KeyboardInterrupt it is no `Exception`, so that a loop that passes over errors can be left.
    """

    run: Any = None


OF_CODE: dict[int, type[Error]] = {
    1: ProgramBug, 2: UsageError, 3: CaseError, 4: NotConverged, 5: Diverged, 6: FileError, 7: DeviceError,
    8: PluginError, 9: CheckpointError, 130: Stopped, 143: Stopped}
