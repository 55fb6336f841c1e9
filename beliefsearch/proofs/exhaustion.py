"""Proofs by exhaustion: lists of reached beliefs and of winning sets that rule out every cheaper plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..engine.compiled.bitset_words import Words, mask_of_words, members_of_words, words_of_bytes, words_of_members
from ..engine.compiled.bounded_bidirectional import SideCosts, image_cost, last_look
from ..engine.compiled.frontier import ArraySide, array_sides
from ..engine.compiled.sensorless import CompiledView
from ..model.base import Cost
from ..plans.encoding import Json, exact_to_json
from ..running.limits import EffortExceeded
from ..solvers.path.antichains import cheaper_side
from ..verify.proof_exhaustion import MOST_COVERED, MOST_FOLLOWED
from .cores import proof_by_cores

# With no more sets than this a proof lists them all. What a listed set costs a checker for each action, in sets that it
# follows.
_FEW_SETS = 1000
_LISTED = 2.0
# What an entry of a list takes in memory, and each number in it, in bytes.
_ENTRY, _NUMBER = 300, 8
# What a core takes besides its sets and reasons, and what cores may take together, in bytes.
_CORE, _MOST_OF_CORES = 64, 1 << 30
# Layers with more sets than this together would become too many cores, some ten for each.
_MOST_CORES_OF = 200_000
# Layers behind that are known beyond those that a list would have make more cores, which are found sooner.
_FURTHER = 2
# Sets that a list from two starts may have.
_MOST_CLOSED = 50_000


class _TooManyCores(Exception):
    """Raised when cores take so much that lists from both ends are better."""


class TooLong(EffortExceeded):
    """Raised when a proof would list more sets than a checker takes; `most` is how many it takes."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} sets would be listed")
        self.most = most


