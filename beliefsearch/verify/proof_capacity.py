"""Checking proofs by capacity: a plan of d actions has only so many ends, and states need ends of their own.

By the definition alone, as `proof.py`. The file need say nothing but the kind: all is worked out here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.belief import initial_states, is_goal_belief, perceived, successors
from ..model.checked import checked_cost
from ..model.hooks import BeliefClassHook, DistinctActionsHook
from ..model.problem import BeliefProblem

# How many groups there are, by the sorts of their members.
_Sizes: TypeAlias = "tuple[tuple[frozenset[Any], int], ...]"

# What an action may do with a state: for each percept the results.
_Way: TypeAlias = "frozenset[tuple[frozenset[Any], int]]"

_ONE_PERCEPT: frozenset[_Way] = frozenset({frozenset({(frozenset({0}), 1)})})
"""What may be done with a state of sort 0 of which every action gives one percept."""

# A part of the states: groups by the sorts of their results, whether all of those are won, the groups of results that
# are won together, and the most groups that lead to one.
_Part: TypeAlias = "tuple[_Sizes, bool, frozenset[_Sizes], int]"


def check_capacity(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any]) -> Cost:
    """The least number of actions that the capacities allow.

    Every belief that can come up before the game is won lies in a set of states, which is found first. States are put
    into groups. Let a state need one end for 0 actions, and for d actions as many as, with the action for which that is
    the least, its results need for d - 1, the most of them for each percept. The weight of a belief is the sum over
    groups of the most that a member needs. So with an action a belief falls into parts, by percepts, whose weights
    together are no smaller, if each counts as often as groups lead into one. A part is won already, or within the
    d - 1 actions that are left. Hence the most that can be won within d actions weighs no more than, for some action,
    its parts together, each of which weighs no more than that, nor than all states from which it can come.

    Two ways to group are tried: each state for itself, counting one end each; and states together that may be won
    together, each with the ends that it needs.

    If the proof says that the `actions` are `distinct`, the author's word is taken that `distinct_actions` has one of
    each class, and that states which a symmetry exchanges have the same `belief_class`. What one action does with a
    state another of its class does with one of the same class.
    """
    starts = list(dict.fromkeys(initial_states(problem)))
    if is_goal_belief(problem, frozenset(starts)):
        return 0
    actions = proof.get("actions")
    if actions not in (None, "distinct"):
        raise InvalidProofError(f"its field 'actions' should be 'distinct', or left out, but is {actions!r:.40}")
    distinct = actions is not None
    goals = _Goals(problem)
    universe = _universe(problem, starts, goals, distinct=distinct)
    applicable = _actions(problem, universe, distinct=distinct)
    sort_of, ways = dict.fromkeys(universe, 0), [_ONE_PERCEPT]
    seen = _survey(problem, applicable, lambda results_of: _part_alone(results_of, goals))
    bound = _bound(seen.parts, _plain(len(starts)), ways, len(universe))
    many = any(sum(count for _, count in way) > 1 for own in seen.ways.values() for way in own)
    if not many and all(part[-1] == 1 for parts in seen.parts for part, _ in parts):
        return bound  # in groups they would only count for less
    if many:
        sort_of, ways = _sorts(problem, seen.ways, distinct=distinct)
    group_of = goals.groups()
    together = _Grouping(goals, group_of, {state: sort_of.get(state, len(ways) - 1) for state in group_of})
    seen = _survey(problem, applicable, together.part)
    return max(bound, _bound(seen.parts, together.sizes(starts), ways, len(universe)))


class _Goals:
    """The goal sets around states, and states that may be won together, perhaps through others."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        self._goal_sets = list(problem.goal_sets())
        self._around: dict[Any, list[int]] = {}

    def around(self, state: Any) -> list[int]:
        """The goal sets, by number, in which a state is."""
        found = self._around.get(state)
        if found is None:
            found = self._around[state] = [number for number, goals in enumerate(self._goal_sets) if state in goals]
        return found

    def groups(self) -> dict[Any, int]:
        """Return a number by state asked about so far, the same for all that hang together by goal sets."""
        joined = list(range(len(self._goal_sets)))

        def first(number: int) -> int:
            while joined[number] != number:
                joined[number] = number = joined[joined[number]]
            return number

        for around in self._around.values():
            for number in around:
                joined[first(number)] = first(around[0])
        return {
            state: first(around[0]) if around else ~number
            for number, (state, around) in enumerate(self._around.items())
        }


