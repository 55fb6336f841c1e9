"""Conformance suite for authors of plug-ins: whether a problem keeps the contract of its interface.

`suite.py` has the rules for every problem; each kind of problem adds its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError, PluginError
from ...model.base import BaseProblem
from ...running.alarm import Stopped
from ...running.limits import Budget, LimitReached

if TYPE_CHECKING:
    from .report import Report


def check_problem(
    problem: BaseProblem[Any, Any],
    *,
    max_states: int = 1000,
    starts: Sequence[Any] | None = None,
    budget: Budget | None = None,
) -> Report:
    """Check a problem against every rule of its interface.

    Parameters
    ----------
    problem
        The problem to check, with options that make it small.
    max_states
        The most states to look at.
    starts
        The states to begin with; None for the problem's own.
    budget
        Limits, which also interrupt the problem's own code; None for none.

    Returns
    -------
    Report
        The first violation of each rule. An exception raised by the problem's own code is one, too. After a limit or
        Ctrl-C: the violations found until then.

    Raises
    ------
    ProblemError
        If it is no problem of any kind.
    """
    from ...kinds import is_stochastic, kind_of
    from .by_kind import BeliefConformance, StochasticConformance

    kind_of(problem)  # raises if it is no problem
    suite: Any = StochasticConformance if is_stochastic(problem) else BeliefConformance
    report: Report = suite(problem, max_states, starts).run(budget or Budget())
    return report


@contextmanager
def mistakes_named(
    cls: Any,
    get_problem: Callable[[], Any],
    budget: Budget | None = None,
    *,
    apart_from: tuple[type[Exception], ...] = (),
) -> Iterator[None]:
    """Turn an error that a plug-in causes, in its own code or in ours, into a `PluginError` that names its mistake."""
    try:
        yield
    except (LimitReached, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # authors may derive their errors from it
        if isinstance(error, (BeliefSearchError, Stopped, *apart_from)):
            raise
        from ..loading import blame

        complaint, problem = blame(error, cls), get_problem()
        if complaint is None and problem is not None and not isinstance(error, (OSError, SystemExit)):
            # A wrong answer of the plug-in may have made our code fail; the suite finds it.
            for violation in check_problem(problem, max_states=100, budget=budget).violations[:1]:
                raised = f"{type(error).__name__}: {' '.join(str(error).split())}"
                told = violation.complaint if raised in violation.complaint else f"{violation.complaint} ({raised})"
                complaint = f"{cls.__name__} breaks the contract of its interface: {told}"
        if complaint is None:
            raise
        raise PluginError(complaint) from error
