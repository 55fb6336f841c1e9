"""Proofs by exhaustion that leave the checker something to follow, and what it must not believe."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.errors import InvalidProofError
from beliefsearch.model.problem import BeliefProblem
from beliefsearch.proofs import exhaustion as finder
from beliefsearch.proofs.finder import find_proof, unreduced
from beliefsearch.running.run import Run
from beliefsearch.verify import proof_exhaustion
from beliefsearch.verify.proof import check_proof
from beliefsearch.verify.proof_exhaustion import States
from beliefsearch_problems.reset_word import ResetWordProblem

from ..random_problems import TableBeliefProblem, exact_belief_costs


def no_tick() -> None:
    pass


@pytest.fixture(autouse=True)
def no_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists from both ends are what is written where cores would be too many."""
    monkeypatch.setattr(finder, "_MOST_CORES_OF", -1)


def proof_of(problem: BeliefProblem[int, str, Any], bound: float) -> dict[str, Any] | None:
    view, _ = unreduced(problem, no_tick)
    found = finder.exhaustion(view, bound, no_tick)
    return found and {**found, "states": list(view.model.states)}


def random_problem(chance: Random) -> TableBeliefProblem:
    size = chance.randint(4, 7)
    table = tuple(
        {name: tuple({chance.randrange(size) for _ in range(1 + (chance.random() < 0.1))}) for name in "ab"}
        for _ in range(size)
    )
    return TableBeliefProblem(tuple(range(size)), table, tuple(frozenset({state}) for state in range(size)))


