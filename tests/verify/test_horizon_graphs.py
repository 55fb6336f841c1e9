"""Policy graphs of games with a horizon: what is found holds, and what says more does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.errors import BeliefSearchError
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plans.policy_files import policy_graph_from_plan
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
    graph = policy_graph_from_plan(document["plan"], problem)
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
