"""The frontier of a best-first search: states by key and cost, the oldest first among equals.

Parent maps: how each state was reached, and the plan read from the map.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from heapq import heappop, heappush
from typing import Generic, TypeAlias

from ...model.base import Action, Cost, State
from ...model.checked import checked_cost
from ...model.problem import Problem

# From so many states of the same key and cost on they are kept in a deque, which loses its first at no cost but takes
# ten times the memory of a short list.
_LONG = 32


class Frontier(Generic[State]):
    """The states that wait, in the order of their keys, then of their costs, the largest first, then of their age.

    Keys and costs being few as a rule, a heap of all states would do much more work: it has each pair of a key and a
    negated cost once. So states are never compared. `keys[0]` is the first of these pairs, `size` the number of states
    that wait; `in_hand` holds the state that was taken out last, until its successors have been added.
    """

    __slots__ = ("_states", "in_hand", "keys", "size")

    def __init__(self) -> None:
        self.keys: list[tuple[Cost, Cost]] = []
        self.size = 0
        self.in_hand: tuple[State, ...] = ()
        self._states: dict[tuple[Cost, Cost], list[State] | deque[State]] = {}

    def add(self, key: Cost, g: Cost, state: State) -> None:
        """Add a state that was reached at cost `g`."""
        both = key, -g
        try:  # which costs nothing where it succeeds, as it does nearly always
            self._states[both].append(state)
        except KeyError:
            self._states[both] = [state]
            heappush(self.keys, both)
        self.size += 1

    def pop(self) -> State:
        """Take out the first state; it stays `in_hand`."""
        both = self.keys[0]
        states = self._states[both]
        state = states[0]
        self.in_hand = (state,)  # before it leaves the frontier: Ctrl-C may come in between
        self.size -= 1
        if type(states) is deque:
            states.popleft()
        elif len(states) < _LONG:
            del states[0]
        else:
            self._states[both] = states = deque(states)
            states.popleft()
        if not states:
            heappop(self.keys)
            del self._states[both]
        return state

    def by_key(self) -> Iterator[tuple[Cost, Cost, Collection[State]]]:
        """All waiting states in their order: those of the same key and negated cost together."""
        for both in sorted(self.keys):
            yield *both, self._states[both]

    def __iter__(self) -> Iterator[tuple[Cost, State]]:
        """All waiting states, each with the cost at which it was added."""
        for (_, minus_g), states in self._states.items():
            for state in states:
                yield -minus_g, state


Parents: TypeAlias = dict[State, tuple[State, Action] | None]


def plan_to(state: State, parents: Parents[State, Action]) -> tuple[Action, ...]:
    """The actions from the root of `parents`, whose parent is None, to `state`."""
    actions = []
    while (step := parents[state]) is not None:
        state, action = step
        actions.append(action)
    return tuple(reversed(actions))


def plan_cost(problem: Problem[State, Action], plan: tuple[Action, ...]) -> Cost:
    """The cost of `plan` from the initial state, for solvers that do not keep costs."""
    if problem.has_unit_costs():
        return len(plan)
    state = problem.initial_state()
    cost: Cost = 0
    for action in plan:
        cost += checked_cost(problem, state, action)
        state = problem.result(state, action)
    return cost
