"""Arrays of a partially observable problem that are not what they should be, and odd ones that are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attrs import evolve, field, frozen

from beliefsearch import StochasticProblem, solve
from beliefsearch.errors import BeliefSearchError
from beliefsearch.hooks import ChanceArrayHook, PerceptChanceArrays

ONE, HALF = np.array(1), np.array(Fraction(1, 2), object)
BOTH, OVER = np.arange(2), np.array([-1, -1])
QUARTER, MOST = Fraction(1, 4), Fraction(3, 4)

ARRAYS: PerceptChanceArrays[int, str, str] = PerceptChanceArrays(
    states=(0, 1),
    start=(BOTH, HALF),
    outcomes={"look": (BOTH, ONE), "left": (OVER, ONE), "right": (OVER, ONE)},
    rewards={"look": np.array([-1, -1]), "left": np.array([10, -100]), "right": np.array([-100, 10])},
    percepts={"look": np.array([1, 2])},
    percept_rows=[[(1, "nothing")], [(MOST, "l"), (QUARTER, "r")], [(MOST, "r"), (QUARTER, "l")]],
)


@frozen
class Guess(StochasticProblem[int, str, str], ChanceArrayHook[int, str]):
    """Look as often as you like, then guess which of two states it is."""

    given: PerceptChanceArrays[int, str, str] | None = field(default=ARRAYS, eq=False)

    def initial_distribution(self) -> Any:
        return [(Fraction(1, 2), 0), (Fraction(1, 2), 1)]

    def actions(self, state: int) -> Any:
        return "look", "left", "right"

    def outcomes(self, state: int, action: str) -> Any:
        return [(1, state if action == "look" else 2)]

    def percept_distribution(self, state: int, action: str) -> Any:
        return [(MOST, "lr"[state]), (QUARTER, "rl"[state])] if action == "look" else [(1, "nothing")]

    def reward(self, state: int, action: str) -> int:
        return -1 if action == "look" else 10 if (action == "left") == (state == 0) else -100

    def is_terminal(self, state: int) -> bool:
        return state == 2

    def utility(self, state: int) -> int:
        return 0

    def discount(self) -> Fraction:
        return Fraction(19, 20)

    def arrays(self, tick: Any) -> PerceptChanceArrays[int, str, str] | None:
        return self.given


def looking(*entry: Any) -> dict[str, Any]:
    return {"outcomes": {**ARRAYS.outcomes, "look": entry}}


def earning(*rewards: Any, kind: Any = None) -> dict[str, Any]:
    return {"rewards": {**ARRAYS.rewards, "look": np.array(rewards, kind)}}


def seeing(*pairs: Any) -> dict[str, Any]:
    return {"percept_rows": [ARRAYS.percept_rows[0], pairs, ARRAYS.percept_rows[2]]}


NEVER = {action: np.array([True, False]) for action in ARRAYS.outcomes}
EMPTY: dict[str, Any] = {
    "states": (),
    "start": (np.array([-1]), ONE),
    "outcomes": dict.fromkeys(ARRAYS.outcomes, (BOTH[:0], ONE)),
    "rewards": {},
    "percepts": {},
}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (looking(BOTH, np.array(0.9)), "probabilities for action 'look'"),
        (looking(np.array([[0, 1], [1, 0]]), np.array([1.5, -0.5])), "probabilities for action 'look'"),
        (looking(BOTH, np.array(np.nan)), "probabilities for action 'look'"),
        (looking(BOTH, np.array("a", object)), "probabilities for action 'look'"),
        (looking(BOTH + 5, ONE), "from -1 to 1"),
        (looking(BOTH - 3, ONE), "from -1 to 1"),
        (looking(BOTH + 0.5, ONE), "whole numbers"),
        (looking(np.array([0, 1, 1, 0]), ONE), "other shapes"),
        (earning(np.nan, -1), "no finite numbers"),
        (earning(-np.inf, -1), "no finite numbers"),
        (earning("a", "b", kind=object), "no finite numbers"),
        (earning(-(10**400), -1, kind=object), "no finite numbers"),
        (earning(-1e31, -1), "larger than 1e28"),
        (earning(1, 2, 3), "other shapes"),
        ({"outcomes": {}}, "no action applies"),
        ({"applicable": NEVER}, "no action applies"),
        ({"applicable": {"look": np.array([1, 0])}}, "bool"),
        ({"start": (np.array([0, 7]), HALF)}, "from -1 to 1"),
        ({"start": (BOTH, np.array(0.4))}, "probabilities for the start"),
        ({"start": (BOTH[:0], ONE)}, "probabilities for the start"),
        ({"percepts": {"look": np.array([1, 7])}}, "from 0 to 2"),
        (seeing((MOST, "l")), "sum to 3/4"),
        (seeing((np.nan, "l"), (QUARTER, "r")), "nan"),
        (seeing(("a", "l"), (QUARTER, "r")), "'a'"),
        (seeing((1, ["l"])), "not hashable"),
    ],
)
def test_arrays_that_break_their_contract(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BeliefSearchError, match=told):
        solve(Guess(evolve(ARRAYS, **changes)))


@pytest.mark.parametrize(
    ("changes", "value"),
    [
        ({"start": (np.array([0, 1]), np.array([1, 0]))}, 10),
        ({"start": (np.array([0, 0, 1]), np.array([QUARTER, QUARTER, 2 * QUARTER], object))}, None),
        ({"start": (np.array([-1]), ONE)}, 0),
        (EMPTY, 0),
        (seeing((2 * QUARTER, "l"), (QUARTER, "l"), (QUARTER, "r")), None),
        (looking(np.array([[0, 0], [1, 1]]), HALF), None),
    ],
)
def test_arrays_that_look_odd(changes: dict[str, Any], value: int | None) -> None:
    """What is written twice counts twice, what has the probability 0 not at all; a game may be over at the start."""
    odd = solve(Guess(evolve(ARRAYS, **changes)))
    if value is None:
        assert odd.lower_bound == solve(Guess(None)).lower_bound
    else:
        assert (odd.lower_bound, odd.upper_bound) == (value, value)
