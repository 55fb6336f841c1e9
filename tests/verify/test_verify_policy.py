"""The checker of saved policies rejects each kind of mistake, and says where it is."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans.encoding import number_from_json
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.proofs.check import check_policy_file

from ..random_games import TableGame, in_floats

HALF = Fraction(1, 2)
# Waiting is free, the fair bet is worth it, the other is not.
GAME = TableGame(
    (
        {"wait": ((1, 0),), "fair": ((HALF, 1), (HALF, 2)), "bad": ((1, 2),)},
        {"back": ((1, 0),), "on": ((HALF, 3), (HALF, 2))},
    ),
    (0, 8),
)


def saved(game: TableGame) -> tuple[Any, Any]:
    document: Any = plan_document(solve(game), game, name="game", parameters={})
    return document["plan"], document["value"]


def test_the_policy_itself_holds_exactly_or_within_rounding() -> None:
    plan, value = saved(GAME)
    # "on" is worth half of 8, and "fair" half of that.
    assert (plan["states"], value) == ([[0, "fair", "2"], [1, "on", "4"]], "2")
    found = check_policy_file(GAME, plan, value)
    assert (found.holds, found.states, found.exact) == (True, 2, True)
    found = check_policy_file(in_floats(GAME), *saved(in_floats(GAME)))
    assert (found.holds, found.exact) == (True, False)


def change(place: int, column: int, to: object) -> Callable[[Any], None]:
    def changed(plan: Any) -> None:
        plan["states"][place][column] = to

    return changed


@pytest.mark.parametrize(
    ("mutate", "told"),
    [
        (change(0, 2, 3), "the state 0 is worth 3"),
        (change(1, 2, 3), "the state 0 is worth 2, but action fair is worth 1.5 there"),
        (change(0, 1, "bad"), "the state 0 is worth 2, but action bad is worth 0 there"),
        (change(0, 1, "wait"), "from the state 0 on, its actions never end the game"),
        (change(0, 1, "none"), 'in the state 0 no action that applies is written "none"'),
        (lambda plan: plan["states"].pop(), "nothing about the state 1"),
        (lambda plan: plan["states"].append([2, "on", 0]), "an entry for 2"),
        (lambda plan: plan["states"].append([9, "on", 0]), "an entry for 9"),
    ],
)
@pytest.mark.parametrize("game", [GAME, in_floats(GAME)], ids=["exact", "floats"])
def test_mutations_do_not_hold(game: TableGame, mutate: Callable[[Any], None], told: str) -> None:
    plan, value = saved(game)
    mutate(plan)
    found = check_policy_file(game, plan, value)
    assert not found.holds
    assert told in found.complaint.replace(".0", "")


def test_values_of_a_policy_that_never_ends_do_not_hold_though_the_equations_do() -> None:
    """Where waiting is free, any large value of the states between which the game may go to and fro would do."""
    loop = TableGame(({"wait": ((1, 0),), "leave": ((1, 1),)},), (-1,))
    plan = {"kind": "policy", "states": [[0, "wait", 5]]}
    found = check_policy_file(loop, plan, 5)
    assert not found.holds
    assert "never end" in found.complaint


def test_a_claim_that_is_not_that_of_the_policy() -> None:
    plan, _ = saved(GAME)
    assert "the game is worth 3; but it is proved only" in check_policy_file(GAME, plan, 3).complaint


def test_a_float_in_an_exact_game_is_rounding_and_is_not_allowed_a_little_more() -> None:
    plan, value = saved(in_floats(GAME))
    plan["states"][0][2] += 1e-6
    assert not check_policy_file(in_floats(GAME), plan, value).holds


@pytest.mark.parametrize(
    "mutate",
    [
        lambda plan: plan.update(states={}),
        lambda plan: plan.pop("states"),
        lambda plan: plan["states"].append([1, "on"]),
        lambda plan: plan["states"].append(plan["states"][0]),
        change(0, 2, "two"),
        change(0, 2, None),
        change(0, 2, "1/0"),
        change(0, 2, True),
    ],
)
def test_what_cannot_be_read_is_said_so(mutate: Callable[[Any], None]) -> None:
    plan, value = deepcopy(saved(GAME))
    mutate(plan)
    with pytest.raises(InvalidPlanError):
        check_policy_file(GAME, plan, value)


def test_numbers_in_files() -> None:
    assert number_from_json("-3/4", "it") == Fraction(-3, 4)
    assert number_from_json(0.25, "it") == 0.25
    with pytest.raises(InvalidPlanError, match="it is 'x', which is no number"):
        number_from_json("x", "it")
