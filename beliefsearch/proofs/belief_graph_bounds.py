"""The graph of all beliefs that proofs for contingent problems ask, on arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..engine.bits.contingent import BitsetContingentView
from ..engine.compiled.belief_graph import keep_trying, least_costs, price_in
from ..engine.compiled.belief_graph_builder import Unfolding
from ..engine.compiled.bitset_words import mask_of_words
from ..engine.compiled.observed_model import observed_model
from ..model.base import Cost


class ArrayGraph:
    """The graph on arrays; raises `EffortExceeded` if that takes more pairs of a state and an action, or steps."""

    def __init__(
        self, view: BitsetContingentView[Any, Any], tick: Callable[[], None], *, most_pairs: int, most_steps: int
    ) -> None:
        unfolding = Unfolding(observed_model(view, tick, most_pairs))
        unfolding.finish(tick, most_steps=most_steps)
        self._tick = tick
        self._model = unfolding.model
        self._graph = unfolding.graph()
        self.children_of = self._graph.children_of

    def belief(self, number: int) -> int:
        """The belief with this number."""
        return mask_of_words(self._graph.beliefs[number])

    def cost_of(self) -> Callable[[int], Cost]:
        """The function from a belief to its least worst-case cost, perhaps infinite."""
        _, found = least_costs(self._graph, price_in(self._graph, self._model), self._tick)

        def cost(number: int) -> Cost:
            least = found(number)
            return math.inf if least is None else least

        return cost

    def rank_of(self) -> Callable[[int], Cost]:
        """The function from a belief to the round in which it was found to be lost, infinite if it is not."""
        ranks = keep_trying(self._graph, self._tick)[1].tolist()
        return lambda number: ranks[number] or math.inf
