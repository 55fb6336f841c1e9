"""Water jugs: published measures, and all small ones by brute force."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from beliefsearch import Blindfolded, Limits, ProblemError
from beliefsearch.plugins.options import make_problem
from beliefsearch_problems.water_jugs import WaterJugsProblem

from .layers import assert_solved, fewest_steps

Amounts = tuple[int, ...]


def poured(jugs: Amounts, amounts: Amounts, source: int, target: int) -> Amounts:
    """Unit by unit; jug -1 never gets empty and never gets full."""
    after = list(amounts)
    while (source < 0 or after[source]) and (target < 0 or after[target] < jugs[target]):
        if source >= 0:
            after[source] -= 1
        if target >= 0:
            after[target] += 1
    return tuple(after)


def fewest_pourings(jugs: Amounts, starts: set[Amounts], goal: Amounts, tap: bool) -> float:
    """Breadth first over sets of what may be in the jugs."""
    ends = range(-1 if tap else 0, len(jugs))

    def following(known: frozenset[Amounts]) -> Iterator[frozenset[Amounts]]:
        for source, target in permutations(ends, 2):
            yield frozenset(poured(jugs, amounts, source, target) for amounts in known)

    return fewest_steps([frozenset(starts)], following, lambda known: all(is_won(each, goal) for each in known))


def is_won(amounts: Amounts, goal: Amounts) -> bool:
    return goal[0] in amounts if len(goal) == 1 else amounts == goal


@pytest.mark.parametrize(
    ("jugs", "goal", "steps"), [((8, 5, 3), (4, 4, 0), 7), ((10, 7, 3), (5, 5, 0), 9), ((12, 8, 5), (6, 6, 0), 7)]
)
def test_published_measures_of_wine(jugs: Amounts, goal: Amounts, steps: int) -> None:
    problem = WaterJugsProblem(jugs=jugs, goal=goal)
    full = (jugs[0], 0, 0)
    assert steps == fewest_pourings(jugs, {full}, goal, tap=False)
    assert problem.initial_state() == full
    assert_solved(problem, steps)


@pytest.mark.parametrize("jugs", [(5, 3), (6, 4), (4, 4), (7, 2), (5,), (3, 2, 1)])
def test_every_amount_from_the_tap(jugs: Amounts) -> None:
    for amount in range(max(jugs) + 1):
        expected = fewest_pourings(jugs, {(0,) * len(jugs)}, (amount,), tap=True)
        assert (amount % math.gcd(*jugs) == 0) == (expected < math.inf)
        assert_solved(WaterJugsProblem(jugs=jugs, tap=True, goal=(amount,)), expected)


@pytest.mark.parametrize(
    ("jugs", "goal", "tap"), [((5, 3), (4,), True), ((3, 2), (1,), True), ((4, 3, 1), (2,), False)]
)
def test_blindfolded(jugs: Amounts, goal: Amounts, tap: bool) -> None:
    problem = WaterJugsProblem(jugs=jugs, goal=goal, tap=tap)
    ways = set(product(*(range(size + 1) for size in jugs)))
    starts = {amounts for amounts in ways if tap or sum(amounts) == jugs[0]}
    assert set(problem.possible_starts()) == starts
    assert_solved(Blindfolded(problem), fewest_pourings(jugs, starts, goal, tap), limits=Limits(seconds=60))


def test_too_many_ways_to_fill_them() -> None:
    with pytest.raises(ProblemError, match="choose smaller"):
        WaterJugsProblem(jugs=(1000, 1000, 3), goal=(4,), tap=True).possible_starts()


def test_other_ways_to_write_it() -> None:
    assert WaterJugsProblem().describe_action((1, 3)) == "Pour from the jug of 8 into the jug of 3"
    assert make_problem(WaterJugsProblem, {"jugs": "8, 5 3", "start": "0 5 3"}) == WaterJugsProblem(start=(0, 5, 3))
    assert WaterJugsProblem(start=(0, 5, 3)).initial_state() == (0, 5, 3)
