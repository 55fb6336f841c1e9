"""Bidirectional breadth-first search: from the start and from the goals, until they meet."""

from __future__ import annotations

from array import array

from ...errors import ProblemError
from ...model.base import Action, State
from ...model.hooks import ReversibleProblem
from ...model.problem import Problem
from ...plans.result import SearchResult
from ...running.run import Record, Run
from .resume import Numbers, ReachedStates, new_steps_behind, steps_behind
from .search_tree import Parents, plan_cost, plan_to


def bidirectional_search(problem: Problem[State, Action], *, run: Run | None = None) -> SearchResult[Action]:
    """Find a plan with the fewest actions from both ends, always expanding the smaller frontier.

    With unit costs the plan is optimal, otherwise nothing is claimed. Raises `ProblemError` if the problem cannot be
    walked backwards. Whole layers are finished, a forward depth d and a backward depth e say that no plan has fewer
    than d + e + 1 actions; so the first meeting is optimal. Time and memory are O(b^(d/2)) for branching factor b and
    plan length d. Russell and Norvig, 4th edition, section 3.4.5. With a checkpoint it goes on from what was saved,
    and saves how far it has come.
    """
    if not isinstance(problem, ReversibleProblem):
        raise ProblemError(
            f"{type(problem).__name__} cannot be walked backwards, which bidirectional search needs; "
            "derive it from ReversibleProblem and define goal_states() and predecessors(), or choose another solver"
        )
    record: Record[State, Action] = Record("bidirectional", problem, run)
    checkpoint = record.checkpoint
    unit_costs = problem.has_unit_costs()
    # Looked up once: the loops run millions of times.
    actions, result, predecessors = problem.actions, problem.result, problem.predecessors
    expand, report_every = record.expand, record.report_every
    generated = 0
    ahead: Parents[State, Action] = {}
    behind: Parents[State, Action] = {}
    places = array("L")
    again = ReachedStates(problem, ahead, checkpoint)
    due = None if checkpoint is None else checkpoint.due

    def meet(state: State) -> SearchResult[Action]:
        rest = plan_to(state, behind)[::-1]  # from the state to the goal, not from the goal to the state
        plan = plan_to(state, ahead) + rest
        return record.solved(plan, plan_cost(problem, plan), 0)

    def save(turn: bool, forward: list[State], backward: list[State]) -> None:
        depths = {"turn": int(turn), "ahead_depth": ahead_depth, "behind_depth": behind_depth, "generated": generated}
        own, other = Numbers(ahead), Numbers(behind)
        lists = {"backward": other(backward), "next": (own if turn else other)(next_layer)}
        rows = {"behind": new_steps_behind(checkpoint, behind, places, other)}
        again.save(record, depths, {"forward": forward}, lambda: lists, lambda: rows, numbers=own)

    with record:
        state = child = start = problem.initial_state()
        action: Action
        ahead[start] = None
        record.watch(
            lambda: len(ahead) + len(behind), count_generated=lambda: generated, latest=lambda: (state, action, child)
        )
        if problem.is_goal(start):
            return record.solved((), 0, 0)
        behind.update(dict.fromkeys(problem.goal_states()))
        forward, backward = [start], list(behind)
        ahead_depth = behind_depth = 0
        next_layer: list[State] = []  # of the side whose turn it is
        turn: bool | None = None  # whether that is the one ahead; None if it is to be chosen
        if checkpoint is not None and checkpoint.kept:
            with checkpoint.sound():
                from_start = again.restore(record)
                from_goals = steps_behind(problem, checkpoint, behind, places, record.tick)
                forward, backward = again.listed("forward", from_start), again.listed("backward", from_goals)
                turn = bool(checkpoint.number("turn"))
                next_layer = again.listed("next", from_start if turn else from_goals)
                ahead_depth, behind_depth = checkpoint.number("ahead_depth"), checkpoint.number("behind_depth")
                generated = checkpoint.number("generated")
        report_at = generated + report_every
        while forward and backward:
            bound = ahead_depth + behind_depth + 1
            record.finish_layer(bound if unit_costs else 0, len(forward) + len(backward))
            if len(forward) <= len(backward) if turn is None else turn:
                for done, state in enumerate(forward):
                    if due is not None and due():
                        save(True, forward[done:], backward)
                    waiting = len(forward) - done - 1 + len(next_layer) + len(backward)
                    expand(state, ahead_depth, waiting)
                    for action in actions(state):
                        child = result(state, action)
                        generated += 1
                        if generated == report_at:
                            report_at += report_every
                            record.generate(state, action, child, ahead_depth + 1)
                        if child not in ahead:
                            ahead[child] = (state, action)
                            if child in behind:
                                return meet(child)
                            next_layer.append(child)
                forward = next_layer
                ahead_depth += 1
            else:
                for done, state in enumerate(backward):
                    if due is not None and due():
                        save(False, forward, backward[done:])
                    waiting = len(backward) - done - 1 + len(next_layer) + len(forward)
                    expand(state, behind_depth, waiting)
                    for place, (parent, action) in enumerate(predecessors(state)):
                        generated += 1
                        if generated == report_at:
                            report_at += report_every
                            record.generate(parent, action, state, behind_depth + 1)
                        if parent not in behind:
                            behind[parent] = (state, action)
                            places.append(place)
                            if parent in ahead:
                                return meet(parent)
                            next_layer.append(parent)
                backward = next_layer
                behind_depth += 1
            next_layer, turn = [], None
        return record.unsolvable()
    return record.undecided()
