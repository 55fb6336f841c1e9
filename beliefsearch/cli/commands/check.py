"""`beliefsearch check`."""

from __future__ import annotations

import click

from ...errors import ProblemError
from ...kinds import is_plain
from ...plans.wording import plural
from ...plugins.conformance.check import check_problem
from ...plugins.conformance.report import RULES
from .. import DOES_NOT_HOLD, HOLDS, UNDECIDED
from ..chosen import Chosen
from ..output import emit, message
from ..problem_command import ProblemCommand


@click.command("check", cls=ProblemCommand)
@click.option("--states", type=click.IntRange(1), default=1000, show_default=True, help="How many states to examine.")
def command(chosen: Chosen, states: int) -> int:
    """Check whether the plug-in PROBLEM keeps the contract of its interface.

    Says of each rule that is broken in which state, and by which action. Give options that make the
    problem small. Exit code 0: it does; 1: it does not; 3: a limit came first.
    """
    if is_plain(chosen.problem):
        try:
            chosen.problem.initial_state()
        except ProblemError:
            raise  # a start that was left out is the user's mistake, not the plug-in's
        except Exception:
            pass  # this the report will tell
    report = check_problem(chosen.problem, max_states=states, budget=chosen.budget)
    broken = {violation.rule: violation.complaint for violation in report.violations}
    width = max(map(len, RULES))
    for rule, meaning in RULES.items():
        if rule in broken:
            emit(f"BROKEN  {rule:{width}}  {meaning}\n        {'':{width}}  {broken[rule]}")
        elif rule in report.applied and report.states and report.stopped is None:
            emit(f"ok      {rule:{width}}  {meaning}")
            if rule in report.partly:
                emit(f"        {'':{width}}  (in part: {report.partly[rule]})")
    for slip in report.advice:
        emit(f"warning {slip}")
    extent = "all that can be reached" if report.complete else "there are more; raise --states"
    emit(
        f"\n{chosen.title}: {plural(len(broken), 'rule')} broken, {plural(report.states, 'state')} looked at ({extent})"
    )
    if report.stopped is not None:
        message(f"not all rules were checked: {report.stopped}")
    if report.violations:
        return DOES_NOT_HOLD
    return HOLDS if report.passed else UNDECIDED
