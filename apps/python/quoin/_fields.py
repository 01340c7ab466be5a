"""Fields as NumPy arrays that are the bytes of their files, mapped into memory: nothing is copied until it is changed.

What several ranks have written in pieces is put together once.
"""

from __future__ import annotations

import ctypes
import json
import math
import mmap
import os
import re
import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._errors import FileError

Array = NDArray[Any]
T = TypeVar("T")


_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int64]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def bytes_of(file: Path) -> Array:
    """A file mapped into memory for as long as somebody has a part of it; it cannot be written to.

    Python's own maps keep the file open, so that a thousand frames would be more than a process may have.
    """
    with open(file, "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size == 0:
            return np.zeros(0, np.uint8)
        address = _libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, stream.fileno(), 0)
    if address == ctypes.c_void_p(-1).value:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    memory = (ctypes.c_ubyte * size).from_address(address)
    weakref.finalize(memory, _libc.munmap, address, size).atexit = False  # arrays may outlive this module
    whole: Array = np.frombuffer(memoryview(memory), np.uint8)
    whole.flags.writeable = False
    return whole


def values_in(whole: Array, dtype: DTypeLike, shape: tuple[int, ...], offset: int = 0) -> Array:
    """So many values from a byte of a file on."""
    dtype = np.dtype(dtype)
    end = offset + math.prod(shape) * dtype.itemsize
    if len(whole) < end:
        raise ValueError("it is shorter than it says: the run that wrote it did not end, or the disk was full")
    return whole[offset:end].view(dtype).reshape(shape)


def joined(parts: list[Array]) -> Array:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def reading(file: Path, read: Callable[[], T]) -> T:
    """What `read` gives; whatever it trips over in the file is an error of the file."""
    try:
        return read()
    except FileError:
        raise
    except ImportError as error:
        raise ImportError(f"{file} cannot be read without h5py (Debian: python3-h5py)") from error
    except (OSError, ValueError, KeyError, IndexError, TypeError, OverflowError, RuntimeError) as error:
        raise FileError(f"{file} cannot be read: {error}") from error


def json_object(text: bytes) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("it holds no object")
    return value


