"""Proofs by exhaustion: lists of reached beliefs and of winning sets that rule out every cheaper plan."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..engine.compiled.sensorless_view import CompiledView, words
from ..engine.compiled.side import array_sides
from ..engine.compiled.words import Words, members_of_words
from ..model.problem import Cost
from ..plans.encoding import Json, exact_to_json
from ..solvers.path.belief_layers import cheaper_side


def exhaustion(view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None]) -> dict[str, Json] | None:
    """The proof by exhaustion that no plan costs less than `bound`; None if one does."""
    if view.has_unit_costs():
        return _from_both_ends(view, bound, tick)
    return _ahead_only(view, bound, tick)


def _from_both_ends(view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None]) -> dict[str, Json] | None:
    """The layers of a search from both ends, as far as the bound."""
    *sides, meeting = array_sides(view, tick)
    layers = [_sets(side.layer, 0) for side in sides]
    depths: list[Any] = [0, 0]  # infinite: everything is listed on this side, it reaches as far as one likes
    while sum(depths) < bound:
        if meeting() is not None:
            return None
        chosen = int(cheaper_side(*sides) is sides[1])
        sides[chosen].advance()
        depths[chosen] = depths[chosen] + 1 if len(sides[chosen]) else math.inf
        layers[chosen] += _sets(sides[chosen].layer, depths[chosen])
    if math.inf in depths and bound < math.inf:
        return None
    limit = None if bound == math.inf else int(bound)
    reach, depth = (None if depth == math.inf else depth for depth in depths)
    ahead, behind = layers
    return {"kind": "exhaustion", "bound": limit, "reach": reach, "depth": depth, "ahead": ahead, "behind": behind}


def _ahead_only(view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None]) -> dict[str, Json] | None:
    """Every belief that can be reached for less than the bound, with its least cost."""
    start = view.initial_state()
    least: dict[bytes, Cost] = {start: 0}
    frontier: list[tuple[Cost, int, bytes]] = [(0, 0, start)]
    while frontier:
        cost, _, belief = heappop(frontier)
        if cost > least[belief]:
            continue
        if view.is_goal(belief):
            return None
        tick()
        for action in view.actions(belief):
            child = view.result(belief, action)
            price = cost + Fraction(view.action_cost(belief, action))
            if price < bound and price < least.get(child, math.inf):
                least[child] = price
                heappush(frontier, (price, len(least), child))
    limit: Json = exact_to_json(bound)
    listed: list[Json] = [
        [members_of_words(words(belief)).tolist(), exact_to_json(cost)] for belief, cost in least.items()
    ]
    goals: list[Json] = [entry for goals in view.goal_beliefs() for entry in _sets(words(goals)[np.newaxis], 0)]
    return {"kind": "exhaustion", "bound": limit, "reach": limit, "depth": 0, "ahead": listed, "behind": goals}


def _sets(layer: Words, value: int) -> list[Json]:
    return [[members_of_words(row).tolist(), value] for row in layer]
