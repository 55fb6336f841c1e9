"""A problem as the user wants to play it: blindfolded, or with another initial belief; and its author's mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ...errors import BeliefSearchError, PluginError
from ...running.alarm import Stopped
from ...running.limits import Budget, LimitReached


@contextmanager
def mistakes_named(
    cls: Any,
    get_problem: Callable[[], Any],
    budget: Budget | None = None,
    *,
    apart_from: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    """Say what the plug-in did wrong where its code raises an error, or gave something that makes ours fail."""
    try:
        yield
    except (LimitReached, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # also what authors derive from it themselves
        if isinstance(error, (BeliefSearchError, Stopped, *apart_from)):
            raise
        from .check import mistake_in

        complaint = mistake_in(error, cls, get_problem(), budget)
        if complaint is None:
            raise
        raise PluginError(complaint) from error
