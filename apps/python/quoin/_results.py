"""What runs and studies have left in their folders."""

from __future__ import annotations

import csv
import fcntl
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import numpy as np

from ._checkpoint import Checkpoint
from ._errors import FileError
from ._fields import Array, Frame, json_object, read_frame, reading

T = TypeVar("T")

STUDIES = ("sweep.json", "converge.json", "compare.json")
WHOLE_NUMBERS = {"iteration", "step", "probe"}
# Where the same values lie in several files, the first of these is read.
KINDS = (".h5", ".pvtu", ".vti", ".pvti", ".mtx")


def holds_run(folder: Path) -> bool:
    there = [name for name in ("summary.json", "case.yaml", "files.txt") if (folder / name).is_file()]
    return "summary.json" in there or len(there) == 2  # a case.yaml alone may be the user's own


def read(folder: str | os.PathLike[str]) -> Any:
    """What a result folder holds: a Run, or of a sweep, a study of convergence or a comparison a Study.

    A run may be going on, or have been killed: what it has written so far is there. FileError of any other folder.
    """
    path = Path(folder).absolute()
    if not path.is_dir():
        raise FileError(f"{path}: there is no such folder; give the result folder of a run (output.directory)")
    for name in STUDIES:
        if (path / name).is_file():
            return Study(path, name)
    if holds_run(path):
        return Run(path)
    inner = sorted(each.name for each in path.iterdir() if each.is_dir() and holds_run(each))
    raise FileError(f"{path} holds no results" + (f"; but {', '.join(inner[:5])} in it does" if inner else
                                                  ": neither summary.json nor case.yaml is in it"))


def _json(file: Path) -> dict[str, Any]:
    return reading(file, lambda: json_object(file.read_bytes()))


