"""The checker of bounds factor by factor: proofs about the problems of single factors, whose bounds are added up.

Why that proves a bound of the whole: what an action leads to in a factor depends on that factor alone, and an action
that applies in all states of a belief applies in all states that the factor may be in. So a plan of the whole, without
the actions that have nothing to do with a factor, is a plan of the factor's own problem, and these actions cost at
least what that plan must. Of factors of which no action has to do with two, no action is counted twice.

That the factors are what the problem says is the author's claim, as its states and actions are; `check` tests it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.hooks import factors_of
from ..model.problem import BeliefProblem
from .numbered import list_of

CheckPart = Callable[[BeliefProblem[Any, Any, Any], Mapping[str, Any]], Cost]


def check_factors(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], check_part: CheckPart) -> Cost:
    """Return the sum of the bounds that its parts prove; raises `InvalidProofError` if that is no bound."""
    factors = factors_of(problem)
    if factors is None:
        raise InvalidProofError(f"{type(problem).__name__} has no factors, which it is about")
    counted: dict[Any, int] = {}  # by action the factor that has to do with it
    inner_proofs: list[tuple[int, Mapping[str, Any]]] = []
    for part in list_of(proof, "parts"):
        place, inner = (part.get("factor"), part.get("proof")) if isinstance(part, dict) else (None, None)
        if type(place) is not int or not 0 <= place < len(factors) or not isinstance(inner, Mapping):
            raise InvalidProofError(f"a part has one of {len(factors)} factors and a proof, and is not {part!r:.60}")
        for action in factors[place].actions:
            if action in counted:
                text = f"factors {counted[action]} and {place} both have to do with {problem.format_action(action)}"
                raise InvalidProofError(f"{text}, which would be counted twice")
            counted[action] = place
        inner_proofs.append((place, inner))
    bounds: list[Cost] = []
    for place, inner in inner_proofs:
        try:
            bounds.append(check_part(factors[place].problem, inner))
        except InvalidProofError as error:
            raise InvalidProofError(f"factor {place}: {error}") from None
    return math.inf if math.inf in bounds else sum(bounds)
