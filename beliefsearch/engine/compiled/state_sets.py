"""Sets of numbered states as rows of words: the goal sets, and where each action applies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.problem import Action
from ..bits.numbered_model import NumberedModel
from .words import Words, words_of_members


def rows_where_applicable(
    lists: Sequence[tuple[Action, ...]], number_of_action: Mapping[Action, int]
) -> dict[int, NDArray[np.bool_]]:
    """By number of an action, for those that do not apply everywhere: by state whether they do.

    `lists` has the actions of each state.
    """
    if len(set(map(id, lists))) <= 1:
        return {}
    rows = {number: np.zeros(len(lists), dtype=np.bool_) for number in number_of_action.values()}
    for state, actions in enumerate(lists):
        for action in actions:
            rows[number_of_action[action]][state] = True
    return {number: members for number, members in rows.items() if not members.all()}


def applicable_words(rows: Mapping[int, NDArray[np.bool_]], universe: Words, actions: int) -> Words:
    """The states in which each action applies; shape (actions, width). `rows` as above, `universe` all states."""
    applicable = np.tile(universe, (actions, 1))
    for number, members in rows.items():
        applicable[number] = words_of_members(members, len(universe))
    return applicable


def goal_arrays(model: NumberedModel[Any, Any], width: int) -> tuple[Words, NDArray[np.int64], NDArray[np.int64]]:
    """The goal sets, shape (goal sets, width); and which of them are around each state, as offsets and numbers."""
    rows: list[list[int]] = [[] for _ in model.states]
    goals: Words = np.zeros((len(model.goal_members), width), dtype=np.uint64)
    for goal, members in enumerate(model.goal_members):
        inside = np.zeros(len(rows), dtype=np.bool_)
        inside[members] = True
        goals[goal] = words_of_members(inside, width)
        for state in members:
            rows[state].append(goal)
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    return goals, offsets, np.array([goal for row in rows for goal in row], dtype=np.int64)
