"""Cores: what is found proves the bound, whatever is known of the sets that are won, and no more than the bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.engine.compiled import core_index, core_search
from beliefsearch.engine.compiled.frontier import ArraySide
from beliefsearch.engine.compiled.jit import kernel
from beliefsearch.proofs import exhaustion as finder
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.cores import proof_by_cores
from beliefsearch.proofs.finder import unreduced
from beliefsearch.running.limits import EffortExceeded
from beliefsearch_problems.reset_word import ResetWordProblem

from ..examples import examples
from ..proofs.test_laws import long_problem
from ..random_problems import exact_belief_costs


def no_tick(cores: int) -> None:
    pass


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10**6), depth=st.integers(0, 3), small=st.booleans())
def test_cores_prove_what_is_true_and_no_more(seed: int, depth: int, small: bool) -> None:
    problem = long_problem(seed, None)
    cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    view, _ = unreduced(problem, lambda: None)
    goals = view.model.goals[view.model.goals.any(axis=1)]
    if not 0 < cost < 20 or not len(goals):
        return
    side = ArraySide(view.model, goals, backwards=True, tick=no_tick)
    layers = [side.layer]
    for _ in range(depth):
        side.advance()
        layers.append(side.layer)
    with pytest.MonkeyPatch.context() as patch:
        if small:  # nothing is counted, everything is filed
            patch.setattr(core_search, "_MOST_COUNTS", 0)
            patch.setattr(core_search, "_FIRST_ROOM", 1)
        proof = proof_by_cores(view, int(cost), layers, no_tick)
        assert proof is not None
        assert check_proof(problem, proof) == cost
        assert proof_by_cores(view, int(cost) + 1, layers, no_tick) is None


@kernel
def places_found(sets: Any, queries: Any, values: int, index: Any, found: Any) -> None:
    members = np.empty(core_index.room_for(sets.shape[1]), dtype=np.int64)
    for row in range(len(sets)):
        core_index.file_set(sets, index, row, row % values, members)
    for number in range(len(queries)):
        for value in range(values):
            found[number, value] = core_index.find_inside(sets, index, queries[number], value, members)


def test_a_set_inside_a_query_is_found_if_there_is_one() -> None:
    random = np.random.default_rng(1)
    bits = random.random((3000, 70)) < 0.05
    bits[bits.sum(axis=1) == 0, 3] = True
    asked = random.random((300, 70)) < random.choice([0.1, 0.3, 0.6], (300, 1))
    asked[0] = False
    sets, queries = (np.packbits(np.pad(rows, ((0, 0), (0, 58))), axis=1, bitorder="little") for rows in (bits, asked))
    found = np.empty((300, 2), dtype=np.int64)
    index = core_index.inside_index(2, random.permutation(70), len(sets))
    places_found(sets.view(np.uint64), queries.view(np.uint64), 2, index, found)
    inside: Any = ~(bits[np.newaxis] & ~asked[:, np.newaxis]).any(axis=2)
    for value in (0, 1):
        rows = found[:, value]
        assert ((rows >= 0) == inside[:, value::2].any(axis=1)).all()
        some = rows >= 0
        assert 50 < some.sum() < 300
        assert inside[some, rows[some]].all()
        assert (rows[some] % 2 == value).all()


@pytest.mark.parametrize("places", [1 << 7, 1 << 18])
def test_many_cores_are_found_again(places: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_index, "_MOST_PLACES", places)  # with few places many sets share one
    problem = ResetWordProblem(random=60, seed=3)
    view, _ = unreduced(problem, lambda: None)
    layers = [view.model.goals]
    found = core_search.core_search(view.model, 15, layers, no_tick)
    assert found is not None
    assert len(found.sets) > 1000
    proof = proof_by_cores(view, 15, layers, no_tick)
    assert proof is not None
    assert check_proof(problem, proof) == 15


def test_the_more_sets_are_known_behind_the_fewer_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = ResetWordProblem(random=60, seed=3)
    view, _ = unreduced(problem, lambda: None)
    monkeypatch.setattr(finder, "_FIRST_BEHIND", 30)
    monkeypatch.setattr(core_search, "_AT_ONCE", 16)
    counts = []
    for each in (10**6, 2):  # as many cores as they are, or more sets behind
        monkeypatch.setattr(finder, "_CORES_EACH", each)
        proof: Any = finder.exhaustion(view, 15, lambda: None)
        assert check_proof(problem, proof) == 15
        counts.append(proof["table"].get("entries") or len(proof["table"]["beliefs"]))
    assert counts[1] < counts[0]


def test_cores_that_take_too_much_are_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    view, _ = unreduced(ResetWordProblem(random=60, seed=3), lambda: None)
    monkeypatch.setattr(core_search, "_AT_ONCE", 16)
    monkeypatch.setattr(finder, "_MOST_OF_CORES", -1)
    with pytest.raises(finder.TooLong):
        finder.exhaustion(view, 15, lambda: None)
    with pytest.raises(EffortExceeded):
        finder.exhaustion(view, 15, lambda: None, 1000)
