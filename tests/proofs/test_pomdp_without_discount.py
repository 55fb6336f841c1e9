"""Proofs of bounds that trials found without a discount."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.plans.policy_files import policy_graph_plan
from beliefsearch.proofs.hints import elaborator
from beliefsearch.proofs.pomdp_bounds import prove_bounds
from beliefsearch.running.limits import Budget, LimitReached
from beliefsearch.verify.pomdp_file import PomdpOfFile

_STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_SIZE, _PIT, _EXIT = 4, (1, 1), (3, 0)


class BlindGrid(StochasticProblem[Any, str, None]):
    """A robot is put somewhere, slips and sees nothing: and should come to the exit, and not into the pit."""

    def initial_state(self) -> Any:
        return "outside"

    def actions(self, state: Any) -> tuple[str, ...]:
        return ("enter",) if state == "outside" else tuple(_STEPS)

    def outcomes(self, state: Any, action: str) -> list[tuple[Fraction, Any]]:
        if action == "enter":
            places = [(x, y) for x in range(_SIZE) for y in range(_SIZE) if (x, y) not in (_PIT, _EXIT)]
            return [(Fraction(1, len(places)), place) for place in places]
        x, y = (min(max(a + b, 0), _SIZE - 1) for a, b in zip(state, _STEPS[action], strict=True))
        return [(Fraction(9, 10), (x, y)), (Fraction(1, 10), state)]

    def percept_distribution(self, state: Any, action: str) -> list[tuple[int, None]]:
        return [(1, None)]

    def is_terminal(self, state: Any) -> bool:
        return state in (_PIT, _EXIT)

    def utility(self, state: Any) -> int:
        return int(state == _EXIT)


def test_what_a_point_is_all_of_is_proved() -> None:
    """A share of 1 is written as a little less, which nothing makes up for in a game without an end."""
    problem = BlindGrid()
    result: Any = solve(problem, solver="hsvi")
    proved, proof = prove_bounds(problem, result, Budget())
    assert isinstance(proof, dict), proof
    assert proof["points"]
    game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
    assert game.upper(proof) == proved.upper_bound
    assert float(proved.upper_bound or 0) == pytest.approx(result.upper_bound, abs=1e-8)


def test_the_policy_of_a_search_that_was_stopped_holds() -> None:
    problem = BlindGrid()
    result: Any = solve(problem, solver="hsvi", precision=1e-9, limits=Limits(expanded=40))
    assert result.reason is not None
    assert result.lower_bound > 0.5
    game = PomdpOfFile(problem, policy_graph_plan(result.policy, problem), elaborator, lambda: None)
    assert float(game.lower()) == pytest.approx(result.lower_bound, abs=1e-9)


def test_without_time_for_rounding_no_value_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a discount no share of the values is room enough."""

    def stop(*_: Any) -> Any:
        raise LimitReached("there is no time")

    monkeypatch.setattr("beliefsearch.planner.pomdp.call_within", stop)
    result: Any = solve(BlindGrid(), solver="hsvi", precision=1e-9, limits=Limits(expanded=40))
    assert (result.lower_bound, result.policy) == (None, None)
    assert result.upper_bound > 0.9
