"""Lamping's plan for the devil's game: one for twice as many coins, made by the published recursion."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import check_plan, solve
from beliefsearch_problems.devil import DevilProblem

from .test_devil_construction import answer, plan_of


def doubled(plan: list[frozenset[int]], n: int) -> list[frozenset[int]]:
    """The published recursion, word for word: d s1 d s2 ... d for 2n coins, out of a plan for n."""
    d = [move | {place + n for place in move} for move in plan]
    sequence = list(d)
    for s in plan:
        sequence += [s, *d]
    return sequence


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("group", ["turns", "reflections"])
def test_doubling_a_plan_that_wins_makes_one_that_wins(n: int, group: str) -> None:
    # Any plan will do: the one of a search, and the one that has itself been doubled.
    found = solve(DevilProblem(n=n, reduced=False)).require_plan()
    known = plan_of(answer(DevilProblem(n=n, reduced=False, lamping=True)))
    larger: Any = DevilProblem(n=2 * n, group=group, reduced=False)
    for plan in (list(found), known):
        checked = check_plan(larger, doubled(plan, n), claimed_cost=4**n - 1)
        assert (checked.holds, checked.starts) == (True, 4**n)


def test_the_doubled_plan_is_the_one_that_the_recursion_makes() -> None:
    plan = [frozenset({0})]
    for n in (1, 2, 4, 8):
        assert plan_of(answer(DevilProblem(n=n, reduced=False, lamping=True))) == plan
        plan = doubled(plan, n)


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_the_doubled_plan_is_legal_also_where_one_move_stands_for_all_its_turns(n: int) -> None:
    devil: Any = DevilProblem(n=n, lamping=True)
    plan = plan_of(answer(devil))
    assert set(devil.actions("H" * n)).issuperset(plan)
    assert check_plan(devil, plan, claimed_cost=2**n - 1).holds


def test_moves_of_the_doubled_plan_are_known_at_any_place() -> None:
    found = answer(DevilProblem(n=256, reduced=False, lamping=True))
    assert found.action_at(0) == frozenset(range(256))
    assert found.action_at(2**255 - 1) == {0}
    assert found.action_at(2**128 - 1) == frozenset(range(128))


@pytest.mark.parametrize("options", [{"n": 6}, {"faces": 3}, {"goal": "all-same"}, {"group": "permutations"}])
def test_doubling_is_refused_where_it_is_no_plan(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="doubling"):
        DevilProblem(**options, lamping=True)


def test_the_explanation_says_how_the_moves_come_from_those_for_half_as_many_coins() -> None:
    text = answer(DevilProblem(n=8)).explanation
    assert "255 moves is made out of the 15 that win with 4 coins (John Lamping): d s1 d s2 d ... s15 d" in text
    assert "XOR of each coin and the one opposite" in text
    assert "These 255 moves come from the 15" in answer(DevilProblem(n=8, lamping=True)).explanation
    for options in ({"n": 3}, {"n": 9, "faces": 3}, {"goal": "all-same"}, {"group": "permutations"}):
        assert "Lamping" not in answer(DevilProblem(**options)).explanation
