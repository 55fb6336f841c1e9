"""Hints need not be believed: whatever tables they make, nothing is said to hold that does not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.errors import InvalidPlanError, InvalidProofError
from beliefsearch.plans.courses import follow, plan_table
from beliefsearch.plans.node_plans import GivenPlan
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plans.result import SearchResult
from beliefsearch.proofs.hints import elaborator
from beliefsearch.verify import conditional, file
from beliefsearch.verify.asked_game import PlayedGame
from beliefsearch.verify.policy import check_policy_file
from beliefsearch.verify.proof import check_proof
from beliefsearch.verify.verdict import FileVerdict

from ..contingent_problems import SightedTable, cost_of_plan, sighted_problems
from ..examples import examples
from ..plan_texts import plan_of_text
from ..proofs.test_pomdp_laws import bounds_of, certificate
from ..random_games import TableGame, best_values, games, never_ends, worth
from ..random_pomdps import TablePomdp, pomdps, value_between

ODD: tuple[Any, ...] = (None, True, -1, 0, 1, "1/2", "x", [], {}, 10**400, 0.5)


def lie(table: Any, random: Random) -> Any:
    """The table with some changes: another number, an odd value, a part that is gone or is there twice."""
    changed = deepcopy(table)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        part = changed
        while True:
            keys = [*part] if isinstance(part, dict) else [*range(len(part))]
            if not keys:
                break
            key = random.choice(keys)
            inner = part[key]
            if isinstance(inner, (list, dict)) and inner and random.random() < 0.9:
                part = inner
                continue
            if isinstance(part, list) and random.random() < 0.1:
                part[key : key + 1] = random.choice(([], [inner, inner]))
            else:
                near = inner + random.choice((-1, 1, 2, 100)) if type(inner) is int else "1/3"
                part[key] = random.choice((near, near, near, random.choice(ODD)))
            break
    return changed


class Liar:
    """Hints that give a changed table in place of each that they make."""

    proof_table = staticmethod(elaborator.proof_table)

    def __init__(self, random: Random) -> None:
        self._random = random

    def values_table(self, *asked: Any) -> Any:
        return self._lie(elaborator.values_table, *asked)

    def graph_table(self, *asked: Any) -> Any:
        return self._lie(elaborator.graph_table, *asked)

    def planes_table(self, *asked: Any) -> Any:
        return self._lie(elaborator.planes_table, *asked)

    def _lie(self, made: Callable[..., Any], *asked: Any) -> Any:
        table = made(*asked)
        return table and lie(table, self._random)


@given(game=games(), random=st.randoms(use_true_random=False))
@settings(max_examples=examples(40))
def test_no_lie_about_a_policy_is_believed(game: TableGame, random: Random) -> None:
    assume(not never_ends(game))
    document: Any = plan_document(solve(game), game, name="game", parameters={})
    best = best_values(game)
    for _ in range(10):
        plan, claimed = deepcopy(document["plan"]), document["value"]
        if random.random() < 0.5:  # another policy, which is said to be worth as much
            entry = random.choice(plan["states"])
            entry[1] = random.choice([*game.table[entry[0]]])
        try:
            found = check_policy_file(game, plan, claimed, Liar(random))
        except InvalidPlanError:  # no table at all
            continue
        if found.holds:
            choice = {state: next(iter(row)) for state, row in enumerate(game.table)}
            choice |= {state: action for state, action, _ in plan["states"]}
            attained = worth(game, tuple(choice[s] for s in sorted(choice)), sorted(best))
            assert found.error is not None
            assert abs(best[0] - Fraction(claimed)) <= found.error
            assert abs(attained[0] - Fraction(claimed)) <= found.error


@given(problem=pomdps(), random=st.randoms(use_true_random=False))
@settings(max_examples=examples(10))
def test_no_lie_about_a_policy_graph_or_its_bounds_is_believed(problem: TablePomdp, random: Random) -> None:
    assume(not all(problem.is_terminal(state) for _, state in problem.start))
    document = certificate(problem)
    lower, upper = bounds_of(problem, document)
    low, high = value_between(problem, 3)
    low, high = max(low, lower), min(high, upper)
    saved = plan_of_text(json.dumps(document))
    for _ in range(10):
        try:
            found = file.check_file(problem, saved, lambda: Liar(random))
        except InvalidPlanError:
            continue
        if found.holds:
            assert isinstance(found, FileVerdict)
            assert found.attained is not None
            assert found.unattained is not None
            assert found.attained <= high
            assert low <= found.unattained


@given(problem=sighted_problems(), random=st.randoms(use_true_random=False))
@settings(max_examples=examples(100))
def test_no_lie_about_a_conditional_plan_is_believed(problem: SightedTable, random: Random) -> None:
    result = solve(problem)
    plan: Any = result.plan.as_conditional() if isinstance(result, SearchResult) and result.plan is not None else None
    if plan is None or not plan.steps:  # nothing to lie about; too many for `assume`
        return
    real = plan_table(game := PlayedGame(problem), (course := follow(game, GivenPlan(plan))).beliefs, course.options)

    def lying(*_: object) -> Any:
        table, places = deepcopy(real)
        if random.random() < 0.3:
            places = random.sample(places, len(places))
        return (lie(table, random), places) if random.random() < 0.9 else (table, places)

    for _ in range(10):
        nodes = [*plan.nodes]
        if random.random() < 0.5:  # the table of another plan
            nodes[random.randrange(len(nodes))] = random.choice((PlanNode(None, ()), PlanNode("b", nodes[0].branches)))
        other: Any = ConditionalPlan(tuple(nodes))
        with pytest.MonkeyPatch.context() as patch, suppress(InvalidPlanError, IndexError, TypeError, ValueError):
            patch.setattr(conditional, "plan_table", lying)
            found = conditional.check_node_plan(problem, GivenPlan(other))
            cost = cost_of_plan(problem, other)
            assert not found.holds or (cost is not None and cost <= found.exact_cost)


# The first action ends the game with 1, the second with 0; the hints say that the policy does the first.
ONE = Fraction(1)
CHOICE = TablePomdp(((ONE, 0),), ({"good": (1, ((ONE, 1),)), "bad": (0, ((ONE, 1),))},), {}, (0,), ONE)
BAD: dict[str, Any] = {"kind": "policy-graph", "states": [0], "percepts": [], "unit": 1, "nodes": [["bad", [], [1]]]}


class OfAnother(Liar):
    def graph_table(self, game: Any, table: Any, tick: Any) -> Any:
        ((_, row, values),) = table["nodes"]
        return elaborator.graph_table(game, {**table, "nodes": [[0, row, values]]}, tick)


def test_the_table_of_another_policy_is_not_believed() -> None:
    document = {"version": 1, "problem": "choice", "parameters": {}, "status": "undecided", "lower_bound": 1}
    saved = plan_of_text(json.dumps({**document, "plan": BAD}))
    with pytest.raises(InvalidPlanError, match="the table is of another policy"):
        file.check_file(CHOICE, saved, lambda: OfAnother(Random(0)))
    good = {**BAD, "nodes": [["good", [], [1]]]}
    assert file.check_file(CHOICE, plan_of_text(json.dumps({**document, "plan": good})), lambda: elaborator).holds
    assert not file.check_file(CHOICE, saved, lambda: elaborator).holds


class CutsShort(Liar):
    def graph_table(self, game: Any, table: Any, tick: Any) -> Any:
        return {**elaborator.graph_table(game, table, tick), "left": [1]}


def test_a_game_without_a_horizon_is_given_none() -> None:
    """An action costs 1 and ends the game with probability 1/2, so that it costs 2; the first one costs 1."""
    half = Fraction(1, 2)
    problem = TablePomdp(((ONE, 0),), ({"on": (-1, ((half, 0), (half, 1)))},), {}, (0,), ONE)
    for value in (-2, -1):
        plan = {**BAD, "percepts": [0], "nodes": [["on", [0], [value]]]}
        bounds = {"lower_bound": value, "upper_bound": 0}
        document = {"version": 1, "problem": "table", "parameters": {}, "status": "undecided", **bounds}
        saved = plan_of_text(json.dumps({**document, "plan": plan}))
        assert file.check_file(problem, saved, lambda: elaborator).holds == (value == -2)
        assert file.check_file(problem, saved, lambda: CutsShort(Random(0))).holds == (value == -2)


# From 1 a way leads to the goal, 0, or back; who keeps trying wins, and nobody is sure to win within so many actions.
TRIES = SightedTable((1,), ({}, {"a": (0, 1)}), (frozenset({0}),), {("a", 0): ("in",), ("a", 1): ("out",)})
ENDLESS: dict[str, Any] = {"kind": "lower", "root": 0, "beliefs": [[0]], "values": [None], "reasons": [[0, 0]]}


def test_a_table_of_another_kind_is_not_believed() -> None:
    made = {"kind": "lower", "states": [1], "actions": ["a"], "percepts": ["out"], "table": ENDLESS}
    assert check_proof(TRIES, {"kind": "trap", "states": [1]}, elaborate=lambda *asked: made) == math.inf
    for kind in ("lost-beliefs", "mean-bounds"):  # which would say more
        with pytest.raises(InvalidProofError, match="'lower' is none of a proof of the kind"):
            check_proof(TRIES, {"kind": kind, "states": [1]}, elaborate=lambda *asked: made)
