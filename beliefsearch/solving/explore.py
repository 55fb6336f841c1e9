"""How many states or beliefs there are at each distance: the choice of what is walked over, and by which engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from attrs import evolve, frozen

from ..errors import BeliefSearchError, ProblemError, suggestion
from ..kinds import is_stochastic, kind_of, require
from ..model.adapters import Blindfolded
from ..model.chance import without_chance
from ..model.hooks import CodeHook, ReversibleCodeHook
from ..model.slips import refuse_slips
from ..model.stochastic import AnyProblem
from ..plans.exploration import Exploration
from ..plugins.conformance.identity import warn_of_identity
from ..running.alarm import call_within
from ..running.limits import STOPS, Budget, Limits, Outgrown
from ..running.observer import Observer
from ..views.nodes import REVERSIBLE, nodes_behind, nodes_of, shows_states
from .explore_naive import LayersToGoals, NaiveLayers

if TYPE_CHECKING:
    from ..engine.layers.space import Layers, Space

ENGINES = ("auto", "naive", "compiled")
"""Who counts: frozensets and the author's own states, one by one (`naive`), arrays of codes (`compiled`), or whichever
suits the problem and its size (`auto`)."""

# Beliefs are counted one by one as long as no more states of them were asked than this, which takes half a second.
_FEW_STATES = 100_000
_LEAVE_OUT = "leave the engine out"


class _Counting(Protocol):
    """Layers that are found one after the other; see `LayersToGoals`, whose attributes these are."""

    @property
    def counts(self) -> list[int]: ...
    @property
    def cut_off(self) -> int: ...
    def advance(self) -> int: ...
    def last(self, most: int) -> list[Any]: ...


class _Coded:
    """Layers of codes, whose nodes are given as what they stand for."""

    cut_off = 0

    def __init__(self, layers: Layers, space: Space) -> None:
        self._layers = layers
        self._space = space

    @property
    def counts(self) -> list[int]:
        return [count for count in self._layers.counts if count]  # without a goal there is nothing behind it

    def advance(self) -> int:
        return self._layers.advance()

    def last(self, most: int) -> list[Any]:
        return self._space.values(self._layers.last(most))


@frozen
class ExploreRequest:
    """How to explore; for the meaning of the fields see `explore`."""

    backward: bool = False
    engine: str = "auto"
    most_last: int = 10

    def check(self, problem: AnyProblem[Any, Any]) -> None:
        """Make sure that this fits together, and fits `problem`; if not, the error says what does."""
        if self.engine not in ENGINES:
            hint = suggestion(self.engine, ENGINES) or f"choose {', '.join(ENGINES)}"
            raise BeliefSearchError(f"there is no engine called {self.engine!r}; {hint}")
        if self.most_last < 0:
            raise BeliefSearchError(f"most_last is a number of nodes, at least 0, not {self.most_last}")
        if self.backward:
            require("explore with --backward", problem)
        if self.engine == "compiled" and (reason := why_not_coded(problem, self.backward)) is not None:
            raise ProblemError(reason)


def explore(
    problem: AnyProblem[Any, Any],
    *,
    backward: bool = False,
    engine: str = "auto",
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
        are many. The counts are the same with all.
    limits
        When to stop.
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
        If a name is unknown.
    ProblemError
        If the problem has no such distances, or no codes for the engine that was named, or breaks its contract.

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
    return explore_within(problem, ExploreRequest(backward, engine, most_last), Budget(limits), observer)


def explore_within(
    problem: AnyProblem[Any, Any], request: ExploreRequest, budget: Budget, observer: Observer | None
) -> Exploration:
    """`explore` within a budget, which also stops the author's code."""
    kind_of(problem)  # which says so if it is no problem
    refuse_slips(type(problem))
    walk = _Walk(problem, request, budget, observer)
    reason = None
    last: list[Any] = []
    try:
        call_within(budget, walk.run)
    except STOPS as stop:
        reason = budget.why(stop)
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
        seconds=budget.seconds(),
    )


class _Walk:
    """An exploration while it goes on; what it has found is there whenever it is stopped."""

    def __init__(
        self, problem: AnyProblem[Any, Any], request: ExploreRequest, budget: Budget, observer: Observer | None
    ) -> None:
        self.nodes = "states" if problem.sees_state() else "beliefs"
        self._problem = evolve(problem, tick=budget.tick) if isinstance(problem, Blindfolded) else problem
        self._request = request
        self._budget = budget
        self._observer = observer or Observer()
        self._found: _Counting | None = None

    @property
    def counts(self) -> tuple[int, ...]:
        """How many nodes the complete layers have."""
        return () if self._found is None else tuple(self._found.counts)

    @property
    def cut_off(self) -> int:
        """From how many nodes there is no way to the goal."""
        return 0 if self._found is None else self._found.cut_off

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

    def _ways(self) -> Iterator[Callable[[], _Counting]]:
        engine = self._request.engine
        backward = self._request.backward
        coded = engine != "naive" and why_not_coded(self._problem, backward) is None
        if coded and engine == "auto" and self.nodes == "beliefs":
            yield partial(self._one_by_one, _FEW_STATES)
            coded = self._budget.has_room_for_kernels()
        if coded:
            yield self._by_codes
        if engine != "compiled":
            yield self._one_by_one

    def _one_by_one(self, most: int | None = None) -> _Counting:
        tick = self._budget.tick if most is None else _at_most(most, self._budget.tick)
        if self._request.backward and isinstance(self._problem, REVERSIBLE):
            return NaiveLayers(nodes_behind(self._problem, tick), tick, self._observer)
        nodes = nodes_of(self._problem, tick)
        return (LayersToGoals if self._request.backward else NaiveLayers)(nodes, tick, self._observer)

    def _by_codes(self) -> _Counting:
        from ..engine.layers.choose import layers_of

        space = _space_of(self._problem, self._request.backward, self._budget, self._observer)
        return _Coded(layers_of(space, self._budget, self._observer), space)


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


def why_not_coded(problem: AnyProblem[Any, Any], backward: bool) -> str | None:
    """Why what is explored of a problem cannot be arrays of codes, for an error; None if it can."""
    name = type(problem).__name__
    if not shows_states(problem):
        return f"the distances of beliefs to the goal are counted one by one; {_LEAVE_OUT}" if backward else None
    if not isinstance(problem, CodeHook):
        return f"{name} gives no codes of its states (see CodeHook), which the engine compiled needs; {_LEAVE_OUT}"
    if backward and not isinstance(problem, ReversibleCodeHook):
        return f"{name} gives no codes to walk backwards by (see ReversibleCodeHook); {_LEAVE_OUT}"
    return None


def _space_of(problem: AnyProblem[Any, Any], backward: bool, budget: Budget, observer: Observer) -> Space:
    if isinstance(problem, ReversibleCodeHook) and backward:
        from ..engine.layers.state_space import BackwardSpace

        return BackwardSpace(problem)
    if isinstance(problem, CodeHook):
        from ..engine.layers.state_space import StateSpace

        return StateSpace(problem)
    from ..engine.layers.belief_space import BeliefSpace

    beliefs: Any = without_chance(problem) if is_stochastic(problem) else problem
    return BeliefSpace(beliefs, budget.tick, observer.numbered)
