"""The belief at each step of a plan, by the definition in `model/belief.py`.

A course of a partially observable game by a policy graph, along what is most likely to be perceived.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

from attrs import field, frozen

from ...belief_space.sensorless import BeliefView
from ...engine.views import view_of
from ...errors import DoesNotHoldError
from ...kinds import Kind, kind_of
from ...model.base import Action, Number, Percept, State
from ...model.belief import Belief, applicable_actions, initial_belief, outcomes, predict
from ...model.distribution import Distribution, begin, step
from ...model.problem import BeliefProblem
from ...model.stochastic import StochasticProblem
from ...model.values import stable_text
from ...plans.drawings.plan_drawings import answer_box
from ...plans.node_plans import require_applicable
from ...plans.plan import Plan
from ...plans.policy import Policy, PolicyGraph, PolicyResult
from ...plans.policy_table import PolicyRow, policy_rows
from ...plans.result import SearchResult, plan_of

MOST_STEPS = 40

"""A course is shown up to this many actions."""


@frozen
class CourseStep(Generic[State, Action, Percept]):
    """A step of a course.

    Attributes
    ----------
    number
        How many actions come before it.
    likely
        What is likely before the action.
    node
        The node of the policy graph; None at the end of the course.
    action
        What is done; None at the end.
    percept
        What is perceived then, on this course: what is most likely, of several the first.
    chance
        How likely that is; 0 where the game is over after the action.
    """

    number: int
    likely: Distribution[State]
    node: int | None
    action: Action | None
    percept: Percept | None = None
    chance: Number = 0


def course_of(
    problem: StochasticProblem[State, Action, Percept], graph: PolicyGraph[State, Action, Percept]
) -> Iterator[CourseStep[State, Action, Percept]]:
    """The steps of the most likely course, until the game is over or the same would come again."""
    first = begin(problem)
    if not first.percepts:
        return
    ((_, likely),) = first.percepts.values()
    node: int | None = graph.start if len(graph) else None
    met: set[tuple[int, Distribution[State]]] = set()
    for number in range(MOST_STEPS + 1):
        if node is None or (node, likely) in met or number == MOST_STEPS:
            yield CourseStep(number, likely, None, None)
            return
        met.add((node, likely))
        action = graph.action(node)
        percepts = step(problem, likely, action).percepts
        if not percepts:
            yield CourseStep(number, likely, node, action)
            return
        percept = max(percepts, key=lambda seen: percepts[seen][0])
        chance, following = percepts[percept]
        yield CourseStep(number, likely, node, action, percept, chance)
        likely = following
        node = graph.follow(node, percept) if graph.successors[node] else None


@frozen
class ActionValue(Generic[Action, Percept]):
    """Value of an action: in all, its immediate reward, and its possible percepts.

    By percept in `after`: how likely it is, what the policy does then, and what that is worth. `value` is None where
    the policy has no node to go on with.
    """

    action: Action
    value: Number | None
    reward: Number
    after: Sequence[tuple[Percept, Number, Action | None, Number | None]]


def action_values(
    problem: StochasticProblem[State, Action, Percept],
    graph: PolicyGraph[State, Action, Percept],
    likely: Distribution[State],
    done: int = 0,
) -> list[ActionValue[Action, Percept]]:
    """Return the value of each action after `done` others, if the policy goes on from its best node then."""
    from ...model.checked import checked_discount

    discount: Any = checked_discount(problem)
    found = []
    for action in applicable_actions(problem, likely):
        after = step(problem, likely, action)
        going_on: Any = after.utility
        rows: list[tuple[Percept, Number, Action | None, Number | None]] = []
        for percept, (chance, then) in sorted(after.percepts.items(), key=lambda pair: stable_text(pair[0])):
            node = graph.best_node(then, done + 1)
            value = _end(graph, done) if node is None else graph.value(node, then)
            rows.append((percept, chance, None if node is None else graph.action(node), value))
            going_on = None if going_on is None or value is None else going_on + chance * value
        reward: Any = after.reward
        found.append(ActionValue(action, None if going_on is None else reward + discount * going_on, reward, rows))
    return found


def _end(graph: PolicyGraph[Any, Any, Any], done: int) -> Number | None:
    """Return the expected value where the policy has no node: 0 if the last action has been done."""
    return 0 if graph.steps is not None and done + 1 >= graph.steps[graph.start] else None


Row = TypeVar("Row", covariant=True)


@frozen
class TraceStep(Generic[State, Action, Percept]):
    """A step of a plan, with its belief.

    Attributes
    ----------
    number
        Its number, from 0: of a sequence how many actions come before it, of a conditional plan that of the node.
    states
        The states that are possible before the action: one in a plain problem. In a sequence without percepts they are
        up to symmetry (`canonical`), and in the same order at every step.
    action
        What is done; None at an end, where the player has won.
    branches
        By percept, None where nothing is perceived, the number of the step that goes on; empty at an end.
    """

    number: int
    states: Collection[State]
    action: Action | None
    branches: tuple[tuple[Percept | None, int], ...] = ()


@frozen
class Trace(Generic[Row]):
    """The steps of a plan in order, or the rows of a policy, one for each state with an action.

    Whoever iterates is given each row as soon as it is worked out; plans and beliefs may be very large.

    Attributes
    ----------
    problem, plan
        What it is about.
    """

    problem: Any
    plan: Any = field(repr=lambda plan: f"<{plan.summary}>" if isinstance(plan, Plan) else f"{plan!r:.80}")
    _work_out: Callable[[], Iterator[Row]] = field(repr=False, eq=False)

    def __iter__(self) -> Iterator[Row]:
        return self._work_out()

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """All steps as `TraceStep` values, or `PolicyRow` values for a policy."""
        return tuple(self)

    def _repr_html_(self) -> str:
        """For notebooks: what is known at each step, drawn; of a long plan the first steps and the last."""
        return answer_box(self.problem, self.plan, self)


@overload
def trace(
    problem: StochasticProblem[State, Action], plan: Policy[State, Action] | PolicyResult[State, Action]
) -> Trace[PolicyRow[State, Action]]: ...


@overload
def trace(
    problem: StochasticProblem[State, Action, Percept], plan: PolicyGraph[State, Action, Percept]
) -> Trace[CourseStep[State, Action, Percept]]: ...


@overload
def trace(
    problem: BeliefProblem[State, Action, Percept], plan: Sequence[Action] | SearchResult[Action]
) -> Trace[TraceStep[State, Action, Percept]]: ...


def trace(problem: Any, plan: Any) -> Trace[Any]:
    """Follow a plan through a problem of any kind, step by step.

    Parameters
    ----------
    problem
        The problem.
    plan
        A sequence of actions or a conditional plan; of a stochastic problem a policy; or the result that holds it.

    Returns
    -------
    Trace
        A `TraceStep` for each step, and one for each end; for a policy of states a `PolicyRow` for each state,
        breadth-first; for a policy graph a `CourseStep` for each step along the percepts that are most likely.

    Raises
    ------
    ProblemError
        If the problem is caught breaking its contract.
    InvalidPlanError
        If an action does not apply, when its step comes up; names the step.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> for step in trace(DevilProblem(n=2), [frozenset({0, 1}), frozenset({0}), frozenset({0, 1})]):
    ...     print(step.number, *step.states)
    0 HH HT TT
    1 HH HT
    2 HH TT
    3 HH
    """
    follow, plan = _FOLLOW[kind_of(problem)], plan_of(plan)
    return Trace(problem, plan, lambda: follow(problem, plan))


def _follow_blindly(problem: BeliefProblem[Any, Any, Any], plan: Sequence[Any]) -> Iterator[TraceStep[Any, Any, Any]]:
    belief = initial_belief(problem)
    for number, action in enumerate(plan):
        require_applicable(problem, f"step {number + 1}", action, belief, DoesNotHoldError)
        yield TraceStep(number, tuple(sorted(belief, key=stable_text)), action, ((None, number + 1),))
        belief = predict(problem, belief, action)
    yield TraceStep(len(plan), tuple(sorted(belief, key=stable_text)), None)


def _follow_percepts(problem: BeliefProblem[Any, Any, Any], plan: Sequence[Any]) -> Iterator[TraceStep[Any, Any, Any]]:
    if not isinstance(plan, Plan) or not plan.is_conditional:
        yield from _follow_blindly(problem, plan)
        return
    for number, (node, belief) in enumerate(zip(plan.nodes, beliefs_of(problem, plan), strict=True)):
        yield TraceStep(number, belief, node.action, node.branches)


def _follow_beliefs(problem: BeliefProblem[Any, Any, Any], plan: Sequence[Any]) -> Iterator[TraceStep[Any, Any, Any]]:
    if isinstance(plan, Plan) and plan.is_conditional:
        yield from _follow_percepts(problem, plan)
        return
    view = view_of(problem)
    assert isinstance(view, BeliefView), "the problem is not plain"
    belief = view.initial_state()
    for number, action in enumerate(plan):
        if action not in view.actions(belief):
            require_applicable(problem, f"step {number + 1}", action, view.members(belief), DoesNotHoldError)
        yield TraceStep(number, view.members(belief), action, ((None, number + 1),))
        belief = view.result(belief, action)
    yield TraceStep(len(plan), view.members(belief), None)


def beliefs_of(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> list[Belief[Any]]:
    """Return, by node, the states that are possible there on some path from the start."""
    beliefs: list[Belief[Any]] = [frozenset() for _ in plan.nodes]
    beliefs[0] = initial_belief(problem)
    frontier = [0]
    for number in frontier:  # grows while it is walked
        node = plan.nodes[number]
        if node.is_end:
            continue
        for percept, states in outcomes(problem, beliefs[number], node.action).items():
            target = plan.follow(number, percept)
            larger = beliefs[target] | states
            if larger != beliefs[target]:
                beliefs[target] = larger
                frontier.append(target)
    return beliefs


_FOLLOW: Mapping[Kind, Callable[..., Iterator[Any]]] = {
    Kind.PLAIN: _follow_blindly,
    Kind.SENSORLESS: _follow_beliefs,
    Kind.CONTINGENT: _follow_percepts,
    Kind.STOCHASTIC: policy_rows,
    Kind.POMDP: course_of,
}
