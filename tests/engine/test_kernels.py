"""The compiled inner loops against their definitions on sets, and byte tables against sparse lists."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, Status, solve
from beliefsearch.belief_space.sensorless import BeliefView, SensorlessView
from beliefsearch.engine.bits.sensorless import BitsetView
from beliefsearch.engine.compiled.bitmap_visited import MappedBeliefs
from beliefsearch.engine.compiled.bitset_kernels import hash_of, includes, is_goal, size_of, which_include
from beliefsearch.engine.compiled.bitset_words import Words, word_count, words_of_mask
from beliefsearch.engine.compiled.breadth_first import ReachedBeliefs
from beliefsearch.engine.compiled.hashed_visited import ListedBeliefs, Outcome
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch_problems.reset_word import ResetWordProblem

from ..examples import examples
from ..random_problems import TableBeliefProblem, belief_problems, belief_steps, states_that_come_up

# On both sides of a byte, a word, and the width up to which there are byte tables.
SIZES = [1, 7, 8, 9, 63, 64, 65, 130, 256, 257, 300]


def words(members: set[int], size: int) -> Words:
    return words_of_mask(sum(1 << number for number in members), word_count(size))


def drawn_set(chance: Random, size: int) -> set[int]:
    share = chance.choice([0, 0.02, 0.2, 0.7, 1])
    return {number for number in range(size) if chance.random() < share}


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_inclusion_size_and_goals_are_those_of_sets(size: int, seed: int) -> None:
    chance = Random(seed)
    small, large = drawn_set(chance, size), drawn_set(chance, size)
    if chance.random() < 0.5:
        large |= small
    assert includes(words(large, size), words(small, size)) == (small <= large)
    assert size_of(words(small, size)) == len(small)
    sets = [small & large, large, set(range(size)), set()]
    rows = np.array([words(members, size) for members in sets])
    assert which_include(rows, words(small, size)).tolist() == [small <= members for members in sets]
    goals = [drawn_set(chance, size) for _ in range(3)] + [large]
    around = [[goal for goal, members in enumerate(goals) if state in members] for state in range(size)]
    goals_of = np.cumsum([0, *map(len, around)])
    goals_around = np.array([goal for row in around for goal in row], dtype=np.int64)
    goal_rows = np.array([words(members, size) for members in goals])
    if small:
        won = any(small <= members for members in goals)
        assert is_goal(goal_rows, goals_of, goals_around, words(small, size)) == won


@pytest.mark.parametrize(("size", "first"), [(64, 0), (64, 26), (64, 52), (128, 52), (128, 116), (300, 52), (300, 288)])
def test_hashes_of_sets_that_differ_anywhere_spread_over_the_slots(size: int, first: int) -> None:
    # All subsets of twelve neighbouring states, with all others: chance would take 3,223 of 8,192 slots.
    others = set(range(size)) - set(range(first, first + 12))
    rest = sum(1 << state for state in others)
    hashes = [int(hash_of(words_of_mask(rest | subset << first, word_count(size)))) for subset in range(2**12)]
    assert len(set(hashes)) == 2**12
    assert len({number & 0x1FFF for number in hashes}) > 2500


@pytest.mark.parametrize("size", [64, 128])
def test_beliefs_that_differ_in_the_last_states_only_are_found_as_fast_as_others(size: int) -> None:
    # Action i moves one of the last fourteen states to state 0; 2^14 sets come up, some hundredths of a second's work.
    names = [f"x{i}" for i in range(14)]
    first = size - 14
    table: tuple[dict[str, tuple[int, ...]], ...] = tuple(
        {name: (0 if s == first + i else s,) for i, name in enumerate(names)} for s in range(size)
    )
    problem = TableBeliefProblem(tuple(range(size)), table, (frozenset({0}),))
    solve(problem, solver="breadth-first", engine="compiled", limits=Limits(expanded=1))  # compiles the kernels
    result = solve(problem, solver="breadth-first", engine="compiled", limits=Limits(seconds=2.5))
    assert result.status is Status.UNSOLVABLE
    assert result.stats.reached == 2**14
    assert result.stats.seconds < 2.5


# The step of breadth-first search.


def listed_form(reached: ReachedBeliefs) -> ListedBeliefs:
    assert isinstance(reached.form, ListedBeliefs)
    return reached.form


def expand_all(reached: ReachedBeliefs, most_generated: int) -> Outcome:
    outcome = Outcome.PAUSED
    while outcome in (Outcome.PAUSED, Outcome.FULL):
        outcome = reached.expand_next(1 << 60, most_generated)
    return outcome


@pytest.mark.parametrize("mapped", [False, True])
def test_many_beliefs_are_told_apart(mapped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Published: Cerny's automaton meets all sets of two or more states, and one single state.
    size = 17
    view = CompiledView(ResetWordProblem(cerny=size))
    reached = ReachedBeliefs(view.model)
    if not mapped:
        monkeypatch.setattr(MappedBeliefs, "pays", lambda *_: False)
    assert expand_all(reached, 1 << 40) is Outcome.GOAL
    if mapped:
        assert isinstance(reached.form, MappedBeliefs)
        assert np.bitwise_count(reached.form.map).sum() == 2**size - size
    else:
        assert len(np.unique(listed_form(reached).visited.beliefs[: len(reached), 0])) == 2**size - size
    assert len(reached) == 2**size - size
    assert reached.counters.max_size == size
    path = [view.model.actions[number] for number in reached.form.path_to_last()]
    assert len(path) == (size - 1) ** 2
    belief = view.initial_state()
    for action in path:
        belief = view.result(belief, action)
    assert view.size(belief) == 1


# Views.


@given(problem=belief_problems())
def test_the_compiled_view_walks_as_the_bit_set_view_does(problem: TableBeliefProblem) -> None:
    bits, compiled = BitsetView(problem), CompiledView(problem)
    frontier = [(bits.initial_state(), compiled.initial_state())]
    seen: set[int] = set()
    while frontier and len(seen) < 40:
        mask, row = frontier.pop()
        assert set(bits.members(mask)) == set(compiled.members(row))
        assert bits.is_goal(mask) == compiled.is_goal(row)
        assert bits.heuristic(mask) == compiled.heuristic(row)
        assert bits.size(mask) == compiled.size(row)
        assert list(bits.actions(mask)) == list(compiled.actions(row))
        for action in bits.actions(mask):
            assert bits.action_cost(mask, action) == compiled.action_cost(row, action)
            after = bits.result(mask, action), compiled.result(row, action)
            if after[0] not in seen:
                seen.add(after[0])
                frontier.append(after)
    assert bits.max_belief_size == compiled.max_belief_size


@settings(max_examples=examples(75))
@given(problem=belief_problems())
def test_preimages_are_the_states_that_are_sure_to_arrive(problem: TableBeliefProblem) -> None:
    states = sorted(states_that_come_up(problem))
    views: list[BeliefView[Any, int, str]] = [SensorlessView(problem), BitsetView(problem), CompiledView(problem)]
    names = {name for state in states for name in problem.table[state]}
    won = {frozenset(goals & set(states)) for goals in problem.goals} - {frozenset()}
    for view in views:
        assert sorted(view.all_actions()) == sorted(names)  # explores
    models: list[Any] = [getattr(view, "model", None) for view in views]
    beliefs = [belief for belief in {belief for belief, *_ in belief_steps(problem)} if belief <= set(states)]
    for view, model in zip(views, models, strict=True):
        assert {frozenset(view.members(goals)) for goals in view.goal_beliefs()} == won
        for belief in beliefs[:12]:
            node: Any = belief
            if model is not None:
                mask = sum(1 << model.states.index(state) for state in belief)
                node = mask if view is views[1] else words_of_mask(mask, 1).tobytes()
            for action in names:
                sure = frozenset(s for s in states if set(problem.table[s].get(action, (-1,))) <= belief)
                found = view.preimage(node, action)
                assert (frozenset() if found is None else frozenset(view.members(found))) == sure


def test_a_limit_of_expansions_is_kept_to_the_belief() -> None:
    for expanded in (0, 1, 7, 4095, 4096, 5000):
        result = solve(
            ResetWordProblem(cerny=14), solver="breadth-first", engine="compiled", limits=Limits(expanded=expanded)
        )
        assert result.stats.expanded == expanded
        assert result.reason == f"the limit of {expanded} expanded states was reached"
