"""What a search on sets of states needs of a model; and the model of what can still come up after some actions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ...model.problem import Action
from .model import CompiledModel, RelationTables
from .relation import Relation
from .words import Words, members_of_words, word_count, words_of_members

_Action = TypeVar("_Action", covariant=True)


class SetModel(Protocol[_Action]):
    """The states, actions, transitions and goals as bit sets and tables; see `CompiledModel`."""

    @property
    def actions(self) -> Sequence[_Action]: ...
    @property
    def width(self) -> int: ...
    @property
    def universe(self) -> Words: ...
    @property
    def applicable(self) -> Words: ...
    @property
    def goals(self) -> Words: ...
    @property
    def digest(self) -> str: ...
    @property
    def forward(self) -> RelationTables: ...
    @property
    def backward(self) -> RelationTables: ...


class LaterModel(Generic[Action]):
    """A model restricted to the states that can come up once one of the beliefs `starts` is reached.

    No result leads out of these states. So a pre-image among them is the pre-image without the others, and a belief
    among them lies in a set if it lies in that set's part of them.
    """

    def __init__(self, model: CompiledModel[Any, Action], starts: Words) -> None:
        self.actions = model.actions
        relations = model.relations()
        inside = np.zeros(len(model.states), dtype=np.bool_)
        new = members_of_words(np.bitwise_or.reduce(starts))
        while len(new):
            inside[new] = True
            met = np.unique(np.concatenate([_rows(relation, new).targets for relation in relations]))
            new = met[~inside[met]]
        self.states = np.flatnonzero(inside)
        self.width = word_count(len(self.states))
        number_of = np.cumsum(inside) - 1
        self._relations = [
            Relation(part.offsets, number_of[part.targets].astype(part.targets.dtype))
            for part in (_rows(relation, self.states) for relation in relations)
        ]
        self.universe = words_of_members(np.ones(len(self.states), dtype=np.bool_), self.width)
        self.starts = self._within(starts)
        self.applicable = self._within(model.applicable)
        goals = self._within(model.goals)
        self.goals = goals[goals.any(axis=1)]
        self._model = model

    def _within(self, sets: Words) -> Words:
        """The part of each set that lies among these states."""
        bits = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, self.states]
        packed = np.zeros((len(sets), 8 * self.width), dtype=np.uint8)
        packed[:, : -(-len(self.states) // 8)] = np.packbits(bits, axis=1, bitorder="little")
        return packed.view(np.uint64)

    @cached_property
    def digest(self) -> str:
        """A fingerprint, as a `CompiledModel` has one."""
        return sha256(self._model.digest.encode() + self.states.tobytes() + self.starts.tobytes()).hexdigest()

    @cached_property
    def forward(self) -> RelationTables:
        """From states to results, for all actions."""
        return RelationTables.of(self._relations, len(self.states), self.width)

    @cached_property
    def backward(self) -> RelationTables:
        """From results to the states they may follow, for all actions."""
        return RelationTables.of([one.inverse() for one in self._relations], len(self.states), self.width)


def _rows(relation: Relation, states: Any) -> Relation:
    """The rows of these states only."""
    lengths = np.diff(relation.offsets)[states]
    offsets = np.zeros(len(states) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    places = np.arange(offsets[-1]) + np.repeat(relation.offsets[states] - offsets[:-1], lengths)
    return Relation(offsets, relation.targets[places])
