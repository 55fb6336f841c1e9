"""Pictures of plans, searches, explorations and sweeps; the names stand in `plot.pyi`."""

from ._doors import Door

Door.open(__name__)
