"""Conditional plans as values."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.plans.plan import ConditionalPlan, PlanNode

END: PlanNode[str, str] = PlanNode(None)


def plan_of(*nodes: PlanNode[str, str]) -> ConditionalPlan[str, str]:
    return ConditionalPlan(nodes)


def test_a_plan_knows_its_steps_and_how_deep_it_is() -> None:
    plan = plan_of(
        PlanNode("look", (("l", 1), ("r", 2))), PlanNode("left", (("", 3),)), PlanNode("open", (("", 1),)), END
    )
    assert (plan.steps, plan.depth, plan.is_cyclic) == (3, 3, False)
    assert [plan.nodes[number].is_end for number in range(4)] == [False, False, False, True]
    assert (plan.follow(0, "l"), plan.follow(0, "r")) == (1, 2)
    with pytest.raises(KeyError):
        plan.follow(0, "x")
    order = plan.bottom_up
    assert all(order.index(target) < order.index(n) for n in range(4) for _, target in plan.nodes[n].branches)


def test_a_plan_that_goes_round_is_cyclic() -> None:
    plan = plan_of(PlanNode("try", (("no", 0), ("yes", 1))), END)
    assert plan.is_cyclic
    assert plan.depth == math.inf
    assert plan.bottom_up == (1,)
    with pytest.raises(ValueError, match="keeps trying"):
        plan.as_sequence()
    with pytest.raises(ValueError, match="keeps trying"):
        plan_of(PlanNode("try", (("no", 0),))).as_sequence()


@pytest.mark.parametrize(
    ("nodes", "complaint"),
    [
        ((), "at least one node"),
        ((PlanNode("go"),), "node 0 has the action 'go', but no branch"),
        ((PlanNode("go", ((None, 1), (None, 1))), PlanNode(None)), "node 0 has two branches for one percept"),
        ((PlanNode("go", ((None, 1),)),), "node 0 has a branch to a node that does not exist"),
        ((PlanNode("go", ((None, -1),)),), "node 0 has a branch to a node that does not exist"),
    ],
)
def test_what_is_no_plan_cannot_be_made(nodes: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        ConditionalPlan(nodes)
    assert "\n" not in str(caught.value)


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_a_sequence_is_a_plan_that_never_branches(actions: list[str]) -> None:
    plan = ConditionalPlan.of_sequence(tuple(actions))
    assert plan.as_sequence() == tuple(actions)
    assert plan.depth == plan.steps == len(actions)


def test_a_plan_that_branches_is_no_sequence() -> None:
    with pytest.raises(ValueError, match="branches at node 0"):
        plan_of(PlanNode("look", (("l", 1), ("r", 1))), END).as_sequence()


def test_a_shared_graph_may_stand_for_a_huge_tree() -> None:
    size = 3_000
    steps = [PlanNode("go", (("l", number), ("r", number))) for number in range(1, size + 1)]
    plan = plan_of(*steps, END)
    assert (plan.depth, plan.steps) == (size, size)
