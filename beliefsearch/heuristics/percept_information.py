"""Information bound of a contingent problem: a plan must have enough percepts to distinguish the states.

Beliefs are bit sets; `information_bound.py` has the argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from math import inf
from typing import Any, TypeAlias

from ..engine.bits.bitset import bit_numbers, mask_of
from ..engine.bits.contingent import BitsetContingentView
from ..errors import BeliefSearchError
from ..model.base import Cost
from ..model.checked import checked_cost
from ..model.hooks import BeliefClassHook
from ..running.limits import TooDear
from ..solvers.path.heuristic import no_estimate
from .information_bound import Capacities, Part, Sizes, Way, capacities, plain

_View: TypeAlias = "BitsetContingentView[Any, Any]"

# The outcomes of each action in a universe of states: percepts, each with the states from which it may come, the states
# after it, and whether any state changes.
_Splits: TypeAlias = "Mapping[Any, list[tuple[Any, int, int, bool]]]"

# Up to this many pairs of a state and an action, all actions are looked at, also equivalent ones.
_FEW_PAIRS = 100_000
# The limit of pairs if states change: exploring them takes many rounds then, and percepts tell less.
_WHERE_STATES_MOVE = 200_000


def capacity(view: _View, most_pairs: int | None) -> Callable[[int], Cost]:
    """Return the heuristic: the least number of actions that can distinguish the states, times the cheapest cost.

    States need to be distinguished only as far as the goal requires. Raises `TooDear` if there are more pairs of a
    state and an action than `most_pairs`, or unless every state has the same actions, none of which is free.
    """
    universe = view.initial_node()
    if view.is_goal(universe):
        return no_estimate
    of_actions, within = _least_actions(view, universe, most_pairs)
    if view.problem.has_unit_costs():
        return of_actions
    actions = view.model.actions(within)
    if not actions:
        return of_actions
    cheapest: Cost = inf
    for state in view.members(within):
        view.tick()
        cheapest = min(cheapest, min(checked_cost(view.problem, state, action) for action in actions))
    if cheapest <= 0:
        raise TooDear
    return lambda belief: cheapest * of_actions(belief)


def _least_actions(view: _View, universe: int, most_pairs: int | None) -> tuple[Callable[[int], Cost], int]:
    """Return the function from a belief to the least number of actions, and the states reachable before the win."""
    listed = _listed_capacities(view, universe)
    if listed is not None:
        by_size = _by_size(view, listed)
        return lambda belief: by_size(belief & view.listed.apart), universe
    universe, splits = _closed(view, universe, most_pairs)
    size = universe.bit_count()
    moves = any(one[3] for split in splits.values() for one in split)
    # If states never change, one may stand for all that need not be distinguished; for a mean each counts.
    apart = universe if moves or view.equally_likely else view.model.apart(universe)
    alone = capacities(
        ([_part(view, action, *one) for one in _among(apart, split)] for action, split in splits.items()),
        plain(apart.bit_count()),
    )
    by_size = _by_size(view, alone)
    if all(sum(part.bit_count() for _, part, _, _ in split) == size for split in splits.values()):
        return lambda belief: by_size(belief & apart), universe
    # A state that may give several percepts needs several ends of the plan.
    grouped = _Grouped(view, universe, splits)
    together = grouped.capacities()
    return lambda belief: max(by_size(belief & apart), together.least_actions(grouped.sizes(belief))), universe


def _among(states: int, split: list[tuple[Any, int, int, bool]]) -> Iterator[tuple[Any, int, int, bool]]:
    """Yield the parts of a split restricted to some states; if states move these are all."""
    for percept, part, image, moves in split:
        if part & states:
            yield percept, part & states, image if moves else image & states, moves


def _by_size(view: _View, alone: Capacities) -> Callable[[int], Cost]:
    """Return the estimate as a function of the size of a belief."""

    @cache
    def of_size(states: int) -> Cost:
        if not states:
            return 0
        return alone.least_mean(states) if view.equally_likely else alone.least_actions(plain(states))

    return lambda belief: of_size(belief.bit_count())


def _listed_capacities(view: _View, universe: int) -> Capacities | None:
    """Return the capacities by the author's arrays alone; None unless these list percepts of starts that never change.

    The universe is then that of the starts `apart`; a part is won if it is one of them, or by the remaining actions.
    For the mean, no two starts may share a goal set.
    """
    most_won = view.model.most_won(universe)
    if view.listed is None or most_won < 1 or (most_won > 1 and view.equally_likely):
        return None
    most = view.listed.capacities
    return None if most is None else Capacities([(1,)] * len(most), most, is_all=True)


def capacity_if_it_applies(view: _View, most_pairs: int | None) -> Callable[[int], Cost]:
    """Return the heuristic `capacity`; raise an error that names its conditions if they do not hold."""
    try:
        return capacity(view, most_pairs)
    except TooDear:
        raise BeliefSearchError(
            "the heuristic information-bound needs the same actions in every state, none free; choose another"
        ) from None


def _closed(view: _View, universe: int, most_pairs: int | None) -> tuple[int, _Splits]:
    """Return all states reachable before the game is won, and the splits of them by each action."""
    left = inf if most_pairs is None else most_pairs  # for all rounds, of which there may be as many as states
    # Each round looks at new states only. By action: the states looked at, and their outcomes by percept.
    asked: dict[Any, int] = {}
    known: dict[Any, dict[Any, tuple[int, int, bool]]] = {}
    while True:
        members = view.members(universe)
        first = view.problem.actions(members[0])
        if any(view.problem.actions(state) != first for state in members):
            raise TooDear
        larger = universe
        actions = list(view.actions(universe))
        left -= len(members) * len(actions)
        if left < 0:
            raise TooDear
        for action in actions:
            of_action = known.setdefault(action, {})
            for percept, part, image, moves in view.parts(universe & ~asked.get(action, 0), action):
                before = of_action.get(percept, (0, 0, False))
                of_action[percept] = part | before[0], image | before[1], moves
            asked[action] = universe
            for _, image, _ in of_action.values():
                if not view.is_goal(image):
                    larger |= image
        if larger == universe:
            return universe, {action: [(percept, *one) for percept, one in known[action].items()] for action in actions}
        universe = larger
        if most_pairs is not None:
            left = min(left, _WHERE_STATES_MOVE)


def _part(view: _View, action: Any, percept: Any, part: int, image: int, moves: bool) -> Part:
    merging = 1
    if moves:  # also if the image is the part itself: several states may share a result
        after = view.results_by_number(action, percept)
        merging = max(Counter(chain.from_iterable(after(state) for state in bit_numbers(part))).values())
    return Part(plain(part.bit_count()), view.is_goal(image), (plain(view.model.most_won(image)),), merging)


class _Grouped:
    """States of a universe by group and by sort.

    A group is a set of states that are connected by common goal sets. They need not be distinguished, so the group has
    one weight. States of one sort need the same number of ends of a plan.
    """

    def __init__(self, view: _View, universe: int, splits: _Splits) -> None:
        self._view = view
        self._universe = universe
        self._group = _groups(view.model.goal_sets_around)
        self._distinct = list(splits)
        self._splits = dict(splits)
        self._sort, self._ways = self._sorted()

    def capacities(self) -> Capacities:
        """Return the capacities for beliefs in the universe."""
        actions = ([self._part(images) for images in self._images(action)] for action in self._distinct)
        return capacities(actions, self.sizes(self._universe), self._ways)

    def sizes(self, belief: int) -> Sizes:
        """Return the number of groups of the states of a belief, by the sorts of their members."""
        # States without a sort are reachable only after the win, and not counted.
        return _sizes((self._group[state], self._sort[state]) for state in bit_numbers(belief) if state in self._sort)

    def _images(self, action: Any) -> list[dict[int, tuple[int, ...]]]:
        """Return, for each percept of an action, the results by state of the universe."""
        found = []
        for percept, part, _, _ in self._splits[action]:
            after = self._view.results_by_number(action, percept)
            found.append({state: tuple(after(state)) for state in bit_numbers(part)})
        return found

    def _part(self, images: Mapping[int, Iterable[int]]) -> Part:
        group = self._group.__getitem__
        leading_to: dict[int, set[int]] = {}  # by group of results: the groups that lead to it
        won: dict[int, set[int]] = {}  # by goal set: the sorts of the results in it, which are one group
        everything = set(chain.from_iterable(images.values()))
        for state, results in images.items():
            for result in results:
                leading_to.setdefault(group(result), set()).add(group(state))
        for result in everything:
            for goals in self._view.model.goal_sets_around[result]:
                won.setdefault(goals, set()).add(self._sort_of(result))
        return Part(
            _sizes((group(state), self._sort_of(result)) for state, results in images.items() for result in results),
            self._view.is_goal(mask_of(everything)),
            tuple(((sorts, 1),) for sorts in set(map(frozenset, won.values()))),
            max(map(len, leading_to.values())),
        )

    def _sort_of(self, state: int) -> int:
        return self._sort.get(state, len(self._ways) - 1)

    def _sorted(self) -> tuple[dict[int, int], list[frozenset[Way]]]:
        """Return the sort of each state of the universe, and the outcomes of actions in states of each sort.

        The last sort is that of states beyond the universe, if any, at which plans end.
        """
        class_of, actions = self._classes()
        ways: dict[Hashable, set[_Outcomes]] = {}
        for action in actions:
            way_of: dict[int, list[tuple[int, ...]]] = {}
            for images in self._images(action):
                for state, results in images.items():
                    way_of.setdefault(state, []).append(results)
            for state, way in way_of.items():
                ways.setdefault(class_of[state], set()).add(tuple(sorted(way)))
        sorts, does = refined(class_of, ways)
        outside = max(sorts.values()) + 1
        found = [frozenset[Way]()] * (outside + 1)
        for name, own in does.items():
            found[sorts[name]] = frozenset(tuple(map(frozenset, way)) for way in own)
        beyond = any(outside in results for own in found for way in own for results in way)
        return {state: sorts[name] for state, name in class_of.items()}, found if beyond else found[:-1]

    def _classes(self) -> tuple[dict[int, Hashable], Iterable[Any]]:
        """Return the class of each state of the universe, and the actions to look at, so that classes have all ways.

        Each state is a class if there are few actions. Otherwise only one of each class of equivalent actions is known.
        An action that is left out does with a state what its equivalent does with a symmetric state: a class holds all
        symmetric states, or all states if the symmetries are unknown.
        """
        view, universe, splits = self._view, self._universe, self._splits
        states = list(bit_numbers(universe))
        actions = _all_actions(view, universe)
        if actions is not None:
            for action in actions:
                if action not in splits:
                    splits[action] = list(view.parts(universe, action))
            return {state: (state,) for state in states}, actions
        if isinstance(view.problem, BeliefClassHook):
            return {state: (view.class_of(1 << state),) for state in states}, splits
        return dict.fromkeys(states, ()), splits


_Outcomes: TypeAlias = "tuple[tuple[int, ...], ...]"
"""The outcomes of an action in a state: for each percept its results, or the sorts of these."""


def refined(
    class_of: Mapping[int, Hashable], ways: Mapping[Hashable, Iterable[_Outcomes]]
) -> tuple[dict[Hashable, int], dict[Hashable, frozenset[_Outcomes]]]:
    """Return the sort of each class, and its ways by sorts of results: partition refinement, as for automata.

    Classes of one sort have the same ways. Results beyond the universe have the sort after the last one.
    """
    sorts: dict[Hashable, int] = dict.fromkeys(ways, 0)
    while True:
        outside = max(sorts.values()) + 1
        does = {
            name: frozenset(
                tuple(sorted(tuple(sorted({sorts.get(class_of.get(r), outside) for r in results})) for results in way))
                for way in own
            )
            for name, own in ways.items()
        }
        places: dict[Any, int] = {}
        finer = {name: places.setdefault((sorts[name], does[name]), len(places)) for name in ways}
        if len(places) == outside:
            return sorts, does
        sorts = finer


def _all_actions(view: _View, universe: int) -> Sequence[Any] | None:
    """Return the actions of a universe whose states all have the same ones; None if they are too many."""
    some_state = view.members(universe)[0]
    most = _FEW_PAIRS // universe.bit_count()
    found = list(islice(view.problem.actions(some_state), most + 1))
    return found if len(found) <= most else None


def _groups(goal_sets_around: Sequence[Iterable[int]]) -> list[int]:
    """Return the group of each state: two states share one if a chain of overlapping goal sets connects them."""
    joined: dict[int, int] = {}

    def first(goals: int) -> int:
        while joined.setdefault(goals, goals) != goals:
            joined[goals] = goals = joined[joined[goals]]
        return goals

    for around in goal_sets_around:
        for goals in around:
            joined[first(goals)] = first(next(iter(around)))
    return [first(next(iter(around))) if around else ~state for state, around in enumerate(goal_sets_around)]


def _sizes(sorts: Iterable[tuple[int, int]]) -> Sizes:
    """Return the number of groups by the sorts of their members, from pairs of a group and a sort."""
    members: dict[int, set[int]] = {}
    for group, sort in sorts:
        members.setdefault(group, set()).add(sort)
    return tuple(Counter(map(frozenset, members.values())).items())
