"""Pictures without a library for them: what a notebook shows of a run."""

from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from ._errors import Error
from ._fields import Array, Frame

if TYPE_CHECKING:
    from ._results import Run

Extent = tuple[float, float, float, float]

# Those of `quoin report`.
COLOURS = np.array([[int(colour[k:k + 2], 16) for k in (0, 2, 4)] for colour in (
    "440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")], float)
PLOT = 240  # pixels along the longer side of a picture, and the width of a chart
MOST_FIELDS = 4


def picture_of(frame: Frame, field: str, pixels: int) -> tuple[Array, Extent]:
    values = frame[field]
    if frame.dims not in (("y", "x"), ("node",)):
        raise ValueError(f"'{field}' of {frame.file.name} lies in no plane, so it has no picture")
    x, y = frame.coordinates["x"], frame.coordinates["y"]
    if values.size == 0 or not np.isfinite([x.min(), x.max(), y.min(), y.max()]).all():
        raise ValueError(f"{frame.file.name} has no grid to draw")
    extent = float(x.min()), float(x.max()), float(y.min()), float(y.max())
    width, height = extent[1] - extent[0], extent[3] - extent[2]
    longer = max(width, height) or 1.0
    columns, rows = (max(1, round(pixels * side / longer)) for side in (width, height))
    at_x = extent[0] + width * (np.arange(columns) + 0.5) / columns
    at_y = extent[2] + height * (np.arange(rows) + 0.5) / rows
    if frame.dims == ("node",):
        return _of_elements(frame, field, at_x, at_y), extent
    image: Array = values[_nearest(at_y, y)[:, None], _nearest(at_x, x)]
    return image, extent


def _nearest(at: Array, nodes: Array) -> Array:
    if len(nodes) < 2:
        return np.zeros(len(at), int)
    nearest: Array = np.rint((at - nodes[0]) / (nodes[1] - nodes[0])).astype(int).clip(0, len(nodes) - 1)
    return nearest


def _of_elements(frame: Frame, field: str, at_x: Array, at_y: Array) -> Array:
    """The polynomial of each cell at the pixels whose middles it holds; the first cell has those between two."""
    arrays = frame.arrays
    order = int(frame.attributes["order"])
    corners, entity = arrays["corners"], arrays["entity"]
    nodes_of_cell = np.where(corners == 3, (order + 1) * (order + 2) // 2, (order + 1) ** 2)
    first = np.cumsum(nodes_of_cell) - nodes_of_cell
    corner = arrays["nodes"][first[:, None] + np.minimum(np.arange(4), corners[:, None] - 1)]  # three: the last twice
    # Which pixels lie in the box around each cell, as one list of all.
    low_c, low_r = (np.searchsorted(at, corner[:, :, k].min(axis=1)) for k, at in enumerate((at_x, at_y)))
    end_c, end_r = (np.searchsorted(at, corner[:, :, k].max(axis=1), "right") for k, at in enumerate((at_x, at_y)))
    count = (end_c - low_c) * (end_r - low_r)
    cell = np.repeat(np.arange(len(corners)), count)
    number = np.arange(len(cell)) - np.repeat(np.cumsum(count) - count, count)
    row, column = np.divmod(number, (end_c - low_c)[cell])
    row, column = row + low_r[cell], column + low_c[cell]
    point = np.stack([at_x[column], at_y[row]], axis=1)
    inside = np.ones(len(cell), bool)
    length = arrays["length"][entity[cell]]
    for k in range(4):
        start, end = corner[cell, k], corner[cell, (k + 1) % 4]
        side, way = end - start, point - start
        inside &= side[:, 0] * way[:, 1] - side[:, 1] * way[:, 0] >= -1e-12 * length**2
    # The first cell of each pixel.
    pixel, at = np.unique((row * len(at_x) + column)[inside], return_index=True)
    cell, point, length = (each[inside][at] for each in (cell, point, length))
    X, Y = ((point - arrays["centre"][cell]) / length[:, None]).T
    coefficients = arrays["coefficients"][:, frame.attributes["variables"].index(field)]
    values = np.zeros(len(cell))
    for n, (i, j, k) in enumerate(arrays["powers"]):
        if k == 0:  # the others vanish at the time of the frame
            values += coefficients[entity[cell], n] * X**i * Y**j
    image = np.full((len(at_y), len(at_x)), np.nan)
    image.flat[pixel] = values
    return image


def png(image: Array, low: float, high: float) -> bytes:
    """Of values, row by row from below; what is not finite is transparent."""
    finite = np.isfinite(image)
    half = high / 2 - low / 2  # which never overflows
    share = np.where(finite, (np.where(finite, image, 0.0) / 2 - low / 2) / (half or 1.0), 0.0) * (len(COLOURS) - 1)
    channels = [np.interp(share, np.arange(len(COLOURS)), COLOURS[:, k]) for k in range(3)]
    rgba = np.stack([*channels, np.where(finite, 255, 0)], axis=2).astype(np.uint8)[::-1]
    lines = np.insert(rgba.reshape(len(rgba), -1), 0, 0, axis=1).tobytes()  # each begins with its filter: none

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    size = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _svg(width: float, height: float, content: str) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'font-family="sans-serif" font-size="11" fill="currentColor" style="margin:4px">{content}</svg>')


