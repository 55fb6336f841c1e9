"""Breadth-first search: finds a plan with the fewest actions, layer by layer."""

from __future__ import annotations

from ...model.base import Action, State
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record, Run
from .dominance import Dominance
from .resume import ReachedStates
from .search_tree import Parents, plan_cost, plan_to


def breadth_first_search(
    problem: Problem[State, Action], *, dominance: Dominance[State] | None = None, run: Run | None = None
) -> SearchResult[Action]:
    """Find a plan with the fewest actions: with unit costs it is optimal, otherwise nothing is claimed of its cost.

    `dominance` tells which states need not be kept, by default all are; `run` has the limits, already
    running, and the observer, which receives every event; with a checkpoint the search goes on from what was saved, in
    the same order, and saves how far it has come. Stopped early, the lower bound is that of the last layer finished.

    Goals are recognised when they are generated. Time and memory are O(b^d) for branching factor b and
    plan length d. Russell and Norvig, 4th edition, figure 3.9.
    """
    record: Record[State, Action] = Record("breadth-first", problem, run)
    return search_by_layers(problem, record, dominance=dominance)


def search_by_layers(
    problem: Problem[State, Action], record: Record[State, Action], *, dominance: Dominance[State] | None = None
) -> SearchResult[Action]:
    """Search breadth-first for whoever keeps `record`; for parameters see `breadth_first_search`."""
    checkpoint = record.checkpoint
    unit_costs = problem.has_unit_costs()
    # Looked up once: the loop runs millions of times.
    actions, result, is_goal, expand = problem.actions, problem.result, problem.is_goal, record.expand
    report_every = record.report_every
    generated = 0
    with record:
        state = child = start = problem.initial_state()
        action: Action
        reached: Parents[State, Action] = {start: None}
        again = ReachedStates(problem, reached, checkpoint, dominance)
        dominance = again.dominance
        due = None if checkpoint is None else checkpoint.due
        record.watch(reached.__len__, count_generated=lambda: generated, latest=lambda: (state, action, child))
        if problem.is_goal(start):
            return record.solved((), 0, 0)
        layer = [start]
        next_layer: list[State] = []
        depth = 0
        if checkpoint is not None and checkpoint.kept:
            with checkpoint.sound():
                states = again.restore(record)
                layer, next_layer = again.listed("waiting", states), again.listed("next", states)
                depth, generated = checkpoint.number("depth"), checkpoint.number("generated")
        elif dominance is not None:
            dominance.add(start, 0)
        report_at = generated + report_every
        while layer:
            record.finish_layer(depth + 1 if unit_costs else 0, len(layer))
            depth += 1
            left = len(layer)
            for state in layer:
                if due is not None and due():
                    lists = {"waiting": layer[-left:], "next": next_layer}
                    again.save(record, {"depth": depth - 1, "generated": generated}, lists)
                left -= 1
                expand(state, depth - 1, left + len(next_layer))
                for action in actions(state):
                    child = result(state, action)
                    generated += 1
                    if generated == report_at:
                        report_at += report_every
                        record.generate(state, action, child, depth)
                    if child not in reached:
                        reached[child] = (state, action)
                        if is_goal(child):
                            plan = plan_to(child, reached)
                            return record.solved(plan, plan_cost(problem, plan), 0)
                        if dominance is not None:
                            if dominance.dominates(child, depth):
                                continue
                            dominance.add(child, depth)
                        next_layer.append(child)
            layer, next_layer = next_layer, []
        return record.unsolvable()
    return record.undecided()
