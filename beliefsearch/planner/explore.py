"""Exploration: numbers of states or beliefs at each distance; the choice of the engine that counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from attrs import evolve

from ..belief_space.explored_nodes import REVERSIBLE, nodes_behind, nodes_of, shows_states
from ..errors import ProblemError, Worded
from ..kinds import kind_of
from ..model.adapters import Blindfolded
from ..model.class_lint import refuse_slips
from ..model.stochastic import AnyProblem
from ..plans.result import Exploration
from ..plugins.identity import warn_of_identity
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, Limits, Outgrown
from ..running.observer import Observer
from ..running.run import store_directory
from .explore_codes import ExploreRequest, has_codes, layers_by_codes
from .explore_reference import LayersToGoals, NaiveLayers

# A signal may come in disguise, see `Budget.why`.
_STOPS: tuple[type[BaseException], ...] = (*STOPS, SystemError, ImportError)
# Beliefs are counted one by one as long as no more states of them were asked than this, which takes half a second.
_FEW_STATES = 100_000


class _Counting(Protocol):
    """Layers that are found one after the other; see `LayersToGoals`, whose attributes these are."""

    @property
    def counts(self) -> list[int]: ...
    @property
    def cut_off(self) -> int: ...
    @property
    def seconds_before(self) -> float: ...
    def advance(self) -> int: ...
    def last(self, most: int) -> list[Any]: ...


def explore(
    problem: AnyProblem[Any, Any],
    *,
    backward: bool = False,
    engine: str = "auto",
    store: Path | str | None = None,
    resume: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    limits: Limits | None = None,
    observer: Observer | None = None,
    most_last: int = 10,
) -> Exploration:
    """Count the states, or the beliefs, at each distance from the start, or to the goal.

    Parameters
    ----------
    problem
        A problem of any kind. Counted are states where the player sees them, and otherwise beliefs; equivalent states
        (`canonical`) are one. Of a stochastic problem it is what is possible, however unlikely.
    backward
        Whether distances are those to the goal. Where the problem can be walked backwards (`ReversibleProblem`,
        `ReversibleCodeHook`), all states are counted from which there is a way to the goal, and the start plays no
        part. Otherwise it is what can be reached from the start; where there are percepts or several results the
        distance of a belief is the number of actions after which its best plan has won at the latest.
    engine
        "naive": on the author's own states and frozensets, one by one. "compiled": on arrays of codes, for problems
        with `CodeHook`, and for beliefs. "auto": "compiled" where there are codes, and for beliefs as soon as there
        are many. "dask": on codes that are kept in `store`, by workers of Dask, which is the extra `cluster`. The
        counts are the same with all.
    store
        A directory in which the codes are kept, for explorations that are too large for memory, or take long: it can be
        killed at any moment. For problems that "compiled" is for.
    resume
        Whether to go on with the exploration that `store` holds, if any.
    workers
        With "dask": how many processes to start on this machine; by default one a core.
    scheduler
        With "dask": the address of a scheduler, whose workers are used then; all of them must see `store`.
    limits
        When to stop. On disk as much memory is taken as they allow; workers share it.
    observer
        Is told of each layer, as `layer_finished(distance, nodes in it, nodes so far)`, and of progress within it.
    most_last
        How many nodes of the last layer to give.

    Returns
    -------
    Exploration
        The counts; of an exploration that was stopped those of the layers that were complete.

    Raises
    ------
    BeliefSearchError
        If a name is unknown, or what is asked for does not go together; or if the workers cannot be used.
    StoreError
        If `store` holds another exploration, or this one and `resume` is False, or other files; or if it is in use or
        damaged.
    ProblemError
        If the problem has no such distances, or no codes for the engine or the store, or breaks its contract.

    Notes
    -----
    Distances are numbers of actions, whatever these cost. Goals are left again, unless the rules say otherwise. Time is
    O(nodes times actions), memory O(nodes): with codes 8 bytes a node or, where these are dense, two bits.

    Examples
    --------
    >>> from beliefsearch_problems.river_crossing import RiverCrossingProblem
    >>> found = explore(RiverCrossingProblem())
    >>> found.layers, found.total, found.eccentricity
    ((1, 1, 1, 2, 2, 1, 1, 1), 10, 7)
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> explore(DevilProblem(n=4), backward=True).eccentricity
    15
    """
    request = ExploreRequest(backward, engine, most_last, store_directory(store), resume, workers, scheduler)
    return explore_within(problem, request, Budget(limits), observer)


def explore_within(
    problem: AnyProblem[Any, Any], request: ExploreRequest, budget: Budget, observer: Observer | None
) -> Exploration:
    """`explore` within a budget, which also stops the author's code."""
    kind_of(problem)  # which says so if it is no problem
    refuse_slips(type(problem))
    reason = None
    last: list[Any] = []
    with ExitStack() as leave:
        walk = _Walk(problem, request, budget, observer, leave)
        try:
            call_within(budget, walk.run)
        except _STOPS as stop:
            reason = budget.why(stop)
            if not reason:
                raise
        with suppress(*STOPS):
            last = walk.last()
    return Exploration(
        nodes=walk.nodes,
        layers=walk.counts,
        complete=reason is None,
        backward=request.backward,
        last=tuple(last),
        cut_off=walk.cut_off,
        reason=reason,
        seconds=walk.seconds_before + budget.seconds(),
    )


