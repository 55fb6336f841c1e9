"""A numbered model in which every action applies in every state, with the same answers; for formats that know no other.

Where an action does not apply, it may do what another one does that does apply, if the player always knows which
actions apply: whichever states may be the true one, they must have the same. Then he gains and loses nothing.

Otherwise, without a discount, it leads to a *trap*: a state that the game never leaves, where each action costs 1. Only
policies count under which the game ends with certainty, and none of those goes there, however unlikely that is: just
as none does what does not apply in a state that may be the true one.

With a discount nothing is left that would keep all answers as they are: a self-loop may be worth having, to end the
game too, and a forbidding price is a price all the same, which a small probability makes smaller. That is an error.
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
"""By action and state."""


def trap_of(model: PomdpModel[Any, Any, Any]) -> int:
    """The number of the trap, which is no state of the model; the one below is left for a game that is over."""
    return len(model.states) + 1


def without_still_states(model: PomdpModel[Any, Any, Any]) -> PomdpModel[Any, Any, Any]:
    """The model in which states that nothing leaves and where nothing is paid are two, from each to the other.

    Readers take such a state for an end. That is the same with a discount, but without one no policy that counts goes
    there. What is perceived and paid stays the same.
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

    Raises `ProblemError`, if there is a discount, where states that may be confused have different actions, or the
    percepts after an action that does not apply cannot be those after any that does.
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
    """The tables in which actions that do not apply do what others do."""
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
    """An action that applies in all these states, after which the percepts may be those of `action`; None if none is.

    Percepts have their probabilities by the action and the state where one arrives. So they must be the same, or
    `action` must have none there yet.
    """
    for other in applying:
        results = {result for state in states for result, _ in outcomes[other][state]}
        rows = ((percepts[action][result], percepts[other][result]) for result in results)
        if all(not row or dict(row) == dict(there) for row, there in rows):
            return other
    return None


def _confusable(problem: Any, model: PomdpModel[Any, Any, Any], budget: Budget) -> Iterator[list[int]]:
    """All states, in groups: two that may be the true one at the same time are in one group, and have equal actions.

    Two may be so where a game may begin in both, or where what is perceived is the same after a step from two such
    states, or from a single one, which is the pair of itself.
    """
    group = list(range(len(model.states)))  # to a state with a smaller number, in the end the first of the group
    frontier = [*combinations_with_replacement(sorted(number for number, _ in model.start), 2)]
    reached = set(frontier)

    def leader(state: int) -> int:
        while group[state] != state:
            group[state] = group[group[state]]
            state = group[state]
        return state

    for first, second in frontier:  # grows while it is walked
        budget.tick()
        low, high = sorted((leader(first), leader(second)))
        group[high] = low
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
                    pair = (one, other) if one < other else (other, one)
                    if pair not in reached and any(percept in mine for percept, _ in seen[other]):
                        reached.add(pair)
                        frontier.append(pair)
    members: dict[int, list[int]] = {}
    for state in range(len(group)):
        members.setdefault(leader(state), []).append(state)
    yield from members.values()


def _unwritable(problem: Any, model: PomdpModel[Any, Any, Any], action: int, why: str) -> ProblemError:
    name = problem.format_action(model.actions[action])
    return ProblemError(f"the format has every action in every state, but {name!r} {why}")
