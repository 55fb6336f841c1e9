"""Layers of codes against a breadth-first search with a dictionary."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from hypothesis import given

from beliefsearch.engine.layers.belief_space import BeliefSpace
from beliefsearch.engine.layers.in_memory import MemoryLayers
from beliefsearch.engine.layers.space import Layers, Space
from beliefsearch.engine.layers.state_space import BackwardSpace, StateSpace
from beliefsearch.engine.layers.two_bits import TableLayers
from beliefsearch.views.contingent import FrozensetContingentView
from beliefsearch.views.sensorless import SensorlessView

from ...contingent_problems import SightedTable, sighted_problems
from ...random_problems import TableBeliefProblem, belief_problems
from .coded_table import CodedTable, coded_tables, naive_layers

Kind = Callable[[Space], Layers]


def assert_layers_are(found: Layers, expected: list[set[Any]], space: Space) -> None:
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


@given(problem=coded_tables())
def test_all_states_are_found_layer_by_layer(problem: CodedTable) -> None:
    space = StateSpace(problem)
    expected = naive_layers([0], lambda state: problem.table[state].values())
    assert_layers_are(MemoryLayers(space), expected, space)


@given(problem=coded_tables(bounded=True))
def test_a_table_of_two_bits_finds_the_same(problem: CodedTable) -> None:
    space = StateSpace(problem)
    expected = naive_layers([0], lambda state: problem.table[state].values())
    assert_layers_are(TableLayers(space), expected, space)


@given(problem=coded_tables(bounded=True).filter(lambda problem: problem.won))
def test_states_are_found_backwards_from_the_goals(problem: CodedTable) -> None:
    space = BackwardSpace(problem)
    before = {s: [o for o, row in enumerate(problem.table) if s in row.values()] for s in range(len(problem.table))}
    expected = naive_layers(problem.won, before.__getitem__)
    for kind in (MemoryLayers, TableLayers):
        assert_layers_are(kind(space), expected, space)
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


def belief_kinds(space: Space) -> list[Layers]:
    return [MemoryLayers(space), TableLayers(space)]


@given(problem=belief_problems())
def test_all_beliefs_are_found_where_nothing_is_perceived(problem: TableBeliefProblem) -> None:
    view = SensorlessView[int, str](problem)
    space = BeliefSpace(problem)
    expected = naive_layers(
        [view.initial_state()], lambda belief: [view.result(belief, action) for action in view.actions(belief)]
    )
    for kind in belief_kinds(space):
        assert_layers_are(kind, expected, space)


@given(problem=sighted_problems())
def test_all_beliefs_are_found_by_percept(problem: SightedTable) -> None:
    view = FrozensetContingentView(problem)
    space = BeliefSpace(problem)

    def following(belief: frozenset[int]) -> list[frozenset[int]]:
        return [other for action in view.actions(belief) for _, other in view.outcomes(belief, action)]

    expected = naive_layers([view.initial_node()], following)
    for kind in belief_kinds(space):
        assert_layers_are(kind, expected, space)
