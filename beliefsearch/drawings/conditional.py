"""A conditional plan as a graph of cards: the belief at each step, what is done, and what may be perceived."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from ..model.belief import outcomes
from ..model.checked import checked_text
from ..model.drawing import Drawing
from ..plans.wording import plural
from .cards import MOST_CARDS, Card, draw_cards
from .parts import belief_picture, mark_of


def draw_conditional(problem: Any, steps: Iterable[Any], title: str = "", *, most: int = MOST_CARDS) -> Drawing:
    """The steps of a conditional plan with their beliefs, breadth-first.

    The end of the plan is drawn anew wherever it is reached, so that one sees what is known then.
    """
    by_number = {step.number: step for step in steps}
    places: dict[Any, int] = {0: 0}
    cards: list[Card] = []
    edges: list[tuple[int, int, str]] = []
    waiting: list[tuple[Any, Any]] = [(0, by_number[0].states)]
    for name, states in islice(waiting, most):  # grows while it is walked
        step = by_number[name if isinstance(name, int) else name[0]]
        cards.append(_card(problem, step, states))
        if step.action is None:
            continue
        parts = outcomes(problem, frozenset(states), step.action)
        for percept, target in step.branches:
            if percept not in parts:
                continue
            following, left = by_number[target], frozenset(parts[percept])
            known = (target, len(waiting)) if following.action is None else target
            if known not in places:
                places[known] = len(waiting)
                waiting.append((known, left if following.action is None else following.states))
            said = "" if percept is None else problem.format_percept(percept)
            edges.append((places[name], places[known], said))
    shown = len(cards)
    steps_left = len(by_number) - sum(isinstance(name, int) for name, _ in waiting[:shown])
    note = ""
    if shown < len(waiting):
        note = f"the first {plural(shown, 'belief')}; {max(steps_left, len(waiting) - shown):,} more are left out"
    return draw_cards(cards, edges, title, note)


def _card(problem: Any, step: Any, states: Any) -> Card:
    if step.action is None:
        text = problem.format_state(*states) if len(states) == 1 else plural(len(states), "state")
        return Card(belief_picture(problem, states), "won", text, end=True)
    picture = belief_picture(problem, states, mark_of(problem, step.action))
    return Card(picture, plural(len(states), "state"), checked_text(problem, "describe_action", step.action))
