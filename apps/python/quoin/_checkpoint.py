"""Checkpoints, as the folder of a run has them."""

from __future__ import annotations

import hashlib
import re
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import CheckpointError
from ._fields import Array, arrays_of, bytes_of, json_object, reading, values_in


class Checkpoint:
    """The state after so many iterations or steps, from which `quoin.resume` goes on.

    iterations: done until then.
    files: all that belong to it.
    """

    def __init__(self, index: Path) -> None:
        self.file = index.with_suffix(".h5")
        self.iterations = int(index.stem.rpartition("-")[2])
        self._index = reading(index, lambda: json_object(index.read_bytes()))
        self._parts: dict[str, list[tuple[Path, dict[str, Any]]]] = reading(index, self._named_parts)
        self.files = [index, self.file, *(file for parts in self._parts.values() for file, _ in parts if file.exists())]

    def _named_parts(self) -> dict[str, list[tuple[Path, dict[str, Any]]]]:
        named = {}
        for array in self._index.get("arrays", []):
            # Of version 2: one part of each.
            parts = array.get("parts", [{"ranges": [[0, array["bytes"]]], "count": 1, "stride": 0,
                                         "sha256": array.get("sha256")}])
            ending = [f"_{rank}" for rank in range(len(parts))] if len(parts) > 1 else [""]
            stem = f"{self.file.stem}-{array['name']}"
            named[array["name"]] = [(self.file.with_name(f"{stem}{end}.bin"), part) for end, part in zip(ending, parts)]
        return named

    def __repr__(self) -> str:
        return f"<quoin.Checkpoint {self.file} after {self.iterations}>"

    @cached_property
    def _texts(self) -> dict[str, Array]:
        return reading(self.file, lambda: arrays_of(self.file))[0]

    @cached_property
    def about(self) -> dict[str, Any]:
        """Which run wrote it: `iterations`, `problem`, `backend`, `device`, `versions`."""
        return reading(self.file, lambda: json_object(self._texts["about"].tobytes()))

    @cached_property
    def case(self) -> str:
        """The case with every default, as YAML."""
        return reading(self.file, lambda: self._texts["case"].tobytes().decode())

    @cached_property
    def arrays(self) -> dict[str, Array]:
        """The solver's arrays as it lays them out, one-dimensional, in the precision of the run; read-only.

        An array that lies in one file as it is comes mapped; others are put together once.
        """
        wide = re.search(r"^  precision: float$", self.case, re.M) is None
        return {array["name"]: self._array(array, np.dtype("<f8" if wide else "<f4"))
                for array in self._index.get("arrays", [])}

    def _array(self, array: dict[str, Any], dtype: np.dtype[Any]) -> Array:
        parts, size = self._parts[array["name"]], int(array["bytes"])
        if len(parts) == 1 and parts[0][1]["ranges"] == [[0, size]] and parts[0][1]["count"] == 1:
            file = parts[0][0]
            return reading(file, lambda: values_in(bytes_of(file), dtype, (size // dtype.itemsize,)))
        whole = np.zeros(size, np.uint8)  # no part has the bytes that align rows
        for file, part in parts:
            if any(count for _, count in part["ranges"]):
                reading(file, partial(_put, whole, file, part))
        whole.flags.writeable = False
        return whole.view(dtype)

    def verify(self) -> None:
        """Raises CheckpointError where a file is not there, or is not what its checksum says."""
        files = [(self.file, self._index["sha256"])]
        files += [(file, part["sha256"]) for parts in self._parts.values() for file, part in parts
                  if any(count for _, count in part["ranges"])]
        for file, wanted in files:
            if not file.exists():
                raise CheckpointError(f"{file} is not there; the checkpoint is not whole")
            with open(file, "rb") as stream:
                if hashlib.file_digest(stream, "sha256").hexdigest() != wanted:
                    raise CheckpointError(f"{file} is not what its checksum says; quoin.resume takes an earlier one")


def _put(whole: Array, file: Path, part: dict[str, Any]) -> None:
    """What a rank has written of an array, to where it belongs."""
    given, before = bytes_of(file), 0
    for k in range(part["count"]):
        for first, count in part["ranges"]:
            to = first + k * part["stride"]
            whole[to:to + count] = given[before:before + count]
            before += count
