"""A belief problem with numbered states and beliefs as `int`; states are numbered as they are discovered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence, Sized
from functools import reduce
from itertools import chain, islice
from operator import or_
from typing import Any, Generic, TypeAlias, TypeVar

from ...errors import ProblemError
from ...model.base import Action, State, StatesWith
from ...model.belief import initial_states, no_tick, successors
from ...model.hooks import states_in_arrays
from ...model.problem import BeliefProblem
from ...model.values import listed
from ...running.limits import EffortExceeded, LimitReached
from ...running.observer import preparing
from .bitset import TransitionTable, bit_numbers, mask_of

# Fewer goal sets than this are asked one by one.
_MANY_GOAL_SETS = 32


def _itself(state: State) -> State:
    return state


class _GoalSetsAround(Generic[State]):
    """Goal sets, by what tells whether a state is in them; those that do not say so are asked one by one."""

    def __init__(self, goal_sets: Sequence[Container[State]]) -> None:
        self._filed: dict[Callable[[State], Any], dict[Any, list[int]]] = {}  # by key and its value
        self._asked: list[tuple[int, Container[State]]] = []
        for index, goals in enumerate(goal_sets):
            if len(goal_sets) < _MANY_GOAL_SETS or not isinstance(goals, (frozenset, set, StatesWith)):
                self._asked.append((index, goals))
                continue
            key, values = (goals.key, [goals.value]) if isinstance(goals, StatesWith) else (_itself, goals)
            filed = self._filed.setdefault(key, {})
            for value in values:
                filed.setdefault(value, []).append(index)

    def of(self, state: State) -> list[int]:
        """Return the numbers of the goal sets that a state is in, in ascending order."""
        found = [index for index, goals in self._asked if state in goals]
        for key, filed in self._filed.items():
            found += filed.get(key(state), ())
        return sorted(found)


class NumberedModel(Generic[State, Action]):
    """The states, actions, transitions and goals of a belief problem, each computed once.

    Equivalent states (`canonical`) get one number. `tick` is called for each state the author's code gives, and raises
    to stop the work; `numbered` now and then with the number of states.
    """

    def __init__(
        self, problem: BeliefProblem[State, Action, Any], tick: Callable[[], None], numbered: Callable[[int], None]
    ) -> None:
        self.problem = problem
        self.states: list[State] = []
        self._tick = tick
        self._tell_numbered = numbered
        self._number_of: dict[State, int] = {}  # also of states that are not representatives
        self._goal_sets = tuple(problem.goal_sets())
        self._goal_sets_around = _GoalSetsAround(self._goal_sets)
        self.goal_members: list[list[int]] = [[] for _ in self._goal_sets]
        self._largest_goal = 0  # the most states of one goal set so far
        self._goal_masks = [0] * len(self._goal_sets)
        self._goals_in_masks = [0] * len(self._goal_sets)  # how many of the members are in the mask
        self.goal_sets_around: list[list[int]] = []  # by state: the goal sets it belongs to
        self._asked = 0  # the states whose actions are known, and filed in the masks
        self._new_in_list: dict[int, list[int]] = {}  # by list: the states that are not in its mask yet
        self._action_lists: list[tuple[Action, ...]] = []
        self._list_of: list[int] = []  # by state: an index into _action_lists, or -1
        self._list_ids: dict[tuple[Action, ...], int] = {}
        self._list_masks: list[int] = []  # by list: the states that have it
        self._lists_with: dict[Action, list[int]] = {}  # by action: the lists that have it
        self._applies: dict[Action, int] = {}  # by action: the states that have it, if it was asked since `_settle`

    def number(self, state: State) -> int:
        """Return the number of `state`; a new state gets the next one."""
        number = self._number_of.get(state)
        if number is None:
            representative = self.problem.canonical(state)
            number = self._number_of.get(representative)
            if number is None:
                number = self._discover(representative)
            self._number_of[state] = number
        return number

    @property
    def merges(self) -> bool:
        """Whether some state so far has been replaced by an equivalent one."""
        return len(self._number_of) > len(self.states)

    def _discover(self, state: State) -> int:
        number = len(self.states)
        self.states.append(state)
        self._number_of[state] = number
        self._list_of.append(-1)
        around = self._goal_sets_around.of(state)
        for index in around:
            self.goal_members[index].append(number)
            self._largest_goal = max(self._largest_goal, len(self.goal_members[index]))
        self.goal_sets_around.append(around)
        if number & 1023 == 0:
            self._tell_numbered(number)
        return number

    def initial_belief(self) -> int:
        """Return the bit set of the initial states, which may take long to list."""
        with preparing("listing the possible starts"):
            return mask_of(self.number(state) for state in initial_states(self.problem, self._tick))

    def transition(self, action: Action) -> Callable[[int], int]:
        """Return the function from a belief to its image under `action`."""
        return TransitionTable(lambda number: mask_of(self.results(number, action))).image

    def results(self, number: int, action: Action) -> Iterator[int]:
        """Return the numbers of the results of `action` in the state with this number."""
        return (self.number(result) for result in successors(self.problem, self.states[number], action, self._tick))

    def is_goal(self, belief: int) -> bool:
        """Whether `belief` lies inside a goal set; examines only the goal sets of its first state."""
        if belief.bit_count() > self._largest_goal:
            return False
        first = (belief & -belief).bit_length() - 1
        return any(not belief & ~self._goal_mask(index) for index in self.goal_sets_around[first])

    def most_won(self, belief: int) -> int:
        """Return the most states of `belief` that lie together in one goal set."""
        won = Counter(chain.from_iterable(map(self.goal_sets_around.__getitem__, bit_numbers(belief))))
        return max(won.values(), default=0)

    def apart(self, belief: int) -> int:
        """Return states of `belief` no two of which lie together in a goal set: each that is in none of those taken."""
        met: set[int] = set()
        found = 0
        for number in bit_numbers(belief):
            around = self.goal_sets_around[number]
            if met.isdisjoint(around):
                met.update(around)
                found |= 1 << number
        return found

    def _goal_mask(self, index: int) -> int:
        # Members are gathered and made into a mask only now and then: a large mask is slow to change.
        members = self.goal_members[index]
        known = self._goals_in_masks[index]
        if known < len(members):
            self._goal_masks[index] |= mask_of(members[known:])
            self._goals_in_masks[index] = len(members)
        return self._goal_masks[index]

    def actions(self, belief: int) -> Sequence[Action]:
        """Return the actions applicable in every state of `belief`, in the order of its first state."""
        if self._new_in_list:
            self._settle()
        if belief | self._asked != self._asked:
            self._ask_actions(bit_numbers(belief & ~self._asked))
            self._settle()
        first = (belief & -belief).bit_length() - 1
        index = self._list_of[first]
        actions = self._action_lists[index]
        mask = self._list_masks[index]
        if belief | mask == mask:
            return actions  # all states have the same list: the common case
        return [action for action in actions if not belief & ~self._applicable(action)]

    def action_lists(self, numbers: range) -> list[tuple[Action, ...]]:
        """Return, by state, its actions in the author's order."""
        self._ask_actions(number for number in numbers if self._list_of[number] < 0)
        return [self._action_lists[self._list_of[number]] for number in numbers]

    def _applicable(self, action: Action) -> int:
        """Return the states in which `action` applies, among those asked so far."""
        found = self._applies.get(action)
        if found is None:
            found = self._applies[action] = reduce(or_, map(self._list_masks.__getitem__, self._lists_with[action]))
        return found

    def _ask_actions(self, numbers: Iterable[int]) -> None:
        """Ask the author for the actions of these states, and group the states by their action lists."""
        last_answer: object = None
        index = -1
        for number in numbers:
            self._tick()
            answer = self.problem.actions(self.states[number])
            # Many authors return one and the same list for every state: then it is hashed once, if it cannot change.
            if answer is not last_answer or not isinstance(answer, (tuple, range)):
                index = self._file_list(self._checked_list(number, answer))
                last_answer = answer
            self._list_of[number] = index
            self._new_in_list.setdefault(index, []).append(number)

    def _settle(self) -> None:
        # Like those of goals, masks of lists are changed only when they are needed, for many states at once.
        self._applies.clear()
        for index, numbers in self._new_in_list.items():
            mask = mask_of(numbers)
            self._list_masks[index] |= mask
            self._asked |= mask
        self._new_in_list.clear()

    def _checked_list(self, number: int, answer: Iterable[Action]) -> tuple[Action, ...]:
        try:
            if isinstance(answer, str):  # whose letters would be taken for actions
                raise TypeError
            return tuple(dict.fromkeys(listed(answer)))  # an action listed twice is one action
        except TypeError as error:
            call = f"{type(self.problem).__name__}.actions({self.states[number]!r})"
            raise ProblemError(f"{call} gave {answer!r}; it must give a collection of hashable actions") from error

    def _file_list(self, actions: tuple[Action, ...]) -> int:
        if actions not in self._list_ids:
            for _ in actions:
                self._tick()  # may raise, and the search go on later: all of the list is filed, or nothing
        index = self._list_ids.setdefault(actions, len(self._action_lists))
        if index == len(self._action_lists):
            self._action_lists.append(actions)
            self._list_masks.append(0)
            for action in actions:
                self._lists_with.setdefault(action, []).append(index)
        return index


