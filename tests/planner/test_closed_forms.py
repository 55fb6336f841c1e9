"""A closed form holds for the class that states it, and for subclasses that change only how things look."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from beliefsearch import BeliefSearchError, Drawing, check_proof, solve
from beliefsearch.errors import InvalidProofError
from beliefsearch.hooks import Construction
from beliefsearch_problems.devil import Coins, DevilProblem


class Still(DevilProblem):  # type: ignore[misc]  # installed puzzles have no types
    """The devil cannot turn the table."""

    def rotations(self, coins: Coins) -> list[Coins]:
        return [coins]

    def canonical(self, state: Coins) -> Coins:
        return state


class Painted(DevilProblem):  # type: ignore[misc]  # as above
    """The same game with other pictures."""

    def svg_state(self, state: Coins) -> Drawing:
        return Drawing(1, 1)


class Restated(Still):
    """It says itself that it has no closed form."""

    def construction(self) -> None:
        return None


def test_a_subclass_that_changes_the_game_is_searched() -> None:
    assert DevilProblem(n=6).construction() is not None  # says that there is no plan
    problem: Any
    for problem in (Still(n=6, reduced=False), Restated(n=6, reduced=False)):
        found: Any = solve(problem)
        assert found.cost == 63  # of 64 arrangements each move wins from one more
    with pytest.raises(BeliefSearchError, match="Still changes the problem whose construction it inherits"):
        solve(Still(n=6), solver="construct")


@pytest.mark.parametrize("options", [{"n": 4}, {"n": 6}, {"turn_by": 2}, {"turn_by": 9}, {"n": 3, "faces": 9}])
def test_a_small_game_has_the_plan_of_a_search(options: dict[str, int]) -> None:
    found, searched = solve(DevilProblem(**options)), solve(DevilProblem(**options), solver="search")
    assert (found.solver, found.status, found.plan) == (searched.solver, searched.status, searched.plan)


@pytest.mark.parametrize(
    ("options", "cost"), [({"faces": 7}, inf), ({"faces": 8}, 4095), ({"n": 8, "turn_by": 1}, 255)]
)
def test_few_states_that_take_long_are_answered_in_closed_form(options: dict[str, int], cost: float) -> None:
    found: Any = solve(DevilProblem(**options))
    assert (found.solver, found.cost if found.plan else inf) == ("construct", cost)


def test_its_certificate_is_not_that_of_another_game() -> None:
    stated = DevilProblem(n=6).construction()
    assert stated is not None
    claimed = {"kind": "construction", "evidence": dict(stated.evidence)}
    assert check_proof(DevilProblem(n=6), claimed) == inf
    with pytest.raises(InvalidProofError, match="Still brings no checker for constructions"):
        check_proof(Still(n=6), claimed)


def test_a_subclass_that_changes_pictures_has_the_closed_form() -> None:
    result: Any = solve(Painted(n=8), solver="construct")
    assert (result.solver, result.cost) == ("construct", 255)
    assert isinstance(Painted(n=8).construction(), Construction)
