"""`trace`: the beliefs along a plan, against the definition written out anew."""

from __future__ import annotations

from typing import Any

import pytest

from beliefsearch import Blindfolded, StochasticProblem, solve, trace
from beliefsearch.errors import InvalidPlanError
from beliefsearch.results import Trace
from beliefsearch.tools import load_problem_class


def problem_of(name: str, **options: Any) -> Any:
    return load_problem_class(name)(**options)


@pytest.mark.parametrize(("name", "options"), [("vacuum", {"squares": 3}), ("devil", {"n": 4}), ("reset-word", {})])
def test_each_belief_is_what_the_action_makes_of_the_one_before(name: str, options: dict[str, Any]) -> None:
    problem = problem_of(name, **options)
    plan = solve(problem).require_plan()
    steps = trace(problem, plan).rows
    assert [step.number for step in steps] == list(range(len(plan) + 1))
    assert [step.action for step in steps] == [*plan, None]
    belief = {problem.canonical(state) for state in problem.initial_states()}
    for step in steps:
        assert set(step.states) == belief
        assert len(step.states) == len(belief)
        if step.action is not None:
            assert step.branches == ((None, step.number + 1),)
            belief = {problem.canonical(r) for state in belief for r in problem.results(state, step.action)}
    assert all(map(problem.is_goal, belief))


def test_in_a_plain_problem_there_is_one_state_at_each_step() -> None:
    problem = problem_of("lights-out", rows=2, cols=2, start="1111")
    plan = solve(problem).require_plan()
    state = problem.initial_state()
    for step in trace(problem, plan):
        assert step.states == (state,)
        if step.action is not None:
            state = problem.result(state, step.action)
    assert problem.is_goal(state)


def test_the_steps_of_a_conditional_plan_know_what_was_perceived() -> None:
    problem = problem_of("counterfeit-coin", coins=4)
    plan = solve(problem).require_conditional_plan()
    steps = trace(problem, plan).rows
    assert set(steps[0].states) == set(problem.initial_states())
    for step in steps:
        follow: dict[int, set[Any]] = {}
        for state in step.states if step.action is not None else ():
            for result in problem.results(state, step.action):
                for percept in problem.percepts(result, step.action):
                    follow.setdefault(dict(step.branches)[percept], set()).add(result)
        for number, states in follow.items():
            assert states <= set(steps[number].states)


def test_of_a_policy_it_has_the_states_in_which_something_is_chosen() -> None:
    problem: StochasticProblem[Any, Any] = problem_of("riddler-flips", flips=3, exact=True)
    policy = solve(problem).require_policy()
    rows = trace(problem, policy).rows
    assert rows[0].state == problem.initial_state()
    assert {row.state for row in rows} == {state for state in policy.states if not problem.is_terminal(state)}
    for row in rows:
        assert (row.action, row.value) == (policy.action(row.state), policy.value(row.state))


def test_rows_are_worked_out_when_somebody_wants_them() -> None:
    problem = problem_of("lights-out", rows=1, cols=3, start="111")
    found: Trace[Any] = trace(problem, ["no action"])
    with pytest.raises(InvalidPlanError, match=r"step 1: .* does not apply"):
        next(iter(found))


def test_an_action_that_does_not_apply_everywhere_is_refused_at_its_step() -> None:
    problem = Blindfolded(problem_of("lights-out", rows=1, cols=3))
    with pytest.raises(InvalidPlanError, match=r"step 1: .* does not apply to"):
        list(trace(problem, ["no action"]))


def test_percepts_are_ignored_along_a_sequence() -> None:
    problem = problem_of("vacuum", sensing="local")
    blind = problem_of("vacuum")
    plan = ["Suck", "Right", "Suck"]
    for step, same in zip(trace(problem, plan), trace(blind, plan), strict=True):
        assert set(step.states) == set(same.states)