After = TypeVar("After")

Transitions: TypeAlias = dict[Action, dict[int, tuple[int, ...]]]
"""By action, by number of a state in which it applies: the numbers of its results."""

MOST_ASKED = 2_000_000
"""Pairs of a state and an action that are asked about one by one, at the most, to make a table of what actions tell."""

# The number of states whose actions are asked for at a time.
_CHUNK = 1024


def explore(
    model: NumberedModel[Any, Action], follow: Callable[[int, Action], Iterable[After]], most_pairs: int | None = None
) -> dict[Action, dict[int, tuple[After, ...]]]:
    """Number every reachable state, and gather what follows each of its actions by `follow`, which numbers the results.

    Raises `EffortExceeded` beyond `most_pairs` pairs of a state and an action, and `LimitReached`, which says how many
    states were found and what to do, if a limit, or memory, ends it. O(states + transitions) calls of the author's
    code, and as much memory.
    """
    transitions: dict[Action, dict[int, tuple[After, ...]]] = {}
    done = asked = 0
    try:
        model.initial_belief()
        while done < len(model.states):
            numbers = range(done, min(done + _CHUNK, len(model.states)))
            for number, actions in zip(numbers, model.action_lists(numbers), strict=True):
                asked += len(actions)
                if most_pairs is not None and asked > most_pairs:
                    raise EffortExceeded
                for action in actions:
                    rows = transitions.setdefault(action, {})
                    rows[number] = tuple(follow(number, action))
            done = numbers.stop
    except (LimitReached, MemoryError) as stop:
        transitions.clear()
        reason = "memory ran out" if isinstance(stop, MemoryError) else str(stop) or "a limit was reached"
        raise LimitReached(
            f"{reason} while the states were being numbered; {len(model.states):,} had been found and {done:,} of them "
            "explored. A higher limit may help, or a smaller problem"
        ) from None
    return transitions


