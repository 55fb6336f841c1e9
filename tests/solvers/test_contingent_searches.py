"""Searches for conditional plans on problems made by hand: their answers, exact counts, and long chains."""

from __future__ import annotations

import inspect
import json
import math
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

from beliefsearch import (
    BeliefProblem,
    BeliefSearchError,
    Limits,
    ObservableProblem,
    ProblemError,
    Status,
    simulate,
    solve,
)
from beliefsearch.belief_space.and_or import AndOrProblem
from beliefsearch.belief_space.contingent import WeightedView
from beliefsearch.cli.renderers.conditional_plan import decision_table, plan_tree
from beliefsearch.plans.node_plans import GivenPlan, WrittenPlan
from beliefsearch.plans.plan import ConditionalPlan
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.running.observer import Observer
from beliefsearch.running.run import Run
from beliefsearch.solvers.contingent.expected_cost import expected_and_or_search
from beliefsearch.solvers.contingent.ldfs import and_or_search
from beliefsearch.verify.conditional import check_node_plan
from beliefsearch.verify.plan import check_plan

from ..contingent_problems import SightedTable, wins_in_the_end
from ..plan_texts import plan_of_text
from ..toys.contingent import LEFT, LOOK, SHARED, STUCK, TRAP, Boxes
from ..toys.made import made


@pytest.mark.parametrize("solver", ["auto", "and-or", "and-or-graph"])
def test_a_door_that_opens_sometimes_is_pushed_until_it_opens(solver: str) -> None:
    result = solve(STUCK, solver=solver)
    assert (result.status, result.cost, result.lower_bound) == (Status.SOLVED, math.inf, math.inf)
    plan = result.require_conditional_plan()
    assert plan.is_cyclic
    assert check_plan(STUCK, plan).holds
    held = evolve(STUCK, adversary=True)
    assert solve(held, solver=solver).status is Status.UNSOLVABLE
    assert "adversary" in check_plan(held, plan).complaint


@pytest.mark.parametrize("solver", ["auto", "and-or-graph"])
def test_getting_on_from_a_belief_is_not_getting_on_from_every_state_of_it(solver: str) -> None:
    assert wins_in_the_end(TRAP, in_every_state=False)
    assert not wins_in_the_end(TRAP)
    result = solve(TRAP, solver=solver)
    assert (result.status, result.lower_bound) == (Status.UNSOLVABLE, math.inf)


@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_looking_pays(engine: str) -> None:
    result = solve(LOOK, engine=engine)
    assert result.cost == 2
    root, left, right, end = result.require_conditional_plan().nodes
    assert (root.action, root.branches) == ("look", (("l", 1), ("r", 2)))
    assert (left.action, right.action, end.is_end) == ("left", "right", True)
    assert solve(LOOK, engine=engine, objective="expected").cost == 2


@pytest.mark.parametrize("heuristic", ["full-observability", "information-bound", "best", "none"])
def test_what_follows_a_goal_that_is_left_again_is_estimated_too(heuristic: str) -> None:
    if heuristic == "information-bound":  # it is for problems with the same actions everywhere
        with pytest.raises(BeliefSearchError, match="the same actions in every state"):
            solve(LEFT, solver="and-or", heuristic=heuristic)
        return
    assert solve(LEFT, solver="and-or", heuristic=heuristic).cost == 2


@pytest.mark.parametrize("heuristic", ["full-observability", "information-bound", "best", "none"])
def test_several_results_may_be_shared_without_the_states_growing_fewer(heuristic: str) -> None:
    # Looked at, a is won, and b and c come together: 2 actions. Of three states "go" makes the same three.
    assert solve(SHARED, solver="and-or", heuristic=heuristic).cost == 2


@pytest.mark.parametrize("heuristic", ["full-observability", "information-bound", "best", "none", "auto"])
def test_whoever_has_won_needs_no_plan(heuristic: str) -> None:
    won = evolve(LOOK, starts=(3,))
    for solver, objective in (("and-or", "worst"), ("expected-and-or", "expected")):
        result = solve(won, solver=solver, heuristic=heuristic, objective=objective)
        assert (result.cost, result.plan) == (0, ConditionalPlan(result.require_conditional_plan().nodes[:1]))


def test_the_graph_has_every_belief_once() -> None:
    stats = solve(Boxes(3), solver="and-or-graph").stats
    # The three boxes, 3 pairs and 3 single ones are left; and the prize is found. Where a box may hold it there are
    # two outcomes, else one: 3 * 2, 3 * (2 + 2 + 1) and 3 * (1 + 1 + 1).
    assert (stats.expanded, stats.reached) == (3 + 3 + 1, 3 + 3 + 1 + 1)
    assert stats.generated == 6 + 15 + 9
    assert stats.max_belief_size == 3


