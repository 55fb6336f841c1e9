"""The page of a problem, which `export` and `view` write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...errors import BeliefSearchError
from ...running.alarm import doing
from .. import UNDECIDED
from ..output import message
from ..plan_source import plan_from_file
from ..search_options import SearchOptions
from ..selected_problem import Chosen
from .registry import solve_chosen

PAGE_ENDINGS = (".html", ".htm")
"""The endings of names of pages."""


def page_text(
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    *,
    no_plan: bool = False,
    max_nodes: int | None = None,
) -> str | None:
    """The page; None if it is not known whether there is a plan, which has been said then.

    Raises
    ------
    BeliefSearchError
        If the options do not fit together, or there is no start to begin with.
    """
    from ...graph.build import has_start
    from ...graph.page.build import made_page

    if plan_file is not None and no_plan:
        raise BeliefSearchError("--plan is the plan that the page shows; it does not go with --no-plan")
    problem: Any = chosen.problem
    if not has_start(problem):
        problem.initial_state()  # which says how to give one
    answer: Any = None
    if plan_file is not None:
        answer = plan_from_file(plan_file, chosen)
    elif not no_plan:
        found = solve_chosen(chosen, search, few_states=0)
        if found.code == UNDECIDED:
            message(f"{found.heading()}; --no-plan makes the page without searching for a plan")
            return None
        answer = found.value
    return doing(
        "the page was being made; --max-nodes makes a smaller one",
        chosen.budget,
        lambda: made_page(problem, answer, chosen.budget, title=chosen.title, max_nodes=max_nodes),
    )
