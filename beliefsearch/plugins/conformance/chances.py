"""Comparison of two accounts of the outcomes of an action and their probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

from ...model.base import Number
from ...model.checked import checked_outcomes
from ...model.stochastic import StochasticProblem
from ...model.values import is_exact

Chances: TypeAlias = "Mapping[Any, Number]"


def chances(problem: StochasticProblem[Any, Any], state: Any, action: Any) -> dict[Any, Number]:
    """Return, by canonical state, the probability that it follows."""
    chances: dict[Any, Number] = {}
    for probability, result in checked_outcomes(problem, state, action):
        representative = problem.canonical(result)
        chances[representative] = chances.get(representative, 0) + probability
    return chances


def same_chances(first: Chances, second: Chances) -> bool:
    """Whether the same may follow, equally likely."""
    return first.keys() == second.keys() and all(equal(chance, second[state]) for state, chance in first.items())


def equal(first: Number, second: Number) -> bool:
    """Whether two numbers are equal; nearly so, if one is a float."""
    return first == second if is_exact(first) and is_exact(second) else math.isclose(first, second, abs_tol=1e-12)
