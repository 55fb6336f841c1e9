"""Drawings of plans: a strip of a sequence, and graphs of cards of conditional plans, policies and policy graphs."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import Any

from ...kinds import Kind, kind_of
from ...model.belief import outcomes
from ...model.canvas.drawing import Drawing
from ...model.canvas.html import MOST_BYTES, box, picture
from ...model.checked import checked_initial_distribution, checked_outcomes, checked_text
from ..policy import Policy, PolicyGraph
from ..wording import plural
from .cards import MOST_CARDS, Card, draw_cards
from .parts import belief_picture, mark_of, marked, state_picture
from .strip import draw_strip


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


_LONGEST_FRACTION = 9


def draw_policy(problem: Any, policy: Policy[Any, Any], title: str = "", *, most: int = MOST_CARDS) -> Drawing:
    """The states that come up under the policy, up to its `canonical`, breadth-first."""
    starts = dict.fromkeys(policy.canonical(state) for _, state in checked_initial_distribution(problem))
    waiting = list(starts)
    places = {state: place for place, state in enumerate(waiting)}
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


def draw_policy_graph(
    problem: Any, graph: PolicyGraph[Any, Any, Any], title: str = "", *, most: int = MOST_CARDS
) -> Drawing:
    """The nodes that may come up, breadth-first, with the states in which they may be used."""
    places: dict[int, int] = {graph.start: 0} if len(graph) else {}
    waiting = list(places)
    cards: list[Card] = []
    edges: list[tuple[int, int, str]] = []
    for node in islice(waiting, most):  # grows while it is walked
        action = graph.action(node)
        states = list(graph.values[node])
        picture = belief_picture(problem, states, mark_of(problem, action)) if states else None
        cards.append(Card(picture, f"node {node}", checked_text(problem, "describe_action", action)))
        for percept, target in graph.successors[node].items():
            if target not in places:
                places[target] = len(waiting)
                waiting.append(target)
            edges.append((places[node], places[target], problem.format_percept(percept)))
    shown = len(cards)
    note = "" if shown == len(waiting) else f"the first {plural(shown, 'node')}; the others are left out"
    return draw_cards(cards, edges, title, note)


_FEWEST = 3


def draw_answer(problem: Any, plan: Any, steps: Iterable[Any], title: str = "", **how: int) -> Drawing:
    """A plan whose steps with their beliefs are `steps`, or a policy.

    `how`: `most` is how many steps or cards there may be, and `small` asks for a drawing of few shapes.
    """
    small = bool(how.pop("small", False))
    kind = kind_of(problem)
    if kind is Kind.STOCHASTIC:
        return draw_policy(problem, plan, title, **how)
    if kind is Kind.POMDP:
        return draw_policy_graph(problem, plan, title, **how)
    if getattr(plan, "is_conditional", False):
        return draw_conditional(problem, steps, title, **how)
    return draw_strip(problem, steps, title, small=small, **how)


def answer_box(problem: Any, plan: Any, steps: Iterable[Any]) -> str:
    """A plan or a policy drawn for a notebook, with as many steps as there is room for."""
    many = 16
    while True:
        drawing = draw_answer(problem, plan, steps, most=many, small=True)
        if many <= _FEWEST or len(drawing.svg()) < MOST_BYTES:
            return box(repr(problem), picture(drawing, "what is known at each step"))
        many = many * 2 // 3
