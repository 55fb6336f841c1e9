"""The checker of bounds factor by factor: proofs about one factor, or the sum of some, whose bounds are added up.

Why that proves a bound of the whole: what an action leads to in a factor depends on that factor alone, and an action
that applies in all states of a belief applies in all states that the factor may be in. So a plan of the whole, without
the actions that have nothing to do with a factor, is a plan of the factor's own problem, and these actions cost at
least what that plan must. The same goes for the sum of some factors (`FactorSum`), whose belief is all that each of
them may be in. In a part some actions may be free, so that they cost nothing there. Of parts of which no action has to
do with two, but for those that are free in one, no action is counted twice.

That the factors are what the problem says is the author's claim, as its states and actions are; `check` tests it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from json import dumps
from typing import Any

from ..errors import InvalidProofError
from ..model.base import Cost
from ..model.factor import FactorSum
from ..model.hooks import factors_of
from ..model.problem import BeliefProblem
from ..plans.encoding import encode_action
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
        actions = dict.fromkeys(chain.from_iterable(factor.actions for factor in own))
        free = _named(problem, actions, list_of(part, "free") if "free" in part else ())
        for action in actions:
            if action in free:
                continue
            if action in counted:
                text = f"factors {counted[action]} and {named} both have to do with {problem.format_action(action)}"
                raise InvalidProofError(f"{text}, which would be counted twice")
            counted[action] = named
        local = FactorSum(own, free) if isinstance(named, list) or free else own[0].problem
        parts.append((named, local, inner))
    for named, local, inner in parts:
        try:
            bounds.append(check_part(local, inner))
        except InvalidProofError as error:
            raise InvalidProofError(f"factor {named}: {error}") from None
    return math.inf if math.inf in bounds else sum(bounds)


def _named(problem: BeliefProblem[Any, Any, Any], actions: Iterable[Any], names: Iterable[Any]) -> set[Any]:
    """Return those of the actions that are named, as they are written in files."""
    written = {dumps(encode_action(problem, action)): action for action in actions}
    texts = [*map(dumps, names)]
    unknown = next((text for text in texts if text not in written), None)
    if unknown is not None:
        raise InvalidProofError(f"{unknown:.60} is free in a part, but no action that has to do with its factors")
    return {written[text] for text in texts}
