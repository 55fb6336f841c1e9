"""The three stages of a belief transition, on frozensets: the definition that all other code must agree with.

A *belief* is the set of states that may be the true one. Doing an action takes it through
`predict` (where may it lead?), `possible_percepts` (what may be perceived there?) and `update`
(which states remain once something was perceived?); Russell and Norvig, 4th edition, section 4.4.

This file is short on purpose. The engine is fast and must agree with it; the checker uses nothing else.
Nothing here makes use of `canonical` unless asked: symmetry is a matter of the views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from .base import Action, BaseProblem, Cost, Percept, State
from .checked import checked_cost, checked_percepts, checked_states
from .problem import BeliefProblem
from .values import listed

Belief: TypeAlias = frozenset[State]


def no_tick() -> None:
    """The `tick` of callers without a limit: never stops."""


def initial_states(
    problem: BeliefProblem[State, Action, Percept], tick: Callable[[], None] = no_tick
) -> Iterator[State]:
    """Yield `problem.initial_states()`; raises `ProblemError` if there is none, or one that is not hashable.

    `tick` is called before each state, of which there may be very many, and raises to stop.
    """
    return checked_states(problem.initial_states(), tick, problem, "initial_states")


def initial_belief(problem: BeliefProblem[State, Action, Percept], tick: Callable[[], None] = no_tick) -> Belief[State]:
    """Return the set of all states that may be the true one at the start."""
    return frozenset(initial_states(problem, tick))


def applicable_actions(
    problem: BaseProblem[State, Action], belief: Iterable[State], tick: Callable[[], None] = no_tick
) -> list[Action]:
    """List the actions applicable in every state of `belief`, in the order in which its states list them."""
    some_state, *others = belief
    first = problem.actions(some_state)
    actions = [*listed(first)]
    for state in others:
        tick()
        answer = problem.actions(state)
        if answer is first and isinstance(answer, tuple):  # many authors give one and the same for every state
            continue
        these = frozenset(listed(answer))
        actions = [action for action in actions if action in these]
    return actions


def successors(
    problem: BeliefProblem[State, Action, Percept], state: State, action: Action, tick: Callable[[], None] = no_tick
) -> Iterator[State]:
    """Yield `problem.results(state, action)`; raises `ProblemError` if there is none, or one that is not hashable."""
    return checked_states(problem.results(state, action), tick, problem, "results", state, action)


def predict(
    problem: BeliefProblem[State, Action, Percept],
    belief: Belief[State],
    action: Action,
    tick: Callable[[], None] = no_tick,
    *,
    canonical: bool = False,
) -> Belief[State]:
    """Return every state that may follow when `action` is done somewhere in `belief`; if asked, up to `canonical`."""
    results = (result for state in belief for result in successors(problem, state, action, tick))
    return frozenset(problem.canonical(result) for result in results) if canonical else frozenset(results)


def perceived(
    problem: BeliefProblem[State, Action, Percept], state: State, action: Action
) -> tuple[Percept | None, ...]:
    """Return `problem.percepts(state, action)`; raises `ProblemError` unless they are hashable and at least one."""
    return checked_percepts(problem.percepts(state, action), problem, state, action)


def possible_percepts(
    problem: BeliefProblem[State, Action, Percept], belief: Belief[State], action: Action
) -> frozenset[Percept | None]:
    """Return all percepts that may come after `action` has led to the predicted `belief`."""
    return frozenset(percept for state in belief for percept in perceived(problem, state, action))


def update(
    problem: BeliefProblem[State, Action, Percept], belief: Belief[State], action: Action, percept: Percept | None
) -> Belief[State]:
    """Return the states of the predicted `belief` in which `action` may have been followed by `percept`."""
    return frozenset(state for state in belief if percept in perceived(problem, state, action))


def outcomes(
    problem: BeliefProblem[State, Action, Percept],
    belief: Iterable[State],
    action: Action,
    tick: Callable[[], None] = no_tick,
) -> dict[Percept | None, set[State]]:
    """Return, by percept, the belief after `action` and that percept: all three stages in one pass over the results."""
    found: dict[Percept | None, set[State]] = {}
    for state in belief:
        for result in successors(problem, state, action, tick):
            for percept in perceived(problem, result, action):
                found.setdefault(percept, set()).add(result)
    return found


def is_goal_belief(problem: BeliefProblem[State, Action, Percept], belief: Belief[State]) -> bool:
    """Whether `belief` lies inside one of the problem's goal sets."""
    return any(all(state in goals for state in belief) for goals in problem.goal_sets())


def belief_cost(problem: BeliefProblem[State, Action, Percept], belief: Belief[State], action: Action) -> Cost:
    """Return the cost of `action` in `belief`: the most that it costs in any of its states."""
    return max(checked_cost(problem, state, action) for state in belief)
