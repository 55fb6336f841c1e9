"""Doing something within limits of which there is nothing to show unless it is finished."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .limits import Budget

__all__ = ["Stopped", "doing"]

_Result = TypeVar("_Result")
_REMAINS: deque[BaseException] = deque(maxlen=1)


class Stopped(Exception):
    """A limit was reached while something was done of which there is nothing to show.

    Attributes
    ----------
    reason
        Which limit, and what was being done.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def doing(what: str, budget: Budget, call: Callable[[], _Result]) -> _Result:
    """Call a function, with limits heard whatever it does.

    Parameters
    ----------
    what
        What it does, to follow "while".
    budget
        The limits.
    call
        The function.

    Raises
    ------
    Stopped
        If a limit is reached.
    """
    from .alarm import call_within
    from .limits import LimitReached

    try:
        budget.tick()  # what came before may have taken all the time
        return call_within(budget, call)
    except (LimitReached, MemoryError) as stop:
        reason = budget.why(stop)
        if not budget.seconds_left():
            # To free millions of objects takes seconds, and the program is about to end: its traceback keeps them.
            _REMAINS.append(stop)
    # Not in the handler: the traceback there keeps alive what has grown too large.
    raise Stopped(f"{reason} while {what}")
