"""The tables of a graph of beliefs, and the bounds and the policy that it shows.

Nodes of the policy are beliefs, and then vectors by which it goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...model.belief import no_tick
from ...running.limits import Budget
from ...solvers.pomdp.arrays import PomdpArrays, with_room
from ...solvers.pomdp.joint import RULED_OUT, JointRows
from ...solvers.pomdp.policy_pairs import PolicyPairs
from ...solvers.pomdp.state_classes import StateClasses
from ...solvers.pomdp.trials import FoundBounds, ShownBelief
from . import belief_tree as tables
from . import graph_kernels as kernels

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats, Integers

SMALL_GAP = 1e-9
"""Bounds that are nearer to each other are the same."""
# What so many actions of the policy earn is known even if there is no time to solve its equations.
_ACTIONS = 300
# An upper bound is shown by what follows if it misses that by no more.
_MISS = 1e-7


class GraphAnswer:
    """A graph of beliefs in tables, which grow within the limits, and the answer that it shows."""

    _search: tables.Search
    _budget: Budget
    _start_belief: Floats
    _arrays: PomdpArrays
    _joint: JointRows
    _classes: StateClasses
    _planes: Floats
    _notes: kernels.Notes
    _costs: bool
    _proper: bool
    _floor: float
    _share: float

    @property
    def belief_count(self) -> int:
        """Count the beliefs that were met."""
        return int(self._search.counters[tables.BELIEFS])

    def _enter_start(self) -> None:
        """Enter the start, of which only the bounds are known so far."""
        states = np.flatnonzero(self._start_belief)
        self._make_room(tables.NO_ENTRIES, len(states))
        tree, counters = self._search.tree, self._search.counters
        tree.states[: len(states)] = states
        tree.shares[: len(states)] = self._start_belief[states]
        low, vector = tree.low[0], tree.vector[0]
        tables.number_of(0, len(states), self._search.rows, tree, counters)
        tree.low[0], tree.vector[0] = low, vector

    def _make_room(self, full: int, needed: int) -> None:
        """Make a full table longer; raises `LimitReached` if the memory limit does not allow it."""
        self._search = tables.GROUPS[full].longer(self._search, needed, self._budget)
        tree = self._search.tree
        if len(tree.places) < 2 * len(tree.low):  # beliefs that there is room for fill half of it at most
            tree = tables.with_places(tree, self.belief_count, 1 << (2 * len(tree.low)).bit_length())
            self._search = self._search._replace(tree=tree)

    def found(self) -> FoundBounds:
        """Return the bounds and the policy found so far."""
        actions, successors = self._policy()
        start = np.flatnonzero(self._start_belief)
        pairs = PolicyPairs.of(self._joint, start, actions, successors, no_tick)
        used, nodes = np.unique(pairs.nodes, return_inverse=True)
        place = np.full(len(actions), -1)
        place[used] = np.arange(len(used))
        actions, successors = actions[used], place[successors[used]]
        successors = np.where(successors < 0, np.arange(len(used))[:, None], successors)
        vectors = np.full((len(actions), self._arrays.S), -np.inf)
        if self._proper:
            values, known = pairs.chain.value(1.0, pairs.chain.rewards > RULED_OUT)
        else:
            values, known = pairs.gained(_ACTIONS, self._floor), np.ones(len(pairs.nodes), np.bool_)
        vectors[nodes[known], pairs.states[known]] = values[known]
        lower = float(vectors[0, start] @ self._arrays.start[start])
        upper = self._share * float(self._search.tree.high[0])
        planes = np.where(self._planes > RULED_OUT, self._planes, -np.inf)
        bounds = lower, max(lower, upper)
        shown = self._shown_beliefs()
        points = self._points_of_costs() if self._proper else []
        return FoundBounds(
            vectors, actions, successors, planes, points, planes.max(axis=0), *bounds, True, not self._proper, shown
        )

    def _points_of_costs(self) -> list[tuple[Integers, Floats, float]]:
        """Return the expanded beliefs that are below the planes, as points."""
        tree = self._search.tree
        order = self._opened()[::-1]
        below = order[tree.high[order] < tree.simple[order] - SMALL_GAP]
        return [(*self._belief(number), float(tree.high[number])) for number in below.tolist()]

    def _belief(self, number: int) -> tuple[Integers, Floats]:
        tree = self._search.tree
        entries = slice(tree.begin[number], tree.end[number])
        return tree.states[entries].astype(np.int64), tree.shares[entries].copy()

    def _shown_beliefs(self) -> list[ShownBelief]:
        """Return the beliefs that show the upper bound of the start, the first one first."""
        tree, notes = self._search.tree, self._notes
        place_of: dict[int, int] = {0: 0}
        numbers = [0]
        found: list[ShownBelief] = []

        def place(number: int) -> int:
            if number not in place_of:
                place_of[number] = len(numbers)
                numbers.append(number)
            return place_of[number]

        for number in numbers:  # grows while it is walked
            high = float(tree.high[number])
            children: list[tuple[int, int, int]] | None = None
            part, fine = kernels.BY_PLANES, 0
            if high < tree.simple[number] - SMALL_GAP:
                if notes.kind[number] in (kernels.EXPANDED, kernels.GRID) and self._backed_up(number) <= high + _MISS:
                    children = [
                        (action, percept, place(following))
                        for action in np.flatnonzero(notes.paid[number] > RULED_OUT).tolist()
                        for branches in (self._branches(number, action),)
                        for percept, following in zip(
                            tree.percepts[branches].tolist(), tree.next[branches].tolist(), strict=True
                        )
                    ]
                elif notes.shown[number] >= 0:
                    part = place(int(notes.shown[number]))
                elif notes.shown[number] == kernels.BY_PARTS:
                    fine = int(notes.fine[number])
                    for corner in tree.next[notes.first_part[number] : notes.last_part[number]].tolist():
                        place(corner)
            found.append(ShownBelief(*self._belief(number), high, children, part, fine))
        return found

    def _backed_up(self, number: int) -> float:
        tree, paid = self._search.tree, self._notes.paid[number]
        worth = [
            paid[action] + tree.chances[branches] @ tree.high[tree.next[branches]]
            for action in np.flatnonzero(paid > RULED_OUT).tolist()
            for branches in (self._branches(number, action),)
        ]
        return float(max(worth))

    def _policy(self) -> tuple[Integers, Integers]:
        """Return actions and successors of the lower policy: of beliefs, and of the vectors by which it goes on."""
        tree, notes, vectors = self._search.tree, self._notes, self._search.vectors
        number_of: dict[int, int] = {}
        nodes: list[int] = []

        def number(belief: int, is_vector: bool = False) -> int:
            if not is_vector and notes.lower[belief] < 0:
                belief, is_vector = int(tree.vector[belief]), True
            node = ~belief if is_vector else belief
            if node not in number_of:
                number_of[node] = len(nodes)
                nodes.append(node)
            return number_of[node]

        number(0)
        actions: list[int] = []
        following = np.zeros((0, self._arrays.O), np.int64)
        for place, node in enumerate(nodes):  # grows while it is walked
            following = with_room(following, place + 1)
            if node < 0:
                action = int(vectors.actions[~node])
                after = vectors.successors[~node]
                seen = self._classes.possible[action]
                following[place, seen] = [number(vector, True) for vector in after[seen].tolist()]
            else:
                action = int(notes.lower[node])
                branches = self._branches(node, action)
                after = tree.next[branches]
                following[place] = place
                following[place, tree.percepts[branches]] = [number(belief) for belief in after.tolist()]
            actions.append(action)
        return np.array(actions), following[: len(actions)]

    def _branches(self, belief: int, action: int) -> slice:
        tree = self._search.tree
        first = tree.first_branch[belief] if action == 0 else tree.branch_end[belief, action - 1]
        return slice(first, tree.branch_end[belief, action])

    def _opened(self) -> Integers:
        """Return the expanded beliefs, the latest first."""
        return np.flatnonzero(self._notes.kind[: self.belief_count] == kernels.EXPANDED)[::-1].copy()
