"""The arrays of all actions, stacked, and the values that backward induction computes from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Any, Generic, overload

from attrs import frozen

from ...model.problem import Action, State

if TYPE_CHECKING:
    from numpy.typing import NDArray


@frozen(eq=False)
class StackedActions:
    """The stacked arrays of a actions, at most k outcomes and n states.

    `numbers` are those of the states that may follow, shape (a, k, n), any state where there are fewer outcomes;
    `probabilities` have the shape (a, k, n) or (a, k, 1), and are 0 for outcomes that there are not; `barred` is where
    actions do not apply, shape (a, n), or None if all apply everywhere.
    """

    numbers: NDArray[Any]
    probabilities: NDArray[Any]
    barred: NDArray[Any] | None

    def worth(self, values: NDArray[Any], low: int, high: int) -> NDArray[Any]:
        """The values of actions in the states from `low` to `high`, shape (a, high - low)."""
        import numpy as np

        shares = self.probabilities
        shares = shares if shares.shape[2] == 1 else shares[:, :, low:high]
        # Along this axis NumPy adds one after the other, as the solver without arrays does.
        worth: NDArray[Any] = np.add.reduce(shares * values[self.numbers[:, :, low:high]], axis=1)
        if self.barred is not None:
            worth[self.barred[:, low:high]] = -np.inf
        return worth

    def reached_from(self, start: int, bounds: Sequence[int], terminal: NDArray[Any]) -> NDArray[Any]:
        """Which states are reachable from `start`, shape (n,); authors may list others too."""
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
        """How many outcomes the states with these numbers have."""
        possible = self.possible
        if possible.shape[2] == 1:
            return int(possible.sum()) * len(numbers)
        return int(possible[:, :, numbers].sum())

    @cached_property
    def possible(self) -> NDArray[Any]:
        """Which outcomes are possible: those of applicable actions with a probability above 0."""
        some: NDArray[Any] = (self.probabilities > 0).astype(bool)
        if self.barred is not None:
            some = some & ~self.barred[:, None, :]
        return some


@frozen(eq=False)
class ReachedStates(Sequence[State], Generic[State]):
    """The reachable ones of an author's states, in the author's order; as lazy as the author's sequence."""

    states: Sequence[State]
    reached: NDArray[Any]
    numbers: NDArray[Any]

    @overload
    def __getitem__(self, place: int) -> State: ...
    @overload
    def __getitem__(self, place: slice) -> list[State]: ...

    def __getitem__(self, place: int | slice) -> State | list[State]:
        if isinstance(place, slice):
            return [self.states[int(number)] for number in self.numbers[place]]
        return self.states[int(self.numbers[place])]

    def __iter__(self) -> Iterator[State]:
        return compress(self.states, self.reached)

    def __len__(self) -> int:
        return len(self.numbers)


@frozen(eq=False)
class LazyChoices(Sequence["Action | None"], Generic[Action]):
    """The best actions by place of a state, computed on first use, since a sweep needs none.

    `stacked`, `values` and `terminal` are by number of a state, `numbers` those of the states that can come up, by
    place. What is better by no more than the share `tolerance` is not preferred.
    """

    actions: Sequence[Action]
    stacked: StackedActions
    values: NDArray[Any]
    terminal: NDArray[Any]
    numbers: NDArray[Any]
    tolerance: float

    @overload
    def __getitem__(self, number: int) -> Action | None: ...
    @overload
    def __getitem__(self, number: slice) -> list[Action | None]: ...

    def __getitem__(self, number: int | slice) -> Action | list[Action | None] | None:
        if isinstance(number, slice):
            return [self[place] for place in range(*number.indices(len(self)))]
        place = self._places[number]
        return None if place < 0 else self.actions[place]

    def __len__(self) -> int:
        return len(self.numbers)

    def tally(self, slack: Callable[[Any], Any]) -> Mapping[tuple[Action, ...], int]:
        """In how many states each set of actions is best; `slack` gives, by value, what counts as equal."""
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
            # What is better by so little may be rounding.
            slack = self.tolerance * np.where(np.isfinite(best), abs(best), 0) if rounded else 0
            places[worth[place] > best + slack] = place
            best = np.maximum(best, worth[place])
        places[self.terminal] = -1
        chosen: NDArray[Any] = places[self.numbers]
        return chosen