class _Walk:
    """An exploration while it goes on; what it has found is there whenever it is stopped."""

    def __init__(
        self,
        problem: AnyProblem[Any, Any],
        request: ExploreRequest,
        budget: Budget,
        observer: Observer | None,
        leave: ExitStack,
    ) -> None:
        self.nodes = "states" if problem.sees_state() else "beliefs"
        self._problem = evolve(problem, tick=budget.tick) if isinstance(problem, Blindfolded) else problem
        self._request = request
        self._budget = budget
        self._observer = observer or Observer()
        self._leave = leave
        self._found: _Counting | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """Return the numbers of nodes of the complete layers."""
        return () if self._found is None else tuple(self._found.counts)

    @property
    def cut_off(self) -> int:
        """Count the nodes from which there is no way to the goal."""
        return 0 if self._found is None else self._found.cut_off

    @property
    def seconds_before(self) -> float:
        """The seconds that other processes have taken for what a store held."""
        return 0.0 if self._found is None else self._found.seconds_before

    def last(self) -> list[Any]:
        """Some nodes of the last layer."""
        return [] if self._found is None else self._found.last(self._request.most_last)

    def run(self) -> None:
        """Find all layers, in the first way that has room for them."""
        problem = self._problem
        self._request.check(problem)
        if not (self._request.backward and isinstance(problem, REVERSIBLE)):  # else its start plays no part
            warn_of_identity(problem, self._budget.tick)
            self.nodes = "states" if shows_states(problem) else "beliefs"
        for begin in self._ways():
            try:
                self._found = begin()
                while self._found.advance():
                    pass
                return
            except Outgrown:
                self._found = None
        raise ProblemError(
            Worded(
                "{name} has more states and actions than arrays should hold; count them one by one, without [store] "
                "and [engine]",
                name=type(problem).__name__,
            )
        )

    def _ways(self) -> Iterator[Callable[[], _Counting]]:
        request = self._request
        coded = request.engine != "naive" and has_codes(self._problem, request.backward)
        if coded and not request.needs_codes and self.nodes == "beliefs":
            yield partial(self._one_by_one, _FEW_STATES)
            coded = self._budget.has_room_for_kernels()
        if coded:
            yield partial(layers_by_codes, self._problem, request, self._budget, self._observer, self._leave)
        if not request.needs_codes:
            yield self._one_by_one

    def _one_by_one(self, most: int | None = None) -> _Counting:
        tick = self._budget.tick if most is None else _at_most(most, self._budget.tick)
        if self._request.backward and isinstance(self._problem, REVERSIBLE):
            return NaiveLayers(nodes_behind(self._problem, tick), tick, self._observer)
        nodes = nodes_of(self._problem, tick)
        return (LayersToGoals if self._request.backward else NaiveLayers)(nodes, tick, self._observer)


def _at_most(most: int, tick: Callable[[], None]) -> Callable[[], None]:
    """A tick that also raises `Outgrown` when it is called once more than so many times."""
    left = most

    def counted() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Outgrown
        tick()

    return counted


def walks_back(cls: type) -> bool:
    """Whether an exploration to the goal walks back from it, in the problems of this class."""
    return issubclass(cls, REVERSIBLE)
