"""Policy iteration: evaluate a policy, improve it where an action is strictly better, and repeat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.stochastic import StochasticProblem
from .decisions import Decisions, first_choices, may_collect, require_leaving, worth
from .linear import evaluate
from .model import ChanceModel


def decide_by_policies(
    problem: StochasticProblem[Any, Any],
    model: ChanceModel[Any, Any],
    component: list[int],
    found: Decisions,
    tolerance: float,
    tick: Callable[[], None],
) -> None:
    """Decide the states of a component with a cycle; the states it leads to are decided already.

    R. Howard, "Dynamic Programming and Markov Processes" (1960). Where nothing is discounted, a policy
    under which the game may go on for ever is worth nothing definite. The first policy leaves the component
    with certainty, and so does each that follows. For suppose the new one kept the game in a closed set C of
    states. By the old values v, the new action of a state is worth at least v(state), and more where it was
    changed. In the long run the game would visit the states of C with fixed frequencies, and by these the
    mean of v before a step and after it are the same; so what is won on the way is not below 0 on average, and above
    0 if a state of C was changed. If nothing can be won on the way, none was, and the old policy kept the game in C as
    well. Else this is looked at, and `ProblemError` raised if rewards can be collected for ever.

    With exact numbers each policy is strictly better than the one before, so the last one is reached and is
    optimal. With floats a change must be worth more than `tolerance` times the largest value around.
    """
    choices = first_choices(problem, model, component)
    collecting = may_collect(model, component)
    around: list[Any] = [found.values[result] for state in component for result in model.successors(state)]
    around += (reward for state in component for reward in model.rewards[state])
    scale: Any = max(abs(value) for value in around if value is not None)
    least_gain: Any = 0 if model.exact else tolerance * scale
    values: list[Any] = found.values
    solved = evaluate(model, choices, values, tick)
    while True:
        for state, value in solved.items():
            values[state] = value
        changed = {}
        for state in component:
            tick()
            best = values[state] + least_gain
            for place in range(len(model.actions[state])):
                value = worth(model, state, place, values)
                if value > best:
                    best, changed[state] = value, place
        if not changed:
            break
        if collecting:
            require_leaving(problem, model, {**choices, **changed})
        better = evaluate(model, {**choices, **changed}, values, tick)
        if not any(better[state] > solved[state] + least_gain / 2 for state in component):
            break  # what looked better was rounding
        choices, solved = {**choices, **changed}, better
    for state, place in choices.items():
        found.choices[state] = place
