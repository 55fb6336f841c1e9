"""Gains that are rounding in one step, and may add up where the game stays in a component for very many steps."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...errors import BeliefSearchWarning
from .mdp_model import ChanceModel, Decisions, worth

# So many steps may each lose the tolerance, 1e-12 of the value, and `verify` does not notice.
_STEPS = 500
# Smaller chances are rare.
_RARE = 1e-6


def has_rare(model: ChanceModel[Any, Any], component: list[int]) -> bool:
    """Whether a chance is so small that the game may stay for very many steps."""
    return any(p < _RARE for state in component for outcomes in model.outcomes[state] for p, _ in outcomes)


def warn() -> None:
    """Say that values may be wrong."""
    warnings.warn(
        "values may be wrong: the game may go on for so long that gains lost in rounding add up; with fractions "
        "instead of floats they are exact",
        BeliefSearchWarning,
        stacklevel=2,
    )


def add_up(found: Decisions, choices: Mapping[int, int], least_gain: float) -> bool:
    """Whether gains too small to count may add up to more than `2 * _STEPS` of them, by actions about as good.

    They do not if, whichever of these are chosen, half of the games leave the component within `_STEPS` steps: the mean
    number of steps is then at most twice as large. Any other action loses more than so many steps can gain.
    """
    model, values = found.model, found.values
    rows: dict[int, list[list[tuple[float, int]]]] = {}
    for state, choice in choices.items():
        least = values[state] - 2 * _STEPS * least_gain
        places = [p for p in range(len(model.actions[state])) if p == choice or worth(model, state, p, values) >= least]
        rows[state] = [
            [(float(model.discount * p), result) for p, result in model.outcomes[state][place] if result in choices]
            for place in places
        ]
    if all(len(row) == 1 for row in rows.values()):
        return False
    inside = dict.fromkeys(rows, 1.0)
    for step in range(_STEPS):
        found.tick()
        inside = {state: max(sum(p * inside[r] for p, r in row) for row in rows[state]) for state in rows}
        most = max(inside.values())
        if most < 0.5:
            return False
        if most == 1 and step > len(rows):
            break
    return True


def in_fractions(found: Decisions, component: list[int]) -> Decisions:
    """A component, numbered anew, in fractions: probabilities are divided by their sum, as `verify` reads them."""
    model = found.model
    around = {result: None for state in component for result in model.successors(state)}
    states = list(dict.fromkeys((*component, *around)))
    number_of = {state: number for number, state in enumerate(states)}
    exact: ChanceModel[Any, Any] = ChanceModel([model.states[state] for state in states])
    exact.discount = Fraction(model.discount)
    for state in states[: len(component)]:
        rows = []
        for outcomes in model.outcomes[state]:
            total = sum(Fraction(probability) for probability, _ in outcomes)
            rows.append(tuple((Fraction(chance) / total, number_of[result]) for chance, result in outcomes))
        exact.append(model.actions[state], tuple(rows), tuple(Fraction(reward) for reward in model.rewards[state]))
    for state in states[len(component) :]:
        exact.append(utility=Fraction(found.values[state]))
    return Decisions(found.problem, exact, found.tolerance, found.tick)
