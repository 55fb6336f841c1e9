"""A belief problem as arrays for the compiled kernels, and its restriction to the states that are reachable later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import chain
from math import inf
from typing import Any, Generic, NamedTuple

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...errors import ProblemError
from ...model.base import Action, State
from ...model.hooks import ArrayHook
from ...model.problem import BeliefProblem
from ...model.reachability import merged_order
from ...running.limits import TooManyStates
from ...solvers.sparse_rows import entries_of
from ..bits.numbered_model import NumberedModel, Transitions, explore
from .array_hook_model import all_results, compare_results, number_listed
from .bitset_kernels import RelationTables, fill_tables
from .bitset_words import Integers, Words, members_of_words, word_count, words_of_mask, words_of_members


@frozen(eq=False)
class Relation:
    """A relation between numbers: `i` is related to `targets[offsets[i]:offsets[i + 1]]`.

    `offsets` has an entry for each state and one more; `targets` is of the narrowest unsigned type that holds a state.
    """

    offsets: Integers
    targets: NDArray[Any]

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]]) -> Relation:
        """Return the relation that is given row by row. O(pairs)."""
        offsets = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        kind = narrowest(len(rows))
        return cls(offsets, np.fromiter(chain.from_iterable(rows), dtype=kind, count=int(offsets[-1])))

    @classmethod
    def from_matrix(cls, matrix: NDArray[Any], rows: NDArray[np.intp]) -> Relation:
        """Return the relation whose row i is `matrix[i]` for i among `rows`, and empty elsewhere."""
        states, width = matrix.shape
        offsets = np.zeros(states + 1, dtype=np.int64)
        offsets[rows + 1] = width
        return cls(np.cumsum(offsets), matrix[rows].astype(narrowest(states)).ravel())

    def inverse(self) -> Relation:
        """Return the relation the other way round. O(pairs log pairs)."""
        states = len(self.offsets) - 1
        sources = np.repeat(np.arange(states), np.diff(self.offsets))
        order = np.argsort(self.targets, kind="stable")
        offsets = np.zeros(states + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.targets, minlength=states), out=offsets[1:])
        return Relation(offsets, sources[order].astype(narrowest(states)))


def narrowest(states: int) -> type[Any]:
    """Return the narrowest unsigned type for the numbers of `states` states."""
    return np.uint16 if states <= 1 << 16 else np.uint32


def _goal_arrays(model: NumberedModel[Any, Any], width: int) -> tuple[Words, Integers, Integers]:
    """Return the goal sets, shape (goal sets, width), and those that contain each state, as offsets and numbers."""
    around = model.goal_sets_around
    goals: Words = np.zeros((len(model.goal_members), width), dtype=np.uint64)
    for goal, members in enumerate(model.goal_members):
        inside = np.zeros(len(around), dtype=np.bool_)
        inside[members] = True
        goals[goal] = words_of_members(inside, width)
    offsets = np.cumsum([0, *map(len, around)], dtype=np.int64)
    return goals, offsets, np.fromiter(chain.from_iterable(around), dtype=np.int64, count=int(offsets[-1]))


# Byte tables pay if beliefs have few words and the tables of all actions more or less fit into the processor's caches.
_WIDEST_TABLE = 4
_LARGEST_TABLES = 2**26


def tables_of(offsets: Integers, targets: NDArray[Any], width: int) -> RelationTables:
    """Add byte tables to sparse lists if they are small enough to be quick."""
    actions, states = len(offsets), offsets.shape[1] - 1
    shape = (actions, -(-states // 8), 256, width)
    if width > _WIDEST_TABLE or 8 * int(np.prod(shape)) > _LARGEST_TABLES:
        shape = (0, 0, 256, width)
    tables = np.zeros(shape, dtype=np.uint64)
    fill_tables(offsets, targets, tables)
    return RelationTables(tables, offsets, targets)


class Rules(NamedTuple):
    """Applicable actions and goal sets, in the form that kernels take; see `ArrayModel`."""

    applicable: Words
    applies_everywhere: bool
    goals: Words
    goals_of: Integers
    goals_around: Integers


class ArrayModel(Generic[State, Action]):
    """The states, actions and goals of a belief problem as arrays; `model` has numbered all states.

    Bit sets have `width` words. The shapes are: `initial` and `universe` (width), `goals` (goal sets, width),
    `applicable` (actions, width). State i belongs to the goal sets `goals_around[goals_of[i] : goals_of[i + 1]]`.
    `applies_everywhere` is true if every action applies in every state.

    Raises `ProblemError` if a reachable state is not among those `listed` by the hook, and `TooManyStates` if there are
    more than `most_pairs` pairs of a state and an action.
    """

    def __init__(
        self,
        model: NumberedModel[State, Action],
        listed: Integers | None,
        tick: Callable[[], None],
        most_pairs: float = inf,
    ) -> None:
        self.problem = model.problem
        self._tick = tick
        belief = model.initial_belief()
        self.states: Sequence[State] = model.states
        if listed is not None and len(self.states) > len(listed):
            lacking = min(set(range(len(self.states))).difference(listed.tolist()))
            raise ProblemError(
                f"{type(self.problem).__name__}.all_states() lacks {self.states[lacking]!r}, which can come up"
            )
        self.width = word_count(len(self.states))
        self.initial: Words = words_of_mask(belief, self.width)
        lists = model.action_lists(range(len(self.states)))
        self.actions: tuple[Action, ...] = merged_order(lists)
        if len(self.states) * len(self.actions) > most_pairs:
            raise TooManyStates
        self.number_of_action = {action: number for number, action in enumerate(self.actions)}
        self.universe: Words = words_of_members(np.ones(len(self.states), dtype=np.bool_), self.width)
        self.applicable = np.tile(self.universe, (len(self.actions), 1))
        if len(set(map(id, lists))) > 1:
            members = np.zeros((len(self.actions), len(lists)), dtype=np.bool_)
            for state, actions in enumerate(lists):
                members[[self.number_of_action[action] for action in actions], state] = True
            for number, row in enumerate(members):
                self.applicable[number] = words_of_members(row, self.width)
        self.applies_everywhere = bool((self.applicable == self.universe).all())
        self.goals, self.goals_of, self.goals_around = _goal_arrays(model, self.width)
        self.rules = Rules(self.applicable, self.applies_everywhere, self.goals, self.goals_of, self.goals_around)


class CompiledModel(ArrayModel[State, Action]):
    """A belief problem as arrays, for searches on sets of states.

    All states are numbered at the beginning: those that the author's array hook lists, else those that a walk reaches.
    With the hook, the transitions of an action are computed at their first use.

    Raises `ProblemError` if the array hook breaks its contract, `LimitReached` if the states are too many for the
    limits, and `EffortExceeded` if the walk meets more than `most_pairs` pairs of a state and an action.
    """

    def __init__(
        self,
        problem: BeliefProblem[State, Action, Any],
        tick: Callable[[], None],
        numbered: Callable[[int], None],
        most_pairs: int | None = None,
    ) -> None:
        model = NumberedModel(problem, tick, numbered)
        self._relations: dict[int, Relation] = {}
        hooked = problem.all_states() if isinstance(problem, ArrayHook) else None
        listed = None if hooked is None else number_listed(problem, model, hooked, tick)
        self._transitions: Transitions[Action] | None = None
        if listed is None:
            self._transitions = explore(model, model.results, most_pairs)
        super().__init__(model, listed, tick)

    def relation(self, action: int) -> Relation:
        """Return the transitions of the action with this number; empty for states in which it does not apply."""
        found = self._relations.get(action)
        if found is None:
            self._tick()
            found = self._relations[action] = self._make_relation(action)
        return found

    def _make_relation(self, action: int) -> Relation:
        if self._transitions is not None:
            found = self._transitions.pop(self.actions[action])
            return Relation.from_rows([found.get(state, ()) for state in range(len(self.states))])
        matrix = all_results(self.problem, self.actions[action], len(self.states))
        applies = members_of_words(self.initial & self.applicable[action])
        if len(applies):  # the hook is compared in one initial state, which differs from action to action
            number = int(applies[action % len(applies)])
            given = [self.states[result] for result in matrix[number].tolist()]
            compare_results(self.problem, self.states[number], self.actions[action], given, self._tick)
        return Relation.from_matrix(matrix, members_of_words(self.applicable[action]))

    def relations(self) -> list[Relation]:
        """Return the transitions of all actions, by number."""
        return [self.relation(number) for number in range(len(self.actions))]

    @cached_property
    def forward(self) -> RelationTables:
        """The relation from states to results, for all actions."""
        return self._tables_of(self.relations())

    @cached_property
    def backward(self) -> RelationTables:
        """The inverse relation, from results to states, for all actions."""
        return self._tables_of(one.inverse() for one in self.relations())

    def _tables_of(self, relations: Iterable[Relation]) -> RelationTables:
        # They may take gigabytes: each is copied once, and the next one made only then.
        states = len(self.states)
        offsets = np.empty((len(self.actions), states + 1), dtype=np.int64)
        targets = np.empty(sum(len(one.targets) for one in self.relations()), dtype=narrowest(states))
        start = 0
        for row, relation in zip(offsets, relations, strict=True):
            self._tick()
            np.add(relation.offsets, start, out=row)
            end = start + len(relation.targets)
            targets[start:end] = relation.targets
            start = end
        return tables_of(offsets, targets, self.width)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the model: a saved search may be resumed with the same model only."""
        found = sha256(f"{len(self.states)} {len(self.actions)}".encode())
        for array in (self.initial, self.goals, self.applicable):
            found.update(array.tobytes())
        for relation in self.relations():
            self._tick()
            found.update(relation.offsets.astype(np.int64).tobytes())
            found.update(relation.targets.astype(np.int64).tobytes())
        return found.hexdigest()


