"""What a policy says: which actions are best, the runner-up, and its margin, against brute force."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given

from beliefsearch import BeliefSearchError, solve
from beliefsearch.plans.policy import ROUNDING
from beliefsearch.plans.policy_files import policy_from_plan, policy_plan
from beliefsearch.plans.policy_table import BestActions, best_actions_of, policy_row, policy_rows
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.riddler_flips import RiddlerFlipsProblem

from ..random_games import TableGame, best_values, games, in_floats, never_ends

HALF = Fraction(1, 2)


def best_of(problem: Any, **options: Any) -> BestActions[Any]:
    return best_actions_of(problem, solve(problem, **options).require_policy())


@cache
def worth_of_coins(flips: int) -> dict[tuple[int, int], tuple[int, int]]:
    """By flips made and score, of -2m to 2m after m flips: what A and B are worth, times 2 ** (flips to go).

    Backward induction on whole numbers, that is exactly.
    """
    after = {score: int(score > 0) for score in range(-2 * flips, 2 * flips + 1)}
    worth = {}
    for made in reversed(range(flips)):
        here = {s: (after[s + 1] + after[s - 1], after[s + 2] + after[s - 2]) for s in range(-2 * made, 2 * made + 1)}
        worth.update({(made, score): pair for score, pair in here.items()})
        after = {score: max(pair) for score, pair in here.items()}
    return worth


def sets_of(pairs: Any, slack: Fraction = Fraction(0)) -> dict[tuple[str, ...], int]:
    """How many of these pairs are best by A, by B, or by both."""
    counts: Counter[tuple[str, ...]] = Counter()
    for a, b in pairs:
        least = max(a, b) * (1 - slack)
        counts[tuple(name for name, value in (("A", a), ("B", b)) if value >= least)] += 1
    return dict(counts)


@pytest.mark.thorough
def test_a_hundred_flips_by_brute_force() -> None:
    worth = worth_of_coins(100)
    assert len(worth) == 19_900
    # Exactly; and if what differs by a 10^12th of the value counts as equal, as floats cannot tell it.
    assert sets_of(worth.values()) == {("A",): 1667, ("B",): 1275, ("A", "B"): 16_958}
    assert sets_of(worth.values(), Fraction(1, 10**12)) == {("A",): 1563, ("B",): 1275, ("A", "B"): 17_062}
    # After one flip the score is not 0, so one of these states cannot come up; both coins are as good there.
    assert len(set(worth.pop((1, 0)))) == 1
    exact, rounded = sets_of(worth.values()), sets_of(worth.values(), Fraction(1, 10**12))
    for use_arrays in (True, False):
        found = best_of(RiddlerFlipsProblem(), use_arrays=use_arrays)
        assert (found.sets, found.rounding) == (rounded, ROUNDING)
        assert (found.one, found.several) == (1563 + 1275, 17_061)
    found = best_of(RiddlerFlipsProblem(exact=True))
    assert (found.sets, found.rounding) == (exact, 0)
    assert list(found.sets.values()) == [16_957, 1667, 1275]
    worth_of_coins.cache_clear()


@pytest.mark.parametrize("use_arrays", [True, False])
def test_rows_of_the_flips_by_brute_force(use_arrays: bool) -> None:
    flips = 12
    worth = worth_of_coins(flips)
    problem = RiddlerFlipsProblem(flips=flips, exact=True)
    policy = solve(problem, use_arrays=use_arrays).require_policy()
    rows = list(policy_rows(problem, policy))
    assert {row.state for row in rows} == set(worth) - {(1, 0)}
    assert [row.state[0] for row in rows] == sorted(row.state[0] for row in rows)
    for row in rows:
        a, b = (Fraction(value, 2 ** (flips - row.state[0])) for value in worth[row.state])
        assert (row.value, row.tied) == (max(a, b), a == b)
        assert row.action == ("B" if b > a else "A")
        assert row.best == (("A", "B") if a == b else (row.action,))
        assert row.runner_up is not None
        assert (row.runner_up.action, row.runner_up.value) == (("A", a) if b > a else ("B", b))
        assert row.margin == abs(a - b)
        assert [(entry.action, entry.value) for entry in row.actions] == [("A", a), ("B", b)]
        made, score = row.state
        assert [state for _, state, _ in row.actions[1].outcomes] == [(made + 1, score + 2), (made + 1, score - 2)]


@given(games())
def test_random_games_by_trying_all_policies(game: TableGame) -> None:
    if never_ends(game):
        return
    best = best_values(game)
    value = {**best, **{s: game.utility(s) for s in range(len(game.table), len(game.table) + len(game.utilities))}}
    expected: Counter[tuple[str, ...]] = Counter()
    for state in best:
        worth = {action: sum(p * value[r] for p, r in outs) for action, outs in game.table[state].items()}
        top = tuple(action for action, some in worth.items() if some == max(worth.values()))
        expected[top] += 1
        for problem in (game, in_floats(game)):
            row = policy_row(problem, solve(problem).require_policy(), state)
            assert row.best == top
            others = [float(some) for action, some in worth.items() if action != row.action]
            assert row.runner_up is None if not others else row.runner_up is not None
            if row.runner_up is not None and row.margin is not None:
                assert float(row.runner_up.value) == pytest.approx(max(others), abs=1e-9)
                assert float(row.margin) == pytest.approx(float(best[state]) - max(others), abs=1e-9)
                assert (row.margin == 0) == (row.tied and row.action in top)
    for problem in (game, in_floats(game)):
        assert best_of(problem).sets == expected


@given(games(acyclic=True))
def test_arrays_count_as_the_definition_does(game: TableGame) -> None:
    for problem in (game, in_floats(game)):
        with_arrays = solve(problem)
        without = solve(problem, use_arrays=False)
        assert set(with_arrays.require_policy().states) == set(without.require_policy().states)
        assert with_arrays.stats.reached == without.stats.reached
        assert with_arrays.stats.expanded == without.stats.expanded
        assert best_of(problem) == best_of(problem, use_arrays=False)


def test_ties_in_floats() -> None:
    # 0.1 + 0.2 is not 0.3, and 3 * 0.1 not either.
    thirds = TableGame(({"a": ((1.0, 1),), "b": ((0.1, 2), (0.2, 2), (0.7, 3))},), (0.3, 1.0, 0.0))
    policy = solve(thirds).require_policy()
    row = policy_row(thirds, policy, 0)
    assert row.actions[0].value != row.actions[1].value
    assert (row.tied, row.margin, row.action) == (True, 0, "a")
    assert best_of(thirds).sets == {("a", "b"): 1}
    # More than rounding is a difference, however small the values are.
    small = TableGame(({"a": ((1.0, 1),), "b": ((1.0, 2),)},), (1e-30, 1.000001e-30))
    assert best_of(small).sets == {("b",): 1}
    assert best_of(TableGame(small.table, (1e-30, 1e-30 * (1 + 1e-15)))).sets == {("a", "b"): 1}


def test_what_is_left_of_values_that_cancel_is_rounding() -> None:
    # Worth 0, but in floats 0.1 + 0.2 - 0.3 leaves 5.6e-17.
    game = TableGame(({"sum": ((0.1, 1), (0.2, 1), (0.3, 2), (0.4, 3)), "zero": ((1.0, 3),)},), (1.0, -1.0, 0.0))
    policy = solve(game).require_policy()
    worth = {entry.action: entry.value for entry in policy_row(game, policy, 0).actions}
    assert 0 < worth["sum"] < 1e-15
    assert policy.best_actions(game, 0) == ["sum", "zero"]
    assert best_of(game).sets == {("sum", "zero"): 1}


def test_bold_play_is_one_of_several_best_ways() -> None:
    # Dubins and Savage: from 75 of 100 it is best to stake 25; a fair coin makes all stakes equally good.
    problem = GamblerProblem(exact=True)
    policy = solve(problem).require_policy()
    assert 25 in policy_row(problem, policy, 75).best
    assert policy_row(problem, policy, 50).best == (50,)
    fair = best_of(GamblerProblem(p=HALF, goal=10, capital=5))
    assert fair.sets == {tuple(range(1, n + 1)): 1 if n == 5 else 2 for n in range(1, 6)}
    assert (fair.one, fair.several) == (2, 7)


def test_monty_hall_is_a_tie_at_the_start_only() -> None:
    problem = MontyHallProblem()
    policy = solve(problem).require_policy()
    first, *others = policy_rows(problem, policy)
    assert (first.best, first.margin) == ((1, 2, 3), 0)
    assert len(others) == 6
    assert {row.margin for row in others} == {Fraction(1, 3)}
    assert all(row.action not in (row.state[0], *row.state[1]) for row in others)


def test_a_policy_that_is_not_the_best_is_told_as_it_is() -> None:
    game = TableGame(({"good": ((1, 1),), "bad": ((1, 2),)},), (7, 5))
    plan = policy_plan(solve(game).require_policy(), game)
    assert plan == {"kind": "policy", "states": [[0, "good", 7]]}
    policy = policy_from_plan({"kind": "policy", "states": [[0, "bad", 5]]}, game)
    row = policy_row(game, policy, 0)
    assert (row.action, row.value, row.best, row.margin) == ("bad", 5, ("good",), -2)
    with pytest.raises(BeliefSearchError, match="says nothing about"):
        policy.action(9)


def test_a_policy_from_a_file_knows_states_as_they_come_up() -> None:
    # 1 stands for 2 as well, but only 2 comes up.
    game = TableGame(({"a": ((1, 2),)}, {"b": ((1, 3),), "c": ((1, 4),)}, {"b": ((1, 3),), "c": ((1, 4),)}), (2, 3))
    game = evolve(game, same={2: 1})
    solved = solve(game).require_policy()
    read = policy_from_plan(policy_plan(solved, game), game)
    assert [(row.state, row.action, row.margin) for row in policy_rows(game, solved)] == [(0, "a", None), (1, "c", 1)]
    assert [(row.state, row.action, row.margin) for row in policy_rows(game, read)] == [(0, "a", None), (2, "c", 1)]
    assert best_actions_of(game, solved) == best_actions_of(game, read)


def test_states_that_arrays_list_but_that_cannot_come_up_are_no_part_of_the_policy() -> None:
    game = TableGame(({"a": ((1.0, 2), (0.0, 1))}, {"a": ((1.0, 2),), "b": ((1.0, 3),)}), (0.0, 1.0), layers=(0, 1, 2))
    result = solve(game)
    policy = result.require_policy()
    assert (list(policy.states), list(policy.choices), list(policy.values)) == ([0, 2], ["a", None], [0, 0])
    assert (policy.states[1], policy.states[:]) == (2, [0, 2])
    assert (result.stats.reached, result.stats.expanded, result.stats.generated) == (2, 1, 1)
    assert not policy.knows(1)
    assert best_actions_of(game, policy).sets == {("a",): 1}
