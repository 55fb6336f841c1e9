"""The view that AND-OR solvers search when beliefs are bit sets, and its table of the outcomes of each action."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from ...belief_space.and_or import Outcomes
from ...belief_space.contingent import ContingentView, only_percept, only_result
from ...belief_space.explored_nodes import shows_states
from ...model.base import Action, Cost, State
from ...model.belief import no_tick, perceived, successors
from ...model.hooks import BeliefClassHook
from ...model.problem import BeliefProblem
from .bitset import TransitionTable, bit_numbers, mask_of
from .sensorless import IntBeliefs

# So many states are asked about together.
_MANY = 500


def _image(results: Callable[[int], tuple[int, ...]], number: int) -> int:
    """Return the states after a state; `results` looks into what goes on growing."""
    return mask_of(results(number))


class SplitTable:
    """The outcomes of beliefs under one action; `follows` gives the percepts and results of a state, by number.

    For each percept the table keeps the states from which it may be perceived, and the image of those states
    under that percept. Where the action only tells states apart and changes none, which is common, the image is
    the states themselves, and an outcome is one intersection. States are asked about on first use: one by one, or where
    they are many by `stay`, which gives by percept all that stay as they are, whether or not they are asked for.
    """

    __slots__ = ("_asked", "_changed", "_follows", "_may_give", "_stay", "_tables")

    def __init__(
        self,
        follows: Callable[[int], Sequence[tuple[Any, int]]],
        stay: Callable[[], Iterable[tuple[Any, int]]] | None = None,
    ) -> None:
        self._follows = follows
        self._stay = stay
        self._asked = 0
        self._may_give: dict[Any, int] = {}  # by percept
        self._changed: dict[Any, dict[int, tuple[int, ...]]] = {}  # by percept: states that may change, and to which
        self._tables: dict[Any, TransitionTable] = {}  # of percepts under which some state changes

    def outcomes(self, belief: int) -> Iterator[tuple[Any, int]]:
        """Yield the percepts that may come in `belief`, each with the belief after it."""
        for percept, part in self._parts(belief):
            if percept not in self._changed:
                yield percept, part
                continue
            table = self._tables.get(percept)
            if table is None:
                table = self._tables[percept] = TransitionTable(partial(_image, self.results(percept)))
            yield percept, table.image(part)

    def parts(self, belief: int) -> Iterator[tuple[Any, int, int]]:
        """Return, by percept, the part of `belief` in which it may come, and the belief after it.

        It builds no table, which would be large and pays only if there are many beliefs.
        """
        for percept, part in self._parts(belief):
            results = self.results(percept)
            image = part
            if percept in self._changed:
                image = mask_of(result for state in bit_numbers(part) for result in results(state))
            yield percept, part, image

    def after(self, belief: int) -> list[int]:
        """Return the beliefs that may follow."""
        parts = [part for _, part in self._parts(belief)]
        return [image for _, _, image in self.parts(belief)] if self._changed else parts

    def results(self, percept: Any) -> Callable[[int], tuple[int, ...]]:
        """Return the function from a state asked so far that may give `percept` to the states after it."""
        changed = self._changed.get(percept, {})
        return lambda number: changed.get(number) or (number,)

    def certain(self) -> dict[int, tuple[tuple[Any, int], ...]]:
        """Return `follows`, by state asked so far that has a single outcome."""
        found: dict[int, tuple[tuple[Any, int], ...]] = {}
        several = 0
        met = 0
        for percept, states in self._may_give.items():
            changed = self._changed.get(percept, {})
            several |= states & met
            met |= states
            for number in bit_numbers(states & ~several):
                after = changed.get(number, (number,))
                if len(after) == 1:
                    found[number] = ((percept, after[0]),)
        for number in bit_numbers(several):
            found.pop(number, None)
        return found

    def moves(self, percept: Any) -> bool:
        """Whether some state may change when `percept` comes, among the states asked so far."""
        return percept in self._changed

    def _parts(self, belief: int) -> Iterator[tuple[Any, int]]:
        unknown = belief & ~self._asked
        if unknown:
            self._ask(unknown)
        for percept, states in self._may_give.items():
            part = belief & states
            if part:
                yield percept, part

    def _ask(self, unknown: int) -> None:
        if self._stay is not None and unknown.bit_count() >= _MANY:
            for percept, states in self._stay():
                self._may_give[percept] = self._may_give.get(percept, 0) | states
                self._asked |= states
            self._stay = None
            unknown &= ~self._asked
        gives: dict[Any, list[int]] = {}
        for number in bit_numbers(unknown):
            follow = self._follows(number)
            if len(follow) == 1 and follow[0][1] == number:  # as so often
                gives.setdefault(follow[0][0], []).append(number)
                continue
            results: dict[Any, list[int]] = {}
            for percept, result in follow:
                results.setdefault(percept, []).append(result)
            for percept, numbers in results.items():
                gives.setdefault(percept, []).append(number)
                if numbers != [number]:
                    self._changed.setdefault(percept, {})[number] = tuple(numbers)
        for percept, numbers in gives.items():
            self._may_give[percept] = self._may_give.get(percept, 0) | mask_of(numbers)
        self._asked |= unknown


# Elementary steps (see `IntBeliefs`) of an outcome.
_OUTCOME = 5
# In an array an elementary step is 2 to this power of states.
_LISTED = 4


class StatesMerge(Exception):
    """Raised when equally likely states become one state, so that beliefs need weights."""


class BitsetContingentView(IntBeliefs[State, Action], ContingentView[int, State, Action]):
    """A belief problem as an AND-OR problem whose nodes are ints (see `NumberedModel`).

    `numbered` is called now and then with the number of states numbered so far. With `equally_likely` the view is for
    expected costs: then every state of a belief must stay as likely as every other, and the view raises `StatesMerge`
    where that ends, and `ProblemError` where not only the start is uncertain.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Any],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
        *,
        equally_likely: bool = False,
    ) -> None:
        super().__init__(problem, tick)
        self._number_states(numbered)
        self.equally_likely = equally_likely
        # Nothing is made twice: the same as arrays (see `observed_model`), and estimates by their makers.
        self.arrays: Any = None
        self.estimates: dict[Any, Any] = {}
        # Many states are asked about together, where this is given (see `ListedParts`).
        self.listed: Any = None
        self._splits: dict[Action, SplitTable] = {}
        # By state and action, where states are seen: there are as many percepts, too many for a `SplitTable`.
        self._seen: dict[tuple[int, Action], tuple[tuple[Any, int], ...]] = {}
        self._classes: dict[int, Hashable] = {}
        self._has_classes = isinstance(problem, BeliefClassHook)

    def initial_node(self) -> int:
        belief = self.model.initial_belief()
        if self.equally_likely and belief.bit_count() != len(set(self.problem.initial_states())):
            raise StatesMerge
        self.max_belief_size = max(self.max_belief_size, belief.bit_count())
        return belief

    def actions(self, belief: int) -> Iterable[Action]:
        distinct = self._distinct_actions(belief)
        return self.model.actions(belief) if distinct is None else distinct

    def outcomes(self, belief: int, action: Action) -> Outcomes[int]:
        branches = dict(self._branches(belief, action))
        if self.equally_likely and sum(map(int.bit_count, branches.values())) != belief.bit_count():
            raise StatesMerge
        self._allowance.spend(_OUTCOME * len(branches) + (belief.bit_length() >> 3))
        largest = max(map(int.bit_count, branches.values()))
        if largest > self.max_belief_size:
            self.max_belief_size = largest
        return self._in_order(branches)

    def parts(self, belief: int, action: Action) -> Iterator[tuple[Any, int, int, bool]]:
        """Yield percepts, each with the part of `belief` it may come in, the belief after it, and if any changes."""
        split = self._split(action)
        return ((percept, part, image, split.moves(percept)) for percept, part, image in split.parts(belief))

    def _branches(self, belief: int, action: Action) -> Iterable[tuple[Any, int]]:
        """Return the percepts that may come, each with the belief after it."""
        if belief & (belief - 1) or not self.shows_states:
            return self._split(action).outcomes(belief)
        number = belief.bit_length() - 1
        known = self._seen.get((number, action))
        if known is None:
            follow = self.follows(number, action)
            known = self._seen[number, action] = tuple((percept, 1 << reached) for percept, reached in follow)
        return known

    @cached_property
    def shows_states(self) -> bool:
        """Whether the player knows the state from the beginning on, so that each belief is one state."""
        return not self.equally_likely and shows_states(self.problem)

    def after(self, belief: int, action: Action) -> list[int]:
        """Return the beliefs that may follow, without percepts."""
        if self.shows_states:
            found = [child for _, child in self._branches(belief, action)]
        else:
            found = self._split(action).after(belief)
        self._allowance.spend(_OUTCOME * len(found) + (belief.bit_length() >> 3))
        return found

    def results_by_number(self, action: Action, percept: Any) -> Callable[[int], Iterable[int]]:
        """Return the function from a state, met in `parts`, in which `percept` may come to the states after it."""
        return self._split(action).results(percept)

    def _split(self, action: Action) -> SplitTable:
        split = self._splits.get(action)
        if split is None:
            stay = None if self.listed is None else partial(self._stay, self.listed, action)
            split = self._splits[action] = SplitTable(lambda number: self.follows(number, action), stay)
        return split

    def _stay(self, listed: Any, action: Action) -> list[tuple[Any, int]]:
        """Return, by percept, the states that stay as they are, as the author's arrays have them."""
        self._tick()
        self._allowance.spend(len(self.model.states) >> _LISTED)
        found: list[tuple[Any, int]] = listed.of(action)
        return found

    def follows(self, number: int, action: Action) -> list[tuple[Any, int]]:
        """Return the percepts after `action` in a state, each with the number of the resulting state."""
        problem, state = self.problem, self.model.states[number]
        if self.equally_likely:
            result = only_result(problem, state, action, self._allowance.spend_and_tick)
            return [(only_percept(problem, action, result), self.model.number(result))]
        results = problem.results(state, action)
        if type(results) not in (tuple, list) or not results:  # else there is nothing to be looked after
            results = successors(problem, state, action)
        spend_and_tick, number_of = self._allowance.spend_and_tick, self.model.number
        found = []
        for result in results:
            spend_and_tick()
            reached = number_of(result)
            found += [(percept, reached) for percept in perceived(problem, result, action)]
        return found

    def follows_as_known(self) -> Callable[[int, Action], Sequence[tuple[Any, int]]]:
        """`follows`, but the author is asked nothing again that is known where each outcome is single."""
        known = {action: split.certain() for action, split in self._splits.items()}

        def follow(number: int, action: Action) -> Sequence[tuple[Any, int]]:
            found = known[action].get(number) if action in known else None
            if found is None:
                return self.follows(number, action)
            self._allowance.spend_and_tick()  # as if it had been asked: what is affordable does not change
            return found

        return follow

    def shares(self, belief: int, action: Action, outcomes: Outcomes[int]) -> tuple[Fraction, ...]:
        total = belief.bit_count()
        return tuple(Fraction(outcome.bit_count(), total) for _, outcome in outcomes)

    def action_cost(self, belief: int, action: Action) -> Cost:
        """Return the most that `action` costs in a member, or the mean if states are equally likely."""
        if self.problem.has_unit_costs():
            return 1
        if self.equally_likely:
            costs = (Fraction(self._largest_cost(1 << number, action)) for number in bit_numbers(belief))
            return sum(costs, Fraction(0)) / belief.bit_count()
        return self._largest_cost(belief, action)

    def class_of(self, belief: int) -> Hashable:
        if not self._has_classes:
            return belief
        found = self._classes.get(belief)
        if found is None:
            found = self._classes[belief] = super().class_of(belief)
        return found

    def _is_certain(self) -> bool:
        return super()._is_certain() if self.arrays is None else bool(self.arrays.is_certain)

    def includes(self, large: int, small: int) -> bool:
        return small & large == small
