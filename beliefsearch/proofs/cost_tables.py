"""Tables of plans, bounds of costs and lost beliefs, for games without probabilities."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..errors import InvalidProofError
from ..plans.courses import follow, plan_table
from ..plans.node_plans import WrittenPlan
from ..solvers.path.distance_table import costs_to_go
from ..verify.asked_game import AskedGame
from ..verify.checker import INFINITE
from ..verify.numbered import Numbered
from .hints.proof_tables import lower_table

Table: TypeAlias = dict[str, Any]

_Tick: TypeAlias = Callable[[], None]

# A bound that no list of beliefs proves already is proved by all beliefs that can come up, if they are no more.
_MOST_BELIEFS = 200_000


def plan_of_listed(game: Any, plan: Any, tick: _Tick = lambda: None, *, means: bool = False) -> Table:
    """The table `plan` of a plan as a plan file has it: a sequence, a conditional plan or a winning region.

    With `means` also what each start pays, where results and percepts are certain.
    """
    if isinstance(plan, dict) and plan.get("kind") == "winning-region":
        return _region(game, plan, tick)
    course = follow(game, WrittenPlan(game.problem, plan), tick)
    if course.complaint:
        raise InvalidProofError(course.complaint)
    return plan_table(game, course.beliefs, course.options, tick=tick, means=means)[0]


def _number(numbers: Mapping[str, int], value: Any, name: str) -> int:
    found = numbers.get(json.dumps(value))
    if found is None:
        raise InvalidProofError(f"there is no {name} {json.dumps(value):.60} in the listed game")
    return found


def _region(game: Any, plan: Mapping[str, Any], tick: _Tick) -> Table:
    states = [_number(game.numbers["states"], state, "state") for state in plan["states"]]
    actions = [_number(game.numbers["actions"], action, "action") for action in plan["actions"]]
    beliefs = [sorted(states[k] for k in belief) for belief in plan["beliefs"]]
    number = {frozenset(belief): j for j, belief in enumerate(beliefs)}
    options = []
    for belief, safe in zip(beliefs, plan["safe"], strict=True):
        follows = [(action, game.outcomes(action, belief)) for action in (actions[k] for k in safe)]
        options.append([(a, {o: number[frozenset(after)] for o, after in outcomes.items()}) for a, outcomes in follows])
    return plan_table(game, beliefs, options, plan["start"], tick, keeps_trying=True)[0]


def lower_of_all(game: AskedGame, tick: _Tick, most: int = _MOST_BELIEFS) -> Table:
    """The least costs of all beliefs that can come up, as far as the start needs them, with reasons.

    Raises `InvalidProofError` if more than `most` beliefs can come up.
    """
    numbers = Numbered([frozenset(game.start)])
    edges: list[tuple[int, int, int, Any]] = []
    goals = []
    for number, belief in enumerate(numbers.items):  # grows while it is walked
        tick()
        members = list(belief)
        if game.is_won(members):
            goals.append(number)
            continue
        for action in game.applicable(members):
            cost = game.cost(action, members)
            after = (numbers.number(frozenset(outcome)) for outcome in game.outcomes(action, members).values())
            edges += ((number, k, action, cost) for k in after)
        if len(numbers.items) > most:
            raise InvalidProofError(f"more than {most:,} beliefs can come up, too many for a table of all")
    costs = costs_to_go(goals, edges)
    return lower_table(game, {belief: costs.get(j, INFINITE) for j, belief in enumerate(numbers.items)})
