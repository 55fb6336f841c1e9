"""A numbered partially observable problem as NumPy arrays of floats.

Types of arrays, and arrays that grow as rows are appended.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from attrs import astuple, frozen

from ...errors import ProblemError, Worded
from ..sparse_rows import entries_of
from .pomdp_model import PomdpModel, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

NEVER = -1e30
"""The reward of an action where it does not apply, so low that it is not chosen even if that is improbable."""

# Larger rewards could be confused with `NEVER`.
_LARGEST = 10**28
# A smaller probability of an end could be confused with the rounding errors of sums.
_LEAST_END = 1e-8


@frozen(eq=False, repr=False, slots=False)
class PomdpArrays:
    """Arrays of a `PomdpModel` with S states, A actions and O percepts, in floats.

    Row `action * S + state` has the results `to_states` with the probabilities `to_weights`, from `to_pointers[row]` to
    the next pointer. The percepts on arriving in the state by the action have the distribution with the number
    `percept_rows[row]`: `percept_numbers` with `percept_weights`, between the `percept_pointers`. `rewards` has the
    shape (A, S), with `NEVER` where an action does not apply; `start` is the initial distribution. `improper` is
    whether policies count under which the game never ends.
    """

    S: int
    A: int
    O: int  # noqa: E741  # as in every book
    to_pointers: NDArray[np.int64]
    to_states: NDArray[Any]
    to_weights: NDArray[np.float64]
    percept_rows: NDArray[Any]
    percept_pointers: NDArray[np.int64]
    percept_numbers: NDArray[Any]
    percept_weights: NDArray[np.float64]
    rewards: NDArray[np.float64]
    start: NDArray[np.float64]
    discount: float
    improper: bool = False

    @property
    def digest(self) -> str:
        """A fingerprint of the problem, for stores of its search."""
        found = sha256(f"{self.S} {self.A} {self.O} {self.discount!r}".encode())
        for array in astuple(self, recurse=False)[3:-2]:
            found.update(array.tobytes())
        return found.hexdigest()

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Mark the percepts that may come after each action, shape (A, O)."""
        possible = np.zeros((self.A, self.O), np.bool_)
        for action in range(self.A):
            here = slice(*self.to_pointers[[action * self.S, (action + 1) * self.S]])
            arrived = np.zeros(self.S, np.bool_)
            arrived[self.to_states[here]] = True
            for row in np.unique(self.percept_rows[action * self.S : (action + 1) * self.S][arrived]).tolist():
                possible[action, self.percept_numbers[slice(*self.percept_pointers[row : row + 2])]] = True
        return possible

    def reached(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The states reachable from the start, and the percepts on arriving there; linear in the rows."""
        applies = self.rewards.ravel() > NEVER
        kept, frontier = self.start > 0, np.flatnonzero(self.start)
        offsets = self.S * np.arange(self.A)[:, None]
        percepts = np.zeros(self.O, np.bool_)
        met = np.zeros(len(self.percept_pointers) - 1, np.bool_)
        while len(frontier):
            rows = (offsets + frontier).ravel()
            rows = rows[applies[rows]]
            counts, entries = entries_of(self.to_pointers, rows)
            results = self.to_states[entries]
            met[self.percept_rows[np.repeat(rows // self.S * self.S, counts) + results]] = True
            frontier = np.unique(results[~kept[results]])
            kept[frontier] = True
        for row in np.flatnonzero(met).tolist():
            percepts[self.percept_numbers[slice(*self.percept_pointers[row : row + 2])]] = True
        return np.flatnonzero(kept), np.flatnonzero(percepts)


def arrays_of(model: PomdpModel[Any, Any, Any], *, endless: bool = True) -> PomdpArrays:
    """The arrays of a model; O(its size).

    Raises `ProblemError` if a reward is too large for floats, or in an `endless` game the discount is too near 1.
    """
    if model.arrays is not None:
        _refuse_what_floats_cannot_hold(model, np.abs(model.arrays.rewards[model.arrays.rewards > NEVER]), endless)
        found: PomdpArrays = model.arrays
        return found
    _refuse_what_floats_cannot_hold(model, (abs(r) for by in model.rewards for r in by if r is not None), endless)
    states, actions = len(model.states), len(model.actions)
    rewards = [[NEVER if reward is None else float(reward) for reward in by_state] for by_state in model.rewards]
    start = np.zeros(states)
    for number, probability in model.start:
        start[number] = probability
    numbers: dict[Row, int] = {}
    percept_rows = [numbers.setdefault(row, len(numbers)) for by_state in model.percept_rows for row in by_state]
    return PomdpArrays(
        states,
        actions,
        len(model.percepts),
        *_sparse([row for by_state in model.outcomes for row in by_state]),
        np.array(percept_rows, np.int32),
        *_sparse([*numbers]),
        np.array(rewards, dtype=np.float64).reshape(actions, states),
        start,
        float(model.discount),
        model.improper,
    )


def _refuse_what_floats_cannot_hold(model: PomdpModel[Any, Any, Any], sizes: Iterable[Any], endless: bool) -> None:
    if any(size > _LARGEST for size in sizes):
        raise ProblemError(
            Worded(
                "a reward, with what the game may end in, is larger than 1e28, and the search counts in floats; give "
                "rewards in another unit, or ask for a [horizon]{few}",
                few="" if endless else " of few actions",
            )
        )
    if not endless:
        return
    if model.discount < 1 and float(model.discount) == 1:
        raise ProblemError(
            Worded("the discount is so near 1 that floats cannot tell it from 1; give 1, a smaller one, or a [horizon]")
        )
    if model.discount == 1 and model.least_end < _LEAST_END:
        raise ProblemError(
            Worded(
                "an action ends the game with the probability {chance:.1g}, and the search, which counts in floats, "
                "takes none below {least:g} without a discount; give a discount() below 1, or a [horizon]",
                chance=float(model.least_end),
                least=_LEAST_END,
            )
        )


def _sparse(rows: Sequence[Row | None]) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.float64]]:
    pointers = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row or ()) for row in rows], out=pointers[1:])
    pairs = [pair for row in rows if row for pair in row]
    numbers = np.array([number for number, _ in pairs], dtype=np.int32)
    return pointers, numbers, np.array([float(weight) for _, weight in pairs], dtype=np.float64)


if TYPE_CHECKING:
    Floats: TypeAlias = NDArray[np.float64]
    Integers: TypeAlias = NDArray[np.int64]
    Truths: TypeAlias = NDArray[np.bool_]


def with_room(array: Any, needed: int) -> Any:
    """Return `array` with at least `needed` rows; if it is too short, half as many again. New rows are zeros."""
    if len(array) >= needed:
        return array
    grown = np.zeros((max(needed, len(array) + len(array) // 2 + 16), *array.shape[1:]), array.dtype)
    grown[: len(array)] = array
    return grown


class GrowingTable:
    """Table of growing columns; each column is an attribute with a row for each entry, once there is an entry."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self.count = 0

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def append(self, *row: Any) -> int:
        """Append an entry, its values in the order of the names, and return its number."""
        for name, value in zip(self._names, row, strict=True):
            cell = np.asarray(value)
            array = with_room(getattr(self, name, np.zeros((0, *cell.shape), cell.dtype)), self.count + 1)
            array[self.count] = cell
            setattr(self, name, array)
        self.count += 1  # last: the append may be interrupted
        return self.count - 1
