"""The conformance suite for authors of plug-ins: whether a problem keeps the contract of its interface.

`check_problem` walks the states of a problem, breadth-first and up to a limit, and asks of each whether
the rules hold. It says which state and which action broke which rule. How rules are checked that every problem must
keep stands in `suite.py`; each kind of problem adds its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...model.base import BaseProblem
from ..loading import blame
from .report import Report

if TYPE_CHECKING:
    from ...running.limits import Budget
    from .suite import Conformance


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
        What to check, with options that make it small.
    max_states
        How many states to look at.
    starts
        The states to begin with; None for those in which the game begins.
    budget
        Limits, heard wherever the problem's own code is; None for none.

    Returns
    -------
    Report
        The first violation of each rule. An exception raised by the problem's own code is one too. After a limit or
        Ctrl-C: what was found until then.

    Raises
    ------
    ProblemError
        If it is of no kind that has rules.
    """
    from ...kinds import Kind, kind_of
    from ...running.limits import Budget
    from .beliefs import BeliefConformance
    from .stochastic import StochasticConformance

    runs: Mapping[Kind, Callable[[Any, int, Sequence[Any] | None], Conformance]] = {
        **dict.fromkeys(Kind, BeliefConformance),
        Kind.STOCHASTIC: StochasticConformance,
        Kind.POMDP: StochasticConformance,
    }
    return runs[kind_of(problem)](problem, max_states, starts).run(budget or Budget())


def mistake_in(error: BaseException, cls: Any, problem: Any, budget: Budget | None = None) -> str | None:
    """The plug-in's mistake that caused `error`; None if the framework caused it.

    Either its code raised the error, or it gave something that made ours fail; what that was, the
    conformance suite can tell, within `budget`.
    """
    text = blame(error, cls)
    if text is not None or problem is None or isinstance(error, (OSError, SystemExit)):
        return text
    violations = check_problem(problem, max_states=100, budget=budget).violations
    return f"{cls.__name__} breaks the contract of its interface: {violations[0].complaint}" if violations else None
