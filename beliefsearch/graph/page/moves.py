"""Outcomes of every action in every state, so that a page can work out any belief and play the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from ...engine.bits.bitset import bit_numbers
from ...engine.bits.contingent import BitsetContingentView
from ...kinds import is_plain
from ...model.belief import perceived, successors
from ...model.checked import written_cost
from ...model.problem import BeliefProblem
from .tables import MOST_MOVES, MOST_STATES, Tables, json_number

_MANY = MOST_MOVES // 4


Odds: TypeAlias = "Callable[[Any, Any], Iterable[tuple[Any, Any, Any]]]"
"""For a state and an action: what may follow, as triples of a result, a percept and how likely both are."""

_Move: TypeAlias = tuple[int, Any, int, Any, Any, Any]
"""A state, an action, a result, a percept, how likely these are, and what the action costs."""


def moves_of(
    view: BitsetContingentView[Any, Any],
    tables: Tables,
    tick: Callable[[], None],
    odds: Odds | None = None,
    reward: Callable[[Any, Any, Any], float] | None = None,
) -> dict[str, Any] | None:
    """A row for each state, action, result and percept that can come up; None if they are too many.

    Probabilities say how likely a result and percept are against chance, by default all that an author lists alike;
    None if within each action all are equal. `reward` is what an action pays that leads from a state to another.
    """
    problem, model = view.problem, view.model
    rows: list[_Move] = []
    ends_at_goals = is_plain(problem)
    for number, state in enumerate(model.states):  # grows while it is walked
        if ends_at_goals and problem.is_goal(state):
            continue
        (actions,) = model.action_lists(range(number, number + 1))
        for action in actions:
            if len(rows) > MOST_MOVES or len(model.states) > MOST_STATES:
                return None
            rows += _moves(view, number, action, tick, odds)
        if len(rows) > _MANY and len(rows) * len(model.states) > 4 * MOST_MOVES * (number + 1):
            return None  # it would take long to find out that there are too many
    return None if len(rows) > MOST_MOVES else _columns(view, tables, rows, reward)


def moves_along(
    view: BitsetContingentView[Any, Any],
    tables: Tables,
    steps: Iterable[tuple[int, Any]],
    tick: Callable[[], None],
    odds: Odds | None = None,
    reward: Callable[[Any, Any, Any], float] | None = None,
) -> dict[str, Any] | None:
    """`moves_of`, for some steps only: a belief, and the action that is done there."""
    pairs = dict.fromkeys((number, action) for belief, action in steps for number in bit_numbers(belief))
    rows: list[_Move] = []
    for number, action in pairs:
        rows += _moves(view, number, action, tick, odds)
        if len(rows) > MOST_MOVES:
            return None
    return {**_columns(view, tables, rows, reward), "whole": False}


def _moves(
    view: BitsetContingentView[Any, Any], number: int, action: Any, tick: Callable[[], None], odds: Odds | None
) -> list[_Move]:
    """Return the rows of an action in a state, without the numbers of the page."""
    problem, model = view.problem, view.model
    state = model.states[number]
    shares: dict[tuple[int, Any], Any] = {}
    for result, percept, share in odds(state, action) if odds else _alike(problem, state, action, tick):
        after = model.number(result), percept
        shares[after] = shares.get(after, 0) + share
    cost = json_number(written_cost(problem, state, action))
    return [(number, action, result, percept, share, cost) for (result, percept), share in shares.items()]


def _columns(
    view: BitsetContingentView[Any, Any],
    tables: Tables,
    rows: list[_Move],
    reward: Callable[[Any, Any, Any], float] | None,
) -> dict[str, Any]:
    """Return the rows as page data, by columns."""
    model = view.model
    numbers = tables.states(model.states)
    ways: dict[tuple[int, Any], set[Any]] = {}
    for number, action, _, _, share, _ in rows:
        ways.setdefault((number, action), set()).add(share)
    uneven = any(len(shares) > 1 for shares in ways.values())
    return {
        "state": [numbers[row[0]] for row in rows],
        "action": [tables.action(row[1]) for row in rows],
        "result": [numbers[row[2]] for row in rows],
        "percept": [tables.percept(row[3]) for row in rows],
        "probability": [float(row[4]) for row in rows] if uneven else None,
        "cost": [row[5] for row in rows],
        "reward": reward and [reward(model.states[row[0]], row[1], model.states[row[2]]) for row in rows],
        "whole": True,
    }


def _alike(
    problem: BeliefProblem[Any, Any, Any], state: Any, action: Any, tick: Callable[[], None]
) -> Iterator[tuple[Any, Any, Any]]:
    """Return the outcomes where all results are equally likely, and so are all percepts of each."""
    results = tuple(successors(problem, state, action, tick))
    for result in results:
        percepts = perceived(problem, result, action)
        share = len(results) * len(percepts)
        yield from ((result, percept, 1 if share == 1 else Fraction(1, share)) for percept in percepts)


def moves_in_graph(
    view: BitsetContingentView[Any, Any], tables: Tables, steps: Iterable[tuple[int, Any, int]]
) -> dict[str, Any]:
    """`moves_of` for a plain problem, as far as some steps go: a node, the action, and the node that it leads to."""
    steps = list(dict.fromkeys(steps))
    number_of = {node: tables.state(view.members(node)[0]) for step in steps for node in (step[0], step[2])}
    return {
        "state": [number_of[node] for node, _, _ in steps],
        "action": [tables.action(action) for _, action, _ in steps],
        "result": [number_of[result] for _, _, result in steps],
        "percept": [0] * len(steps),
        "probability": None,
        "cost": [json_number(view.action_cost(node, action)) for node, action, _ in steps],
        "reward": None,
        "whole": False,
    }


def goal_sets_of(view: BitsetContingentView[Any, Any], tables: Tables) -> list[list[int]] | None:
    """Return the listed states of each goal set; None where a belief is won if each of its states is."""
    if not view.problem.overrides("goal_sets"):
        return None
    model, listed = view.model, set(tables.known_states)
    return [
        [tables.state(state) for state in map(model.states.__getitem__, members) if state in listed]
        for members in model.goal_members
    ]
