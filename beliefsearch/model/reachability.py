"""Reachability in graphs: what can come up, what reaches an end, and strongly connected components in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import chain, pairwise
from typing import TypeVar

from .base import Action, Cost, Percept, State
from .belief import initial_states, no_tick, perceived, successors
from .factor import Factor
from .problem import BeliefProblem
from .values import listed


def components(
    count: int, successors: Callable[[int], Iterable[int]], tick: Callable[[], None]
) -> Iterator[tuple[list[int], bool]]:
    """Yield the strongly connected components in reverse topological order, each with whether it has a cycle.

    States are numbered from 0 to `count - 1`; `successors` may repeat a state. R. Tarjan, "Depth-first search and
    linear graph algorithms", SIAM Journal on Computing 1 (1972), with an explicit stack, since games may be longer than
    Python's stack is deep. Linear in the number of edges.
    """
    unseen, closed = -1, count
    order = [unseen] * count  # when a state was met; `closed` once its component is known
    low = [0] * count  # the earliest state that is known to be reachable from it
    waiting: list[int] = []
    path: list[tuple[int, Iterator[int]]] = []
    met = 0
    for root in range(count):
        if order[root] != unseen:
            continue
        order[root] = low[root] = met
        met += 1
        waiting.append(root)
        path.append((root, iter(successors(root))))
        while path:
            state, following = path[-1]
            for result in following:
                if order[result] == unseen:
                    order[result] = low[result] = met
                    met += 1
                    waiting.append(result)
                    path.append((result, iter(successors(result))))
                    break
                if order[result] != closed and order[result] < low[state]:
                    low[state] = order[result]
            else:
                tick()
                path.pop()
                if path and low[state] < low[path[-1][0]]:
                    low[path[-1][0]] = low[state]
                if low[state] == order[state]:
                    component = []
                    while True:
                        member = waiting.pop()
                        order[member] = closed
                        component.append(member)
                        if member == state:
                            break
                    component.reverse()
                    yield component, len(component) > 1 or state in successors(state)


Node = TypeVar("Node", bound=Hashable)


def walk(starts: Iterable[Node], successors: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """Yield every node that can be reached from `starts` once, breadth-first."""
    found = dict.fromkeys(starts)
    frontier = list(found)
    yield from frontier
    for node in frontier:  # grows while it is walked
        for following in successors(node):
            if following not in found:
                found[following] = None
                frontier.append(following)
                yield following  # at once: an author's mistake in another successor does not hide it


def reaching(ends: Iterable[Node], edges: Iterable[tuple[Node, Node]]) -> set[Node]:
    """The nodes from which one of `ends` can be reached along `edges`, pairs (tail, head)."""
    return set(steps_to(ends, edges))


def steps_to(ends: Iterable[Node], edges: Iterable[tuple[Node, Node]]) -> dict[Node, int]:
    """Return the distance, in `edges` (pairs of tail and head), of each node to the nearest of `ends` it can reach.

    Linear in the number of nodes and edges.
    """
    before: dict[Node, list[Node]] = {}
    for origin, target in edges:
        before.setdefault(target, []).append(origin)
    found = dict.fromkeys(ends, 0)
    frontier = list(found)
    for node in frontier:  # grows while it is walked: backwards; not `walk`, which takes a fifth longer
        for origin in before.get(node, ()):
            if origin not in found:
                found[origin] = found[node] + 1
                frontier.append(origin)
    return found


def costs_to_ends(after: Mapping[Node, Collection[Node]], cost: Callable[[Node], Cost]) -> dict[Node, Cost]:
    """Return what is paid at the most from each node on, 0 where nothing follows; each node behind those that follow.

    Raises `CycleError` if the nodes go round in a circle.
    """
    found: dict[Node, Cost] = {}
    for node in TopologicalSorter(after).static_order():
        found[node] = max(map(found.__getitem__, after[node])) + cost(node) if after[node] else 0
    return found


def reachable_states(
    problem: BeliefProblem[State, Action, Percept], tick: Callable[[], None] = no_tick
) -> dict[State, tuple[Action, ...]]:
    """Return the actions of every reachable state, up to `canonical`; breadth-first."""
    actions: dict[State, tuple[Action, ...]] = {}

    def after(state: State) -> Iterator[State]:
        actions[state] = tuple(listed(problem.actions(state)))
        for action in actions[state]:
            yield from (problem.canonical(result) for result in successors(problem, state, action, tick))

    starts = [problem.canonical(state) for state in initial_states(problem, tick)]
    deque(walk(starts, after), maxlen=0)
    return actions


def is_certain(
    problem: BeliefProblem[State, Action, Percept],
    tick: Callable[[], None] = no_tick,
    *,
    canonical: Callable[[State], State] = lambda state: state,
) -> bool:
    """Whether every action has one result and one percept in every reachable state, up to `canonical`.

    Then only the start is uncertain. O(states * actions) calls of the author's code; it ends at the first exception.
    """
    found = dict.fromkeys(canonical(state) for state in initial_states(problem, tick))
    frontier = list(found)
    for state in frontier:  # grows while it is walked
        for action in listed(problem.actions(state)):
            results = tuple(successors(problem, state, action, tick))
            after = {canonical(result) for result in results}
            if len(after) > 1 or len({percept for r in results for percept in perceived(problem, r, action)}) > 1:
                return False
            for result in after:
                if result not in found:
                    found[result] = None
                    frontier.append(result)
    return True


def are_certain(factors: Iterable[Factor[Action]], tick: Callable[[], None] = no_tick) -> bool:
    """Whether only the start is uncertain in each of these factors."""
    return all(factor.fixed is not None or is_certain(factor.problem, tick) for factor in factors)


def merged_order(lists: Iterable[tuple[Action, ...]]) -> tuple[Action, ...]:
    """All actions in an order that agrees with every list, or if there is none, in order of first mention."""
    found: dict[tuple[Action, ...], None] = {}
    last: tuple[Action, ...] | None = None
    for actions in lists:
        if actions is not last:  # most problems give the same list for every state, and hashing a long one takes time
            found[actions] = None
            last = actions
    distinct = list(found)
    if len(distinct) == 1:
        return distinct[0]
    sorter: TopologicalSorter[Action] = TopologicalSorter()
    for actions in distinct:
        for action in actions:
            sorter.add(action)
        for before, after in pairwise(actions):
            sorter.add(after, before)
    try:
        return tuple(sorter.static_order())
    except CycleError:
        return tuple(dict.fromkeys(chain.from_iterable(distinct)))
