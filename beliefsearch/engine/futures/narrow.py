"""Plans that are found soon where the least worst case may take long to prove: greedily, then by few actions a set."""

from __future__ import annotations

from typing import Any

from ...plans.plan import ConditionalPlan
from ...running.limits import EffortExceeded
from ...solvers.contingent.plan_graph import plan_graph
from .bounded import BoundedSearch

PATIENCE = 100_000_000
"""Elementary steps that are taken before, and for each plan better than the one before."""


def good_plan(search: BoundedSearch, least: int) -> ConditionalPlan[Any, Any]:
    """A plan, by fewer actions as long as one is soon found, but not by fewer than `least`.

    There must be one that is found greedily. It is bettered by the one, two, four, ... finest actions of each set.
    """
    tables, width = search.tables, 1
    plan = plan_graph(tables, tables.initial_node(), search.choose_greedily)
    while plan.depth > least and width < 2 * len(tables.percepts):
        with search.aside(PATIENCE):
            try:
                while plan.depth > least and search.within(tables.starts, int(plan.depth) - 1, width):
                    plan = plan_graph(tables, tables.initial_node(), search.choose)
            except EffortExceeded:
                break
        width *= 2
    return plan
