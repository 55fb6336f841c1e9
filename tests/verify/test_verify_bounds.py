"""What is proved of values in floats covers the truth, which is found by trying all policies with fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.proofs.check import check_policy_file
from beliefsearch.proofs.game_documents import game_document, listed_game
from beliefsearch.proofs.hints.elaborator import values_table
from beliefsearch.proofs.hints.value_bound_search import end_components, guess_above
from beliefsearch.verify.checker import ChanceGame
from beliefsearch.verify.verdict import PolicyVerdict
from beliefsearch_problems.gambler import GamblerProblem

from ..examples import examples
from ..random_games import TableGame, best_values, games, never_ends, reachable, worth

ONE = Fraction(1)


def true_game(game: TableGame) -> TableGame:
    """The game that floats mean: each probability divided by the sum of those of its action."""
    table = []
    for row in game.table:
        exact: dict[str, Any] = {}
        for action, outcomes in row.items():
            total = sum(Fraction(p) for p, _ in outcomes)
            exact[action] = tuple((Fraction(p) / total, result) for p, result in outcomes)
        table.append(exact)
    return TableGame(tuple(table), tuple(Fraction(utility) for utility in game.utilities))


@st.composite
def slow_games(draw: st.DrawFn) -> TableGame:
    """A game in floats; some actions mostly stay where they are, or go to and fro; some utilities nearly tie."""
    game = draw(games())
    size = len(game.table)
    table: list[Any] = []
    for state, row in enumerate(game.table):
        slow = {}
        for action, outcomes in row.items():
            rare = 10.0 ** -draw(st.integers(1, 15)) if draw(st.booleans()) else None
            back = draw(st.sampled_from([state, draw(st.integers(0, size - 1))]))
            new = [(float(p) if rare is None else float(p) * rare, result) for p, result in outcomes]
            slow[action] = tuple(new if rare is None else [*new, (1 - rare, back)])
        table.append(slow)
    near = tuple(u + draw(st.sampled_from([0.0, 1e-16, -1e-15, 1e-12])) for u in game.utilities)
    return TableGame(tuple(table), near)


def ending_choices(game: TableGame) -> list[tuple[str, ...]]:
    states = [state for state in reachable(game, None, 0) if not game.is_terminal(state)]
    return [
        choice
        for choice in product(*(list(row) for row in game.table))
        if all(any(map(game.is_terminal, reachable(game, choice, state))) for state in states)
    ]


def check(game: TableGame, choice: tuple[str, ...], values: dict[int, Any]) -> PolicyVerdict:
    entries = [[state, choice[state], value] for state, value in values.items()]
    return check_policy_file(game, {"kind": "policy", "states": entries}, values[0])


@given(slow_games(), st.data())
@settings(max_examples=examples(40), deadline=None)
def test_right_values_hold_and_whatever_holds_is_within_what_is_proved(game: TableGame, data: st.DataObject) -> None:
    assume(not never_ends(game))
    exact = true_game(game)
    best = best_values(exact)
    choices = ending_choices(game)
    ends = [state for state in reachable(game, None, 0) if game.is_terminal(state)]
    scale = max(abs(Fraction(game.utility(state))) for state in ends)
    choice = data.draw(st.sampled_from(choices))
    attained = worth(exact, choice, sorted(best))
    # As they are, rounded; or all a little off, in the same direction, as it goes unnoticed in each equation.
    off = data.draw(st.sampled_from([0.0, 0.0, 1e-12, 0.9e-9, 1e-6, 0.1, -1e-8]))
    shape = [data.draw(st.sampled_from([0.0, 1.0, 1 - 1e-10])) for _ in game.table]
    values = {state: float(attained[state]) + off * float(scale) * shape[state] for state in best}
    found = check(game, choice, values)
    allowed = scale / 10**9
    truly_off = max(
        max(abs(Fraction(value) - best[state]), abs(Fraction(value) - attained[state]))
        for state, value in values.items()
    )
    if found.holds:
        assert found.error is not None
        assert max(abs(Fraction(values[0]) - best[0]), abs(Fraction(values[0]) - attained[0])) <= found.error <= allowed
        assert truly_off <= allowed
    else:
        assert found.error is None
        assert truly_off > allowed * Fraction(99, 100), found.complaint  # values that are right are not refused


@given(slow_games())
@settings(max_examples=examples(40), deadline=None)
def test_bounds_enclose_the_truth_and_come_close(game: TableGame) -> None:
    assume(not never_ends(game))
    exact = true_game(game)
    best = best_values(exact)
    choice = ending_choices(game)[0]
    attained = worth(exact, choice, sorted(best))
    listed = listed_game(game)
    states = [json.loads(text) for text in listed.numbers["states"]]
    policy = [listed.numbers["actions"][json.dumps(choice[state])] for state in states]
    table = values_table(ChanceGame(game_document(listed)), policy, [Fraction(0)] * len(states), Fraction(0))
    assert table is not None
    for state, low, high in zip(states, table["low"], table["high"], strict=True):
        low, high = Fraction(low), Fraction(high)
        assert low <= attained[state] <= best[state] <= high
        assert attained[state] - low <= Fraction(1, 10**30)
        assert high - best[state] <= Fraction(1, 10**30)


def test_a_slow_chain_does_not_hide_half_of_the_value() -> None:
    """Go to A or win; A stays with probability 1 - 1e-10 and loses otherwise. Each equation is missed by 1e-10."""
    stay: Any = {"stay": ((1 - 1e-10, 1), (1e-10, 3))}
    game = TableGame(({"go": ((0.5, 1), (0.5, 2))}, stay), (1.0, 0.0))
    assert not check(game, ("go", "stay"), {0: 1.0, 1: 1.0}).holds
    found = check(game, ("go", "stay"), {0: 0.5, 1: 0.0})
    assert found.holds
    assert found.error == 0


@pytest.mark.parametrize("off", [0.9e-9, -0.9e-9, 1e-12, 1e-14])
def test_values_that_are_off_smoothly_are_refused_or_the_error_covers_it(off: float) -> None:
    """A fair coin: the chance is capital / goal, whatever is staked (Dubins and Savage)."""
    goal = 100
    game = GamblerProblem(goal=goal, capital=50, p=Fraction(1, 2))
    states = [[x, 1, x / goal + off * x * (goal - x)] for x in range(1, goal)]
    found = check_policy_file(game, {"kind": "policy", "states": states}, states[49][2])
    miss = abs(Fraction(states[49][2]) - Fraction(1, 2))
    assert found.holds == (miss <= Fraction(1, 10**9))
    if found.holds:
        assert found.error is not None
        assert miss <= found.error <= miss * Fraction(11, 10)
    elif off > 0:
        assert "at least 0.5" in found.complaint
        assert "no policy more than 0.5" in found.complaint


def test_a_better_policy_that_no_single_step_shows_is_found() -> None:
    """To stay costs 1e-11 of the chance to win each time, and another action does not; equations miss by that only."""
    loss: Any = {
        "stay": ((1 - 1e-10, 0), (0.5e-10, 1), (0.5e-10, 2)),
        "other": ((1 - 1e-10, 0), (0.6e-10, 1), (0.4e-10, 2)),
    }
    game = TableGame((loss,), (1.0, 0.0))
    found = check(game, ("stay",), {0: 0.5})
    assert not found.holds
    assert "no policy more than 0.6" in found.complaint
    assert check(game, ("other",), {0: 0.6}).holds


def test_a_game_between_states_for_nothing_has_one_value() -> None:
    """Two states between which one may go for ever, which counts for nothing; the ways out are worth -1 and -2."""
    rows: Any = (
        {"over": ((1.0, 1),), "out": ((1.0, 2),)},
        {"back": ((1.0, 0),), "out": ((0.1, 2), (0.2, 3), (0.7, 1))},
    )
    game = TableGame(rows, (-2.0, -1.0))
    p = Fraction(0.2) / (Fraction(0.1) + Fraction(0.2))
    value = float(-2 + p)
    found = check(game, ("over", "out"), {0: value, 1: value})
    assert found.holds
    assert found.error is not None
    assert 0 < found.error < Fraction(1, 10**14)
    assert not check(game, ("over", "back"), {0: 0.0, 1: 0.0}).holds
    assert not check(game, ("over", "out"), {0: 0.0, 1: 0.0}).holds


@pytest.mark.parametrize(("precision", "holds"), [(0.02, True), ("1/1000", False), (0, False)])
def test_a_file_may_claim_less_precision(precision: object, holds: bool) -> None:
    game = TableGame(({"toss": ((Fraction(1, 3), 1), (Fraction(2, 3), 2))},), (1, 0))
    plan = {"kind": "policy", "states": [[0, "toss", "1/3"]], "precision": 0}
    assert check_policy_file(game, plan, "1/3").error == 0
    plan = {"kind": "policy", "states": [[0, "toss", 0.34]], "precision": precision}
    found = check_policy_file(game, plan, 0.34)
    assert found.holds == holds
    if holds:
        assert found.error is not None
        assert 0 <= found.error - (Fraction(0.34) - Fraction(1, 3)) < Fraction(1, 10**15)


def test_where_equations_are_many_and_dense_lengths_of_games_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.proofs.hints.value_bound_search._MOST_REPLACED", 10)
    game = GamblerProblem(goal=20, capital=7, p=Fraction(2, 5))
    document: Any = plan_document(solve(game), game, name="gambler", parameters={})
    found = check_policy_file(game, document["plan"], document["value"])
    assert found.holds
    exact: Any = solve(GamblerProblem(goal=20, capital=7, p=Fraction(2, 5), exact=True)).value
    assert found.error is not None
    assert abs(Fraction(document["value"]) - exact) <= found.error + Fraction(1, 10**15) < Fraction(1, 10**9)


def test_end_components() -> None:
    rows: Any = [
        [(1, ((1, 1),), 0)],
        [(1, ((1, 0),), 0), (2, ((1, 2),), 5)],
        [(1, ((1, 3),), 0)],
        [(2, ((1, 2),), 5)],  # may end the game, so 2 and 3 are none
    ]
    assert list(map(sorted, end_components(rows, [0, 1, 2, 3], lambda: None))) == [[0, 1]]
    guess = guess_above(rows, [0, 1, 0, 0], [0] * 4, lambda: None)
    assert guess is not None
    assert guess[0] == guess[1] >= 5
    assert all(number >= 5 for number in guess)
