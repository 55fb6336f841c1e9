"""Proofs for contingent problems: lists of beliefs with their bounds, or of lost beliefs."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent_view import BitsetContingentView
from ..heuristics.contingent import capacity
from ..model.problem import BeliefProblem, Cost
from ..plans.encoding import Json, encode_state, exact_to_json
from ..running.limits import TooDear
from ..solvers.and_or.graph import AndOrGraph
from .unreduced import UnreducedContingent

# Elementary steps, of about a tenth of a microsecond, for drawing the graph; a larger one makes a file of no use.
_MOST_STEPS = 100_000_000
# Pairs of a state and an action for the capacity bound: about ten seconds' worth.
_MOST_PAIRS = 3_000_000


def contingent_proof(
    problem: BeliefProblem[Any, Any, Any], bound: Cost, tick: Callable[[], None], numbered: Callable[[int], None]
) -> dict[str, Json] | None:
    """A proof that no conditional plan has a worst-case cost below `bound`, or that there is none.

    A proof by capacity is tried first. Else, of all beliefs that can come up those are listed that the argument
    needs: for each action of a listed belief one outcome that is bad enough. Raises `Outgrown` of too many beliefs.
    """
    view: BitsetContingentView[Any, Any] = BitsetContingentView(UnreducedContingent(problem), tick, numbered)
    with suppress(TooDear):
        if (
            0 < bound < math.inf
            and problem.has_unit_costs()
            and capacity(view, _MOST_PAIRS)(view.initial_node()) >= bound
        ):
            return {"kind": "capacity"}
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

    def worst(_: int, children: Collection[int]) -> Collection[int]:
        dearest = max(children, key=cost)
        return [dearest] if cost(dearest) else []

    return _needed(graph, cost, worst)


def _needed_ranks(graph: AndOrGraph[int, Any], ranks: dict[int, int]) -> dict[int, Cost]:
    """The ranks of the initial node and, for each action, of an outcome of lower rank, else of all outcomes."""

    def rank(number: int) -> Cost:
        return ranks.get(number, math.inf)

    def lower(number: int, children: Collection[int]) -> Collection[int]:
        lowest = min(children, key=rank)
        return [lowest] if rank(lowest) < rank(number) else children

    return _needed(graph, rank, lower)


def _needed(
    graph: AndOrGraph[int, Any],
    value: Callable[[int], Cost],
    choose: Callable[[int, Collection[int]], Collection[int]],
) -> dict[int, Cost]:
    """The values of the initial node and of the chosen children of each action of each node in the list."""
    needed = {0: value(0)}
    frontier = [0]
    for number in frontier:  # grows while it is walked
        for children in graph.children_of(number):
            for child in choose(number, children):
                if child not in needed:
                    needed[child] = value(child)
                    frontier.append(child)
    return needed
