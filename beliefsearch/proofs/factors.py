"""Finding a bound factor by factor, for problems whose states are too many to be listed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..model.base import Cost
from ..model.factor import Factor
from ..model.problem import BeliefProblem
from ..planner.options import SearchRequest
from ..planner.solve import answer
from ..plans.encoding import Json
from ..plans.result import SearchResult
from ..running.run import Run
from .hints.elaborator import short_table

FindPart = Callable[[BeliefProblem[Any, Any, Any], Cost], "dict[str, Json] | None"]


def factors_proof(
    problem: BeliefProblem[Any, Any, Any], factors: Sequence[Factor[Any]], bound: Cost, run: Run, find_part: FindPart
) -> dict[str, Json] | None:
    """Return a proof of the sum of the dearest factors of which no action has to do with two; None if it is too low."""
    dear = []
    for place, factor in enumerate(factors):
        run.tick()
        found: SearchResult[Any] = answer(factor.problem, SearchRequest(), run.without_saving())
        if found.lower_bound > 0:
            dear.append((found.lower_bound, place))
    parts: list[Json] = []
    total: Cost = 0
    for own, place in _apart(factors, sorted(dear, key=lambda each: -each[0])):
        if total >= bound:
            break
        proof = find_part(factors[place].problem, own)
        if proof is not None:
            parts.append({"factor": place, "proof": dict(short_table(factors[place].problem, proof, run.tick))})
            total += own
    return {"kind": "factors", "parts": parts} if parts and total >= bound else None


def _apart(factors: Sequence[Factor[Any]], dear: Sequence[tuple[Cost, int]]) -> Iterator[tuple[Cost, int]]:
    """Yield the first of these factors, and each that shares no action with those before it."""
    taken: set[Any] = set()
    for cost, place in dear:
        if taken.isdisjoint(factors[place].actions):
            taken.update(factors[place].actions)
            yield cost, place
