"""Every solver on random small games, against every policy there is, solved exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings

from beliefsearch import ProblemError, StochasticProblem, solve
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plans.policy import PolicyResult
from beliefsearch.proofs.check import check_policy_file

from ..examples import examples
from ..random_games import TableGame, best_values, games, in_floats, never_ends, reachable, worth
from ..toys.made import made


def attained(game: TableGame, result: Any) -> bool:
    """Whether the policy is worth what it says, the game ending with certainty."""
    states = sorted(state for state in reachable(game, None, 0) if not game.is_terminal(state))
    choice = tuple(
        result.policy.action(state) if state in states else next(iter(row)) for state, row in enumerate(game.table)
    )
    ends = all(any(map(game.is_terminal, reachable(game, choice, state))) for state in states)
    return ends and all(
        abs(value - Fraction(result.policy.value(state))) <= Fraction(1, 10**9)
        for state, value in worth(game, choice, states).items()
    )


@given(games())
@settings(max_examples=examples(75), deadline=None)
def test_exact_policy_iteration_finds_the_best_of_all_policies_under_which_the_game_ends(game: TableGame) -> None:
    if never_ends(game):
        with pytest.raises(ProblemError, match="the game never ends"):
            solve(game)
        return
    result = solve(game)
    for state, value in best_values(game).items():
        assert result.policy is not None
        assert result.policy.value(state) == value
    assert result.exact
    assert attained(game, result)


@pytest.mark.parametrize("solver", ["policy-iteration", "value-iteration"])
@given(game=games())
@settings(max_examples=examples(75), deadline=None)
def test_solvers_with_floats_agree_with_it(solver: str, game: TableGame) -> None:
    assume(not never_ends(game))
    result = solve(in_floats(game), solver=solver)
    assert result.policy is not None
    for state, value in best_values(game).items():
        assert result.policy.value(state) == pytest.approx(float(value), abs=1e-9)
    assert attained(game, result)


@given(game=games(rare=True))
@settings(max_examples=examples(150), deadline=None)
def test_gains_that_add_up_over_very_many_steps_count_in_floats(game: TableGame) -> None:
    assume(not never_ends(game))
    result = solve(in_floats(game))
    assert result.policy is not None
    for state, value in best_values(game).items():
        assert result.policy.value(state) == pytest.approx(float(value), abs=1e-9)


@given(game=games(acyclic=True))
@settings(max_examples=examples(75), deadline=None)
def test_backward_induction_with_and_without_arrays(game: TableGame) -> None:
    exact = best_values(game)
    for variant, slack in ((game, 0.0), (in_floats(game), 1e-12)):
        plain = solve(variant, solver="backward-induction", use_arrays=False)
        fast = solve(variant, solver="backward-induction")
        assert plain.policy is not None
        assert fast.policy is not None
        for state, value in exact.items():
            for policy in (plain.policy, fast.policy):
                gap: Any = policy.value(state) - value
                assert abs(gap) <= slack
            assert plain.policy.action(state) == fast.policy.action(state)
        assert attained(game, plain)
        assert type(fast.value) is type(plain.value)


@given(games())
@settings(max_examples=examples(75), deadline=None)
def test_the_checker_accepts_what_is_found_and_no_other_value_or_action_that_is_worse(game: TableGame) -> None:
    assume(not never_ends(game))
    result = solve(game)
    document: Any = plan_document(result, game, name="game", parameters={})
    plan = document["plan"]
    assert check_policy_file(game, plan, document["value"]).holds
    best = best_values(game)
    for place, (state, action, value) in enumerate(plan["states"]):
        other = plan["states"].copy()
        other[place] = [state, action, str(Fraction(value) + Fraction(1, 1000))]
        assert not check_policy_file(game, {"kind": "policy", "states": other}, document["value"]).holds
        for name, outcomes in game.table[state].items():
            worth_it: Any = sum(p * (game.utility(r) if game.is_terminal(r) else best[r]) for p, r in outcomes)
            if worth_it < best[state]:
                other[place] = [state, name, value]
                assert not check_policy_file(game, {"kind": "policy", "states": other}, document["value"]).holds


@given(games())
@settings(max_examples=examples(50), deadline=None)
def test_symmetry_changes_no_value(game: TableGame) -> None:
    """Each state has a twin; chance leads to either."""
    assume(not never_ends(game))
    size, ends = len(game.table), len(game.utilities)
    half = Fraction(1, 2)

    def twins(outcomes: Any) -> Any:
        split = [(p, r + size) if r >= size else (p, r) for p, r in outcomes]
        return tuple(
            item for p, r in split for item in ([(p, r)] if r >= 2 * size else [(p * half, r), (p * half, r + size)])
        )

    rows = [{action: twins(outcomes) for action, outcomes in row.items()} for row in game.table]
    same = {state + size: state for state in range(size)}
    doubled = TableGame((*rows, *rows), game.utilities)
    folded = TableGame((*rows, *rows), game.utilities, same=same)
    value = solve(game).value
    assert solve(doubled).value == value
    result = solve(folded)
    assert result.value == value
    assert result.stats.reached <= size + ends
    document: Any = plan_document(result, folded, name="game", parameters={})
    assert check_policy_file(folded, document["plan"], document["value"]).holds


def _patience(rare: float) -> Any:
    """One state that is hardly ever left: for "won" twice as often as for "lost"."""
    return made(
        StochasticProblem,
        initial_state="here",
        actions=("wait",),
        outcomes=[(1 - 3 * rare, "here"), (2 * rare, "won"), (rare, "lost")],
        is_terminal=lambda state: state != "here",
        utility=lambda state: 3.0 if state == "won" else 0.0,
    )


@pytest.mark.parametrize("power", [3, 12, 15, 300])
def test_however_long_a_game_stays_its_value_loses_no_digits(power: int) -> None:
    result: PolicyResult[str, str] = solve(_patience(10.0**-power))
    assert result.value == pytest.approx(2, rel=1e-14)
