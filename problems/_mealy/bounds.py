"""Checkers of evidence that no plan or word for a machine is shorter, or that there is none: sets with bounds."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar

from .reader import Machine

_Step: TypeAlias = list[tuple[int, int] | None]
"""By state, the next one and the output of an input; None where it has none."""
_Pair: TypeAlias = tuple[int, int]
"""Two states, the lesser number first."""
_Member = TypeVar("_Member")
LOOKED_AHEAD = 4  # sets with so low a bound are many, and need not stand in evidence
_SOME = 4  # states, twice as many for each action, of a larger part are looked at first


class _Settling(dict[int, int]):
    """By another state, the inputs that settle it and this one, as bits: they tell them apart, or make them one.

    Where two must not become one all inputs are too late for what has become so, and else none is needed.
    """

    def __init__(self, state: int, steps: Sequence[_Step], *, merging: bool) -> None:
        self._state, self._steps, self._merging = state, steps, merging

    def __missing__(self, other: int) -> int:
        found = -1 if self._merging else 0
        if other != self._state:
            found = 0
            for place, step in enumerate(self._steps):
                here, there = step[self._state], step[other]
                if here and there and (here[1] != there[1] or (self._merging and here == there)):
                    found |= 1 << place
        self[other] = found
        return found


class _Meeting(dict[int, bool]):
    """By another state, whether an input may make it and this one the same, or a pair that meets `sooner`."""

    def __init__(self, state: int, steps: Sequence[_Step], sooner: Sequence[_Meeting]) -> None:
        self._state, self._steps, self._sooner = state, steps, sooner

    def __missing__(self, other: int) -> bool:
        for step in self._steps:
            here, there = step[self._state], step[other]
            if here and there and here[1] == there[1]:
                one, two = here[0], there[0]
                if one == two or (self._sooner and self._sooner[one][two]):
                    return self.setdefault(other, True)
        return self.setdefault(other, False)


class _Checker(ABC, Generic[_Member]):
    """Sets with bounds, infinite ones where nothing settles them, each of which can be checked."""

    def __init__(self, machine: Machine, *, merging: bool) -> None:
        self._number_of = {state: number for number, state in enumerate(machine)}
        outputs: dict[str, int] = {}
        steps: dict[str, _Step] = {}
        for state, row in machine.items():
            for given, ((after, said),) in row.items():
                step = steps.setdefault(given, [None] * len(machine))
                step[self._number_of[state]] = self._number_of[after], outputs.setdefault(said, len(outputs))
        self._steps, self._merging = steps, merging
        self._settling = [_Settling(state, [*steps.values()], merging=merging) for state in range(len(machine))]

    def check(self, sets: Sequence[Set[_Member]], bounds: Sequence[float]) -> None:
        """Raise `ValueError` if some input may settle a set with fewer than its bound.

        Else each loses the set, since it does not apply in all of it or makes two one that must be told apart; or it
        leaves, with some output, a part of a bound that is lower by 1 at the most. By induction no plan is shorter.
        """
        self._sets, self._bounds, self._lowest = sets, bounds, min(bounds)
        self._filed: dict[_Member, list[int]] = {}
        for number, found in enumerate(sets):
            rarest = min(found, key=lambda member: len(self._filed.get(member, ())))
            self._filed.setdefault(rarest, []).append(number)
        for number, (members, bound) in enumerate(zip(sets, bounds, strict=True)):
            for given, step in self._steps.items() if bound > 1 else ():
                parts = self._parts(step, members)
                if parts is not None and not any(self._is_dear(part, bound - 1) for part in parts):
                    raise ValueError(f"set {number} may be settled by the input {given!r:.60}")

    @abstractmethod
    def _parts(self, step: _Step, members: Collection[_Member]) -> list[set[_Member]] | None:
        """What an input leaves to be settled, each part by itself, the largest first; None if it loses the set."""

    @abstractmethod
    def _settled_by(self, members: Iterable[_Member]) -> int:
        """The inputs that settle a set at once, as bits."""

    def _are_too_many(self, part: Set[_Member], actions: int) -> bool:
        """Whether a part has more members than so many actions settle."""
        return False

    def _is_dear(self, part: Set[_Member], bound: float) -> bool:
        if bound <= 1:
            return True
        if bound >= self._lowest:
            near = (
                number for member in part for number in self._filed.get(member, ()) if self._bounds[number] >= bound
            )
            if any(self._sets[number] <= part for number in near):
                return True
        return bound <= LOOKED_AHEAD and self._is_open(part, int(bound) - 1)

    def _is_open(self, part: Set[_Member], actions: int) -> bool:
        """Whether no plan of so many actions settles a part: few of it mostly show that."""
        if actions == 1:
            return not self._settled_by(part)
        if self._are_too_many(part, actions):
            return True
        few = _SOME << actions
        if len(part) > few and self._is_open({*islice(part, few)}, actions):
            return True
        for step in self._steps.values():
            parts = self._parts(step, part)
            if parts is not None and not any(self._is_open(rest, actions - 1) for rest in parts):
                return False
        return True


class BoundsChecker(_Checker[int]):
    """Sets of states, of which a plan must settle each part that it may come to."""

    def __init__(self, machine: Machine, *, merging: bool) -> None:
        super().__init__(machine, merging=merging)
        every = [*self._steps.values()]
        sooner = [_Meeting(state, every, ()) for state in range(len(machine))]
        self._meetings = [_Meeting(state, every, sooner) for state in range(len(machine))]
        self._capacities = [1]
        counts = [Counter(result[1] for result in step if result).values() for step in every]
        for _ in range(LOOKED_AHEAD):
            last = self._capacities[-1]
            self._capacities.append(max((sum(min(many, last) for many in row) for row in counts), default=1))

    def _parts(self, step: _Step, members: Collection[int]) -> list[set[int]] | None:
        parts = defaultdict[int, set[int]](set)
        for state in members:
            if (result := step[state]) is None:
                return None
            parts[result[1]].add(result[0])
        if not self._merging and sum(map(len, parts.values())) < len(members):
            return None
        return sorted((part for part in parts.values() if len(part) > 1), key=len, reverse=True)

    def _settled_by(self, members: Iterable[int]) -> int:
        left, looked_at = -1, list[int]()
        for state in members:
            settling = self._settling[state]
            for other in looked_at:
                left &= settling[other]
            if not left:
                break
            looked_at.append(state)
        return left

    def _are_too_many(self, part: Set[int], actions: int) -> bool:
        """Whether a part has more states than so many actions tell apart, of which no two can have become one."""
        most = self._capacities[actions]
        if len(part) <= most or not self._merging:
            return len(part) > most
        if actions > 2 or len(self._steps) ** 2 > len(self._meetings):  # or else most may become one
            return False
        chosen = list[int]()
        for state in part:
            meeting = self._meetings[state]
            if not any(map(meeting.__getitem__, chosen)):
                chosen.append(state)
                if len(chosen) > most:
                    return True
        return False


class WordsChecker(_Checker[_Pair]):
    """Sets of pairs of states, all of which a word must settle: whatever is said to it, it goes on."""

    def _parts(self, step: _Step, members: Collection[_Pair]) -> list[set[_Pair]] | None:
        left = set[_Pair]()
        for here, there in members:
            one, other = step[here], step[there]
            if one is None or other is None or (one == other and not self._merging):
                return None
            if one[1] == other[1] and one != other:
                left.add((one[0], other[0]) if one[0] < other[0] else (other[0], one[0]))
        return [left] if left else []

    def _settled_by(self, members: Iterable[_Pair]) -> int:
        left = -1
        for here, there in members:
            left &= self._settling[here][there]
        return left


def check_bounds(
    machine: Machine, starts: Collection[str], evidence: Mapping[str, Any], *, merging: bool, target: str | None = None
) -> int | None:
    """Return the bound of the first set, which must be possible at the start; None if there is no plan.

    Raises `ValueError` unless no plan for a set of states, or by the argument `pairs` no word for a set of pairs, is
    shorter than its bound, null for none at all. What an input leaves may itself be such a set, though it includes
    none, where its bound is no more than 4, which is looked at here. A `target` is to be told from all others: it is in
    each of the first pairs.
    """
    by_pairs, number_of = evidence.get("argument") == "pairs", {state: number for number, state in enumerate(machine)}
    try:
        sets: list[Any] = [[*map(frozenset, some)] if by_pairs else [frozenset(some)] for some in evidence["sets"]]
        bounds = [math.inf if bound is None else bound for bound in evidence["bounds"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"it should have lists 'sets' and 'bounds': {error!r:.60}") from None
    if not all(type(bound) is int or bound == math.inf for bound in bounds):
        raise ValueError("bounds should be whole numbers, or null for no plan")
    if not sets or len(sets) != len(bounds) or not all(some <= {*starts} for some in sets[0]):
        raise ValueError("the first set should be of states that are possible at the start, and each have a bound")
    if target is not None and not all(target in some for some in sets[0]):
        raise ValueError(f"each of the first pairs should be of {target!r:.60} and another state")
    for number, members in enumerate(sets):
        sizes = {*map(len, members)}
        if not (sizes == {2} if by_pairs else min(sizes) > 1) or not all(some <= machine.keys() for some in members):
            kind = "pairs of different states" if by_pairs else "two states"
            raise ValueError(f"set {number} should be of {kind} of the machine at least")
    numbered: list[list[Any]] = [
        [tuple(sorted(number_of[state] for state in some)) for some in members] for members in sets
    ]
    if by_pairs:
        WordsChecker(machine, merging=merging).check([*map(frozenset, numbered)], bounds)
    else:
        BoundsChecker(machine, merging=merging).check([frozenset(members) for (members,) in numbered], bounds)
    return None if bounds[0] == math.inf else int(bounds[0])