class StartPairs:
    """The pairs of a start and an action of the first start, counted no further than somebody asks."""

    def __init__(self, problem: BeliefProblem[Any, Any, Any], tick: Callable[[], None] = no_tick) -> None:
        self._tick = tick
        self._new_starts = initial_states(problem, tick)
        first = next(self._new_starts)
        self._starts = 1
        actions = problem.actions(first)
        self._actions, self._new_actions = 0, iter(actions)
        if isinstance(actions, Sized):
            self._actions, self._new_actions = len(actions), iter(())

    def exceed(self, most: int) -> bool:
        """Whether there are more than `most`."""
        self._starts += _counted(self._new_starts, most + 1 - self._starts)
        actions = most // self._starts
        self._actions += _counted(self._ticked(self._new_actions), actions + 1 - self._actions)
        return self._actions > actions

    def _ticked(self, actions: Iterator[Any]) -> Iterator[Any]:
        for action in actions:
            self._tick()
            yield action


def _counted(things: Iterator[Any], most: int) -> int:
    """Count these things, up to `most`; they are gone then, and no others."""
    return sum(1 for _ in islice(things, max(0, most)))


def has_more_in_arrays(problem: BeliefProblem[Any, Any, Any], most_pairs: int) -> bool:
    """Whether the author gives more pairs of a start and an action in arrays, which nobody should ask one by one."""
    return states_in_arrays(problem) is not None and StartPairs(problem).exceed(most_pairs)
