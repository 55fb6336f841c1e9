"""Finding a bound factor by factor, for problems whose states are too many to be listed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

from attrs import evolve, frozen

from ..engine.factored.view import FactoredView, independent
from ..errors import ProblemError
from ..heuristics.factored import shared_bounds
from ..model.base import Cost
from ..model.factor import Factor, FactorSum
from ..model.problem import BeliefProblem
from ..planner.factored import sum_of
from ..planner.options import SearchRequest
from ..planner.solve import answer
from ..plans.encoding import Json, encode_action
from ..running.limits import EffortExceeded
from ..running.run import Run
from .exhaustion import SHORT_LIST, exhaustion
from .hints.elaborator import proof_table

# The expansions that a short search of a part takes, and the share of the time for all of these.
_FEW_EXPANDED = 20_000
_SHARE = 0.25
# Elementary steps for tables whose bounds are added up, less than a second's worth.
_EFFORT = 4_000_000

FindPart = Callable[..., "dict[str, Json] | None"]
"""Finds a proof of a bound of a problem; given both, and perhaps how to `exhaust`."""


@frozen(eq=False)
class _Part:
    """Some factors by their places, the actions that they pay for, and their problem, with a bound if one is known."""

    places: Sequence[int]
    paid: Collection[Any]
    problem: BeliefProblem[Any, Any, Any]
    bound: Cost = 0


def factors_proof(
    problem: BeliefProblem[Any, Any, Any], factors: Sequence[Factor[Any]], bound: Cost, run: Run, find_part: FindPart
) -> dict[str, Json] | None:
    """Return a proof of the sum of bounds of which no action counts in two; None if it is too low.

    Some factors each, among which the actions are shared out, are added up if their tables are small; else the dearest
    factors, each alone; if that is too little, the sums of those that share actions.
    """
    add_up = partial(_proof_by, factors, bound=bound, run=run, find_part=find_part)
    shared: list[_Part] = []
    place_of = {id(factor): place for place, factor in enumerate(factors)}
    with suppress(ProblemError):
        for view in FactoredView(problem, factors, run.tick).components:
            for own, actions, value in shared_bounds(view, run.tick, _EFFORT):
                places = [place_of[id(view.factors[place])] for place in own]
                paid = {view.all_actions[number] for number in actions}
                shared.append(_part(factors, places, paid, value))
    if (found := add_up(shared)) is not None:
        return found
    single = [_part(factors, [place], factor.actions) for place, factor in enumerate(factors)]
    if (found := _searched(single, bound, run, find_part, add_up)) is not None:
        return found
    groups = independent(factors)
    if len(groups) == len(factors):
        return None
    tied = [
        _Part([place_of[id(factor)] for factor in group], {a for factor in group for a in factor.actions}, part)
        for group in groups
        if (part := sum_of(group, run.tick))
    ]
    return _searched(tied, bound, run, find_part, add_up)


def _part(factors: Sequence[Factor[Any]], places: Sequence[int], paid: Collection[Any], bound: Cost = 0) -> _Part:
    if len(places) == 1:
        return _Part(places, paid, factors[places[0]].problem, bound)
    return _Part(places, paid, FactorSum([factors[place] for place in places]), bound)


def _searched(
    parts: Sequence[_Part], bound: Cost, run: Run, find_part: FindPart, add_up: Callable[..., dict[str, Json] | None]
) -> dict[str, Json] | None:
    """Return a proof by the dearest of these parts, or by one of which a short search says little.

    To prove a bound of a part that is not too high is often much less work than to find it.
    """
    if len(parts) == 1:
        return add_up([evolve(parts[0], bound=bound)])
    short = evolve(run.without_saving(), budget=run.budget.part(_SHARE / max(len(parts), 1), _FEW_EXPANDED))
    found = [answer(part.problem, SearchRequest(), evolve(short, budget=short.budget.part(1))) for part in parts]
    known = [evolve(part, bound=result.lower_bound) for part, result in zip(parts, found, strict=True)]
    hard = [part for part, result in zip(known, found, strict=True) if not result.optimal and part.bound < bound]
    if hard:
        hardest = max(hard, key=lambda part: part.bound)
        within = partial(find_part, exhaust=partial(exhaustion, most_bytes=SHORT_LIST))
        with suppress(EffortExceeded):
            if (proof := add_up([evolve(hardest, bound=bound)], find_part=within)) is not None:
                return proof
    proof = add_up(known)
    if proof is None and hard:
        longer = run.without_saving()
        known = [
            evolve(part, bound=answer(part.problem, SearchRequest(), longer).lower_bound) if part in hard else part
            for part in known
        ]
        proof = add_up(known)
    return proof


def _proof_by(
    factors: Sequence[Factor[Any]], parts: Sequence[_Part], bound: Cost, run: Run, find_part: FindPart
) -> dict[str, Json] | None:
    """Return a proof of the sum of the bounds of these parts, the highest first, that pay for no action twice."""
    chosen: list[_Part] = []
    taken: set[Any] = set()
    for part in sorted(parts, key=lambda part: -part.bound):
        if part.bound > 0 and sum(each.bound for each in chosen) < bound and taken.isdisjoint(part.paid):
            taken.update(part.paid)
            chosen.append(part)
    if not chosen or sum(part.bound for part in chosen) < bound:
        return None
    proofs: list[Json] = []
    for part in chosen:
        some = [factors[place] for place in part.places]
        # What this part does not pay for costs nothing here: another part may pay for it, or have to do with it, too.
        own = dict.fromkeys(chain.from_iterable(factor.actions for factor in some))
        free = [action for action in own if action not in part.paid]
        local: BeliefProblem[Any, Any, Any] = FactorSum(some, free) if free else part.problem
        proof = find_part(local, part.bound)
        if proof is None:
            return None
        named: list[Json] = [*part.places]
        entry: dict[str, Json] = {"factor": named if free or len(named) > 1 else named[0]}
        if free:
            entry["free"] = [encode_action(local, action) for action in free]
        proofs.append(entry | {"proof": dict(proof_table(local, proof, run.tick))})
    return {"kind": "factors", "parts": proofs}
