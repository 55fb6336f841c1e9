"""How a graph looks in files: where its nodes stand, how large they are, and their colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from typing import Any, NamedTuple

from ..model.drawing import PALETTE

# Between the middles of two nodes of a layer; in Graphviz, points.
_STEP = 80
# The size of a node for one state, and what twice the states add.
_SMALLEST, _DOUBLED = 12, 4

# By what a node is, the first that fits: the name of its colour.
_ROLES = {"goal": "green", "start": "blue", "on plan": "bright", "other": "soft"}


class Colour(NamedTuple):
    """Red, green and blue, each from 0 to 255."""

    r: int
    g: int
    b: int

    @property
    def hex(self) -> str:
        """Such as #d9a32e."""
        return f"#{bytes(self).hex()}"


COLOURS: Mapping[str, Colour] = {
    role: Colour(*bytes.fromhex(PALETTE[name][0].removeprefix("#"))) for role, name in _ROLES.items()
}
"""By role of a node, its colour on paper; edges on the plan have the colour of nodes there."""


def places(levels: Sequence[Any]) -> Iterator[tuple[float, float]]:
    """Where each node stands: x by its order in its layer, from the middle; y by the layer, the first at the top.

    Layers stand as far apart as makes the graph about as high as wide. y grows upwards, as in Gephi and Graphviz.
    """
    counts = Counter(levels)
    widest = max(counts.values(), default=1)
    down = _STEP * max(1, round(widest / max(len(counts), 1)))
    rows = {level: -down * row for row, level in enumerate(sorted(counts))}
    free = {level: -_STEP * (count - 1) / 2 for level, count in counts.items()}
    for level in levels:
        yield free[level], rows[level]
        free[level] += _STEP


def size_of(row: Mapping[str, Any]) -> float:
    """The diameter of a node: it grows by the same each time its belief has twice the states."""
    return round(_SMALLEST + _DOUBLED * log2(max(row.get("size", 1), 1)), 2)


def role_of(row: Mapping[str, Any]) -> str:
    """What a node is: a goal (or an end of a game), a start, on the plan (or the policy), or something other."""
    if row.get("goal") or row.get("terminal"):
        return "goal"
    if row.get("g") == 0:
        return "start"
    return "on plan" if is_marked(row) else "other"


def is_marked(row: Mapping[str, Any]) -> bool:
    """Whether a node or an edge is on the plan, or on the policy."""
    return bool(row.get("on_plan") or row.get("on_policy"))
