"""All plans of least cost: against all sequences of actions, and against what is proved of the devil's game."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from beliefsearch import BeliefSearchError, Limits, check_plan
from beliefsearch.errors import LimitError, NoSolutionError
from beliefsearch.model.belief import applicable_actions, belief_cost, initial_belief, is_goal_belief, predict
from beliefsearch.tools import shortest_plans
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.tiger import TigerProblem

from ..conftest import Run
from ..examples import examples, thorough
from ..random_problems import TableProblem, belief_problems


def all_cheapest(problem: Any, most: int) -> list[tuple[Any, ...]]:
    """All sequences of up to so many actions that win, of least cost, and that do not win before."""
    found: list[tuple[Any, tuple[Any, ...]]] = []
    layer: list[tuple[Any, Any, tuple[Any, ...]]] = [(initial_belief(problem), Fraction(0), ())]
    for _ in range(most + 1):
        found += [(cost, plan) for belief, cost, plan in layer if is_goal_belief(problem, belief)]
        layer = [
            (predict(problem, belief, action), cost + Fraction(belief_cost(problem, belief, action)), (*plan, action))
            for belief, cost, plan in layer
            if not is_goal_belief(problem, belief)
            for action in applicable_actions(problem, belief)
        ]
    least = min((cost for cost, _ in found), default=None)
    return [plan for cost, plan in found if cost == least]


@given(problem=belief_problems())
@settings(max_examples=examples(60))
def test_they_are_those_among_all_sequences(problem: Any) -> None:
    try:
        plans = shortest_plans(problem)
    except NoSolutionError:
        assert not all_cheapest(problem, 4)
        return
    except BeliefSearchError:  # endlessly many, as a test below has it
        assert problem.costs is not None
        assert 0 in problem.costs.values()
        return
    listed = list(islice(plans, 2000))
    assert len(set(listed)) == len(listed) == min(plans.count, 2000)
    if all(len(plan) <= 6 for plan in listed) and plans.count < 2000:
        expected = all_cheapest(problem, 7)
        assert set(listed) <= set(expected)
        assert all(len(plan) > 6 for plan in set(expected) - set(listed))
    for plan in [*listed[:20], plans.draw(Random(1))]:
        assert check_plan(problem, plan, claimed_cost=plans.cost).holds
        assert plans.count > 2000 or plan in listed


# By the theorem (docs/open-questions.md), and for four faces by an independent program.
@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"n": 1}, 1),
        ({"n": 2}, 2),
        ({"n": 4}, 2**11),
        ({"n": 3, "faces": 3}, 2**13 * 3**10),
        ({"n": 2, "faces": 4}, 374_784),
        ({"n": 1, "faces": 5}, math.factorial(4)),
        thorough({"n": 8}, 2**247),
    ],
)
def test_the_devils_plans_are_as_many_as_the_theorem_says(options: dict[str, Any], count: int) -> None:
    plans = shortest_plans(DevilProblem(**options, reduced=False))
    assert plans.count == count
    n, faces = options["n"], options.get("faces", 2)
    if faces in (2, 3, 5):
        inner = (faces**n - 1) // (faces - 1)
        assert count == math.factorial(faces) ** inner // faces**n


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({"n": 4}, 2**11),
        ({"n": 8}, 2**247),
        ({"n": 3, "faces": 3}, 2**13 * 3**10),
        ({"n": 4, "group": "klein"}, 18_432),
    ],
)
def test_canonical_moves_stand_for_all_that_are_like_them(options: dict[str, Any], count: int) -> None:
    """So eight coins take no time: of a class of moves one is tried, and it counts as many as the class has."""
    table = DevilProblem(**options)
    plans = shortest_plans(table)
    assert plans.weighted(lambda move: len(table.arrangements(table.coins_of(move)))) == count
    assert plans.weighted(lambda move: 1) == plans.count


def test_each_is_drawn_as_often_as_the_others() -> None:
    plans = shortest_plans(DevilProblem(n=4, reduced=False))
    lot = Random(0)
    last = Counter(plans.draw(lot)[7] for _ in range(4000))
    assert set(last) == {frozenset(m) for m in ((0,), (1,), (2,), (3,), (0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))}
    assert all(400 < often < 600 for often in last.values())
    assert len(set(plans)) == 2048


def test_plans_without_actions_and_actions_that_cost_nothing() -> None:
    won = TableProblem(start=0, table=({"a": 0},), goals=frozenset({0}))
    assert list(shortest_plans(won)) == [()]
    assert shortest_plans(won).draw(Random(0)) == ()
    table: Any = ({"round": 1, "on": 2}, {"back": 0}, {})
    costs = {(0, "round"): 0, (1, "back"): 0, (0, "on"): 1}
    free = TableProblem(start=0, table=table, goals=frozenset({2}), costs=costs)
    with pytest.raises(BeliefSearchError, match="endlessly many"):
        shortest_plans(free)


def test_who_has_no_sequences_is_refused_and_limits_are_heard() -> None:
    for problem in (TigerProblem(), DevilProblem(told="heads")):
        with pytest.raises(BeliefSearchError, match="no sequence of actions"):
            shortest_plans(problem)
    with pytest.raises(LimitError):
        shortest_plans(DevilProblem(n=8, reduced=False), limits=Limits(seconds=0.1))


def test_the_command_counts_lists_and_draws(cli: Run) -> None:
    code, out, _ = cli("plans", "devil", "--n", 4, "--no-canonical")
    assert (code, out) == (0, "devil --n 4 --no-canonical: 2,048 shortest plans, 2^11, of cost 15\n")
    heading = "devil --n 4: 2 shortest plans of cost 15; of moves that are alike one counts, with --no-canonical each\n"
    assert cli("plans", "devil", "--n", 4)[1].startswith(heading)
    _, out, _ = cli("plans", "devil", "--n", 4, "--no-canonical", "--all")
    assert len(out.splitlines()) == 2049
    _, out, _ = cli("plans", "devil", "--n", 4, "--no-canonical", "--draw", 3, "--seed", 1)
    assert cli("plans", "devil", "--n", 4, "--no-canonical", "--draw", 3, "--seed", 1)[1] == out
    assert len(out.splitlines()) == 4
    found = json.loads(cli("plans", "devil", "--n", 2, "--format", "json")[1])
    assert (found["cost"], found["count"], found["plans"]) == (3, 1, [["{0, 1}", "{0}", "{0, 1}"]])
    assert json.loads(cli("plans", "devil", "--n", 4, "--no-canonical", "--format", "json")[1])["plans"] == []
    assert cli("plans", "devil", "--n", 3)[0] == 1
    assert cli("plans", "devil", "--n", 8, "--no-canonical", "--time-limit", "0.1")[0] == 3
