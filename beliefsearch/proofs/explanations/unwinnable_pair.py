"""Unwinnable pairs: few starts that the player cannot distinguish, so that no single plan wins from all of them.

Whoever can win from a set of possible states can win from every part of it, by the same plan. So a few of the
possible starts from which no plan wins are reason enough, and easier to understand than all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from contextlib import suppress
from itertools import combinations
from typing import Any, Generic

from attrs import frozen

from ...engine.bits.bitset import bit_numbers, mask_of
from ...engine.bits.contingent import BitsetContingentView
from ...model.adapters import UnreducedContingent
from ...model.base import Action, State
from ...model.problem import BeliefProblem
from ...running.limits import EffortExceeded
from ...solvers.contingent.and_or_graph import AndOrGraph

# Elementary steps, of about a tenth of a microsecond, for each graph of beliefs, and for leaving states out.
_MOST_STEPS = 30_000_000
# All sets of starts of one size are tried one after another if there are at most this many.
_MOST_SETS = 3_000
_LARGEST_TRIED = 3
# Of several sets that are lost, how many are looked at for the one with the shortest explanation.
_MOST_COMPARED = 20


@frozen
class LostBelief(Generic[State, Action]):
    """A belief from which no plan wins, with a lost outcome of each action.

    Attributes
    ----------
    members
        The states that are possible.
    answers
        By action that applies in all of them: percepts, None where nothing can be perceived, with the lost belief
        that follows. It is one of them, chosen by an adversary; where results come by chance it is one that was
        lost already without this belief, or else everything that may follow.
    """

    members: tuple[State, ...]
    answers: tuple[tuple[Action, tuple[tuple[Any, tuple[State, ...]], ...]], ...]


@frozen
class LostStates(Generic[State, Action]):
    """Possible starts from which the player cannot win without telling them apart.

    Attributes
    ----------
    beliefs
        The starts, and every lost belief that the answers lead to.
    smallest
        Whether from fewer starts there always is a plan. Otherwise none of these can be left out, as far as was
        found out.
    """

    beliefs: tuple[LostBelief[State, Action], ...]
    smallest: bool

    @property
    def starts(self) -> tuple[State, ...]:
        """The starts themselves."""
        return self.beliefs[0].members


def find_lost_states(
    problem: BeliefProblem[State, Action, Any], tick: Callable[[], None]
) -> LostStates[State, Action] | None:
    """Find a small set of starts from which no plan wins; None if a plan wins from all starts.

    Raises `EffortExceeded` of too many beliefs.
    """
    search = _Search(problem, tick)
    starts = list(bit_numbers(search.view.initial_node()))
    for size in range(1, min(len(starts), _LARGEST_TRIED) + 1):
        if math.comb(len(starts), size) > _MOST_SETS:
            break
        try:
            search.look_from(list(map(mask_of, combinations(starts, size))))
        except EffortExceeded:
            break
        lost = [number for number in range(math.comb(len(starts), size)) if number in search.lost]
        if lost:
            explained = (search.explain(number) for number in lost[:_MOST_COMPARED])
            return LostStates(min(explained, key=len), smallest=True)
    kept = mask_of(starts)
    search.look_from([kept])
    if 0 not in search.lost:
        return None
    found = search.explain(0)
    with suppress(EffortExceeded):
        for start in starts:
            fewer = kept & ~(1 << start)
            search.look_from([fewer])
            if 0 in search.lost:
                kept, found = fewer, search.explain(0)
    return LostStates(found, smallest=False)


class _Search(Generic[State, Action]):
    """The search for lost beliefs among those that can be reached from given ones."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], tick: Callable[[], None]) -> None:
        # Percepts and symmetries need not go together in the eyes of a reader, so there are none of these here.
        self.view: BitsetContingentView[Any, Any] = BitsetContingentView(UnreducedContingent(problem), tick)
        # By chance, which is fair, whoever can keep trying wins in the end; who perceives nothing does not know when.
        self._fair = not problem.has_adversary() and not problem.is_sensorless()

    def look_from(self, roots: list[int]) -> None:
        """Build the graph of all beliefs reachable from these, which are numbered from 0."""
        self.view.set_allowance(_MOST_STEPS)
        self.graph = AndOrGraph(self.view, roots)
        costs = self.graph.least_costs()[1]
        unsure = {number: 0 for number in range(len(self.graph.nodes)) if number not in costs}
        # By number of a lost belief: the round in which it was lost.
        self.lost = self.graph.strong_cyclic()[1] if self._fair else unsure

    def explain(self, root: int) -> tuple[LostBelief[Any, Any], ...]:
        """The belief with this number, and the others that the argument needs."""
        needed = {self.graph.nodes[root]: None}
        frontier = list(needed)
        beliefs = []
        for belief in frontier:  # grows while it is walked
            answers = []
            for action in self.view.actions(belief):
                chosen = self._answers(belief, action, needed)
                fresh = dict.fromkeys(child for _, child in chosen if child not in needed)
                needed.update(fresh)
                frontier += fresh
                answers.append((action, tuple((percept, self._members(child)) for percept, child in chosen)))
            beliefs.append(LostBelief(self._members(belief), tuple(answers)))
        return tuple(beliefs)

    def _answers(self, belief: int, action: Any, needed: Collection[int]) -> list[tuple[Any, int]]:
        """The lost outcomes to show: one that is needed anyway, else the first; against chance perhaps all."""
        outcomes = self.view.outcomes(belief, action)
        ranks = {child: self.lost.get(self.graph.number_of[child], math.inf) for _, child in outcomes}
        least = min(ranks.values())
        if self._fair and least >= self.lost[self.graph.number_of[belief]]:
            return list(outcomes)
        worst = [(percept, child) for percept, child in outcomes if ranks[child] == least]
        return [next((answer for answer in worst if answer[1] in needed), worst[0])]

    def _members(self, belief: int) -> tuple[Any, ...]:
        return tuple(self.view.members(belief))
