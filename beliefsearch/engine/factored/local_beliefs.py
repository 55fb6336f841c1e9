"""The beliefs of one factor, each with a number, and where actions lead from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Generic

from ...model.base import Action, Cost
from ...model.belief import perceived
from ...model.hooks import Factor
from ..bits.bitset import bit_numbers, largest_cost, mask_of
from ..bits.numbered_model import NumberedModel


class LocalBeliefs(Generic[Action]):
    """The beliefs of a factor met so far: bit sets over its states, which are numbered as they come up.

    `numbers` has all actions of the whole problem with their numbers. Everything about a belief is worked out once.

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

    def __init__(self, factor: Factor[Action], numbers: Mapping[Action, int], tick: Callable[[], None]) -> None:
        self.problem = factor.problem
        self.actions = {numbers[action]: action for action in factor.actions}
        self.model: NumberedModel[Any, Action] = NumberedModel(self.problem, tick, lambda states: None)
        self.masks: list[int] = []
        self.allowed: list[int] = []
        self.won: list[bool] = []
        self.largest = 0
        self._number_of: dict[int, int] = {}
        self._after: list[dict[int, int]] = []
        self._outcomes: dict[tuple[int, int], tuple[tuple[Any, int], ...]] = {}
        self._results: dict[int, dict[int, tuple[int, ...]]] = {action: {} for action in self.actions}
        self._others = (1 << len(numbers)) - 1 & ~mask_of(self.actions)
        self._numbers = numbers
        self._cost = largest_cost(self.problem, self.model.states)
        self.start = self._file(self.model.initial_belief())

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
            parts: dict[Any, list[int]] = {}
            for state in bit_numbers(self._image(belief, action)):
                for percept in self.told(state, self.actions[action]):
                    parts.setdefault(percept, []).append(state)
            order = sorted(parts, key=self.problem.format_percept) if len(parts) > 1 else parts
            found = tuple((percept, self._file(mask_of(parts[percept]))) for percept in order)
            self._outcomes[belief, action] = found
        return found

    def told(self, state: int, action: Action) -> Iterable[Any]:
        """Return what may be perceived after an action that has led to a state."""
        return perceived(self.problem, self.model.states[state], action)

    def _image(self, belief: int, action: int) -> int:
        """Return the states to which an action may lead."""
        results = self._results[action]
        members = list(bit_numbers(self.masks[belief]))
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
            allowed = self._others | mask_of(map(self._numbers.__getitem__, self.model.actions(mask)))
            won = self.model.is_goal(mask)
            number = self._number_of[mask] = len(self.masks)
            self.masks.append(mask)
            self.allowed.append(allowed)
            self.won.append(won)
            self._after.append({})
            self.largest = max(self.largest, mask.bit_count())
        return number
