"""Sides and dominance: the compiled form against the plain one, and that against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.engine.bits.sensorless import BitsetView
from beliefsearch.engine.compiled import frontier as array_side
from beliefsearch.engine.compiled import set_index
from beliefsearch.engine.compiled.bitset_words import word_count, words_of_mask
from beliefsearch.engine.compiled.frontier import ArraySide, array_sides
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.engine.compiled.set_index import ArrayDominance
from beliefsearch.solvers.path.dominance import ListedDominance
from beliefsearch.solvers.path.regression import ListedSide, listed_sides
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.vacuum import VacuumProblem

from ..examples import examples
from ..random_problems import TableBeliefProblem, belief_problems, large_belief_problem, states_that_come_up


def no_tick() -> None:
    pass


def masks(side: ListedSide[int, str] | ArraySide[str]) -> list[int]:
    """The sets of the last layer, in order."""
    if isinstance(side, ListedSide):
        return list(side.layer)
    return [int.from_bytes(row.tobytes(), "little") for row in side.layer]


def assert_same_sides(problem: TableBeliefProblem, layers: int) -> None:
    bits, compiled = BitsetView(problem), CompiledView(problem)
    listed_ahead, listed_behind, _ = listed_sides(bits, no_tick)
    array_ahead, array_behind, _ = array_sides(compiled, no_tick)
    assert bits.model.states == compiled.model.states
    for listed, array in ((listed_ahead, array_ahead), (listed_behind, array_behind)):
        for _ in range(layers):
            assert masks(listed) == masks(array)
            assert (len(listed), listed.known, listed.kept) == (len(array), array.known, array.kept)
            assert listed.max_size() == array.max_size()
            for number in range(len(listed)):
                assert listed.path(number) == array.path(number)
            assert listed.advance() == array.advance()


@given(problem=belief_problems())
def test_both_forms_of_a_side_have_the_same_layers(problem: TableBeliefProblem) -> None:
    assert_same_sides(problem, 6)


@pytest.mark.parametrize(("size", "most_results"), [(70, 1), (130, 2), (260, 1)])
def test_both_forms_of_a_side_have_the_same_layers_of_several_words(size: int, most_results: int) -> None:
    assert_same_sides(large_belief_problem(3, size, letters=2, most_results=most_results), 5)


@pytest.mark.parametrize(("limit", "most"), [("_GENERATED", 3), ("_MEMBERS", 200)])
def test_a_side_in_many_small_pieces_is_the_side_in_one(monkeypatch: pytest.MonkeyPatch, limit: str, most: int) -> None:
    problem = large_belief_problem(5, 70, letters=2)
    whole = array_sides(CompiledView(problem), no_tick)[:2]
    for side in whole:
        for _ in range(5):
            side.advance()
    monkeypatch.setattr(set_index, "_PAIRS_AT_ONCE", 7)
    monkeypatch.setattr(array_side, limit, most)
    ticks = []
    pieces = array_sides(CompiledView(problem), lambda: ticks.append(1))[:2]
    for side, other in zip(whole, pieces, strict=True):
        for _ in range(5):
            other.advance()
        assert masks(side) == masks(other)
        assert (side.known, side.kept, side.max_size()) == (other.known, other.kept, other.max_size())
        assert [side.path(number) for number in range(len(side))] == [other.path(n) for n in range(len(other))]
    assert len(ticks) > 100


def test_limits_are_heard_while_the_relations_of_all_actions_are_put_together() -> None:
    ticks = []
    model = CompiledView(large_belief_problem(5, 70, letters=2), lambda: ticks.append(1)).model
    model.relations()
    ticks.clear()
    assert len(model.forward.offsets) == len(ticks) == len(model.actions)
    assert len(model.backward.offsets) == len(ticks) // 2 == len(model.actions)


@settings(max_examples=examples(75))
@given(problem=belief_problems())
def test_layers_hold_the_minimal_images_and_the_maximal_preimages(problem: TableBeliefProblem) -> None:
    states = states_that_come_up(problem)
    names = {name for state in states for name in problem.table[state]}
    view = BitsetView(problem)
    ahead, behind, _ = listed_sides(view, no_tick)

    def image(belief: frozenset[int], name: str) -> frozenset[int] | None:
        if any(name not in problem.table[state] for state in belief):
            return None
        return frozenset(result for state in belief for result in problem.table[state][name])

    def preimage(belief: frozenset[int], name: str) -> frozenset[int] | None:
        sure = (s for s in states if name in problem.table[s] and set(problem.table[s][name]) <= belief)
        return frozenset(sure) or None

    won = {frozenset(goals & states) for goals in problem.goals} - {frozenset()}
    for side, step, first in ((ahead, image, {frozenset(problem.starts)}), (behind, preimage, won)):
        met = set(first)
        layer = set(first)
        for _ in range(4):
            # Without pruning: every set that comes up. The side's are those that no other one dominates.
            best = {
                one
                for one in layer
                if not any((other < one if side is ahead else other > one) for other in met) and one not in met - layer
            }
            assert {frozenset(view.members(mask)) for mask in side.layer} == best
            layer = {after for belief in layer for name in names if (after := step(belief, name)) is not None} - met
            met |= layer
            side.advance()


@pytest.mark.parametrize("solver", ["regression", "bidirectional"])
@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_a_bound_is_proved_layer_by_layer(solver: str, engine: str) -> None:
    from beliefsearch import Observer

    class Bounds(Observer):
        def __init__(self) -> None:
            self.heard: list[int] = []

        def layer_finished(self, bound: int, frontier: int, reached: int) -> None:
            self.heard.append(bound)

    observer = Bounds()
    result = solve(VacuumProblem(squares=3), solver=solver, engine=engine, observer=observer)
    assert result.cost == 7
    assert observer.heard == list(range(1, 8))


# Dominance.

costs = st.one_of(st.integers(0, 5), st.fractions(0, 3, max_denominator=7), st.floats(0, 5))


@pytest.mark.parametrize("size", [5, 64, 150])
@given(data=st.data())
def test_dominance_is_a_subset_at_no_greater_cost(size: int, data: st.DataObject) -> None:
    width = word_count(size)
    compiled = ArrayDominance(width)
    listed: ListedDominance[int] = ListedDominance(_Masks())
    kept: list[tuple[int, Any]] = []
    places = st.sets(st.sampled_from([0, 1, 2, size // 2, size - 1]), min_size=1)
    for _ in range(data.draw(st.integers(1, 25))):
        mask = sum(1 << place for place in data.draw(places))
        g = data.draw(st.integers(0, 4))
        row = words_of_mask(mask, width).tobytes()
        expected = any(other & ~mask == 0 and other_g <= g for other, other_g in kept)
        assert compiled.dominates(row, g) == listed.dominates(mask, g) == expected
        if data.draw(st.booleans()):
            kept.append((mask, g))
            compiled.add(row, g)
            listed.add(mask, g)


@given(kept=costs, new=costs)
def test_rounding_of_costs_never_prunes_what_is_cheaper(kept: Any, new: Any) -> None:
    dominance = ArrayDominance(1)
    row = words_of_mask(1, 1).tobytes()
    dominance.add(row, kept)
    if dominance.dominates(row, new):
        assert kept <= new


def test_dominance_keeps_as_many_beliefs_as_there_are() -> None:
    dominance = ArrayDominance(2)
    rows = [words_of_mask(1 << place % 128 | 1 << (7 * place + 1) % 128, 2).tobytes() for place in range(3000)]
    for row in rows:
        dominance.add(row, 3)
    assert all(dominance.dominates(row, 3) for row in rows)
    assert not any(dominance.dominates(row, 2) for row in rows)
    assert not dominance.dominates(np.zeros(2, dtype=np.uint64).tobytes(), 3)


class _Masks:
    """What `ListedDominance` needs of a view, for ints."""

    def includes(self, large: int, small: int) -> bool:
        return not small & ~large

    def size(self, belief: int) -> int:
        return belief.bit_count()


@pytest.mark.parametrize("engine", ["bits", "compiled"])
def test_dominance_saves_expansions_and_changes_no_cost(engine: str) -> None:
    problem = ResetWordProblem(random=24, letters=2, seed=3)
    for solver in ("breadth-first", "uniform-cost", "astar"):
        plain, pruned = (solve(problem, solver=solver, engine=engine, dominance=pruning) for pruning in (False, True))
        assert plain.cost == pruned.cost
        assert pruned.stats.expanded < plain.stats.expanded
