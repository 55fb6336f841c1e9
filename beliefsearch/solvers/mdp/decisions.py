"""Values and chosen actions by state while a model is solved, and how one state is decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define

from ...errors import ProblemError
from ...model.problem import Number
from ...model.stochastic import StochasticProblem
from .model import ChanceModel, Outcomes


@define
class Decisions:
    """The values of the decided states and the places of the actions chosen there; None elsewhere."""

    values: list[Number | None]
    choices: list[int | None]

    @classmethod
    def of(cls, model: ChanceModel[Any, Any]) -> Decisions:
        """The decisions at the beginning: only terminal states are decided."""
        return cls(list(model.utilities), [None] * len(model.states))


def expectation(outcomes: Outcomes, values: Sequence[Any]) -> Any:
    """The expected value after an action."""
    total: Any = 0
    for probability, result in outcomes:
        total += probability * values[result]
    return total


def decide(model: ChanceModel[Any, Any], state: int, found: Decisions, tolerance: float) -> None:
    """Decide a state all of whose outcomes are decided: choose the first of the best actions.

    With floats, an action that is better by no more than this share is not preferred: that may be rounding.
    """
    best: Any = None
    choice = None
    for place, outcomes in enumerate(model.outcomes[state]):
        value = expectation(outcomes, found.values)
        if best is None or value > (best if model.exact else best + tolerance * abs(best)):
            choice = place
        if best is None or value > best:
            best = value
    found.values[state], found.choices[state] = best, choice


def leaving_choices(
    problem: StochasticProblem[Any, Any], model: ChanceModel[Any, Any], component: list[int]
) -> dict[int, int]:
    """An action for each state of a component, such that the game leaves the component with certainty.

    From every state there is a way out along these actions, so in as many steps as there are states it is
    taken with a probability above some bound; never to take it has probability 0. Raises `ProblemError` if no action
    leads out of the component: the game never ends.
    """
    inside = set(component)
    choices: dict[int, int] = {}
    leads_to: dict[int, list[tuple[int, int]]] = {}
    frontier = []
    for state in component:
        for place, outcomes in enumerate(model.outcomes[state]):
            for _, result in outcomes:
                if result in inside:
                    leads_to.setdefault(result, []).append((state, place))
                elif state not in choices:
                    choices[state] = place
                    frontier.append(state)
    if not frontier:
        name = problem.format_state(model.states[min(component)])
        raise ProblemError(
            f"the game never ends: from the state {name}, which can come up, no terminal state can be reached"
        )
    for result in frontier:  # grows while it is walked: breadth-first, backwards
        for state, place in leads_to.get(result, ()):
            if state not in choices:
                choices[state] = place
                frontier.append(state)
    return choices
