"""Checker of evidence that no plan for a machine is shorter, or that there is none: sets of states with bounds."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import Any, TypeAlias

from .reader import Machine

_Step: TypeAlias = list[tuple[int, int] | None]
"""By state, the next one and the output of an input; None where it has none."""
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


class BoundsChecker:
    """Sets of states of a machine with bounds, infinite ones for no plan, each of which can be `checked`."""

    def __init__(self, machine: Machine, sets: Sequence[Set[str]], bounds: Sequence[float], *, merging: bool) -> None:
        number_of = {state: number for number, state in enumerate(machine)}
        outputs: dict[str, int] = {}
        steps: dict[str, _Step] = {}
        for state, row in machine.items():
            for given, ((after, said),) in row.items():
                step = steps.setdefault(given, [None] * len(machine))
                step[number_of[state]] = number_of[after], outputs.setdefault(said, len(outputs))
        self._steps, self._merging = steps, merging
        every = [*steps.values()]
        self._settling = [_Settling(state, every, merging=merging) for state in range(len(machine))]
        sooner = [_Meeting(state, every, ()) for state in range(len(machine))]
        self._meetings = [_Meeting(state, every, sooner) for state in range(len(machine))]
        self._capacities = [1]
        counts = [Counter(result[1] for result in step if result).values() for step in every]
        for _ in range(LOOKED_AHEAD):
            last = self._capacities[-1]
            self._capacities.append(max((sum(min(many, last) for many in row) for row in counts), default=1))
        self._sets = [frozenset(number_of[state] for state in members) for members in sets]
        self._bounds, self._lowest = bounds, min(bounds)
        self._filed: dict[int, list[int]] = {}
        for number, found in enumerate(self._sets):
            rarest = min(found, key=lambda state: len(self._filed.get(state, ())))
            self._filed.setdefault(rarest, []).append(number)

    def check(self) -> None:
        """Raise `ValueError` if some input may settle a set with fewer than its bound.

        Else each loses the set, since it does not apply in all of it or makes two one that must be told apart; or it
        leaves, with some output, a part of a bound that is lower by 1 at the most. By induction no plan is shorter.
        """
        for number, (members, bound) in enumerate(zip(self._sets, self._bounds, strict=True)):
            for given, step in self._steps.items():
                parts = self._parts(step, members)
                if parts is not None and not any(self._is_dear(part, bound - 1) for part in parts):
                    raise ValueError(f"set {number} may be settled by the input {given!r:.60}")

    def _parts(self, step: _Step, members: Collection[int]) -> list[set[int]] | None:
        """What an input leaves of a set, by output, the largest first; None if it loses it."""
        parts = defaultdict[int, set[int]](set)
        for state in members:
            if (result := step[state]) is None:
                return None
            parts[result[1]].add(result[0])
        found = sorted(parts.values(), key=len, reverse=True)
        return found if self._merging or sum(map(len, found)) == len(members) else None

    def _is_dear(self, part: Set[int], bound: float) -> bool:
        if bound <= 1 or len(part) == 1:  # a single state is known
            return bound <= 0 or (bound <= 1 and len(part) > 1)
        if bound >= self._lowest:
            near = (number for state in part for number in self._filed.get(state, ()) if self._bounds[number] >= bound)
            if any(self._sets[number] <= part for number in near):
                return True
        return bound <= LOOKED_AHEAD and self._is_open(part, int(bound) - 1)

    def _is_open(self, part: Set[int], actions: int) -> bool:
        """Whether no plan of so many actions settles a part: few of it mostly show that."""
        if actions == 1:
            return self._has_no_input(part)
        if self._are_too_many(part, actions):
            return True
        few = _SOME << actions
        if len(part) > few and self._is_open({*islice(part, few)}, actions):
            return True
        for step in self._steps.values():
            parts = self._parts(step, part)
            if parts is not None and not any(len(rest) > 1 and self._is_open(rest, actions - 1) for rest in parts):
                return False
        return True

    def _has_no_input(self, part: Iterable[int]) -> bool:
        """Whether no input alone settles a part."""
        left, looked_at = -1, list[int]()
        for state in part:
            settling = self._settling[state]
            for other in looked_at:
                left &= settling[other]
            if not left:
                return True
            looked_at.append(state)
        return False

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


def check_bounds(
    machine: Machine, starts: Collection[str], evidence: Mapping[str, Any], *, merging: bool
) -> int | None:
    """Return the bound of the first set of states, which must be possible at the start; None if there is no plan.

    Raises `ValueError` unless no plan for a set is shorter than its bound, null for no plan. A part that includes none
    may itself be such a set where its bound is no more than 4, which is looked at here.
    """
    try:
        sets = [frozenset(members) for members in evidence["sets"]]
        bounds = [math.inf if bound is None else bound for bound in evidence["bounds"]]
    except (KeyError, TypeError) as error:
        raise ValueError(f"it should have lists 'sets' and 'bounds': {error!r:.60}") from None
    if not all(type(bound) is int or bound == math.inf for bound in bounds):
        raise ValueError("bounds should be whole numbers, or null for no plan")
    if not sets or len(sets) != len(bounds) or not sets[0] <= {*starts}:
        raise ValueError("the first set should be of states that are possible at the start, and each have a bound")
    for number, members in enumerate(sets):
        if len(members) < 2 or not members <= machine.keys():
            raise ValueError(f"set {number} should be of two states of the machine at least")
    BoundsChecker(machine, sets, bounds, merging=merging).check()
    return None if bounds[0] == math.inf else int(bounds[0])
