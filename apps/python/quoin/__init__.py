"""Runs Quoin's cases and reads their results as NumPy arrays.

    import quoin
    run = quoin.run("case.yaml", set={"problem.grid.nodes": [255, 255]}, progress=True)
    run["u"], run.history["residual"], run.summary["errors"]
    run = quoin.read("results/case")

It drives the program `quoin`: the one that the environment variable QUOIN names, else the first on PATH. README.md
beside this package, or where python3-quoin has it, shows more.
"""

from ._checkpoint import Checkpoint
from ._errors import (CaseError, CheckpointError, DeviceError, Diverged, Error, FileError, Interrupted, Killed, Mistake,
                      NotConverged, PluginError, ProgramBug, ProgramNotFound, Stopped, UsageError)
from ._fields import Frame
from ._results import Frames, Run, Study, read
from ._run import Progress, check, resume, run, sweep

__version__ = "0.1.0"
__all__ = ["CaseError", "Checkpoint", "CheckpointError", "DeviceError", "Diverged", "Error", "FileError", "Frame",
           "Frames", "Interrupted", "Killed", "Mistake", "NotConverged", "PluginError", "ProgramBug", "Progress",
           "ProgramNotFound", "Run", "Stopped", "Study", "UsageError", "check", "read", "resume", "run", "sweep"]
