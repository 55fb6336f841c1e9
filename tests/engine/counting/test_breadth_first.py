"""Searches for plans that go on in a store: as the search in memory, wherever they are stopped."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from beliefsearch import Limits, solve
from beliefsearch.engine.counting import disk_breadth_first as breadth_first
from beliefsearch.engine.counting.codes import StateSpace
from beliefsearch.engine.counting.disk_breadth_first import plan_from_layers
from beliefsearch.engine.counting.disk_jobs import Sizes
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Serial
from beliefsearch.plans.result import Status
from beliefsearch.running.store.directory import Store
from beliefsearch.verify.plan import check_plan
from beliefsearch_problems.reset_word import ResetWordProblem

from ...random_problems import TableBeliefProblem, belief_problems
from .coded_table import CodedTable, coded_tables, naive_layers
from .test_on_disk import MEMORY, SUBJECT, sizes


@pytest.fixture(autouse=True)
def _disk_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room in memory, and nothing need be on the disk itself."""
    monkeypatch.setattr(breadth_first, "_PART", 1 << 60)
    monkeypatch.setattr("os.fsync", lambda file: None)


@given(problem=coded_tables() | coded_tables(bounded=True), size=sizes)
def test_a_plan_to_the_first_goal_is_found(problem: CodedTable, size: Sizes) -> None:
    space, actions = StateSpace(problem), problem.all_actions()
    layers = naive_layers([0], lambda state: problem.table[state].values())
    first = next((distance for distance, layer in enumerate(layers) if layer & problem.won), None)
    told: list[None] = []
    with TemporaryDirectory() as place, Store(Path(place), SUBJECT, resume=False) as store:
        kept = DiskLayers(space, store, Serial(), MEMORY, sizes=size, keep_layers=True)
        plan = plan_from_layers(kept, space, lambda: told.append(None))
    assert len(told) == (len(layers) if first is None else first)
    if plan is None:
        assert first is None
        return
    state = 0
    for action in plan:
        state = problem.result(state, actions[action])
    assert state in problem.won
    assert len(plan) == first


BREADTH_FIRST: Any = {"solver": "breadth-first", "engine": "compiled"}


@given(problem=belief_problems())
def test_it_is_as_good_as_the_search_in_memory(problem: TableBeliefProblem) -> None:
    expected = solve(problem, **BREADTH_FIRST)
    with TemporaryDirectory() as place:
        found = solve(problem, store=place, **BREADTH_FIRST)
        assert found.status is expected.status
        if found.plan is None or expected.plan is None:
            assert found.plan is expected.plan
            # On disk a layer waits at a time; in memory what is left of one, and what has been found of the next.
            assert found.stats.max_frontier <= expected.stats.max_frontier
            one, other = (evolve(result.stats, seconds=0, max_frontier=0) for result in (found, expected))
            assert one == other
        else:
            assert len(list(found.plan.as_sequence())) == len(list(expected.plan.as_sequence()))
            assert check_plan(problem, found.plan.as_sequence(), claimed_cost=found.cost).holds
        again = solve(problem, store=place, resume=True, **BREADTH_FIRST)
        assert (again.plan, again.cost) == (found.plan, found.cost)


def test_stopped_it_goes_on_and_in_the_end_only_the_answer_is_kept(tmp_path: Path) -> None:
    problem = ResetWordProblem(cerny=7)
    whole = solve(problem, store=tmp_path / "whole", **BREADTH_FIRST)
    assert whole.status is Status.SOLVED
    assert whole.cost == 36
    place = tmp_path / "stopped"
    for most in range(20, whole.stats.expanded, 25):
        part = solve(problem, store=place, resume=True, limits=Limits(expanded=most), **BREADTH_FIRST)
        assert part.status is Status.UNDECIDED
        assert part.lower_bound <= 36
        assert part.stats.expanded <= most
        assert any((place / "layers").iterdir())
    assert part.lower_bound > 20
    found = solve(problem, store=place, resume=True, **BREADTH_FIRST)
    assert evolve(found, stats=whole.stats) == whole
    assert evolve(found.stats, seconds=0) == evolve(whole.stats, seconds=0)
    assert not list(place.rglob("*.npy"))


def test_while_there_is_room_it_stays_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breadth_first, "_PART", 4)
    problem = ResetWordProblem(cerny=6)
    expected = solve(problem, **BREADTH_FIRST)
    found = solve(problem, store=tmp_path, **BREADTH_FIRST)
    assert evolve(found, stats=expected.stats) == expected
    assert not (tmp_path / "layers").exists()
