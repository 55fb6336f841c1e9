"""Bounds of means, made into a table: which entry is which part of which entry.

This is looked for here and need not be trusted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ...errors import InvalidProofError
from ...model.values import whole
from ...verify.asked_game import AskedGame
from ...verify.checker import Number, index, items, symmetries_of, unreadable
from ...verify.mean_bits import BitCounting
from ...verify.numbered import Numbered, list_of, written
from .list_fields import fraction

Belief: TypeAlias = "frozenset[tuple[int, int]]"
"""Places, each with how many starts have led to it, without a common divisor."""


def mean_table(game: AskedGame, proof: Mapping[str, Any], count: int) -> dict[str, Any]:
    """The table `mean` of those listed beliefs that the bound of the start needs; `count` states are listed.

    It does not hold where an action costs less than the lists say. Raises `InvalidProofError` or `UnreadableError` if
    they are malformed, and `WrongError` if a symmetry is none.
    """
    counting = BitCounting(game)
    listed = _Listed(game, counting, proof, count)
    start = {counting.place[s]: 1 for s in game.start}
    root = frozenset(start.items())
    listed.totals[root] = max(listed.totals.get(root, 0), 0 if counting.is_won(start) else listed.by_counting(start))
    entries = Numbered([root])
    reasons: list[list[Any]] = []
    for entry in entries.items:  # grows while it is walked
        fixing, named = listed.fixing.get(entry, []), []
        for action in listed.too_cheap(entry):
            for percept, part in counting.after(action, dict(entry))[1].items():
                times, belief = normalised(part)
                if times * listed.totals.get(belief, -1) > listed.by_counting(part):
                    named.append([action, percept, entries.number(belief)])
        reasons.append([fixing, named])
    met = [*counting.place]
    table = {
        "kind": "mean",
        "root": 0,
        "beliefs": [[[met[s], w] for s, w in sorted(belief)] for belief in entries.items],
        "totals": [written(listed.totals[belief]) for belief in entries.items],
        "reasons": reasons,
    }
    return {**table, "symmetries": listed.symmetries} if listed.symmetries else table


def normalised(weights: Mapping[int, int]) -> tuple[int, Belief]:
    """The common divisor of these weights, and the belief without it."""
    divisor = math.gcd(*weights.values())
    return divisor, frozenset((place, weight // divisor) for place, weight in weights.items())


class _Listed:
    """Beliefs that a proof lists, each with its total and the numbers of symmetries that are said to fix it."""

    def __init__(self, game: AskedGame, counting: BitCounting, proof: Mapping[str, Any], count: int) -> None:
        self._game, self._counting, self._met = game, counting, [*counting.place]
        self.symmetries = list_of(proof, "symmetries") if "symmetries" in proof else []
        self._images = [actions for _, actions in symmetries_of(counting, self.symmetries)]
        if self._images and (count < len(self._met) or len(list_of(proof, "actions")) < len(counting.see)):
            raise InvalidProofError("a proof with symmetries must list all states and actions that can come up")
        costs = (cost for costs in counting.costs for cost in costs or () if cost is not None)
        unit = math.lcm(*{cost.denominator for cost in costs})
        self.totals: dict[Belief, Any] = {}
        self.fixing: dict[Belief, list[int]] = {}
        for j, entry in enumerate(list_of(proof, "beliefs")):
            given = items(entry, f"belief {j}")
            members, total, fixing = items([*given, []] if len(given) == 2 else given, f"belief {j}", 3)
            divisor, belief = normalised(self._weights(items(members, f"belief {j}"), count))
            # What a plan costs is a whole number of units, so it may be rounded up.
            self.totals[belief] = whole(Fraction(math.ceil(fraction(total) * unit / divisor), unit))
            numbers = items(fixing, f"the symmetries of belief {j}")
            self.fixing[belief] = [index(k, len(self._images), "a symmetry") for k in numbers]

    def _weights(self, members: Sequence[Any], count: int) -> dict[int, int]:
        """The weights of places."""
        weights: dict[int, int] = {}
        for member in members or unreadable("a belief has no states"):
            s, weight = member if isinstance(member, list) and len(member) == 2 else (member, 1)
            place = self._counting.place.get(index(s, count, "a state"))
            index(weight, 1 << 50, "a weight") or unreadable("a weight is 0")
            if place is None:
                name = self._game.named_states.name(s)
                raise InvalidProofError(f"the state {name:.40} is listed, and cannot come up before the game is over")
            if weights.setdefault(place, weight) != weight:
                raise InvalidProofError(f"a belief has the state {s} with two weights")
        return weights

    def by_counting(self, part: Mapping[int, int]) -> Number:
        """The bound of a part that is not won by how many starts it has."""
        least: Number = self._counting.cheapest * self._counting.least[sum(part.values())]
        return least

    def too_cheap(self, entry: Belief) -> Iterator[int]:
        """The actions for which counting is not enough, of those that the symmetries exchange one."""
        belief, total = dict(entry), self.totals[entry]
        images = [self._images[k] for k in self.fixing.get(entry, ())]
        exchanged: set[int] = set()
        for action in (a for a in self._counting.cheap(belief, total) if a not in exchanged):
            more = {action}
            while more:
                exchanged |= more
                more = {image[a] for a in more for image in images} - exchanged
            paid, parts = self._counting.after(action, belief)
            if paid + sum(map(self.by_counting, parts.values())) < total:
                yield action
