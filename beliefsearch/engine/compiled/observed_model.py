"""A belief problem with percepts as arrays for the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...model.base import Action, State
from ...model.belief import no_tick
from ...model.hooks import states_in_arrays
from ...running.limits import EffortExceeded, TooManyStates
from ...solvers.sparse_rows import spans
from ..bits.contingent import BitsetContingentView
from ..bits.numbered_model import StartPairs, explore
from .array_hook_model import all_percepts, all_results, compare_outcomes, number_listed
from .array_model import ArrayModel
from .bitset_words import Integers, Integers32, members_of_words

# The most pairs of a state and an action that one array holds. Pairs that an array hook answers, or in which the action
# does not apply, are `_HOOKED` times as cheap as those that must be walked.
_MOST_PAIRS = 2**28
_HOOKED = 16


def _most_rows(most_pairs: int | None) -> int:
    """Return the most rows of outcomes that a model may have if at most `most_pairs` pairs may be walked."""
    return _MOST_PAIRS if most_pairs is None else min(_MOST_PAIRS, _HOOKED * most_pairs)


@frozen(eq=False)
class Outcomes:
    """The outcomes of one action, which are pairs of a percept and a result, one state after the other.

    The states are those in which the action applies, in ascending order; `states[i]` has `lengths[i]` outcomes.
    Percepts have the numbers of their first occurrence, see `ObservedModel.place_of_percept`.
    """

    states: Integers
    lengths: Integers
    percepts: Integers32
    results: Integers32


class OutcomeRows(NamedTuple):
    """The outcomes of all actions in all states, as one sparse table.

    The outcomes of action a in state s are the entries from `offsets[row]` to below `offsets[row + 1]` of `percepts`
    and `results`, with row = `s * len(actions) + a`. No pair of a percept and a result occurs twice in a row.
    """

    offsets: Integers
    percepts: Integers32
    results: Integers32


class ObservedModel(ArrayModel[State, Action]):
    """A belief problem with percepts as arrays.

    States have the numbers that they have in `view`, so that a row of words is a belief of the view. All states are
    numbered at the beginning: those that the author's `PerceptArrayHook` lists, else those that a walk reaches.
    Actions are numbered in an order that agrees with the author's lists. Percepts are numbered in the order of their
    texts, which is the order of the outcomes in the view.

    Raises `ProblemError` if the hook breaks its contract, `LimitReached` if the states are too many for the limits, and
    `TooManyStates` if there are more pairs of a state and an action than `most_pairs`, or than an array should have.
    """

    def __init__(
        self,
        view: BitsetContingentView[State, Action],
        tick: Callable[[], None] = no_tick,
        most_pairs: int | None = None,
    ) -> None:
        self.view = view
        problem, model = view.problem, view.model
        hooked = states_in_arrays(problem)
        self._listed: Integers | None = None  # by place in the hook's list: the number of the state
        self._place_of: NDArray[np.intp] = np.zeros(0, dtype=np.intp)  # the inverse: by state, its place in the list
        self._walked: dict[Action, dict[int, tuple[tuple[Any, int], ...]]] = {}
        if hooked is None:
            if most_pairs is not None and StartPairs(problem, tick).exceed(most_pairs):
                raise TooManyStates  # before all actions of a state are listed
            try:
                self._walked = explore(model, view.follows_as_known(), most_pairs)
            except EffortExceeded:
                raise TooManyStates from None
        else:
            self._listed = number_listed(problem, model, hooked, tick)
            self._place_of = np.argsort(self._listed)
        super().__init__(model, self._listed, tick, _most_rows(most_pairs))
        self._met: dict[Any, int] = {}  # the percepts so far, numbered in the order of their first occurrence

    def require_at_most(self, pairs: int | None) -> None:
        """Raise `TooManyStates` if this model is larger than a limit of so many pairs allows."""
        asked = sum(map(len, self._walked.values()))
        rows = len(self.states) * len(self.actions)
        if rows > _most_rows(pairs) or (pairs is not None and asked > pairs):
            raise TooManyStates

    @cached_property
    def is_certain(self) -> bool:
        """Whether no action has several outcomes in any state."""
        return all(int(outcomes.lengths.max(initial=0)) <= 1 for outcomes in self.outcomes())

    def outcomes(self) -> Iterator[Outcomes]:
        """Yield the outcomes of each action, computed anew at every call; the last one completes `percepts`."""
        for number, action in enumerate(self.actions):
            self._tick()
            yield self._asked(action) if self._listed is None else self._hooked(number, action, self._listed)

    def place_of_percept(self) -> Integers32:
        """Map the number of a percept in `Outcomes` to its number in `percepts`, once all outcomes are computed."""
        texts = [self.problem.format_percept(percept) for percept in self._met]
        places = np.empty(len(texts), dtype=np.int32)
        places[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts), dtype=np.int32)
        return places

    @property
    def percepts(self) -> tuple[Any, ...]:
        """The percepts by number; complete after `rows` or all of `outcomes` has been computed."""
        values = list(self._met)
        return tuple(values[number] for number in np.argsort(self.place_of_percept()))

    @cached_property
    def rows(self) -> OutcomeRows:
        """The outcomes of all actions in all states."""
        actions = len(self.actions)
        found = list(self.outcomes())
        counts = np.zeros((len(self.states), actions), dtype=np.int64)
        for number, outcomes in enumerate(found):
            counts[outcomes.states, number] = outcomes.lengths
        offsets = np.zeros(counts.size + 1, dtype=np.int64)
        np.cumsum(counts, out=offsets[1:])
        percept_of, result_of = (np.empty(offsets[-1], dtype=np.int32) for _ in range(2))
        place_of = self.place_of_percept()
        for number, outcomes in enumerate(found):
            places = spans(offsets[outcomes.states * actions + number], outcomes.lengths)
            percept_of[places] = place_of[outcomes.percepts]
            result_of[places] = outcomes.results
        return OutcomeRows(offsets, percept_of, result_of)

    def _asked(self, action: Action) -> Outcomes:
        """Return the outcomes of an action that the walk has found."""
        walked = self._walked[action]
        rows = [pairs if len(pairs) < 2 else tuple(dict.fromkeys(pairs)) for pairs in walked.values()]
        pairs = [pair for row in rows for pair in row]
        return Outcomes(
            np.array(list(walked), dtype=np.int64),
            np.array([len(row) for row in rows], dtype=np.int64),
            np.array([self._met.setdefault(percept, len(self._met)) for percept, _ in pairs], dtype=np.int32),
            np.array([result for _, result in pairs], dtype=np.int32),
        )

    def _hooked(self, number: int, action: Action, listed: Integers) -> Outcomes:
        """Return the outcomes of an action that the hook gives, after a comparison in one state."""
        results = all_results(self.problem, action, len(listed))
        values, places = all_percepts(self.problem, action, len(listed))
        applies = members_of_words(self.initial & self.applicable[number])
        if len(applies):  # one possible start, another for each action
            states, start = self.states, applies[number % len(applies)]
            row = results[self._place_of[start]].tolist()
            given = {states[listed[place]]: [values[percept] for percept in places[place].tolist()] for place in row}
            compare_outcomes(self.problem, states[start], action, given, self._tick)
        chosen = self._place_of[members_of_words(self.applicable[number])]
        most_results, most_percepts = results.shape[1], places.shape[1]
        after = np.repeat(results[chosen], most_percepts, axis=1)
        seen = places[results[chosen]].reshape(len(chosen), -1)
        reached = listed[after]
        lengths = np.full(len(chosen), most_results * most_percepts, dtype=np.int64)
        percepts = self._numbers_of(values, seen)
        if most_results * most_percepts > 1:
            code = np.sort(percepts.astype(np.int64) * len(self.states) + reached, axis=1)
            new = np.ones(code.shape, dtype=np.bool_)
            new[:, 1:] = code[:, 1:] != code[:, :-1]
            lengths = new.sum(axis=1)
            percepts, reached = np.divmod(code[new], len(self.states))
        return Outcomes(listed[chosen], lengths, percepts.ravel().astype(np.int32), reached.ravel().astype(np.int32))

    def _numbers_of(self, values: Sequence[Any], places: NDArray[Any]) -> Integers32:
        """Return the numbers of percepts that are given as places in `values`; only values that occur get a number."""
        numbers = np.zeros(len(values), dtype=np.int32)
        for place in np.flatnonzero(np.bincount(places.ravel(), minlength=len(values))).tolist():
            numbers[place] = self._met.setdefault(values[place], len(self._met))
        return np.take(numbers, places)


def observed_model(
    view: BitsetContingentView[State, Action], tick: Callable[[], None], most_pairs: int | None = None
) -> ObservedModel[State, Action]:
    """Return the `ObservedModel` of a view, made at the first call; the limit holds at every call."""
    if view.arrays is None:
        view.arrays = ObservedModel(view, tick, most_pairs)
    found: ObservedModel[State, Action] = view.arrays
    found.require_at_most(most_pairs)
    return found
