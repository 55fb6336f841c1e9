"""Backward induction on the author's arrays: one pass of array operations for each layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import frozen

from ...errors import ProblemError
from ...model.base import Action, State
from ...model.checked import PROBABILITIES_MISS
from ...model.hook_arrays import ChanceArrays
from ...model.stochastic import StochasticProblem
from ...model.values import as_number
from ...plans.policy import Policy, PolicyResult
from ...plans.result import SearchStats, Status

if TYPE_CHECKING:
    from numpy.typing import NDArray

_Item = TypeVar("_Item")


@frozen(eq=False)
class StackedActions:
    """The stacked arrays of a actions, at most k outcomes and n states.

    `numbers` are those of the results, shape (a, k, n), padded by any state; `probabilities` have the shape (a, k, n)
    or (a, k, 1), and are 0 for padding; `barred` is where actions do not apply, shape (a, n), or None if all apply
    everywhere.
    """

    numbers: NDArray[Any]
    probabilities: NDArray[Any]
    barred: NDArray[Any] | None

    def worth(self, values: NDArray[Any], low: int, high: int) -> NDArray[Any]:
        """The values of actions in the states from `low` to `high`, shape (a, high - low)."""
        import numpy as np

        shares = self.probabilities
        shares = shares if shares.shape[2] == 1 else shares[:, :, low:high]
        # Along this axis NumPy adds in order, like the solver without arrays, so that both round alike.
        worth: NDArray[Any] = np.add.reduce(shares * values[self.numbers[:, :, low:high]], axis=1)
        if self.barred is not None:
            worth[self.barred[:, low:high]] = -np.inf
        return worth

    def reached_from(self, start: int, bounds: Sequence[int], terminal: NDArray[Any]) -> NDArray[Any]:
        """Mark the states reachable from `start`, shape (n,); authors may also list others."""
        import numpy as np

        reached = np.zeros(len(terminal), bool)
        reached[start] = True
        possible = self.possible
        for low, high in pairwise(bounds):
            here = reached[low:high] & ~terminal[low:high]
            numbers = self.numbers[:, :, low:high]
            some = here & (possible if possible.shape[2] == 1 else possible[:, :, low:high])
            reached[numbers[np.broadcast_to(some, numbers.shape)]] = True
        return reached

    def outcomes_of(self, numbers: NDArray[Any]) -> int:
        """Count the outcomes of the states with these numbers."""
        possible = self.possible
        if possible.shape[2] == 1:
            return int(possible.sum()) * len(numbers)
        return int(possible[:, :, numbers].sum())

    @cached_property
    def possible(self) -> NDArray[Any]:
        """Mark the possible outcomes: those of applicable actions with a probability above 0."""
        some: NDArray[Any] = (self.probabilities > 0).astype(bool)
        if self.barred is not None:
            some = some & ~self.barred[:, None, :]
        return some


@frozen(eq=False)
class LazySequence(Sequence[_Item]):
    """Sequence of items that are computed on access, since a sweep needs none; `iterate` is a quicker way to all."""

    length: int
    at: Callable[[int], _Item]
    iterate: Callable[[], Iterator[_Item]] | None = None

    def __getitem__(self, place: Any) -> Any:
        return [*map(self.at, range(self.length)[place])] if isinstance(place, slice) else self.at(place)

    def __iter__(self) -> Iterator[_Item]:
        return map(self.at, range(self.length)) if self.iterate is None else self.iterate()

    def __len__(self) -> int:
        return self.length


@frozen(eq=False)
class BestActions(Generic[Action]):
    """The best actions of states, computed on first use.

    `values` and `terminal` are by number of a state; `numbers` are those of the reachable states, by place. A relative
    gain of at most `tolerance` does not count.
    """

    actions: Sequence[Action]
    stacked: StackedActions
    values: NDArray[Any]
    terminal: NDArray[Any]
    numbers: NDArray[Any]
    tolerance: float

    def first(self, place: int) -> Action | None:
        """Return the first of the best actions of the state at a place; None if it is terminal."""
        best = self._places[place]
        return None if best < 0 else self.actions[best]

    def tally(self, slack: Callable[[Any], Any]) -> Mapping[tuple[Action, ...], int]:
        """Count the states in which each set of actions is best.

        `slack` maps a value to the largest difference that still counts as equal.
        """
        import numpy as np

        numbers = self.numbers[~self.terminal[self.numbers]]
        if not len(numbers):
            return {}
        worth = self.stacked.worth(self.values, 0, len(self.values))[:, numbers]
        best = np.maximum.reduce(worth, axis=0)
        as_good = (worth >= best - slack(best)).astype(bool)
        sets, counts = np.unique(np.packbits(as_good, axis=0), axis=1, return_counts=True)
        members = np.unpackbits(sets, axis=0, count=len(self.actions)).astype(bool).T
        return {
            tuple(compress(self.actions, row)): count
            for row, count in zip(members.tolist(), counts.tolist(), strict=True)
        }

    @cached_property
    def _places(self) -> NDArray[Any]:
        import numpy as np

        worth = self.stacked.worth(self.values, 0, len(self.values))
        places = np.zeros(len(self.values), np.int32)
        best = worth[0]
        rounded = self.values.dtype.kind == "f"
        for place in range(1, len(worth)):
            # A smaller gain may be a rounding error.
            slack = self.tolerance * np.where(np.isfinite(best), abs(best), 0) if rounded else 0
            places[worth[place] > best + slack] = place
            best = np.maximum(best, worth[place])
        places[self.terminal] = -1
        chosen: NDArray[Any] = places[self.numbers]
        return chosen


def decide_by_layers(
    problem: StochasticProblem[State, Action],
    arrays: ChanceArrays[State, Action],
    start: int,
    tolerance: float,
    tick: Callable[[], None],
) -> PolicyResult[State, Action]:
    """Compute values and best actions of the states reachable from the one numbered `start`, in the author's order.

    It takes a handful of array operations for each layer. Time and memory are linear in the number of outcomes, padded
    to that of the action with most. Raises `ProblemError` if the arrays break their contract.
    """
    import numpy as np

    bounds = _bounds(problem, arrays)
    terminal = np.asarray(arrays.terminal)
    utilities = np.asarray(arrays.utilities)
    stacked = _stack(problem, arrays, terminal, np.repeat(bounds[1:], np.diff(bounds)))
    rounded = "f" in (utilities.dtype.kind, stacked.probabilities.dtype.kind)
    if utilities.shape != terminal.shape or (rounded and not np.isfinite(utilities[terminal].astype(float)).all()):
        raise _refused(problem, ": each terminal state needs a finite utility")
    # Exact values are objects: integers of fixed width would overflow.
    values = np.where(terminal, utilities, 0).astype(float if rounded else object)
    over = np.add.reduceat(terminal, bounds[:-1], dtype=int).tolist()  # terminal states, by layer
    for layer in reversed(range(len(over))):
        tick()
        low, high = bounds[layer], bounds[layer + 1]
        if over[layer] == high - low:
            continue
        best = np.maximum.reduce(stacked.worth(values, low, high), axis=0)
        values[low:high] = best if over[layer] == 0 else np.where(terminal[low:high], values[low:high], best)
    reached = stacked.reached_from(start, bounds, terminal)
    numbers = np.flatnonzero(reached)
    choosing = numbers[~terminal[numbers]]
    actions = BestActions(list(arrays.outcomes), stacked, values, terminal, numbers, tolerance)
    count, given = len(numbers), arrays.states
    as_sequence: Any = values[numbers]  # an array is no `Sequence` for type checkers
    policy: Policy[State, Action] = Policy(
        LazySequence(count, lambda place: given[int(numbers[place])], lambda: compress(given, reached)),
        LazySequence(count, actions.first),
        as_sequence,
        problem.canonical,
        actions.tally,
    )
    stats = SearchStats(len(choosing), stacked.outcomes_of(choosing), count)
    return PolicyResult(Status.SOLVED, as_number(values[start]), policy, "backward-induction", stats=stats)


def _refused(problem: StochasticProblem[Any, Any], complaint: str) -> ProblemError:
    return ProblemError(f"{type(problem).__name__}.arrays(){complaint}")


def _bounds(problem: StochasticProblem[Any, Any], arrays: ChanceArrays[Any, Any]) -> list[int]:
    """The bounds of the layers."""
    bounds = [*map(int, arrays.layers), len(arrays.states)]
    if bounds[0] != 0 or any(low >= high for low, high in pairwise(bounds)):
        raise _refused(problem, ": layers must ascend from 0 and stay below the number of states")
    if len(arrays.terminal) != len(arrays.states):
        raise _refused(problem, f": {len(arrays.terminal)} entries of `terminal` for {len(arrays.states)} states")
    return bounds


def _stack(
    problem: StochasticProblem[Any, Any],
    arrays: ChanceArrays[Any, Any],
    terminal: NDArray[Any],
    following: NDArray[Any],
) -> StackedActions:
    """The checked arrays of all actions; `following` has the least allowed number of a result, by state."""
    import numpy as np

    prepared = [_prepare(problem, arrays, action, terminal, following) for action in arrays.outcomes]
    applicable = [np.asarray(arrays.applicable.get(action, True)) for action in arrays.outcomes]
    barred = None
    if not all(some.all() for some in applicable):
        barred = np.stack([np.broadcast_to(~some, terminal.shape) for some in applicable])
    stuck = ~terminal & (True if not prepared else False if barred is None else barred.all(axis=0))
    if stuck.any():
        state = arrays.states[int(stuck.argmax())]
        raise _refused(problem, f": no action applies in the state {state!r}, which is not terminal")
    if not prepared:  # all states are terminal
        return StackedActions(np.zeros((1, 1, len(terminal)), int), np.zeros((1, 1, 1), int).astype(object), None)
    most = max(len(numbers) for numbers, _ in prepared)
    kind = np.result_type(*(shares.dtype for _, shares in prepared))
    wide = len(terminal) if any(shares.shape[1] > 1 for _, shares in prepared) else 1
    if len(prepared) > 1 or wide != prepared[0][1].shape[1]:
        numbers = np.zeros((len(prepared), most, len(terminal)), np.int64)
        probabilities = np.zeros((len(prepared), most, wide), kind)
        for place, (some, shares) in enumerate(prepared):
            numbers[place, : len(some)] = some
            probabilities[place, : len(shares)] = shares
        return StackedActions(numbers, probabilities, barred)
    return StackedActions(prepared[0][0][None], prepared[0][1][None], barred)


def _prepare(
    problem: StochasticProblem[Any, Any],
    arrays: ChanceArrays[Any, Any],
    action: Any,
    terminal: NDArray[Any],
    following: NDArray[Any],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The checked numbers of an action, shape (k, n), and its probabilities, shape (k, n) or (k, 1)."""
    import numpy as np

    def complain(complaint: str) -> ProblemError:
        return _refused(problem, f", action {action!r}: {complaint}")

    numbers, probabilities = map(np.asarray, arrays.outcomes[action])
    if numbers.ndim != 2 or len(numbers) != len(terminal) or numbers.shape[1] == 0 or numbers.dtype.kind not in "iu":
        raise complain(f"numbers of the shape {numbers.shape} for {len(terminal)} states")
    rows = ~terminal & np.asarray(arrays.applicable.get(action, True))
    # One row of probabilities for all states is checked once.
    same = probabilities.ndim < 2 or len(probabilities) == 1
    try:
        spread = np.broadcast_to(probabilities, (1 if same else len(terminal), numbers.shape[1]))
    except ValueError:
        raise complain(f"probabilities of the shape {probabilities.shape} for {numbers.shape}") from None
    looked_at = spread if same else spread[rows]
    totals = looked_at.sum(axis=1)
    exact = spread.dtype.kind in "iuO"
    wrong = totals != 1 if exact else ~(abs(totals - 1) <= PROBABILITIES_MISS)
    if wrong.any():
        raise complain(f"probabilities that sum to {totals[wrong][0]}, not 1")
    if looked_at.size and not (looked_at >= 0).all():
        raise complain("a probability that is negative")
    columns = numbers.T
    if ((columns < following) & rows).any() or columns[:, rows].max(initial=0) >= len(terminal):
        raise complain("an outcome that does not lie in a later layer, or is no state")
    if columns.min() < 0 or columns.max() >= len(terminal):  # in rows that do not count
        columns = columns % len(terminal)
    return columns, spread.T.astype(object) if exact else spread.T