def test_with_an_exact_estimate_only_the_plan_is_tried() -> None:
    # Each action tells one box from the others, so the capacity is exact: one belief for each number of boxes left.
    result = solve(Boxes(6), solver="and-or", heuristic="information-bound")
    assert (result.cost, result.stats.expanded) == (6, 6)
    # Seeing the prize one would need one action, whichever boxes are left: that says nothing from the third on.
    assert solve(Boxes(6), solver="and-or", heuristic="full-observability").stats.expanded > 6


@pytest.fixture
def shallow() -> Iterator[None]:
    """Python gives up recursion some 400 calls deep."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 400)
    yield
    sys.setrecursionlimit(usual)


@pytest.mark.parametrize(
    ("solver", "heuristic", "engine", "length"),
    [
        ("and-or-graph", "auto", "naive", 500),
        ("and-or", "own", "naive", 500),
        ("and-or", "full-observability", "bits", 500),
    ],
)
@pytest.mark.usefixtures("shallow")
def test_long_chains_need_no_recursion(solver: str, heuristic: str, engine: str, length: int) -> None:
    rows: Any = (*({"go": (here + 1,)} for here in range(length)), {})
    sights = {("go", here): ("x",) for here in range(length + 1)}
    chain = SightedTable((0,), rows, (frozenset((length,)),), sights, estimates=tuple(range(length, -1, -1)))
    result = solve(chain, solver=solver, heuristic=heuristic, engine=engine)
    plan = result.require_conditional_plan()
    assert (result.cost, plan.depth, plan.steps) == (length, length, length)
    assert check_plan(chain, plan, claimed_cost=length).holds
    assert simulate(chain, plan, games=1).won_after == {length: 1}
    document = json.loads(json.dumps(plan_document(result, chain, name="chain", parameters={}, blindfold=False)))
    saved = plan_of_text(json.dumps(document))
    assert isinstance(saved.plan, dict)
    found = check_node_plan(chain, WrittenPlan(chain, saved.plan), saved.cost, saved.objective)
    assert (found.holds, found.steps) == (True, length)
    assert len(list(plan_tree(chain, plan))) < 500
    assert len(list(decision_table(chain, plan))) < 500


@pytest.mark.usefixtures("shallow")
def test_expected_costs_of_a_deep_plan_need_no_recursion() -> None:
    # At each of many doors one of two ways is right; looking tells the first start from the others.
    size = 500
    rows: Any = ({"next": (1,)}, *({"next": (min(here + 1, size),)} for here in range(1, size)), {"next": (size,)})
    sights = {("next", here): (str(here),) for here in range(size + 1)}
    problem = SightedTable((0, 1), rows, (frozenset((size,)),), sights)
    result = solve(problem, objective="expected", heuristic="full-observability")
    assert result.cost == size - 0.5
    plan = GivenPlan(result.require_conditional_plan())
    assert check_node_plan(problem, plan, result.cost, "expected").holds


def test_actions_that_cost_nothing_are_not_tried_in_every_order() -> None:
    size = 12
    rows: Any = (*({str(there): (there,) for there in range(size)} for _ in range(size)), {})
    sights = {(str(there), here): (f"at {here}",) for there in range(size) for here in range(size + 1)}
    free: Any = {(here, str(there)): 0 for here in range(size) for there in range(size)}
    maze = SightedTable((0,), rows, (frozenset({size}),), sights, free, adversary=True)
    result = solve(maze, solver="and-or", heuristic="none")
    assert (result.status, result.stats.expanded) == (Status.UNSOLVABLE, size)


def test_limits_leave_a_bound() -> None:
    result = solve(Boxes(12), solver="and-or", heuristic="none", limits=Limits(expanded=30))
    assert (result.status, result.plan, result.cost) == (Status.UNDECIDED, None, None)
    assert 0 < result.lower_bound <= 12
    assert "30" in str(result.reason)
    mean = solve(Boxes(12), objective="expected", heuristic="none", limits=Limits(expanded=3))
    assert (mean.status, mean.objective) == (Status.UNDECIDED, "expected")
    found = solve(Boxes(12), limits=Limits(expanded=3))  # which has a plan before it expands anything
    assert (found.status, found.cost) == (Status.SOLVED, 12)
    assert 0 < found.lower_bound <= 12


class Interrupter(Observer):
    """Presses Ctrl-C when so many beliefs have been expanded."""

    def __init__(self, after: int) -> None:
        self.left = after

    def expanded(self, state: Any, g: Any) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("solver", ["and-or", "and-or-graph", "expected-and-or"])
@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_an_interrupted_search_keeps_what_it_knows(solver: str, engine: str) -> None:
    objective = "expected" if solver == "expected-and-or" else "worst"
    result = solve(Boxes(9), solver=solver, engine=engine, objective=objective, observer=Interrupter(5))
    assert (result.status, result.reason, result.engine) == (Status.UNDECIDED, "it was interrupted", engine)
    assert result.lower_bound <= (5 if objective == "expected" else 9)
    assert result.stats.expanded == 6


@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_only_the_start_may_be_uncertain_where_the_mean_is_sought(engine: str) -> None:
    with pytest.raises(ProblemError, match=r"action push has 2 results in 0.*use the worst case"):
        solve(STUCK, objective="expected", engine=engine)
    noisy = evolve(LOOK, sights={key: ("l", "r") if key[0] == "look" else seen for key, seen in LOOK.sights.items()})
    with pytest.raises(ProblemError, match=r"action look has 2 percepts.*use the worst case"):
        solve(noisy, objective="expected", engine=engine)


# Up three steps; a jump is two or none.
STAIRS = made(
    ObservableProblem,
    initial_state=0,
    actions=("step", "jump"),
    results=lambda state, action: (state + 1,) if action == "step" else (state, state + 2),
    is_goal=lambda state: state >= 3,
)


def test_who_sees_every_state_is_no_sensorless_player() -> None:
    assert not STAIRS.is_sensorless()
    result = solve(STAIRS)
    assert result.cost == 3
    assert [node.action for node in result.require_conditional_plan().nodes] == ["step", "step", "step", None]


def test_a_sensorless_problem_gets_a_sequence_from_solvers_that_branch() -> None:
    class Blind(Boxes):
        percepts = BeliefProblem.percepts  # type: ignore[assignment]  # so that it is sensorless

    for solver in ("and-or", "and-or-graph", "expected-and-or"):
        objective = "expected" if solver.startswith("expected") else "worst"
        result = solve(Blind(3), solver=solver, objective=objective)
        # Blind, one cannot stop when the prize is found.
        assert (sorted(result.require_plan()), result.cost) == ([0, 1, 2], 3)


@pytest.mark.parametrize("engine", ["naive", "bits"])
def test_where_there_is_no_plan_a_search_for_the_least_mean_ends(engine: str) -> None:
    # State 3, the goal, can be left but not come to; the bounds of what cannot be won raise each other for ever.
    rows: Any = (
        {"a": (2,), "b": (0,), "c": (0,)},
        {"a": (0,), "b": (2,), "c": (1,)},
        {"a": (1,), "b": (1,), "c": (2,)},
        {"a": (3,), "b": (0,), "c": (3,)},
    )
    seen = {0: "xxx", 1: "xyy", 2: "yyz", 3: "xzx"}
    sights: Any = {(action, state): (seen[state][place],) for state in seen for place, action in enumerate("abc")}
    problem = SightedTable((0, 2, 3), rows, (frozenset({3}),), sights)
    assert solve(problem, objective="expected", engine=engine).status is Status.UNSOLVABLE
    view = WeightedView(problem)
    stopped = expected_and_or_search(view, lambda node: 0, run=Run.of(Limits(seconds=0.1)))
    assert stopped.status in (Status.UNDECIDED, Status.UNSOLVABLE), "limits are heard"


def and_or_graph(options: dict[str, dict[str, tuple[int, tuple[str, ...]]]], included: set[tuple[str, str]]) -> Any:
    """An AND-OR problem by hand: by node, the actions with what they cost and their outcomes."""
    return made(
        AndOrProblem,
        initial_node="start",
        is_goal=lambda node: node == "goal",
        actions=lambda node: list(options[node]),
        outcomes=lambda node, action: tuple((child, child) for child in options[node][action][1]),
        action_cost=lambda node, action: options[node][action][0],
        has_unit_costs=False,
        size=lambda node: {"large": 9, "start": 20}.get(node, 2),
        includes=lambda large, small: large == small or (large, small) in included,
    )


def test_the_start_too_may_follow_the_plan_of_a_belief_that_includes_it() -> None:
    # In the first round the start is given up, since actions that cost nothing lead in a circle; `large`, which
    # includes it, is won.
    graph = and_or_graph(
        {
            "start": {"split": (0, ("large", "empty")), "round": (0, ("one",))},
            "large": {"win": (1, ("goal",))},
            "empty": {"on": (0, ("two", "dear"))},
            "dear": {"win": (5, ("goal",))},
            "one": {"on": (0, ("two",))},
            "two": {"back": (0, ("one",)), "on": (0, ("last",))},
            "last": {"win": (1, ("goal",))},
        },
        {("large", "start")},
    )
    for dominance in (False, True):
        result = and_or_search(graph, lambda node: int(node == "start"), dominance=dominance)
        assert (result.status, result.cost) == (Status.SOLVED, 1)
