"""Certificates of games of chance as tables with hints: policies, and bounds on the value of POMDPs.

The prover's side of `verify/checker.py`, as `cost_tables.py` is for games without probabilities.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ..errors import InvalidProofError
from ..model.reachability import steps_to
from ..verify.checker import ChanceGame
from ..verify.listed_game import ListedGame, written
from ..verify.policy_bounds import ExactGame, prove_bounds
from .cost_tables import Table

# Shares of points are rounded down to so many bits: shorter numbers prove nearly as much.
_BITS = 64

# Values are proved within this share of the largest one, unless they are exact.
_PRECISION = Fraction(1, 10**9)


def values_table(listed: ListedGame, plan: Mapping[str, Any], tick: Callable[[], None] = lambda: None) -> Table:
    """The table `values` of a policy as a plan file has it."""
    game = ChanceGame(listed.document)
    policy, values = [0] * game.states, [Fraction(0)] * game.states
    for state, action, value in plan["states"]:
        number = listed.states.get(json.dumps(state))
        if number is not None:
            policy[number], values[number] = listed.actions[json.dumps(action)], Fraction(value)
    d = Fraction(game.discount)
    rows: list[list[Any]] = []  # one more state, worth nothing, takes what ends the game
    chosen = []
    for s in range(game.states):
        rows.append([])
        chosen.append(0)
        for a, of_action in enumerate(game.rows):
            if of_action[s] is None:
                continue
            if a == policy[s]:
                chosen[s] = len(rows[s])
            reward, total, triples = of_action[s]
            ending = total - sum(w for _, _, w in triples)
            outcomes = [(w * d.numerator, t) for t, _, w in triples]
            outcomes += [(ending * d.numerator, game.states)] if ending else []
            rows[s].append((total * d.denominator, tuple(outcomes), Fraction(reward) * total * d.denominator))
    over = {game.states: Fraction(0)}
    most = max(map(abs, values), default=Fraction(0)) * _PRECISION
    bounds = prove_bounds(ExactGame([*rows, []], [*chosen, 0], over), [*values, Fraction(0)], most, tick)
    if bounds is None:
        raise InvalidProofError("no bounds near the values of the policy were found")
    found: Table = {"kind": "values", "policy": policy}
    for name, numbers in (("low", bounds.low), ("high", bounds.high)):
        found[name] = [written(Fraction(numbers[s]) / bounds.unit) for s in range(game.states)]
    if game.discount == 1:
        ends = [s for s in range(game.states) if game.may_end(policy[s], s)]
        steps = ((s, t) for s in range(game.states) for t, _, _ in game.rows[policy[s]][s][2])
        rank = steps_to(ends, steps)
        found["ranks"] = [rank.get(s) for s in range(game.states)]
    return found


def graph_table(listed: ListedGame, plan: Mapping[str, Any]) -> Table:
    """The table `graph` of a policy graph as a plan file has it."""
    game = ChanceGame(listed.document)
    states = [listed.states.get(json.dumps(state)) for state in plan["states"]]
    percepts = [listed.percepts.get(json.dumps(percept)) for percept in plan["percepts"]]
    nodes: list[tuple[int, list[Any], list[int | None]]] = []
    for action, after, values in plan["nodes"]:
        row: list[int | None] = [None] * game.percepts
        numbers: list[int | None] = [None] * game.states
        for percept, target in zip(percepts, after, strict=True):
            if percept is not None:
                row[percept] = target
        for state, value in zip(states, values, strict=True):
            if state is not None:
                numbers[state] = value
        nodes.append((listed.actions[json.dumps(action)], row, numbers))
    found: Table = {"kind": "graph", "unit": plan["unit"], "nodes": list(map(list, nodes))}
    if game.discount == 1:
        used = [(j, s) for j, (_, _, values) in enumerate(nodes) for s, v in enumerate(values) if v is not None]
        ends = [(j, s) for j, s in used if game.may_end(nodes[j][0], s)]
        steps = (((j, s), (nodes[j][1][o], t)) for j, s in used for t, o, _ in game.rows[nodes[j][0]][s][2])
        rank = steps_to(ends, steps)
        found["ranks"] = [[rank.get((j, s)) for s in range(game.states)] for j in range(len(nodes))]
    return found


def planes_table(listed: ListedGame, plan: Mapping[str, Any], proof: Mapping[str, Any]) -> Table:
    """The table `planes` of a bound from above as a certificate has it."""
    game = ChanceGame(listed.document)
    states = [listed.states.get(json.dumps(state)) for state in plan["states"]]
    percepts = [listed.percepts.get(json.dumps(percept)) for percept in plan["percepts"]]
    actions = [listed.actions[json.dumps(action)] for action in proof["actions"]]
    planes: list[list[int | None]] = [[None] * game.states for _ in game.rows]
    for action, plane in zip(actions, proof["planes"], strict=True):
        for state, value in zip(states, plane, strict=True):
            if state is not None and game.rows[action][state] is not None:
                planes[action][state] = value
    points = [({states[s]: w for s, w in weights}, value) for weights, value, _ in proof["points"]]
    if any(None in weights for weights, _ in points):
        raise InvalidProofError("a point has a state that cannot come up")
    rows = []
    for (weights, value), (_, _, named) in zip(points, proof["points"], strict=True):
        witnesses: list[Any] = []
        of_part = {(actions[a], percepts[o]): j for a, o, j in named}
        for a, of_action in enumerate(game.rows):
            if any(of_action[s] is None for s in weights):
                continue
            parts: dict[int, dict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
            for s, w in weights.items():
                _, total, triples = of_action[s]
                for t, o, chance in triples:
                    parts[o][t] += Fraction(w * chance, total)
            for o, part in parts.items():
                j = of_part.get((a, o), -1)
                if j == -2:
                    witnesses.append([a, o, -2])
                elif j >= 0 and (share := _share(part, points[j][0])):
                    witnesses.append([a, o, [j, written(share)]])
        rows.append([[[s, w] for s, w in weights.items()], value, witnesses])
    return {"kind": "planes", "unit": proof["unit"], "planes": planes, "points": rows}


def _share(part: Mapping[int, Fraction], point: Mapping[Any, int]) -> Fraction:
    """The largest share of a point that some weights have, rounded down."""
    share = min(part.get(s, Fraction(0)) / w for s, w in point.items())
    if not share:
        return share
    bits = max(0, share.denominator.bit_length() - share.numerator.bit_length() + _BITS)
    return Fraction(int(share * 2**bits), 2**bits)