def _in_use(folder: Path) -> bool:
    """Whether a run holds the folder."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _table(file: Path) -> Array:
    return reading(file, lambda: _rows_of(file))


def _rows_of(file: Path) -> Array:
    """Those that are whole, of a file that may be growing."""
    with open(file, encoding="utf-8") as stream:
        lines = (line for line in stream if line.endswith("\n"))
        names = next(lines, "").strip().split(",")
        types = [(name, np.int64 if name in WHOLE_NUMBERS else np.float64) for name in names if name]
        first = next(lines, None)
        if first is None:
            return np.zeros(0, types)
        return np.loadtxt(chain([first], lines), types, delimiter=",", ndmin=1)


class _Lazy(Mapping[str, T], Generic[T]):
    """Reads a value when it is asked for, once."""

    def __init__(self, readers: Mapping[str, Callable[[], T]]) -> None:
        self._readers, self._values = readers, dict[str, T]()

    def __getitem__(self, name: str) -> T:
        if name not in self._values:
            self._values[name] = self._readers[name]()
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)

    def __repr__(self) -> str:
        return f"<{', '.join(self._readers)}>"


class Frames(Sequence[Frame]):
    """The frames of a series, in the order of their steps; each is read when it is asked for."""

    def __init__(self, name: str, files: Sequence[tuple[int | None, Path]]) -> None:
        self.name, self._files, self._read = name, files, dict[int, Frame]()

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> Frames: ...
    def __getitem__(self, index: int | slice) -> Frame | Frames:
        if isinstance(index, slice):
            return Frames(self.name, self._files[index])
        at = range(len(self))[index]
        if at not in self._read:
            step, file = self._files[at]
            self._read[at] = read_frame(file, self.name, step)
        return self._read[at]

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"<{len(self)} frames of {self.name}>"


class Run:
    """The results of a run; `run["u"]` is a field of the newest frame.

    folder: where they are, absolute.
    summary: what summary.json holds; while a run goes on, or of one that was killed, as far as it came.
    status: 'converged', 'completed', 'not_converged', 'running', 'killed' and others: apps/quoin/TROUBLE.md.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        held = _in_use(folder)  # before its files are looked at: one that ends meanwhile is told as going on
        file = folder / "summary.json"
        self.summary = _json(file) if file.is_file() else {}
        if self.summary.get("status", "running") == "running":
            self.summary["status"] = "running" if held else "killed"
            if "timing" in self.tables and len(timing := self.tables["timing"]):
                self.summary["iterations"] = int(timing["iteration"][-1])
                self.summary["loop_seconds"] = float(timing["seconds"][-1])
            if "history" in self.tables and len(self.history) and "residual" in (self.history.dtype.names or ()):
                self.summary["residual"] = float(self.history["residual"][-1])

    @property
    def status(self) -> str:
        return str(self.summary["status"])

    def __repr__(self) -> str:
        text = f"<quoin.Run {self.folder}: {self.status}"
        if (iterations := self.summary.get("iterations")) is not None:
            text += f" after {iterations} {'iterations' if self.summary.get('time') is None else 'steps'}"
        if (residual := self.summary.get("residual")) is not None:
            text += f", residual {residual:.6g}"
        return text + ">"

    def _repr_html_(self) -> str:
        from ._picture import run_html

        return run_html(self)

    @cached_property
    def tables(self) -> Mapping[str, Array]:
        """Each .csv file by its name without the ending, as a structured array: `run.tables["probes"]["time"]`.

        Whole numbers are int64, others float64. `history`, `timing`, probes and, with their steps, lines.
        """
        files = sorted(self.folder.glob("[!.]*.csv"))
        return _Lazy({file.stem: partial(_table, file) for file in files})

    @property
    def history(self) -> Array:
        """A row each iteration or step that was measured: `run.history["iteration"]`, `run.history["residual"]`."""
        if "history" not in self.tables:
            raise FileError(f"{self.folder} has no history: output.history is false, or the run has not begun")
        return self.tables["history"]

    @cached_property
    def series(self) -> Mapping[str, Frames]:
        """All frames by the name of their series: `cells`, `vertices`, or the name of a field on a grid."""
        found: dict[str, dict[int | None, Path]] = {}
        names = [file for file in self.folder.iterdir() if file.suffix in KINDS and file.name[0] != "."
                 and not file.name.startswith("checkpoint-")]
        whole = {file.stem for file in names if file.suffix in (".pvti", ".pvtu")}
        for file in sorted(names, key=lambda file: KINDS.index(file.suffix)):
            if re.sub(r"_\d+$", "", file.stem) in whole and file.stem not in whole:
                continue  # the piece of a rank
            step = re.fullmatch(r"(.*)-(\d{6,})", file.stem)
            name, number = (step[1], int(step[2])) if step else (file.stem, None)
            found.setdefault(name, {}).setdefault(number, file)
        return {name: Frames(name, sorted(files.items(), key=lambda item: -1 if item[0] is None else item[0]))
                for name, files in sorted(found.items())}

    @property
    def frames(self) -> Frames:
        """Those of the cells, else of the vertices, else of the first field; empty where none were written."""
        for name in ("cells", "vertices", *self.series):
            if name in self.series:
                return self.series[name]
        return Frames("fields", [])

    def __getitem__(self, field: str) -> Array:
        if field in self.series:  # of a grid or a vector, which has a file of its own
            return self.series[field][-1][field]
        if not self.frames:
            raise KeyError(f"{self.folder} has no fields: output.fields.write is false, or none have been written yet")
        return self.frames[-1][field]

    def to_xarray(self) -> Any:
        """The newest frame as an `xarray.Dataset` with the run's figures as attributes. ImportError without xarray."""
        if not self.frames:
            raise FileError(f"{self.folder} has no fields: output.fields.write is false, or none have been written yet")
        figures = {name: value for name, value in self.summary.items() if isinstance(value, (str, int, float))}
        return self.frames[-1].to_xarray().assign_attrs(figures)

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """From the oldest to the newest."""
        found = [file for file in self.folder.glob("checkpoint-*.json") if file.with_suffix(".h5").is_file()]
        return [Checkpoint(file) for file in sorted(found, key=lambda file: int(file.stem.rpartition("-")[2]))]

    @property
    def case(self) -> str:
        """The case with every default written out, as YAML."""
        return reading(file := self.folder / "case.yaml", lambda: file.read_text("utf-8"))

    @property
    def log(self) -> str:
        return reading(file := self.folder / "run.log", lambda: file.read_text("utf-8", "replace"))


class Study:
    """Several runs side by side: of a sweep, a study of convergence or a comparison.

    folder: where they are, absolute.
    summary: what sweep.json, converge.json or compare.json holds.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.summary, self._name = folder, _json(folder / name), name

    def __repr__(self) -> str:
        return f"<quoin.Study {self.folder}: {len(self.runs)} runs>"

    @cached_property
    def runs(self) -> list[Run]:
        """Of the members, levels or backends, in the order of the summary, without those that have left nothing."""
        rows: list[dict[str, Any]] = next(
            (self.summary[name] for name in ("members", "levels", "runs") if name in self.summary), [])
        folders = [self.folder / Path(row["directory"]).name for row in rows if "directory" in row]
        return [Run(folder) for folder in folders if holds_run(folder)]

    @cached_property
    def table(self) -> dict[str, Array]:
        """The columns of sweep.csv or converge.csv: numbers as float64, NaN where there is none, others as text.

        `pandas.DataFrame(study.table)` makes a frame of them.
        """
        file = self.folder / self._name.replace(".json", ".csv")
        rows = reading(file, lambda: list(csv.reader(io.StringIO(file.read_text("utf-8")))))
        if not rows:
            raise FileError(f"{file} is empty")
        return {name: _column([row[k] for row in rows[1:]]) for k, name in enumerate(rows[0])}


def _column(cells: list[str]) -> Array:
    try:
        return np.array([float(cell or "nan") for cell in cells])
    except ValueError:
        return np.array(cells)
