"""Classes of results, for annotations; the names stand in `results.pyi`."""

from ._doors import Door

Door.open(__name__)
