"""Drawings of plans: a strip of a sequence, and graphs of cards of conditional plans, policies and policy graphs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from ...kinds import Kind, kind_of
from ...model.belief import outcomes
from ...model.canvas.drawing import Drawing
from ...model.canvas.html import MOST_BYTES, box, picture
from ...model.checked import checked_initial_distribution, checked_outcomes, checked_text
from ..policy import Policy, PolicyGraph
from ..wording import plural
from .cards import MOST_CARDS, Card, breadth_first, draw_breadth_first, draw_cards
from .parts import (
    LINE,
    NORMAL,
    SMALL,
    belief_picture,
    draws_beliefs,
    fitted,
    mark_of,
    marked,
    sheet,
    squares_in_order,
    state_picture,
    states_in_order,
    wrapped,
    write,
)


def draw_conditional(problem: Any, steps: Iterable[Any], title: str = "", *, most: int = MOST_CARDS) -> Drawing:
    """The steps of a conditional plan with their beliefs, breadth-first.

    An end of the plan gets a card for each branch that leads to it, with the belief there.
    """
    by_number = {step.number: step for step in steps}

    def visit(node: tuple[int, Any]) -> tuple[Card, list[tuple[Hashable, str]]]:
        number, end = node  # an end has the step and the percept that lead to it, and the belief there
        step = by_number[number]
        if step.action is None:
            return _card(problem, step, step.states if end is None else end[2]), []
        beliefs = outcomes(problem, frozenset(step.states), step.action)
        following: list[tuple[Hashable, str]] = []
        for percept, target in step.branches:
            if percept in beliefs:
                end = (number, percept, frozenset(beliefs[percept])) if by_number[target].action is None else None
                following.append(((target, end), "" if percept is None else problem.format_percept(percept)))
        return _card(problem, step, step.states), following

    cards, edges, met = breadth_first([(0, None)], visit, most)
    shown = len(cards)
    steps_left = len(by_number) - sum(end is None for _, end in met[:shown])
    note = ""
    if shown < len(met):
        note = f"the first {plural(shown, 'belief')}; {max(steps_left, len(met) - shown):,} more are left out"
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

    def visit(state: Any) -> tuple[Card, list[tuple[Hashable, str]]]:
        if problem.is_terminal(state):
            worth = f"worth {_short(problem.utility(state))}"
            return Card(state_picture(problem, state), worth, problem.format_state(state), end=True), []
        action = policy.action(state)
        picture = marked(state_picture(problem, state), mark_of(problem, action))
        value, text = f"value {_short(policy.value(state))}", checked_text(problem, "describe_action", action)
        after = checked_outcomes(problem, state, action)
        return Card(picture, value, text), [
            (policy.canonical(result), "" if chance == 1 else _short(chance)) for chance, result in after
        ]

    starts = (policy.canonical(state) for _, state in checked_initial_distribution(problem))
    return draw_breadth_first(starts, visit, most, title, "state")


def _short(number: Any) -> str:
    """A fraction if it is short, otherwise four digits."""
    exact = str(number) if isinstance(number, (int, Fraction)) else ""
    return exact if 0 < len(exact) <= _LONGEST_FRACTION else f"{float(number):.4g}"


def draw_policy_graph(
    problem: Any, graph: PolicyGraph[Any, Any, Any], title: str = "", *, most: int = MOST_CARDS
) -> Drawing:
    """The reachable nodes, breadth-first, with the states in which they may be used."""

    def visit(node: int) -> tuple[Card, list[tuple[Hashable, str]]]:
        action = graph.action(node)
        states = list(graph.values[node])
        picture = belief_picture(problem, states, mark_of(problem, action)) if states else None
        card = Card(picture, f"node {node}", checked_text(problem, "describe_action", action))
        return card, [(target, problem.format_percept(percept)) for percept, target in graph.successors[node].items()]

    return draw_breadth_first([graph.start] if len(graph) else [], visit, most, title, "node")


MOST_STEPS = 48
"""A longer plan is drawn as its first and its last steps."""
_LAST = 7
_MOST_SMALL, _MOST_SQUARES = 12, 108  # more states are drawn as squares, or not at all
_CELL, _PICTURE, _GAP, _COLUMNS, _MARGIN = 128.0, 100.0, 20.0, 8, 16.0
_LINES = 3


def draw_strip(
    problem: Any, steps: Iterable[Any], title: str = "", *, most: int = MOST_STEPS, small: bool = False
) -> Drawing:
    """The beliefs along a plan, in rows from left to right.

    `steps` have `states` and `action`, which is None at the end. A picture shows the belief before its action, and the
    mark of the action. If the problem draws a belief as one picture, small pictures of its states stand below.
    """
    first, skipped, last = _ends(iter(steps), most)
    shown = [*first, *last]
    order = list(dict.fromkeys(state for step in shown for state in step.states))
    plain = all(len(step.states) == 1 for step in shown)
    whole_beliefs = draws_beliefs(problem, order[:_MOST_SMALL])
    rows_below = ceil(len(order) / 6)
    members = _no_members if plain else _members(problem, order, whole_beliefs, 0 if small else rows_below)
    below = members(())
    words = {id(step): wrapped(_said(problem, step), _CELL, NORMAL, _LINES) for step in shown}
    text_top = 20 + _PICTURE + 6 + (0 if below is None else below.height + 6)
    high = text_top + max(map(len, words.values())) * LINE * NORMAL + 6
    count = len(first) + len(last) + bool(skipped)
    columns = min(_COLUMNS, count)
    rows = ceil(count / columns)
    width = max(2 * _MARGIN + columns * (_CELL + _GAP) - _GAP, 260)
    whole, head = sheet(width, 2 * _MARGIN + rows * (high + _GAP) - _GAP, title)

    def cell(place: int) -> tuple[float, float]:
        row, column = divmod(place, columns)
        return _MARGIN + column * (_CELL + _GAP), head + _MARGIN + row * (high + _GAP)

    for place, step in enumerate([*first, *([None] if skipped else []), *last]):
        x, y = cell(place)
        if place < count - 1:
            middle = x + _CELL + _GAP / 2, y + 20 + _PICTURE / 2
            arrow = [(middle[0] - 3, middle[1] - 6), (middle[0] + 3, middle[1]), (middle[0] - 3, middle[1] + 6)]
            whole.polyline(arrow, stroke="soft", width=1.6, round=True)
        if step is None:
            whole.text(x + _CELL / 2, y + 20 + _PICTURE / 2 - 10, "…", size=26, fill="soft")
            said = f"and {plural(skipped, 'more step')}, which {'is' if skipped == 1 else 'are'} left out"
            write(whole, wrapped(said, _CELL - 16, NORMAL, 3), x + _CELL / 2, y + 84, anchor="middle", fill="soft")
            continue
        end = step.action is None
        box = {"fill": "accent-soft", "stroke": "accent"} if end else {"fill": "none", "stroke": "line"}
        whole.rectangle(x - 4, y - 2, _CELL + 8, high + 2, r=8, **box)
        whole.text(x + 2, y + 9, str(step.number), size=NORMAL, anchor="start", bold=True, fill="soft")
        if not plain:
            whole.text(x + _CELL - 2, y + 9, plural(len(step.states), "state"), size=SMALL, anchor="end", fill="soft")
        mark = None if end else mark_of(problem, step.action)
        if len(step.states) > 1 and not whole_beliefs and len(order) <= _MOST_SMALL:
            picture = states_in_order(problem, order, step.states, _PICTURE, max(1, round(len(order) ** 0.5)), mark)
        else:
            picture = belief_picture(problem, step.states, mark)
        fitted(whole, picture, x + (_CELL - _PICTURE) / 2, y + 20, _PICTURE, _PICTURE)
        if (below := members(step.states)) is not None:
            whole.place(below, x, y + 24 + _PICTURE)
        write(whole, words[id(step)], x + _CELL / 2, y + text_top, anchor="middle", bold=end)
    return whole


def _ends(steps: Iterator[Any], most: int) -> tuple[list[Any], int, list[Any]]:
    """The first and the last steps, and the number left out between them, whose notice takes the place of one step."""
    few = min(_LAST, most // 2)
    first = list(islice(steps, max(1, most - few - 1)))
    last: deque[Any] = deque(maxlen=few + 1)
    rest = 0
    for step in steps:
        rest += 1
        last.append(step)
    if rest > few + 1:
        last.popleft()
    return first, rest - len(last), list(last)


def _no_members(present: Collection[Any]) -> Drawing | None:
    return None


def _members(
    problem: Any, order: list[Any], whole_beliefs: bool, rows: int
) -> Callable[[Collection[Any]], Drawing | None]:
    """Return the function that draws the possible states below a picture: small pictures in rows, squares or nothing.

    With 0 `rows` it draws squares in place of small pictures.
    """
    if len(order) > _MOST_SQUARES or (not whole_beliefs and len(order) <= _MOST_SMALL):
        return _no_members
    if len(order) > _MOST_SMALL or not rows:
        return lambda present: squares_in_order(order, present, _CELL)
    return lambda present: states_in_order(problem, order, present, _CELL, rows)


def _said(problem: Any, step: Any) -> str:
    """Say the action of a step; at the end, how the game ends."""
    if step.action is not None:
        return checked_text(problem, "describe_action", step.action)
    return "Won" if all(problem.is_goal(state) for state in step.states) else "The end"


_FEWEST = 3


def draw_answer(problem: Any, plan: Any, steps: Iterable[Any], title: str = "", **how: int) -> Drawing:
    """A plan whose steps with their beliefs are `steps`, or a policy.

    In `how`, `most` limits the number of steps or cards, and `small` asks for few shapes.
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
