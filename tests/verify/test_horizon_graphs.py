"""Policy graphs of games with a horizon: what is found holds, and what says more does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import StochasticProblem, solve
from beliefsearch.errors import BeliefSearchError
from beliefsearch.model.belief import no_tick
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plugins.files.plan_files import read_policy_graph
from beliefsearch.proofs.game_documents import listed_game
from beliefsearch.verify.checker import ChanceGame, UnreadableError, WrongError, check_graph
from beliefsearch.verify.horizon import with_stops
from beliefsearch.verify.verdict import FileVerdict
from beliefsearch_problems.tiger import TigerProblem

from ..pomdp_mutants import check
from ..random_pomdps import TablePomdp, pomdps


def document_of(problem: Any, horizon: int) -> Any:
    return json.loads(json.dumps(plan_document(solve(problem, horizon=horizon), problem, name="it", parameters={})))


@given(pomdps(), st.integers(0, 3))
def test_what_is_found_holds_and_is_read_again(problem: TablePomdp, horizon: int) -> None:
    document = document_of(problem, horizon)
    verdict = check(problem, document)
    assert isinstance(verdict, FileVerdict)
    assert verdict.holds, verdict.complaint
    assert verdict.attained == solve(problem, horizon=horizon).value
    graph = read_policy_graph(problem, document["plan"])
    assert graph.steps is not None
    assert max(graph.steps, default=0) == horizon


def longer(plan: Any) -> None:
    plan["horizon"] += 1


def endless(plan: Any) -> None:
    del plan["horizon"]


def round_and_round(plan: Any) -> None:
    plan["nodes"][-1][1] = [0, 0]


def raised(plan: Any) -> None:
    plan["nodes"][0][2][0] += 1


def cut(plan: Any) -> None:
    plan["nodes"][0][1][0] = None


def odd(plan: Any) -> None:
    plan["horizon"] = True


def idle(plan: Any) -> None:
    plan["nodes"].append(plan["nodes"][-1])


@pytest.mark.parametrize("change", [longer, endless, round_and_round, raised, cut, odd, idle])
def test_what_says_more_than_is_so_does_not_hold(change: Callable[[Any], None]) -> None:
    problem = TigerProblem()
    document = document_of(problem, 3)
    change(document["plan"])
    verdict = check(problem, document)
    assert isinstance(verdict, BeliefSearchError) or not verdict.holds


@pytest.mark.parametrize("proof", [{"kind": "value-bounds"}, {"kind": "other"}, {"planes": [[]]}])
def test_a_proof_that_is_none_does_not_hold(proof: Any) -> None:
    problem = TigerProblem()
    verdict = check(problem, {**document_of(problem, 2), "proof": proof})
    assert isinstance(verdict, FileVerdict)
    assert not verdict.holds
    assert "the proof does not hold" in verdict.complaint


@frozen
class StallsProblem(StochasticProblem[str, str, str]):
    """Press a button that may leave two machines, each with a button of its own, and nobody knows which."""

    seen: bool = False
    looking: int = 1

    def initial_distribution(self) -> Any:
        return [(Fraction(1, 2), "on"), (Fraction(1, 2), "off")]

    def initial_state(self) -> str:
        return "on"

    def actions(self, state: str) -> tuple[str, ...]:
        return {"left": ("pull",), "right": ("push",)}.get(state, ("press", "look"))

    def outcomes(self, state: str, action: str) -> Any:
        if action != "press":
            return [(1, state)]
        return [(Fraction(1, 2), "left"), (Fraction(1, 2), "right")]

    def percept_distribution(self, state: str, action: str) -> Any:
        return [(1, state if self.seen else "none")]

    def is_terminal(self, state: str) -> bool:
        return False

    def utility(self, state: str) -> int:
        return 0

    def reward(self, state: str, action: str) -> int:
        return {"press": 3, "look": self.looking}.get(action, -1)


@pytest.mark.parametrize(("horizon", "value"), [(1, 3), (2, 4), (4, 6)])
def test_a_game_that_comes_to_a_stop_before_the_horizon_is_over(horizon: int, value: int) -> None:
    verdict = check(StallsProblem(), document_of(StallsProblem(), horizon))
    assert isinstance(verdict, FileVerdict)
    assert verdict.holds, verdict.complaint
    assert verdict.attained == value


@pytest.mark.parametrize("horizon", [1, 2, 4])
def test_who_cannot_go_on_stops(horizon: int) -> None:
    problem = StallsProblem(looking=-5)  # so it is best to press at once, and then nothing applies
    verdict = check(problem, document_of(problem, horizon))
    assert isinstance(verdict, FileVerdict)
    assert verdict.holds, verdict.complaint
    assert verdict.attained == 3


def test_who_may_go_on_must() -> None:
    problem = StallsProblem(seen=True, looking=-5)
    document = document_of(problem, 2)
    assert document["value"] == 2  # to press pays 3, and then one must pull or push
    document |= {"value": 3, "lower_bound": 3, "upper_bound": 3}
    nodes, unit = document["plan"]["nodes"], document["plan"]["unit"]
    press = nodes[0]
    document["plan"]["nodes"] = [["press", [None] * len(press[1]), [v and 3 * unit for v in press[2]]]]
    verdict = check(problem, document)
    assert isinstance(verdict, FileVerdict)
    assert "it stops, and an action applies" in verdict.complaint


_PRESS = [3, 3, None, None]
_STOPS = [0, [None] * 4, _PRESS]  # somewhere a policy stops


@pytest.mark.parametrize(
    ("nodes", "left"),
    [
        ([[-1, [None] * 4, [None, None, None, -1]]], [2]),
        ([[0, [0] * 4, _PRESS], _STOPS], [5, 5]),  # round and round
        ([[0, [-1] * 4, _PRESS], _STOPS], [3, 2]),
        ([[0, [1 << 70] * 4, _PRESS], _STOPS], [3, 2]),
        ([_STOPS], [-2]),
        ([_STOPS], ["2"]),
        ([_STOPS], [1 << 70]),
    ],
)
def test_tables_that_lie_about_stops_are_refused(nodes: Any, left: Any) -> None:
    game = listed_game(StallsProblem(seen=True))
    assert (len(game.rows), game.percepts) == (4, 4)
    with pytest.raises((WrongError, UnreadableError)):
        check_graph(*with_stops(game, {"kind": "graph", "unit": 1, "nodes": nodes, "left": left}, no_tick))


def test_no_node_of_a_table_is_a_stop_where_an_action_applies() -> None:
    """Of four starts two come to a stop; the others must go on, and pay."""
    on = {"format": "beliefsearch-game", "version": 1, "kind": "chance", "states": 4, "percepts": 2, "seen": False}
    first = [[3, 4, 1, 0, 2, 2, 1, 1, 3, 1, 1], None, None, None]
    second = [None, [-1, 1, 1, 0, 1], [-1, 1, 2, 0, 1], None]
    third = [None, None, None, [-1, 1, 3, 0, 1]]
    game = ChanceGame({**on, "discount": 1, "start": [[0, 1]], "start_value": 0, "actions": [first, second, third]})
    none = None
    nothing = [none, none]
    honest = [[0, [1, none], [5, none, none, none]], [1, nothing, [none, -2, none, none]]]
    lying = [[0, [1, none], [6, none, none, none]], [3, nothing, [none, 0, none, none]]]
    table = {"kind": "graph", "unit": 2, "left": [2, 1]}
    assert check_graph(*with_stops(game, {**table, "nodes": honest}, no_tick)).value == Fraction(5, 2)
    with pytest.raises(UnreadableError):
        check_graph(*with_stops(game, {**table, "nodes": lying}, no_tick))
