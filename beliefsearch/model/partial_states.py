"""Partial states, and their regression through actions of which rules say all that they need and do.

A state is a number whose bit n says whether variable n is true; a partial state is such a number with the bits that
matter, its *parts*. *Regression* finds what matters before an action from what matters after each of its outcomes: E.
Pednault, "ADL: exploring the middle ground between STRIPS and the situation calculus" (1989).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
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
        return _Change(*_packed(condition), 1 << (literal >> 1), not literal & 1)

    def comes(self, state: int) -> bool:
        return state & self.bits == self.value


def _packed(literals: Iterable[int]) -> tuple[int, int]:
    """Return the parts that literals are about, and their values where all hold."""
    parts = value = 0
    for literal in literals:
        parts |= 1 << (literal >> 1)
        value |= (~literal & 1) << (literal >> 1)
    return parts, value


class _Outcome:
    """Outcome of an action: its changes, by the bit that they change."""

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

    def progress(self, parts: int, value: int) -> tuple[int, int]:
        """Progress a partial state, of parts and their values."""
        new_parts, new_value = parts, value
        for bit, changes in self.on.items():
            possible = [change for change in changes if not (value ^ change.value) & change.bits & parts]
            may = {change.to_true for change in possible}
            must = {change.to_true for change in possible if not change.bits & ~parts}
            is_true = True in must or (bool(value & bit) and False not in may)
            is_false = True not in may and (False in must or bool(parts & ~value & bit))
            new_parts = new_parts | bit if is_true or is_false else new_parts & ~bit
            new_value = new_value | bit if is_true else new_value & ~bit
        return new_parts, new_value

    def before(self, state: int, result: int, parts: int) -> int:
        """Regress these parts of `result`, which follows `state`."""
        found = parts & ~self.changed
        left = parts & self.changed
        while left:
            bit = left & -left
            left ^= bit
            found |= _cause(self.on[bit], state, bool(result & bit))
        return found


def _cause(changes: Sequence[_Change], state: int, value: bool) -> int:
    """Return the parts of a state that give the bit of these changes this value afterwards."""
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

    def surely_after(self, action: Action) -> Iterator[tuple[int, int]]:
        """Yield for each outcome the parts and values of the partial state that follows wherever the action applies."""
        parts, value = _packed(clause[0] for clause in self.rules.needs[action] if len(clause) == 1)
        for outcome in self._outcomes_of(action):
            yield outcome.progress(parts, value)

    def before(self, state: int, action: Action, after: Mapping[int, int]) -> int:
        """Regress what matters after the outcomes of an action in a state, which `after` has by result.

        In every state that agrees in the parts returned, the action applies, and its outcomes agree in what matters
        after them and in the variables that the player is told of.
        """
        found, told = _holding(state, self.rules.needs[action]), self.rules.told[action]
        for outcome in self._outcomes_of(action):
            result = outcome.result(state)
            found |= outcome.before(state, result, after.get(result, 0) | told)
        return found

    def leading_to(self, state: int, action: Action, after: Mapping[int, int], *, all_of_them: bool) -> int:
        """Return the parts for which an action leads to what agrees with a result of `after`, in the parts given there.

        With `all_of_them`: for which it leads only to such, or changes nothing.
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
        """Return the parts for which a state is not won."""
        return _failing(state, self.rules.goal, 0)

    def not_applicable(self, state: int, found: int) -> int:
        """Return parts of a state, with those found, for which no other actions apply."""
        for clauses in self._all_needs:
            found |= _failing(state, clauses, found)
        return found

    @cached_property
    def effects(self) -> list[tuple[Action, tuple[int, ...], int]]:
        """All effects of the outcomes of all actions: an action, a condition and the literal that may hold after it."""
        return [
            *dict.fromkeys(
                (action, tuple(condition), literal)
                for action, outcomes in self.rules.outcomes.items()
                for effects in outcomes
                for condition, literal in effects
            )
        ]

    @cached_property
    def needed(self) -> tuple[int, int]:
        """The variables that something needs to be true, and those that something needs to be false, as bits."""
        clauses = chain(self.rules.goal, *self._all_needs, (condition for _, condition, _ in self.effects))
        literals = {*chain.from_iterable(clauses)}
        true, false = (sum(1 << (one >> 1) for one in literals if one & 1 == side) for side in (0, 1))
        return true, false

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
    """Return the parts for which a clause fails, one with few besides those found; none if all hold."""
    best = None
    for clause in clauses:
        if all(state >> (literal >> 1) & 1 == literal & 1 for literal in clause):
            bits = sum({1 << (literal >> 1) for literal in clause}) & ~found
            if best is None or bits.bit_count() < best.bit_count():
                best = bits
    return best or 0


def _holding(state: int, clauses: Iterable[Clause]) -> int:
    """Return parts for which each clause holds in a state."""
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
    """Index of nodes by their partial states: what is known of one holds for all that agree with it in its parts.

    `restricted` gives what a node is in some parts; None if it cannot agree with any other in these alone.
    """

    def __init__(self, restricted: Callable[[Node, int], Hashable | None]) -> None:
        self._restricted_to = restricted
        self._by_parts: dict[int, dict[Hashable, list[Node]]] = {}

    def _restricted(self, node: Node, parts: int) -> Hashable | None:
        return node if parts == WHOLE else self._restricted_to(node, parts)

    def agree(self, node: Node, other: Node, parts: int) -> bool:
        """Whether two nodes agree in these parts."""
        matters = self._restricted(node, parts)
        return node == other or (matters is not None and matters == self._restricted(other, parts))

    def add(self, node: Node, parts: int) -> None:
        """Add a node, of which these parts matter."""
        matters = self._restricted(node, parts)
        if matters is not None:
            self._by_parts.setdefault(parts, {}).setdefault(matters, []).append(node)

    def grow(self, node: Node, parts: int, more: int) -> int:
        """Let more parts of a node matter than it was added with; return all that do."""
        if more & ~parts:
            self.remove(node, parts)
            self.add(node, parts | more)
        return parts | more

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
        """Yield the nodes whose partial states this one entails, of equal parts the last one first."""
        for parts, known in self._by_parts.items():
            matters = self._restricted(node, parts)
            if matters is not None:
                yield from reversed(known.get(matters, ()))


def regress(steps: Iterable[tuple[Node, Iterable[Node]]], grow: Callable[[Node], bool]) -> None:
    """Regress what matters through steps, each given with those that follow it, until nothing changes.

    `grow` adds to a step what matters before those that follow; it says whether that is new.
    """
    before: dict[Node, list[Node]] = {}
    waiting: dict[Node, None] = {}
    for step, following in steps:
        waiting[step] = None
        for other in following:
            before.setdefault(other, []).append(step)
    while waiting:
        step, _ = waiting.popitem()
        if grow(step):
            waiting |= dict.fromkeys(before.get(step, ()))
