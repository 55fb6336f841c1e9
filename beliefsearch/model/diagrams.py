"""Edge-valued binary decision diagrams: sets of truth assignments, and costs as functions of an assignment.

Variables are tested in a fixed order, and equal subdiagrams share one node. Costs stand at the edges, normalised so
that the smaller of two siblings is 0; so the sum of costs that depend on a few variables each has a small diagram.
R. Bryant, "Graph-based algorithms for Boolean function manipulation" (1986); Y.-T. Lai, M. Pedram and S. Vrudhula,
"Formal verification using edge-valued binary decision diagrams" (1996).

Rules are constraints on truth values; `kept` has the diagram of the assignments that satisfy them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import inf
from typing import Any, TypeAlias, TypeVar

from .base import Cost

Diagram: TypeAlias = int
"""Number of a node: a set, or a function with minimum 0. Equal sets and equal functions have equal numbers."""

Costs: TypeAlias = "tuple[Cost, Diagram]"
"""A function as its minimum, and the rest; infinite for assignments outside of the set."""

FALSE, TRUE = 0, 1
"""The empty set, or infinite cost; the set of all assignments, or cost 0."""

_Key = TypeVar("_Key")
_Known = TypeVar("_Known")

_Operands: TypeAlias = "tuple[Diagram, Diagram, Diagram, Cost]"
"""A set, two functions, and the cost by which the first of these is higher."""

_TerminalCase: TypeAlias = "Callable[[Diagram, Diagram, Diagram, Cost], Costs | None]"
"""The result of an operation that needs no look at the nodes below; None if it does."""


class Diagrams:
    """Diagrams over variables numbered from 0, which are tested in this order; `tick` is called at each new node."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        # By node: its variable, the nodes where this is false and true, and the costs of these two edges.
        self._nodes: list[tuple[float, Diagram, Diagram, Cost, Cost]] = [(inf, side, side, 0, 0) for side in (0, 1)]
        self._number_of: dict[tuple[float, Diagram, Diagram, Cost, Cost], Diagram] = {}
        self._known: dict[_TerminalCase, dict[_Operands, Costs]] = {}
        self._most: dict[tuple[Diagram, Diagram], Cost] = {}

    def literal(self, literal: int) -> Diagram:
        """Return the set in which variable n is true (literal 2 n) or false (literal 2 n + 1)."""
        sides = ((0, TRUE), (0, FALSE)) if literal & 1 else ((0, FALSE), (0, TRUE))
        return self._node(literal >> 1, *sides)[1]

    def where(self, test: Diagram, yes: Diagram, no: Diagram) -> Diagram:
        """Return the set that is `yes` within `test` and `no` outside (if-then-else)."""
        return self.choose(test, (0, yes), (0, no))[1]

    def both(self, one: Diagram, other: Diagram) -> Diagram:
        """Return the intersection of two sets."""
        return self.where(one, other, FALSE)

    def complement(self, one: Diagram) -> Diagram:
        """Return the complement of a set."""
        return self.where(one, FALSE, TRUE)

    def choose(self, test: Diagram, yes: Costs, no: Costs) -> Costs:
        """Return the costs that are `yes` within the set `test` and `no` outside (if-then-else)."""
        return self._apply(_choice, test, yes, no)

    def highest(self, one: Costs, other: Costs) -> Costs:
        """Return the pointwise maximum of two costs."""
        return self._apply(_maximum, TRUE, one, other)

    def most(self, belief: Diagram, costs: Costs) -> Cost:
        """Return the highest cost within a set that is not empty."""
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
            variable = min(nodes[here][0], nodes[there][0])
            low, high, _, _ = self._cofactors(here, variable)
            costs_low, costs_high, more_low, more_high = self._cofactors(there, variable)
            left, right = known.get((low, costs_low)), known.get((high, costs_high))
            if left is None:
                waiting.append((low, costs_low))
            if right is None:
                waiting.append((high, costs_high))
            if left is not None and right is not None:
                known[pair] = max(more_low + left, more_high + right)
        return costs[0] + known[belief, costs[1]]

    def common_member(self, one: Diagram, other: Diagram) -> frozenset[int] | None:
        """Return a member of the intersection of two sets, as its true variables; None if it is empty."""
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
            variable = min(self._nodes[here][0], self._nodes[there][0])
            low, high, _, _ = self._cofactors(here, variable)
            other_low, other_high, _, _ = self._cofactors(there, variable)
            waiting.append((high, other_high, (*true, int(variable))))
            waiting.append((low, other_low, true))
        return None

    def includes(self, one: Diagram, true: frozenset[int]) -> bool:
        """Whether the assignment in which these variables are true is in a set."""
        while one > TRUE:
            variable, low, high, _, _ = self._nodes[one]
            one = high if variable in true else low
        return one == TRUE

    def count(self, one: Diagram, variables: int) -> int:
        """Count the members of a set of assignments to `variables` variables."""
        sizes = {FALSE: 0, TRUE: 1}  # of each node, over its variable and those after it

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
        """Return the normalised node for costs that are `low` where a variable is false and `high` where it is true."""
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

    def _cofactors(self, node: Diagram, variable: float) -> tuple[Diagram, Diagram, Cost, Cost]:
        """Return the node with `variable`, the first that is tested, set to false and to true, and the edges' costs."""
        tested, low, high, more_low, more_high = self._nodes[node]
        return (low, high, more_low, more_high) if tested == variable else (node, node, 0, 0)

    def _apply(self, terminal_case: _TerminalCase, test: Diagram, one: Costs, other: Costs) -> Costs:
        """Apply an operation: to the cofactors by the first variable, until every case is terminal or known."""
        known, nodes = _with_room(self._known.setdefault(terminal_case, {})), self._nodes
        least, first_operands = _normalised(test, one, other)
        waiting = [first_operands]
        while waiting:
            a, b, c, more = operands = waiting[-1]
            found = terminal_case(a, b, c, more)
            if found is None:
                variable = min(nodes[a][0], nodes[b][0], nodes[c][0])
                low1, high1, _, _ = self._cofactors(a, variable)
                low2, high2, more_low2, more_high2 = self._cofactors(b, variable)
                low3, high3, more_low3, more_high3 = self._cofactors(c, variable)
                base_low, low = _normalised(low1, (more + more_low2, low2), (more_low3, low3))
                base_high, high = _normalised(high1, (more + more_high2, high2), (more_high3, high3))
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
            known[operands] = found
            waiting.pop()
        cost, number = known[first_operands]
        return (least + cost, number) if number != FALSE else _NEVER


