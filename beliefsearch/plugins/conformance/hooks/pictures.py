"""The rule about `PlotHook`: labels are texts, and places pairs of whole numbers."""

from __future__ import annotations

from typing import Any

from ....model.checked import checked_plot_labels
from ....model.hooks import PlotHook
from ..rule import Case, Transitions, rule


@rule(
    "pictures",
    "plot_labels() gives three texts, and plot_position() None or two whole numbers",
    PlotHook,
    why="A picture of a policy has a square for each place, and a label on each side.",
)
def plot_complaint(problem: Any, transitions: Transitions) -> str | None:
    """What is wrong with the labels or a place in pictures, if anything; raises `ProblemError` for the labels."""
    checked_plot_labels(problem)
    for state in transitions:
        place = problem.plot_position(state)
        if place is not None and not (
            isinstance(place, tuple) and len(place) == 2 and all(type(value) is int for value in place)
        ):
            complaint = f"plot_position({state!r}) gave {place!r}; it must give None or a pair of whole numbers"
            return Case(complaint, state)
    return None