def exhaustion(
    view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None], most_bytes: float = math.inf
) -> dict[str, Json] | None:
    """The proof by exhaustion that no plan costs less than `bound`; None if one does.

    Raises `EffortExceeded` if its lists take more than about `most_bytes`, and `TooLong` if a checker would not take
    them.
    """
    width = view.model.width
    # As a list of numbers, or as text; and what the search for it keeps of a set.
    each = _ENTRY + (_NUMBER * len(view.model.states) // 2 if width == 1 else 32 * width)

    def check_room(listed: int) -> None:
        if listed > MOST_COVERED:
            raise TooLong(MOST_COVERED)
        if listed * each > most_bytes:
            raise EffortExceeded

    def check_cores(made: int) -> None:
        tick()
        size = made * (_CORE + 8 * width + 4 * len(view.model.actions))
        if size > most_bytes:
            raise EffortExceeded
        if size > _MOST_OF_CORES:
            raise _TooManyCores

    if view.has_unit_costs():
        return _from_both_ends(view, bound, tick, check_room, check_cores)
    return _ahead_only(view, bound, tick, check_room)


def closed_list(view: CompiledView[Any, Any], lost: list[int], tick: Callable[[], None]) -> dict[str, Json] | None:
    """The proof that there is no plan by what a belief of these lost starts leads to; None if that is too much."""
    start = words_of_members(np.isin(np.arange(len(view.model.states)), lost), view.model.width)
    ahead = ArraySide(view.model, start[np.newaxis], backwards=False, tick=lambda pairs: tick())
    # All are listed at 0, not at their layer: actions may cost less than 1, and no cost matters where there is no plan.
    listed = sets(ahead.layer, 0)
    while len(ahead):
        if len(listed) > _MOST_CLOSED:
            return None  # with several results of an action two states become many; lists from both ends may be short
        ahead.advance()
        listed += sets(ahead.layer, 0)
    goals = sets(view.model.goals[view.model.goals.any(axis=1)], 0)
    return {"kind": "exhaustion", "bound": None, "reach": None, "depth": 0, "ahead": listed, "behind": goals}


def _from_both_ends(
    view: CompiledView[Any, Any],
    bound: Cost,
    tick: Callable[[], None],
    check_room: Callable[[int], None],
    check_cores: Callable[[int], None],
) -> dict[str, Json] | None:
    """Cores; or the layers of a search from both ends, as far as it is quicker to list than to follow."""
    ahead, behind, meeting = array_sides(view, tick)
    sides = ahead, behind
    layers: list[list[Words]] = [[side.layer] for side in sides]
    depths: list[Any] = [0, 0]  # infinite: everything is listed on this side, it reaches as far as one likes
    rest = steps_behind = 0
    while sum(depths) < bound:
        if meeting() is not None:
            return None
        listed = sum(len(layer) for of_side in layers for layer in of_side)
        check_room(listed)
        if listed > _FEW_SETS and math.inf > bound:
            rest = int(bound) - sum(depths)
            side, steps_behind = _cheaper_to_list(ahead, behind, rest)
            if side is None:
                break
        else:
            side = behind if cheaper_side(*sides) is behind else ahead
        rest, chosen = 0, int(side is behind)
        sides[chosen].advance()
        depths[chosen] = depths[chosen] + 1 if len(sides[chosen]) else math.inf
        layers[chosen].append(sides[chosen].layer)
    if math.inf in depths and bound < math.inf:
        return None
    model = view.model
    if bound < math.inf and sum(map(len, layers[1])) <= _MOST_CORES_OF:
        for _ in range(_FURTHER if rest > _FURTHER else 0):
            behind.advance()
            layers[1].append(behind.layer)
        with suppress(_TooManyCores):
            return proof_by_cores(view, int(bound), layers[1], check_cores)
        del layers[1][depths[1] + 1 :]
    costs = SideCosts(len(model.actions), image_cost(model.forward, len(model.states)), every_length=True)
    if rest > 1 and last_look(ahead, behind, int(bound) - 1, costs, lambda expanded, generated: tick()) is not None:
        return None
    limit = None if bound == math.inf else int(bound)
    reach, depth = (None if depth == math.inf else depth for depth in depths)
    followed: dict[str, Json] = {"rest": rest, "rest_behind": steps_behind} if rest else {}
    lists: dict[str, Json] = {"ahead": _listed(layers[0]), "behind": _listed(layers[1])}
    return {"kind": "exhaustion", "bound": limit, "reach": reach, "depth": depth, **followed, **lists}


def _listed(layers: Sequence[Words]) -> list[Json]:
    """The sets of layers, with the numbers of these."""
    return [entry for number, layer in enumerate(layers) for entry in sets(layer, number)]


def _cheaper_to_list(ahead: ArraySide[Any], behind: ArraySide[Any], rest: int) -> tuple[ArraySide[Any] | None, int]:
    """The side of which a checker had better be given another layer; None if it should follow the rest by itself.

    Then also how many of the actions are best undone behind.
    """
    actions = len(ahead.model.actions)
    f, b = float(len(ahead)), float(len(behind))
    now, steps = _following(actions, f, b, rest)
    saved_ahead = now - _following(actions, f * ahead.growth, b, rest - 1)[0] - _LISTED * actions * f * ahead.growth
    saved_behind = now - _following(actions, f, b * behind.growth, rest - 1)[0] - _LISTED * actions * b * behind.growth
    if max(saved_ahead, saved_behind) <= 0 and now <= MOST_FOLLOWED:
        return None, steps
    return (ahead if saved_ahead > saved_behind else behind), steps


def _following(actions: int, ahead: float, behind: float, rest: int) -> tuple[float, int]:
    """The sets that a checker follows beyond the lists, and how many steps of them are best made behind."""
    best = math.inf, 0
    for steps in range(max(rest, 1)):
        made = sum(_grown(behind, actions, step) for step in range(1, steps + 1))
        made += sum(_grown(ahead, actions, step) for step in range(1, rest - steps))
        best = min(best, (made, steps))
    return best


def _grown(sets: float, actions: int, steps: int) -> float:
    return sets * float(actions) ** min(steps, 64)


def _ahead_only(
    view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None], check_room: Callable[[int], None]
) -> dict[str, Json] | None:
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
        check_room(len(least))
        for action in view.actions(belief):
            child = view.result(belief, action)
            price = cost + Fraction(view.action_cost(belief, action))
            if price < bound and price < least.get(child, math.inf):
                least[child] = price
                heappush(frontier, (price, len(least), child))
    limit: Json = exact_to_json(bound)
    listed: list[Json] = [
        [members_of_words(words_of_bytes(belief)).tolist(), exact_to_json(cost)] for belief, cost in least.items()
    ]
    goals: list[Json] = [entry for goals in view.goal_beliefs() for entry in sets(words_of_bytes(goals)[np.newaxis], 0)]
    return {"kind": "exhaustion", "bound": limit, "reach": limit, "depth": 0, "ahead": listed, "behind": goals}


def sets(layer: Words, value: int) -> list[Json]:
    """The sets of a layer as a proof lists them."""
    if layer.shape[1] == 1:
        return [[members_of_words(row).tolist(), value] for row in layer]
    return [[f"{mask_of_words(row):x}", value] for row in layer]  # shorter by far, and quicker to read
