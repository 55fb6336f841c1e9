"""Answers in closed form on the command line: plans that may be far too long to list."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError
from ...plans.result import MOST_LISTED
from ...plans.wording import MOST_DIGITS, length_text
from ...solving import closed_form
from ...solving.closed_form import FEW_STATES
from ..limits import doing
from ..problem_command import Chosen
from ..search_options import SearchOptions

if TYPE_CHECKING:
    from ...model.hooks import Construction

__all__ = [
    "checked_construction",
    "construction_headline",
    "construction_text",
    "parse_places",
]

_SHOWN = 20


def checked_construction(
    chosen: Chosen, search: SearchOptions, *, few_states: int = FEW_STATES
) -> Construction[Any] | None:
    """The construction to be used instead of a search (see `beliefsearch.solving.closed_form`); None for a search."""
    sys.set_int_max_str_digits(MOST_DIGITS)
    return doing(
        "what the puzzle knows of the answer was being checked",
        chosen.budget,
        lambda: closed_form.checked_construction(
            chosen.problem, search.request(), called=chosen.reference, few_states=few_states
        ),
    )


def construction_text(chosen: Chosen, found: Construction[Any], places: tuple[int, int] | None) -> Iterator[str]:
    """The answer, and the actions at some places of the plan."""
    if found.length is None:
        yield f"{chosen.title}: unsolvable, by a construction that has been checked"
        yield ""
        yield from found.explanation.splitlines()
        return
    yield construction_headline(chosen, found.length)
    yield ""
    first, last = places or (1, min(_SHOWN, found.length))
    if last > found.length:
        raise BeliefSearchError(f"--moves asks for move {last:,}, but the plan has {length_text(found.length)}")
    width = len(str(last))
    for place in range(first, last + 1):
        yield f"  {place:{width}}  {chosen.problem.format_action(found.action_at(place - 1))}"
    if last < found.length and places is None:
        yield f"  ... {length_text(found.length - last)} more; --moves A..B shows any of them ..."


def construction_headline(chosen: Chosen, length: int) -> str:
    """The verdict on a plan that is known without a search."""
    actions = "1 action" if length == 1 else f"{length_text(length)} actions"
    return f"{chosen.title}: solved in {actions}, proved optimal, by a checked construction"


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
    if last - first >= MOST_LISTED:
        raise ValueError(f"{text!r} is more than {MOST_LISTED:,} moves at a time")
    return first, last
