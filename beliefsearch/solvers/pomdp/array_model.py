"""Models of partially observable problems that their authors give as arrays; their rows are made on access."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from ...errors import ProblemError
from ...model.base import Action, Number, Percept, State
from ...model.checked import PROBABILITIES_MISS, checked_discount, checked_percept_row
from ...model.hook_arrays import PerceptChanceArrays
from ...model.stochastic import StochasticProblem
from ...model.values import as_number, is_exact, whole
from ..mdp.backward_induction import LazySequence
from .arrays import NEVER, PomdpArrays
from .pomdp_model import PomdpModel, Row

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .arrays import Floats


@frozen(eq=False)
class _Table:
    """One action: the `numbers` of its results and their probabilities, shape (n, k); the rest is by state."""

    numbers: NDArray[Any]
    chances: NDArray[Any]
    rewards: NDArray[Any]
    percepts: NDArray[Any]
    applies: NDArray[Any]

    def outcomes(self, state: int) -> Row | None:
        if not self.applies[state]:
            return None
        return _merged(zip(self.numbers[state].tolist(), self.chances[state].tolist(), strict=True))

    def reward(self, state: int) -> Number | None:
        return whole(as_number(self.rewards[state])) if self.applies[state] else None


def _merged(pairs: Iterable[tuple[int, Any]]) -> Row:
    """A row of these pairs, without numbers below 0 and probabilities of 0."""
    row: dict[int, Any] = {}
    for number, chance in pairs:
        if number >= 0 and chance:
            row[number] = row.get(number, 0) + chance
    return tuple(row.items())


def _row_of(rows: Sequence[Row], places: NDArray[Any], state: int) -> Row:
    row: Row = rows[places[state]]
    return row


def model_of_arrays(
    problem: StochasticProblem[State, Action, Percept], given: PerceptChanceArrays[State, Action, Percept]
) -> PomdpModel[State, Action, Percept]:
    """The model that an author gives as arrays; O(their size), by array operations.

    Raises `ProblemError` if the arrays break their contract.
    """
    name = f"{type(problem).__name__}.arrays()"
    count = len(given.states)
    tables = [_table(given, action, count, name) for action in given.outcomes]
    if not np.logical_or.reduce([table.applies for table in tables], initial=False, axis=0).all():
        raise ProblemError(f"{name} has states in which no action applies: there the game would stand still")
    percepts: dict[Percept, int] = {}
    rows = [
        _merged((percepts.setdefault(percept, len(percepts)), chance) for chance, percept in row)
        for row in (checked_percept_row(problem, row) for row in given.percept_rows)
    ]
    numbers, shares = np.broadcast_arrays(*given.start)
    _require_distribution(shares[None], name, "the start")
    _require_numbers(numbers, -1, count, name, "the start")
    discount = checked_discount(problem)
    used = [shares, *(array for table in tables for array in (table.chances, table.rewards))]
    exact = is_exact(discount) and all(_is_exact(array) for array in used)
    exact = exact and all(is_exact(chance) for row in rows for _, chance in row)
    inside = numbers >= 0
    arrays, least_end = _in_floats(tables, rows, len(percepts), float(discount))
    start = np.bincount(numbers[inside], shares[inside].astype(float), count).astype(float)
    return PomdpModel(
        states=given.states,
        actions=tuple(given.outcomes),
        percepts=tuple(percepts),
        start=_merged(zip(numbers[inside].tolist(), shares[inside].tolist(), strict=True)),
        start_value=0,
        outcomes=[LazySequence(count, table.outcomes) for table in tables],
        rewards=[LazySequence(count, table.reward) for table in tables],
        percept_rows=[LazySequence(count, partial(_row_of, rows, table.percepts)) for table in tables],
        discount=discount,
        exact=exact,
        least_end=least_end,
        arrays=evolve(arrays, start=start, improper=problem.allows_improper()),
        improper=problem.allows_improper(),
    )


def _table(given: PerceptChanceArrays[Any, Any, Any], action: Any, count: int, name: str) -> _Table:
    """The arrays of an action, checked and broadcast."""
    of = f"action {action!r}"
    try:
        numbers, chances = np.broadcast_arrays(*given.outcomes[action])
        width = numbers.shape[1] if numbers.ndim > 1 else 1
        numbers, chances = (array.reshape(count, width) for array in (numbers, chances))
        applies = np.broadcast_to(given.applicable.get(action, np.True_), count)
        rewards = np.broadcast_to(given.rewards.get(action, np.int64(0)), count)
        percepts = np.broadcast_to(given.percepts.get(action, np.int64(0)), count)
    except ValueError as error:
        raise ProblemError(f"{name} has arrays of other shapes than it should for {of}: {error}") from None
    if applies.dtype != bool:
        raise ProblemError(f"{name} says where {of} applies, but not by an array of bool")
    _require_numbers(numbers[applies], -1, count, name, of)
    _require_numbers(percepts, 0, len(given.percept_rows), name, of)
    _require_distribution(chances if chances.strides[0] else chances[:1], name, of, applies)
    if not np.isfinite(_floats(rewards[applies])).all():
        raise ProblemError(f"{name} has rewards that are no finite numbers for {of}")
    return _Table(numbers, chances, rewards, percepts, applies)


def _floats(array: NDArray[Any]) -> Floats:
    """An array as floats; all NaN if one of its values is no number."""
    try:
        return array.astype(float)
    except (OverflowError, TypeError, ValueError):
        return np.full(array.shape, np.nan)


def _require_numbers(numbers: NDArray[Any], least: int, count: int, name: str, of: str) -> None:
    if numbers.dtype.kind not in "iu" or not ((numbers >= least) & (numbers < count)).all():
        raise ProblemError(f"{name} has numbers for {of} that are not whole numbers from {least} to {count - 1}")


def _require_distribution(chances: NDArray[Any], name: str, of: str, counted: Any = True) -> None:
    """Raise `ProblemError` unless the counted rows are distributions; one row may stand for all."""
    counted = np.broadcast_to(counted if len(chances) > 1 else np.any(counted), len(chances))
    floats = _floats(chances)[counted]
    if not (floats >= 0).all() or (np.abs(floats.sum(axis=1) - 1) > PROBABILITIES_MISS).any():
        raise ProblemError(f"{name} has probabilities for {of} that are negative or do not sum to 1")


def _is_exact(array: NDArray[Any]) -> bool:
    """Whether an array has whole numbers and fractions only."""
    if array.dtype.kind == "O":
        return all(is_exact(value) for value in {id(value): value for value in array.ravel().tolist()}.values())
    return array.dtype.kind in "iub"


def _in_floats(
    tables: Sequence[_Table], rows: Sequence[Row], percepts: int, discount: float
) -> tuple[PomdpArrays, float]:
    """The arrays of the model, without a start, and the smallest probability above 0 that an action ends the game."""
    counts, states, weights, rewards = [], [], [], []
    least_end = 1.0
    for table in tables:
        chances = table.chances.astype(float)
        ends = np.where(table.numbers < 0, chances, 0.0).sum(axis=1)[table.applies]
        least_end = min(least_end, float(ends[ends > 0].min(initial=1.0)))
        kept = (table.numbers >= 0) & (chances > 0) & table.applies[:, None]
        counts.append(kept.sum(axis=1))
        states.append(table.numbers[kept].astype(np.int32))
        weights.append(chances[kept])
        # Even a huge cost must differ from `NEVER`.
        least = np.where(table.applies, NEVER / 2, NEVER)
        rewards.append(np.maximum(np.where(table.applies, table.rewards, NEVER).astype(float), least))
    count = len(rewards[0])
    percept_numbers = [number for row in rows for number, _ in row]
    return PomdpArrays(
        S=count,
        A=len(tables),
        O=percepts,
        to_pointers=np.append(0, np.cumsum(np.concatenate(counts))),
        to_states=np.concatenate(states),
        to_weights=np.concatenate(weights),
        percept_rows=np.concatenate([table.percepts for table in tables]).astype(np.int32),
        percept_pointers=np.append(0, np.cumsum([len(row) for row in rows])),
        percept_numbers=np.array(percept_numbers, np.int32),
        percept_weights=np.array([float(chance) for row in rows for _, chance in row]),
        rewards=np.array(rewards),
        start=np.zeros(count),
        discount=discount,
    ), least_end
