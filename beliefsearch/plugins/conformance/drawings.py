"""How the conformance suite checks drawings: that there are some, and that what is drawn over a state fits it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from ...model.checked import checked_drawing
from ...model.drawing import Drawing

DRAWING_METHODS = ("svg_state", "svg_action", "svg_belief")

# So many states and actions are drawn.
_MOST_DRAWN = 100


def drawing_complaint(problem: Any, states: Iterable[Any], actions: Iterable[Any]) -> str | None:
    """What is wrong with the drawings, if anything; raises `ProblemError` where there is none."""
    some = list(islice(states, _MOST_DRAWN))
    sizes: dict[tuple[float, float], Any] = {}
    for state in some:
        sizes.setdefault(_size(checked_drawing(problem, "svg_state", state)), state)
    if problem.overrides("svg_state") and len(sizes) > 1:
        (one, first), (other, second) = list(sizes.items())[:2]
        return (
            f"svg_state({first!r}) is drawn on a canvas of {one[0]:g} by {one[1]:g}, svg_state({second!r}) on one of "
            f"{other[0]:g} by {other[1]:g}; they must be equal"
        )
    together = _size(checked_drawing(problem, "svg_belief", some)) if some else None
    for action in islice(actions, _MOST_DRAWN):
        mark = checked_drawing(problem, "svg_action", action, may_be_none=True)
        if mark is not None and _size(mark) not in (*sizes, together):
            return f"svg_action({action!r}) is drawn on another canvas than the states, over which it is shown"
    return None


def _size(drawing: Drawing | None) -> tuple[float, float]:
    return (0, 0) if drawing is None else (drawing.width, drawing.height)
