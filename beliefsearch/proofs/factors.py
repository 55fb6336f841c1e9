"""Finding a bound factor by factor, for problems whose states are too many to be listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..engine.factored.view import independent
from ..model.base import Cost
from ..model.factor import Factor
from ..model.problem import BeliefProblem
from ..planner.factored import sum_of
from ..planner.options import SearchRequest
from ..planner.solve import answer
from ..plans.encoding import Json
from ..plans.result import SearchResult
from ..running.run import Run
from .hints.elaborator import proof_table

# Places of factors, and their problem.
_Part: TypeAlias = "tuple[list[int], BeliefProblem[Any, Any, Any]]"
FindPart = Callable[[BeliefProblem[Any, Any, Any], Cost], "dict[str, Json] | None"]


def factors_proof(
    problem: BeliefProblem[Any, Any, Any], factors: Sequence[Factor[Any]], bound: Cost, run: Run, find_part: FindPart
) -> dict[str, Json] | None:
    """Return a proof of the sum of bounds of which no action counts in two; None if it is too low.

    The dearest factors are added up, each alone; if that is too little, the sums of those that share actions are.
    """
    single = [([place], factor.problem) for place, factor in enumerate(factors)]
    found = _added_up(factors, single, bound, run, find_part)
    groups = independent(factors)
    if found is not None or len(groups) == len(factors):
        return found
    place_of = {id(factor): place for place, factor in enumerate(factors)}
    tied = [([place_of[id(factor)] for factor in group], part) for group in groups if (part := sum_of(group, run.tick))]
    return _added_up(factors, tied, bound, run, find_part)


def _added_up(
    factors: Sequence[Factor[Any]], parts: Sequence[_Part], bound: Cost, run: Run, find_part: FindPart
) -> dict[str, Json] | None:
    """Return a proof by the dearest of these parts that share no action."""
    dear: list[tuple[Cost, _Part]] = []
    for part in parts:
        run.tick()
        if len(parts) == 1:
            dear.append((bound, part))
            continue
        found: SearchResult[Any] = answer(part[1], SearchRequest(), run.without_saving())
        if found.lower_bound > 0:
            dear.append((found.lower_bound, part))
    proofs: list[Json] = []
    taken: set[Any] = set()
    total: Cost = 0
    for own, (places, local) in sorted(dear, key=lambda each: -each[0]):
        actions = {action for place in places for action in factors[place].actions}
        if total >= bound or not taken.isdisjoint(actions):
            continue
        taken |= actions
        proof = find_part(local, own)
        if proof is not None:
            table = dict(proof_table(local, proof, run.tick))
            named: list[Json] = [*places]
            proofs.append({"factor": named if len(named) > 1 else named[0], "proof": table})
            total += own
    return {"kind": "factors", "parts": proofs} if proofs and total >= bound else None
