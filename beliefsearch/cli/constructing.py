"""Answers in closed form on the command line: plans that may be far too long to list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import BeliefSearchError, ProblemError
from ..problem import BeliefProblem
from ..wording import length_text
from .problem_command import Chosen
from .search_options import SearchOptions

if TYPE_CHECKING:
    from ..encoding import Json
    from ..problem import Construction

__all__ = [
    "MOST_DIGITS",
    "checked_construction",
    "construction_document",
    "construction_text",
    "parse_places",
]

# `auto` searches where there are no more states than this: then a search is as quick.
_FEW_STATES = 4096
# Lengths of plans may have more digits than Python reads and writes unless it is told to; more than this would
# take it long.
MOST_DIGITS = 100_000
# A plan of up to so many actions is listed in files.
_LISTED = 100_000
# Certificates list a plan if replaying it takes no more steps, from so many states each, in all.
_REPLAYED = 10**7
_SHOWN = 20


def checked_construction(chosen: Chosen, search: SearchOptions) -> Construction[Any] | None:
    """The construction to be used instead of a search, once its evidence has been checked; None for a search.

    Somebody who says how to search wants a search.

    Raises
    ------
    BeliefSearchError
        If one is asked for and the puzzle has none, or there is more to it that only a search can heed.
    ProblemError
        If it is wrong: its own checker does not agree with it.
    """
    problem, solver = chosen.problem, search.solver
    if solver not in ("auto", "construct"):
        return None
    if search.heuristic != "auto" or search.engine != "auto" or search.dominance or search.weight is not None:
        if solver == "construct":
            raise BeliefSearchError(
                "--solver construct is no search: it takes no heuristic, weight, dominance or engine"
            )
        return None
    found = problem.construction() if isinstance(problem, BeliefProblem) else None
    if found is None:
        if solver == "construct":
            raise BeliefSearchError(f"{chosen.reference} knows no construction; leave --solver construct out")
        return None
    if solver == "auto" and found.states <= _FEW_STATES:
        return None
    sys.set_int_max_str_digits(MOST_DIGITS)
    try:
        length = problem.check_construction(found.evidence)  # type: ignore[union-attr]  # only belief problems have any
    except ValueError as error:
        raise ProblemError(f"the construction of {chosen.reference} is wrong: {error}") from error
    if length != found.length:
        raise ProblemError(f"the construction of {chosen.reference} is wrong: its evidence proves {length}")
    return found


def construction_text(chosen: Chosen, found: Construction[Any], places: tuple[int, int] | None) -> Iterator[str]:
    """The answer, and the actions at some places of the plan."""
    if found.length is None:
        yield f"{chosen.title}: unsolvable, by a construction that has been checked"
        yield ""
        yield from found.explanation.splitlines()
        return
    yield f"{chosen.title}: solved in {length_text(found.length)} actions, proved optimal, by a checked construction"
    yield ""
    first, last = places or (1, min(_SHOWN, found.length))
    if last > found.length:
        raise BeliefSearchError(f"--moves asks for move {last:,}, but the plan has {length_text(found.length)}")
    width = len(str(last))
    for place in range(first, last + 1):
        yield f"  {place:{width}}  {chosen.problem.format_action(found.action_at(place - 1))}"
    if last < found.length and places is None:
        yield f"  ... {length_text(found.length - last)} more; --moves A..B shows any of them ..."


def parse_places(text: str) -> tuple[int, int]:
    """The places `A..B`, or a single one.

    Raises
    ------
    ValueError
        If it is neither, or the places are out of order.
    """
    match = re.fullmatch(r"(\d{1,4000})(?:\.\.(\d{1,4000}))?", text.strip())
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not 1 <= first <= last:
        raise ValueError(f"{text!r} is not a place such as 7, or a range of places such as 1..20, counted from 1")
    if last - first >= _LISTED:
        raise ValueError(f"{text!r} is more than {_LISTED:,} moves at a time")
    return first, last


def construction_document(chosen: Chosen, found: Construction[Any], *, proof: bool) -> dict[str, Json]:
    """The plan file. A plan that is too long to list is left out.

    With `proof` it is a certificate, and leaves the plan out too where it would take long to replay.
    """
    from attrs import asdict

    from ..certificate import PLAN_FILE_VERSION
    from ..encoding import encode_action
    from ..solution import SearchStats

    plan: Json = None
    if found.length is not None and found.length <= _LISTED and not (proof and found.length * found.states > _REPLAYED):
        plan = [encode_action(chosen.problem, found.action_at(place)) for place in range(found.length)]
    document: dict[str, Json] = {
        "problem": chosen.reference,
        "parameters": dict(chosen.parameters),
        "blindfold": chosen.blindfold,
        "status": "unsolvable" if found.length is None else "solved",
        "cost": found.length,
        "lower_bound": found.length,
        "optimal": found.length is not None,
        "plan": plan,
        "solver": "construct",
        "heuristic": None,
        "engine": None,
        "reason": None,
        "stats": asdict(SearchStats()),
        "version": PLAN_FILE_VERSION,
    }
    return {**document, "proof": {"kind": "construction", "evidence": dict(found.evidence)}} if proof else document
