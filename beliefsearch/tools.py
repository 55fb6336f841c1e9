"""Tools beside the solvers: facts, counts of states, sweeps, helpers of problems; the names stand in `tools.pyi`."""

from ._doors import Door

Door.open(__name__)
