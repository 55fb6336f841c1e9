"""Pairs where something is perceived: of all pairs of states a table has those that can come up."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.bits.contingent_view import BitsetContingentView
from ..engine.compiled.observed_model import observed_model
from ..engine.compiled.words import members_of_words, words_of_mask
from ..model.problem import Cost
from ..running.limits import Outgrown, TooDear
from .pair_table import PairTable

# What may come of all pairs, under all actions, is half a second's worth, and 150 MB.
_MOST_EDGES = 10_000_000


class ObservedPairs:
    """The heuristic where something is perceived: the largest value of two members in a `PairTable`.

    Raises `TooDear` where there are more pairs of a state and an action than `most_pairs`, too many pairs of states,
    or costs that the table cannot add up.
    """

    def __init__(self, view: BitsetContingentView[Any, Any], most_pairs: int | None) -> None:
        try:
            self._model = observed_model(view, view.tick, most_pairs)
        except Outgrown as outgrown:
            raise TooDear from outgrown
        self._table = PairTable(self._model, view.tick, _MOST_EDGES)

    def __call__(self, belief: int) -> Cost:
        return self._table.value(self._table.largest(self._members(belief)))

    def with_pair(self, belief: int) -> tuple[Cost, int]:
        """The estimate, and the belief of the one or two members that it is about."""
        members = self._members(belief)
        pair = self._table.largest(members)
        one, other = self._table.members(pair, members)
        return self._table.value(pair), 1 << one | 1 << other

    def _members(self, belief: int) -> NDArray[np.int64]:
        return members_of_words(words_of_mask(belief, self._model.width)).astype(np.int64)
