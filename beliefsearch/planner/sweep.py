"""Sweeps: many instances of one puzzle, solved one after the other while some options vary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from math import inf, prod
from time import monotonic
from typing import Any, Unpack

from attrs import evolve, field, frozen

from ..errors import BeliefSearchError
from ..kinds import is_stochastic, played_by, require
from ..model.adapters import Blindfolded
from ..model.base import BaseProblem, Cost, Number
from ..model.hooks import Construction
from ..plans.policy import PolicyResult
from ..plans.result import CONSTRUCT, Status
from ..plans.wording import Telling, telling_of
from ..plugins.installed import given_by
from ..plugins.loading import load_problem_class
from ..plugins.options import problem_with
from ..running.alarm import call_within
from ..running.limits import Budget, LimitReached, Limits
from ..running.observer import Observer
from ..running.run import Run
from .closed_form import checked_construction
from .describe import Count, describe
from .options import SearchRequest, SweepKeywords
from .solve import answer

_MOST_INSTANCES = 100_000
# To count the states of an instance at most this many starts, and pairs of a state and an action, are examined.
_COUNTED = 2**16
# The seconds that this may take.
_PATIENCE = 2.0


@frozen
class SweepRow:
    """The result of one instance of a sweep.

    Attributes
    ----------
    options
        The options that vary, with their values here, as they are written in files.
    status
        The verdict.
    cost
        What the plan costs, or how long the constructed one is; infinite if unsolvable, None if undecided; None of a
        stochastic problem.
    value
        What a stochastic problem is worth, also where it is about costs, which count below zero; None of any other.
    lower_bound
        No plan costs less. Of a stochastic problem whose player does not see every state: the policy attains no less.
    states
        The states that can come up, up to symmetry; None if they were not counted.
    starts
        The possible starts of a belief problem; None of any other.
    seconds
        How long the answer took; counting states and starts comes on top of it.
    solver
        What found the answer.
    reason
        Why an undecided search stopped, in words.
    upper_bound
        No policy attains more, where the player of a stochastic problem does not see every state; else None.
    telling
        How the value of a stochastic problem is told.
    """

    options: Mapping[str, object]
    status: Status
    cost: Cost | None
    value: Number | None
    lower_bound: Cost | None
    states: Count | None
    starts: Count | None
    seconds: float
    solver: str
    reason: str | None
    upper_bound: Number | None = None
    telling: Telling = field(factory=Telling)


def sweep(
    problem_class: type[BaseProblem[Any, Any]] | str,
    varying: Mapping[str, Sequence[object]],
    fixed: Mapping[str, object] | None = None,
    *,
    blindfold: bool = False,
    solver: str = "auto",
    limits: Limits | None = None,
    observer: Observer | None = None,
    **options: Unpack[SweepKeywords],
) -> Iterator[SweepRow]:
    """Solve a puzzle for all combinations of values of some options; yields each row as soon as it is ready.

    Parameters
    ----------
    problem_class
        The class, or its name as on the command line.
    varying
        By option, or argument of the class: its values, as the class takes them or as text on the command line.
    fixed
        The options that have one value throughout.
    blindfold
        Whether a plain problem is played blindfolded.
    solver
        As for `solve`, with no bound on the length of a plan in closed form.
    limits
        As for `solve`, for each instance anew.
    observer, options
        As for `solve`.

    Raises
    ------
    ProblemError
        Before the first row, if an option or a value is refused; later if a problem breaks its contract.
    BeliefSearchError
        If there is no such puzzle, nothing varies, there are more than 100,000 instances, or a name is unknown.
    KeyboardInterrupt
        If Ctrl-C stopped a search: the rows so far stand.

    Notes
    -----
    States are counted by `describe`, for at most two seconds, 65,536 starts, and as many pairs of a state and an
    action.

    Examples
    --------
    >>> for row in sweep("devil", {"n": range(1, 5)}):
    ...     print(row.options["n"], row.status.value, row.cost, row.states.number, row.starts.number)
    1 solved 1 2 2
    2 solved 3 3 4
    3 unsolvable inf 4 8
    4 solved 15 6 16
    """
    cls = load_problem_class(problem_class) if isinstance(problem_class, str) else problem_class
    given = given_by(problem_class) if isinstance(problem_class, str) else {}
    if not isinstance(cls, type):
        raise BeliefSearchError(f"a sweep makes its instances itself: give {type(cls).__name__}, or its name")
    lists = {name: list(values) for name, values in varying.items()}
    if not lists or not all(lists.values()):
        raise BeliefSearchError("a sweep needs an option with several values")
    if prod(map(len, lists.values())) > _MOST_INSTANCES:
        raise BeliefSearchError(f"a sweep has at most {_MOST_INSTANCES:,} instances")
    request = SearchRequest(solver, options)
    request.given()  # which tells of names that do not exist
    instances = [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]

    def make(varied: Mapping[str, object]) -> Any:
        problem: Any = problem_with(cls, {**given, **(fixed or {}), **varied})
        if not blindfold:
            return played_by(request.objective, problem)
        require("play blindfolded", problem)
        return Blindfolded(problem)

    for varied in instances:  # what is refused should not wait until its turn comes
        with suppress(LimitReached, MemoryError):
            call_within(Budget(limits), partial(make, varied))

    def rows() -> Iterator[SweepRow]:
        for varied in instances:
            budget = Budget(limits)
            try:
                problem = call_within(budget, partial(make, varied))
            except (LimitReached, MemoryError) as stop:
                why, seconds = f"{budget.why(stop)} while the puzzle was being made", budget.seconds()
                yield SweepRow(varied, Status.UNDECIDED, None, None, 0, None, None, seconds, solver, why)
                continue
            started = monotonic()
            found = checked_construction(problem, request)
            if found is not None:
                row = _constructed_row(varied, found)
            else:
                instead = partial(checked_construction, problem, request, few_states=0)
                run = evolve(Run.of(limits, observer), instead=instead)
                result: Any = answer(problem, request, run, None)
                row = _row_of(varied, result, problem)
                if run.budget.is_interrupted:
                    raise KeyboardInterrupt
            row = evolve(row, seconds=monotonic() - started)
            yield _counted(row, problem, limits)

    return rows()


def _constructed_row(options: Mapping[str, object], found: Construction[Any]) -> SweepRow:
    cost = inf if found.length is None else found.length
    status = Status.UNSOLVABLE if found.length is None else Status.SOLVED
    return SweepRow(options, status, cost, None, cost, Count(found.states), None, 0.0, CONSTRUCT, None)


def _row_of(options: Mapping[str, object], found: Any, problem: Any) -> SweepRow:
    """The row of a result of any kind; states, starts and seconds come later, unless the search counted them."""
    if isinstance(found, Construction):
        return _constructed_row(options, found)
    plan = not isinstance(found, PolicyResult)
    cost, value = (found.cost, None) if plan else (None, found.value)
    row = SweepRow(options, found.status, cost, value, found.lower_bound, None, None, 0.0, found.solver, found.reason)
    if plan:
        return row
    states = Count(found.stats.reached, complete=found.status is not Status.UNDECIDED)
    return evolve(row, states=states, upper_bound=found.upper_bound, telling=telling_of(problem))


def _counted(row: SweepRow, problem: Any, limits: Limits | None) -> SweepRow:
    """The row with the numbers of states and starts added, unless the search counted them."""
    if is_stochastic(problem):
        return row
    seconds = _PATIENCE if limits is None or limits.seconds is None else min(limits.seconds, _PATIENCE)
    budget = Budget(Limits(seconds=seconds, memory=None if limits is None else limits.memory))
    facts = describe(problem, budget=budget, most=_COUNTED, unreduced=False)
    if budget.is_interrupted:
        raise KeyboardInterrupt
    return evolve(row, states=row.states or facts.states, starts=facts.starts)
