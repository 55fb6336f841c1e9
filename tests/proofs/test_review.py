"""Reviews of plans that somebody made: what they cost too much, against a search by definition."""

from __future__ import annotations

from collections import deque
from itertools import product
from typing import Any

import pytest

from beliefsearch import explain
from beliefsearch.errors import InvalidPlanError
from beliefsearch.model.belief import Belief, initial_belief, is_goal_belief, predict
from beliefsearch.plans.plan import ConditionalPlan, PlanNode
from beliefsearch.proofs.explanations.review import PlanReview
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.digital_scale import DigitalScaleProblem
from beliefsearch_problems.vacuum import VacuumProblem


def fewest(problem: Any, start: Belief[Any], actions: list[Any]) -> float:
    """The number of actions from a belief to a goal, by breadth-first search over frozensets."""
    waiting, met = deque([(start, 0)]), {start}
    while waiting:
        belief, depth = waiting.popleft()
        if is_goal_belief(problem, belief):
            return depth
        for action in actions:
            after = predict(problem, belief, action)
            if after not in met:
                met.add(after)
                waiting.append((after, depth + 1))
    return float("inf")


def reviewed(problem: Any, plan: Any) -> PlanReview:
    found = explain(problem, plan).review
    assert found is not None
    return found


@pytest.mark.parametrize("problem", [VacuumProblem(), DevilProblem(n=2)])
def test_every_short_sequence_is_judged_as_by_definition(problem: Any) -> None:
    start = initial_belief(problem)
    actions = list(problem.actions(next(iter(start))))
    least = fewest(problem, start, actions)
    for plan in product(actions, repeat=5):
        beliefs = [start]
        for action in plan:
            beliefs.append(predict(problem, beliefs[-1], action))
        found = reviewed(problem, plan)
        assert found.check.holds == is_goal_belief(problem, beliefs[-1])
        if not found.check.holds:
            assert (found.least, found.wasted) == (None, ())
            continue
        assert found.least == least
        rests = [fewest(problem, belief, actions) for belief in beliefs]
        wasted = [
            (step + 1, rests[step], 1 + rests[step + 1]) for step in range(5) if 1 + rests[step + 1] > rests[step]
        ]
        assert [(waste.step, waste.before, waste.after) for waste in found.wasted] == wasted
        assert sum(waste.after - waste.before for waste in found.wasted) == 5 - least


def test_a_conditional_plan_that_dawdles_on_one_branch() -> None:
    def plan_of(*again: PlanNode[str, Any]) -> ConditionalPlan[str, Any]:
        here, there = PlanNode("Suck", (((0, "."), 3),)), PlanNode("Suck", (((1, "."), 3),))
        right = PlanNode("Right", (((1, "."), 3), ((1, "*"), 4)))
        left = PlanNode("Left", (((0, "."), 3), ((0, "*"), 5)))
        first = PlanNode[str, Any]("Suck", (((0, "."), 6 if again else 1), ((1, "."), 2)))
        return ConditionalPlan((first, right, left, PlanNode[str, Any](None), there, here, *again))

    problem = VacuumProblem(sensing="local")
    assert (reviewed(problem, plan_of()).least, reviewed(problem, plan_of()).wasted) == (3, ())
    found = reviewed(problem, plan_of(PlanNode("Suck", (((0, "."), 1),))))
    assert (found.check.cost, found.least) == (4, 3)
    assert [(waste.step, waste.action, waste.before, waste.after) for waste in found.wasted] == [(6, "Suck", 2, 3)]


def test_an_action_that_does_not_apply_is_named() -> None:
    with pytest.raises(InvalidPlanError, match="step 1"):
        explain(VacuumProblem(), ["Fly"])


@pytest.mark.parametrize(
    "problem", [VacuumProblem(), DevilProblem(n=2), DevilProblem(n=3), DevilProblem(n=2, reduced=False)]
)
def test_the_starts_from_which_a_sequence_may_fail(problem: Any) -> None:
    """Against every way in which it may go, from each start alone."""
    start = initial_belief(problem)
    for plan in product(list(problem.actions(next(iter(start)))), repeat=2):
        failing = []
        for state in start:
            ends = {state}
            for action in plan:
                ends = {after for before in ends for after in problem.results(before, action)}
            if not all(map(problem.is_goal, ends)):
                failing.append(problem.format_state(state))
        found = reviewed(problem, plan)
        assert found.failing == tuple(sorted(failing))
        said = " ".join(found.sentences(problem.format_action))
        assert not failing or f"It may fail from {len(failing)} of {len(start)} starts: {sorted(failing)[0]}" in said


def test_goals_that_are_sets_of_states_have_no_failing_starts() -> None:
    problem = DigitalScaleProblem(bags=2)
    assert reviewed(problem, [(1, 0)]).failing == ()
