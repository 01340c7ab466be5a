#!/usr/bin/env python3
"""Matrices of different kinds, for products by Quoin and by others.

    matrices.py FOLDER [NAME...]

Writes those of these names, or the eight of MATRICES, as Matrix Market files: grids, bands, blocks, rows of one length
and of very different ones. Each is made of the same numbers on every machine.
"""

import concurrent.futures
import pathlib
import sys

import numpy


def grid(shape, reach):
    """Rows and columns of a box of nodes: each with its neighbours, of the faces (reach 1) or of the corners too (3)."""
    nodes = numpy.arange(numpy.prod(shape), dtype=numpy.int64).reshape(shape)
    rows, columns = [], []
    for offset in numpy.ndindex(*[3] * len(shape)):
        step = [o - 1 for o in offset]
        if sum(map(abs, step)) > reach:
            continue
        here = tuple(slice(max(0, -s), n - max(0, s)) for s, n in zip(step, shape))
        there = tuple(slice(max(0, s), n - max(0, -s)) for s, n in zip(step, shape))
        rows.append(nodes[here].ravel())
        columns.append(nodes[there].ravel())
    return numpy.concatenate(rows), numpy.concatenate(columns)


def values(count, random):
    """Sixteenths, which few digits give exactly."""
    return random.integers(1, 256, count) / 16.0


def poisson(shape, reach, random):
    rows, columns = grid(shape, reach)
    return rows, columns, numpy.where(rows == columns, 3.0 ** len(shape), -1.0)


def jumps(shape, random):
    """Poisson's pattern with a coefficient that differs from node to node."""
    rows, columns = grid(shape, 1)
    return rows, columns, values(len(rows), random)


def blocks(shape, random):
    """Three unknowns a node, as of elasticity."""
    rows, columns = grid(shape, 1)
    of_block = numpy.arange(9)
    rows = (3 * rows[:, None] + of_block // 3).ravel()
    columns = (3 * columns[:, None] + of_block % 3).ravel()
    return rows, columns, values(len(rows), random)


def arrow(count, random):
    every = numpy.arange(count)
    rest = every[1:]
    zero = numpy.zeros(count - 1, dtype=numpy.int64)
    rows, columns = numpy.concatenate([every, zero, rest]), numpy.concatenate([every, rest, zero])
    return rows, columns, values(len(rows), random)


def scattered(lengths, width, random):
    """Rows of these lengths whose columns are anywhere, or not further than `width` from the diagonal."""
    count = len(lengths)
    rows = numpy.repeat(numpy.arange(count), lengths)
    if width is None:
        columns = random.integers(0, count, len(rows))
    else:
        columns = numpy.clip(rows + random.integers(-width, width + 1, len(rows)), 0, count - 1)
    rows, columns = numpy.divmod(numpy.unique(rows * count + columns), count)
    return rows, columns, values(len(rows), random)


def zipf(count, random):
    return numpy.minimum(random.zipf(1.6, count), 20000)


MATRICES = {
    "poisson5-1024": lambda random: poisson((1024, 1024), 1, random),
    "poisson27-64": lambda random: poisson((64, 64, 64), 3, random),
    "jumps7-96": lambda random: jumps((96, 96, 96), random),
    "blocks3-48": lambda random: blocks((48, 48, 48), random),
    "arrow-1000000": lambda random: arrow(1000000, random),
    "random-8": lambda random: scattered(numpy.full(600000, 8), None, random),
    "band-1-to-31": lambda random: scattered(random.integers(1, 32, 400000), 500, random),
    "zipf": lambda random: scattered(zipf(400000, random), None, random),
}
# Two that keep a GPU busy for long.
LARGE = {
    "poisson27-128": lambda random: poisson((128, 128, 128), 3, random),
    "rows-of-300": lambda random: scattered(numpy.full(20000, 300), None, random),
}


def by_rows(rows, columns, entries):
    """(size, rows, columns, values), row by row with ascending columns."""
    order = numpy.lexsort((columns, rows))
    return int(max(rows.max(), columns.max())) + 1, rows[order], columns[order], entries[order]


def matrix(name):
    return by_rows(*{**MATRICES, **LARGE}[name](numpy.random.default_rng(20)))


def write(name, folder):
    write_market(folder / f"{name}.mtx", *matrix(name))


def write_market(path, size, rows, columns, entries):
    with path.open("w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{size} {size} {len(rows)}\n")
        for entry in zip((rows + 1).tolist(), (columns + 1).tolist(), entries.tolist()):
            file.write("%d %d %r\n" % entry)


if __name__ == "__main__":
    made = pathlib.Path(sys.argv[1])
    made.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        names = sys.argv[2:] or list(MATRICES)
        list(pool.map(write, names, [made] * len(names)))
