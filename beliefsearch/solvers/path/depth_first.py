"""Depth-first search: goes as deep as it can before it tries anything else."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.base import Action, Cost, State
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record, Run
from .cost_scale import CostScale


def depth_first_search(problem: Problem[State, Action], *, run: Run | None = None) -> SearchResult[Action]:
    """Find a plan, not necessarily a cheap one, by expanding the deepest state that was found last.

    No state is expanded twice, so on a finite graph it ends. Where ways have no end it may go down one for ever, and
    miss a goal beside it. Other parameters are as for `breadth_first_search`. Russell and Norvig, 4th edition,
    section 3.4.3. Time and memory are O(states times actions), and the frontier is the path and what branches off it.
    """
    record: Record[State, Action] = Record("depth-first", problem, run)
    unit_costs = problem.has_unit_costs()
    report_every = record.report_every
    generated = 0
    with record:
        state = child = start = problem.initial_state()
        action: Action
        reached = {start}
        record.watch(reached.__len__, count_generated=lambda: generated, latest=lambda: (state, action, child))
        if problem.is_goal(start):
            return record.solved((), 0, 0)
        scale = CostScale.of(problem, start, 0)
        number, price, one = scale.number, scale.price(), scale.unit
        record.number = number
        path: list[tuple[State, Cost, Iterator[Action]]] = [(start, 0, iter(problem.actions(start)))]
        plan: list[Action] = []
        report_at = report_every
        record.expand(start, 0, 0)
        while path:
            state, g, untried = path[-1]
            for action in untried:
                child = problem.result(state, action)
                child_g = g + (one if unit_costs else price(problem, state, action))
                generated += 1
                if generated == report_at:
                    report_at += report_every
                    record.generate(state, action, child, child_g)
                if child in reached:
                    continue
                reached.add(child)
                plan.append(action)
                if problem.is_goal(child):
                    return record.solved(tuple(plan), number(child_g), 0)
                path.append((child, child_g, iter(problem.actions(child))))
                record.expand(child, child_g, len(path) - 1)
                break
            else:
                path.pop()
                if plan:
                    plan.pop()
        return record.unsolvable()
    return record.undecided()
