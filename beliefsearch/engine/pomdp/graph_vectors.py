"""Vectors of finite policies, which may go round in circles, as lower bounds of the beliefs of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...solvers.pomdp.blind_policies import first_policies
from ...solvers.pomdp.joint import NEVER, RULED_OUT
from ...solvers.pomdp.unpaid_supports import unpaid_supports
from . import belief_tree as tables
from . import graph_kernels as kernels
from .graph_answer import SMALL_GAP, GraphAnswer
from .state_kernels import climb, compare_vectors, policy_vectors
from .sweep_kernels import occupancy

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats, Integers

_GUESSES, _KEPT_GUESSES = 24, 4
_MOST_VECTORS = 2000
# Policies without memory are improved by so much work, in entries looked at, and valued by so many sweeps.
_CLIMBING, _MOST_CLIMBED = 2e8, 200
# So many sets of states are looked at for those between which the game can be kept, and so many of these kept.
_MOST_SUPPORTS, _KEPT_SUPPORTS = 10_000, 300


class GraphVectors(GraphAnswer):
    """Vectors with the class of states that each is for."""

    _homes: Integers
    _work: float
    _expanded: int
    _lasting: int

    def _first_vectors(self) -> None:
        classes, size = self._classes, self._arrays.S
        if self._proper:
            first = first_policies(self._arrays, self._joint, self._budget.tick)
            self._add_vectors(first.vectors, first.actions, first.successors, np.full(len(first.actions), -1))
            return
        nothing = classes.applies.argmax(axis=0)[None]
        drawn = classes.drawn(self._planes, _GUESSES, 0)
        self._class_policies(np.concatenate([nothing, drawn]))
        # Those that are worth most at the start are kept.
        values = self._search.vectors.values.reshape(-1, classes.count, size)
        worth = np.where(values > RULED_OUT, values, 0).sum(axis=1) @ self._start_belief
        best = np.argsort(-worth, kind="stable")[:_KEPT_GUESSES]
        self._keep_vectors(np.array([], np.int64))
        chosen = np.concatenate([nothing, drawn])[best]
        chosen = np.concatenate([chosen, self._climbed(chosen)])
        self._class_policies(np.concatenate([nothing, chosen]), zeros=1)
        self._lasting = classes.count
        if self._floor < 0:
            self._keep_to_supports()

    def _climbed(self, choices: Integers) -> Integers:
        """Improve policies that look at the class only, class by class, as far as that is soon done."""
        classes = self._classes
        each = len(self._arrays.to_weights) / self._arrays.A + self._arrays.S  # of a sweep
        sweeps = int(min(_MOST_CLIMBED, _CLIMBING / 10 / each / self._arrays.A))
        rows, found, random, work = self._search.rows, choices.copy(), np.random.default_rng(0), 0.0
        for choice in found if sweeps > 10 else ():
            best = np.array([NEVER, NEVER])
            before = None
            while work < _CLIMBING and (before is None or (choice != before).any()):
                before = choice.copy()
                for home in random.permutation(classes.count):
                    self._budget.tick()
                    given = classes.of, classes.applies, self._start_belief, best, sweeps
                    work += each * climb(rows, choice, home, *given)
                    if work >= _CLIMBING:
                        break
        self._work += work
        return found

    def _keep_to_supports(self) -> None:
        """Add vectors of policies that pay nothing for ever from the sets of states that allow it."""
        start = tuple(np.flatnonzero(self._start_belief).tolist())
        starts = [start, *((state,) for state in range(self._arrays.S))]
        found = unpaid_supports(self._joint, starts, _MOST_SUPPORTS, self._budget.tick)
        if not found or len(found) > _KEPT_SUPPORTS:
            return
        first = len(self._homes)
        number = {belief: first + place for place, belief in enumerate(found)}
        homes = self._classes.of[[belief[0] for belief in found]]
        actions = np.array([action for action, _ in found.values()])
        successors = self._classes.after[actions].copy()
        for place, (_, after) in enumerate(found.values()):
            successors[place, list(after)] = [number[belief] for belief in after.values()]
        self._add_vectors(self._empty(homes), actions, successors, homes)
        self._evaluate(first)
        self._lasting = len(self._homes)

    def _class_policies(self, choices: Integers, zeros: int = 0) -> None:
        """Add the vectors of policies that look at the class only; the first `zeros` are worth nothing anyhow."""
        homes, actions, successors = self._classes.policies(choices)
        first = len(self._homes)
        self._add_vectors(self._empty(homes), actions, successors + first, homes)
        self._evaluate(first + zeros * self._classes.count)

    def _empty(self, homes: Integers) -> Floats:
        return np.where(self._classes.of[None, :] == homes[:, None], self._floor, NEVER)

    def _add_vectors(self, values: Floats, actions: Integers, successors: Integers, homes: Integers) -> None:
        old, counters = self._search.vectors, self._search.counters
        new = values, actions, successors
        values, actions, successors = (np.concatenate(pair) for pair in zip(old[:3], new, strict=True))
        self._homes = np.concatenate([self._homes, homes])
        counters[tables.VECTORS] = len(self._homes)
        self._search = self._search._replace(vectors=tables.Vectors(values, actions, successors))

    def _evaluate(self, first: int) -> None:
        """Raise the vectors from this number on to what they are worth."""
        search, classes = self._search, self._classes
        given = search.rows, search.vectors, first, self._homes, classes.members, classes.bounds
        if self._floor < 0:
            values = search.vectors.values
            values[first:][values[first:] == self._floor] = 0.0
            while policy_vectors(*given, self._floor, 10) == 10:
                self._budget.tick()
        for _ in range(30):
            self._budget.tick()
            sweeps = policy_vectors(*given, 0.0, 10)
            self._work += sweeps * (len(self._homes) - first) * len(self._arrays.to_weights) / classes.count / 4
            if sweeps < 10:
                break

    def _keep_vectors(self, kept: Integers) -> None:
        """Keep these vectors only; the others are followed by no kept one."""
        place = np.zeros(len(self._homes), np.int64)
        place[kept] = np.arange(len(kept))
        vectors = self._search.vectors
        values, actions, successors = vectors.values[kept], vectors.actions[kept], place[vectors.successors[kept]]
        renumbered = self._search.tree.vector.copy()
        renumbered[: self.belief_count] = place[renumbered[: self.belief_count]]
        self._homes = self._homes[kept]
        self._search.counters[tables.VECTORS] = len(kept)
        self._search = self._search._replace(  # at once: what is found may be asked for at any time
            tree=self._search.tree._replace(vector=renumbered), vectors=tables.Vectors(values, actions, successors)
        )

    def _new_vectors(self) -> None:
        """Add the vectors of the nodes of the lower policy, which may go round in circles, for all of their class."""
        tree, notes, count = self._search.tree, self._notes, self.belief_count
        weight = self._met(notes.lower)
        some = (weight > 0) & (notes.kind[:count] == kernels.EXPANDED) & (notes.lower[:count] >= 0)
        nodes = np.flatnonzero(some & (tree.low[:count] < tree.simple[:count] - SMALL_GAP))
        nodes = nodes[np.argsort(-weight[nodes], kind="stable")][:_MOST_VECTORS]
        if not len(nodes):
            return
        homes = self._classes.of[tree.states[tree.begin[nodes]]]
        actions = notes.lower[nodes]
        first = len(self._homes)
        number = np.full(count, -1)
        number[nodes] = first + np.arange(len(nodes))
        successors = self._classes.after[actions].copy()  # the vectors that are worth nothing come first
        for place, (node, action) in enumerate(zip(nodes.tolist(), actions.tolist(), strict=True)):
            branches = self._branches(node, action)
            after = tree.next[branches]
            successors[place, tree.percepts[branches]] = np.where(number[after] >= 0, number[after], tree.vector[after])
        self._add_vectors(self._empty(homes), actions, successors, homes)
        self._evaluate(first)
        self._compare(np.arange(count), first)
        self._drop_vectors()

    def _drop_vectors(self) -> None:
        """Drop vectors that are best nowhere, and that are followed by none that is kept."""
        vectors = self._search.vectors
        kept = np.zeros(len(self._homes), np.bool_)
        kept[: self._lasting] = True
        kept[self._search.tree.vector[: self.belief_count]] = True
        while True:
            more = kept.copy()
            more[vectors.successors[kept]] = True
            if (more == kept).all():
                break
            kept = more
        self._keep_vectors(np.flatnonzero(kept))

    def _compare(self, beliefs: Integers, since: int = 0) -> None:
        search, classes = self._search, self._classes
        self._budget.tick()
        compare_vectors(beliefs, search.tree, search.vectors, self._homes, classes.of, self._notes.lower, since)
        self._work += len(beliefs) * (len(self._homes) - since) / max(1, classes.count) * 4

    def _met(self, choice: Integers) -> Floats:
        tree, count = self._search.tree, self.belief_count
        met = np.zeros(count)
        occupancy(choice, self._notes.kind, tree, met, 2.0 / (count + 1e4), 20 * self._expanded + 1000)
        self._work += count + 40 * self._expanded
        return met
