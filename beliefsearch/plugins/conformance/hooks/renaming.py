"""The rule about `SymmetryHook`: whatever happens, the same happens to the images."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from ....model.belief import perceived, successors
from ....model.checked import checked_cost
from ....model.hooks import SymmetryHook
from ..rule import Case, Partly, Transitions, evenly, rule

# So many symmetries are looked at, and with each so many results of states and actions.
_MANY_SYMMETRIES = 20
_MANY_STEPS = 20_000


@rule(
    "symmetries",
    "symmetries() give states and actions other names, and change nothing else",
    SymmetryHook,
    why="A proof that takes one action for another by them is refused, so that none is found.",
)
def symmetry_complaint(problem: Any, transitions: Transitions) -> str | None:
    """What a symmetry changes, if anything."""
    given = list(islice(problem.symmetries(), _MANY_SYMMETRIES + 1))
    actions = max((len(by_action) for by_action in transitions.values()), default=1)
    states = evenly(list(transitions), max(1, _MANY_STEPS // max(1, actions)))
    for number, (of_state, of_action) in enumerate(given[:_MANY_SYMMETRIES]):
        complaint = _change(problem, {state: transitions[state] for state in states}, of_state, of_action)
        if complaint is not None:
            return Case(f"symmetry {number} of symmetries() {complaint}", *complaint.about)
    if len(given) > _MANY_SYMMETRIES or len(states) < len(transitions):
        raise Partly(f"the first {_MANY_SYMMETRIES} symmetries, in {len(states):,} of {len(transitions):,} states")
    return None


def _change(
    problem: Any, transitions: Transitions, of_state: Callable[[Any], Any], of_action: Callable[[Any], Any]
) -> Case | None:
    """What changes besides names: of a state, or of what an action does there."""
    before: dict[Any, Any] = {}  # by image of a state, and of an action with what is perceived: whose it is
    for state, by_action in transitions.items():
        image = of_state(state)
        if before.setdefault((image,), state) != state:
            return Case(f"maps {before[image,]!r} and {state!r} to the same state {image!r}", state)
        if _is_won(problem, state) != _is_won(problem, image):
            return Case(f"maps {state!r} to {image!r}, and only one of them is won", state)
        there = set(problem.actions(image))
        # Of many actions only some have been done here.
        if {of_action(action) for action in problem.actions(state)} != there:
            return Case(f"maps the actions of {state!r} to others than those of {image!r}", state)
        for action, results in by_action.items():
            other = of_action(action)
            said = f"maps {action!r} in {state!r} to {other!r} in {image!r}"
            if checked_cost(problem, state, action) != checked_cost(problem, image, other):
                return Case(f"{said}, which costs something else", state, action)
            if {of_state(result) for result in results} != set(successors(problem, image, other)):
                return Case(f"{said}, which leads to something else", state, action)
            for result in results:
                here = action, frozenset(perceived(problem, result, action))
                seen = frozenset(perceived(problem, of_state(result), other))
                if before.setdefault(here, seen) != seen or before.setdefault((here[0], seen, other), here) != here:
                    return Case(f"{said}, after which other states are perceived alike", state, action)
    return None


def _is_won(problem: Any, state: Any) -> bool:
    return any(state in goals for goals in problem.goal_sets())
