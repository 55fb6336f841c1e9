"""The checker of bounds factor by factor: proofs about one factor, or the sum of some, whose bounds are added up.

Why that proves a bound of the whole: what an action leads to in a factor depends on that factor alone, and an action
that applies in all states of a belief applies in all states that the factor may be in. So a plan of the whole, without
the actions that have nothing to do with a factor, is a plan of the factor's own problem, and these actions cost at
least what that plan must. The same goes for the sum of some factors (`FactorSum`), whose belief is all that each of
them may be in. Of parts of which no action has to do with two, no action is counted twice.

That the factors are what the problem says is the author's claim, as its states and actions are; `check` tests it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.factor import FactorSum
from ..model.hooks import factors_of
from ..model.problem import BeliefProblem
from .numbered import list_of

CheckPart = Callable[[BeliefProblem[Any, Any, Any], Mapping[str, Any]], Cost]


def check_factors(problem: BeliefProblem[Any, Any, Any], proof: Mapping[str, Any], check_part: CheckPart) -> Cost:
    """Return the sum of the bounds that its parts prove; raises `InvalidProofError` if that is no bound."""
    factors = factors_of(problem)
    if factors is None:
        raise InvalidProofError(f"{type(problem).__name__} has no factors, which it is about")
    counted: dict[Any, Any] = {}  # by action the part that has to do with it
    bounds: list[Cost] = []
    parts: list[tuple[Any, BeliefProblem[Any, Any, Any], Mapping[str, Any]]] = []
    for part in list_of(proof, "parts"):
        named, inner = (part.get("factor"), part.get("proof")) if isinstance(part, dict) else (None, None)
        places: list[Any] = named if isinstance(named, list) else [named]
        known = [type(place) is int and 0 <= place < len(factors) for place in places]
        if not known or not all(known) or not isinstance(inner, Mapping):
            raise InvalidProofError(f"a part has one of {len(factors)} factors, or some, and a proof; not {part!r:.60}")
        own = [factors[place] for place in places]
        for action in dict.fromkeys(chain.from_iterable(factor.actions for factor in own)):
            if action in counted:
                text = f"factors {counted[action]} and {named} both have to do with {problem.format_action(action)}"
                raise InvalidProofError(f"{text}, which would be counted twice")
            counted[action] = named
        parts.append((named, FactorSum(own) if isinstance(named, list) else own[0].problem, inner))
    for named, local, inner in parts:
        try:
            bounds.append(check_part(local, inner))
        except InvalidProofError as error:
            raise InvalidProofError(f"factor {named}: {error}") from None
    return math.inf if math.inf in bounds else sum(bounds)
