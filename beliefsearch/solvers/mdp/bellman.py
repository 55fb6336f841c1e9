"""Values and chosen actions by state while an MDP is solved, and the Bellman equation of one state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from ...errors import EndlessError
from ...model.stochastic import StochasticProblem
from .mdp_model import ChanceModel


@define
class Decisions:
    """An MDP as far as it is solved: `values` of the decided states, at first the terminal ones, and `choices` there.

    A choice is the place of an action among those of its state; what is not decided is None. With floats, what is
    better by no more than the share `tolerance` counts as no better. `tick` raises to stop.
    """

    problem: StochasticProblem[Any, Any]
    model: ChanceModel[Any, Any]
    tolerance: float
    tick: Callable[[], None]
    values: list[Any] = field(init=False)
    choices: list[int | None] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.values = [*self.model.utilities]
        self.choices = [None] * len(self.model.states)


def worth(model: ChanceModel[Any, Any], state: int, place: int, values: Sequence[Any]) -> Any:
    """Return the value of an action: its reward, and the discounted mean value after it."""
    total: Any = 0
    for probability, result in model.outcomes[state][place]:
        total += probability * values[result]
    return model.rewards[state][place] + model.discount * total


def decide(found: Decisions, state: int) -> None:
    """Decide a state all of whose outcomes are decided: choose the first of the best actions."""
    model = found.model
    best: Any = None
    choice = None
    for place in range(len(model.actions[state])):
        value = worth(model, state, place, found.values)
        if best is None or value > (best if model.exact else best + found.tolerance * abs(best)):
            choice = place
        if best is None or value > best:
            best = value
    found.values[state], found.choices[state] = best, choice


def first_choices(found: Decisions, component: list[int]) -> dict[int, int]:
    """An action for each state of a component; without a discount as `_leaving_choices` has them."""
    return _leaving_choices(found, component) if found.model.discount == 1 else dict.fromkeys(component, 0)


def may_collect(model: ChanceModel[Any, Any], component: list[int]) -> bool:
    """Whether something can be won on the way, and nothing is discounted; then that might go on for ever."""
    return model.discount == 1 and any(reward > 0 for state in component for reward in model.rewards[state])


def require_leaving(found: Decisions, choices: dict[int, int]) -> None:
    """Raise `EndlessError` if the game may stay in a component for ever by these choices."""
    model = found.model
    inside: dict[int, list[int]] = {state: [] for state in choices}
    frontier = []
    for state, place in choices.items():
        results = [result for _, result in model.outcomes[state][place]]
        for result in results:
            if result in inside:
                inside[result].append(state)
        if not all(result in inside for result in results):
            frontier.append(state)
    met = set(frontier)
    for result in frontier:  # grows while it is walked
        for state in inside[result]:
            if state not in met:
                met.add(state)
                frontier.append(state)
    stuck = next((state for state in choices if state not in met), None)
    if stuck is not None:
        name = found.problem.format_state(model.states[stuck])
        raise EndlessError(
            f"the value is infinite: from the state {name} on, rewards can be "
            "collected for ever; give a discount() below 1"
        )


def _leaving_choices(found: Decisions, component: list[int]) -> dict[int, int]:
    """An action for each state of a component, such that the game leaves the component with certainty.

    From every state there is a way out along these actions, so in as many steps as there are states it is
    taken with a probability above some bound; never to take it has probability 0. Raises `EndlessError` if no action
    leads out of the component: the game never ends.
    """
    inside = set(component)
    choices: dict[int, int] = {}
    leads_to: dict[int, list[tuple[int, int]]] = {}
    frontier = []
    for state in component:
        for place, outcomes in enumerate(found.model.outcomes[state]):
            for _, result in outcomes:
                if result in inside:
                    leads_to.setdefault(result, []).append((state, place))
                elif state not in choices:
                    choices[state] = place
                    frontier.append(state)
    if not frontier:
        name = found.problem.format_state(found.model.states[min(component)])
        raise EndlessError(
            f"the game never ends: from the state {name}, which can come up, no terminal state can be reached"
        )
    for result in frontier:  # grows while it is walked: breadth-first, backwards
        for state, place in leads_to.get(result, ()):
            if state not in choices:
                choices[state] = place
                frontier.append(state)
    return choices
