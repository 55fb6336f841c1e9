"""One type of plan: a sequence where nothing is perceived, a graph where percepts decide, for readers and for mypy."""

from __future__ import annotations

import math
import pickle
from typing import Any, assert_type

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import Limits, Plan, SearchResult, Status, check_plan, solve
from beliefsearch.errors import LimitError, NoSolutionError
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


# Solutions.


PLAN = ("a", "b")


def result(**fields: Any) -> SearchResult[str]:
    return SearchResult(**{"solver": "some", **fields})


def test_the_three_verdicts_can_be_built() -> None:
    solved = result(status=Status.SOLVED, plan=PLAN, cost=2, lower_bound=2)
    assert solved.optimal
    assert solved.require_plan() == PLAN
    assert not result(status=Status.SOLVED, plan=PLAN, cost=2, lower_bound=1).optimal
    unsolvable = result(status=Status.UNSOLVABLE, plan=None, cost=math.inf, lower_bound=math.inf)
    undecided = result(status=Status.UNDECIDED, plan=None, cost=None, lower_bound=7, reason="it was interrupted")
    assert not unsolvable.optimal
    assert not undecided.optimal
    with pytest.raises(NoSolutionError):
        unsolvable.require_plan()
    with pytest.raises(LimitError, match="interrupted"):
        undecided.require_plan()


@pytest.mark.parametrize(
    "fields",
    [
        {"status": Status.SOLVED, "plan": None, "cost": 2, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": None, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": math.inf, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": math.nan, "lower_bound": 2},
        {"status": Status.SOLVED, "plan": PLAN, "cost": -1, "lower_bound": -1},
        {"status": Status.SOLVED, "plan": PLAN, "cost": 2, "lower_bound": 3},
        {"status": Status.SOLVED, "plan": PLAN, "cost": 2, "lower_bound": math.nan},
        {"status": Status.UNSOLVABLE, "plan": PLAN, "cost": math.inf, "lower_bound": math.inf},
        {"status": Status.UNSOLVABLE, "plan": None, "cost": None, "lower_bound": math.inf},
        {"status": Status.UNSOLVABLE, "plan": None, "cost": math.inf, "lower_bound": 5},
        {"status": Status.UNDECIDED, "plan": PLAN, "cost": None, "lower_bound": 0},
        {"status": Status.UNDECIDED, "plan": None, "cost": 3, "lower_bound": 0},
        {"status": Status.UNDECIDED, "plan": None, "cost": None, "lower_bound": math.inf},
    ],
)
def test_a_result_against_the_invariants_cannot_be_built(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        result(**fields)


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"seconds": -1}, {"memory": 0}, {"expanded": -1}])
def test_limits_are_positive(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Limits(**limits)


# Conditional plans.


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


def test_a_shared_graph_may_stand_for_a_huge_tree() -> None:
    size = 3_000
    steps = [PlanNode("go", (("l", number), ("r", number))) for number in range(1, size + 1)]
    plan = plan_of(*steps, END)
    assert (plan.depth, plan.steps) == (size, size)
