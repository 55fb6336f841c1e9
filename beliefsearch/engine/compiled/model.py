"""A belief problem as arrays for the compiled kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...errors import ProblemError
from ...model.belief import merged_order
from ...model.hooks import ArrayHook
from ...model.problem import Action, BeliefProblem, State
from ..bits.exploration import Transitions, explore
from ..bits.numbered_model import NumberedModel
from .hooked import all_results, compare_results, number_listed
from .kernels import fill_tables
from .relation import Relation, narrowest
from .state_sets import applicable_words, goal_arrays, rows_where_applicable
from .words import Words, members_of_words, word_count, words_of_mask, words_of_members

# Byte tables pay while beliefs are narrow and the tables of all actions fit the caches, more or less.
_WIDEST_TABLE = 4
_LARGEST_TABLES = 2**26


@frozen(eq=False)
class RelationTables:
    """The transitions of all actions in the form that kernels take; see `engine.kernels`."""

    tables: NDArray[np.uint64]
    offsets: NDArray[np.int64]
    targets: NDArray[Any]

    @classmethod
    def of(cls, relations: Sequence[Relation], states: int, width: int) -> RelationTables:
        """Make byte tables if beliefs are narrow, else sparse lists."""
        if not relations:
            offsets, targets = np.zeros((0, states + 1), dtype=np.int64), np.zeros(0, dtype=narrowest(states))
        elif len(relations) == 1:  # no copy: a search may keep thousands of them
            offsets, targets = relations[0].offsets[np.newaxis], relations[0].targets
        else:
            starts = np.cumsum([0, *(len(relation.targets) for relation in relations)])
            offsets = np.stack([relation.offsets + start for relation, start in zip(relations, starts, strict=False)])
            targets = np.concatenate([relation.targets for relation in relations])
        shape = (len(relations), -(-states // 8), 256, width)
        if width > _WIDEST_TABLE or 8 * int(np.prod(shape)) > _LARGEST_TABLES:
            return cls(np.zeros((0, 0, 256, width), dtype=np.uint64), offsets, targets)
        tables = np.zeros(shape, dtype=np.uint64)
        fill_tables(offsets, targets, tables)
        return cls(tables, offsets, targets)


class CompiledModel(Generic[State, Action]):
    """The states, actions, transitions and goals of a belief problem as arrays.

    All states are known from the beginning: from the array hook (`all_states`) where the author gives
    one, and otherwise by walking them. With the hook, an action's transitions are asked for on first use.

    Bit sets have `width` words, and the shapes are: `initial` and `universe` (width), `goals` (goal sets, width),
    `applicable` (actions, width). The goal sets around state i are `goals_around[goals_of[i] : goals_of[i + 1]]`.

    Raises `ProblemError` if the array hook breaks its contract, `LimitReached` if the states are too many for the
    limits, and `Outgrown` if there are more pairs of a state and an action than `most_pairs`.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Any],
        tick: Callable[[], None],
        numbered: Callable[[int], None],
        most_pairs: int | None = None,
    ) -> None:
        self.problem = problem
        self._tick = tick
        model = NumberedModel(problem, tick, numbered)
        listed = problem.all_states() if isinstance(problem, ArrayHook) else None
        self._transitions: Transitions[Action] | None = None
        if listed is None:
            self._transitions = explore(model, most_pairs)
        else:
            number_listed(problem, model, listed, tick)
        self.states: Sequence[State] = model.states
        self.width = word_count(len(self.states))
        self.initial: Words = words_of_mask(model.initial_belief(), self.width)
        if listed is not None and len(self.states) > len(listed):
            raise ProblemError(
                f"{type(problem).__name__}.all_states() lacks {self.states[len(listed)]!r}, an initial state"
            )
        lists = model.action_lists(range(len(self.states)))
        self.actions: tuple[Action, ...] = merged_order(lists)
        self.number_of_action = {action: number for number, action in enumerate(self.actions)}
        self.universe: Words = words_of_members(np.ones(len(self.states), dtype=np.bool_), self.width)
        self._rows = rows_where_applicable(lists, self.number_of_action)
        self.applicable = applicable_words(self._rows, self.universe, len(self.actions))
        self.goals, self.goals_of, self.goals_around = goal_arrays(model, self.width)
        self._relations: dict[int, Relation] = {}

    @property
    def applies_everywhere(self) -> bool:
        """Whether every action applies in every state."""
        return not self._rows

    def relation(self, action: int) -> Relation:
        """The transitions of the action with this number; empty for states in which it does not apply."""
        found = self._relations.get(action)
        if found is None:
            self._tick()
            found = self._relations[action] = self._make_relation(action)
        return found

    def _make_relation(self, action: int) -> Relation:
        if self._transitions is not None:
            found = self._transitions.pop(self.actions[action])
            return Relation.from_rows([found.get(state, ()) for state in range(len(self.states))])
        rows = self._rows.get(action)
        matrix = all_results(self.problem, self.actions[action], len(self.states))
        applies = members_of_words(self.initial & self.applicable[action])
        if len(applies):  # one possible start, another for each action
            number = int(applies[action % len(applies)])
            given = [self.states[result] for result in matrix[number].tolist()]
            compare_results(self.problem, self.states[number], self.actions[action], given, self._tick)
        return Relation.from_matrix(matrix, rows)

    def relations(self) -> list[Relation]:
        """The transitions of all actions, by number."""
        return [self.relation(number) for number in range(len(self.actions))]

    @cached_property
    def digest(self) -> str:
        """A fingerprint of everything that is searched: what was kept of a search goes with no other model."""
        found = sha256(f"{len(self.states)} {len(self.actions)}".encode())
        for array in (self.initial, self.goals, self.applicable):
            found.update(array.tobytes())
        for relation in self.relations():
            self._tick()
            found.update(relation.offsets.astype(np.int64).tobytes())
            found.update(relation.targets.astype(np.int64).tobytes())
        return found.hexdigest()

    @cached_property
    def forward(self) -> RelationTables:
        """From states to results, for all actions."""
        return RelationTables.of(self.relations(), len(self.states), self.width)

    @cached_property
    def backward(self) -> RelationTables:
        """From results to the states they may follow, for all actions."""
        return RelationTables.of([relation.inverse() for relation in self.relations()], len(self.states), self.width)
