"""The way in: which solver is used, what is refused, limits, and games that are long."""

from __future__ import annotations

import math
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve

from beliefsearch import (
    BeliefSearchError,
    Limits,
    Observer,
    Policy,
    PolicyResult,
    ProblemError,
    Status,
    StochasticProblem,
    solve,
)
from beliefsearch.errors import BeliefSearchWarning, LimitError
from beliefsearch.kinds import Kind
from beliefsearch.planner import mdp as solving
from beliefsearch.planner.solver_table import ALIASES, solvers_of

from ..examples import thorough
from ..random_games import TableGame
from ..toys.made import made

HALF = Fraction(1, 2)
# Try again until it works: one state that the game may come back to.
TRY = TableGame(({"try": ((HALF, 0), (HALF, 1))},), (5,))
# To wait is free, to leave costs 1. Only policies that leave count.
WAIT = TableGame(({"wait": ((1, 0),), "leave": ((1, 1),)},), (-1,))
ONCE = TableGame(({"a": ((HALF, 1), (HALF, 2))},), (0, 1))


def walk(length: int = 10, up: float | Fraction = HALF, forward_only: bool = False, **more: Any) -> Any:
    """A walk to either end of a line, by the toss of a coin of the player's choice."""
    ends = (length,) if forward_only else (0, length)
    ways: dict[str, Any] = {
        "outcomes": lambda state, _: [(1, state + 1)] if forward_only else [(up, state + 1), (1 - up, state - 1)],
        "is_terminal": lambda state: state in ends,
        "utility": lambda state: int(state == length),
    }
    start = 0 if forward_only else length // 2
    return made(StochasticProblem, initial_state=start, actions=("toss",), **{**ways, **more})


def test_the_solver_goes_by_the_problem() -> None:
    assert solve(ONCE).solver == "backward-induction"
    assert solve(TRY).solver == "policy-iteration"
    assert solve(walk(up=0.5)).solver == "policy-iteration"


def test_with_floats_and_very_many_states_in_a_cycle_values_are_iterated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "_MANY", 5)
    assert solve(walk(up=0.5)).solver == "value-iteration"
    assert solve(walk()).solver == "policy-iteration"


@pytest.mark.parametrize("solver", [*solvers_of(Kind.STOCHASTIC), "dp", "dynamic-programming", "pi", "vi", "auto"])
def test_every_name_solves_a_game_that_never_comes_back(solver: str) -> None:
    result = solve(ONCE, solver=solver)
    assert (result.value, result.exact) == (HALF, True)
    assert result.solver == ALIASES.get(solver, solver).replace("auto", "backward-induction")


