"""The three stages of a belief transition, on frozensets: the definition that all other code must agree with.

A *belief* is the set of states that may be the true one. Doing an action takes it through
`predict` (where may it lead?), `possible_percepts` (what may be perceived there?) and `update`
(which states remain once something was perceived?); Russell and Norvig, 4th edition, section 4.4.

This file is short on purpose. The engine is fast and must agree with it; the checker uses nothing else.
Nothing here makes use of `canonical`: symmetry is a matter of the views.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ..errors import ProblemError
from .base import Action, Cost, Percept, State
from .checked import checked_cost
from .problem import BeliefProblem
from .values import in_stable_order, is_hashable, listed

Belief: TypeAlias = frozenset[State]


def no_tick() -> None:
    """The `tick` of callers without a limit: never stops."""


def initial_states(
    problem: BeliefProblem[State, Action, Percept], tick: Callable[[], None] = no_tick
) -> Iterator[State]:
    """Yield `problem.initial_states()`; raises `ProblemError` if there is none, or one that is not hashable.

    `tick` is called before each state, of which there may be very many, and raises to stop.
    """
    return _checked_states(problem.initial_states(), tick, problem, "initial_states")


def initial_belief(problem: BeliefProblem[State, Action, Percept], tick: Callable[[], None] = no_tick) -> Belief[State]:
    """The set of all states that may be the true one at the start."""
    return frozenset(initial_states(problem, tick))


def applicable_actions(
    problem: BeliefProblem[State, Action, Percept], belief: Iterable[State], tick: Callable[[], None] = no_tick
) -> list[Action]:
    """The actions applicable in every state of `belief`, in the order in which its states list them."""
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
    problem: BeliefProblem[State, Action, Percept],
    state: State,
    action: Action,
    tick: Callable[[], None] = no_tick,
) -> Iterator[State]:
    """Yield `problem.results(state, action)`; raises `ProblemError` if there is none, or one that is not hashable."""
    return _checked_states(problem.results(state, action), tick, problem, "results", state, action)


def _checked_states(
    answer: Iterable[State], tick: Callable[[], None], problem: object, method: str, *arguments: object
) -> Iterator[State]:
    """The states in the author's `answer` to a call of `method`, or a `ProblemError` that quotes the call."""
    if type(answer) is not tuple and type(answer) is not list:  # as most answers are, and there are very many
        # A lone string is iterable, but it is nearly always a state whose brackets were forgotten.
        if isinstance(answer, str) or not isinstance(answer, Iterable):
            complaint = f"gave {answer!r}; it must give a collection of states, such as [state]"
            raise _refused(complaint, problem, method, arguments)
        answer = in_stable_order(answer)
    empty = True
    for state in answer:
        empty = False
        tick()
        try:  # `is_hashable`, written out, as this is done for every result of every problem
            hash(state)
        except TypeError:
            complaint = f"gave {state!r}, which is not hashable; use strings, tuples or frozensets"
            raise _refused(complaint, problem, method, arguments) from None
        yield state
    if empty:
        raise _refused("gave no state; there must be at least one", problem, method, arguments)


def _refused(complaint: str, problem: object, method: str, arguments: tuple[object, ...]) -> ProblemError:
    """What is wrong with the answer to a call of `method`, which is quoted."""
    one = method.removesuffix("s")
    name = one if hasattr(problem, one) else method  # as the author wrote it
    return ProblemError(f"{type(problem).__name__}.{name}({', '.join(map(repr, arguments))}) {complaint}")


def predict(
    problem: BeliefProblem[State, Action, Percept],
    belief: Belief[State],
    action: Action,
    tick: Callable[[], None] = no_tick,
) -> Belief[State]:
    """Every state that may follow when `action` is done somewhere in `belief`."""
    return frozenset(result for state in belief for result in successors(problem, state, action, tick))


def perceived(
    problem: BeliefProblem[State, Action, Percept], state: State, action: Action
) -> tuple[Percept | None, ...]:
    """`problem.percepts(state, action)`; raises `ProblemError` unless they are hashable and at least one.

    With none, no state would be possible any more.
    """
    answer = problem.percepts(state, action)
    if type(answer) is tuple and answer and is_hashable(answer):  # as it is if all of them are
        return answer

    def complain(complaint: str) -> ProblemError:
        return ProblemError(f"{type(problem).__name__}.percepts({state!r}, {action!r}) {complaint}")

    if isinstance(answer, str) or not isinstance(answer, Iterable):
        raise complain(f"gave {answer!r}; it must give a collection of percepts, such as [percept]")
    percepts = tuple(in_stable_order(listed(answer)))
    if not percepts:
        raise complain("gave no percept, so no state would be possible; there must be at least one, such as None")
    if not all(map(is_hashable, percepts)):
        raise complain(f"gave {percepts!r}, of which some are not hashable; use strings, tuples or frozensets")
    return percepts


def possible_percepts(
    problem: BeliefProblem[State, Action, Percept], belief: Belief[State], action: Action
) -> frozenset[Percept | None]:
    """All percepts that may come after `action` has led to the predicted `belief`."""
    return frozenset(percept for state in belief for percept in perceived(problem, state, action))


def update(
    problem: BeliefProblem[State, Action, Percept], belief: Belief[State], action: Action, percept: Percept | None
) -> Belief[State]:
    """The states of the predicted `belief` in which `action` may have been followed by `percept`."""
    return frozenset(state for state in belief if percept in perceived(problem, state, action))


def outcomes(
    problem: BeliefProblem[State, Action, Percept],
    belief: Iterable[State],
    action: Action,
    tick: Callable[[], None] = no_tick,
) -> dict[Percept | None, set[State]]:
    """By percept, the belief after `action` and that percept: all three stages in one pass over the results."""
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
    """The cost of `action` in `belief`: the most that it costs in any of its states."""
    return max(checked_cost(problem, state, action) for state in belief)
