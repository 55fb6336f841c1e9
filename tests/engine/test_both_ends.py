"""The search from both ends under an upper bound, against brute force; and what would be unsound in it."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from beliefsearch import BeliefProblem, Limits, solve
from beliefsearch.engine.compiled import bidirectional as both_ends
from beliefsearch.engine.compiled import bounded_bidirectional as bounded
from beliefsearch.engine.compiled import bounded_bidirectional as last_look
from beliefsearch.engine.compiled import bounded_bidirectional as side_costs
from beliefsearch.engine.compiled import bounded_bidirectional as upper_bound
from beliefsearch.engine.compiled.bidirectional import array_bidirectional_search
from beliefsearch.engine.compiled.bounded_bidirectional import SideCosts
from beliefsearch.engine.compiled.bounded_bidirectional import last_look as look
from beliefsearch.engine.compiled.frontier import ArraySide, Pruning
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.verify.plan import check_plan
from beliefsearch_problems.reset_word import ResetWordProblem

from ..random_problems import TableBeliefProblem, exact_belief_costs


def no_tick(pairs: int = 0) -> None:
    pass


def random_problem(chance: Random) -> TableBeliefProblem:
    """A problem of up to 7 states, mostly with a plan; in some of them one can wait, and in some not."""
    size = chance.randint(3, 7)
    sure = chance.random() < 0.5

    def results() -> tuple[int, ...]:
        return tuple({chance.randrange(size) for _ in range(1 + (chance.random() < 0.15))})

    table = tuple({name: results() for name in "abc" if sure or chance.random() < 0.9} for _ in range(size))
    starts = tuple(range(size)) if chance.random() < 0.4 else tuple(chance.sample(range(size), 2))
    goals = tuple(frozenset(chance.sample(range(size), chance.randint(1, 2))) for _ in range(chance.randint(1, 3)))
    return TableBeliefProblem(starts, table, goals)


def replayed(problem: BeliefProblem[int, str, None], plan: Any) -> int:
    """The number of actions of a plan that wins, by the checker."""
    assert plan is not None
    assert check_plan(problem, plan).holds
    return len(plan)


def shortest(problem: TableBeliefProblem) -> float:
    return exact_belief_costs(evolve(problem, costs=None))[frozenset(problem.starts)]


@pytest.mark.few(2)
@pytest.mark.parametrize("pairs", [0, 3])
@pytest.mark.parametrize("advances", [True, False])
def test_a_bounded_search_finds_the_fewest_actions(monkeypatch: pytest.MonkeyPatch, pairs: int, advances: bool) -> None:
    # A bound is looked for after a few layers; what is left is looked for in pieces of a few sets.
    monkeypatch.setattr(both_ends, "_LARGE", pairs)
    monkeypatch.setattr(upper_bound, "_NARROWEST", 1)
    monkeypatch.setattr(upper_bound, "_WIDEST", 0)
    monkeypatch.setattr(last_look, "QUERIES_AT_ONCE", 4)
    monkeypatch.setattr(side_costs, "MOST_BEHIND", 12)
    tally: Counter[str] = Counter()
    if not advances:
        monkeypatch.setattr(bounded.BoundedSearch, "_next_side", lambda self, one, other: None)
    for name in ("can_wait", "last_look"):
        function = getattr(bounded, name)

        def heard(*args: object, name: str = name, function: object = function, **more: object) -> object:
            answer = function(*args, **more)  # type: ignore[operator]  # it is one of the two
            tally[f"{name} {answer not in (False, None)}"] += 1
            return answer

        monkeypatch.setattr(bounded, name, heard)
    chance = Random(pairs)
    for _ in range(100):
        problem = random_problem(chance)
        result = array_bidirectional_search(CompiledView(problem))
        best = shortest(problem)
        assert result.cost == result.lower_bound == best
        if best < math.inf:
            assert replayed(problem, result.plan) == best
    assert min(tally["can_wait True"], tally["can_wait False"]) > 10
    if not advances:
        # Both answers of the last look come up: a shorter plan than that of the beam, and none.
        assert tally["last_look True"] > 0
        assert tally["last_look False"] > 10


def sides_after(
    problem: BeliefProblem[int, str, None], pruning: Pruning, d: int, e: int
) -> tuple[ArraySide[str], ArraySide[str]]:
    model = CompiledView(problem).model
    ahead = ArraySide(model, model.initial[np.newaxis], backwards=False, tick=no_tick, pruning=pruning)
    behind = ArraySide(model, model.goals, backwards=True, tick=no_tick)
    for side, steps in ((ahead, d), (behind, e)):
        for _ in range(steps):
            side.advance()
    return ahead, behind


@pytest.mark.few(3)
@pytest.mark.parametrize(("size", "seed"), [(5, 4), (5, 5), (7, 6), (7, 20), (9, 0), (9, 1)])
def test_to_prune_against_older_layers_on_both_sides_is_unsound_for_longer_plans(size: int, seed: int) -> None:
    # As one can wait, there are plans of every length above the shortest. A search that looks for those of one length
    # misses them if it has dropped what older layers dominate on both sides: it takes what is too long for shortest.
    exactly, upto = SideCosts(2, 1.0, every_length=False), SideCosts(2, 1.0, every_length=True)
    problem = ResetWordProblem(random=size, letters=2, seed=seed)
    fewest = int(shortest(TableBeliefProblem(tuple(range(size)), tables(problem), problem.goal_sets())))
    missed = 0
    for d in range(1, fewest - 1):
        e = fewest - 1 - d
        for length in (fewest, fewest + 1, fewest + 2):
            sound = look(*sides_after(problem, Pruning.LAYER, d, e), length, exactly, no_count)
            assert replayed(problem, sound) == length
            in_turn = look(*sides_after(problem, Pruning.ALL, d, e), length, upto, no_count)
            assert replayed(problem, in_turn) == fewest
            unsound = look(*sides_after(problem, Pruning.ALL, d, e), length, exactly, no_count)
            assert unsound is not None or length > fewest
            missed += unsound is None
        for costs, pruning in ((exactly, Pruning.LAYER), (upto, Pruning.ALL)):
            assert look(*sides_after(problem, pruning, d, e), fewest - 1, costs, no_count) is None
    assert (missed > 0) == (size < 9)


def tables(problem: ResetWordProblem) -> tuple[dict[str, tuple[int, ...]], ...]:
    return tuple({"ab"[i]: (target,) for i, target in enumerate(row)} for row in problem.table)


def no_count(expanded: int, generated: int) -> None:
    pass


def test_where_one_cannot_wait_plans_of_each_length_must_be_looked_for() -> None:
    # The only plan is a, b: there is none of three actions, though two are enough.
    table: tuple[dict[str, tuple[int, ...]], ...] = ({"a": (1,)}, {"b": (2,)}, {"a": (3,)}, {})
    problem = TableBeliefProblem((0,), table, (frozenset({2}),))
    assert not bounded.can_wait(CompiledView(problem).model, CompiledView(problem).model.initial)
    for every_length, plan in ((True, ("a", "b")), (False, None)):
        costs = SideCosts(2, 1.0, every_length=every_length)
        assert look(*sides_after(problem, Pruning.LAYER, 0, 0), 3, costs, no_count) == plan


@pytest.mark.parametrize(("seed", "length"), [(0, 14), (2, 16), (4, 15)])
def test_words_of_automata_that_need_an_upper_bound(monkeypatch: pytest.MonkeyPatch, seed: int, length: int) -> None:
    # The lengths are by breadth-first search over all sets of states, in plain Python.
    monkeypatch.setattr(both_ends, "_LARGE", 500)
    problem = ResetWordProblem(random=40, letters=2, seed=seed)
    result = array_bidirectional_search(CompiledView(problem))
    assert replayed(problem, result.plan) == result.cost == result.lower_bound == length


def test_a_search_that_is_stopped_says_what_it_knows() -> None:
    problem = ResetWordProblem(random=100, seed=2)
    result = solve(problem, solver="bidirectional", engine="compiled", limits=Limits(expanded=20_000))
    assert result.reason == "the limit of 20000 expanded states was reached"
    assert result.plan is not None
    assert result.cost is not None
    assert result.stats.expanded <= 20_000
    assert 15 < result.lower_bound <= 28 <= result.cost
    assert not result.optimal
    everywhere = frozenset(problem.initial_states())
    for letter in result.plan.as_sequence():
        everywhere = frozenset(after for state in everywhere for after in problem.results(state, letter))
    assert len(everywhere) == 1
