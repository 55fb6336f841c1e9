"""Finding a proof: the kinds of proof that are tried, in order.

All states of a problem as arrays, without symmetry: the states that proofs list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..engine.bits.numbered_model import StartPairs
from ..engine.compiled.bitset_words import members_of_words
from ..engine.compiled.sensorless import CompiledView
from ..engine.factored.view import independent
from ..heuristics.full_observability import perfect_sight_distances
from ..heuristics.pairwise_table import PairTable
from ..heuristics.potential import Potential, find_potential, potential_of
from ..heuristics.state_graph import BeliefSetting, StateGraph
from ..model.adapters import Unreduced
from ..model.base import Cost
from ..model.hooks import FactoredHook, factors_of, has_closed_form
from ..model.problem import BeliefProblem
from ..plans.encoding import Json, encode_action, encode_state, exact_to_json
from ..plans.result import Grounds
from ..running.limits import EffortExceeded
from ..running.run import Run
from .belief_bounds import MOST_TRANSITIONS, capacity_proof, contingent_proof, evidence_proof, proof_of_few
from .exhaustion import SHORT_LIST, closed_list, exhaustion
from .factors import factors_proof
from .mean import mean_proof


def unreduced(
    problem: BeliefProblem[Any, Any, Any],
    tick: Callable[[], None],
    numbered: Callable[[int], None] = lambda states: None,
    most: int = MOST_TRANSITIONS,
    seconds_left: Callable[[], float] = lambda: inf,
) -> tuple[CompiledView[Any, Any], StateGraph]:
    """The problem without `canonical`, as a view and as arrays; raises `EffortExceeded` beyond `most` transitions."""
    view: CompiledView[Any, Any] = CompiledView(Unreduced(problem), tick, numbered, most_pairs=most)
    return view, BeliefSetting(view, tick, seconds_left).graph(None)


def small_trap(graph: StateGraph, hopeless: NDArray[np.bool_], initial: NDArray[np.intp]) -> list[int]:
    """A small part of the greatest trap that is a trap itself and contains a possible start, one of `initial`.

    The greatest trap are the `hopeless` states, whose perfect-sight distance is infinite. Greedy: a state is kept, and
    for each action a result that is kept already, or else the first hopeless one. To find the smallest trap is hard.
    """
    start = next(int(state) for state in initial if hopeless[state])
    kept = {start: None}
    frontier = [start]
    for state in frontier:  # grows while it is walked
        graph.tick()
        for action in np.flatnonzero(graph.applies[:, state]).tolist():
            results = graph.targets[graph.offsets[action, state] : graph.offsets[action, state + 1]].tolist()
            if not any(result in kept for result in results):
                chosen = next(result for result in results if hopeless[result])
                kept[chosen] = None
                frontier.append(chosen)
    return sorted(kept)


Exhaust: TypeAlias = Callable[[CompiledView[Any, Any], Cost, Callable[[], None]], dict[str, Json] | None]
"""Finds the proof by exhaustion of a bound: given a view, the bound, and what is called now and then."""

# Where there is an answer in closed form it is a better proof than one with more pairs than this.
_FEW_TRANSITIONS = 200_000

# With more pairs than this, what a search gives as evidence for the problem's own checker is a better proof.
_FEW_PAIRS = 1_000

# With more starts than this a problem with factors is proved factor by factor.
_FEW_STARTS = 50_000

# Of a contingent problem with more pairs of a start and an action beliefs are not listed.
_HOPELESS = 200_000_000

# A table of more pairs of states would take too much memory.
_MOST_PAIRS = 4_000_000

# A linear program with more transitions than this takes minutes.
_LARGEST_PROGRAM = 40_000
# Sums of larger whole numbers may have been rounded as floats.
_LARGEST_EXACT = 2**52


def find_proof(
    problem: BeliefProblem[Any, Any, Any],
    bound: Cost,
    run: Run,
    objective: str = "worst",
    grounds: Grounds | None = None,
    exhaust: Exhaust = exhaustion,
) -> dict[str, Json] | None:
    """A proof that no plan costs less than `bound`, for `verify.proof.check_proof`; None if none is found.

    The `objective` says whether that is in the worst case or `expected`; `grounds` are what a search has found. It is
    about all states of the problem, and makes no use of `canonical`. An infinite `bound`, which should be true as any,
    says that there is no plan. Short proofs are tried first: a trap or distances, then potentials, and last the listing
    of beliefs, by `exhaust`. Raises `EffortExceeded` of too many states.
    """
    if objective == "expected":
        return mean_proof(problem, bound, run)
    known = problem.construction() if has_closed_form(problem) else None
    factors = factors_of(problem) if known is None else None

    def by_factors() -> dict[str, Json] | None:
        return factors_proof(problem, factors or (), bound, run, partial(find_proof, run=run))

    if factors is not None and isinstance(problem, FactoredHook) and problem.count_starts() > _FEW_STARTS:
        return by_factors()
    contingent = not problem.is_sensorless()
    pairs = StartPairs(problem, run.tick)
    if (not contingent or pairs.exceed(_FEW_PAIRS)) and (evidence := evidence_proof(problem, grounds, run)) is not None:
        return evidence
    if contingent and bound == math.inf and not problem.has_adversary():
        # An adversary might win, but by chance, which is fair, the player may win in the end: beliefs must be listed.
        return contingent_proof(problem, bound, run, grounds)
    most = MOST_TRANSITIONS if known is None else _FEW_TRANSITIONS
    if contingent and pairs.exceed(_FEW_TRANSITIONS):
        # To list the states takes long, and may be hopeless.
        found = capacity_proof(problem, bound, pairs, run.tick)
        if found is not None or pairs.exceed(_HOPELESS):
            return found
        if pairs.exceed(most):
            return contingent_proof(problem, bound, run, grounds)
    # Of several factors the sum has far fewer states; but a list of those of the whole needs no belief in factors.
    at_first = _FEW_TRANSITIONS if factors is not None and len(factors) > 1 else most
    listed = partial(unreduced, problem, run.tick, run.observer.numbered, seconds_left=run.budget.seconds_left)
    try:
        view, graph = listed(most=at_first)
    except EffortExceeded:
        if contingent:
            return contingent_proof(problem, bound, run, grounds)
        if factors is not None:
            found = by_factors()
            if found is not None or at_first == most:
                return found
            view, graph = listed(most=most)
        elif known is None:
            raise
        else:
            length = math.inf if known.length is None else known.length
            return {"kind": "construction", "evidence": dict(known.evidence)} if length >= bound else None

    def by_list(view: CompiledView[Any, Any], bound: Cost, tick: Callable[[], None]) -> dict[str, Json] | None:
        if run.kept is not None:  # a store may hold the list already
            return exhaust(view, bound, tick)
        few = proof_of_few(problem, bound, run)
        if few is not None or factors is None or len(factors) == 1:
            return few or exhaust(view, bound, tick)
        if len(independent(factors)) == 1:
            with suppress(EffortExceeded):
                return exhaustion(view, bound, tick, SHORT_LIST)
        return by_factors() or exhaust(view, bound, tick)

    for proof in _proofs(problem, bound, view, graph, by_list):
        states: list[Json] = [encode_state(problem, state) for state in view.model.states]
        return proof if "states" in proof else {**proof, "states": states}
    if contingent:
        known_bound = capacity_proof(problem, bound, pairs, run.tick)
        return known_bound or contingent_proof(problem, bound, run, grounds)
    return None


def _proofs(
    problem: BeliefProblem[Any, Any, Any],
    bound: Cost,
    view: CompiledView[Any, Any],
    graph: StateGraph,
    exhaust: Exhaust,
) -> Iterator[dict[str, Json]]:
    model = view.model
    initial = members_of_words(model.initial)
    distances = perfect_sight_distances(graph)
    contingent = not problem.is_sensorless()
    if distances[initial].max() == np.inf:
        trap = small_trap(graph, np.isinf(distances), initial)
        yield {"kind": "trap", "states": [encode_state(problem, model.states[number]) for number in trap]}
    finite = distances[np.isfinite(distances)]
    if not (finite == np.floor(finite)).all() or finite.max(initial=0) > _LARGEST_EXACT:
        distances = np.where(np.isfinite(distances), 0, distances)  # were rounded down, each by itself
    if distances[initial].max().item() >= bound:  # a Python number, as costs may be too large for others
        yield {"kind": "distances", "distances": [exact_to_json(value) for value in distances.tolist()]}
    if contingent:
        return  # what follows is about beliefs that no percept splits
    unwon = [number for number in initial.tolist() if not graph.goals[:, number].any()]
    if bound < np.inf and unwon:
        equal = Fraction(bound) / len(unwon)
        won: list[bool] = np.any(graph.goals, axis=0).tolist()
        found = potential_of(graph, initial, [Fraction(0) if is_won else equal for is_won in won])
        if found is not None:
            yield _potential_proof(problem, view, found)
    if len(graph.targets) <= _LARGEST_PROGRAM:
        found = find_potential(graph, initial)
        # Where costs are 1 the checker rounds up.
        rounded = problem.has_unit_costs() and found is not None and found.total > bound - 1
        if found is not None and (found.is_ray or found.total >= bound or rounded):
            yield _potential_proof(problem, view, found)
    if bound == np.inf and graph.states**2 <= _MOST_PAIRS:
        # Whoever wins wins from each two of the starts: two that are lost make a list far shorter than all of them.
        table = PairTable.of_graph(graph)
        pair = table.largest(initial)
        if table.value(pair) == np.inf:
            listed = closed_list(view, list(table.members(pair, initial)), graph.tick)
            if listed is not None:
                yield listed
    proof = exhaust(view, bound, graph.tick)
    if proof is not None:
        yield proof


def _potential_proof(problem: Any, view: CompiledView[Any, Any], found: Potential) -> dict[str, Json]:
    flows: list[Json] = [
        {
            "action": encode_action(problem, view.model.actions[action]),
            "flow": [[state, result, exact_to_json(amount)] for (state, result), amount in flow.items()],
        }
        for action, flow in found.flows.items()
    ]
    weights: list[Json] = [exact_to_json(weight) for weight in found.weights]
    return {"kind": "ray" if found.is_ray else "potential", "weights": weights, "flows": flows}
