"""A problem as the user wants to play it: blindfolded, or with another initial belief; and its author's mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import BeliefSearchError, PluginError
from ..kinds import is_stochastic, require
from ..plans.file import ALMOST_SURE
from ..running.alarm import Stopped
from ..running.limits import Budget, LimitReached


def build_problem(problem: Any, blindfold: bool, belief: Sequence[str] | None = None, objective: str = "worst") -> Any:
    """The problem, blindfolded or with `belief` as its initial belief if that was asked for.

    See also `played_by`.

    Raises ProblemError if it cannot be played blindfolded or takes no belief, and BeliefSearchError if a text is no
    state.
    """
    problem = played_by(objective, problem)
    if blindfold:
        from ..model.adapters import Blindfolded

        require("play blindfolded", problem)
        problem.possible_starts()  # tells at once if there are none
        problem = Blindfolded(problem)
    if belief is None:
        return problem
    from ..model.given_belief import read_state, starting_from

    require("begin with a belief", problem)
    return starting_from(problem, [read_state(problem, text) for text in belief])


def played_by(objective: str, problem: Any) -> Any:
    """The problem by an objective: who wants to win almost surely plays a stochastic one without its probabilities."""
    if objective != ALMOST_SURE or not is_stochastic(problem):
        return problem
    from ..model.chance import without_chance  # most runs are about other objectives

    return without_chance(problem)


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
        from .conformance.check import mistake_in

        complaint = mistake_in(error, cls, get_problem(), budget)
        if complaint is None:
            raise
        raise PluginError(complaint) from error
