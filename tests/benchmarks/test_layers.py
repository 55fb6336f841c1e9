"""All stacks of pancakes by distance, one by one and as codes: `pytest -n 0 tests/benchmarks/test_layers.py`.

What is called target is for two cores that nobody else uses.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch.engine.counting.codes import StateSpace
from beliefsearch.engine.counting.hashed_layers import HashedLayers
from beliefsearch.engine.counting.memory_layers import MemoryLayers, Walk
from beliefsearch.engine.counting.two_bit_layers import TableLayers
from beliefsearch.tools import explore
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.reset_word import ResetWordProblem

from .measuring import once


def pancakes(count: int) -> PancakesProblem:
    return PancakesProblem(tuple(range(1, count + 1)))


# The four below are of one run: their ratios do not depend on the machine.


def test_nine_pancakes_one_by_one(benchmark: BenchmarkFixture) -> None:
    found = once(benchmark, lambda: explore(pancakes(9), engine="naive"))
    assert found.total == factorial(9)


@pytest.mark.parametrize("form", [MemoryLayers, HashedLayers, TableLayers])
def test_nine_pancakes_as_codes(benchmark: BenchmarkFixture, form: Callable[[StateSpace], Walk]) -> None:
    """Target: a tenth of the time of the one above as one run of codes, a thirtieth as sets, a fiftieth as a table."""

    def search() -> int:
        layers = form(StateSpace(pancakes(9)))
        while layers.advance():
            pass
        return sum(layers.counts)

    assert once(benchmark, search, rounds=3, warm=1) == factorial(9)


def test_eleven_pancakes(benchmark: BenchmarkFixture) -> None:
    """Target: 25 s."""
    found = once(benchmark, lambda: explore(pancakes(11)))
    assert (found.total, found.eccentricity) == (factorial(11), 13)


def test_all_sets_of_26_states(benchmark: BenchmarkFixture) -> None:
    """Target: 4 s; 60 s for 30 states, which take 16 times as much."""
    found = once(benchmark, lambda: explore(ResetWordProblem(cerny=26)))
    assert (found.total, found.eccentricity) == (2**26 - 1, 26 * 25)
