"""Games that may be over when they begin: every answer by brute force on the problem as its author wrote it.

Solver and checker share how a stochastic problem is made one of beliefs (`model.chance.Possible`), and how a game that
is over leaves a distribution (`model.distribution`). A mistake there would certify itself.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf
from typing import Any

from attrs import fields
from hypothesis import given, settings

from beliefsearch import Limits, Status, check_proof, prove, solve
from beliefsearch.graph import winning_region
from beliefsearch.kinds import possible_game
from beliefsearch.results import FileVerdict

from ..examples import examples
from ..pomdp_mutants import check
from ..random_pomdps import TablePomdp, pomdps

ENDED = pomdps(discounted=False, everywhere=False, ended=True) | pomdps(everywhere=False, ended=True)


def wins_almost_surely(problem: TablePomdp) -> bool:
    """By the definition, on sets of states in which the game may go on: nobody needs to be told that it is over."""
    start = support(problem, problem.start)
    if start is None:
        return False
    steps: dict[frozenset[int], list[dict[int, set[tuple[frozenset[int], int] | None]]]] = {}
    frontier = [start]
    for belief in frontier:  # grows while it is walked
        if belief in steps or not belief:
            continue
        steps[belief] = []
        for action in set.intersection(*(set(problem.table[state]) for state in belief)):
            after: dict[int, set[int]] = {}
            for state in belief:
                alive = support(problem, problem.table[state][action][1])
                if alive is None:
                    break
                for result in alive:
                    for _, percept in problem.percept_distribution(result, action):
                        after.setdefault(percept, set()).add(result)
            else:
                frontier += map(frozenset, after.values())
                steps[belief].append({state: ways(problem, state, action, after) for state in belief})
    safe = set(steps)
    while True:
        allowed = {
            belief: [
                step
                for step in steps[belief]
                if all(way is None or way[0] in safe for to in step.values() for way in to)
            ]
            for belief in safe
        }
        leads: set[tuple[frozenset[int], int] | None] = {None}
        size = 0
        while size < len(leads):
            size = len(leads)
            leads.update(
                (belief, state)
                for belief in safe
                for step in allowed[belief]
                for state in belief
                if step[state] & leads
            )
        left = {belief for belief in safe if all((belief, state) in leads for state in belief)}
        if left == safe:
            return not start or start in safe
        safe = left


def support(problem: TablePomdp, pairs: Any) -> frozenset[int] | None:
    """The states in which the game goes on; None if it may be lost."""
    states = {state for chance, state in pairs if chance}
    over = {state for state in states if problem.is_terminal(state)}
    return None if any(problem.utility(state) <= 0 for state in over) else frozenset(states - over)


def ways(
    problem: TablePomdp, state: int, action: str, after: dict[int, set[int]]
) -> set[tuple[frozenset[int], int] | None]:
    """Where a state may lead: to a belief with the true state in it, or to the won end, which is None."""
    found: set[tuple[frozenset[int], int] | None] = set()
    for chance, result in problem.table[state][action][1]:
        if chance and problem.is_terminal(result):
            found.add(None)
        elif chance:
            percepts = [percept for _, percept in problem.percept_distribution(result, action)]
            found.update((frozenset(after[percept]), result) for percept in percepts)
    return found


@given(ENDED)
@settings(max_examples=examples(100))
def test_winning_almost_surely_is_that_of_brute_force(problem: TablePomdp) -> None:
    wins = wins_almost_surely(problem)
    result = solve(problem, objective="almost-sure")
    assert result.status is (Status.SOLVED if wins else Status.UNSOLVABLE)
    for engine in ("bits", "compiled"):
        assert (winning_region(problem, engine=engine).start is not None) == wins
    if not wins and (proof := prove(problem, result)).data is not None:
        assert check_proof(possible_game(problem), proof.data) == inf


class Rounded(TablePomdp):
    """The same with floats for all numbers, which do not quite sum to 1."""

    def initial_distribution(self) -> Any:
        return floats(self.start)

    def outcomes(self, state: int, action: str) -> Any:
        return floats(super().outcomes(state, action))

    def percept_distribution(self, state: int, action: str) -> Any:
        return floats(super().percept_distribution(state, action))

    def utility(self, state: int) -> Any:
        return super().utility(state) / 10

    def reward(self, state: int, action: str) -> Any:
        return super().reward(state, action) / 10

    def discount(self) -> Any:
        return 1 if self.factor == 1 else float(self.factor)


def floats(pairs: Any) -> list[tuple[float, int]]:
    return [(float(chance), value) for chance, value in pairs]


@given(ENDED)
@settings(max_examples=examples(60))
def test_bounds_of_a_game_of_floats_hold(problem: TablePomdp) -> None:
    rounded = Rounded(**{field.name: getattr(problem, field.name) for field in fields(TablePomdp)})
    result: Any = solve(rounded, limits=Limits(expanded=500))
    proof = prove(rounded, result)
    if proof.data is not None:
        verdict = check(rounded, proof.document(name="table", parameters={}))
        assert isinstance(verdict, FileVerdict)
        assert verdict.holds, verdict.complaint


def test_a_game_that_is_over_at_the_start_is_worth_what_it_ends_with() -> None:
    over = ((Fraction(1, 3), 1), (Fraction(2, 3), 2))
    ended = TablePomdp(over, ({"a": (0, ((Fraction(1), 1),))},), {}, (6, -3), Fraction(1))
    assert solve(ended).value == 0
    assert solve(ended, objective="almost-sure").status is Status.UNSOLVABLE
