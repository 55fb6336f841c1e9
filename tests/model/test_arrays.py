"""The array hook: arrays that break their contract are told, and what is not looked at may hold anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from beliefsearch import BeliefSearchError, solve
from beliefsearch.hooks import ChanceArrays

from ..random_games import TableGame
from ..toys.made import derived

# From 0 to 1 or to the terminal 2 and 3; "b" applies at the start only.
GAME = TableGame(
    ({"a": ((0.5, 1), (0.5, 2)), "b": ((1.0, 2),)}, {"a": ((0.25, 2), (0.75, 3))}), (0.0, 1.0), layers=(0, 1, 2)
)


def arrays(**changes: Any) -> Any:
    """A class whose arrays are those of the game, with changes."""

    class Changed(TableGame):
        def arrays(self, tick: Any = None) -> ChanceArrays[int, str] | None:
            given = super().arrays()
            assert given is not None
            return evolve(given, **{name: change(given) for name, change in changes.items()})

    return Changed(GAME.table, GAME.utilities, GAME.layers)


def with_a(numbers: Any = None, probabilities: Any = None) -> Any:
    def change(given: Any) -> Any:
        old = given.outcomes["a"]
        new = (
            old[0] if numbers is None else np.array(numbers),
            old[1] if probabilities is None else np.array(probabilities),
        )
        return {**given.outcomes, "a": new}

    return change


def test_the_game_as_it_is() -> None:
    assert solve(GAME).value == solve(GAME, use_arrays=False).value == 0.375


def test_rows_that_are_not_looked_at_may_hold_anything() -> None:
    strange = with_a([[1, 2], [2, 3], [-7, 99], [99, -7]], [[0.5, 0.5], [0.25, 0.75], [np.nan, -1], [9, 9]])
    assert solve(arrays(outcomes=strange)).value == 0.375
    anything = arrays(utilities=lambda given: np.array([np.nan, np.inf, 0, 1]))
    assert solve(anything).value == 0.375


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"outcomes": with_a(probabilities=[0.5, 0.4])}, "action 'a': probabilities that sum to 0.9, not 1"),
        ({"outcomes": with_a(probabilities=[[0.5, 0.5], [0.25, 0.7], [0, 0], [0, 0]])}, "sum to 0.95, not 1"),
        ({"outcomes": with_a(probabilities=[1.5, -0.5])}, "negative"),
        ({"outcomes": with_a(probabilities=[1.0, 0.0, 0.0])}, "probabilities of the shape"),
        ({"outcomes": with_a(numbers=[[1, 2], [1, 3], [0, 0], [0, 0]])}, "later layer"),
        ({"outcomes": with_a(numbers=[[1, 2], [2, 4], [0, 0], [0, 0]])}, "later layer, or is no state"),
        ({"outcomes": with_a(numbers=[[1, 2], [2, 3]])}, "numbers of the shape"),
        ({"outcomes": with_a(numbers=[[1.0, 2.0], [2.0, 3.0], [3, 3], [3, 3]])}, "numbers of the shape"),
        (
            {"applicable": lambda given: dict.fromkeys("ab", np.array([True, False, False, False]))},
            "no action applies in the state 1",
        ),
        ({"layers": lambda given: (1, 2)}, "layers must ascend"),
        ({"layers": lambda given: (0, 2, 2)}, "layers must ascend"),
        ({"terminal": lambda given: given.terminal[:3]}, "3 entries of `terminal` for 4 states"),
        ({"utilities": lambda given: np.array([0, 0, 0, np.inf])}, "finite utility"),
        ({"states": lambda given: (7, 1, 2, 3)}, "lacks the initial state 0"),
    ],
)
def test_arrays_that_break_their_contract(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BeliefSearchError, match=told):
        solve(arrays(**changes))


def test_a_problem_may_have_arrays_for_some_sizes_only() -> None:
    small = derived(TableGame, arrays=None)
    assert solve(small(GAME.table, GAME.utilities, GAME.layers)).value == 0.375


def test_whole_numbers_stay_whole() -> None:
    game = TableGame(({"a": ((1, 1),), "b": ((1, 2),)},), (3, 2**70), layers=(0, 1))
    result = solve(game)
    assert (result.value, result.exact) == (2**70, True)
    assert result.policy is not None
    assert list(result.policy.choices) == ["b", None, None]
    assert list(result.policy.choices[1:]) == [None, None]
