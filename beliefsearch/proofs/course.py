"""A course of a partially observable game by a policy graph, along what is most likely to be perceived."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic

from attrs import frozen

from ..model.distribution import Distribution, begin, step
from ..model.problem import Action, Number, Percept, State
from ..model.stochastic import StochasticProblem
from ..model.values import stable_text
from ..plans.policy_graph import PolicyGraph

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
    """What an action is worth: in all, what it pays at once, and what may be perceived then.

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
    """What each action is worth after `done` others, if the policy goes on from its best node then."""
    from ..model.checked import checked_discount
    from ..model.distribution import common_actions

    discount: Any = checked_discount(problem)
    found = []
    for action in common_actions(problem, likely):
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
    """What is expected where the policy has no node: nothing more if the last action has been done."""
    return 0 if graph.steps is not None and done + 1 >= graph.steps[graph.start] else None
