"""The numbers of reached states, in the order in which they were reached, without a table of all of them.

Searches hand on the very objects under which they have entered states. So a state is found by what it is, not by what
it equals, and the author's code is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator
from itertools import compress, count
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from ...model.problem import State
from ...running.checkpoint import Checkpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

NumbersOf: TypeAlias = "Callable[[Iterable[State]], NDArray[Any]]"
"""Gives the numbers of states, as a row."""


class NumbersInOrder(Generic[State]):
    """The numbers of states that are asked for in their order, over all calls: one walk along `reached`.

    Raises `StoreError` for another order, which only a damaged store leads to.
    """

    def __init__(self, reached: Iterable[State], checkpoint: Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._left = iter(reached)
        self._number, self._last = 0, next(self._left)

    def __call__(self, states: Iterable[State]) -> NDArray[Any]:
        import numpy as np  # most searches do without

        return np.fromiter(self._of(states), np.int64)

    def _of(self, states: Iterable[State]) -> Iterator[int]:
        number, last = self._number, self._last
        for state in states:
            if state is not last:
                for last in self._left:
                    number += 1
                    if last is state:
                        break
                else:
                    raise self._checkpoint.damaged()
            yield number
        self._number, self._last = number, last


class NumbersByIdentity(Generic[State]):
    """The numbers of states in any order; of those in `again` there may be other objects that equal them."""

    def __init__(self, reached: Collection[State], again: Container[State]) -> None:
        import numpy as np

        ids = np.fromiter(map(id, reached), np.uint64, len(reached))
        self._number = np.argsort(ids)  # by the order of ids
        self._ids = ids[self._number]
        is_again = map(again.__contains__, reached) if again else ()
        self.again = dict(compress(zip(reached, count()), is_again))
        """The numbers of the states in `again`."""

    def __call__(self, states: Iterable[State]) -> NDArray[Any]:
        import numpy as np

        wanted = [*states]
        ids = np.fromiter(map(id, wanted), np.uint64, len(wanted))
        places = np.searchsorted(self._ids, ids).clip(max=len(self._ids) - 1)
        numbers: NDArray[Any] = self._number[places]
        for other in np.flatnonzero(self._ids[places] != ids).tolist():
            numbers[other] = self.again[wanted[other]]
        return numbers
