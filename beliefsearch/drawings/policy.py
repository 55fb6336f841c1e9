"""A policy as a graph of cards: the states that come up when it is followed, what it does there, and the chances."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import Any

from ..model.checked import checked_outcomes, checked_text
from ..model.drawing import Drawing
from ..plans.policy import Policy
from ..plans.wording import plural
from .cards import MOST_CARDS, Card, draw_cards
from .parts import mark_of, marked, state_picture

_LONGEST_FRACTION = 9


def draw_policy(problem: Any, policy: Policy[Any, Any], title: str = "", *, most: int = MOST_CARDS) -> Drawing:
    """The states that come up under the policy, up to its `canonical`, breadth-first."""
    start = policy.canonical(problem.initial_state())
    places = {start: 0}
    waiting = [start]
    cards: list[Card] = []
    edges: list[tuple[int, int, str]] = []
    for state in islice(waiting, most):  # grows while it is walked
        place = places[state]
        if problem.is_terminal(state):
            worth = f"worth {_short(problem.utility(state))}"
            cards.append(Card(state_picture(problem, state), worth, problem.format_state(state), end=True))
            continue
        action = policy.action(state)
        picture = marked(state_picture(problem, state), mark_of(problem, action))
        cards.append(
            Card(picture, f"value {_short(policy.value(state))}", checked_text(problem, "describe_action", action))
        )
        for chance, result in checked_outcomes(problem, state, action):
            known = policy.canonical(result)
            if known not in places:
                places[known] = len(waiting)
                waiting.append(known)
            edges.append((place, places[known], "" if chance == 1 else _short(chance)))
    shown = len(cards)
    note = "" if shown == len(waiting) else f"the first {plural(shown, 'state')}; the others are left out"
    return draw_cards(cards, edges, title, note)


def _short(number: Any) -> str:
    """A fraction if it is short, otherwise four digits."""
    exact = str(number) if isinstance(number, (int, Fraction)) else ""
    return exact if 0 < len(exact) <= _LONGEST_FRACTION else f"{float(number):.4g}"
