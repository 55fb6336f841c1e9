"""Proofs for contingent problems: lists of beliefs with their bounds, or of lost beliefs."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent_view import BitsetContingentView
from ..heuristics.contingent import capacity
from ..model.problem import BeliefProblem, Cost
from ..plans.encoding import Json, encode_state, exact_to_json
from ..running.limits import Outgrown, TooDear
from ..solvers.and_or.graph import AndOrGraph
from .unreduced import UnreducedContingent

# Elementary steps, of about a tenth of a microsecond, for drawing the graph; a larger one makes a file of no use.
_MOST_STEPS = 100_000_000
# Of a graph that takes no more the beliefs are listed in any case.
_FEW_STEPS = 3_000_000
# Pairs of a state and an action for the capacity bound: about ten seconds' worth.
_MOST_PAIRS = 3_000_000


def contingent_proof(
    problem: BeliefProblem[Any, Any, Any], bound: Cost, tick: Callable[[], None], numbered: Callable[[int], None]
) -> dict[str, Json] | None:
    """A proof that no conditional plan has a worst-case cost below `bound`, or that there is none.

    A proof by capacity is tried first. Else, of all beliefs that can come up those are listed that the argument
    needs: for each action of a listed belief one outcome that is bad enough. If they are many, and actions only tell
    starts apart, small parts of beliefs are listed instead, the cores. Raises `Outgrown` of too many beliefs.
    """
    view: BitsetContingentView[Any, Any] = BitsetContingentView(UnreducedContingent(problem), tick, numbered)
    with suppress(TooDear):
        if (
            0 < bound < math.inf
            and problem.has_unit_costs()
            and capacity(view, _MOST_PAIRS)(view.initial_node()) >= bound
        ):
            return {"kind": "capacity"}
    view.set_allowance(_FEW_STEPS)
    try:
        graph = AndOrGraph(view, [view.initial_node()])
    except Outgrown:
        if bound < math.inf and (found := _bounds_by_cores(problem, bound, tick)) is not None:
            return found
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


def _bounds_by_cores(
    problem: BeliefProblem[Any, Any, Any], bound: Cost, tick: Callable[[], None]
) -> dict[str, Json] | None:
    """Bounds of cores, for a problem whose actions only tell starts apart; None for others, or if they are too low."""
    from ..engine.compiled.worst_case import cores_of

    # Where the author gives arrays, to look at them is much quicker than to ask; what is listed is checked in any case.
    asked = UnreducedContingent(problem) if problem.overrides("canonical") else problem
    view: BitsetContingentView[Any, Any] = BitsetContingentView(asked, tick)
    found = cores_of(view, bound, tick)
    if found is None:
        return None
    places: dict[int, int] = {}
    beliefs: list[Json] = []
    for members, value in found.items():
        numbers: list[Json] = [places.setdefault(number, len(places)) for number in members]
        beliefs.append([numbers, value])
    listed: list[Json] = [encode_state(problem, view.model.states[number]) for number in places]
    return {"kind": "belief-bounds", "states": listed, "beliefs": beliefs}


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
