"""The rotating table: published answers, the devil's game, and brute force."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.four_glasses import FourGlassesProblem

from ..contingent_problems import outcomes
from ..examples import examples, thorough
from .contingent_brute_force import least_worst_cost, with_hooks


def test_published_answers_for_four_glasses() -> None:
    assert least_worst_cost(FourGlassesProblem()) == solve(FourGlassesProblem()).cost == 5
    assert least_worst_cost(FourGlassesProblem(look=1)) == math.inf
    assert solve(FourGlassesProblem(look=0)).cost == 7


# Published: K must be at least (1 - 1/p) N, where p is the largest prime factor of N.
@pytest.mark.parametrize(("n", "least"), [(2, 1), (3, 2), (4, 2), (5, 4), (6, 4), thorough(7, 6)])
def test_the_solver_says_how_many_must_be_felt(n: int, least: int) -> None:
    solved = solve(FourGlassesProblem(n=n, look=least))
    assert solved.optimal
    assert solved.cost is not None
    assert solved.cost < math.inf
    # A player who keeps trying may win in the end, but not within any number of turns.
    assert least == 1 or solve(FourGlassesProblem(n=n, look=least - 1)).lower_bound == math.inf


@pytest.mark.parametrize(("n", "least"), [(2, 1), (3, 2), (4, 2), thorough(5, 4)])
def test_how_many_must_be_felt(n: int, least: int) -> None:
    for look in range(1, n + 1):
        cost = least_worst_cost(FourGlassesProblem(n=n, look=look))
        assert (cost < math.inf) == (look >= least)
    assert cost == 1  # who feels all sets all right


@pytest.mark.parametrize(("goal", "devils_goal"), [("all-same", "all-same"), ("all-up", "all-heads")])
@pytest.mark.parametrize("n", range(1, 7))
def test_the_blind_game_is_the_devils(n: int, goal: str, devils_goal: str) -> None:
    blind = solve(FourGlassesProblem(n=n, look=0, goal=goal))
    devil = solve(DevilProblem(n=n, goal=devils_goal))
    assert (blind.status, blind.cost) == (devil.status, devil.cost)


def blindfolded_turns(n: int, look: int, goal: str, most: int) -> float:
    """The game by hand, a whole turn at a time: what is felt and what is turned over, over sets of arrangements."""

    def won(glasses: tuple[int, ...]) -> bool:
        return not any(glasses) or (goal == "all-same" and all(glasses))

    def turned(glasses: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [glasses[turn:] + glasses[:turn] for turn in range(n)]

    def wins(known: frozenset[tuple[int, ...]], turns: int) -> bool:
        if not known or turns == 0:
            return not known
        for places in product((0, 1), repeat=n):
            named = [place for place in range(n) if places[place]]
            if len(named) != look:
                continue
            by_touch: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
            for table in {table for glasses in known for table in turned(glasses)}:
                by_touch.setdefault(tuple(table[place] for place in named), set()).add(table)

            def after(tables: set[tuple[int, ...]], flips: dict[int, int]) -> frozenset[tuple[int, ...]]:
                results = (tuple(glass ^ flips.get(place, 0) for place, glass in enumerate(t)) for t in tables)
                return frozenset(result for result in results if not won(result))

            choices = [dict(zip(named, flips, strict=True)) for flips in product((0, 1), repeat=look)]
            if all(any(wins(after(tables, flips), turns - 1) for flips in choices) for tables in by_touch.values()):
                return True
        return False

    start = frozenset(glasses for glasses in product((0, 1), repeat=n) if not won(glasses))
    return next((turns for turns in range(most + 1) if wins(start, turns)), math.inf)


@pytest.mark.parametrize("goal", ["all-same", "all-up"])
@pytest.mark.parametrize(
    ("n", "look", "most"), [(1, 1, 1), (2, 1, 4), (2, 2, 2), (3, 2, 4), (3, 3, 2), thorough(4, 3, 3)]
)
def test_the_two_steps_of_a_turn_make_one_turn(n: int, look: int, most: int, goal: str) -> None:
    assert least_worst_cost(FourGlassesProblem(n=n, look=look, goal=goal)) == blindfolded_turns(n, look, goal, most)


@pytest.mark.parametrize("n", [2, 3, 4, thorough(5)])
def test_no_glass_that_must_go_up_can_be_kept_from_who_feels_all(n: int) -> None:
    # The table can always be turned so that a glass that is down is at a place that was not named.
    for look in range(1, n):
        assert least_worst_cost(FourGlassesProblem(n=n, look=look, goal="all-up")) == math.inf
    assert least_worst_cost(FourGlassesProblem(n=n, look=n, goal="all-up")) == 1


@pytest.mark.parametrize("goal", ["all-same", "all-up"])
@pytest.mark.parametrize(("n", "look"), [(1, 1), (2, 1), (3, 2), (4, 2), (4, 3), (5, 4), (3, 0)])
def test_classes_of_beliefs_leave_the_optimum_as_it_is(n: int, look: int, goal: str) -> None:
    problem = FourGlassesProblem(n=n, look=look, goal=goal)
    assert with_hooks(problem).least(8) == least_worst_cost(problem)


TABLES = [("".join(glasses), ()) for glasses in product("UD", repeat=4)]
BELIEFS = st.sets(st.sampled_from(TABLES), min_size=1, max_size=6).map(frozenset)


@settings(max_examples=examples(14))
@given(belief=BELIEFS, goal=st.sampled_from(["all-same", "all-up"]), look=st.sampled_from([2, 3]), data=st.data())
def test_beliefs_of_a_class_cost_the_same(belief: Any, goal: str, look: int, data: Any) -> None:
    problem = FourGlassesProblem(n=4, look=look, goal=goal)
    turned = frozenset(
        (glasses[turn:] + glasses[:turn], ()) for glasses, _ in belief for turn in [data.draw(st.integers(0, 3))]
    )
    other = frozenset((glasses[::-1], ()) for glasses, _ in turned)
    if goal == "all-same":
        other = frozenset((glasses.translate(str.maketrans("UD", "DU")), ()) for glasses, _ in other)
    assert problem.belief_class(turned) == problem.belief_class(other) == problem.belief_class(belief)
    costs = {least_worst_cost(problem, each) for each in (belief, turned, other)}
    costs.add(least_worst_cost(problem, frozenset(map(problem.canonical, belief))))
    assert len(costs) == 1
    # The same while glasses are felt.
    for action in problem.actions(TABLES[0]):
        for touch, felt in outcomes(problem, belief, action).items():
            if touch != "bell" and goal == "all-same":
                over = frozenset((glasses.translate(str.maketrans("UD", "DU")), places) for glasses, places in felt)
                assert problem.belief_class(over) == problem.belief_class(felt)
                assert least_worst_cost(problem, over) == least_worst_cost(problem, felt)


def test_a_turn_step_by_step() -> None:
    problem = FourGlassesProblem()
    assert problem.actions(("UUUD", ())) == (("feel", (0, 1)), ("feel", (0, 2)))
    felt = problem.results(("UUUD", ()), ("feel", (0, 2)))
    assert felt == [("UUUD", (0, 2)), ("UUDU", (0, 2)), ("UDUU", (0, 2)), ("DUUU", (0, 2))]
    assert [problem.percepts(table, ("feel", (0, 2)))[0] for table in felt] == ["UU", "UD", "UU", "DU"]
    assert list(map(problem.format_state, felt[:2])) == ["[U]U[U]D", "[U]U[D]U"]
    assert problem.actions(felt[1])[-1] == ("turn", (0, 2))
    (won,) = problem.results(felt[1], ("turn", (2,)))
    assert problem.is_goal(won)
    assert problem.percepts(won, ("turn", (2,))) == ("bell",)
    (same,) = problem.results(felt[0], ("turn", ()))
    assert problem.percepts(same, ("turn", ())) == (None,)
    assert problem.action_cost(("UUUD", ()), ("feel", (0, 2))) == 1
    assert problem.action_cost(felt[0], ("turn", ())) == 0
