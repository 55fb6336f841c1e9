"""Proofs by lists of beliefs: those that are found, old ones from both ends, and what must not be believed of them."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from beliefsearch.errors import InvalidProofError
from beliefsearch.model.problem import BeliefProblem
from beliefsearch.proofs import exhaustion as finder
from beliefsearch.proofs.check import check_proof
from beliefsearch.proofs.finder import find_proof, unreduced
from beliefsearch.proofs.hints.elaborator import proof_table
from beliefsearch.running.limits import EffortExceeded
from beliefsearch.running.run import Run
from beliefsearch_problems.reset_word import ResetWordProblem

from ..random_problems import TableBeliefProblem, exact_belief_costs
from .test_laws import long_problem


def no_tick() -> None:
    pass


def random_problem(chance: Random) -> TableBeliefProblem:
    size = chance.randint(4, 7)
    table = tuple(
        {name: tuple({chance.randrange(size) for _ in range(1 + (chance.random() < 0.1))}) for name in "ab"}
        for _ in range(size)
    )
    return TableBeliefProblem(tuple(range(size)), table, tuple(frozenset({state}) for state in range(size)))


def image(problem: TableBeliefProblem, belief: frozenset[int], action: str) -> frozenset[int] | None:
    if any(action not in problem.table[state] for state in belief):
        return None
    return frozenset(result for state in belief for result in problem.table[state][action])


def actions(problem: TableBeliefProblem) -> set[str]:
    return {action for row in problem.table for action in row}


def from_both_ends(problem: TableBeliefProblem, bound: int, reach: int, depth: int) -> dict[str, Any]:
    """Lists as they were written before, by the definition: all beliefs ahead, and the largest sets behind."""
    states = range(len(problem.table))
    ahead = {frozenset(problem.starts): 0}
    for step in range(reach):
        for belief in [belief for belief, cost in ahead.items() if cost == step]:
            for action in actions(problem):
                after = image(problem, belief, action)
                if after is not None:
                    ahead.setdefault(after, step + 1)
    behind = dict.fromkeys(problem.goals, 0)
    for step in range(depth):
        for members in [members for members, number in behind.items() if number == step]:
            for action in actions(problem):
                before = frozenset(
                    s for s in states if action in problem.table[s] and set(problem.table[s][action]) <= members
                )
                if before:
                    behind.setdefault(before, step + 1)
    rest = bound - reach - depth
    more = {"rest": rest, "rest_behind": rest // 2} if rest > 0 else {}
    lists = {"ahead": [[sorted(b), n] for b, n in ahead.items()], "behind": [[sorted(b), n] for b, n in behind.items()]}
    return {"kind": "exhaustion", "states": [*states], "bound": bound, "reach": reach, "depth": depth, **more, **lists}


def test_old_lists_from_both_ends_still_prove_what_is_true_and_no_more() -> None:
    chance = Random(2)
    seen = rests = refused = 0
    for _ in range(40):
        problem = random_problem(chance)
        best = exact_belief_costs(problem)[frozenset(problem.starts)]
        reached = {*problem.starts} == {*range(len(problem.table))}
        if not 2 <= best <= 8 or not reached:
            continue
        for reach in range(int(best) + 1):
            depth = chance.randint(0, int(best) - reach)
            proof = from_both_ends(problem, int(best), reach, depth)
            assert check_proof(problem, proof) == best
            too_high = {**proof, "bound": int(best) + 1, "rest": proof.get("rest", 0) + 1}
            with pytest.raises(InvalidProofError):
                check_proof(problem, too_high)
            seen, rests = seen + 1, rests + ("rest" in proof)
            lacking = {**proof, "ahead": proof["ahead"][:-1]}
            try:
                assert check_proof(problem, lacking) <= best
            except InvalidProofError:
                refused += 1
    assert min(seen - rests, rests, refused) > 10


def test_sets_are_written_as_lists_or_as_hexadecimal_numbers() -> None:
    problem = random_problem(Random(5))
    best = exact_belief_costs(problem)[frozenset(problem.starts)]
    proof = from_both_ends(problem, int(best), int(best), 0)

    def written(members: list[int]) -> str:
        return f"{sum(1 << state for state in members):x}"

    as_text = {key: [[written(one), value] for one, value in proof[key]] for key in ("ahead", "behind")}
    assert check_proof(problem, proof) == check_proof(problem, {**proof, **as_text}) == best
    for wrong in ("0", "", "-1", "xyz", f"{1 << 70:x}", "0x1", " 1", "1_0", "AB", [], [99], [-1], [True], [[0]]):
        with pytest.raises(InvalidProofError):
            check_proof(problem, {**proof, "ahead": [[wrong, 0], *proof["ahead"]]})


def test_two_lost_starts_are_enough_to_prove_that_there_is_no_plan() -> None:
    # Letter a is a turn of each half, and b of one half alone: the halves are never told apart, nor merged.
    table: tuple[dict[str, tuple[int, ...]], ...] = tuple(
        {"a": (i ^ 1,), "b": (i if i < 2 else i ^ 1,)} for i in range(8)
    )
    problem = TableBeliefProblem(tuple(range(8)), table, tuple(frozenset({state}) for state in range(8)))
    proof = find_proof(problem, math.inf, Run())
    assert proof is not None
    assert proof["kind"] == "lower"
    listed: Any = proof["table"]
    assert max(map(len, listed["beliefs"])) == 2
    assert check_proof(problem, proof) == math.inf


@pytest.mark.parametrize("cost", [0, Fraction(1, 2), 1, 3])
def test_a_list_from_two_lost_starts_holds_whatever_actions_cost(cost: Fraction) -> None:
    table: tuple[dict[str, tuple[int, ...]], ...] = (
        {"a": (0, 1, 2), "b": (0,), "c": (0,)},
        {"a": (0,), "b": (0,)},
        {"a": (0,), "b": (0, 1, 2), "c": (3,)},
        {},
    )
    costs = {(state, action): cost for state, row in enumerate(table) for action in row}
    problem = TableBeliefProblem((0, 1, 2), table, (frozenset({0}),), costs)
    proof = find_proof(problem, math.inf, Run())
    assert proof is not None
    assert check_proof(problem, proof) == math.inf


@pytest.mark.parametrize("prices", [None, [0, 1, 2]], ids=["unit", "whole"])
def test_that_there_is_no_plan_is_shown_from_either_end(prices: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = 0
    for seed in range(60):
        problem = long_problem(seed, prices)
        cost = exact_belief_costs(problem)[frozenset(problem.starts)]
        view, _ = unreduced(problem, no_tick)
        for end in (lambda ahead, behind: ahead, lambda ahead, behind: behind):
            monkeypatch.setattr(finder, "cheaper_side", end)
            proof: Any = finder.exhaustion(view, math.inf, no_tick)
            if cost < math.inf:
                assert proof is None
                continue
            assert check_proof(problem, proof) == math.inf
            lost += 1
    assert lost > 20


def test_lists_that_take_too_much_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    problem: BeliefProblem[Any, Any, Any] = ResetWordProblem(cerny=4)
    view, _ = unreduced(problem, no_tick)
    with pytest.raises(EffortExceeded):
        finder.exhaustion(view, 9, no_tick, 0)
    with pytest.raises(EffortExceeded):
        finder.exhaustion(view, math.inf, no_tick, 0)
    monkeypatch.setattr(finder, "_MOST_LISTED", 2)
    with pytest.raises(finder.TooLong):
        finder.exhaustion(view, math.inf, no_tick)


def test_a_list_of_sets_behind_alone_is_made_into_cores_of_what_is_in_none() -> None:
    problem = TableBeliefProblem((0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset({1}),))
    proof = {"kind": "exhaustion", "states": [0, 1], "bound": None, "reach": 0, "depth": None}
    lists = {"ahead": [[[0], 0]], "behind": [[[1], 0]]}  # a part of the start
    assert check_proof(problem, {**proof, "ahead": [[[0, 1], 0]], "behind": [[[1], 0]]}) == math.inf
    made = proof_table(problem, {**proof, **lists})
    assert made["table"]["beliefs"] == [[0]]
    assert check_proof(problem, {**proof, **lists}) == math.inf
    with pytest.raises(InvalidProofError, match=r"may cost less|initial belief"):
        check_proof(problem, {**proof, **lists, "behind": [[[0, 1], 0]]})
