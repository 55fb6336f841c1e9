"""Decision diagrams: sets of assignments of truth values, and costs that depend on these.

A function is asked for one variable after the other; what comes up more than once in it has one node. Costs stand at
the edges, less what both sides have in common: so a sum of costs that depend on some variables each stays small.
R. Bryant, "Graph-based algorithms for Boolean function manipulation" (1986); Y.-T. Lai, M. Pedram and S. Vrudhula,
"Formal verification using edge-valued binary decision diagrams" (1996).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, TypeAlias, TypeVar

from .base import Cost

Diagram: TypeAlias = int
"""A set, or a function whose least cost is 0: those of the same `Diagrams` are equal if their numbers are."""

Costs: TypeAlias = "tuple[Cost, Diagram]"
"""A least cost, and by assignment what it costs besides; outside of a set it is infinite."""

FALSE, TRUE = 0, 1
"""No assignment, or infinite; all assignments, or no cost."""

_Key = TypeVar("_Key")
_Known = TypeVar("_Known")

_Parts: TypeAlias = "tuple[Diagram, Diagram, Diagram, Cost]"
"""A set, and two functions; the first of these costs so much more."""

_AtOnce: TypeAlias = "Callable[[Diagram, Diagram, Diagram, Cost], Costs | None]"


class Diagrams:
    """Functions of variables numbered from 0, which are asked in this order; `tick` is called while they are made."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        # By node its variable, the sides where this is false and true, and what these cost besides.
        self._nodes: list[tuple[float, Diagram, Diagram, Cost, Cost]] = [(inf, side, side, 0, 0) for side in (0, 1)]
        self._number_of: dict[tuple[float, Diagram, Diagram, Cost, Cost], Diagram] = {}
        self._known: dict[_AtOnce, dict[_Parts, Costs]] = {}
        self._most: dict[tuple[Diagram, Diagram], Cost] = {}

    def literal(self, literal: int) -> Diagram:
        """Return the set in which variable n is true, for 2 n, or false, for 2 n + 1."""
        sides = ((0, TRUE), (0, FALSE)) if literal & 1 else ((0, FALSE), (0, TRUE))
        return self._node(literal >> 1, *sides)[1]

    def where(self, test: Diagram, yes: Diagram, no: Diagram) -> Diagram:
        """Return what is in one set within `test`, and in another outside."""
        return self.choose(test, (0, yes), (0, no))[1]

    def both(self, one: Diagram, other: Diagram) -> Diagram:
        """Return the intersection of two sets."""
        return self.where(one, other, FALSE)

    def complement(self, one: Diagram) -> Diagram:
        """Return what is not in a set."""
        return self.where(one, FALSE, TRUE)

    def choose(self, test: Diagram, yes: Costs, no: Costs) -> Costs:
        """Return some costs within the set `test`, and others outside."""
        return self._combined(_choice, test, yes, no)

    def highest(self, one: Costs, other: Costs) -> Costs:
        """Return the higher of two costs everywhere."""
        return self._combined(_maximum, TRUE, one, other)

    def most(self, belief: Diagram, costs: Costs) -> Cost:
        """Return the most that it costs within a set that is not empty."""
        known, nodes = _with_room(self._most), self._nodes
        waiting = [(belief, costs[1])]
        while waiting:
            here, there = pair = waiting[-1]
            if there == FALSE != here:
                return inf
            if here == FALSE or there == TRUE:
                known[pair] = -inf if here == FALSE else 0
            if pair in known:
                waiting.pop()
                continue
            self._tick()
            (variable, low, high, _, _), (other, costs_low, costs_high, more_low, more_high) = nodes[here], nodes[there]
            if variable > other:
                low = high = here
            elif variable < other:
                costs_low, costs_high, more_low, more_high = there, there, 0, 0
            left, right = known.get((low, costs_low)), known.get((high, costs_high))
            if left is None:
                waiting.append((low, costs_low))
            if right is None:
                waiting.append((high, costs_high))
            if left is not None and right is not None:
                known[pair] = max(more_low + left, more_high + right)
        found: Cost = costs[0] + known[belief, costs[1]]
        return found

    def common_member(self, one: Diagram, other: Diagram) -> frozenset[int] | None:
        """Return the variables that are true in some member of two sets; None if they have none."""
        seen = set()
        waiting: list[tuple[Diagram, Diagram, tuple[int, ...]]] = [(one, other, ())]
        while waiting:
            here, there, true = waiting.pop()
            if here == there == TRUE:
                return frozenset(true)
            if FALSE in (here, there) or (here, there) in seen:
                continue
            seen.add((here, there))
            self._tick()
            (variable, low, high, _, _), (other_variable, other_low, other_high, _, _) = (
                self._nodes[here],
                self._nodes[there],
            )
            first = min(variable, other_variable)
            if variable != first:
                low = high = here
            if other_variable != first:
                other_low = other_high = there
            waiting.append((high, other_high, (*true, int(first))))
            waiting.append((low, other_low, true))
        return None

    def includes(self, one: Diagram, true: frozenset[int]) -> bool:
        """Whether the assignment in which these variables are true is in a set."""
        while one > TRUE:
            variable, low, high, _, _ = self._nodes[one]
            one = high if variable in true else low
        return one == TRUE

    def count(self, one: Diagram, variables: int) -> int:
        """Count the members of a set, where there are so many variables."""
        sizes = {FALSE: 0, TRUE: 1}  # as if the variable of the node were the first

        def first(number: Diagram) -> int:
            return variables if number <= TRUE else int(self._nodes[number][0])

        waiting = [one]
        while waiting:
            number = waiting[-1]
            if number in sizes:
                waiting.pop()
                continue
            sides = self._nodes[number][1:3]
            left = [side for side in sides if side not in sizes]
            waiting += left
            if not left:
                sizes[number] = sum(sizes[side] << first(side) - first(number) - 1 for side in sides)
        return sizes[one] << first(one)

    def _node(self, variable: float, low: Costs, high: Costs) -> Costs:
        """Return the costs that are `low` where a variable is false, and `high` where it is true."""
        if low == high:
            return low
        least = min(cost for cost, number in (low, high) if number != FALSE)
        more_low = low[0] - least if low[1] != FALSE else 0
        more_high = high[0] - least if high[1] != FALSE else 0
        key = (variable, low[1], high[1], more_low, more_high)
        found = self._number_of.get(key)
        if found is None:
            self._tick()
            found = self._number_of[key] = len(self._nodes)
            self._nodes.append(key)
        return least, found

    def _combined(self, at_once: _AtOnce, test: Diagram, one: Costs, other: Costs) -> Costs:
        """Combine functions: the first variable of any of them is taken as false, and as true, until it is known."""
        known, nodes = _with_room(self._known.setdefault(at_once, {})), self._nodes
        least, first_parts = _compared(test, one, other)
        waiting = [first_parts]
        while waiting:
            a, b, c, more = parts = waiting[-1]
            found = at_once(a, b, c, more)
            if found is None:
                v1, low1, high1, _, _ = nodes[a]
                v2, low2, high2, more_low2, more_high2 = nodes[b]
                v3, low3, high3, more_low3, more_high3 = nodes[c]
                variable = min(v1, v2, v3)
                if v1 != variable:
                    low1 = high1 = a
                if v2 != variable:
                    low2, high2, more_low2, more_high2 = b, b, 0, 0
                if v3 != variable:
                    low3, high3, more_low3, more_high3 = c, c, 0, 0
                base_low, low = _compared(low1, (more + more_low2, low2), (more_low3, low3))
                base_high, high = _compared(high1, (more + more_high2, high2), (more_high3, high3))
                left, right = known.get(low), known.get(high)
                if left is None:
                    waiting.append(low)
                if right is None:
                    waiting.append(high)
                if left is None or right is None:
                    continue
                sides = [
                    (base + side[0], side[1]) if side[1] != FALSE else _NEVER
                    for base, side in ((base_low, left), (base_high, right))
                ]
                found = self._node(variable, *sides)
            known[parts] = found
            waiting.pop()
        cost, number = known[first_parts]
        return (least + cost, number) if number != FALSE else _NEVER


_NEVER: Costs = (0, FALSE)
# So many results of an operation are kept for the next.
_KEPT = 500_000


def _with_room(known: dict[_Key, _Known]) -> dict[_Key, _Known]:
    if len(known) > _KEPT:
        known.clear()
    return known


def _compared(test: Diagram, one: Costs, other: Costs) -> tuple[Cost, _Parts]:
    """Return the least cost of the second function (of the first, if the second is infinite), and what is compared."""
    if other[1] == FALSE:
        return one[0], (test, one[1], FALSE, 0)
    more: Any = 0 if one[1] == FALSE else one[0] - other[0]
    return other[0], (test, one[1], other[1], more)


def _choice(test: Diagram, yes: Diagram, no: Diagram, more: Cost) -> Costs | None:
    if test == TRUE or (yes == no and not more):
        return more, yes
    if test == FALSE:
        return 0, no
    return (0, test) if (yes, no, more) == (TRUE, FALSE, 0) else None


def _maximum(_: Diagram, one: Diagram, other: Diagram, more: Cost) -> Costs | None:
    if FALSE in (one, other):
        return _NEVER
    if one == other or (other == TRUE and more >= 0):
        return max(more, 0), one
    return (0, other) if one == TRUE and more <= 0 else None