@pytest.mark.parametrize("chance", [1e-3, 1e-10, 1e-13, 1e-15])
def test_in_floats_a_gain_that_is_rounding_in_one_step_is_found(chance: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rooms: Any = {(0, "on"): [(1 - chance, 1), (chance, 2)], (1, "quit"): [(1, 2)], (1, "back"): [(1, 0)]}
    game = made(
        StochasticProblem,
        initial_state=0,
        actions=lambda state: [action for room, action in rooms if room == state],
        outcomes=lambda state, action: rooms[state, action],
        reward=lambda state, action: -1 if action == "quit" else 0,
        is_terminal=lambda state: state == 2,
        utility=lambda state: 0,
    )
    result = solve(game)
    assert (result.value, result.policy.action(1)) == (0, "back")
    monkeypatch.setattr("beliefsearch.solvers.mdp.policy_iteration._SMALL", 1)
    with pytest.warns(BeliefSearchWarning, match="values may be wrong") if chance < 1e-12 else nullcontext():
        solve(game)


def test_in_floats_no_gain_that_is_rounding_makes_the_game_endless() -> None:
    rooms: Any = {
        (0, "on"): (-2, [(1 - 1e-12, 2), (1e-12, 3)]),
        (1, "on"): (-2, [(1.0, 0)]),
        (2, "wait"): (0, [(1 - 1e-15, 2), (5e-16, 0), (5e-16, 3)]),
        (2, "try"): (-1 / 3, [(0.999999, 1), (1e-6, 4)]),
        (3, "on"): (0, [(0.36363636363636365, 2), (0.22727272727272727, 2), (0.4090909090909091, 0)]),
    }
    game = made(
        StochasticProblem,
        initial_state=0,
        actions=lambda state: [action for room, action in rooms if room == state],
        outcomes=lambda state, action: rooms[state, action][1],
        reward=lambda state, action: rooms[state, action][0],
        is_terminal=lambda state: state == 4,
        utility=lambda state: 0,
    )
    assert solve(game).value == pytest.approx(-4_333_331.333333, rel=1e-9)


def test_only_policies_under_which_the_game_ends_count() -> None:
    assert solve(TRY).value == 5
    for solver in ("policy-iteration", "value-iteration"):
        game = evolve(WAIT, utilities=(-1.0,))
        result = solve(game, solver=solver)
        assert result.value == -1
        assert result.policy is not None
        assert result.policy.action(0) == "leave"


def test_a_fair_walk_ends_at_an_end_by_how_near_it_is() -> None:
    """Gambler's ruin: from k of n the upper end is reached with probability k / n."""
    result = solve(walk(length=40))
    assert result.policy is not None
    assert [result.policy.value(state) for state in range(41)] == [Fraction(state, 40) for state in range(41)]


@pytest.mark.parametrize("length", [50, thorough(300)])
@pytest.mark.parametrize("solver", ["policy-iteration", "value-iteration"])
def test_an_unfair_walk_by_its_formula(length: int, solver: str) -> None:
    ratio = 0.48 / 0.52
    expected = (1 - ratio ** (length // 2)) / (1 - ratio**length)
    assert solve(walk(length=length, up=0.52), solver=solver).value == pytest.approx(expected, rel=1e-9)


def test_long_games_are_no_matter_of_recursion() -> None:
    result = solve(walk(length=5_000, forward_only=True))
    assert (result.value, result.solver, result.stats.reached) == (1, "backward-induction", 5_001)


def test_what_a_solver_cannot_do_is_refused() -> None:
    with pytest.raises(BeliefSearchError, match=r"may come back to 0; solver=.policy-iteration"):
        solve(TRY, solver="dp")
    with pytest.raises(BeliefSearchError, match="policy-iteration"):
        solve(TRY, solver="vi")
    with pytest.raises(BeliefSearchError, match="'astar'; there are backward-induction"):
        solve(ONCE, solver="astar")
    with pytest.raises(BeliefSearchError, match="tolerance"):
        solve(ONCE, tolerance=0)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (
            TableGame(({"go": ((0.5, 1), (0.4, 2))},), (0, 1)),
            r"outcomes\(0, 'go'\) gave probabilities that sum to 0.9, not",
        ),
        (TableGame(({"go": ((HALF, 1), (Fraction(1, 3), 2))},), (0, 1)), "sum to 5/6, not 1"),
        (TableGame(({"go": ((1.5, 1), (-0.5, 2))},), (0, 1)), "probability -0.5"),
        (TableGame(({"go": ((math.nan, 1), (1, 2))},), (0, 1)), "probability nan"),
        (TableGame(({"go": ()},), (0, 1)), "sum to 0, not 1"),
        (TableGame(({"go": (("1", 1),)},), (0, 1)), "the probability '1'"),  # type: ignore[dict-item]  # the mistake
        (TableGame(({"go": ((1, [1]),)},), (0, 1)), r"\[1\], which is not hashable"),  # type: ignore[dict-item]  # the mistake
        (TableGame(({"go": (1, 2)},), (0, 1)), "no pair"),  # type: ignore[dict-item]  # the mistake
        (TableGame(({"go": ((1, 1),)},), (math.inf,)), r"utility\(1\) gave inf; it must be a finite number"),
        (TableGame(({},), (0,)), r"actions\(0\) gave none"),
        (TableGame(({"go": ((0.5, 1), (0.5, 2))}, {"stay": ((1, 1),)}), (0,)), "never ends: from the state 1,"),
    ],
)
@pytest.mark.parametrize("solver", ["auto", "value-iteration"])
def test_mistakes_are_told_with_state_action_and_sum(game: TableGame, told: str, solver: str) -> None:
    with pytest.raises(ProblemError, match=told) as error:
        solve(game, solver=solver)
    assert "\n" not in str(error.value)


def test_rounding_and_what_has_no_probability_do_no_harm() -> None:
    tenth = TableGame(({"go": tuple((0.1, 1 + place) for place in range(10))},), tuple(range(10)))
    assert solve(tenth).value == pytest.approx(4.5)
    pit = TableGame(({"go": ((1.0, 2), (0.0, 1))}, {"stay": ((1.0, 1),)}), (7.0,))
    assert solve(pit).value == 7


def test_limits_and_the_keyboard_leave_it_undecided_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    result = solve(walk(length=100), limits=Limits(expanded=10))
    with pytest.raises(LimitError, match="10 expanded states"):
        result.require_policy()
    assert (result.status, result.value, result.policy) == (Status.UNDECIDED, None, None)
    assert "10 expanded" in str(result.reason)
    assert result.stats.expanded == 10

    result = solve(walk(up=0.5, forward_only=True, is_terminal=False), limits=Limits(seconds=0.05))
    assert result.status is Status.UNDECIDED
    assert "time limit" in str(result.reason)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("beliefsearch.solvers.mdp.policy_iteration.decide_by_policies", interrupted)
    # From the start the game goes on to a state that it may come back to; behind that everything is known.
    game = TableGame(({"a": ((1, 1),)}, {"b": ((HALF, 1), (HALF, 2))}, {"c": ((1, 3),)}), (4,))
    result = solve(game)
    assert result.status is Status.UNDECIDED
    assert "interrupted" in str(result.reason)
    assert result.policy is not None
    assert [(state, action, value) for state, action, value in result.policy.items()] == [(2, "c", 4), (3, None, 4)]
    assert not result.policy.knows(0)
    with pytest.raises(BeliefSearchError, match="says nothing about the state 0"):
        result.policy.action(0)


def test_an_observer_hears_how_many_states_there_are() -> None:
    class Counter(Observer):
        last = 0

        def numbered(self, states: int) -> None:
            self.last = states

    counter = Counter()
    solve(walk(length=20), observer=counter)
    assert counter.last == 21


POLICY: Policy[Any, Any] = Policy([0], ["a"], [1], lambda state: state)


@pytest.mark.parametrize(
    ("status", "value", "policy", "reason"),
    [
        (Status.SOLVED, None, POLICY, None),
        (Status.SOLVED, 1, None, None),
        (Status.SOLVED, 1, POLICY, "why"),
        (Status.UNDECIDED, 1, POLICY, "why"),
        (Status.UNDECIDED, None, None, None),
        (Status.UNSOLVABLE, None, None, None),
    ],
)
def test_contradictory_results_cannot_be_built(status: Status, value: Any, policy: Any, reason: Any) -> None:
    with pytest.raises(ValueError, match=r"solved|reason|best policy"):
        PolicyResult(status, value, policy, "some", reason)


def test_a_policy_can_be_asked() -> None:
    game = TableGame(({"a": ((HALF, 1), (HALF, 2)), "b": ((1, 2),), "c": ((1, 2),)},), (0, 1))
    policy = solve(game).policy
    assert policy is not None
    assert (policy.action(0), policy.value(0), len(policy)) == ("b", 1, 3)
    assert list(policy.items()) == [(0, "b", 1), (1, None, 0), (2, None, 1)]
    assert policy.best_actions(game, 0) == ["b", "c"]
