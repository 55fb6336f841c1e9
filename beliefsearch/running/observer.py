"""Observers, which receive the events of a running search.

Solvers know nothing of progress displays or traces; they tell an observer what they do. Derive from
`Observer` and override what you want to hear. A `Profile` is one: it takes down how many states waited and how many
were reached, layer by layer or as the search went on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

from attrs import frozen

_preparing: list[str] = []
_prepared: dict[str, float] = {}  # seconds by what was waited for


@contextmanager
def preparing(what: str) -> Iterator[None]:
    """During a block, let `preparation` return `what` the search waits for."""
    _preparing.append(what)
    begun = monotonic()
    try:
        yield
    finally:
        _preparing.pop()
        if not _preparing:  # a kernel that others call is compiled while they are
            _prepared[what] = _prepared.get(what, 0) + monotonic() - begun


def preparation() -> str:
    """Return the preparation in progress, such as "compiling"; empty if there is none."""
    return next(iter(_preparing), "")


def prepared() -> dict[str, float]:
    """Return how many seconds this process waited in all, by what for."""
    return dict(_prepared)


class Observer:
    """Receives every event of a search; each method does nothing by default.

    Compiled searches, and bidirectional searches over sets of states, handle many states at a time and report only
    layers and progress.

    States are those of the solver: for a belief problem under the bit-set engine, a belief is an `int`, whose states
    `BeliefView.members` of the view lists.
    """

    def hears_states(self) -> bool:
        """Whether this observer needs an event for every state; then states are not handled many at once."""
        kind = type(self)
        return kind.expanded is not Observer.expanded or kind.generated is not Observer.generated

    def numbered(self, states: int) -> None:
        """`states` physical states have been numbered while a model is built."""

    def waiting(self, what: str) -> None:
        """The search waits for `what`, such as "workers"; empty once it goes on."""

    def resumed(self, expanded: int, layers: int) -> None:
        """A saved search goes on, after so many expanded states and finished layers."""

    def expanded(self, state: Any, g: Any) -> None:
        """`state` is about to be expanded; `g` is its cost so far, or its depth where a solver keeps only that."""

    def generated(self, state: Any, action: Any, child: Any, g: Any) -> None:
        """`action` leads from `state` to `child`; `g` is the child's cost, or its depth."""

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        """A layer is finished: no plan costs less than `bound`; counts the frontier and the reached states."""

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        """Called now and then with the lower bound and the numbers of expanded, frontier and reached states."""

    def improved(self, cost: Any, bound: Any) -> None:
        """A plan was found that costs `cost`, less than those before; no plan costs less than `bound`.

        An infinite cost is that of a strong cyclic plan; the search goes on for an acyclic one.
        """

    def narrowed(self, lower: float, upper: float, beliefs: int) -> None:
        """The value of a partially observable game lies between these bounds; gives how many beliefs were met.

        The lower bound is minus infinity as long as no policy is known.
        """


_MOST_MOMENTS = 2_000
_FEW_LAYERS = 4


@frozen
class Layer:
    """A finished layer of a search: the bound then, and the sizes of the frontier and of the reached set."""

    bound: Any
    frontier: int
    reached: int


@frozen
class Moment:
    """A moment of a search: the number of expanded states, and the sizes of the frontier and of the reached set."""

    expanded: int
    frontier: int
    reached: int


class Profile(Observer):
    """An observer that records the progress of a search; `profile_picture` draws it.

    Attributes
    ----------
    layers
        The layers of the search, in order; few or none if the solver does not go through layers.
    moments
        Moments of the search, in order, at most 2,000 and about equally far apart; none if the solver does not tell.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> profile = Profile()
    >>> result = solve(DevilProblem(n=2), solver="bfs", observer=profile)
    >>> [(layer.bound, layer.frontier, layer.reached) for layer in profile.layers]
    [(1, 1, 1), (2, 1, 2), (3, 1, 3)]
    """

    def __init__(self) -> None:
        self.layers: list[Layer] = []
        self.moments: list[Moment] = []
        self._apart = 1  # every so many reports one is recorded
        self._reports = 0

    def numbered(self, states: int) -> None:
        if states == 0:  # a new search begins, perhaps by another engine
            self.layers.clear()
            self.moments.clear()
            self._apart, self._reports = 1, 0

    @property
    def points(self) -> Sequence[Layer | Moment]:
        """The layers; the moments if there are hardly any layers; nothing if there are not two of either."""
        found: Sequence[Layer | Moment] = self.layers if len(self.layers) >= _FEW_LAYERS else self.moments
        found = found if len(found) > 1 else self.layers
        return found if len(found) > 1 else ()

    def layer_finished(self, bound: Any, frontier: int, reached: int) -> None:
        self.layers.append(Layer(bound, frontier, reached))

    def progressed(self, bound: Any, expanded: int, frontier: int, reached: int) -> None:
        if self._reports % self._apart == 0:
            self.moments.append(Moment(expanded, frontier, reached))
            if len(self.moments) > _MOST_MOMENTS:
                del self.moments[1::2]
                self._apart *= 2
        self._reports += 1
