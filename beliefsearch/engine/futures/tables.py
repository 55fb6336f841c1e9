"""Tables of the futures of a problem, by asking it; and families of sets of futures that no plan tells apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Generic

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...belief_space.and_or import AndOrProblem, Outcomes
from ...model.base import Action
from ...model.belief import initial_states, perceived, successors
from ...model.hooks import FutureHook
from ...model.problem import BeliefProblem
from ...model.values import listed

# With more pairs of a future and an action a table would take too long to be asked for.
_MOST = 5_000_000


@frozen(eq=False)
class FutureTables(AndOrProblem[bytes, Action], Generic[Action]):
    """A problem with certain results and percepts, whose beliefs are sets of futures: numbers, in ascending order.

    Arrays are by action and future: the next future, -1 where the action does not apply; the number of the percept
    among those of the action; and that of the two as a pair. Where futures may not merge, what is sought is where they
    began, so that a set whose members merge is lost; else it is what they are.
    """

    actions_: tuple[Action, ...]
    seen: Sequence[Sequence[Any]]
    futures: Sequence[Any]
    starts: NDArray[np.int32]
    after: NDArray[np.int32]
    percepts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    merging: bool

    def initial_node(self) -> bytes:
        return self.starts.tobytes()

    def is_goal(self, node: bytes) -> bool:
        return len(node) == self.starts.itemsize

    @cached_property
    def _number_of(self) -> dict[Action, int]:
        return {action: number for number, action in enumerate(self.actions_)}

    def is_lost(self, members: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Mark the actions that do not apply in a set, or merge what must be told apart."""
        some = np.sort(self.pairs[:, members], axis=1)
        lost: NDArray[np.bool_] = some[:, 0] < 0
        return lost if self.merging else lost | (some[:, 1:] == some[:, :-1]).any(axis=1)

    def actions(self, node: bytes) -> Iterable[Action]:
        return [self.actions_[a] for a in np.flatnonzero(~self.is_lost(np.frombuffer(node, np.int32)))]

    def outcomes(self, node: bytes, action: Action) -> Outcomes[bytes]:
        number = self._number_of[action]
        parts = self.parts(np.frombuffer(node, np.int32), number)
        return tuple((self.seen[number][percept], part.tobytes()) for percept, part in parts)

    def parts(self, members: NDArray[np.int32], action: int) -> list[tuple[int, NDArray[np.int32]]]:
        """The number of each percept of an action in a set, and what is left."""
        percepts, after = self.percepts[action][members], self.after[action][members]
        return [(percept, np.unique(after[percepts == percept])) for percept in np.unique(percepts).tolist()]

    def open_parts(self, members: NDArray[np.int32], action: int) -> list[tuple[int, NDArray[np.int32]]]:
        """Those of `parts` that take more actions."""
        return [(percept, part) for percept, part in self.parts(members, action) if len(part) > 1]

    def action_cost(self, node: bytes, action: Action) -> int:
        return 1

    def has_unit_costs(self) -> bool:
        return True


def future_tables(asked: BeliefProblem[Any, Any, Any], tick: Callable[[], None]) -> FutureTables[Any] | None:
    """The tables of a problem that says which future a state has; None where they do not say all that matters."""
    if not isinstance(asked, FutureHook) or asked.is_sensorless() or not asked.has_unit_costs():
        return None
    problem: Any = asked  # with the hook
    number_of: dict[Any, int] = {}
    states: list[Any] = []

    def number(state: Any) -> int:
        found = number_of.setdefault(problem.future(state), len(states))
        if found == len(states):
            states.append(state)
        return found

    starts = [(number(state), problem.sought(state)) for state in initial_states(problem, tick)]
    actions: dict[Any, int] = {}
    seen: list[dict[Any, int]] = []
    entries: list[tuple[int, int, int, int]] = []
    is_now = is_label = True
    for at, state in enumerate(states):  # grows while it is walked
        tick()
        for action in listed(problem.actions(state)):
            results = list(successors(problem, state, action))
            percepts = list(perceived(problem, results[0], action))
            a = actions.setdefault(action, len(seen))
            if a == len(seen):
                seen.append({})
            entries.append((a, at, number(results[0]), seen[a].setdefault(percepts[0], len(seen[a]))))
            sought = problem.sought(results[0])
            is_now = is_now and sought == problem.future(results[0])
            is_label = is_label and sought == problem.sought(state)
            if len(results) > 1 or len(percepts) > 1 or not (is_now or is_label) or len(entries) > _MOST:
                return None
    places = {place for place, _ in starts}
    if not is_now and not len(places) == len(starts) == len({label for _, label in starts}):
        return None
    columns: Any = np.array(entries, np.int32).reshape(-1, 4).T
    a, s, t, o = columns
    after: NDArray[Any] = np.full((len(seen), len(states)), -1, np.int32)
    told, pairs = after.copy(), after.copy()
    after[a, s], told[a, s] = t, o
    for row, (following, percepts) in enumerate(zip(after, told, strict=True)):
        able = following >= 0
        pairs[row, able] = np.unique(
            percepts[able].astype(np.int64) * len(states) + following[able], return_inverse=True
        )[1]
    return FutureTables(
        tuple(actions),
        tuple([*named] for named in seen),
        [*number_of],
        np.array(sorted(places), np.int32),
        after,
        told,
        pairs,
        is_now,
    )


