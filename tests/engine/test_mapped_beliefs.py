"""Reached beliefs as a map of bits against the same beliefs as a list."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, Status, check_plan, solve
from beliefsearch.engine.compiled import bitmap_visited as mapped_beliefs
from beliefsearch.engine.compiled import hashed_visited as listed_beliefs
from beliefsearch.engine.compiled.bitmap_visited import MappedBeliefs
from beliefsearch.engine.compiled.breadth_first import ReachedBeliefs
from beliefsearch.engine.compiled.hashed_visited import ListedBeliefs, Outcome
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch_problems.reset_word import ResetWordProblem

from ..examples import examples
from ..random_problems import large_belief_problem


def expanded(model: Any, calls: list[tuple[int, int]]) -> tuple[ReachedBeliefs, list[Outcome]]:
    """The beliefs reached once expansions or successors came to these numbers, and then to the end."""
    reached = ReachedBeliefs(model)
    outcomes: list[Outcome] = []
    for most_expanded, most_generated in [*calls, (1 << 60, 1 << 60)]:
        outcome = Outcome.FULL
        while outcome is Outcome.FULL:
            outcome = reached.expand_next(most_expanded, most_generated)
        outcomes.append(outcome)
        if outcome is not Outcome.PAUSED:
            break
    return reached, outcomes


def waiting(reached: ReachedBeliefs) -> list[int]:
    head, count = reached.counters.head, reached.counters.reached
    form = reached.form
    if isinstance(form, ListedBeliefs):
        return [int(row) for row in form.visited.beliefs[head:count, 0]]
    return [int(form.waiting[place % len(form.waiting)]) for place in range(head, count)]


@settings(max_examples=examples(60))
@given(
    seed=st.integers(0, 2**32),
    size=st.integers(4, 13),
    letters=st.integers(1, 5),
    results=st.integers(1, 3),
    goals=st.integers(0, 2),
    capacity=st.sampled_from([2, 4, 16, 64]),
    calls=st.lists(st.tuples(st.integers(0, 300), st.integers(1, 200)), max_size=4),
)
def test_a_map_finds_what_a_list_finds_in_the_same_order(
    seed: int, size: int, letters: int, results: int, goals: int, capacity: int, calls: list[tuple[int, int]]
) -> None:
    problem = large_belief_problem(seed, size, letters=letters, most_results=results, goals=goals)
    model: Any = CompiledView(problem).model
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(listed_beliefs, "FIRST_CAPACITY", capacity)
        patch.setattr(mapped_beliefs, "_BLOCK", 1)
        patch.setattr(mapped_beliefs, "_PIECE", 3)
        patch.setattr(MappedBeliefs, "pays", lambda *_: False)
        listed, expected = expanded(model, calls)
        patch.setattr(MappedBeliefs, "pays", lambda *_: True)
        mapped, outcomes = expanded(model, calls)
        path = mapped.form.path_to_last()
    assert outcomes[-1] == expected[-1]  # pauses in between come as often as there is room
    assert mapped.counters == listed.counters
    assert path == listed.form.path_to_last()
    assert waiting(mapped) == waiting(listed)
    if isinstance(mapped.form, MappedBeliefs):
        assert isinstance(listed.form, ListedBeliefs)
        bits = np.flatnonzero(np.unpackbits(mapped.form.map.view(np.uint8), bitorder="little"))
        assert sorted(int(row) for row in listed.form.visited.beliefs[: len(listed), 0]) == bits.tolist()


def test_limits_stop_a_mapped_search_with_the_bound_of_its_last_layer() -> None:
    problem = ResetWordProblem(cerny=18)
    options: Any = {"solver": "breadth-first", "engine": "compiled"}
    for most in (60_000, 60_001):
        stopped = solve(problem, limits=Limits(expanded=most), **options)
        assert (stopped.status, stopped.stats.expanded) == (Status.UNDECIDED, most)
        assert 0 < stopped.lower_bound <= 17**2  # published
    found = solve(problem, **options)
    assert found.cost == 17**2
    assert check_plan(problem, found.require_plan()).holds


def test_a_map_is_made_only_where_it_takes_less_than_a_longer_list() -> None:
    # 30 states: a bit for each belief takes 128 MiB, which a few thousand beliefs do not need.
    few = ReachedBeliefs(CompiledView(ResetWordProblem(cerny=30)).model)
    while len(few) < 10_000:
        few.expand_next(1 << 60, 1 << 10)
    assert isinstance(few.form, ListedBeliefs)
    assert few.form.nbytes < 2**20
    # 20 states: 128 KiB.
    model: Any = CompiledView(ResetWordProblem(cerny=20)).model
    many = ReachedBeliefs(model)
    while isinstance(many.form, ListedBeliefs):
        bytes_before, pays = many.form.nbytes_with_room, MappedBeliefs.pays(model, many.form)
        many.expand_next(1 << 60, 1 << 10)
    assert pays
    assert many.form.nbytes <= bytes_before
    with_map = len(many)
    while many.expand_next(1 << 60, 1 << 16) in (Outcome.PAUSED, Outcome.FULL):
        pass
    assert len(many) == 2**20 - 20 > 100 * with_map  # published
    assert many.form.nbytes < 4 * len(many)  # a list takes 22 bytes and more for each


def test_beliefs_wider_than_a_word_stay_listed() -> None:
    reached = ReachedBeliefs(CompiledView(ResetWordProblem(random=70)).model)
    assert isinstance(reached.form, ListedBeliefs)
    assert not MappedBeliefs.pays(reached._model, reached.form)
