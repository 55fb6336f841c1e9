"""Hints need not be believed: whatever table they make of a plan, it is not taken for one that wins unless it does."""

from __future__ import annotations

import json
import math
from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.errors import InvalidPlanError, InvalidProofError
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.verify import conditional
from beliefsearch.verify.checker import UnreadableError
from beliefsearch.verify.conditional import check_conditional_plan_file
from beliefsearch.verify.hints.plan_tables import PlanTable, plan_table
from beliefsearch.verify.proof import check_proof

from ..contingent_problems import SightedTable, cost_of_plan, sighted_problems
from ..examples import examples
from .test_verify_conditional import as_plan


def lie(made: PlanTable, random: Random) -> PlanTable:
    """Change a table somewhere, and where in the plan its nodes stand; nothing is complained about."""
    table, at = deepcopy(made.table), [*made.at]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        j = random.randrange(len(at))
        node = table["nodes"][j]
        match random.randrange(8):
            case 0:
                at[j] = random.randrange(max(at) + 2)
            case 1:
                node[0].append(random.randrange(5))
            case 2:
                node[0].pop(random.randrange(len(node[0])))
            case 3 if node[1]:
                place = random.randrange(len(node[1][0]))
                node[1][0][place] = random.randrange(len(at) + 1)
            case 4:
                node[1] = deepcopy(random.choice(table["nodes"])[1])
            case 5:
                node[2] = random.choice((None, 0, 1, 2, "1/2"))
            case 6:
                table["root"] = random.randrange(len(at))
            case 7:
                for name in table.keys() & {"ranks", "means"}:
                    rows = table[name]
                    rows[j] = [random.randrange(4) for _ in rows[j]]
                    if random.random() < 0.1:
                        del table[name]
            case _:
                pass
    return evolve(made, table=table, at=at, complaint="")


def lies(problem: SightedTable, nodes: list[Any], random: Random, tries: int) -> Counter[bool]:
    """What `verify` says of a plan if hints lie; each verdict is compared with brute force."""
    plan = as_plan(nodes)
    assert plan is not None
    truth, honest, tally = cost_of_plan(problem, plan), plan_table, Counter[bool]()
    for _ in range(tries):
        with patch.object(conditional, "plan_table", lambda *asked: lie(honest(*asked), random)):
            try:
                written = {"kind": "conditional", "nodes": nodes}
                found = check_conditional_plan_file(problem, written, claimed_cost=None, objective="worst")
            except (InvalidPlanError, UnreadableError, LookupError, TypeError, ValueError):  # no table at all
                tally[False] += 1
                continue
        tally[found.holds] += 1
        if found.holds:
            assert truth is not None, (nodes, "does not win")
            assert found.cost >= truth, (nodes, found.cost, truth)
            assert truth < math.inf or found.cyclic
    return tally


@given(problem=sighted_problems(), random=st.randoms(use_true_random=False))
@settings(max_examples=examples(30))
def test_no_lie_is_believed(problem: SightedTable, random: Random) -> None:
    answer = solve(problem)
    if answer.plan is None or not answer.plan.is_conditional:
        return
    document: Any = plan_document(answer, problem, name="table", parameters={})
    nodes = json.loads(json.dumps(document))["plan"]["nodes"]
    lies(problem, nodes, random, 20)
    broken = deepcopy(nodes)
    for node in random.sample(broken, 1):
        for branch in node.get("branches", ())[:1]:
            branch["node"] = random.randrange(len(broken))
    lies(problem, broken, random, 20)


# From 1 a way leads to the goal, 0, or back; who keeps trying wins, and nobody is sure to win within so many actions.
TRIES = SightedTable((1,), ({}, {"a": (0, 1)}), (frozenset({0}),), {("a", 0): ("in",), ("a", 1): ("out",)})
ENDLESS: dict[str, Any] = {"kind": "lower", "root": 0, "beliefs": [[0]], "values": [None], "reasons": [[0, 0]]}


def test_a_table_of_another_kind_is_not_believed() -> None:
    made = {"kind": "lower", "states": [1], "actions": ["a"], "percepts": ["out"], "table": ENDLESS}
    assert check_proof(TRIES, {"kind": "trap", "states": [1]}, elaborate=lambda *asked: made) == math.inf
    for kind in ("lost-beliefs", "mean-bounds"):  # which would say more
        with pytest.raises(InvalidProofError, match="'lower' is none of a proof of the kind"):
            check_proof(TRIES, {"kind": kind, "states": [1]}, elaborate=lambda *asked: made)
