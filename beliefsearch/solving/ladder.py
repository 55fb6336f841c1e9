"""Try small, then large: run searches with growing allowances until one suffices.

Which way is the quickest cannot be known beforehand, so the cheap ones are tried first. What a way may spend is a count
of elementary steps, of pairs or of bytes, and no time, so that the same call always gives the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from ..running.limits import Outgrown

Result = TypeVar("Result")

Rung: TypeAlias = "tuple[Callable[[int | None], Result], int | None]"
"""A search, and how much it may spend before it raises `Outgrown`; None for no bound."""


def climb(rungs: Iterable[Rung[Result]], hear: Callable[[Outgrown], Any] = lambda outgrown: None) -> Result:
    """The result of the first search whose allowance suffices.

    Parameters
    ----------
    rungs
        The ways to search, in order. The last has all the room there is, or there is no last.
    hear
        Called with each search that was given up, and with what it had proved.
    """
    for search, allowance in rungs:
        try:
            return search(allowance)
        except Outgrown as outgrown:
            hear(outgrown)
    raise AssertionError("the last search has no bound")