def capacities(tables: FutureTables[Any]) -> NDArray[np.int64]:
    """Count the futures that 0, 1, 2, ... actions can tell apart at the most, as long as that is not all.

    By an action that is the sum over its percepts of those that give it, or if one action less cannot tell so many
    apart, of as many as come to so many others as that can.
    """
    count = len(tables.futures)
    ranked = []
    for percepts, pairs in zip(tables.percepts, tables.pairs, strict=True):
        able = percepts >= 0
        _, first, sizes = np.unique(pairs[able], return_index=True, return_counts=True)
        said = percepts[able][first]
        if not tables.merging:
            sizes[:] = 1
        order = np.lexsort((-sizes, said))
        begins = np.searchsorted(said[order], said[order])
        ranked.append((np.arange(len(order)) - begins, sizes[order]))
    found = [1]
    while ranked:
        larger = max(int(sizes[rank < found[-1]].sum()) for rank, sizes in ranked)
        if larger >= count or larger <= found[-1]:
            break
        found.append(larger)
    return np.array(found, np.int64)


def stuck_sets(tables: FutureTables[Any], classes: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """Sets of futures that cannot be told apart, by the final classes of valid actions; no sets if all are.

    Every action does not apply in such a set, merges two of it, or leads with one percept to another of the sets: so
    no plan tells any apart. All futures must be possible at the start. Of a largest class the last kind leads onto
    another largest one, or there would be more to divide.
    """
    sizes = np.bincount(classes)
    members = {k: np.flatnonzero(classes == k).astype(np.int32) for k in np.flatnonzero(sizes > 1).tolist()}
    for some in sorted(members.values(), key=len):
        if tables.is_lost(some).all():
            return [few_lost(tables, some)]
    if not members:
        return []
    found: dict[int, NDArray[np.int32]] = {}
    waiting = [int(np.argmax(sizes))]
    while waiting:
        k = waiting.pop()
        if k not in found:
            found[k] = members[k]
            able = np.flatnonzero(~tables.is_lost(members[k]))
            waiting += np.unique(classes[tables.after[able, members[k][0]]]).tolist()
    return _fewer(tables, list(found.values()))


def few_lost(tables: FutureTables[Any], members: NDArray[np.int32]) -> NDArray[np.int32]:
    """Few of a set that every action loses, which every action loses, too: greedily, then without what is spare."""
    chosen: list[int] = []
    for a in range(len(tables.percepts)):
        if chosen and tables.is_lost(np.array(chosen, np.int32))[a]:
            continue
        pairs = tables.pairs[a][members]
        _, first, back, counts = np.unique(pairs, return_index=True, return_inverse=True, return_counts=True)
        if pairs.min() < 0:
            chosen.append(int(members[np.argmin(pairs)]))
            continue
        has = np.isin(members, chosen)
        groups = np.bincount(back, has, len(first)) - 2 * len(chosen) * (counts < 2)
        group = members[back == np.argmax(np.where(counts > 1, groups, -1))]
        chosen += [s for s in sorted(group.tolist(), key=lambda s: s not in chosen)[:2] if s not in chosen]
    chosen += [s for s in members.tolist() if s not in chosen][: max(0, 2 - len(chosen))]
    for s in sorted(chosen):
        rest = np.array([t for t in chosen if t != s], np.int32)
        if len(rest) > 1 and tables.is_lost(rest).all():
            chosen.remove(s)
    return np.array(sorted(chosen), np.int32)


def is_family(tables: FutureTables[Any], sets: list[NDArray[np.int32]]) -> bool:
    """Whether every action loses each of these sets, or leads from it with one percept exactly to one of them."""
    known = {some.tobytes() for some in sets}
    for some in sets:
        for a in np.flatnonzero(~tables.is_lost(some)):
            parts = tables.parts(some, int(a))
            if len(some) < 2 or len(parts) > 1 or parts[0][1].tobytes() not in known:
                return False
    return all(len(some) > 1 for some in sets)


def _fewer(tables: FutureTables[Any], sets: list[NDArray[np.int32]]) -> list[NDArray[np.int32]]:
    """Sets without futures that are spare: those that actions lead to one another through all sets go together."""
    steps = [(some, a) for some in sets for a in np.flatnonzero(~tables.is_lost(some))]
    before = np.concatenate([some for some, _ in steps] or [sets[0][:0]])
    after = np.concatenate([tables.after[a][some] for some, a in steps] or [sets[0][:0]])
    root, old = np.arange(tables.after.shape[1]), before
    while not np.array_equal(old, root):
        root, old = root[root], root
        np.minimum.at(root, before, root[after])
        np.minimum.at(root, after, root[before])
    for k in np.unique(np.concatenate([root[some] for some in sets])):
        rest = [some[root[some] != k] for some in sets]
        if min(map(len, rest)) > 1 and is_family(tables, rest):
            sets = rest
    return sets