def followed(listed: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make proofs list little."""
    monkeypatch.setattr(finder, "_FEW_SETS", -1)
    monkeypatch.setattr(finder, "_LISTED", listed)


@pytest.mark.parametrize("listed", [0.1, 1e9])
def test_what_the_lists_leave_out_is_followed(monkeypatch: pytest.MonkeyPatch, listed: float) -> None:
    followed(listed, monkeypatch)
    chance = Random(2)
    proofs = with_rest = behind = 0
    for _ in range(60):
        problem = random_problem(chance)
        best = exact_belief_costs(problem)[frozenset(problem.starts)]
        if not 2 <= best <= 8:
            continue
        best = int(best)
        proof = proof_of(problem, best)
        assert proof is not None
        assert proof_of(problem, best + 1) is None
        assert check_proof(problem, proof) == best
        proofs += 1
        with_rest += proof.get("rest", 0) > 1
        behind += proof.get("rest_behind", 0) > 0
        # One action more to follow, and it would claim too much.
        with pytest.raises(InvalidProofError, match=r"too few actions|won for less"):
            check_proof(problem, {**proof, "bound": best + 1, "rest": proof.get("rest", 0) + 1})
        if "rest" in proof:
            with pytest.raises(InvalidProofError, match="do not make the bound"):
                check_proof(problem, {**proof, "rest": proof["rest"] - 1})
        # How it is divided is all the same.
        if proof.get("rest", 0) > 1:
            for steps in range(proof["rest"] + 2):
                assert check_proof(problem, {**proof, "rest_behind": steps}) == best
    assert proofs > 20
    assert (with_rest if listed > 1 else proofs) > 10
    assert behind > 5 or listed < 1


def test_where_something_is_followed_numbers_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    followed(1e9, monkeypatch)
    problem = ResetWordProblem(cerny=4)
    proof = proof_of(problem, 9)
    assert proof is not None
    assert check_proof(problem, proof) == 9
    assert proof["rest"] == 9
    # What is listed at a half would neither be expanded as a belief short of the reach, nor followed as one at it.
    with pytest.raises(InvalidProofError, match="whole"):
        check_proof(problem, {**proof, "ahead": [*proof["ahead"], [[0, 1, 2], "1/2"]]})
    with pytest.raises(InvalidProofError, match="'rest' should be a whole number"):
        check_proof(problem, {**proof, "rest": "many"})
    monkeypatch.setattr(proof_exhaustion, "MOST_FOLLOWED", 5)
    with pytest.raises(InvalidProofError, match="more than 5 sets"):
        check_proof(problem, proof)


def test_sets_are_written_as_lists_or_as_hexadecimal_numbers() -> None:
    problem = ResetWordProblem(random=70, seed=0)
    proof = proof_of(problem, 5)
    assert proof is not None
    assert {type(members) for members, _ in proof["behind"]} == {str}

    def listed(text: str) -> list[int]:
        return [number for number in range(70) if int(text, 16) >> number & 1]

    as_lists = {key: [[listed(one), value] for one, value in proof[key]] for key in ("ahead", "behind")}
    assert check_proof(problem, proof) == check_proof(problem, {**proof, **as_lists}) == 5
    for wrong in ("0", "", "-1", "xyz", f"{1 << 70:x}", "0x1", " 1", "1_0", "AB"):
        with pytest.raises(InvalidProofError, match=r"hexadecimal|list of states"):
            check_proof(problem, {**proof, "ahead": [[wrong, 0], *proof["ahead"]]})


entries = st.lists(st.tuples(st.integers(1, 31), st.integers(0, 4).map(Fraction)), max_size=10)


@given(entries=entries, members=st.integers(1, 31), cost=st.integers(0, 5) | st.just(math.inf), ahead=st.booleans())
def test_a_cover_is_what_comparing_all_pairs_finds(
    entries: list[tuple[int, Fraction]], members: int, cost: float, ahead: bool
) -> None:
    cover = proof_exhaustion._Cover(entries, 5, ahead=ahead)
    for strictly in (False, True):
        assert cover.covers(members, cost, strictly=strictly) == any(
            not (one & ~members if ahead else members & ~one) and (value < cost or (value == cost and not strictly))
            for one, value in entries
        )


def test_images_and_preimages_are_those_of_the_definition() -> None:
    chance = Random(7)
    for _ in range(30):
        problem = random_problem(chance)
        states = States(problem)
        number_of = {state: state for state in range(len(problem.table))}
        model = proof_exhaustion._SetModel(states, number_of)
        for members in range(1, 1 << len(number_of), 3):
            for action in model.actions:
                held = [state for state in number_of if members >> state & 1]
                image = {result for state in held for result in problem.table[state][action]}
                before = [state for state in number_of if set(problem.table[state][action]) <= set(held)]
                assert model.image(members, action) == sum(1 << state for state in image)
                assert model.preimage(members, action) == sum(1 << state for state in before)


def test_two_lost_starts_are_enough_to_prove_that_there_is_no_plan() -> None:
    # Letter a is a turn of each half, and b of one half alone: the halves are never told apart, nor merged.
    table: tuple[dict[str, tuple[int, ...]], ...] = tuple(
        {"a": (i ^ 1,), "b": (i if i < 2 else i ^ 1,)} for i in range(8)
    )
    problem = TableBeliefProblem(tuple(range(8)), table, tuple(frozenset({state}) for state in range(8)))
    proof = find_proof(problem, math.inf, Run())
    assert proof is not None
    assert proof["kind"] == "exhaustion"
    listed: Any = proof["ahead"]
    assert max(len(members) for members, _ in listed) == 2
    assert check_proof(problem, proof) == math.inf


def test_a_rest_without_end_does_not_keep_the_checker_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = TableBeliefProblem((0, 1), ({"a": (0,)}, {"a": (1,)}), (frozenset({1}),))
    proof = {"kind": "exhaustion", "states": [0, 1], "depth": 5, "ahead": [[[0], 0]], "behind": [[[1], 0]]}
    # No belief is at the reach, and no set behind at the depth.
    assert check_proof(problem, {**proof, "bound": 10**18, "reach": 5, "rest": 10**18}) == 10**18
    # Where one set goes round for ever, a step counts for the columns and actions that it takes, too.
    around = {**proof, "bound": 300, "reach": 0, "depth": 0, "rest": 300, "rest_behind": 300}
    assert check_proof(problem, around) == 300
    monkeypatch.setattr(proof_exhaustion, "MOST_FOLLOWED", 1000)
    with pytest.raises(InvalidProofError, match="more than 1,000 sets"):
        check_proof(problem, around)


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