class LaterModel(CompiledModel[Any, Action]):
    """A model restricted to the states that are reachable from the beliefs `starts`.

    No action leads out of these states. So the restriction of a pre-image is the pre-image of the restriction, and a
    belief of these states lies in a set exactly if it lies in the restriction of the set.
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
        self.states: Any = np.flatnonzero(inside)
        self.width = word_count(len(self.states))
        number_of = np.cumsum(inside) - 1
        parts = (_rows(relation, self.states) for relation in relations)
        self._relations = {
            number: Relation(part.offsets, number_of[part.targets].astype(part.targets.dtype))
            for number, part in enumerate(parts)
        }
        self.universe = words_of_members(np.ones(len(self.states), dtype=np.bool_), self.width)
        self.starts = self._within(starts)
        self.applicable = self._within(model.applicable)
        goals = self._within(model.goals)
        self.goals = goals[goals.any(axis=1)]
        self._model, self._tick = model, model._tick

    def _within(self, sets: Words) -> Words:
        """Return the part of each set that lies among these states."""
        bits = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, self.states]
        packed = np.zeros((len(sets), 8 * self.width), dtype=np.uint8)
        packed[:, : -(-len(self.states) // 8)] = np.packbits(bits, axis=1, bitorder="little")
        return packed.view(np.uint64)

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the whole model and of the restriction."""
        return sha256(self._model.digest.encode() + self.states.tobytes() + self.starts.tobytes()).hexdigest()


def _rows(relation: Relation, states: Any) -> Relation:
    """Return the rows of these states only."""
    lengths, places = entries_of(relation.offsets, states)
    return Relation(np.append(0, np.cumsum(lengths)), relation.targets[places])
