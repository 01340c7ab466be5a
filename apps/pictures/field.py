#!/usr/bin/env python3
"""A picture of a DG-CVS field as the polynomials are, jumps included.

    field.py FRAME.vtu VARIABLE PICTURE.png [--title TEXT] [--samples N]

Needs python3-vtk9, python3-numpy and gnuplot-nox of Debian.
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkResampleToImage
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

SCRIPT = """\
set terminal pngcairo size 840,{height} font "sans,14"
set output "{picture}"
set title "{title}"
set size ratio {ratio}
set xlabel "x"
set ylabel "y"
set cblabel "{variable}"
set palette defined (0 "#0d1b4c", 0.25 "#2c7fb8", 0.5 "#7fcdbb", 0.75 "#fec44f", 1 "#b30000")
set xrange [{x0}:{x1}]
set yrange [{y0}:{y1}]
set cbrange [{low}:{high}]
unset key
plot "{data}" binary array=({columns},{rows}) format="%float" origin=({x0}+{dx}/2,{y0}+{dy}/2) dx={dx} dy={dy} with image
"""


def sampled(frame, variable, samples):
    """Values (row, column) at the middles of pixels, not a number outside the mesh, and its box (x0, x1, y0, y1)."""
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(frame))
    reader.Update()
    mesh = reader.GetOutput()
    if mesh.GetPointData().GetArray(variable) is None:
        raise SystemExit(f"{frame}: there is no variable '{variable}'")
    x0, x1, y0, y1 = mesh.GetBounds()[:4]
    columns = max(2, round(samples * min(1, (x1 - x0) / (y1 - y0))))
    rows = max(2, round(samples * min(1, (y1 - y0) / (x1 - x0))))
    half_x, half_y = (x1 - x0) / columns / 2, (y1 - y0) / rows / 2
    probe = vtkResampleToImage()
    probe.SetInputDataObject(mesh)
    probe.UseInputBoundsOff()
    probe.SetSamplingBounds(x0 + half_x, x1 - half_x, y0 + half_y, y1 - half_y, 0, 0)
    probe.SetSamplingDimensions(columns, rows, 1)
    probe.Update()
    points = probe.GetOutput().GetPointData()
    values = vtk_to_numpy(points.GetArray(variable)).astype(numpy.float32)
    inside = vtk_to_numpy(points.GetArray("vtkValidPointMask")) > 0
    return numpy.where(inside, values, numpy.nan).reshape(rows, columns), (x0, x1, y0, y1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("frame", type=pathlib.Path)
    parser.add_argument("variable")
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--title", default="")
    parser.add_argument("--samples", type=int, default=600, help="pixels along the longer side (default 600)")
    arguments = parser.parse_args()
    values, (x0, x1, y0, y1) = sampled(arguments.frame, arguments.variable, arguments.samples)
    rows, columns = values.shape
    ratio = (y1 - y0) / (x1 - x0)
    with tempfile.NamedTemporaryFile(suffix=".raw") as data:
        data.write(values.tobytes())
        data.flush()
        script = SCRIPT.format(picture=arguments.picture, title=arguments.title, variable=arguments.variable,
                               height=round(160 + 560 * min(1, ratio)), ratio=ratio, data=data.name, columns=columns,
                               rows=rows, x0=x0, x1=x1, y0=y0, y1=y1,
                               low=numpy.nanmin(values), high=numpy.nanmax(values), dx=(x1 - x0) / columns, dy=(y1 - y0) / rows)
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


if __name__ == "__main__":
    main()
