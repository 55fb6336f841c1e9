"""Partial states: the variables of a state that matter to what follows, where rules say all that actions need and do.

The variables that matter before an action are found by *regression* from those that matter after each of its outcomes:
E. Pednault, "ADL: exploring the middle ground between STRIPS and the situation calculus" (1989). States are numbers,
whose bit n says whether variable n is true; a partial state is such a number, with the bits that matter (its *parts*).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import field, frozen

from .base import Action

Node = TypeVar("Node", bound=Hashable)

WHOLE = -1
"""All parts."""

Clause: TypeAlias = "Sequence[int]"
"""Literals of which one holds: 2 n says that variable n is true, 2 n + 1 that it is false."""

Effect: TypeAlias = "tuple[Sequence[int], int]"
"""Literals that hold together before, and the one that holds after."""


@frozen(eq=False)
class StateRules(Generic[Action]):
    """Rules of all that actions need and do, by literals (see `Clause`), where the player sees the state.

    An action costs the same in all states.

    Attributes
    ----------
    names
        The variables, as the texts of states list those that are true.
    bits
        A state of the problem as a number whose bit n says whether variable n is true.
    needs
        By action, clauses: it applies where one literal of each holds.
    goal
        Clauses: a state is won where one literal of each holds.
    outcomes
        By action, its outcomes, of which chance takes one: each a list of effects. What these make both true and false
        is true.
    told
        By action, the variables, as bits, that the player is told of after it; the outcomes differ in these.
    """

    names: Sequence[str]
    bits: Callable[[Any], int]
    needs: Mapping[Action, Sequence[Clause]]
    goal: Sequence[Clause]
    outcomes: Mapping[Action, Sequence[Sequence[Effect]]]
    told: Mapping[Action, int]


@frozen
class _Change:
    """An effect of which one condition is compiled: it comes about where `state & bits == value`."""

    bits: int
    value: int
    bit: int
    to_true: bool

    @staticmethod
    def of(effect: Effect) -> _Change:
        condition, literal = effect
        bits, value = 0, 0
        for one in condition:
            bits |= 1 << (one >> 1)
            value |= (~one & 1) << (one >> 1)
        return _Change(bits, value, 1 << (literal >> 1), not literal & 1)

    def comes(self, state: int) -> bool:
        return state & self.bits == self.value


class _Outcome:
    """An outcome of an action: its changes, by the bit that they change."""

    def __init__(self, effects: Iterable[Effect]) -> None:
        self.on: dict[int, list[_Change]] = {}
        possible = (one for one in effects if not any(literal ^ 1 in one[0] for literal in one[0]))
        for change in map(_Change.of, possible):
            self.on.setdefault(change.bit, []).append(change)
        self.changed = sum(self.on)
        self._changes = [change for changes in self.on.values() for change in changes]

    def result(self, state: int) -> int:
        """Return the state that follows."""
        add = delete = 0
        for change in self._changes:
            if change.comes(state):
                if change.to_true:
                    add |= change.bit
                else:
                    delete |= change.bit
        return state & ~delete | add

    def before(self, state: int, result: int, parts: int) -> int:
        """Return the parts of `state` that make its result agree with `result` in these parts."""
        found = parts & ~self.changed
        left = parts & self.changed
        while left:
            bit = left & -left
            left ^= bit
            found |= _cause(self.on[bit], state, bool(result & bit))
        return found


def _cause(changes: Sequence[_Change], state: int, value: bool) -> int:
    """Return the parts of a state that give the bit, which these change, this value afterwards."""
    making = [change.bits for change in changes if change.to_true == value and change.comes(state)]
    found = min(making, key=int.bit_count) if making else changes[0].bit
    if making and value:  # whatever makes it false as well
        return found
    for change in changes:
        if change.to_true != value:
            wrong = state & change.bits ^ change.value
            if not wrong & found:
                found |= wrong & -wrong
    return found


@frozen(eq=False)
class PartialStates(Generic[Action]):
    """Regression of partial states by the rules of a problem."""

    rules: StateRules[Action]
    _outcomes: dict[Action, list[_Outcome]] = field(init=False, factory=dict)

    def in_goal(self, state: int) -> int:
        """Return the parts of a goal state that make it one."""
        return _holding(state, self.rules.goal)

    def results(self, state: int, action: Action) -> list[int]:
        """Return the states that follow the outcomes of an action, in their order."""
        return [outcome.result(state) for outcome in self._outcomes_of(action)]

    def before(self, state: int, action: Action, after: Mapping[int, int]) -> int:
        """Return the parts of a state that make an action apply and have the outcomes that it has there.

        Outcomes are the same in the variables that the player is told of, and in the parts that `after` gives for each
        result. This holds in every state that agrees in the parts returned.
        """
        found, told = _holding(state, self.rules.needs[action]), self.rules.told[action]
        for outcome in self._outcomes_of(action):
            result = outcome.result(state)
            found |= outcome.before(state, result, after.get(result, 0) | told)
        return found

    def leading_to(self, state: int, action: Action, after: Mapping[int, int], *, all_of_them: bool) -> int:
        """Return what of a state sees to it that an action leads to one of these results, as far as `after` says.

        Or that it leads to nothing else, but for results that make nothing true or false that was not before.
        """
        found = 0
        for outcome in self._outcomes_of(action):
            result = outcome.result(state)
            if result in after:
                found |= outcome.before(state, result, after[result])
                if not all_of_them:
                    break
            elif all_of_them:
                found |= outcome.changed
        return found

    def not_won(self, state: int) -> int:
        """Return what of a state that is not won sees to it that it is not."""
        return _failing(state, self.rules.goal, 0)

    def not_applicable(self, state: int, found: int) -> int:
        """Return what of a state sees to it that no other actions apply, besides the parts that were found."""
        for clauses in self._all_needs:
            found |= _failing(state, clauses, found)
        return found

    @cached_property
    def _all_needs(self) -> list[Sequence[Clause]]:
        return [*dict.fromkeys(tuple(map(tuple, clauses)) for clauses in self.rules.needs.values())]

    def _outcomes_of(self, action: Action) -> list[_Outcome]:
        known = self._outcomes.get(action)
        if known is None:
            known = self._outcomes[action] = [*map(_Outcome, self.rules.outcomes[action])]
        return known


def all_hold(state: int, clauses: Iterable[Clause]) -> bool:
    """Whether one literal of each clause holds in a state."""
    return all(any(state >> (literal >> 1) & 1 != literal & 1 for literal in clause) for clause in clauses)


def _failing(state: int, clauses: Iterable[Clause], found: int) -> int:
    """Return the bits of a clause that does not hold in a state, such that few are new; none if all hold."""
    best = None
    for clause in clauses:
        if all(state >> (literal >> 1) & 1 == literal & 1 for literal in clause):
            bits = sum({1 << (literal >> 1) for literal in clause}) & ~found
            if best is None or bits.bit_count() < best.bit_count():
                best = bits
    return best or 0


def _holding(state: int, clauses: Iterable[Clause]) -> int:
    """Return bits of a state by which each clause holds in it."""
    found = 0
    several = []
    for clause in clauses:
        if len(clause) == 1:
            found |= 1 << (clause[0] >> 1)
        else:
            several.append(clause)
    for clause in several:
        holding = [1 << (literal >> 1) for literal in clause if state >> (literal >> 1) & 1 != literal & 1]
        if not any(bit & found for bit in holding):
            found |= holding[0]
    return found


class Agreement(Generic[Node]):
    """Nodes by the parts of them that matter: what is known of one holds for all that agree with it in these.

    `restricted` gives what a node is in some parts; None if it cannot agree with any other in these alone.
    """

    def __init__(self, restricted: Callable[[Node, int], Hashable | None]) -> None:
        self._restricted_to = restricted
        self._by_parts: dict[int, dict[Hashable, list[Node]]] = {}

    def _restricted(self, node: Node, parts: int) -> Hashable | None:
        return node if parts == WHOLE else self._restricted_to(node, parts)

    def add(self, node: Node, parts: int) -> None:
        """Add a node, of which these parts matter."""
        matters = self._restricted(node, parts)
        if matters is not None:
            self._by_parts.setdefault(parts, {}).setdefault(matters, []).append(node)

    def remove(self, node: Node, parts: int) -> None:
        """Take out a node that was added with these parts."""
        matters = self._restricted(node, parts)
        if matters is None:
            return
        known = self._by_parts[parts]
        known[matters].remove(node)
        if not known[matters]:
            del known[matters]
        if not known:
            del self._by_parts[parts]

    def like(self, node: Node) -> Iterator[Node]:
        """Yield the nodes with which this one agrees in what matters there, of equal parts the last one first."""
        for parts, known in self._by_parts.items():
            matters = self._restricted(node, parts)
            if matters is not None:
                yield from reversed(known.get(matters, ()))
