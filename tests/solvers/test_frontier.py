"""The frontier of a best-first search against a heap of entries, which defines its order."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Limits, Observer, solve
from beliefsearch.solvers.path import search_tree as frontier_module
from beliefsearch.solvers.path.search_tree import Frontier
from beliefsearch_problems.nine_tails import NineTailsProblem

NUMBERS = st.sampled_from([0, 1, 2, 1.0, Fraction(1, 2), 0.5])


@given(steps=st.lists(st.none() | st.tuples(NUMBERS, NUMBERS), max_size=120), long=st.sampled_from([2, 3, 32]))
def test_states_come_by_key_then_larger_cost_then_age(steps: list[tuple[Any, Any] | None], long: int) -> None:
    frontier: Frontier[int] = Frontier()
    heap: list[tuple[Any, Any, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontier_module, "_LONG", long)
        for age, step in enumerate(steps):
            if step is not None:
                key, g = step
                frontier.add(key, g, age)
                heappush(heap, (key, -g, age))
            elif heap:
                assert frontier.keys[0] == heap[0][:2]
                assert frontier.pop() == heappop(heap)[2]
                assert len(frontier.in_hand) == 1
            assert frontier.size == len(heap)
            assert sorted(frontier) == sorted((-minus_g, state) for _, minus_g, state in heap)


class Hearing(Observer):
    def __init__(self) -> None:
        self.heard = 0

    def generated(self, state: object, action: object, child: object, g: object) -> None:
        self.heard += 1


@pytest.mark.parametrize("solver", ["breadth-first", "astar", "uniform-cost", "ida-star", "bidirectional"])
@pytest.mark.parametrize("most", [1, 7, 40, None])
def test_every_successor_is_counted_even_if_nobody_hears(
    solver: str, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0
    result, predecessors = NineTailsProblem.result, NineTailsProblem.predecessors

    def counted_result(self: Any, state: str, action: Any) -> Any:
        nonlocal made
        made += 1
        return result(self, state, action)

    def counted_predecessors(self: Any, state: str) -> Any:
        nonlocal made
        before, found = made, predecessors(self, state)
        made = before + len(found)
        return found

    monkeypatch.setattr(NineTailsProblem, "result", counted_result)
    monkeypatch.setattr(NineTailsProblem, "predecessors", counted_predecessors)
    limits, hearing = Limits(expanded=most), Hearing()
    loud = solve(NineTailsProblem("HHHTTTHHH"), solver=solver, limits=limits, observer=hearing)
    assert loud.stats.generated == hearing.heard > 0
    made = 0
    silent = solve(NineTailsProblem("HHHTTTHHH"), solver=solver, limits=limits)
    assert silent.stats.generated == loud.stats.generated
    if solver != "bidirectional":  # which stops where the two ends meet, with predecessors left over
        assert silent.stats.generated == made
