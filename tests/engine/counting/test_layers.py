"""Layers of codes against a breadth-first search with a dictionary."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from beliefsearch.belief_space.contingent import FrozensetContingentView
from beliefsearch.belief_space.sensorless import SensorlessView
from beliefsearch.engine.counting import growing_layers as choose
from beliefsearch.engine.counting import memory_layers as walk
from beliefsearch.engine.counting import two_bit_layers as two_bits
from beliefsearch.engine.counting.belief_codes import BeliefSpace
from beliefsearch.engine.counting.codes import BackwardSpace, Space, StateSpace, least, unique
from beliefsearch.engine.counting.executors import Threads
from beliefsearch.engine.counting.growing_layers import GrowingLayers
from beliefsearch.engine.counting.hashed_layers import HashedLayers
from beliefsearch.engine.counting.memory_layers import MemoryLayers, Walk
from beliefsearch.engine.counting.two_bit_layers import TableLayers
from beliefsearch_problems.pancakes import PancakesProblem

from ...contingent_problems import SightedTable, sighted_problems
from ...random_problems import TableBeliefProblem, belief_problems
from .coded_table import CodedTable, coded_tables, naive_layers


@pytest.fixture(autouse=True, scope="module")
def all_is_small() -> Iterator[None]:
    """Pieces, lists and stretches of a few codes each, and layers that grow at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "_MOST_WORDS", 32)
        patch.setattr(walk, "_FIRST_WORDS", 8)
        patch.setattr(two_bits, "_FEWEST_LISTED", 3)
        patch.setattr(two_bits, "_STRETCH", 2)
        patch.setattr(two_bits, "_SOUGHT", 32)
        patch.setattr(choose, "_LITTLE_WORK", 60)
        patch.setattr(choose, "_PART", 1)
        yield


def kinds_for(space: Space) -> list[Walk | GrowingLayers]:
    """The layers in every form."""
    kinds: list[Any] = [
        MemoryLayers(space),
        HashedLayers(space, engine=Threads(3)),
        GrowingLayers(space),
    ]
    return kinds if space.bound is None else [*kinds, TableLayers(space, engine=Threads(3))]


def assert_layers_are(found: Any, expected: list[set[Any]], space: Space) -> None:
    for distance, layer in enumerate(expected):
        assert found.counts[distance] == len(layer)
        last = found.last(len(layer) + 1)
        assert set(space.values(last)) == layer
        assert last.tolist() == sorted(last.tolist())
        for most in (0, 1, len(layer) // 2):
            assert found.last(most).tolist() == last[:most].tolist()
        assert found.advance() == (len(expected[distance + 1]) if distance + 1 < len(expected) else 0)
    assert found.counts == list(map(len, expected))
    assert set(space.values(found.last(10**6))) == expected[-1]


@given(problem=coded_tables() | coded_tables(bounded=True))
def test_all_states_are_found_layer_by_layer(problem: CodedTable) -> None:
    space = StateSpace(problem)
    expected = naive_layers([0], lambda state: problem.table[state].values())
    for layers in kinds_for(space):
        assert_layers_are(layers, expected, space)


@given(problem=coded_tables(bounded=True).filter(lambda problem: problem.won))
def test_states_are_found_backwards_from_the_goals(problem: CodedTable) -> None:
    space = BackwardSpace(problem)
    before = {s: [o for o, row in enumerate(problem.table) if s in row.values()] for s in range(len(problem.table))}
    expected = naive_layers(problem.won, before.__getitem__)
    for layers in kinds_for(space):
        assert_layers_are(layers, expected, space)
    codes = problem.codes(range(len(problem.table)))
    for number, action in enumerate(problem.all_actions()):
        origins, rows = space.results(codes, number)
        pairs = [(state, row[action]) for state, row in enumerate(problem.table) if action in row]
        assert sorted(zip(space.values(origins), rows.tolist(), strict=True)) == sorted(pairs)


@given(problem=coded_tables())
def test_results_and_goals_of_states_are_those_of_the_problem(problem: CodedTable) -> None:
    space: StateSpace = pickle.loads(pickle.dumps(StateSpace(problem)))
    states = range(len(problem.table))
    codes = problem.codes(states)
    assert space.goals(codes).tolist() == [state in problem.won for state in states]
    for number, action in enumerate(problem.all_actions()):
        results, rows = space.results(codes, number)
        pairs = [(state, row[action]) for state, row in enumerate(problem.table) if action in row]
        assert list(zip(rows.tolist(), space.values(results), strict=True)) == pairs


# So many nodes that every form is grown into, and several threads enter the same codes.
def test_layers_that_change_their_form_count_the_same() -> None:
    class Powers(CodedTable):
        """From each number below the bound one comes to a multiple of it, and to the next one."""

        def results_of(self, codes: Any, action: str) -> tuple[Any, Any]:
            return (codes * 3 if action == "a" else codes + 1) % (self.bound or 1), None

        def all_actions(self) -> list[str]:
            return ["a", "b"]

    size = 10_007
    space = StateSpace(Powers(({},), ((1,),), frozenset(), size))
    expected = [len(layer) for layer in naive_layers([1], lambda code: [code * 3 % size, (code + 1) % size])]
    for layers in kinds_for(space):
        while layers.advance():
            pass
        assert layers.counts == expected


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("most", [0, 1, 1_000, 10**6])
def test_the_least_of_many_codes(words: int, most: int) -> None:
    codes = np.random.default_rng(words).integers(0, 2**18, (40_000, words), dtype=np.uint64)
    assert np.array_equal(least(codes, most), unique(codes)[:most])


@given(problem=belief_problems())
def test_all_beliefs_are_found_where_nothing_is_perceived(problem: TableBeliefProblem) -> None:
    view = SensorlessView[int, str](problem)
    space = BeliefSpace(problem)
    expected = naive_layers(
        [view.initial_state()], lambda belief: [view.result(belief, action) for action in view.actions(belief)]
    )
    for layers in kinds_for(space):
        assert_layers_are(layers, expected, space)


@given(problem=sighted_problems())
def test_all_beliefs_are_found_by_percept(problem: SightedTable) -> None:
    view = FrozensetContingentView(problem)
    space = BeliefSpace(problem)

    def following(belief: frozenset[int]) -> list[frozenset[int]]:
        return [other for action in view.actions(belief) for _, other in view.outcomes(belief, action)]

    expected = naive_layers([view.initial_node()], following)
    for layers in kinds_for(space):
        assert_layers_are(layers, expected, space)


def test_pieces_do_not_shrink_to_nothing_on_a_slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece takes as long as all that was reached is large; smaller ones would only make it more of them."""
    clock = count()
    monkeypatch.setattr(walk, "_FIRST_WORDS", 1 << 12)
    monkeypatch.setattr(walk, "thread_time", lambda: next(clock))  # a second a piece
    layers = MemoryLayers(StateSpace(PancakesProblem((1, 2, 3, 4, 5, 6, 7))))
    while layers.advance():
        pass
    assert layers.reached == 5040
    assert next(clock) <= 2 * (5040 * 6 / 4096 + len(layers.counts) + 1)
