"""Goal sets of numbered states: which a state is in, however the sets say what is in them."""

from __future__ import annotations

from collections.abc import Callable, Container
from random import Random
from typing import Any

import pytest

from beliefsearch import BeliefProblem
from beliefsearch.engine.bits.numbered_model import NumberedModel
from beliefsearch.hooks import StatesWith
from beliefsearch.model.belief import no_tick


def model_of(goal_sets: list[Container[Any]]) -> NumberedModel[Any, Any]:
    class Problem(BeliefProblem[int, str, None]):
        def goal_sets(self) -> Any:
            return goal_sets

        def initial_states(self) -> Any:
            return range(100)

        def actions(self, state: int) -> Any:
            return ()

        def results(self, state: int, action: str) -> Any:
            return (state,)

    return NumberedModel(Problem(), no_tick, lambda states: None)


def tens(state: int) -> int:
    return state // 10


@pytest.mark.parametrize("count", [5, 200])
def test_a_state_is_in_the_goal_sets_that_hold_it(count: int) -> None:
    random = Random(count)
    kinds: list[Callable[[], Container[int]]] = [
        lambda: frozenset(random.sample(range(100), 5)),
        lambda: StatesWith(tens, random.randrange(10)),
        lambda: StatesWith(abs, random.randrange(100)),
        lambda: range(random.randrange(50), 60),
    ]
    goal_sets = [random.choice(kinds)() for _ in range(count)]
    model = model_of(goal_sets)
    for state in random.sample(range(100), 40):
        around = model.goal_sets_around[model.number(state)]
        assert around == [index for index, goals in enumerate(goal_sets) if state in goals]


def test_of_many_goal_sets_with_one_key_none_is_asked() -> None:
    asked = []

    def key(state: int) -> int:
        asked.append(state)
        return state % 1000

    model = model_of([StatesWith(key, value) for value in range(1000)])
    for state in range(2000):
        assert model.goal_sets_around[model.number(state)] == [state % 1000]
    assert len(asked) == 2000
