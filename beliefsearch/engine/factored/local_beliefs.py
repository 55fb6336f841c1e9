"""The beliefs of one factor, each with a number, and where actions lead from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from itertools import chain
from operator import or_
from typing import Any, Generic

from ...model.base import Action, Cost
from ...model.belief import perceived
from ...model.diagrams import TRUE, Diagram
from ...model.factor import Factor
from ...model.fixed_beliefs import FixedBeliefs
from ..bits.bitset import bit_numbers, largest_cost, mask_of
from ..bits.numbered_model import NumberedModel
from ..bits.sensorless import Allowance


class LocalBeliefs(Generic[Action]):
    """The beliefs of a factor met so far: bit sets over its states, which are numbered as they come up.

    `numbers` has all actions of the whole problem with their numbers. Everything about a belief is worked out once,
    and taken from the `allowance`.

    Attributes
    ----------
    masks
        By belief its states.
    allowed
        By belief the actions, as bits, that apply in it or have nothing to do with the factor.
    won
        By belief whether it is a goal of the factor.
    largest
        The members of the largest belief met.
    """

    def __init__(self, factor: Factor[Action], numbers: Mapping[Action, int], allowance: Allowance) -> None:
        self.problem = factor.problem
        self.actions = {numbers[action]: action for action in factor.actions}
        self.model: NumberedModel[Any, Action] = NumberedModel(
            self.problem, allowance.spend_and_tick, lambda states: None
        )
        self._allowance = allowance
        self.masks: list[int] = []
        self.allowed: list[int] = []
        self.won: list[bool] = []
        self.largest = 0
        self._number_of: dict[int, int] = {}
        self._allowed: dict[tuple[Action, ...], int] = {}  # by the actions that apply
        self._after: list[dict[int, int]] = []
        self._outcomes: dict[tuple[int, int], tuple[tuple[Any, int], ...]] = {}
        self._results: dict[int, dict[int, tuple[int, ...]]] = {action: {} for action in self.actions}
        self._others = (1 << len(numbers)) - 1 & ~mask_of(self.actions)
        self._numbers = numbers
        self._cost = largest_cost(self.problem, self.model.states)
        self.start = self._first()

    def _first(self) -> int:
        return self._file(self.model.initial_belief())

    def after(self, belief: int, action: int) -> int:
        """Return the belief that follows an action, which has to do with the factor."""
        found = self._after[belief].get(action)
        if found is None:
            found = self._after[belief][action] = self._file(self._image(belief, action))
        return found

    def outcomes(self, belief: int, action: int) -> tuple[tuple[Any, int], ...]:
        """Return what may be perceived after an action, in the order of its texts, each with the belief that follows.

        That something else may be perceived besides in another factor makes no difference to this one.
        """
        found = self._outcomes.get((belief, action))
        if found is None:
            found = self._outcomes[belief, action] = self._parts(belief, action)
        return found

    def _parts(self, belief: int, action: int) -> tuple[tuple[Any, int], ...]:
        parts: dict[Any, list[int]] = {}
        for state in bit_numbers(self._image(belief, action)):
            for percept in self.told(state, self.actions[action]):
                parts.setdefault(percept, []).append(state)
        order = sorted(parts, key=self.problem.format_percept) if len(parts) > 1 else parts
        return tuple((percept, self._file(mask_of(parts[percept]))) for percept in order)

    def includes(self, large: int, small: int) -> bool:
        """Whether all states of one belief are in another."""
        return not self.masks[small] & ~self.masks[large]

    def told(self, state: int, action: Action) -> Iterable[Any]:
        """Return what may be perceived after an action that has led to a state."""
        return perceived(self.problem, self.model.states[state], action)

    def _image(self, belief: int, action: int) -> int:
        """Return the states to which an action may lead."""
        results = self._results[action]
        members = list(bit_numbers(self.masks[belief]))
        self._allowance.spend(len(members))
        for state in members:
            if state not in results:
                results[state] = tuple(self.model.results(state, self.actions[action]))
        return mask_of(chain.from_iterable(map(results.__getitem__, members)))

    def cost(self, belief: int, action: int) -> Cost:
        """Return the most that an action costs in a state of a belief."""
        return self._cost(self.masks[belief], self.actions[action])

    def _file(self, mask: int) -> int:
        number = self._number_of.get(mask)
        if number is None:
            actions = tuple(self.model.actions(mask))  # thousands of them where few factors allow any
            allowed = self._allowed.get(actions)
            if allowed is None:
                self._allowance.spend(len(actions))
                allowed = self._allowed[actions] = mask_of(map(self._numbers.__getitem__, actions))
            number = self._enter(mask, mask, allowed, self.model.is_goal(mask))
        return number

    def _enter(self, belief: int, mask: int, allowed: int, won: bool) -> int:
        number = self._number_of[belief] = len(self.masks)
        self.masks.append(mask)
        self.allowed.append(self._others | allowed)
        self.won.append(won)
        self._after.append({})
        self.largest = max(self.largest, mask.bit_count())
        return number


class FixedLocalBeliefs(LocalBeliefs[Action]):
    """The beliefs of a factor whose states are given by rules: decision diagrams.

    In place of the states of a belief are some that stand for all: one in each set that matters and has one.
    """

    def __init__(self, factor: Factor[Action], numbers: Mapping[Action, int], allowance: Allowance) -> None:
        self.sets: FixedBeliefs[Action] = FixedBeliefs([factor], allowance.spend_and_tick)
        self._asked = self.sets.asked()
        self._sets_with = lru_cache(None)(self._asked_with)
        self._diagrams: list[Diagram] = []
        self._known: list[tuple[int, list[frozenset[int]]]] = []  # by belief the sets that it meets, and some members
        super().__init__(factor, numbers, allowance)

    def diagram(self, belief: int) -> Diagram:
        """Return the states of a belief."""
        return self._diagrams[belief]

    def includes(self, large: int, small: int) -> bool:
        return self.sets.is_within(self._diagrams[small], self._diagrams[large])

    def after(self, belief: int, action: int) -> int:
        return belief

    def _first(self) -> int:
        return self._file_set(self.sets.start, (1 << len(self._asked)) - 1, [])

    def _parts(self, belief: int, action: int) -> tuple[tuple[Any, int], ...]:
        parts = self.sets.outcomes(self._diagrams[belief], self.actions[action])
        return tuple((percept, self._file_set(part, *self._known[belief])) for percept, part in parts)

    def _file_set(self, belief: Diagram, met: int, members: list[frozenset[int]]) -> int:
        """File a belief that meets none but these sets, within one that has these members."""
        number = self._number_of.get(belief)
        if number is not None:
            return number
        sets = self.sets.diagrams
        chosen = [member for member in members if sets.includes(belief, member)]
        covered = reduce(or_, map(self._sets_with, chosen), 0)
        for place in bit_numbers(met & ~covered):
            if covered >> place & 1:
                continue
            member = sets.common_member(belief, self._asked[place])
            if member is None:
                met ^= 1 << place
            else:
                chosen.append(member)
                covered |= self._sets_with(member)
        fails = {self._asked[place] for place in bit_numbers(met)}
        allowed = (a for a in self.actions if sets.complement(self.sets.needs.get(self.actions[a], TRUE)) not in fails)
        states = map(self.sets.state_of, chosen) if chosen else [self.sets.state_in(belief)]
        mask = mask_of(map(self.model.number, states))
        self._diagrams.append(belief)
        self._known.append((met, chosen))
        return self._enter(belief, mask, mask_of(allowed), sets.complement(self.sets.goal) not in fails)

    def _asked_with(self, member: frozenset[int]) -> int:
        """Return the sets that matter and have a member, as bits."""
        includes = self.sets.diagrams.includes
        return mask_of(place for place, states in enumerate(self._asked) if includes(states, member))
