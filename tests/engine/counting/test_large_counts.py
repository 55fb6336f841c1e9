"""Counts that only tables of two bits can make in little time, as published or by theory; and what is too large."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from beliefsearch import Limits, Observer
from beliefsearch.engine.counting.codes import StateSpace
from beliefsearch.engine.counting.growing_layers import GrowingLayers
from beliefsearch.engine.counting.hashed_layers import HashedLayers
from beliefsearch.engine.counting.memory_layers import MemoryLayers, Walk
from beliefsearch.engine.counting.two_bit_layers import TableLayers
from beliefsearch.running.run import Run
from beliefsearch.tools import explore
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.reset_word import ResetWordProblem

from .coded_table import CodedTable

# OEIS A092113.
ELEVEN = (1, 10, 90, 809, 6429, 43891, 252737, 1174766, 4126515, 9981073, 14250471, 9123648, 956354, 6)


@pytest.mark.thorough
def test_eleven_pancakes() -> None:
    found = explore(PancakesProblem(tuple(range(1, 12))))
    assert (found.total, found.layers) == (39_916_800, ELEVEN)


@pytest.mark.thorough
def test_all_sets_of_24_states() -> None:
    # In Cerny's automaton every set but the empty one is reached, the last after a word of n (n - 1) letters.
    found = explore(ResetWordProblem(cerny=24))
    assert (found.total, found.eccentricity) == (2**24 - 1, 24 * 23)


class Doubling(CodedTable):
    """From each number one comes to the doubled one, and to the next after that."""

    def results_of(self, codes: Any, action: str) -> tuple[Any, Any]:
        after = codes * 2 + (action == "b")
        return after, (after < self.won_from).reshape(-1)

    def all_actions(self) -> list[str]:
        return ["a", "b"]

    @property
    def won_from(self) -> int:
        return 2**18


def doubling(bound: int | None) -> Doubling:
    return Doubling(({},), ((1,),), frozenset(), bound)


@pytest.mark.parametrize("bound", [2**18, 2**40, 2**63, None])
def test_a_bound_for_which_there_is_no_room_is_left_aside(bound: int | None) -> None:
    layers = GrowingLayers(StateSpace(doubling(bound)), Run.of(Limits(memory=2**30)))
    while layers.advance():
        pass
    assert layers.counts == [2**distance for distance in range(18)]
    assert layers.last(3).tolist() == [[2**17], [2**17 + 1], [2**17 + 2]]


class Impatient(Observer):
    """Presses Ctrl-C after so many nodes."""

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        if reached > 2**14:
            raise KeyboardInterrupt


@pytest.mark.parametrize("form", [MemoryLayers, HashedLayers, TableLayers])
def test_what_is_interrupted_keeps_the_layers_that_are_complete(form: Callable[..., Walk]) -> None:
    layers = form(StateSpace(doubling(2**16)), Run(observer=Impatient()))
    for _ in range(13):
        layers.advance()
    with pytest.raises(KeyboardInterrupt):
        layers.advance()
    assert layers.counts == [2**distance for distance in range(14)]
    assert np.array_equal(layers.last(2**15)[:, 0], np.arange(2**13, 2**14, dtype=np.uint64))
