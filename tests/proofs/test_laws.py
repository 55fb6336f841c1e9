"""Laws of proofs on random problems, whose costs come from brute force."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.errors import InvalidProofError
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.finder import find_proof
from beliefsearch.running.run import Run

from ..examples import examples, thorough
from ..random_problems import (
    Price,
    TableBeliefProblem,
    TableProblem,
    belief_problems,
    exact_belief_costs,
    exact_costs,
    plain_problems,
    states_that_come_up,
)


def cost_of(problem: TableBeliefProblem | TableProblem) -> float:
    if isinstance(problem, TableProblem):
        return exact_costs(problem)[problem.start]
    return exact_belief_costs(problem)[frozenset(problem.starts)]


def found(problem: Any, bound: Any) -> dict[str, Any] | None:
    """A proof, as it is read from a file."""
    proof = find_proof(problem, bound, Run())
    return None if proof is None else json.loads(json.dumps(proof, allow_nan=False))


def judge(problem: Any, proof: dict[str, Any]) -> float | Fraction | None:
    try:
        return check_proof(problem, proof)
    except InvalidProofError:
        return None


def check_laws(problem: TableBeliefProblem | TableProblem) -> str | None:
    """A true bound is proved, one that is too high is not. The kind of proof."""
    cost = cost_of(problem)
    kind = None
    if cost:
        proof = found(problem, cost)
        assert proof is not None
        assert check_proof(problem, proof) == cost, proof
        kind = proof["kind"]
    if cost < math.inf:
        for too_high in (cost + 1, cost + 0.5) if problem.costs else (cost + 1, math.inf):
            false = found(problem, too_high)
            bound = None if false is None else judge(problem, false)
            assert bound is None or bound <= cost, false
    return kind


@settings(max_examples=examples(40))
@given(belief_problems())
def test_the_cost_of_a_belief_problem_is_proved_and_no_more(problem: TableBeliefProblem) -> None:
    check_laws(problem)


@settings(max_examples=examples(40))
@given(plain_problems())
def test_the_cost_of_a_plain_problem_is_proved_and_no_more(problem: TableProblem) -> None:
    check_laws(problem)


def long_problem(seed: int, prices: Sequence[Price] | None) -> TableBeliefProblem:
    """A problem that mostly takes several actions: many starts, few goals, few results."""
    chance = Random(seed)
    size = chance.randint(3, 7)
    names = "abc"[: chance.randint(2, 3)]

    def results() -> tuple[int, ...]:
        return tuple(chance.sample(range(size), chance.choices([1, 2, 3], [12, 2, 1])[0]))

    table = tuple({name: results() for name in names if chance.random() < 0.97} for _ in range(size))
    goals = tuple(frozenset(chance.sample(range(size), chance.choice([1, 1, 2]))) for _ in range(chance.randint(1, 2)))
    starts = tuple(sorted(chance.sample(range(size), chance.randint(size // 2, size))))
    costs: dict[tuple[int, str], Price] | None = None
    if prices is not None:
        costs = {(state, name): chance.choice(prices) for state, row in enumerate(table) for name in row}
    return TableBeliefProblem(starts, table, goals, costs)


# A float holds all of these, and their sums, exactly, as brute force needs it.
@pytest.mark.parametrize(
    "prices",
    [None, [0, 1, 2, 3], [0, Fraction(1, 2), 1], [1, Fraction(5, 4), Fraction(3, 2)], [2**31 + 1, 2**40]],
    ids=["unit", "whole", "halves", "quarters", "large"],
)
@pytest.mark.parametrize("seeds", [16, thorough(160)])
def test_costs_of_every_sort_are_proved_and_no_more(prices: Sequence[Price] | None, seeds: int) -> None:
    kinds = Counter(check_laws(long_problem(seed, prices)) for seed in range(seeds, 2 * seeds))
    assert kinds["trap"] > seeds // 16
    assert kinds["belief-bounds"] + kinds["lower"] > seeds // 4


def cheat(problem: TableBeliefProblem, chance: Random) -> dict[str, Any]:
    """A proof made up at random, right in form, which may be true by luck."""
    states = sorted(states_that_come_up(problem))
    size = len(states)

    def number() -> Any:
        return chance.choice([0, 0, 1, 1, 1, 2, 3, "1/2", "3/2"])

    def some() -> list[int]:
        return sorted(chance.sample(range(size), chance.randint(1, size)))

    kind = chance.choice(["potential", "ray", "distances", "trap", "exhaustion"])
    if kind == "trap":
        return {"kind": kind, "states": [states[place] for place in some()]}
    if kind == "distances":
        distances = [chance.choice([0, 0, 1, 2, None]) for _ in states]
        return {"kind": kind, "states": states, "distances": distances}
    if kind == "exhaustion":
        limits = {name: chance.choice([0, 1, 2, 3, None]) for name in ("bound", "reach", "depth")}
        whole = [[states.index(start) for start in problem.starts], 0]
        won = [[states.index(state) for state in goals if state in states] for goals in problem.goals]
        ahead = [whole, *([some(), number()] for _ in range(chance.randrange(6)))]
        behind = [*([goals, 0] for goals in won if goals), *([some(), number()] for _ in range(chance.randrange(4)))]
        return {"kind": kind, "states": states, **limits, "ahead": ahead, "behind": behind}
    won = [[state for state in goals if state in states] for goals in problem.goals]
    weights = [0 if any(state in goals for goals in won) else chance.choice([0, 0, 1]) for state in states]
    flows = []
    for name in "abc":
        flow = [
            [place, states.index(chance.choice(problem.table[state][name])), weights[place]]
            for place, state in enumerate(states)
            if name in problem.table[state] and weights[place]
        ]
        flows.append({"action": name, "flow": flow})
    return {"kind": kind, "states": states, "weights": weights, "flows": flows}


@pytest.mark.parametrize("seeds", [50, thorough(300)])
def test_no_proof_that_is_made_up_proves_more_than_is_true(seeds: int) -> None:
    accepted: Counter[str] = Counter()
    for seed in range(seeds):
        problem = long_problem(seed, None if seed % 3 else [0, Fraction(1, 2), 1, 2])
        cost = cost_of(problem)
        chance = Random(f"cheat {seed}")
        for _ in range(40):
            proof = cheat(problem, chance)
            bound = judge(problem, proof)
            assert bound is None or bound <= cost, (seed, proof)
            accepted[proof["kind"]] += bool(bound)
    # Luck finds some that are true, so the checker has been tried, and not only the form.
    assert set(accepted) == {"potential", "ray", "distances", "trap", "exhaustion"}
    assert all(accepted[kind] > 5 for kind in ("distances", "trap", "potential")), accepted


@given(belief_problems(), belief_problems(), st.randoms(use_true_random=False))
def test_a_proof_of_one_problem_proves_nothing_false_of_another(
    one: TableBeliefProblem, other: TableBeliefProblem, chance: Random
) -> None:
    for first, second in ((one, other), (other, one)):
        proof = found(first, cost_of(first))
        if proof is None:
            continue
        for changed in (proof, {**proof, "states": sorted(states_that_come_up(second))}):
            bound = judge(second, changed)
            assert bound is None or bound <= cost_of(second)
