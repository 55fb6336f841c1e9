"""Sweeps over a graph of beliefs: the bounds of all that was expanded, from below and from above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...solvers.pomdp.joint import RULED_OUT, sums_between
from ...solvers.pomdp.markov_chain import Chain
from . import belief_tree as tables
from . import graph_kernels as kernels
from .graph_vectors import GraphVectors
from .sweep_kernels import mark_best, sweep_check, sweep_down, sweep_unpaid, sweep_up

if TYPE_CHECKING:
    from ...solvers.pomdp.arrays import Floats, Integers

MOST_SWEEPS = 5000
# After so many sweeps from below the equations of the policy are solved, if they are no more than this.
_SWEEPS_EACH, _MOST_SOLVED = 40, 6000
# Upper bounds are raised in steps that grow after so many sweeps.
_CREEPING = 10
# Work is counted in branches that a sweep looks at; limits are heard after so much.
_PIECE = 1e7


class GraphSweeps(GraphVectors):
    """Bounds that are raised and lowered by sweeps; `_work` counts what they look at."""

    _fine: int
    backups: int

    def _most(self, order: Integers) -> int:
        """Return how many sweeps are made at a time: limits are heard in between."""
        self._budget.tick()
        return max(1, int(_PIECE / (len(order) * self._branches_each + 1)))

    @property
    def _branches_each(self) -> float:
        return float(self._search.counters[tables.BRANCHES]) / max(1, self.backups) + 1

    def _sweeps(self, sweep: Any, order: Integers, *given: Any, most: int, least: float, until: float = np.inf) -> bool:
        """Repeat sweeps until nothing changes by as much as `least`; returns whether that, or `until`, was reached."""
        while most > 0:
            sweeps, change = sweep(order, *given, least, min(most, self._most(order)))
            most -= sweeps
            self._work += sweeps * len(order) * self._branches_each
            if change < least or self._work > until:
                return True
        return False

    def _follow(self, order: Integers, choice: Integers, value: Floats) -> None:
        """Raise values to those of the policy that sweeps from below have chosen: in circles they rise slowly."""
        tree, rows = self._search.tree, order[choice[order] >= 0]
        action = choice[rows]
        first = np.where(action == 0, tree.first_branch[rows], tree.branch_end[rows, action - 1])
        counts = tree.branch_end[rows, action] - first
        pointers = np.append(0, np.cumsum(counts))
        places = np.arange(pointers[-1]) + np.repeat(first - pointers[:-1], counts)
        number = np.full(self.belief_count, -1)
        number[rows] = np.arange(len(rows))
        targets, weights = tree.next[places], tree.chances[places]
        inside = number[targets] >= 0
        paid = self._notes.paid[rows, action] + sums_between(np.where(inside, 0.0, weights * value[targets]), pointers)
        chain = Chain(pointers, np.where(inside, number[targets], 0), np.where(inside, weights, 0.0), paid)
        self._budget.tick()
        solved = chain.solve(1.0)
        self._work += _SWEEPS_EACH * len(order) * self._branches_each
        if np.isfinite(solved).all():
            value[rows] = np.clip(solved, value[rows], np.maximum(value[rows], self._search.tree.high[rows]))

    def _raise_low(self) -> None:
        order, tree, notes = self._opened(), self._search.tree, self._notes
        if self._costs and not self._proper:
            self._keep_what_is_free(order)
        self._sweeps(sweep_up, order, tree.low, notes.lower, tree, notes.paid, 1e-13, most=200, least=1e-9)

    def _keep_what_is_free(self, order: Integers) -> None:
        """Raise the lower bounds of beliefs between which the game can be kept for ever at no cost."""
        tree, notes = self._search.tree, self._notes
        free, choice = self._free(order, tree.low)
        tree.low[free], notes.lower[free] = 0.0, choice[free]

    def _free(self, order: Integers, low: Floats) -> tuple[Integers, Integers]:
        """Return beliefs below 0 between which, or to such of 0, the game can be kept at no cost; and the actions."""
        kept, choice = np.zeros(self.belief_count, np.bool_), np.full(self.belief_count, -1)
        kept[order] = low[order] < 0
        lost = 1
        while lost:
            given = order, kept, choice, low, self._search.tree, self._notes.paid
            sweeps, lost = sweep_unpaid(*given, self._most(order))
            self._work += sweeps * len(order) * self._branches_each
        return order[kept[order]], choice

    def _cheaply_lower_high(self) -> None:
        order, tree, notes = self._opened(), self._search.tree, self._notes
        self._sweeps(sweep_down, order, tree.high, tree, notes.paid, most=3, least=1e-9)
        mark_best(order, tree.high, tree, notes)

    def _solve_high(self, order: Integers, finer: float = 1.0, until: float = np.inf) -> None:
        """Make the upper bounds of these beliefs the least solution, if it is found with so much work."""
        tree, notes = self._search.tree, self._notes
        high, gap = tree.high[: self.belief_count], max(float(tree.high[0] - tree.low[0]), 1e-6) * finer
        if self._costs:
            least = 1e-4 * min(gap, 1.0)
            self._sweeps(sweep_down, order, high, tree, notes.paid, most=MOST_SWEEPS, least=least)
            if not self._proper or not len(self._free(order, np.full(self.belief_count, -1.0))[0]):
                return  # else the greatest solution plays on for ever at no cost
        self._sweeps(sweep_down, order, high, tree, notes.paid, most=3, least=0.0)
        value = high.copy()
        known = tree.low[order][tree.low[order] > RULED_OUT]
        value[order] = np.minimum(np.maximum(tree.low[order], 10 * known.min(initial=0.0)), high[order])
        choice = np.full(len(high), -1)
        up = (order, value, choice, tree, notes.paid, 1e-13)
        for _ in range(MOST_SWEEPS // _SWEEPS_EACH):
            if self._sweeps(sweep_up, *up, most=_SWEEPS_EACH, least=1e-5 * gap, until=until):
                break
            if len(order) <= _MOST_SOLVED:
                self._follow(order, choice, value)
        notes.upper[order] = choice[order]
        step = 2.0 ** np.floor(np.log2(1e-6 * gap))
        value[order] = np.minimum(high[order], np.ceil((value[order] + 2e-3 * gap) / step) * step)
        for turn in range(1, MOST_SWEEPS):
            most = min(_CREEPING, self._most(order))
            sweeps, raised = sweep_check(order, value, high, tree, notes.paid, step, 1e-13, most)
            self._work += sweeps * len(order) * self._branches_each
            if not raised:
                parts = order[(notes.kind[order] == kernels.MIXTURE) & (value[order] < high[order])]
                notes.shown[parts], notes.fine[parts] = kernels.BY_PARTS, self._fine
                notes.first_part[parts], notes.last_part[parts] = tree.first_branch[parts], tree.branch_end[parts, 0]
                high[order] = value[order]
            if not raised or self._work > 2 * until:
                break
            if turn * most % _CREEPING == 0:  # in end components values would creep
                step *= 4
