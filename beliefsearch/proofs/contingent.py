"""Proofs for contingent problems: lists of beliefs with their bounds, or of lost beliefs."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent_view import BitsetContingentView
from ..errors import InvalidProofError
from ..model.belief import initial_states
from ..model.hooks import DistinctActionsHook
from ..model.problem import BeliefProblem, Cost
from ..plans.encoding import Json, encode_state, exact_to_json
from ..solvers.and_or.graph import AndOrGraph
from ..verify.proof_capacity import check_capacity
from ..verify.states import States
from .unreduced import MOST_TRANSITIONS, UnreducedContingent

# Elementary steps, of about a tenth of a microsecond, for drawing the graph; a larger one makes a file of no use.
_MOST_STEPS = 100_000_000


def has_more_pairs(problem: BeliefProblem[Any, Any, Any], most: int) -> bool:
    """Whether there are more pairs of a start and an action of the first start than `most`."""
    starts = list(islice(initial_states(problem), most + 1))
    actions = most // len(starts)
    return len(list(islice(problem.actions(starts[0]), actions + 1))) > actions


def capacity_proof(problem: BeliefProblem[Any, Any, Any], bound: Cost) -> dict[str, Json] | None:
    """A proof by capacity that no conditional plan of a contingent problem costs less than `bound`, if it proves that.

    As such a proof says little but its kind, the checker is asked.
    """
    if not 0 < bound < math.inf or not problem.has_unit_costs():
        return None
    proof: dict[str, Json] = {"kind": "capacity"}
    if has_more_pairs(problem, MOST_TRANSITIONS):
        if not isinstance(problem, DistinctActionsHook):
            return None
        proof["actions"] = "distinct"
    with suppress(InvalidProofError):
        if check_capacity(States(problem), proof) >= bound:
            return proof
    return None


def contingent_proof(
    problem: BeliefProblem[Any, Any, Any], bound: Cost, tick: Callable[[], None], numbered: Callable[[int], None]
) -> dict[str, Json] | None:
    """A proof that no conditional plan has a worst-case cost below `bound`, or that there is none.

    Of all beliefs that can come up those are listed that the argument needs: for each action of a listed belief one
    outcome that is bad enough. Raises `Outgrown` of too many beliefs.
    """
    view: BitsetContingentView[Any, Any] = BitsetContingentView(UnreducedContingent(problem), tick, numbered)
    view.set_allowance(_MOST_STEPS)
    graph = AndOrGraph(view, [view.initial_node()])
    _, costs = graph.least_costs()
    least = costs.get(0, math.inf)
    if least < bound:
        return None
    kind, needed = "belief-bounds", _needed_bounds(graph, costs)
    if bound == math.inf and not problem.has_adversary():
        ranks = graph.lost()
        if 0 in ranks:  # nor can it be won by keeping on trying
            kind, needed = "lost-beliefs", _needed_ranks(graph, ranks)
    states: dict[int, int] = {}
    beliefs: list[Json] = []
    for number, value in needed.items():
        members: list[Json] = [states.setdefault(state, len(states)) for state in bit_numbers(graph.nodes[number])]
        beliefs.append([members, exact_to_json(value)])
    listed: list[Json] = [encode_state(problem, view.model.states[state]) for state in states]
    return {"kind": kind, "states": listed, "beliefs": beliefs}


def _needed_bounds(graph: AndOrGraph[int, Any], costs: dict[int, Cost]) -> dict[int, Cost]:
    """The costs to win from the initial node and from a worst outcome of each action of each listed node."""

    def cost(number: int) -> Cost:
        return costs.get(number, math.inf)

    needed = {0: cost(0)}
    frontier = [0]
    for number in frontier:  # grows while it is walked
        for children in graph.children_of(number):
            worst = max(children, key=cost)
            if worst not in needed and cost(worst):
                needed[worst] = cost(worst)
                frontier.append(worst)
    return needed


def _needed_ranks(graph: AndOrGraph[int, Any], ranks: dict[int, int]) -> dict[int, Cost]:
    """The ranks of the initial node and, for each action, of an outcome of lower rank, else of all outcomes."""
    needed: dict[int, Cost] = {0: ranks[0]}
    frontier = [0]
    for number in frontier:  # grows while it is walked
        for children in graph.children_of(number):
            lowest = min(children, key=lambda child: ranks.get(child, math.inf))
            for child in [lowest] if ranks.get(lowest, math.inf) < ranks[number] else children:
                if child not in needed:
                    needed[child] = ranks[child]
                    frontier.append(child)
    return needed
