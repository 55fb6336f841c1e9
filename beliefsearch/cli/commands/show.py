"""`beliefsearch show`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError, InvalidPlanError
from .. import SOLVED
from ..limits import doing
from ..output import emit, terminal_width
from ..plans import NoPlan, plan_for, plan_option
from ..problem_command import Chosen, ProblemCommand
from ..search_options import SearchOptions, search_options

__all__ = ["command"]


@click.command("show", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--width", type=click.IntRange(40), help="Columns to use; by default those of the terminal, or 100.")
@click.option("--all", "everything", is_flag=True, help="Of a stochastic problem: all states, not the first ones only.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Of a stochastic problem: write the table of all states too, as .csv or .json.",
)
def command(
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    width: int | None,
    everything: bool,
    output: Path | None,
) -> int:
    """Show the belief after every action of a plan for PROBLEM, as a table.

    Each state has a column of its own, which is blank where that state is no longer possible. A table
    that would be too wide has its states written downwards; one that would still be too wide gives the
    number of states and some of them. A plan that branches on percepts has a line for each step instead.

    Of a stochastic problem it shows what the policy does in each state, the value of the state, which action is
    second best, what that is worth, and by how much less.
    """
    from ...model.problem import Problem
    from ...plans.plan import ConditionalPlan
    from ..answers.belief_table import belief_table
    from ..answers.report import plan_lines

    if chosen.by_chance:
        from ..answers.policy_text import show_chance

        return _showing(chosen, lambda: show_chance(chosen, search, plan_file, width, output, everything=everything))
    if everything or output is not None:
        option = "--all" if everything else "--output"
        raise BeliefSearchError(f"{option} goes with stochastic problems, and {chosen.reference} is none")
    try:
        plan = plan_for(chosen, search, plan_file)
    except NoPlan as none:
        return none.code
    if isinstance(plan, ConditionalPlan):
        from ..answers.conditional import decision_table

        lines = decision_table(chosen.problem, plan)
    elif isinstance(chosen.problem, Problem):
        lines = plan_lines(chosen.problem, plan)
    else:
        beliefs = _beliefs(chosen.problem, plan)
        lines = belief_table(chosen.problem, plan, beliefs, width or terminal_width())
    return _showing(chosen, lambda: _print(lines))


def _showing(chosen: Chosen, call: Callable[[], int]) -> int:
    return doing("it was being shown", chosen.budget, call)


def _beliefs(problem: Any, plan: Sequence[Any]) -> Iterator[list[Any]]:
    """The members of the belief before each action, and after the last; each worked out when it is asked for."""
    from ...engine.choose import view_of
    from ...views.sensorless import BeliefView

    view = view_of(problem)
    assert isinstance(view, BeliefView)
    belief = view.initial_state()
    yield view.members(belief)
    for step, action in enumerate(plan, 1):
        if action not in view.actions(belief):
            text = problem.format_action(action)
            raise InvalidPlanError(f"step {step}: the action {text} does not apply in every state that is possible")
        belief = view.result(belief, action)
        yield view.members(belief)


def _print(lines: Iterable[str]) -> int:
    """Print the lines until nobody reads them any more."""
    for line in lines:
        if not emit(line):
            break
    return SOLVED