class _Grouping(NamedTuple):
    """A way to group states, and their sorts: states of a sort need equally many ends."""

    goals: _Goals
    group: Mapping[Any, int]
    sort: Mapping[Any, int]

    def sizes(self, states: Iterable[Any]) -> _Sizes:
        """Count the groups of these states."""
        return _sizes((self.group[state], self.sort[state]) for state in states)

    def part(self, results_of: Mapping[Any, Iterable[Any]]) -> _Part:
        """The part of these states, given with their results."""
        origins = [self.group[state] for state, results in results_of.items() for _ in results]
        after = list(chain.from_iterable(results_of.values()))
        groups = [self.group[result] for result in after]
        sorts = [self.sort[result] for result in after]
        won: dict[int, list[Any]] = {}
        distinct = set(after)
        for result in distinct:
            for number in self.goals.around(result):
                won.setdefault(number, []).append(result)
        return (
            _sizes(zip(origins, sorts, strict=True)),
            any(len(some) == len(distinct) for some in won.values()),
            frozenset(self.sizes(some) for some in won.values()),
            max(Counter(group for group, _ in set(zip(groups, origins, strict=True))).values()),
        )


def _plain(states: int) -> _Sizes:
    """So many states, each a group of its own, of one sort."""
    return ((frozenset({0}), states),)


def _part_alone(results_of: Mapping[Any, Iterable[Any]], goals: _Goals) -> _Part:
    """The part of these states, given with their results, each state a group of its own."""
    leading_to = Counter(chain.from_iterable(results_of.values()))
    won = Counter(chain.from_iterable(goals.around(state) for state in leading_to))
    most = max(won.values(), default=0)
    return (
        _plain(len(results_of)),
        most == len(leading_to),
        frozenset({_plain(most)}),
        max(leading_to.values()),
    )


def _sizes(members: Iterable[tuple[Any, Any]]) -> _Sizes:
    sorts_of: dict[Any, frozenset[Any]] = {}
    for group, sort in set(members):
        sorts_of[group] = frozenset({sort}) | sorts_of.get(group, frozenset())
    return tuple(sorted(Counter(sorts_of.values()).items(), key=repr))


def _universe(
    problem: BeliefProblem[Any, Any, Any], starts: list[Any], goals: _Goals, *, distinct: bool
) -> dict[Any, None]:
    """All states that can come up before the game is won; `goals` is asked about these and all after them."""
    universe = dict.fromkeys(starts)
    new = list(universe)
    # By action and percept: the results so far while they are won, and the goal sets that have them all.
    won: dict[Any, tuple[set[int], list[Any]]] = {}
    while new:
        for state in new:
            goals.around(state)
        met: dict[Any, None] = {}
        asked = universe if distinct else new  # as other actions may be named of more states
        for action, states in _actions(problem, asked, distinct=distinct).items():
            for state in states:
                for percept, results in _follow(problem, state, action).items():
                    together = won.get((action, percept))
                    if together is None:
                        together = won[action, percept] = set(goals.around(next(iter(results)))), []
                    candidates, waiting = together
                    waiting += results
                    for result in results if candidates else ():
                        candidates.intersection_update(goals.around(result))
                    if not candidates:
                        met.update(dict.fromkeys(waiting))
                        waiting.clear()
        new = [state for state in met if state not in universe]
        universe.update(dict.fromkeys(new))
    return universe


def _follow(problem: BeliefProblem[Any, Any, Any], state: Any, action: Any) -> dict[Any, set[Any]]:
    """The results of an action in a state, by percept."""
    if checked_cost(problem, state, action) != 1:
        raise InvalidProofError("capacities are for problems in which every action costs 1")
    found: dict[Any, set[Any]] = {}
    for result in successors(problem, state, action):
        for percept in perceived(problem, result, action):
            found.setdefault(percept, set()).add(result)
    return found


def _actions(problem: BeliefProblem[Any, Any, Any], universe: Iterable[Any], *, distinct: bool) -> dict[Any, list[Any]]:
    """The actions, or of each class one, and the states that they apply in."""
    states = list(universe)
    if not distinct:
        found: dict[Any, list[Any]] = {}
        for state in states:
            for action in problem.actions(state):
                found.setdefault(action, []).append(state)
        return found
    named = problem.distinct_actions(frozenset(states)) if isinstance(problem, DistinctActionsHook) else None
    if named is None:
        raise InvalidProofError(f"{type(problem).__name__} does not say which actions are distinct")
    same = problem.actions(states[0])
    if any(problem.actions(state) != same for state in states):
        raise InvalidProofError("capacities by distinct actions are for problems with the same actions in every state")
    return dict.fromkeys(named, states)