class Frame(Mapping[str, Array]):
    """The fields of one moment: a mapping of their names to arrays that are read-only.

    The arrays of a grid have the shape (y, x), in space (z, y, x), those of a mesh of elements (nodes,), where the nodes of one cell come
    after those of another and neighbours do not share them, those of a vector that of its grid, or one dimension.

    name: of the series, such as `u` or `cells`.
    step: the iteration or time step; None of a field that is written at the end alone.
    time: None where it is not known.
    coordinates: of a grid `x` and `y` of its columns and rows, and `z` of its planes in space; of elements those of each node. Their unit is that of
        the case's domain, which has no name.
    arrays: the polynomials of elements and what else the file has, as apps/quoin/HDF5.md tells.
    attributes: what the file says of itself.
    """

    def __init__(self, file: Path, name: str, step: int | None) -> None:
        self.file, self.name, self.step = file, name, step
        self.time: float | None = None
        self.fields: dict[str, Array] = {}
        self.coordinates: dict[str, Array] = {}
        self.arrays: dict[str, Array] = {}
        self.attributes: dict[str, Any] = {}
        self.dims: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Array:
        try:
            return self.fields[name]
        except KeyError:
            known = ", ".join(self.fields) or "none"
            raise KeyError(f"{self.file.name} has no field '{name}'; it has {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        when = "" if self.time is None else f" at t = {self.time:.6g}"
        what = ", ".join(f"{name} {'x'.join(map(str, field.shape))}" for name, field in self.fields.items())
        return f"<quoin.Frame {self.file.name}{when}: {what}>"

    def _repr_html_(self) -> str:
        from ._picture import frame_html

        return frame_html(self)

    def picture(self, field: str, pixels: int = 300) -> tuple[Array, tuple[float, float, float, float]]:
        """A field as an image of so many pixels along its longer side, and (left, right, bottom, top) of it.

        The values are those at the middles of the pixels, row by row from below: of a mesh its polynomials', NaN where
        there is no cell, of a grid those of the nearest nodes. Draw them with
        `matplotlib.pyplot.imshow(image, extent=extent, origin="lower")`. ValueError of what lies in no plane.
        """
        from ._picture import picture_of

        return picture_of(self, field, pixels)

    def to_xarray(self) -> Any:
        """An `xarray.Dataset` of the fields with their coordinates, on the same memory. ImportError without xarray."""
        try:
            import xarray
        except ImportError as error:
            raise ImportError("to_xarray() needs xarray (Debian: python3-xarray)") from error
        names = {"x": "column", "y": "row"} if {"x", "y"} & set(self.fields) else {}  # a solution may be called so
        dims = tuple(names.get(name, name) for name in self.dims)
        moment = {name: value for name, value in (("step", self.step), ("time", self.time)) if value is not None}
        coordinates: dict[str, Any] = dict(moment)
        for name, values in self.coordinates.items():
            own = names.get(name, name)
            coordinates[own] = ((own,) if name in self.dims else dims, values)
        fields = {name: (dims, values) for name, values in self.fields.items()}
        return xarray.Dataset(fields, coordinates, self.attributes | {"source": str(self.file)})


def read_frame(file: Path, name: str, step: int | None) -> Frame:
    frame = Frame(file, name, step)
    read = {".vti": _grid, ".pvti": _grids, ".h5": _elements, ".pvtu": _elements_in_pieces, ".mtx": _vector}
    reading(file, lambda: read[file.suffix](frame))
    return frame


def _attribute(head: str, name: str) -> str:
    found = re.findall(f' {name}="([^"]*)"', head)
    if not found:
        raise ValueError(f"it has no '{name}'")
    return str(found[-1])


class _Grid(NamedTuple):
    """What the head of a .vti or .pvti file says of its field."""

    name: str
    dtype: np.dtype[Any]
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    first: int  #: of its rows
    origin: Array
    spacing: Array

    def coordinates(self) -> dict[str, Array]:
        nodes = {dim: np.arange(count) for dim, count in zip(self.dims, self.shape)}
        nodes["y"] += self.first
        return {dim: self.origin[axis] + self.spacing[axis] * nodes[dim] for axis, dim in enumerate("xyz") if dim in nodes}


def _grid_of(head: str) -> _Grid:
    x0, x1, y0, y1, z0, z1 = map(int, _attribute(head, "WholeExtent").split())
    if x0 != 0 or x1 < 0 or y0 < 0 or y1 < y0 or z0 != 0 or z1 < 0:
        raise ValueError("its grid makes no sense")
    origin, spacing = (np.array(_attribute(head, key).split(), float) for key in ("Origin", "Spacing"))
    dims, shape = ("z", "y", "x"), (z1 + 1, y1 - y0 + 1, x1 + 1)
    plane = 1 if z1 == 0 else 0
    dtype = np.dtype("<f4" if _attribute(head, "type") == "Float32" else "<f8")
    return _Grid(_attribute(head, "Name"), dtype, dims[plane:], shape[plane:], y0, origin, spacing)


def _rows(file: Path) -> tuple[_Grid, Array]:
    """The field of a .vti file."""
    whole = bytes_of(file)
    start = whole[:1 << 16].tobytes()
    appended = start.find(b"<AppendedData")
    mark = start.find(b"_", appended)
    if appended < 0 or mark < 0:
        raise ValueError("it is no .vti file of Quoin's")
    grid = _grid_of(start[:appended].decode())
    return grid, values_in(whole, grid.dtype, grid.shape, mark + 1 + 8)  # behind the number of bytes


def _grid(frame: Frame) -> None:
    grid, values = _rows(frame.file)
    if grid.dims == ("y", "x") and len(values) == 1:  # a vector without a grid
        frame.fields, frame.dims = {grid.name: values[0]}, ("row",)
    else:
        frame.fields, frame.dims, frame.coordinates = {grid.name: values}, grid.dims, grid.coordinates()


def _pieces(file: Path) -> tuple[str, list[Path]]:
    """Its text, and the files beside it that it names."""
    text = file.read_text("utf-8")
    names = re.findall(r'<Piece [^>]*Source="([^"]*)"', text)
    if not names or any(Path(name).name != name for name in names):
        raise ValueError("it names no pieces beside it")
    return text, [file.with_name(name) for name in names]


def _grids(frame: Frame) -> None:
    text, files = _pieces(frame.file)
    parts: list[Array] = []
    known = 0
    for file in files:
        grid, values = reading(file, partial(_rows, file))
        if not grid.first <= known <= grid.first + len(values):
            raise ValueError("its pieces do not fit together")
        parts.append(values[known - grid.first:])  # neighbours share a row
        known = grid.first + len(values)
    grid = _grid_of(text)
    frame.fields, frame.dims = {grid.name: joined(parts)}, ("y", "x")
    if frame.fields[grid.name].shape != grid.shape:
        raise ValueError("its pieces do not fit together")
    frame.coordinates = grid.coordinates()


def arrays_of(file: Path) -> tuple[dict[str, Array], dict[str, Any]]:
    """All arrays of an HDF5 file, which says where they lie, and its attributes."""
    import h5py  # type: ignore[import]

    whole = bytes_of(file)
    arrays: dict[str, Array] = {}

    def note(name: str, thing: Any) -> None:
        if not isinstance(thing, h5py.Dataset):
            return
        offset = thing.id.get_offset()
        plain = offset is not None and not thing.external and thing.chunks is None
        arrays[name] = values_in(whole, thing.dtype, thing.shape, offset) if plain else thing[()]

    with h5py.File(file, "r") as stream:
        stream.visititems(note)
        return arrays, {name: value.tolist() if hasattr(value, "tolist") else value
                        for name, value in stream.attrs.items()}


def _elements(frame: Frame) -> None:
    _fill(frame, [frame.file])


def _elements_in_pieces(frame: Frame) -> None:
    _fill(frame, [piece.with_suffix(".h5") for piece in _pieces(frame.file)[1]])


def _fill(frame: Frame, files: list[Path]) -> None:
    pieces = []
    entities = 0
    for file in files:
        arrays, frame.attributes = reading(file, partial(arrays_of, file))
        if entities > 0:
            arrays["entity"] = arrays["entity"] + entities  # numbered in each piece on their own
        entities += len(arrays.get("length", ()))
        pieces.append(arrays)
    for name in pieces[0]:
        whole = pieces[0][name] if name == "powers" else joined([piece[name] for piece in pieces])
        if name.startswith("fields/"):
            frame.fields[name.removeprefix("fields/")] = whole
        else:
            frame.arrays[name] = whole
    first = next(iter(frame.fields.values()), np.zeros(0))
    if "nodes" in frame.arrays:
        frame.time = float(frame.attributes["time"])
        frame.dims = ("node",)
        nodes = frame.arrays["nodes"]
        frame.coordinates = {"x": nodes[:, 0], "y": nodes[:, 1]}
        if any(len(field) != len(nodes) for field in frame.fields.values()):
            raise ValueError("a field has not one value a node")
    else:
        frame.dims = tuple("zyx"[-first.ndim:]) if 1 < first.ndim <= 3 else ("row",)
        if first.ndim > 1:
            frame.coordinates = {name: np.arange(float(count)) for name, count in zip(frame.dims, first.shape)}


def _vector(frame: Frame) -> None:
    with open(frame.file, encoding="utf-8") as stream:
        if not stream.readline().startswith("%%MatrixMarket matrix array real"):
            raise ValueError("it is no vector of Quoin's")
        size = next((line for line in stream if not line.startswith("%")), "")
        values = np.fromiter(map(float, stream), float)
    if int(size.split()[0]) != len(values):
        raise ValueError("it is shorter than it says")
    frame.fields = {frame.name: values}
    frame.dims = ("row",)
