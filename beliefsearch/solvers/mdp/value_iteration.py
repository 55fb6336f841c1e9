"""Value iteration: improving lower bounds on the expected utility, many states at a time."""

from __future__ import annotations

from typing import Any

from ...errors import BeliefSearchError, Worded
from .component_arrays import ComponentArrays
from .mdp_model import Decisions, first_choices, may_collect
from .policy_iteration import evaluate

# Smaller values are converging to 0, and are set to it before their products underflow.
_SMALLEST = 1e-300


def decide_by_values(found: Decisions, component: list[int]) -> None:
    """Decide the states of a component with a cycle; the states it leads to are decided already.

    The iteration ends when no value rises by more than the tolerance times the largest value outside and the largest
    reward of the chosen actions. The remaining error depends on how slowly the game leaves the component.

    R. Bellman, "Dynamic Programming" (1957). All values begin at the least value outside, which every policy that
    leaves the component attains; or, if there are rewards, at the values of the first policy; or, with a discount,
    below all attainable values. So they rise, and never above the values of such policies; an iteration from other
    values may converge to some that no policy attains.

    A state's action changes only when its value rises, and the first policy leaves with probability 1. So does the last
    one. For suppose it kept the game in a closed set C. In every state v is at most the mean of v after the step, and
    the frequencies of the states in C make it an equality in each. Take the state of C that rose last. The states that
    lead to it in C have not risen since, so they are below that mean: a contradiction. If none ever rose, C would be
    closed under the first policy.

    An iteration takes time linear in the outcomes of the component, as array operations.
    """
    import numpy as np

    model, tick = found.model, found.tick
    if may_collect(model, component):
        raise BeliefSearchError(
            Worded(
                "where something can be won on the way and nothing is discounted, values might rise for ever; "
                "[solver=policy-iteration] notices that"
            )
        )
    first = first_choices(found, component)
    arrays = ComponentArrays.of(found, component)
    outside, by_state, rewarded = arrays.outside, arrays.by_state, arrays.rewarded
    around = max(map(abs, outside), default=0)
    values = _first_values(found, component, first, outside)
    chosen = by_state + np.array([first[state] for state in component])
    while True:
        tick()
        worth = arrays.worth(values)
        best = np.maximum.reduceat(worth, by_state)
        risen = best > values + found.tolerance * max(around, rewarded[chosen].max())
        if not risen.any():
            break
        arrays.choose_best(chosen, worth, best, risen)
        values[risen] = best[risen]
    values[np.abs(values) < _SMALLEST] = 0.0
    for place, state in enumerate(component):
        found.values[state] = float(values[place])
        found.choices[state] = int(chosen[place] - by_state[place])


def _first_values(found: Decisions, component: list[int], first: dict[int, int], outside: list[Any]) -> Any:
    """Return values of the component's states that a step of the first policy does not lower."""
    import numpy as np

    model = found.model
    rewards: list[Any] = [reward for state in component for reward in model.rewards[state]]
    if model.discount < 1:
        least = min([min(rewards) / (1 - float(model.discount)), *outside])
    elif any(rewards):
        attained = evaluate(found, first)
        return np.array([attained[state] for state in component], float)
    else:
        least = min(outside)
    return np.full(len(component), float(least))
