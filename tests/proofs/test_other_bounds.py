"""Bounds that are proved in place of that of a search: a lower one, where no proof is found, and a higher one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import Limits, Status, check_proof, prove, solve
from beliefsearch.model.hooks import factors_of
from beliefsearch.proofs import finder
from beliefsearch.proofs.exhaustion import SHORTER_LIST, TooLong
from beliefsearch.proofs.factors import factors_proof
from beliefsearch.running.run import Run as Searching
from beliefsearch_problems.files.pddl import PddlFileProblem
from beliefsearch_problems.reset_word import ResetWordProblem

from ..answers import stdout
from ..conftest import Run

CERNY = 9  # the least word of four states: J. Cerny (1964)


def room(path: Path, size: int, goal: int) -> Path:
    """A room of which each coordinate, from 0 to below `size`, is moved by two actions of its own."""
    moves = {f"{way}-{name}": (name, by) for name in "xy" for way, by in (("up", 1), ("down", -1))}
    actions = "".join(
        f"(:action {action} :effect (and "
        + "".join(
            f"(when ({name} n{at}) (and (not ({name} n{at})) ({name} n{at + by})))"
            for at in range(size)
            if 0 <= at + by < size
        )
        + "))"
        for action, (name, by) in moves.items()
    )
    numbers = " ".join(f"n{at}" for at in range(size))
    starts = "".join("(oneof " + " ".join(f"({name} n{at})" for at in range(size)) + ")" for name in "xy")
    path.write_text(
        f"(define (domain room) (:constants {numbers}) (:predicates (x ?n) (y ?n)) {actions})"
        f"(define (problem p) (:domain room) (:init (and {starts})) (:goal (and (x n{goal}) (y n{goal}))))"
    )
    return path


def test_coordinates_are_proved_one_by_one_and_added_up(tmp_path: Path) -> None:
    # In each coordinate the player runs into a wall, which takes size - 1 moves, and then goes to the goal.
    problem = PddlFileProblem(file=room(tmp_path / "room.pddl", 20, 10))
    proof = prove(problem)
    assert (proof.status, proof.bound) == (Status.SOLVED, 2 * (19 + 9))
    assert proof.data is not None
    assert proof.data["kind"] == "factors"
    assert [part["factor"] for part in proof.data["parts"]] == [0, 1]
    assert check_proof(problem, proof.data) == proof.bound


@pytest.mark.parametrize("highest", [1, 5, 8])
def test_where_no_proof_of_the_bound_is_found_the_highest_is_taken_of_which_there_is_one(
    cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, highest: int
) -> None:
    whole: Any = finder.find_proof

    def find(problem: Any, bound: Any, *others: Any) -> Any:
        # All lists for lower bounds together take no longer than the first that was too long.
        assert bound == CERNY or others[-1].keywords == {"most_bytes": SHORTER_LIST}
        if bound > highest:
            raise TooLong(highest)
        return whole(problem, bound, *others)

    monkeypatch.setattr(finder, "find_proof", find)
    monkeypatch.setattr(finder, "proof_of_few", lambda *given: None)  # which lists beliefs with their costs
    path = tmp_path / "weak.json"
    told = stdout(cli("prove", "reset-word", "--cerny", "4", "--certificate", str(path)), 3)
    assert f"no plan costs less than {highest}\n" in told
    assert f"certified: at least {highest}, where the search says 9" in told
    document = json.loads(path.read_text())
    assert (document["cost"], document["lower_bound"], document["optimal"]) == (CERNY, highest, False)
    assert f"no plan costs less than {highest}" in stdout(cli("verify", str(path)))


def test_a_bound_that_a_search_did_not_find_is_proved_within_a_limit() -> None:
    problem = ResetWordProblem(cerny=4)
    answer = solve(problem, solver="greedy")
    assert answer.cost is not None
    assert answer.lower_bound < CERNY
    proof = prove(problem, answer, limits=Limits(seconds=60))
    assert proof.bound == CERNY
    assert (proof.status is Status.SOLVED) == (answer.cost == CERNY)
    assert prove(problem, answer).bound == answer.lower_bound


def test_an_action_for_which_no_part_pays_is_free_in_all(tmp_path: Path) -> None:
    """Here `mix` has to do with two parts that add up, and costs nothing in the tables of both."""
    (tmp_path / "tied.pddl").write_text(
        "(define (domain tied) (:predicates (p) (q) (r) (s) (t) (u)) "
        "(:action one :effect (and (p) (q))) "
        "(:action mix :effect (and (when (and (t) (u)) (t)) (not (u)) (when (and (p) (q)) (r)))) "
        "(:action two :effect (when (r) (not (p)))) "
        "(:action three :effect (s)) "
        "(:action four :effect (and (when (not (u)) (t)) (when (t) (u)) (when (s) (not (s))))))"
        "(define (problem p) (:domain tied) (:goal (and (not (p)) (s) (t))) (:init (and (unknown (p)) (unknown (q)) "
        "(unknown (r)) (unknown (s)) (unknown (t)) (unknown (u)) (oneof (t) (u)))))"
    )
    problem = PddlFileProblem(file=tmp_path / "tied.pddl")
    factors = factors_of(problem)
    assert factors is not None
    cost = solve(problem, solver="breadth-first", engine="naive").cost
    assert cost is not None
    found = factors_proof(
        problem, factors, cost, Searching(), lambda part, bound: finder.find_proof(part, bound, Searching())
    )
    assert found is not None
    assert check_proof(problem, found) == cost
