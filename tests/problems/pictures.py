"""What every puzzle's pictures must be: well formed, of one size, and different where states differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree

from beliefsearch.model.reachability import reachable_states


def check_pictures(problem: Any, belief: Iterable[Any] = ()) -> None:
    """Draw all states, actions and a belief of a small instance; raises AssertionError if they do not fit together."""
    states = reachable_states(problem)
    sizes: set[tuple[float, float]] = set()
    seen: dict[str, Any] = {}
    for state, actions in states.items():
        drawing = problem.svg_state(state)
        sizes.add((drawing.width, drawing.height))
        other = seen.setdefault(drawing.shapes(), state)
        assert problem.format_state(other) == problem.format_state(state), "two states look alike"
        ElementTree.fromstring(drawing.svg())
        for action in actions:
            marks = problem.svg_action(action)
            assert marks.shapes()
            sizes.add((marks.width, marks.height))
            assert problem.describe_action(action) != ""
    assert len(sizes) == 1
    ElementTree.fromstring(problem.svg_belief(list(belief) or list(states)).svg())


def check_texts(problem: Any) -> None:
    """Every state and every action of a small instance can be typed as it is written."""
    for state, actions in reachable_states(problem).items():
        assert problem.parse_state(problem.format_state(state)) == state
        for action in actions:
            assert problem.parse_action(problem.format_action(action)) == action
