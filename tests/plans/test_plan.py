"""One type of plan: a sequence where nothing is perceived, a graph where percepts decide, for readers and for mypy."""

from __future__ import annotations

import pickle
from typing import Any, assert_type

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Plan, SearchResult, check_plan, solve
from beliefsearch.results import ConditionalPlan, PlanNode
from beliefsearch.verify.verdict import PlanVerdict

from ..contingent_problems import SightedTable
from ..random_problems import TableProblem

LINE = TableProblem(0, ({"on": 1}, {"on": 2}, {}), frozenset({2}))
# Two starts that look different; from each one another action wins, and the other one loses.
DOORS = SightedTable(
    (0, 1),
    ({"look": (2,)}, {"look": (3,)}, {"left": (4,), "right": (5,)}, {"left": (5,), "right": (4,)}, {}, {}),
    (frozenset({4}),),
    {("look", 2): ("l",), ("look", 3): ("r",)}
    | {(action, state): ("",) for action in ("left", "right") for state in (4, 5)},
)
BRANCHES: ConditionalPlan[str, str] = ConditionalPlan(
    (
        PlanNode("look", (("l", 1), ("r", 2))),
        PlanNode("left", (("", 3),)),
        PlanNode("right", (("", 3),)),
        PlanNode(None),
    )
)
COIN = ConditionalPlan((PlanNode("flip", (("heads", 1),)), PlanNode[str, str](None)))

lists = st.lists(st.integers(0, 3), max_size=20)
bounds = st.none() | st.integers(-25, 25)


def test_actions_of_a_result_have_the_type_of_the_problem() -> None:
    """Run by mypy too: nobody who perceives nothing has to say that the plan is a sequence."""
    result = solve(LINE)
    assert_type(result, SearchResult[str])
    assert result.plan is not None
    done = []
    for action in result.plan:
        assert_type(action, str)
        done.append(action.upper())
    assert (done, len(result.plan), result.plan[0], result.plan[-1:]) == (["ON", "ON"], 2, "on", ("on",))
    assert_type(result.plan[0], str)
    assert_type(result.require_plan(), tuple[str, ...])


def test_the_plan_of_a_contingent_problem_is_a_graph() -> None:
    result = solve(DOORS)
    assert result.plan is not None
    assert_type(result.plan, Plan[str, Any])
    assert_type(result.plan.nodes[0], PlanNode[str, Any])
    assert result.plan.is_conditional
    assert isinstance(result.plan, ConditionalPlan)
    assert (result.plan.depth, result.plan.steps, result.plan.nodes[0].action) == (2, 3, "look")
    left = result.plan.follow(0, "l")
    assert result.plan.nodes[left].action == "left"
    assert check_plan(DOORS, result.plan).holds
    with pytest.raises(ValueError, match="branches at node 0"):
        list(result.plan)


@given(lists, bounds, bounds)
def test_a_plan_of_actions_is_like_their_tuple(actions: list[int], start: int | None, stop: int | None) -> None:
    plan, as_tuple = Plan.of_sequence(actions), tuple(actions)
    assert plan == as_tuple
    assert as_tuple == plan
    assert plan == Plan.of_sequence(as_tuple)
    assert plan != (*as_tuple, 9)
    assert hash(plan) == hash(as_tuple)
    assert (tuple(plan), len(plan), repr(plan), bool(plan)) == (as_tuple, len(actions), repr(as_tuple), bool(actions))
    assert plan[start:stop] == as_tuple[start:stop]
    assert [plan[place] for place in range(len(plan))] == actions
    assert list(reversed(plan)) == actions[::-1]
    assert all((value in plan, plan.count(value)) == (value in actions, actions.count(value)) for value in range(4))
    assert pickle.loads(pickle.dumps(plan)) == plan


@given(lists)
def test_a_plan_of_actions_can_be_followed_node_by_node(actions: list[int]) -> None:
    plan = Plan.of_sequence(actions)
    node, done = 0, []
    while (action := plan.nodes[node].action) is not None:
        done.append(action)
        node = plan.follow(node, None)
    assert done == actions
    assert (plan.is_conditional, plan.is_cyclic, plan.depth, plan.steps) == (False, False, len(actions), len(actions))
    same = plan.as_conditional()
    assert (same.nodes, same.reachable, same.bottom_up) == (plan.nodes, plan.reachable, plan.bottom_up)
    assert (same.is_cyclic, same.depth, same.steps) == (False, plan.depth, plan.steps)


def test_a_conditional_plan_is_iterated_as_long_as_nothing_branches() -> None:
    assert (list(COIN), len(COIN), COIN[0], COIN.as_sequence()) == (["flip"], 1, "flip", ("flip",))
    assert COIN != ("flip",)  # who does not see heads has no plan
    assert Plan.of_sequence(("flip",)) != COIN
    assert pickle.loads(pickle.dumps(COIN)) == COIN
    for read in (list, len, hash_of_actions):
        with pytest.raises(ValueError, match="branches at node 0"):
            read(BRANCHES)
    assert BRANCHES
    assert (BRANCHES.as_conditional(), {BRANCHES: 1}[BRANCHES]) == (BRANCHES, 1)


def hash_of_actions(plan: Plan[str, str]) -> int:
    return hash(plan.as_sequence())


def test_a_result_takes_actions_of_any_sequence() -> None:
    plain = solve(LINE)
    assert isinstance(plain.plan, Plan)
    assert not isinstance(plain.plan, ConditionalPlan)
    assert isinstance(check_plan(LINE, plain.plan), PlanVerdict)
    assert plain.require_conditional_plan() == ConditionalPlan.of_sequence(("on", "on"))
