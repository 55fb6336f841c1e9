"""Iterative deepening, with an estimate (IDA*) and without: finds a cheapest plan in little memory."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...model.base import Action, Cost, State
from ...model.checked import checked_estimate
from ...model.exact import exact
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.number_codec import number_of, text_of
from ...running.run import Record, Run
from .cost_scale import CostScale
from .heuristic import Heuristic, no_estimate


def iterative_deepening_astar_search(
    problem: Problem[State, Action], heuristic: Heuristic[State], *, table_size: int = 1_000_000, run: Run | None = None
) -> SearchResult[Action]:
    """Find a cheapest plan by depth-first searches of growing bounds on g + h; for parameters see `astar_search`.

    `table_size` is how many states a search may remember, so as not to walk below them twice. With 0 it remembers
    only its own path, which is the algorithm in its pure form: memory linear in the plan's length,
    but on graphs with many ways to one state, time exponential in it.

    Korf 1985; the table is Reinefeld and Marsland's (1994). The path is an explicit stack, so plans may
    be longer than Python's recursion limit. `stats.reached` counts the states of the last search that
    the table could hold.

    Where there is no plan, longer and longer ways round would come within the bound, one after the other. But when
    all states that were left out for their cost have been entered in the same round, by a cheaper way, the states
    entered lead to no others, and none is a goal: that is proof. It needs room for them in the table.

    A checkpoint keeps the bound, and from there the search goes on: with the searches of smaller bounds done.
    """
    record: Record[State, Action] = Record("ida-star", problem, run)
    return _deepening(problem, heuristic, record, table_size)


def iterative_deepening_search(
    problem: Problem[State, Action], *, table_size: int = 1_000_000, run: Run | None = None
) -> SearchResult[Action]:
    """Find a cheapest plan by depth-first searches of growing bounds on the cost, without an estimate.

    Where every action costs 1 the bound is on the depth. Parameters are as for `iterative_deepening_astar_search`.
    Russell and Norvig, 4th edition, section 3.4.4.
    """
    record: Record[State, Action] = Record("iterative-deepening", problem, run)
    return _deepening(problem, no_estimate, record, table_size)


def _deepening(
    problem: Problem[State, Action], h: Heuristic[State], record: Record[State, Action], table_size: int
) -> SearchResult[Action]:
    """Search depth-first within one bound after the other."""
    checkpoint = record.checkpoint
    unit_costs = problem.has_unit_costs()
    table: dict[State, Cost] = {}  # the least g with which each state was entered during this search
    left_out: set[State] = set()  # states that this search came to at too high a cost, but not in vain
    report_every = record.report_every
    generated = 0

    with record:
        state = child = start = problem.initial_state()
        action: Action
        record.watch(table.__len__, count_generated=lambda: generated, latest=lambda: (state, action, child))
        if problem.is_goal(start):
            table[start] = 0
            return record.solved((), 0, 0)
        estimate = checked_estimate(problem, start, h)
        scale = CostScale.of(problem, start, estimate)
        number, price, in_units, one = scale.number, scale.price(), scale.estimate, scale.unit
        plain = one == 1
        record.number = number
        threshold: Cost = in_units(estimate)
        if checkpoint is not None and checkpoint.kept:
            generated = checkpoint.number("generated")
            with checkpoint.sound():
                threshold = scale.units(exact(number_of(checkpoint.kept["threshold"])))
            record.go_on(checkpoint)
        report_at = generated + report_every
        while threshold < math.inf:
            if checkpoint is not None and checkpoint.due():
                checkpoint.save({**record.kept(), "generated": generated, "threshold": text_of(number(threshold))})
            record.finish_layer(number(threshold), 0)
            next_threshold: Cost = math.inf
            table.clear()
            left_out.clear()
            has_room = True  # so that both hold all states that they should
            if table_size:
                table[start] = 0
            # The path: states with their g and the actions still to be tried, and the actions between.
            path: list[tuple[State, Cost, Iterator[Action]]] = [(start, 0, iter(problem.actions(start)))]
            on_path = {start}
            plan: list[Action] = []
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
                    if child in on_path or table.get(child, math.inf) <= child_g:
                        continue
                    estimate = checked_estimate(problem, child, h)
                    f = child_g + (estimate if plain and type(estimate) is int else in_units(estimate))
                    if f > threshold:
                        next_threshold = min(next_threshold, f)
                        if f < math.inf and has_room:
                            left_out.add(child)
                            has_room = len(left_out) <= table_size
                        continue
                    if problem.is_goal(child):
                        return record.solved((*plan, action), number(child_g), number(threshold))
                    if child in table or len(table) < table_size:
                        table[child] = child_g
                    else:
                        has_room = False
                    plan.append(action)
                    path.append((child, child_g, iter(problem.actions(child))))
                    on_path.add(child)
                    record.expand(child, child_g, len(path) - 1)
                    break
                else:
                    path.pop()
                    on_path.discard(state)
                    if plan:
                        plan.pop()
            if has_room and left_out <= table.keys():
                break
            threshold = next_threshold
        return record.unsolvable()
    return record.undecided()
