"""Rules about drawings of states, actions and beliefs, and about `PlotHook`."""

from __future__ import annotations

from typing import Any

from ....model.canvas.drawing import Drawing
from ....model.checked import checked_plot_labels
from ....model.hooks import PlotHook
from ..rule import Broken, Partly, Transitions, evenly, rule

_GIVEN = ("svg_state", "svg_action", "svg_belief", "describe_action")
# The most states, and the most actions, that are drawn: drawing is slow.
_MOST_DRAWN = 50
_IN_A_BELIEF = 3


def are_given(problem: Any) -> bool:
    """Whether the author overrides a method for pictures; the defaults need no check."""
    return any(problem.overrides(method) for method in _GIVEN)


def check_drawing(problem: Any, transitions: Transitions) -> None:
    """Check the pictures of some of the states and actions."""
    states = evenly(list(transitions), _MOST_DRAWN)
    met = {action: state for state, by_action in reversed([*transitions.items()]) for action in by_action}
    actions = evenly(list(met), _MOST_DRAWN)
    first: Drawing | None = None
    pictures = set()
    for state in states:
        drawing = _checked_state(problem, state, first)
        first = first or drawing
        pictures.add(drawing.svg())
    if len(states) > 1 == len(pictures):
        alike = f"{states[0]!r} and {states[1]!r} among them"
        raise Broken(f"svg_state() draws {len(states)} states alike, {alike}", states[0])
    _drawn(problem, "svg_belief", states[:_IN_A_BELIEF])
    for action in actions:
        _check_action(problem, action, first, (met[action], action))
    if len(states) < len(transitions) or len(actions) < len(met):
        drawn = f"{len(states)} of {len(transitions):,} states and {len(actions)} of {len(met):,} actions"
        raise Partly(f"{drawn} were drawn")


def _checked_state(problem: Any, state: Any, first: Drawing | None) -> Drawing:
    """Return the picture of a state, which must have the size of the `first` one."""
    drawing: Drawing = _drawn(problem, "svg_state", state, about=(state,))
    call = f"svg_state({state!r})"
    if not drawing.shapes():
        raise Broken(f"{call} draws nothing", state)
    if drawing.svg() != problem.svg_state(state).svg():
        raise Broken(f"{call} gives another picture at the second call", state)
    if first is not None and problem.overrides("svg_state") and _size(drawing) != _size(first):
        of_first = f"that of another state is {_size(first)}; every state has one canvas"
        raise Broken(f"{call} is {_size(drawing)}, but {of_first}", state)
    return drawing


def _check_action(problem: Any, action: Any, state: Drawing | None, about: tuple[Any, ...]) -> None:
    """Check the marks of an action, which lie over a state, and its sentence."""
    marks = _drawn(problem, "svg_action", action, about=about, or_nothing=True)
    if marks is not None and state is not None and _size(marks) != _size(state):
        raise Broken(f"svg_action({action!r}) is {_size(marks)}, but states are {_size(state)}", *about)
    call = f"describe_action({action!r})"
    try:
        said = problem.describe_action(action)
    except Exception as error:
        raise Broken(f"{call}: {type(error).__name__}: {error}", *about) from error
    if not (isinstance(said, str) and said and "\n" not in said) or said.endswith("."):
        raise Broken(f"{call} gave {said!r}; it must be one line of text that ends without a stop", *about)


def _drawn(problem: Any, method: str, argument: Any, *, about: tuple[Any, ...] = (), or_nothing: bool = False) -> Any:
    """Return the `Drawing` of an author's method; raise `Broken` if it gives or raises something else."""
    call = f"{method}({argument!r})"
    try:
        drawing = getattr(problem, method)(argument)
    except Exception as error:
        raise Broken(f"{call}: {type(error).__name__}: {error}", *about) from error
    if not isinstance(drawing, Drawing) and not (or_nothing and drawing is None):
        raise Broken(f"{call} gave {drawing!r:.80}; it must give a Drawing{' or None' * or_nothing}", *about)
    return drawing


def _size(drawing: Drawing) -> str:
    return f"{drawing.width:g} x {drawing.height:g}"


@rule(
    "pictures",
    "plot_labels() gives three texts, and plot_position() None or two whole numbers",
    PlotHook,
    why="A picture of a policy has a square for each place, and a label on each side.",
)
def check_plot(problem: Any, transitions: Transitions) -> None:
    """Check the labels and the places in pictures; raises `ProblemError` for the labels."""
    checked_plot_labels(problem)
    for state in transitions:
        place = problem.plot_position(state)
        if place is not None and not (
            isinstance(place, tuple) and len(place) == 2 and all(type(value) is int for value in place)
        ):
            complaint = f"plot_position({state!r}) gave {place!r}; it must give None or a pair of whole numbers"
            raise Broken(complaint, state)