class _Seen(NamedTuple):
    """Effects of actions: the parts of each action, and by state the ways."""

    parts: set[frozenset[tuple[_Part, int]]]
    ways: dict[Any, set[_Way]]


def _survey(
    problem: BeliefProblem[Any, Any, Any],
    applicable: Mapping[Any, list[Any]],
    part: Callable[[Mapping[Any, Iterable[Any]]], _Part],
) -> _Seen:
    seen = _Seen(set(), {})
    for action, states in applicable.items():
        by_percept: dict[Any, dict[Any, set[Any]]] = {}
        for state in states:
            follow = _follow(problem, state, action)
            for percept, results in follow.items():
                by_percept.setdefault(percept, {})[state] = results
            way = (
                _counted(map(frozenset, follow.values()))
                if len(follow) > 1
                else frozenset((frozenset(results), 1) for results in follow.values())
            )
            seen.ways.setdefault(state, set()).add(way)
        seen.parts.add(_counted(part(states) for states in by_percept.values()))
    return seen


def _counted(things: Iterable[Any]) -> frozenset[tuple[Any, int]]:
    return frozenset(Counter(things).items())


def _sorts(
    problem: BeliefProblem[Any, Any, Any], ways: Mapping[Any, set[_Way]], *, distinct: bool
) -> tuple[dict[Any, int], list[frozenset[_Way]]]:
    """The sort of each state, and what may be done with states of each sort; the last, if any, is of other states."""
    if not distinct:
        named: dict[Any, Any] = {state: (state,) for state in ways}
    elif isinstance(problem, BeliefClassHook):
        named = {state: (problem.belief_class(frozenset({state})),) for state in ways}
    else:
        named = dict.fromkeys(ways, ())
    sorts: dict[Any, int] = dict.fromkeys(named.values(), 0)
    while True:
        # States are of different sorts as long as they can do different things, by the sorts known.
        outside = max(sorts.values()) + 1
        sort_of = {state: sorts[name] for state, name in named.items()}
        does: dict[Any, set[_Way]] = {name: set() for name in sorts}
        for state, own in ways.items():
            does[named[state]].update(_by_sorts(way, sort_of, outside) for way in own)
        places: dict[Any, int] = {}
        finer = {name: places.setdefault((sorts[name], frozenset(does[name])), len(places)) for name in sorts}
        if len(places) == outside:
            break
        sorts = finer
    found = [frozenset[_Way]()] * (outside + 1)
    for name, sort in sorts.items():
        found[sort] = frozenset(does[name])
    beyond = any(outside in results for own in found for way in own for results, _ in way)
    return sort_of, found if beyond else found[:-1]


def _by_sorts(way: _Way, sort_of: Mapping[Any, int], outside: int) -> _Way:
    """Return the effect of an action, with the sorts of results for the results."""
    found: Counter[frozenset[int]] = Counter()
    for results, count in way:
        found[frozenset(sort_of.get(result, outside) for result in results)] += count
    return frozenset(found.items())


def _bound(
    actions: Iterable[frozenset[tuple[_Part, int]]], belief: _Sizes, ways: Sequence[frozenset[_Way]], size: int
) -> Cost:
    """The least number of actions by which so heavy a belief can be won, that is not won yet."""
    ends, most = [1] * len(ways), 0
    longest = 2 * size
    for done in range(longest):
        if _weight(belief, ends) <= most:
            return done
        after = [
            min((sum(count * max(ends[sort] for sort in sorts) for sorts, count in way) for way in own), default=1)
            for own in ways
        ]
        larger = max((sum(count * _most(part, ends, most) for part, count in parts) for parts in actions), default=0)
        # With the same scale for ends and most nothing ever changes, as all this is homogeneous.
        scaled = all(new * ends[0] == old * after[0] for old, new in zip(ends, after, strict=True))
        if scaled and larger * ends[0] <= most * after[0]:
            return math.inf
        ends, most = after, larger
    return longest


def _weight(groups: _Sizes, ends: Sequence[int]) -> int:
    return sum(count * max(ends[sort] for sort in sorts) for sorts, count in groups)


def _most(part: _Part, ends: Sequence[int], most: int) -> int:
    """The most that can be won of a part, as its states weigh before the action."""
    states, is_won, won, merging = part
    total = _weight(states, ends)
    return total if is_won else min(total, merging * max([most, *(_weight(some, ends) for some in won)]))
