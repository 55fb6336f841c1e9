"""AND-OR search over the whole graph on arrays: the same nodes, costs and plan as `and_or_graph_search`."""

from __future__ import annotations

import math
from typing import Any

from ...model.base import Action
from ...plans.plan import ConditionalPlan
from ...plans.result import SearchResult
from ...running.run import Record, Run
from ...solvers.contingent.plan_graph import plan_graph
from ..bits.contingent import BitsetContingentView
from .belief_graph import BeliefGraph, keep_trying, least_costs, price_in
from .belief_graph_builder import Unfolding
from .bitset_words import Integers32, mask_of_words
from .observed_model import ObservedModel, observed_model


class ArrayGraphSearch:
    """A search over the whole graph of a view, which can be stopped by an effort limit and resumed by the next call.

    The first call numbers the states. Without an array hook it may walk at most `most_pairs` pairs of a state and an
    action.
    """

    def __init__(self, view: BitsetContingentView[Any, Any], most_pairs: int | None = None) -> None:
        self._view = view
        self._most_pairs = most_pairs
        self._unfolding: Unfolding | None = None

    def __call__(
        self, *, most_steps: int | None = None, most_bytes: int | None = None, run: Run | None = None
    ) -> SearchResult[Any]:
        """Find a conditional plan of least worst-case cost, else one that keeps trying, or prove that there is none.

        Raises `EffortExceeded` if the graph takes more than `most_steps` elementary steps (outcomes of states, and
        words of beliefs) since the beginning or more than `most_bytes`, or if the states are too many for arrays. The
        observer is told of progress, but not of single beliefs.
        """
        view = self._view
        record: Record[int, Any] = Record("and-or-graph", view, run)
        tick = record.tick
        with record:
            if self._unfolding is None:
                self._unfolding = Unfolding(observed_model(view, tick, self._most_pairs))
            unfolding = self._unfolding
            record.watch(unfolding.__len__)

            def tell() -> None:
                record.tally(*unfolding.tally)
                record.look_up(unfolding.waiting)

            try:
                unfolding.finish(tell, record.most_expansions(), most_steps, most_bytes)
            finally:
                view.max_belief_size = max(view.max_belief_size, unfolding.max_size())
            graph = unfolding.graph()
            chosen, cost_of = least_costs(graph, price_in(graph, unfolding.model), tick)
            least = cost_of(0)
            cyclic = least is None and view.may_keep_trying()
            if cyclic:
                chosen, _ = keep_trying(graph, tick)
            if not graph.won[0] and chosen[0] < 0:
                return record.unsolvable(cyclic=cyclic)
            cost = math.inf if least is None else least
            return record.solved(_plan(graph, chosen, unfolding.model), cost, cost)
        return record.undecided()


def _plan(graph: BeliefGraph, chosen: Integers32, model: ObservedModel[Any, Action]) -> ConditionalPlan[Action, Any]:
    """Return the plan that takes the chosen options; its states are the bit sets of the view."""
    action_in: dict[int, Action] = {}
    frontier = [0]
    met = {0}
    for node in frontier:  # grows while it is walked
        option = int(chosen[node])
        if option < 0:
            continue
        action_in[mask_of_words(graph.beliefs[node])] = model.actions[graph.actions[option]]
        for child in graph.children[graph.first_child[option] : graph.first_child[option + 1]].tolist():
            if child not in met:
                met.add(child)
                frontier.append(child)
    return plan_graph(model.view, model.view.initial_node(), action_in.__getitem__)
