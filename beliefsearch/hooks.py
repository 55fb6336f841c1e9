"""Hooks of problems, for speed or for richer answers; the names stand in `hooks.pyi`."""

from ._doors import Door

Door.open(__name__)
