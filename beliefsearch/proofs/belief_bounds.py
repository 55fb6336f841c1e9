"""Proofs for contingent problems: lists of beliefs with their bounds, or of lost beliefs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ..engine.bits.bitset import bit_numbers
from ..engine.bits.contingent import BitsetContingentView
from ..engine.bits.numbered_model import StartPairs
from ..engine.compiled.bitset_words import mask_of_words
from ..errors import InvalidProofError
from ..heuristics.pairwise_table import ObservedPairs
from ..heuristics.percept_information import capacity
from ..model.adapters import UnreducedContingent
from ..model.base import Cost
from ..model.hooks import DistinctActionsHook, has_closed_form
from ..model.problem import BeliefProblem
from ..plans.encoding import Json, encode_state, exact_to_json
from ..plans.result import Grounds
from ..running.limits import EffortExceeded, TooDear
from ..running.run import Run
from ..solvers.contingent.and_or_graph import AndOrGraph
from ..solvers.contingent.ldfs import BoundedSearch
from ..verify.proof_capacity import check_capacity
from .hints.capacity_hints import capacity_proofs

# With more pairs of a state and an action than this a proof would be too large for any use.
MOST_TRANSITIONS = 10_000_000

# Elementary steps, of about a tenth of a microsecond, for drawing the graph in plain Python, where kernels would do it,
# and where they would not, and for a search within bounds; a larger graph is drawn on arrays, unless it takes more than
# the last number of their steps: then it makes a file of no use.
_FEW = 50_000

_SMALL = 3_000_000

_MEDIUM = 100_000_000

_MOST_STEPS = 1_000_000_000

# Pairs of a state and an action for pairs of states, or for arrays: about ten seconds' worth.
_MOST_PAIRS = 3_000_000

# The checker looks at so many pairs for the capacity in a second or so.
_FEW_PAIRS = 200_000


def capacity_proof(
    problem: BeliefProblem[Any, Any, Any], bound: Cost, pairs: StartPairs, tick: Callable[[], None]
) -> dict[str, Json] | None:
    """A proof by capacity that no conditional plan of a contingent problem costs less than `bound`, if it proves that.

    As such a proof says little but its kind, the checker is asked; where it takes long, only if the estimate agrees.
    """
    if not 0 < bound < math.inf:
        return None
    proof: dict[str, Json] = {"kind": "capacity"}
    if pairs.exceed(MOST_TRANSITIONS):
        if not isinstance(problem, DistinctActionsHook):
            return None
        proof["actions"] = "distinct"
    elif pairs.exceed(_FEW_PAIRS):
        view: BitsetContingentView[Any, Any] = BitsetContingentView(UnreducedContingent(problem), tick)
        try:
            if capacity(view, _MOST_PAIRS)(view.initial_node()) < bound:
                return None
        except TooDear:
            return None
    with suppress(InvalidProofError):
        for listed in capacity_proofs(problem, proof, tick):
            if check_capacity(problem, listed, tick) >= bound:
                return listed
    return None


def evidence_proof(problem: BeliefProblem[Any, Any, Any], grounds: Grounds | None, run: Run) -> dict[str, Json] | None:
    """A proof by sets of states, or by what a search gives as evidence for the problem's own checker, if it can.

    It may prove a lower bound than is claimed, if that takes the checker too long.
    """
    if grounds is not None and grounds.cores is not None and (cores := grounds.cores()) is not None:
        return _by_sets(problem, cores)
    if grounds is None or grounds.evidence is None or not has_closed_form(problem):
        return None
    evidence = grounds.evidence(run.budget.seconds_left())
    return None if evidence is None else {"kind": "construction", "evidence": dict(evidence)}


def contingent_proof(
    problem: BeliefProblem[Any, Any, Any],
    bound: Cost,
    run: Run,
    grounds: Grounds | None = None,
) -> dict[str, Json] | None:
    """A proof that no conditional plan has a worst-case cost below `bound`, or that there is none.

    Of all beliefs that can come up, or of those that a search within bounds tries, those are listed that the argument
    needs: for each action of a listed belief one outcome that is bad enough. If they are many, and actions only tell
    starts apart, small parts of beliefs are listed instead, the cores: those that the search has found, if it gives
    `grounds`. Raises `EffortExceeded` of too many beliefs.
    """
    # An answer may be that of another problem; and by `canonical` other states may come up than are listed.
    of_this = grounds is not None and grounds.problem is problem and not problem.overrides("canonical")
    if grounds is not None and of_this and max(grounds.bounds.values(), default=0) >= bound:
        return _by_sets(problem, grounds.bounds)
    view: BitsetContingentView[Any, Any] = BitsetContingentView(
        UnreducedContingent(problem), run.tick, run.observer.numbered
    )
    view.set_allowance(_SMALL)
    with suppress(EffortExceeded):
        return _proof_by_graph(view, PlainGraph(view), bound)
    if (evidence := evidence_proof(problem, grounds, run)) is not None:
        return evidence
    if bound < math.inf and (found := _bounds_by_cores(problem, bound, run.tick)) is not None:
        return found
    view.set_allowance(_MEDIUM)
    with suppress(EffortExceeded):
        needed = _bounds_by_search(view, bound)
        if needed is not None:
            return _listed(view, "belief-bounds", needed)
    view.set_allowance(None)
    return _proof_by_graph(view, ArrayGraph(view, run.tick), bound)


def proof_of_few(problem: BeliefProblem[Any, Any, Any], bound: Cost, run: Run) -> dict[str, Json] | None:
    """The proof by a list, as `contingent_proof` makes it, if few beliefs can come up: no kernel need be compiled."""
    view: BitsetContingentView[Any, Any] = BitsetContingentView(UnreducedContingent(problem), run.tick)
    view.set_allowance(_FEW)
    with suppress(EffortExceeded):
        return _proof_by_graph(view, PlainGraph(view), bound)
    return None


def _proof_by_graph(view: BitsetContingentView[Any, Any], graph: Graph, bound: Cost) -> dict[str, Json] | None:
    cost = graph.cost_of()
    if cost(0) < bound:
        return None
    kind, needed = "belief-bounds", _needed_bounds(graph, cost)
    if bound == math.inf and not view.problem.has_adversary():
        rank = graph.rank_of()
        if rank(0) < math.inf:  # nor can it be won by keeping on trying
            kind, needed = "lost-beliefs", _needed_ranks(graph, rank)
    return _listed(view, kind, {graph.belief(number): value for number, value in needed.items()})


def _listed(view: BitsetContingentView[Any, Any], kind: str, needed: dict[int, Cost]) -> dict[str, Json]:
    """A proof of this kind by these beliefs with their values."""
    states = view.model.states
    bounds = {tuple(states[state] for state in bit_numbers(belief)): value for belief, value in needed.items()}
    return _by_sets(view.problem, bounds, kind)


class Graph(ABC):
    """Graph of all beliefs as a proof asks it; number 0 is the initial one."""

    belief: Callable[[int], int]
    children_of: Callable[[int], Iterable[Sequence[int]]]  # the outcomes of each action of a belief

    @abstractmethod
    def cost_of(self) -> Callable[[int], Cost]:
        """The function from a belief to its least worst-case cost, perhaps infinite."""

    @abstractmethod
    def rank_of(self) -> Callable[[int], Cost]:
        """The function from a belief to the round in which it was found to be lost, infinite if it is not."""


class PlainGraph(Graph):
    """The graph in plain Python."""

    def __init__(self, view: BitsetContingentView[Any, Any]) -> None:
        self._graph = AndOrGraph(view, [view.initial_node()])
        self.children_of = self._graph.children_of
        self.belief = self._graph.nodes.__getitem__

    def cost_of(self) -> Callable[[int], Cost]:
        costs = self._graph.least_costs()[1]
        return lambda number: costs.get(number, math.inf)

    def rank_of(self) -> Callable[[int], Cost]:
        ranks = self._graph.strong_cyclic()[1]
        return lambda number: ranks.get(number, math.inf)


class ArrayGraph(Graph):
    """The graph on arrays; raises `EffortExceeded` if it takes too many pairs of a state and an action, or steps."""

    def __init__(self, view: BitsetContingentView[Any, Any], tick: Callable[[], None]) -> None:
        from ..engine.compiled.belief_graph_builder import Unfolding  # with kernels, which most proofs do without
        from ..engine.compiled.observed_model import observed_model

        unfolding = Unfolding(observed_model(view, tick, _MOST_PAIRS))
        unfolding.finish(tick, most_steps=_MOST_STEPS)
        self._tick = tick
        self._model = unfolding.model
        self._graph = graph = unfolding.graph()
        self.children_of = graph.children_of
        self.belief = lambda number: mask_of_words(graph.beliefs[number])

    def cost_of(self) -> Callable[[int], Cost]:
        from ..engine.compiled.belief_graph import least_costs, price_in

        _, found = least_costs(self._graph, price_in(self._graph, self._model), self._tick)

        def cost(number: int) -> Cost:
            least = found(number)
            return math.inf if least is None else least

        return cost

    def rank_of(self) -> Callable[[int], Cost]:
        from ..engine.compiled.belief_graph import keep_trying

        ranks = keep_trying(self._graph, self._tick)[1].tolist()
        return lambda number: ranks[number] or math.inf


def _bounds_by_search(view: BitsetContingentView[Any, Any], bound: Cost) -> dict[int, Cost] | None:
    """Beliefs with their bounds, as a search within bounds and the values of pairs prove them; None if they do not."""
    pairs = ObservedPairs(view, _MOST_PAIRS)
    search: BoundedSearch[int, Any] = BoundedSearch(view, pairs)
    if search.run().lower_bound < bound or (bound == math.inf and view.may_keep_trying()):
        return None

    def known(belief: int) -> tuple[Cost, int]:
        by_pair, pair = pairs.with_pair(belief)
        proved = search.known_bound(belief)
        return (by_pair, pair) if by_pair >= proved else (proved, belief)

    value, start = known(view.initial_node())
    if value < bound:
        return None
    needed = {start: value}
    frontier = [start]
    for belief in frontier:  # grows while it is walked
        for action in view.actions(belief):
            least = needed[belief] - view.action_cost(belief, action)
            if least <= 0:
                continue
            enough = [found for _, child in view.outcomes(belief, action) if (found := known(child))[0] >= least]
            if not enough:
                return None  # as where the search took the beliefs it had tried for all
            # Rather one that is listed anyway, or else a small one.
            value, rests_on = min(enough, key=lambda found: (found[1] not in needed, found[1].bit_count()))
            if needed.get(rests_on, 0) < value:
                needed[rests_on] = value
                frontier.append(rests_on)
    return needed


def _bounds_by_cores(
    problem: BeliefProblem[Any, Any, Any], bound: Cost, tick: Callable[[], None]
) -> dict[str, Json] | None:
    """Bounds of cores, for a problem whose actions only tell starts apart; None for others, or if they are too low."""
    from ..engine.guessing.worst_case import cores_of

    # Where the author gives arrays, to look at them is much quicker than to ask; what is listed is checked in any case.
    asked = UnreducedContingent(problem) if problem.overrides("canonical") else problem
    view: BitsetContingentView[Any, Any] = BitsetContingentView(asked, tick)
    found = cores_of(view, bound, tick)
    return None if found is None else _by_sets(problem, found)


def _by_sets(
    problem: BeliefProblem[Any, Any, Any], bounds: Mapping[tuple[Any, ...], Cost], kind: str = "belief-bounds"
) -> dict[str, Json]:
    """A proof by these sets of states with their bounds, or other values."""
    places: dict[Any, int] = {}
    beliefs: list[Json] = []
    for members, value in bounds.items():
        numbers: list[Json] = [places.setdefault(state, len(places)) for state in members]
        beliefs.append([numbers, exact_to_json(value)])
    listed: list[Json] = [encode_state(problem, state) for state in places]
    return {"kind": kind, "states": listed, "beliefs": beliefs}


def _needed_bounds(graph: Graph, cost: Callable[[int], Cost]) -> dict[int, Cost]:
    """The costs to win from the initial node and from a worst outcome of each action of each listed node."""
    needed = {0: cost(0)}
    frontier = [0]
    for number in frontier:  # grows while it is walked
        for children in graph.children_of(number):
            worst = max(children, key=cost)
            if worst not in needed and cost(worst):
                needed[worst] = cost(worst)
                frontier.append(worst)
    return needed


def _needed_ranks(graph: Graph, rank: Callable[[int], Cost]) -> dict[int, Cost]:
    """The ranks of the initial node and, for each action, of an outcome of lower rank, else of all outcomes."""
    needed: dict[int, Cost] = {0: rank(0)}
    frontier = [0]
    for number in frontier:  # grows while it is walked
        for children in graph.children_of(number):
            lowest = min(children, key=rank)
            for child in [lowest] if rank(lowest) < needed[number] else children:
                if child not in needed:
                    needed[child] = rank(child)
                    frontier.append(child)
    return needed
