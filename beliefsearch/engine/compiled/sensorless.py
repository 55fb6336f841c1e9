"""The search space whose beliefs are rows of words, for compiled kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...belief_space.sensorless import BeliefView
from ...model.base import Action, Cost, Percept, State
from ...model.belief import no_tick
from ...model.problem import BeliefProblem
from ..bits.bitset import belief_estimate, largest_cost
from .array_model import CompiledModel, tables_of
from .bitset_kernels import RelationTables, is_goal, sized_image, which_include
from .bitset_words import members_of_words, words_of_bytes


class CompiledView(BeliefView[bytes, State, Action]):
    """A sensorless belief problem as a plain problem whose states are the bytes of bit sets (see `CompiledModel`).

    All states are numbered when the view is made.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Percept],
        tick: Callable[[], None] = no_tick,
        numbered: Callable[[int], None] = lambda states: None,
        most_pairs: int | None = None,
    ) -> None:
        super().__init__(problem, tick)
        self.model = CompiledModel[State, Action](problem, tick, numbered, most_pairs)
        self.max_belief_size = int(np.bitwise_count(self.model.initial).sum())
        self._tables: dict[Action, RelationTables] = {}
        # The last belief as words: solvers call `result` for all actions of the same belief in a row.
        self._asked, self._row = b"", np.zeros(self.model.width, dtype=np.uint64)
        self._image = np.empty(self.model.width, dtype=np.uint64)
        self._estimates = belief_estimate(problem, self.model.states, tick)
        self._largest_cost = largest_cost(problem, self.model.states)

    def initial_state(self) -> bytes:
        return self.model.initial.tobytes()

    def actions(self, belief: bytes) -> Sequence[Action]:
        model = self.model
        if model.applies_everywhere:
            return model.actions
        applicable = which_include(model.applicable, words_of_bytes(belief))
        return [model.actions[number] for number in np.flatnonzero(applicable)]

    def result(self, belief: bytes, action: Action) -> bytes:
        form = self._tables.get(action)
        if form is None:
            relation = self.model.relation(self.model.number_of_action[action])
            form = self._tables[action] = tables_of(relation.offsets[np.newaxis], relation.targets, self.model.width)
        if belief is not self._asked:
            self._asked, self._row = belief, words_of_bytes(belief)
        size = sized_image(form.tables, form.offsets, form.targets, 0, self._row, self._image)
        if size > self.max_belief_size:
            self.max_belief_size = size
        return self._image.tobytes()

    def is_goal(self, belief: bytes) -> bool:
        model = self.model
        return is_goal(model.goals, model.goals_of, model.goals_around, words_of_bytes(belief))

    def heuristic(self, belief: bytes) -> Cost:
        return self._estimates(int.from_bytes(belief, "little"))

    def action_cost(self, belief: bytes, action: Action) -> Cost:
        return self._largest_cost(int.from_bytes(belief, "little"), action)

    def members(self, belief: bytes) -> list[State]:
        return [self.model.states[number] for number in members_of_words(words_of_bytes(belief))]

    def includes(self, large: bytes, small: bytes) -> bool:
        return not int.from_bytes(small, "little") & ~int.from_bytes(large, "little")

    def size(self, belief: bytes) -> int:
        return int.from_bytes(belief, "little").bit_count()

    def all_actions(self) -> tuple[Action, ...]:
        return self.model.actions

    def goal_beliefs(self) -> list[bytes]:
        return [goals.tobytes() for goals in self.model.goals if goals.any()]

    def preimage(self, belief: bytes, action: Action) -> bytes | None:
        model = self.model
        number = model.number_of_action[action]
        outside = model.universe & ~words_of_bytes(belief)
        image = np.empty(model.width, dtype=np.uint64)
        sized_image(*model.backward, number, outside, image)
        states = model.applicable[number] & ~image
        return states.tobytes() if states.any() else None
