"""Proofs by capacity: a plan of d actions has only so many ends, and states need ends of their own.

The file lists the states that may come up before the game is won, says which are of one sort, and whether states in the
same goal sets are `together` in a group, or each alone. Any way to say so will do; what follows from it is reckoned
here in one pass for each action.

*The argument.* A state of a sort needs one end for 0 actions; for d actions as many as, with the action for which that
is the least, its results need for d - 1, for each percept the most of them. The weight of a belief is the sum over
groups of the most that a member needs. With an action a belief falls into parts, by percepts. A part weighs at least
as much as the states from which its states come, as they need for d - 1, divided by the most groups that lead into one
group; and those parts together are at least the weight of the belief. A part is won already, so that it lies inside a
goal set, or within the d - 1 actions that are left. Hence the most that can be won within d actions weighs no more
than, for some action, its parts together, each of which weighs no more than that, nor than all states from which it can
come. What weighs more than can be won within d actions takes more than d, and each of them costs at least what the
cheapest does, of all actions in the listed states.

If a proof says that the `actions` are `distinct`, the author's word is taken that `distinct_actions` has one of each
class, and that states which a symmetry exchanges have the same `belief_class`. What one action does with a state
another of its class does with one of the same class, and these have to be of the same sort.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.hooks import BeliefClassHook, DistinctActionsHook
from ..model.problem import BeliefProblem
from .asked_game import AskedGame
from .checker import Step, UnreadableError, WrongError, index, require, unreadable
from .numbered import list_of

# How many groups there are, by the sorts of their members.
_Sizes: TypeAlias = "frozenset[tuple[frozenset[int], int]]"

# What an action may do with a state: how often, over the percepts, there are results of these sorts.
_Way: TypeAlias = _Sizes

# A part: groups by the sorts of their results, whether these are all won, the groups of results that are won together,
# and the most groups that lead to one.
_Part: TypeAlias = "tuple[_Sizes, bool, frozenset[_Sizes], int]"

_LONGEST = 10_000


def check_capacity(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], tick: Callable[[], None]) -> Cost:
    """The least cost that the capacities allow; raises `InvalidProofError` if the proof is malformed."""
    listed = list_of(proof, "states")
    try:
        return _Capacities(CapacityGame(problem, proof, listed, tick), proof, len(listed)).bound()
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(str(error)) from None


class CapacityGame(AskedGame):
    """A game as a proof by capacity asks about it, by distinct actions if it says so.

    Of these nobody asks where they apply: all actions together are too many to be listed.
    """

    def __init__(
        self, problem: Any, proof: Mapping[str, Any], states: Collection[Any], tick: Callable[[], None]
    ) -> None:
        if (actions := proof.get("actions")) not in (None, "distinct"):
            unreadable(f"its field 'actions' should be 'distinct', or left out, but is {actions!r:.40}")
        self.distinct = actions is not None
        self.cheapest: Cost = math.inf  # of the actions that were asked for
        super().__init__(problem, {"states": states}, tick)

    def _applies(self, action: int, state: int) -> bool:
        return self.distinct or super()._applies(action, state)

    def rows(self, action: int, states: Iterable[int]) -> Iterator[tuple[int, Step]]:
        """Yield the states of these in which an action applies, and what it leads to there."""
        for s in states:
            row, price = self.taken(action, s)
            if row is not None:
                require(price == 1 or not self.distinct, "capacities by distinct actions are for costs of 1")
                self.cheapest = min(self.cheapest, price)
                yield s, row

    def among(self, states: Collection[int]) -> Iterable[int]:
        """The actions that apply in some of these states, or of each class one."""
        if not self.distinct:
            return dict.fromkeys(action for s in states for action in self.applicable([s]))
        problem, met = self.problem, [self.named_states.met(s) for s in states]
        named = problem.distinct_actions(frozenset(met)) if isinstance(problem, DistinctActionsHook) else None
        require(named is not None, f"{type(problem).__name__} does not say which actions are distinct")
        same = problem.actions(met[0])
        require(
            all(problem.actions(state) == same for state in met),
            "capacities by distinct actions are for problems with the same actions in every state",
        )
        return [self.number_of_action(action) for action in dict.fromkeys(named or ())]

    def class_of(self, state: int) -> Any:
        """The name of a class of states that a symmetry exchanges."""
        problem: Any = self.problem
        met = frozenset({self.named_states.met(state)})
        return problem.belief_class(met) if isinstance(problem, BeliefClassHook) else None


class _Capacities:
    """Numbers that are reckoned of a game by the states and sorts of a proof."""

    def __init__(self, game: CapacityGame, proof: Mapping[str, Any], count: int) -> None:
        self.game, self.within = game, count
        self.together = proof.get("together") is True
        given = list_of(proof, "sorts", count) if "sorts" in proof else [0] * count
        self.sorts = [index(k, count, "a sort") for k in given]
        self.others = (
            max(self.sorts, default=0) + 1 if "sorts" in proof else 0
        )  # the sort of states that are not listed
        self.ways: list[set[_Way]] = [set() for _ in range(self.others + 1)]
        self.parts: set[frozenset[tuple[_Part, int]]] = set()

    def bound(self) -> Cost:
        """The least cost at which so heavy a start can be won."""
        game, sorts = self.game, range(len(self.ways))
        if game.is_won([*game.start]):
            return 0
        require(max(game.start) < self.within, "it lacks a state in which the game may begin")
        self._meet()
        classes: dict[Any, int] = {}
        for s in range(self.within) if game.distinct else ():
            sort = classes.setdefault(game.class_of(s), self._sort(s))
            require(sort == self._sort(s), "states of a class are of two sorts")
        for action in game.among(range(self.within)):
            self._look_at(action)
        start = self._sizes((self._group(s), self._sort(s)) for s in game.start)
        ends, most = [1 for _ in sorts], 0
        longest = min(2 * self.within, _LONGEST)
        for done in range(longest):
            if _weight(start, ends) <= most:
                return done * game.cheapest
            after = [min((_weight(way, ends) for way in self.ways[k]), default=1) for k in sorts]
            larger = max((sum(n * _most(part, ends, most) for part, n in parts) for parts in self.parts), default=0)
            # With the same scale for ends and most nothing ever changes, as all this is homogeneous.
            scaled = all(new * ends[0] == old * after[0] for old, new in zip(ends, after, strict=True))
            if scaled and larger * ends[0] <= most * after[0]:
                return math.inf
            ends, most = after, larger
        return longest * game.cheapest

    def _meet(self) -> None:
        """Ask for steps until all states that may come up have done so."""
        named, new = self.game.named_states, {*self.game.start}
        met = set(new)
        while new and len(met) < self.within:
            asked = met if self.game.distinct else new  # as other actions may be named of more states
            for action in self.game.among(asked):
                for _ in self.game.rows(action, asked):
                    pass
            new = {s for s in range(self.within) if named.has_met(s)} - met
            met |= new
        for s in range(self.within):
            named.met(s)

    def _look_at(self, action: int) -> None:
        """Note what an action does with the states of each sort, and its parts."""
        results_of: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)  # by percept and state
        for s, row in self.game.rows(action, range(self.within)):
            for percept, results in row:
                results_of[percept][s] = results
            self.ways[self._sort(s)].add(_counted(frozenset(map(self._sort, results)) for _, results in row))
        self.parts.add(_counted(map(self._part, results_of.values())))

    def _part(self, results_of: Mapping[int, Sequence[int]]) -> _Part:
        after = {t for results in results_of.values() for t in results}
        won: dict[int, list[int]] = defaultdict(list)
        for t in after:
            for goal in self.game.goals_around(t):
                won[goal].append(t)
        is_won = any(len(some) == len(after) for some in won.values())
        require(is_won or max(after) < self.within, "it lacks a state that may come up before the game is won")
        origins: dict[Any, set[Any]] = defaultdict(set)
        for s, results in results_of.items():
            for t in results:
                origins[self._group(t)].add(self._group(s))
        before = ((self._group(s), self._sort(t)) for s, results in results_of.items() for t in results)
        together = frozenset(self._sizes((self._group(t), self._sort(t)) for t in some) for some in won.values())
        return self._sizes(before), is_won, together, max(map(len, origins.values()))

    def _sizes(self, members: Iterable[tuple[Any, int]]) -> _Sizes:
        """Count groups, given by members with their sorts."""
        sorts_of: dict[Any, set[int]] = defaultdict(set)
        for group, sort in members:
            sorts_of[group].add(sort)
        return _counted(map(frozenset, sorts_of.values()))

    def _group(self, state: int) -> Any:
        """The goal sets around a state, if states are put together that are won together; else the state."""
        return (self.together and self.game.goals_around(state)) or ~state

    def _sort(self, state: int) -> int:
        return self.sorts[state] if state < self.within else self.others


def _counted(things: Iterable[Any]) -> frozenset[tuple[Any, int]]:
    return frozenset(Counter(things).items())


def _weight(groups: _Sizes, ends: Sequence[int]) -> int:
    return sum(count * max(ends[sort] for sort in sorts) for sorts, count in groups)


def _most(part: _Part, ends: Sequence[int], most: int) -> int:
    """The most that can be won of a part, as its states weigh before the action."""
    states, is_won, won, merging = part
    total = _weight(states, ends)
    return total if is_won else min(total, merging * max([most, *(_weight(some, ends) for some in won)]))
