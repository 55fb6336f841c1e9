"""Proofs of bounds that trials found without a discount."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.errors import DoesNotHoldError
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


class Leaving(StochasticProblem[str, str, None]):
    """Leaving for the hall pays 5; a way out is from the room, and with `has_door` from the hall."""

    def __init__(self, *, has_door: bool) -> None:
        self.has_door = has_door

    def initial_distribution(self) -> list[tuple[int, str]]:
        return [(1, "room")]

    def actions(self, state: str) -> list[str]:
        return ["leave", "end"]

    def outcomes(self, state: str, action: str) -> list[tuple[int, str]]:
        ends = action == "end" and (state == "room" or self.has_door)
        return [(1, "over" if ends else "hall")]

    def reward(self, state: str, action: str) -> int:
        return 5 if (state, action) == ("room", "leave") else 0

    def is_terminal(self, state: str) -> bool:
        return state == "over"

    def percept_distribution(self, state: str, action: str) -> list[tuple[int, None]]:
        return [(1, None)]


@pytest.mark.parametrize("has_door", [True, False])
def test_what_was_gained_counts_where_an_end_can_be_reached(has_door: bool) -> None:
    """Only policies count that end the game: without the door ending it at once is the only one, and is worth 0."""
    nodes = [["leave", [1], [5, None]], ["leave", [1], [None, 0]]]
    plan = {"states": ["room", "hall"], "percepts": [None], "unit": 1, "nodes": nodes}
    checked = PomdpOfFile(Leaving(has_door=has_door), plan, elaborator, lambda: None)
    if has_door:
        assert checked.lower() == 5
        return
    with pytest.raises(DoesNotHoldError, match="the policy may never end the game"):
        checked.lower()
    above = {"kind": "value-bounds", "unit": 1, "actions": ["leave", "end"], "planes": [[0, -5], [0, -5]], "points": []}
    assert checked.upper(above) == 0
