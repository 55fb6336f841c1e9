"""Law: whatever kinds of numbers costs are, solvers, engines, heuristics, proofs and the checker agree exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import inf
from random import Random
from typing import Any

from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, Status, check_plan, check_proof, prove, solve

from ..contingent_problems import SightedTable, worst_costs
from ..examples import examples
from ..random_problems import TableBeliefProblem, TableProblem

THIRD = Fraction(1, 3)
FLOATS = (0.0, 0.1, 0.2, 0.3, 0.7, 1.1, 1e-15, 0.5, 3e9, 2.0**53, 1e16)
WHOLE = (0, 1, 2, 3, 2**53 + 1, 3_000_000_000, True)
POOLS = (FLOATS, WHOLE, (0, 1, THIRD, Fraction(2, 7), Fraction(1, 2)), (0.0, 0.1, THIRD, 1, Fraction(10**20, 3)))
SEEDS = st.integers(0, 10**9)
EXACT = ("auto", "uniform-cost", "astar", "ida-star")


def random_problems(seed: int) -> tuple[Any, Any, Any]:
    """A table as a plain problem of the first results, as a sensorless one, and as one that perceives a bit."""
    random = Random(seed)
    size, pool = random.randint(2, 4), random.choice(POOLS)
    table = tuple(
        {name: tuple(random.sample(range(size), random.randint(1, 2))) for name in random.sample("abc", many)}
        for many in random.choices((1, 2, 3), k=size)
    )
    costs: Any = {(state, name): random.choice(pool) for state, row in enumerate(table) for name in row}
    starts = tuple(sorted({random.randrange(size) for _ in range(2)}))
    goals = (frozenset((size - 1,)),)
    looks = random.choices("xy", k=size)
    sights = {(name, state): (looks[state],) for name in "abc" for state in range(size)}
    firsts = tuple({name: after[0] for name, after in row.items()} for row in table)
    return (
        TableProblem(0, firsts, goals[0], costs),
        TableBeliefProblem(starts, table, goals, costs),
        SightedTable(starts, table, goals, sights, costs),
    )


def least(problem: TableBeliefProblem) -> dict[frozenset[int], Any]:
    """By belief: the least cost in the worst case, in fractions."""
    costs: Any = problem.costs
    exact = evolve(problem, costs={move: Fraction(cost) for move, cost in costs.items()})
    return worst_costs(exact, map(frozenset, [*combinations(range(len(problem.table)), 1), problem.starts]))


def assert_same(problem: Any, expected: Any, solvers: Iterable[str], engines: Iterable[str]) -> None:
    for solver, engine in product(solvers, engines):
        result = solve(problem, solver=solver, engine=engine, limits=Limits(expanded=3_000))
        if result.status is Status.UNDECIDED:  # iterative deepening by 1e-15 takes for ever
            assert result.lower_bound <= float(expected)
            continue
        if result.status is Status.SOLVED and result.plan is not None and result.plan.is_cyclic:
            assert expected == inf
            continue
        assert (result.status is Status.UNSOLVABLE) == (expected == inf), (solver, engine)
        if expected == inf:
            continue
        assert result.optimal
        assert (result.cost if result.exact is None else result.exact[0]) == expected, (solver, engine)
        assert result.cost == (float(expected) if isinstance(result.cost, float) else expected)
        assert check_plan(problem, result.plan, claimed_cost=result.cost).holds
    proof = prove(problem, limits=Limits(seconds=2))
    if proof.data is not None:
        assert check_proof(problem, proof.data) >= expected


@given(seed=SEEDS, with_estimates=st.booleans())
@settings(max_examples=examples(80))
def test_plain_problems(seed: int, with_estimates: bool) -> None:
    problem, _, _ = random_problems(seed)
    rows: Any = tuple({name: (after,) for name, after in row.items()} for row in problem.table)
    costs = least(TableBeliefProblem((0,), rows, (problem.goals,), problem.costs))
    if with_estimates:  # as floats, rounded to the nearest
        problem = evolve(problem, estimates=tuple(float(costs[frozenset((at,))]) for at in range(len(rows))))
    expected = costs[frozenset((0,))]
    assert_same(problem, expected, EXACT, ["auto"])
    for solver in ("weighted-astar", "greedy-best-first", "breadth-first"):
        result = solve(problem, solver=solver)
        assert (result.status is Status.UNSOLVABLE) == (expected == inf)
        assert expected == inf or float(result.lower_bound) <= float(expected) <= float(result.cost)


@given(seed=SEEDS)
@settings(max_examples=examples(40))
def test_sensorless_problems(seed: int) -> None:
    _, problem, _ = random_problems(seed)
    expected = least(problem)[frozenset(problem.starts)]
    assert_same(problem, expected, EXACT, ["auto", "naive", "bits", "compiled"])
    for heuristic in ("pairwise", "potential", "full-observability", "best"):
        result = solve(problem, solver="astar", heuristic=heuristic)
        assert (inf if result.cost is None else result.cost if result.exact is None else result.exact[0]) == expected


@given(seed=SEEDS)
@settings(max_examples=examples(40))
def test_contingent_problems(seed: int) -> None:
    _, _, problem = random_problems(seed)
    expected = least(problem)[frozenset(problem.starts)]
    assert_same(problem, expected, ["auto", "and-or", "and-or-graph"], ["auto", "naive", "bits"])
