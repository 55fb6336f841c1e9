"""Policies and policy graphs with numbers of thousands of digits, and with texts that look like numbered states."""

from __future__ import annotations

import json
import time
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from attrs import frozen

from beliefsearch.errors import BeliefSearchError, InvalidPlanError, ProblemError
from beliefsearch.plans.wording import any_digits
from beliefsearch.proofs.check import check_file, check_policy_file
from beliefsearch.verify.verdict import FileVerdict

from ..plan_texts import plan_of_text
from ..random_games import TableGame
from ..random_pomdps import TablePomdp

ONE, HALF = Fraction(1), Fraction(1, 2)
GAME = TableGame(({"a": ((HALF, 0), (HALF, 1))},), (5,))
POMDP = TablePomdp(((ONE, 0),), ({"a": (0, ((HALF, 0), (HALF, 1)))},), {}, (5,), ONE)
GRAPH: dict[str, Any] = {
    "version": 1,
    "problem": "pomdp",
    "parameters": {},
    "status": "undecided",
    "lower_bound": 5,
    "plan": {"kind": "policy-graph", "states": [0], "percepts": [0], "unit": 1, "nodes": [["a", [0], [5]]]},
}


def of_policy(states: list[Any], value: Any, problem: Any = GAME, **more: Any) -> FileVerdict:
    plan = {"kind": "policy", "states": states, **more}
    document = {"version": 1, "problem": "game", "parameters": {}, "status": "solved", "value": value, "plan": plan}
    with any_digits():
        return check_file(problem, plan_of_text(json.dumps(document)))


def test_a_value_of_too_many_digits_cannot_be_read() -> None:
    with pytest.raises(InvalidPlanError, match="its policy cannot be checked: high is '1/333") as error:
        of_policy([[0, "a", "1/" + "3" * 25_000]], 5)
    assert len(str(error.value)) < 200


def test_so_does_an_author_of_such_numbers_hear() -> None:
    rare = Fraction(1, 3**40_000)
    pairs = ((rare, 0), (1 - rare, 1))
    with pytest.raises(ProblemError, match=r"the numbers of the problem are too long to be checked: action a in state"):
        of_policy([[0, "a", 5]], 5, TableGame(({"a": pairs},), (5,)))
    with any_digits(), pytest.raises(ProblemError, match="are too long to be checked: action a in state 0"):
        check_file(TablePomdp(((ONE, 0),), ({"a": (0, pairs)},), {}, (5,), ONE), plan_of_text(json.dumps(GRAPH)))


@pytest.mark.parametrize(("field", "to"), [("unit", 10**1300), ("unit", 10**4000), ("horizon", 2**61)])
def test_units_and_horizons_of_graphs_are_limited(field: str, to: int) -> None:
    document = deepcopy(GRAPH)
    document["plan"] |= {"nodes": [["a", [None], [0]]], field: to}
    with any_digits():
        text = json.dumps(document)
        with pytest.raises(InvalidPlanError, match=r"and no number below 2\^"):
            check_file(POMDP, plan_of_text(text))


@frozen
class _Starts(TableGame):
    """A game that may begin in several states."""

    chances: tuple[tuple[float, int], ...] = ()

    def initial_distribution(self) -> tuple[tuple[float, int], ...]:
        return self.chances


def test_values_that_no_float_holds_may_follow_chances_that_are_floats() -> None:
    game = TableGame(({"a": ((0.5, 0), (0.5, 1))},), (5,))
    huge = 10**400
    problem = _Starts(game.table, game.utilities, chances=((0.5, 0), (0.5, 1)))
    assert of_policy([[0, "a", huge]], str(Fraction(huge + 5, 2)), problem, precision=huge).holds


def test_the_mean_over_starts_may_be_rounded() -> None:
    """Ten starts, each worth 1: they are worth 1 together, and not exactly the sum of floats that a file gives."""
    rows: Any = ({"a": ((1, 10),)},) * 10
    problem = _Starts(rows, (1,), chances=tuple((0.1, state) for state in range(10)))
    plan = {"states": [[state, "a", 1] for state in range(10)]}
    found = check_policy_file(problem, plan, sum([0.1] * 10))
    assert found.holds
    assert found.error == 1 - Fraction(sum([0.1] * 10))


def test_values_with_many_denominators_take_no_time() -> None:
    """Their common multiple has millions of digits."""
    count = 100
    table: Any = tuple({"a": ((ONE, state + 1),)} for state in range(count))
    with any_digits():
        numbers = [f"1/{10**9_000 + state}" for state in range(count)]
    begin = time.process_time()
    found = of_policy([[state, "a", numbers[state]] for state in range(count)], 5, TableGame(table, (5,)))
    assert not found.holds
    assert time.process_time() - begin < 20


@pytest.mark.parametrize("text", ["action 99", "state 7", "action 0", "percept 3", 99])
def test_texts_of_a_file_are_quoted_as_they_are(text: Any) -> None:
    complaint = of_policy([[0, text, 5]], 5).complaint
    assert complaint.endswith(f"no action that applies is written {json.dumps(text)}")
    assert f"an entry for {json.dumps(text)}, where" in of_policy([[0, "a", 5], [text, "a", 5]], 5).complaint
    document = deepcopy(GRAPH)
    document["plan"]["nodes"][0][0] = text
    with pytest.raises(BeliefSearchError, match=f"has an action written {json.dumps(text)}, which is none"):
        check_file(POMDP, plan_of_text(json.dumps(document)))
    document["plan"]["nodes"][0] = ["a", [text], [0]]
    with pytest.raises(BeliefSearchError, match=f"a next node of node 0 is {text!r} and no number below 1"):
        check_file(POMDP, plan_of_text(json.dumps(document)))


@pytest.mark.parametrize("rows", [1, 2])
def test_a_game_that_pays_for_going_round_has_no_bounds(rows: int) -> None:
    """Whoever stays in state 0 earns 4 each time: no policy is best, and to look for bounds comes to an end."""
    table: Any = [{"a": (4, ((ONE, 0),)), "b": (0, ((HALF, rows - 1), (HALF, rows)))}]
    table += [{"a": (0, ((HALF, 0), (HALF, 2)))}] if rows == 2 else []
    problem = _Seen(((ONE, 0),), tuple(table), {}, (0,), ONE)
    found = of_policy([[0, "b", 0], *([[1, "a", 0]] if rows == 2 else [])], 0, problem)
    assert "no bounds on them were found" in found.complaint


class _Seen(TablePomdp):
    """The same tables, for a player who sees the state."""

    def sees_state(self) -> bool:
        return True
