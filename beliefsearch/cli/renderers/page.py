"""The page of a problem, which `export` and `view` write."""

from __future__ import annotations

from typing import Any

import click

from ...errors import BeliefSearchError
from ...running.alarm import doing
from .. import DOES_NOT_HOLD, SOLVED, UNDECIDED
from ..output import message
from ..plan_source import code_of_plan, plan_from_file
from ..selected_problem import Asked
from .registry import budget_after, solve_selected

PAGE_ENDINGS = (".html", ".htm")
"""The endings of names of pages."""


def page_text(asked: Asked, *, no_plan: bool, max_nodes: int | None) -> str | None:
    """Return the page; None, with a message, if it is not known whether there is a plan.

    Raises
    ------
    BeliefSearchError
        If the options do not fit together, or there is no start to begin with.
    """
    from ...graph.build import has_start
    from ...graph.page.build import made_page

    if asked.plan_file is not None and no_plan:
        raise BeliefSearchError("--plan is the plan that the page shows; it does not go with --no-plan")
    problem: Any = asked.problem
    if not has_start(problem):
        problem.initial_state()  # which says how to give one
    answer: Any = None
    budget = asked.budget
    if asked.plan_file is not None:
        answer = plan_from_file(asked.plan_file, asked)
        if code_of_plan(asked, answer, budget) != SOLVED:
            raise click.exceptions.Exit(DOES_NOT_HOLD)
    elif not no_plan:
        found = solve_selected(asked, few_states=0)
        if found.code == UNDECIDED:
            none = "; --no-plan makes the page without searching for a plan"
            message(f"{found.heading()}{none if found.plan is None else '; the page has the best policy so far'}")
            if found.plan is None:
                return None
        answer, budget = found.value, budget_after(found)
    return doing(
        "the page was being made; --max-nodes makes a smaller one",
        budget,
        lambda: made_page(problem, answer, budget, title=asked.title, max_nodes=max_nodes),
    )
