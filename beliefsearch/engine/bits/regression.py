"""Pre-images on bit sets that are Python ints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from ...model.belief import merged_order
from ...model.problem import Action
from .bitset import mask_of
from .exploration import explore
from .numbered_model import NumberedModel
from .transition_table import TransitionTable


class BitsetRegression(Generic[Action]):
    """The backward transitions of a problem, over all its states, which are numbered now."""

    def __init__(self, model: NumberedModel[Any, Action]) -> None:
        transitions = explore(model)
        count = len(model.states)
        self.actions = merged_order(model.action_lists(range(count)))
        self.goal_sets = [mask_of(members) for members in model.goal_members if members]
        self._universe = (1 << count) - 1
        self._applicable = {action: mask_of(rows) for action, rows in transitions.items()}
        self._causes = {action: _causes(rows, count) for action, rows in transitions.items()}

    def preimage(self, belief: int, action: Action) -> int | None:
        """The states in which `action` applies and none of whose results lies outside `belief`."""
        outside = self._universe & ~belief
        astray = self._causes[action](outside) if outside else 0
        return self._applicable[action] & ~astray or None


def _causes(rows: dict[int, tuple[int, ...]], count: int) -> Callable[[int], int]:
    """The function from a set to the states with some result in it."""
    causes: list[list[int]] = [[] for _ in range(count)]
    for state, results in rows.items():
        for result in results:
            causes[result].append(state)
    # A table has no empty images, so a state that is nobody's result is given a bit beyond all states.
    return TransitionTable(lambda number: mask_of(causes[number]) or 1 << count).image
