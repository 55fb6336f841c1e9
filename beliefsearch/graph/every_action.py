"""A numbered model in which every action applies in every state, with the same answers, for formats that need that.

An action that does not apply in a state may copy an applicable one, if the player always knows which actions apply: all
states of every reachable belief must have the same actions. Then the copy changes no value.

Otherwise, without a discount, the action leads to a *trap*: a state that the game never leaves, and in which each
action costs 1. Only policies count under which the game ends with probability 1, and none of them can reach the trap;
so none does the action in a belief with a state in which it does not apply.

With a discount no such change keeps all answers: a self-loop or the end of the game may be better than all applicable
actions, and a penalty counts less the smaller its probability. That is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

from attrs import evolve

from ..errors import ProblemError
from ..running.limits import Budget
from ..solvers.pomdp.pomdp_model import PomdpModel

Table: TypeAlias = list[list[Any]]
"""Table with a row for each action, and an entry for each state."""


def trap_of(model: PomdpModel[Any, Any, Any]) -> int:
    """The number of the trap, which is no state of the model; the number before it is that of the end of the game."""
    return len(model.states) + 1


def without_still_states(model: PomdpModel[Any, Any, Any]) -> PomdpModel[Any, Any, Any]:
    """The model in which each absorbing state without rewards is replaced by two that lead to each other.

    Readers of the format take an absorbing state for the end of the game. With a discount that makes no difference;
    without one, it would allow policies that never end the game. Percepts and rewards stay the same.
    """
    still = [
        state
        for state in range(len(model.states))
        if all(rows[state] is None or rows[state] == ((state, 1),) for rows in model.outcomes)
        and not any(values[state] for values in model.rewards)
    ]
    if model.discount != 1 or not still:
        return model
    twin = {state: number for number, state in enumerate(still, len(model.states))}
    outcomes: Table = [[*rows, *(rows[state] for state in still)] for rows in model.outcomes]
    for rows in outcomes:
        for state in still:
            if rows[state] is not None:
                rows[state] = ((twin[state], 1),)
    return evolve(
        model,
        states=(*model.states, *(model.states[state] for state in still)),
        outcomes=tuple(map(tuple, outcomes)),
        rewards=tuple((*values, *(values[state] for state in still)) for values in model.rewards),
        percept_rows=tuple((*rows, *(rows[state] for state in still)) for rows in model.percept_rows),
    )


def with_every_action(problem: Any, model: PomdpModel[Any, Any, Any], budget: Budget) -> tuple[Table, Table, Table]:
    """Outcomes, rewards and rows of percepts of the model, without None; outcomes may lead to the trap.

    Raises `ProblemError` if there is a discount, and states of one belief have different actions, or an action that
    does not apply can copy no other because its percepts differ.
    """
    if all(row is not None for rows in model.outcomes for row in rows):
        return _tables(model)
    try:
        return _with_stand_ins(problem, model, budget)
    except ProblemError:
        if model.discount != 1:
            raise
    outcomes, rewards, percepts = _tables(model)
    for action, rows in enumerate(model.outcomes):
        for state, row in enumerate(rows):
            if row is None:
                outcomes[action][state], rewards[action][state] = ((trap_of(model), 1),), 0
    return outcomes, rewards, percepts


def _tables(model: PomdpModel[Any, Any, Any]) -> tuple[Table, Table, Table]:
    return [*map(list, model.outcomes)], [*map(list, model.rewards)], [*map(list, model.percept_rows)]


def _with_stand_ins(problem: Any, model: PomdpModel[Any, Any, Any], budget: Budget) -> tuple[Table, Table, Table]:
    """The tables in which actions that do not apply copy others."""
    outcomes, rewards, percepts = _tables(model)
    for states in _confusable(problem, model, budget):
        first = states[0]
        applying = [action for action, rows in enumerate(model.outcomes) if rows[first] is not None]
        for action, rows in enumerate(model.outcomes):
            budget.tick()
            if rows[first] is None:
                other = _stand_in(action, applying, states, outcomes, percepts)
                if other is None:
                    here, there = "what is perceived after it elsewhere", "what is perceived after any action"
                    where = f"does not apply in {problem.format_state(model.states[first])!r}, and {here}"
                    raise _unwritable(problem, model, action, f"{where} is not {there} that applies there")
                for state in states:
                    outcomes[action][state], rewards[action][state] = outcomes[other][state], rewards[other][state]
                    for result, _ in outcomes[other][state]:
                        percepts[action][result] = percepts[other][result]
    return outcomes, rewards, percepts


def _stand_in(
    action: int, applying: Sequence[int], states: Sequence[int], outcomes: Table, percepts: Table
) -> int | None:
    """An applicable action that `action` can copy in all these states; None if there is none.

    Probabilities of percepts depend on the action and the resulting state. So in each result of the copied action,
    `action` must have the same percepts, or none yet.
    """
    for other in applying:
        results = {result for state in states for result, _ in outcomes[other][state]}
        rows = ((percepts[action][result], percepts[other][result]) for result in results)
        if all(not row or dict(row) == dict(there) for row, there in rows):
            return other
    return None


def _confusable(problem: Any, model: PomdpModel[Any, Any, Any], budget: Budget) -> Iterator[list[int]]:
    """All states in groups, whose members have equal actions: two states of one reachable belief share a group.

    Two states can be in one belief if both are starts, or if the same percept may come after an action in two such
    states, or in a single one, a pair of equal states.
    """
    import networkx as nx  # most problems have every action in every state

    group: nx.Graph[int] = nx.Graph()
    group.add_nodes_from(range(len(model.states)))
    frontier = [*combinations_with_replacement(sorted(number for number, _ in model.start), 2)]
    group.add_edges_from(frontier)
    for first, second in frontier:  # grows while it is walked
        budget.tick()
        for action, rows in enumerate(model.outcomes):
            ones, others = rows[first], rows[second]
            if ones is None and others is None:
                continue
            if ones is None or others is None:
                pair = (first, second) if others is None else (second, first)
                where, where_not = (problem.format_state(model.states[state]) for state in pair)
                unknown = "and the player may not know which of the two is true"
                raise _unwritable(problem, model, action, f"applies in {where!r} and not in {where_not!r}, {unknown}")
            seen = model.percept_rows[action]
            for one, _ in ones:
                mine = {percept for percept, _ in seen[one]}
                for other, _ in others:
                    if not group.has_edge(one, other) and any(percept in mine for percept, _ in seen[other]):
                        group.add_edge(one, other)
                        frontier.append((one, other))
    yield from sorted(map(sorted, nx.connected_components(group)))


def _unwritable(problem: Any, model: PomdpModel[Any, Any, Any], action: int, why: str) -> ProblemError:
    name = problem.format_action(model.actions[action])
    return ProblemError(f"the format has every action in every state, but {name!r} {why}")
