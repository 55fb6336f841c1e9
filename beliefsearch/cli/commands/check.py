"""`beliefsearch check`."""

from __future__ import annotations

from typing import Any

import click

from ...errors import ProblemError
from ...kinds import is_plain, is_stochastic
from ...plans.wording import plural
from ...plugins.conformance.check import check_problem
from ...plugins.conformance.report import REASONS, RULES
from .. import DOES_NOT_HOLD, HOLDS, UNDECIDED
from ..options import Whole
from ..output import emit, emit_lines, message
from ..problem_command import ProblemCommand
from ..selected_problem import Asked
from ..state_report import command_for, state_lines


@click.command("check", cls=ProblemCommand)
@click.option("--states", type=Whole(1), default=1000, show_default=True, help="How many states to examine.")
@click.option("--explain", is_flag=True, help="Say of every rule why it is asked for, not only of broken ones.")
def command(asked: Asked, states: int, explain: bool) -> int:
    """Check whether the plug-in PROBLEM keeps the contract of its interface.

    Says of each rule that is broken in which state, and by which action; why the rule is there; and what the puzzle
    answers for that state. Give options that make the problem small. Exit code 0: it does; 1: it does not; 3: a limit
    came first.
    """
    if is_plain(asked.problem):
        try:
            asked.problem.initial_state()
        except ProblemError:
            raise  # a start that was left out is the user's mistake, not the plug-in's
        except Exception:
            pass  # this the report will tell
    report = check_problem(asked.problem, max_states=states, budget=asked.budget)
    broken = {violation.rule: violation for violation in report.violations}
    width = max(map(len, RULES))
    indent = " " * (8 + width + 2)
    for rule, meaning in RULES.items():
        if rule in broken:
            violation = broken[rule]
            emit(f"BROKEN  {rule:{width}}  {meaning}\n{indent}{violation.complaint}")
            emit(f"{indent}why: {REASONS[rule]}")
            if violation.about:
                state, *actions = violation.about
                emit(f"{indent}look there: {command_for(asked.title, asked.problem, state)}")
                lines = state_lines(asked.problem, state, (), actions=actions)
                emit_lines(f"{indent}{line}" for line in lines)
        elif rule in report.applied and report.states and report.stopped is None:
            emit(f"{'skipped' if report.skipped(rule) else 'ok':8}{rule:{width}}  {meaning}")
            if rule in report.partly:
                emit(f"{indent}({'' if report.skipped(rule) else 'in part: '}{report.partly[rule]})")
            if explain:
                emit(f"{indent}why: {REASONS[rule]}")
            if rule == "start":
                emit(f"{indent}({_first_percept(asked.problem)})")
    for slip in report.advice:
        emit(f"warning {slip}")
    extent = "all that can be reached" if report.complete else "there are more; raise --states"
    if not report.states:
        extent = "there is none to begin with"
    emit(
        f"\n{asked.title}: {plural(len(broken), 'rule')} broken, {plural(report.states, 'state')} looked at ({extent})"
    )
    if report.stopped is not None:
        message(f"not all rules were checked: {report.stopped}")
    if report.violations:
        return DOES_NOT_HOLD
    return HOLDS if report.passed else UNDECIDED


def _first_percept(problem: Any) -> str:
    """Say what the player knows before the first action."""
    if problem.sees_state():
        return "the state is seen, from the start"
    blind = not is_stochastic(problem) and problem.is_sensorless()
    return "nothing is ever perceived" if blind else "the first percept comes after the first action"
