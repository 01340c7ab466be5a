"""The Python package of the source tree, with the program of the build tree."""

import os
import sys
import time

from conftest import BUILD, SOURCE

sys.path.insert(0, str(SOURCE / "apps/python"))
os.environ["QUOIN"] = str((BUILD / "bin/quoin").resolve())

import quoin  # noqa: E402

# As long as one lets it.
ENDLESS = {"problem.grid.nodes": [200, 200], "method.stop": "iterations", "method.variant": "classic",
           "method.max_iterations": 10**9}

# Waves on shallow water: several fields, several frames, a probe.
WAVES = """\
problem:
  type: dg-cvs
  equation: {type: shallow_water, gravity: 1}
  mesh: {cells: [5, 4], shape: tri, perturb: 0.2}
  domain: {x: [-1, 1], y: [-1, 1]}
  boundary: {left: periodic, right: periodic, bottom: wall, top: open}
  initial: {h: "1+0.1*sin(pi*x)*cos(pi*y)", hu: "0.1*y", hv: "0.05*x"}
method: {order: 3, final_time: 0.4}
output: {directory: waves, fields: {every: 0.1, level: both}, probes: [[0.3, 0.8], [0, 0]]}
backend: serial
"""


def until(done):
    """Waits for what must come."""
    end = time.monotonic() + 120
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)
