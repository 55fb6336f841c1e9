"""The counterfeit coin: published answers, and brute force."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch_problems.counterfeit_coin import CounterfeitCoinProblem, Weighings

from ..contingent_problems import outcomes
from ..examples import thorough
from .contingent_brute_force import least_worst_cost, with_hooks

# Published: 3, 12 and 13 coins (many books); the others are the formulas of Dyson, 1946.
KNOWN: list[tuple[dict[str, Any], float]] = [
    ({"coins": 1}, math.inf),
    ({"coins": 2}, math.inf),
    ({"coins": 3}, 2),
    ({"coins": 4}, 3),
    ({"coins": 12}, 3),
    ({"coins": 13}, 4),
    ({"coins": 1, "reference": 1}, 1),
    ({"coins": 4, "reference": 1}, 2),
    ({"coins": 13, "reference": 1}, 3),
    ({"coins": 14, "reference": 1}, 4),
    ({"coins": 1, "find": "coin"}, 0),
    ({"coins": 2, "find": "coin"}, math.inf),
    ({"coins": 2, "find": "coin", "reference": 1}, 1),
    ({"coins": 4, "find": "coin"}, 2),
    ({"coins": 13, "find": "coin"}, 3),
    ({"coins": 14, "find": "coin"}, 4),
]
VARIANTS = [
    {"coins": coins, "kind": kind, "find": find, "reference": reference}
    for coins, kind, find, reference in product(
        (1, 2, 3), ("unknown", "heavy", "light"), ("coin", "coin-and-kind"), (0, 1, 2)
    )
]
FAULTS = list(product(range(1, 5), ("heavy", "light")))
BELIEFS = st.sets(st.sampled_from(FAULTS), min_size=1, max_size=6).map(frozenset)


# The solver gives these answers too, so what takes brute force long is left to the thorough run.
@pytest.mark.parametrize(
    ("options", "cost"), [thorough(*known) if known[0]["coins"] > 13 else known for known in KNOWN]
)
def test_published_answers(options: dict[str, Any], cost: float) -> None:
    assert with_hooks(CounterfeitCoinProblem(**options)).least(4) == cost


# The answers in the catalogue are searched for in `tests/test_catalogue.py`.
CATALOGUED = [(known.options, known.answer) for known in CounterfeitCoinProblem.known_answers]
SEARCHED = [entry for entry in KNOWN if entry not in CATALOGUED]


@pytest.mark.parametrize(("options", "cost"), [*SEARCHED, ({"coins": 40}, 5)])
def test_the_solver_gives_the_published_answers(options: dict[str, Any], cost: float) -> None:
    result = solve(CounterfeitCoinProblem(**options))
    assert (result.cost, result.lower_bound) == (cost, cost)


# Published: the logarithm to the base 3, rounded up.
@pytest.mark.parametrize("coins", [1, 2, 3, 4, 9, 10, 27, thorough(28), thorough(40)])
@pytest.mark.parametrize("kind", ["heavy", "light"])
def test_a_coin_of_known_kind(coins: int, kind: str) -> None:
    weighings = next(k for k in range(5) if 3**k >= coins)
    assert with_hooks(CounterfeitCoinProblem(coins=coins, kind=kind)).least(4) == weighings


@pytest.mark.few(20)
@pytest.mark.parametrize("options", [*VARIANTS, {"coins": 4}, {"coins": 4, "reference": 1}])
def test_the_hooks_leave_the_optimum_as_it_is(options: dict[str, Any]) -> None:
    problem = CounterfeitCoinProblem(**options)
    cost = least_worst_cost(problem)
    assert least_worst_cost(problem, actions_of=problem.distinct_actions) == cost
    assert with_hooks(problem).least(4) == cost


def signature(problem: Any, belief: Any, action: Any) -> frozenset[tuple[Any, int]]:
    """Up to renaming coins: what may follow."""
    return frozenset(Counter(map(problem.belief_class, outcomes(problem, belief, action).values())).items())


@given(belief=BELIEFS, reference=st.integers(0, 2))
def test_every_weighing_is_like_a_distinct_one_or_tells_nothing(belief: Any, reference: int) -> None:
    problem = CounterfeitCoinProblem(coins=4, reference=reference)
    distinct = list(problem.distinct_actions(belief))
    assert all(action in problem.actions(FAULTS[0]) for action in distinct)
    assert len(set(distinct)) == len(distinct)
    named = {signature(problem, belief, action) for action in distinct}
    for action in problem.actions(FAULTS[0]):
        assert list(outcomes(problem, belief, action).values()) == [belief] or (
            signature(problem, belief, action) in named
        )


@given(belief=BELIEFS, order=st.permutations(range(1, 5)), exchanged=st.booleans())
def test_renamed_coins_and_exchanged_kinds_make_no_other_class(belief: Any, order: Any, exchanged: bool) -> None:
    problem = CounterfeitCoinProblem(coins=4)
    kinds = {"heavy": "light", "light": "heavy"} if exchanged else {"heavy": "heavy", "light": "light"}
    renamed = frozenset((order[coin - 1], kinds[kind]) for coin, kind in belief)
    assert problem.belief_class(renamed) == problem.belief_class(belief)


@given(beliefs=st.lists(BELIEFS, min_size=8, max_size=8), find=st.sampled_from(["coin", "coin-and-kind"]))
def test_beliefs_of_a_class_cost_the_same(beliefs: list[Any], find: str) -> None:
    problem = CounterfeitCoinProblem(coins=4, find=find)
    costs: dict[Any, float] = {}
    for belief in beliefs:
        cost = least_worst_cost(problem, belief)
        assert costs.setdefault(problem.belief_class(belief), cost) == cost


def test_the_balance_tells_what_it_should() -> None:
    problem = CounterfeitCoinProblem(coins=5)
    tilts = {problem.format_state(state): problem.percepts(state, ((1,), (2,))) for state in problem.initial_states()}
    assert (tilts["1 heavy"], tilts["1 light"]) == (("left heavy",), ("right heavy",))
    assert (tilts["2 heavy"], tilts["2 light"], tilts["3 heavy"]) == (("right heavy",), ("left heavy",), ("balance",))


@pytest.mark.parametrize("coins", range(7))
def test_the_weighings_are_all_ways_to_fill_the_pans(coins: int) -> None:
    def pans(sides: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(sorted(tuple(coin for coin in range(1, coins + 1) if sides[coin - 1] == pan) for pan in (1, 2)))

    expected = {pans(sides) for sides in product(range(3), repeat=coins) if sides.count(1) == sides.count(2) > 0}
    assert set(Weighings(coins)) == expected
    assert len(list(Weighings(coins))) == len(expected)
    assert all(action in Weighings(coins) for action in expected)


@pytest.mark.parametrize(
    "action",
    [((2,), (1,)), ((1,), (1,)), ((1,), (2, 3)), ((), ()), ((1,), (9,)), ((0,), (1,)), ((3, 1), (2, 4)), "12", ((1,),)],
)
def test_what_is_no_weighing_is_in_no_list(action: Any) -> None:
    assert action not in Weighings(4)
