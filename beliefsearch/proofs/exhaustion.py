"""Proofs that list beliefs without percepts: from each of them so much has to be paid, or nobody wins."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import numpy as np

from ..engine.bits.bitset import bit_numbers
from ..engine.compiled.bitset_words import Words, mask_of_words, members_of_words, words_of_bytes, words_of_members
from ..engine.compiled.frontier import ArraySide, array_sides
from ..engine.compiled.sensorless import CompiledView
from ..model.base import Cost
from ..plans.encoding import Json, exact_to_json
from ..running.limits import EffortExceeded
from ..solvers.path.antichains import cheaper_side
from .cores import proof_by_cores, proof_of_listed

# What an entry of a list takes in memory, and each number in it, in bytes.
_ENTRY, _NUMBER = 300, 8
# A list of beliefs with their bounds is no longer than this.
_MOST_LISTED = 1 << 22
# What a core takes besides its sets and reasons, and what cores may take together, in bytes.
_CORE, _MOST_OF_CORES = 64, 1 << 31
# A list that takes so many bytes is looked for before one by factors, which may be far shorter or far longer.
SHORT_LIST = 1 << 26
# A list for a lower bound, where one was too long, takes an eighth of that.
SHORTER_LIST = _MOST_OF_CORES >> 3
# With so many sets behind cores are looked for at first. The more there are, the fewer cores suffice: if these come to
# be so many for each set, it is begun anew with many times as many sets.
_FIRST_BEHIND, _CORES_EACH, _TIMES_BEHIND = 50_000, 14, 4
# Beliefs that a list from two starts may have.
_MOST_CLOSED = 50_000


class _MoreBehind(Exception):
    """Raised when more sets behind would make fewer cores."""


class TooLong(EffortExceeded):
    """Raised when a proof would list more beliefs than a checker takes; `most` is how many it takes."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most:,} beliefs would be listed")
        self.most = most


def exhaustion(
    view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None], most_bytes: float = math.inf
) -> dict[str, Json] | None:
    """The proof by a list of beliefs that no plan costs less than `bound`; None if one does.

    Raises `EffortExceeded` if the list takes more than about `most_bytes`, and `TooLong` if a checker would not take
    it.
    """
    if bound < math.inf and view.has_unit_costs():
        return _by_cores(view, int(bound), tick, most_bytes)
    each = _ENTRY + _NUMBER * len(view.model.states) // 2

    def check_room(listed: int) -> None:
        if listed > _MOST_LISTED:
            raise TooLong(_MOST_LISTED)
        if listed * each > most_bytes:
            raise EffortExceeded

    return _lost(view, tick, check_room) if bound == math.inf else _by_costs(view, bound, tick, check_room)


def closed_list(view: CompiledView[Any, Any], lost: list[int], tick: Callable[[], None]) -> dict[str, Json] | None:
    """The proof that there is no plan by what a belief of these lost starts leads to; None if that is too much."""
    start = words_of_members(np.isin(np.arange(len(view.model.states)), lost), view.model.width)
    ahead = ArraySide(view.model, start[np.newaxis], backwards=False, tick=lambda pairs: tick())
    layers = [ahead.layer]
    while len(ahead):
        if sum(map(len, layers)) > _MOST_CLOSED:
            return None  # with several results of an action two states become many; other lists may be short
        ahead.advance()
        layers.append(ahead.layer)
    return proof_of_listed(view, np.concatenate(layers), tick)


def _lost(
    view: CompiledView[Any, Any], tick: Callable[[], None], check_room: Callable[[int], None]
) -> dict[str, Json] | None:
    """Beliefs that lead to each other for ever: all that can be reached, or small ones in none of the sets that win."""
    ahead, behind, meeting = array_sides(view, tick)
    layers: dict[Any, list[Words]] = {ahead: [ahead.layer], behind: [behind.layer]}
    side = ahead
    while len(side):
        tick()
        if meeting() is not None:
            return None
        check_room(sum(len(layer) for of_side in layers.values() for layer in of_side))
        side = behind if cheaper_side(ahead, behind) is behind else ahead
        side.advance()
        layers[side].append(side.layer)
    if side is ahead:
        return proof_of_listed(view, np.concatenate(layers[ahead]), tick)
    won = [mask_of_words(row) for layer in layers[behind] for row in layer]
    return lost_cores(view, won, tick, check_room)


def lost_cores(
    view: CompiledView[Any, Any],
    won: Sequence[int],
    tick: Callable[[], None],
    check_room: Callable[[int], None] = lambda listed: None,
) -> dict[str, Json] | None:
    """Small parts of beliefs that are in none of the sets that win, from that of the start on; None if it is in one."""
    with_state = [0] * len(view.model.states)  # by state a bit for each set that has it
    for number, mask in enumerate(won):
        for state in bit_numbers(mask):
            with_state[state] |= 1 << number

    def core(belief: bytes) -> bytes | None:
        """Greedily: each time the state that leaves the fewest sets."""
        left, kept = (1 << len(won)) - 1, []
        members = members_of_words(words_of_bytes(belief)).tolist()
        while left:
            chosen = min(members, key=lambda state: (left & with_state[state]).bit_count())
            if left & with_state[chosen] == left:
                return None
            left &= with_state[chosen]
            kept.append(chosen)
        kept = kept or members[:1]
        return words_of_members(np.isin(np.arange(len(with_state)), kept), view.model.width).tobytes()

    found = dict.fromkeys([core(view.initial_state())])
    frontier = list(found)
    for belief in frontier:  # grows while it is walked
        if belief is None:
            return None
        tick()
        check_room(len(found))
        for action in view.actions(belief):
            after = core(view.result(belief, action))
            if after not in found:
                found[after] = None
                frontier.append(after)
    sets = np.concatenate([words_of_bytes(belief)[np.newaxis] for belief in found if belief is not None])
    return proof_of_listed(view, sets, tick)


def _by_cores(
    view: CompiledView[Any, Any], bound: int, tick: Callable[[], None], most_bytes: float
) -> dict[str, Json] | None:
    """The table by cores, of which there are fewer if more of the sets are known that are won by so many actions."""
    _, behind, _ = array_sides(view, tick)
    layers, wanted = [behind.layer], _FIRST_BEHIND
    size = _CORE + 8 * view.model.width + 4 * len(view.model.actions)
    while True:
        known = sum(map(len, layers))
        while known < wanted and len(layers) < bound and len(layers[-1]):
            behind.advance()
            layers.append(behind.layer)
            known += len(layers[-1])
        has_more = len(layers) < bound and len(layers[-1]) > 0

        def check(made: int, known: int = known, has_more: bool = has_more) -> None:
            tick()
            if made * size > min(most_bytes, _MOST_OF_CORES):
                raise TooLong(_MOST_OF_CORES // size) if most_bytes > _MOST_OF_CORES else EffortExceeded
            if has_more and made > _CORES_EACH * known:
                raise _MoreBehind

        check(1)
        try:
            return proof_by_cores(view, bound, layers, check)
        except _MoreBehind:
            wanted = _TIMES_BEHIND * known


def _by_costs(
    view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None], check_room: Callable[[int], None]
) -> dict[str, Json] | None:
    """Every belief that can be reached for less than the bound, with what its least cost leaves of that."""
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
    beliefs: list[Json] = [
        [members_of_words(words_of_bytes(belief)).tolist(), exact_to_json(bound - cost)]
        for belief, cost in least.items()
    ]
    return {"kind": "belief-bounds", "beliefs": beliefs}