def _frame_of(x: float, y: float, width: float, height: float) -> str:
    return (f'<rect x="{x}" y="{y}" width="{width:.1f}" height="{height:.1f}" fill="none" stroke="currentColor" '
            'stroke-opacity="0.5"/>')


def field_svg(frame: Frame, field: str) -> str:
    image, extent = picture_of(frame, field, PLOT)
    finite = image[np.isfinite(image)].astype(float)
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    height, width = image.shape
    data = base64.b64encode(png(image.astype(float), low, high)).decode()
    title = field + ("" if frame.time is None else f" at t = {frame.time:.6g}")
    span = f"from {low:.6g} to {high:.6g}" if finite.size else "no value is finite"
    content = (_text(0, 11, f"{title}: {span}") + _frame_of(0.5, 16.5, width, height) +
               f'<image x="0.5" y="16.5" width="{width}" height="{height}" preserveAspectRatio="none" '
               f'href="data:image/png;base64,{data}"/>' +
               _text(0, height + 30, f"x {extent[0]:.6g} to {extent[1]:.6g}, y {extent[2]:.6g} to {extent[3]:.6g}"))
    return _svg(max(width, PLOT) + 2, height + 36, content)


def frame_html(frame: Frame) -> str:
    return f"<div><p>{html.escape(repr(frame))}</p>{_pictures(frame)}</div>"


def _pictures(frame: Frame) -> str:
    if frame.dims not in (("y", "x"), ("node",)):
        return ""
    return "".join(field_svg(frame, field) for field in list(frame)[:MOST_FIELDS] if frame[field].size)


def history_svg(history: Array) -> str:
    """The residual, on a logarithmic axis, or of a run without one the last column over the time."""
    names = history.dtype.names or ()
    if len(names) < 2:
        return ""
    residual = "residual" in names
    name = "residual" if residual else names[-1]
    along = "time" if "time" in names else names[0]
    x, y = history[along].astype(float), history[name].astype(float)
    shown = np.isfinite(x) & np.isfinite(y) & ((y > 0) | (not residual))
    x, y = x[shown], np.log10(y[shown]) if residual else y[shown]
    if len(x) < 2:
        return ""
    some = np.unique(np.linspace(0, len(x) - 1, min(len(x), PLOT * 2)).astype(int))
    left, right, low, high = x[0], x[-1], y.min(), y.max()
    height = 0.7 * PLOT
    points = " ".join(f"{0.5 + PLOT * a:.1f},{16.5 + height * (1 - b):.1f}" for a, b in
                      zip((x[some] - left) / ((right - left) or 1.0), (y[some] - low) / ((high - low) or 1.0)))
    title = (f"residual: from {10.0**high:.3g} to {10.0**low:.3g}, logarithmic" if residual else
             f"{name}: from {low:.8g} to {high:.8g}")
    content = (_text(0, 11, title) +
               _frame_of(0.5, 16.5, PLOT, height) +
               f'<polyline points="{points}" fill="none" stroke="#1f77b4" stroke-width="1.5"/>' +
               _text(0, height + 30, f"{left:.6g}") + _text(PLOT / 2, height + 30, along, "middle") +
               _text(PLOT, height + 30, f"{right:.6g}", "end"))
    return _svg(PLOT + 2, height + 36, content)


def run_html(run: Run) -> str:
    pictures = fault = ""
    try:
        if run.frames:
            pictures = _pictures(run.frames[-1])
        if "history" in run.tables:
            pictures += history_svg(run.history)
    except (Error, ImportError) as error:
        fault = f"<p>{html.escape(str(error))}</p>"
    rows = [(name, run.summary.get(name)) for name in ("problem", "backend", "device", "iterations", "time", "residual",
                                                       "wall_seconds", "message")]
    rows += [(f"error {norm}", value) for norm, value in (run.summary.get("errors") or {}).items()]
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(_shown(value))}</td></tr>"
                    for name, value in rows if value is not None)
    return (f"<div><p><b>{html.escape(run.status)}</b> {html.escape(str(run.folder))}</p>{fault}"
            f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{pictures}<table>{cells}</table></div>'
            "</div>")


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
