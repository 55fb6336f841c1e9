"""The rule about pictures: what `svg_state`, `svg_action`, `svg_belief` and `describe_action` give.

The rule about `PlotHook`: labels are texts, and places pairs of whole numbers.
"""

from __future__ import annotations

from typing import Any

from ....model.canvas.drawing import Drawing
from ....model.checked import checked_plot_labels
from ....model.hooks import PlotHook
from ..rule import Case, Partly, Transitions, evenly, rule

_GIVEN = ("svg_state", "svg_action", "svg_belief", "describe_action")

# Drawings are slow to make: of more states, and of more actions, only so many are drawn.
_MOST_DRAWN = 50

_IN_A_BELIEF = 3


def are_given(problem: Any) -> bool:
    """Whether the author says anything about pictures; the defaults need no check."""
    return any(problem.overrides(method) for method in _GIVEN)


def drawing_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Say how the pictures of some of the states and actions fail; None if they do not."""
    states = evenly(list(transitions), _MOST_DRAWN)
    met = {action: state for state, by_action in reversed([*transitions.items()]) for action in by_action}
    actions = evenly(list(met), _MOST_DRAWN)
    first: Drawing | None = None
    pictures = set()
    for state in states:
        drawing = _drawn(problem, "svg_state", state)
        complaint = drawing if isinstance(drawing, str) else _state_complaint(problem, state, drawing, first)
        if complaint is not None:
            return Case(complaint, state)
        first = first or drawing
        pictures.add(drawing.svg())
    if len(states) > 1 == len(pictures):
        alike = f"{states[0]!r} and {states[1]!r} among them"
        return Case(f"svg_state() draws {len(states)} states alike, {alike}", states[0])
    belief = _drawn(problem, "svg_belief", states[:_IN_A_BELIEF])
    if isinstance(belief, str):
        return belief
    for action in actions:
        complaint = _action_complaint(problem, action, first)
        if complaint is not None:
            return Case(complaint, met[action], action)
    if len(states) < len(transitions) or len(actions) < len(met):
        drawn = f"{len(states)} of {len(transitions):,} states and {len(actions)} of {len(met):,} actions"
        raise Partly(f"{drawn} were drawn")
    return None


def _state_complaint(problem: Any, state: Any, drawing: Drawing, first: Drawing | None) -> str | None:
    """Say how the picture of a state fails, which the others must fit."""
    call = f"svg_state({state!r})"
    if not drawing.shapes():
        return f"{call} draws nothing"
    if drawing.svg() != problem.svg_state(state).svg():
        return f"{call} gives another picture at the second call"
    if first is not None and problem.overrides("svg_state") and _size(drawing) != _size(first):
        return f"{call} is {_size(drawing)}, but that of another state is {_size(first)}; every state has one canvas"
    return None


def _action_complaint(problem: Any, action: Any, state: Drawing | None) -> str | None:
    """Say how the marks of an action fail, which lie over a state, or its sentence."""
    marks = _drawn(problem, "svg_action", action, or_nothing=True)
    if isinstance(marks, str):
        return marks
    if marks is not None and state is not None and _size(marks) != _size(state):
        return f"svg_action({action!r}) is {_size(marks)}, but states are {_size(state)}"
    try:
        said = problem.describe_action(action)
    except Exception as error:
        return f"describe_action({action!r}): {type(error).__name__}: {error}"
    if isinstance(said, str) and said and "\n" not in said and not said.endswith("."):
        return None
    return f"describe_action({action!r}) gave {said!r}; it must be one line of text that ends without a stop"


def _drawn(problem: Any, method: str, argument: Any, *, or_nothing: bool = False) -> Any:
    """Return the `Drawing` of an author's method; a complaint, which is text, if it gives or raises something else."""
    call = f"{method}({argument!r})"
    try:
        drawing = getattr(problem, method)(argument)
    except Exception as error:
        return f"{call}: {type(error).__name__}: {error}"
    if isinstance(drawing, Drawing) or (or_nothing and drawing is None):
        return drawing
    return f"{call} gave {drawing!r:.80}; it must give a Drawing{' or None' * or_nothing}"


def _size(drawing: Drawing) -> str:
    return f"{drawing.width:g} x {drawing.height:g}"


@rule(
    "pictures",
    "plot_labels() gives three texts, and plot_position() None or two whole numbers",
    PlotHook,
    why="A picture of a policy has a square for each place, and a label on each side.",
)
def plot_complaint(problem: Any, transitions: Transitions) -> str | None:
    """Say how the labels or a place in pictures fail; raises `ProblemError` for the labels."""
    checked_plot_labels(problem)
    for state in transitions:
        place = problem.plot_position(state)
        if place is not None and not (
            isinstance(place, tuple) and len(place) == 2 and all(type(value) is int for value in place)
        ):
            complaint = f"plot_position({state!r}) gave {place!r}; it must give None or a pair of whole numbers"
            return Case(complaint, state)
    return None