_NEVER: Costs = (0, FALSE)
# The largest table of results that is kept for the next operation.
_KEPT = 500_000


def _with_room(known: dict[_Key, _Known]) -> dict[_Key, _Known]:
    if len(known) > _KEPT:
        known.clear()
    return known


def _normalised(test: Diagram, one: Costs, other: Costs) -> tuple[Cost, _Operands]:
    """Split off the minimum of the second function (of the first, if the second is infinite) from the operands."""
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


Rule: TypeAlias = "tuple[str, Sequence[Collection[int]]]"
"""A kind, and members that are conjunctions of literals: at least one of them holds (`or`), or exactly one (`oneof`).

Literal 2 n says that variable n is true, 2 n + 1 that it is false.
"""


def kept(diagrams: Diagrams, rules: Iterable[Rule]) -> Diagram:
    """Return the assignments that satisfy all rules, added from the last variable to the first: diagrams stay small."""
    found = TRUE
    for rule in sorted(rules, key=_first_variable, reverse=True):
        found = diagrams.both(found, holds(diagrams, rule))
    return found


def holds(diagrams: Diagrams, rule: Rule) -> Diagram:
    """Return the assignments that satisfy a rule."""
    kind, members = rule
    none, one = TRUE, FALSE  # where none, and where one (or at least one) of the members so far holds
    for member in sorted(members, key=min, reverse=True) if all(members) else members:
        here = TRUE
        for literal in sorted(member, reverse=True):
            here = diagrams.both(diagrams.literal(literal), here)
        one = diagrams.where(here, TRUE if kind == "or" else none, one)
        none = diagrams.where(here, FALSE, none)
    return one


def count_kept(variables: int, rules: Iterable[Rule], most: int) -> int | None:
    """Count the assignments to `variables` variables that satisfy all rules; None if that takes over `most` nodes.

    Diagrams are smaller the nearer the variables of a rule are to each other.
    """
    left = most

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooLarge

    diagrams = Diagrams(tick)
    try:
        return diagrams.count(kept(diagrams, rules), variables)
    except _TooLarge:
        return None


class _TooLarge(Exception):
    pass


def _first_variable(rule: Rule) -> int:
    return min((literal >> 1 for member in rule[1] for literal in member), default=0)
