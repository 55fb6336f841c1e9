"""The rule about pictures: what `svg_state`, `svg_action`, `svg_belief` and `describe_action` give."""

from __future__ import annotations

from typing import Any

from ...model.drawing import Drawing
from .rule import Case, Partly, Transitions, evenly

_GIVEN = ("svg_state", "svg_action", "svg_belief", "describe_action")
# Drawings are slow to make: of more states, and of more actions, only so many are drawn.
_MOST_DRAWN = 50
_IN_A_BELIEF = 3


def are_given(problem: Any) -> bool:
    """Whether the author says anything about pictures; the defaults need no check."""
    return any(map(problem.overrides, _GIVEN))


def drawing_complaint(problem: Any, transitions: Transitions) -> str | None:
    """What is wrong with the pictures of some of the states and actions; None if nothing."""
    states = evenly(list(transitions), _MOST_DRAWN)
    met = {action: state for state, by_action in reversed([*transitions.items()]) for action in by_action}
    actions = evenly(list(met), _MOST_DRAWN)
    canvas: tuple[float, float] | None = None
    pictures = set()
    for state in states:
        call = f"svg_state({state!r})"
        drawing = problem.svg_state(state)
        complaint = _complaint(drawing, call)
        if complaint is None and not drawing.shapes():
            complaint = f"{call} draws nothing"
        if complaint is None and drawing.svg() != problem.svg_state(state).svg():
            complaint = f"{call} gives another picture at the second call"
        size = None if complaint else (drawing.width, drawing.height)
        if complaint is None and problem.overrides("svg_state") and size != (canvas or size):
            complaint = (
                f"{call} is {_by(size)}, but svg_state({states[0]!r}) is {_by(canvas)}; every state has one canvas"
            )
        if complaint is not None:
            return Case(complaint, state)
        canvas = canvas or size
        pictures.add(drawing.svg())
    if len(states) > 1 == len(pictures):
        return Case(
            f"svg_state() draws {len(states)} states alike, {states[0]!r} and {states[1]!r} among them", states[0]
        )
    complaint = _complaint(problem.svg_belief(states[:_IN_A_BELIEF]), f"svg_belief() of {states[:_IN_A_BELIEF]!r}")
    for action in actions if complaint is None else ():
        marks = problem.svg_action(action)
        call = f"svg_action({action!r})"
        complaint = None if marks is None else _complaint(marks, call)
        if complaint is None and marks is not None and (marks.width, marks.height) != canvas:
            complaint = f"{call} is {_by((marks.width, marks.height))}, but states are {_by(canvas)}"
        said = problem.describe_action(action)
        if complaint is None and not (isinstance(said, str) and said and "\n" not in said and not said.endswith(".")):
            complaint = (
                f"describe_action({action!r}) gave {said!r}; it must be one line of text that ends without a stop"
            )
        if complaint is not None:
            return Case(complaint, met[action], action)
    if complaint is None and (len(states) < len(transitions) or len(actions) < len(met)):
        raise Partly(
            f"{len(states)} of {len(transitions):,} states and {len(actions)} of {len(met):,} actions were drawn"
        )
    return complaint


def _complaint(drawing: object, call: str) -> str | None:
    return None if isinstance(drawing, Drawing) else f"{call} gave {drawing!r:.80}; it must give a Drawing"


def _by(size: tuple[float, float] | None) -> str:
    return "nothing" if size is None else f"{size[0]:g} x {size[1]:g}"
