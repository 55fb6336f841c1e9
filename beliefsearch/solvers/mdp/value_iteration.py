"""Value iteration: improving lower bounds on the expected utility, many states at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.stochastic import StochasticProblem
from .decisions import Decisions, leaving_choices
from .model import ChanceModel


def decide_by_values(
    problem: StochasticProblem[Any, Any],
    model: ChanceModel[Any, Any],
    component: list[int],
    found: Decisions,
    tolerance: float,
    tick: Callable[[], None],
) -> None:
    """Decide the states of a component with a cycle; the states it leads to are decided already.

    It ends when no value rises by more than the share `tolerance` of the largest value around. How far the values then
    are below the true ones depends on how slowly the game leaves the component.

    R. Bellman, "Dynamic Programming" (1957). All values begin at the least value that the component leads
    to, which every policy that leaves it is worth. So they rise, and never above what such policies can
    reach; an iteration from elsewhere may end at values that no policy attains.

    A state's action changes only when its value rises, and begins as one of a policy that leaves with
    certainty. So the last policy leaves with certainty, too. For suppose it kept the game in a closed set C.
    In every state v <= the mean of v after the step, and the frequencies of the states in C make it an
    equality in each. Take the state of C that rose last. Those that lead to it in C have not risen since, so
    they are below that mean: a contradiction. If none ever rose, C would be closed under the first policy.

    An iteration takes time linear in the outcomes of the component, as array operations.
    """
    import numpy as np

    first = leaving_choices(problem, model, component)
    place_of = {state: place for place, state in enumerate(component)}
    probabilities: list[Any] = []
    results: list[int] = []
    constants: list[Any] = []  # by action: what outcomes outside of the component are worth
    action_starts: list[int] = []  # by action: its first outcome inside; by state: its first action
    state_starts: list[int] = []
    outside: list[Any] = []  # the values of outcomes outside of the component
    for state in component:
        tick()
        state_starts.append(len(constants))
        for outcomes in model.outcomes[state]:
            # An outcome of probability 0 for each action, as reduceat knows no empty rows.
            action_starts.append(len(results))
            results.append(0)
            probabilities.append(0.0)
            constant: Any = 0
            for probability, result in outcomes:
                if result in place_of:
                    results.append(place_of[result])
                    probabilities.append(probability)
                else:
                    value: Any = found.values[result]
                    constant += probability * value
                    outside.append(value)
            constants.append(constant)
    least, most = min(outside), max(map(abs, outside))
    shares, numbers = np.array(probabilities, float), np.array(results)
    fixed, starts, by_state = np.array(constants, float), np.array(action_starts), np.array(state_starts)
    owner = np.repeat(np.arange(len(component)), np.diff([*state_starts, len(constants)]))
    values = np.full(len(component), float(least))
    chosen = np.array([state_starts[place] + first[state] for place, state in enumerate(component)])
    while True:
        tick()
        worth = fixed + np.add.reduceat(shares * values[numbers], starts)
        best = np.maximum.reduceat(worth, by_state)
        risen = best > values + tolerance * most
        if not risen.any():
            break
        # The first of the best actions of each state that rose.
        attained = np.flatnonzero((worth == best[owner]) & risen[owner])
        chosen[owner[attained][::-1]] = attained[::-1]
        values[risen] = best[risen]
    for place, state in enumerate(component):
        found.values[state] = float(values[place])
        found.choices[state] = int(chosen[place]) - state_starts[place]
