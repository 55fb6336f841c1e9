"""Tables of plans, bounds of costs and lost beliefs, for games without probabilities."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias

from ..errors import InvalidProofError
from ..model.reachability import steps_to
from ..solvers.path.distance_table import costs_to_go
from ..verify.checker import INFINITE, Game
from ..verify.listed_game import ListedGame
from ..verify.numbered import Numbered, written

Table: TypeAlias = dict[str, Any]

_Tick: TypeAlias = Callable[[], None]

# A bound that no list of beliefs proves already is proved by all beliefs that can come up, if they are no more.
_MOST_BELIEFS = 200_000


def plan_table(listed: ListedGame, plan: Any, tick: _Tick = lambda: None, *, means: bool = False) -> Table:
    """The table `plan` of a plan as a plan file has it: a sequence, a conditional plan or a winning region.

    With `means` also what each start pays, where results and percepts are certain and actions cost 1.
    """
    game = listed.game()
    if isinstance(plan, list):
        steps = [{"action": a, "branches": [{"percept": None, "node": k}]} for k, a in enumerate(plan, 1)]
        plan = {"nodes": [*steps, {}]}
    if plan.get("kind") == "winning-region":
        return _region(game, listed, plan)
    nodes = plan["nodes"]
    places = Numbered([(0, frozenset(game.start))])
    options: list[list[list[int]]] = []
    for node, belief in places.items:  # grows while it is walked
        tick()
        options.append([])
        if "action" not in nodes[node]:
            continue
        action = _number(listed.actions, nodes[node]["action"], "action")
        after = {json.dumps(branch["percept"]): branch["node"] for branch in nodes[node]["branches"]}
        named = {listed.percepts[text]: target for text, target in after.items() if text in listed.percepts}
        row = [action]
        for percept, outcome in game.outcomes(action, belief).items():
            target = named.get(percept, after.get("null"))
            if target is None:
                raise InvalidProofError(f"node {node} of the plan has no branch for a percept that may come")
            row += [percept, places.number((target, frozenset(outcome)))]
        options[-1].append(row)
    beliefs = [sorted(belief) for _, belief in places.items]
    try:  # each place behind all that it leads to, so that the first one comes last
        order = [*TopologicalSorter({j: row[0][2::2] if row else [] for j, row in enumerate(options)}).static_order()]
    except CycleError:  # it keeps trying
        ranks = _plan_ranks(game, beliefs, options)
        return {"kind": "plan", "root": 0, "nodes": _without_values(beliefs, options), "ranks": ranks}
    values: dict[int, Any] = {}
    for place in order:
        most = max((values[k] for row in options[place] for k in row[2::2]), default=0)
        values[place] = most + (game.cost(options[place][0][0], beliefs[place]) if options[place] else 0)
    number = {place: k for k, place in enumerate(reversed(order))}
    rows: list[list[Any]] = []
    for place in reversed(order):
        moved = [[row[0], *(number[x] if i % 2 else x for i, x in enumerate(row[1:]))] for row in options[place]]
        rows.append([beliefs[place], moved, written(values[place])])
    table: Table = {"kind": "plan", "root": 0, "nodes": rows}
    if means:
        table["means"] = _means(game, rows)
    return table


def _means(game: Game, nodes: Sequence[Any]) -> list[list[Any]]:
    """For each node and member what is paid to the end."""
    found: list[dict[int, Any]] = [{} for _ in nodes]
    for j in reversed(range(len(nodes))):
        members, options, _ = nodes[j]
        for s in members:
            found[j][s] = 0
            for action, *branches in options:
                ((percept, (result, *_)), *_) = game.steps[action][s] or ((0, (0,)),)
                after = dict(zip(branches[::2], branches[1::2], strict=True))[percept]
                found[j][s] = game.cost(action, [s]) + found[after][result]
    return [[written(mean) for mean in of_node.values()] for of_node in found]


def _number(numbers: Mapping[str, int], value: Any, name: str) -> int:
    found = numbers.get(json.dumps(value))
    if found is None:
        raise InvalidProofError(f"there is no {name} {json.dumps(value):.60} in the listed game")
    return found


def _region(game: Game, listed: ListedGame, plan: Mapping[str, Any]) -> Table:
    states = [_number(listed.states, state, "state") for state in plan["states"]]
    actions = [_number(listed.actions, action, "action") for action in plan["actions"]]
    beliefs = [sorted(states[k] for k in belief) for belief in plan["beliefs"]]
    number = {frozenset(belief): j for j, belief in enumerate(beliefs)}
    options = []
    for belief, safe in zip(beliefs, plan["safe"], strict=True):
        rows = []
        for action in (actions[k] for k in safe):
            outcomes = game.outcomes(action, belief)
            rows.append([action, *(x for o, after in outcomes.items() for x in (o, number[frozenset(after)]))])
        options.append(rows)
    ranks = _plan_ranks(game, beliefs, options)
    return {"kind": "plan", "root": plan["start"], "nodes": _without_values(beliefs, options), "ranks": ranks}


def _without_values(beliefs: Sequence[list[int]], options: Sequence[Any]) -> list[list[Any]]:
    return [[belief, of_node, None] for belief, of_node in zip(beliefs, options, strict=True)]


def _plan_ranks(game: Game, beliefs: Sequence[Sequence[int]], options: Sequence[Any]) -> list[list[int | None]]:
    """For each node and member how many steps an end is away, if all goes well."""
    ends = [(j, s) for j, rows in enumerate(options) if not rows for s in beliefs[j]]
    steps = [
        ((j, s), (k, t))
        for j, rows in enumerate(options)
        for action, *branches in rows
        for o, k in zip(branches[::2], branches[1::2], strict=True)
        for s in beliefs[j]
        for seen, results in game.steps[action][s] or ()
        if seen == o
        for t in results
    ]
    rank = steps_to(ends, steps)
    return [[rank.get((j, s)) for s in belief] for j, belief in enumerate(beliefs)]


def lower_of_all(game: Game, tick: _Tick, most: int = _MOST_BELIEFS) -> Table:
    """The least costs of all beliefs that can come up, as far as the start needs them, with reasons.

    Raises `InvalidProofError` if more than `most` beliefs can come up.
    """
    numbers = Numbered([frozenset(game.start)])
    steps: list[list[tuple[int, Any, list[tuple[int, int]]]]] = []  # by belief: action, cost, outcomes by percept
    goals = []
    for number, belief in enumerate(numbers.items):  # grows while it is walked
        tick()
        steps.append([])
        members = list(belief)
        if game.is_won(members):
            goals.append(number)
            continue
        for action in game.applicable(members):
            after = [(o, numbers.number(frozenset(outcome))) for o, outcome in game.outcomes(action, members).items()]
            steps[-1].append((action, game.cost(action, members), after))
        if len(numbers.items) > most:
            raise InvalidProofError(f"more than {most:,} beliefs can come up, too many for a table of all")
    edges = ((j, k, a, cost) for j, of_belief in enumerate(steps) for a, cost, after in of_belief for _, k in after)
    costs = costs_to_go(goals, edges)
    values: list[Any] = [costs.get(j, INFINITE) for j in range(len(numbers.items))]

    needed = Numbered([0])
    reasons = []
    for j in needed.items:  # grows while it is walked
        row: list[int] = []
        for _, cost, after in steps[j] if values[j] > 0 else ():
            percept, k = max(after, key=lambda pair: values[pair[1]])
            row += [percept, needed.number(k)] if cost < values[j] else [0, -1]
        reasons.append(row)
    return {
        "kind": "lower",
        "root": 0,
        "beliefs": [sorted(numbers.items[j]) for j in needed.items],
        "values": [written(values[j]) for j in needed.items],
        "reasons": reasons,
    }
