"""Exploration: numbers of states or beliefs at each distance; the choice of the engine that counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from attrs import evolve

from ..belief_space.explored_nodes import REVERSIBLE, nodes_behind, nodes_of, shows_states
from ..engine.bits.sensorless import STEPS_OF_RESULT, Allowance
from ..errors import ProblemError, Worded
from ..kinds import kind_of
from ..model.adapters import Blindfolded
from ..model.class_lint import refuse_slips
from ..model.stochastic import AnyProblem
from ..plans.result import Exploration
from ..plugins.identity import warn_of_identity
from ..running.alarm import call_within
from ..running.limits import STOPS, EffortExceeded, Limits
from ..running.observer import Observer
from ..running.run import Run
from .explore_codes import CodedLayers, ExploreRequest, has_codes, layers_by_codes
from .explore_reference import LayersToGoals, NaiveLayers

# Beliefs are counted one by one as long as no more states of them were asked than this, which takes half a second.
_FEW_STATES = 100_000
# Layers that are found one after the other.
_Layers: TypeAlias = NaiveLayers[Any] | LayersToGoals[Any] | CodedLayers


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
    request = ExploreRequest(backward, engine, most_last, workers, scheduler)
    return explore_within(problem, request, Run.of(limits, observer, store, resume))


def explore_within(problem: AnyProblem[Any, Any], request: ExploreRequest, run: Run) -> Exploration:
    """Explore within the limits of a run, which also stop the author's code."""
    kind_of(problem)  # which says so if it is no problem
    refuse_slips(type(problem))
    nodes = "states" if problem.sees_state() else "beliefs"
    layers: _Layers | None = None
    explored = evolve(problem, tick=run.tick) if isinstance(problem, Blindfolded) else problem

    def count() -> None:
        """Find all layers, in the first way that has room for them."""
        nonlocal nodes, layers
        request.check(explored, run.kept)
        if not (request.backward and isinstance(explored, REVERSIBLE)):  # else its start plays no part
            warn_of_identity(explored, run.tick)
            nodes = "states" if shows_states(explored) else "beliefs"
        for begin in _ways(explored, request, run, nodes, leave):
            try:
                layers = begin()
                while layers.advance():
                    pass
                return
            except EffortExceeded:
                layers = None
        raise ProblemError(
            Worded(
                "{name} has more states and actions than arrays should hold; count them one by one, without [store] "
                "and [engine]",
                name=type(explored).__name__,
            )
        )

    reason = None
    last: list[Any] = []
    with ExitStack() as leave:
        try:
            call_within(run.budget, count)
        except STOPS as stop:
            reason = run.budget.why(stop)
        with suppress(*STOPS):
            last = [] if layers is None else layers.last(request.most_last)
    return Exploration(
        nodes=nodes,
        layers=() if layers is None else tuple(layers.counts),
        complete=reason is None,
        backward=request.backward,
        last=tuple(last),
        cut_off=0 if layers is None else layers.cut_off,
        reason=reason,
        seconds=run.budget.seconds() + (0.0 if layers is None else layers.seconds_before),
    )


def _ways(
    problem: AnyProblem[Any, Any], request: ExploreRequest, run: Run, nodes: str, leave: ExitStack
) -> Iterator[Callable[[], _Layers]]:
    """Yield the ways to count, the one to be tried first before the others."""
    needs_codes = request.needs_codes or run.kept is not None
    coded = request.engine != "naive" and has_codes(problem, request.backward)
    if coded and not needs_codes and nodes == "beliefs":
        few = Allowance(run.tick, _FEW_STATES * STEPS_OF_RESULT)
        yield partial(_one_by_one, problem, request.backward, few.spend_and_tick, run.observer)
        coded = run.budget.has_room_for_kernels()
    if coded:
        yield partial(layers_by_codes, problem, request, run, leave)
    if not needs_codes:
        yield partial(_one_by_one, problem, request.backward, run.tick, run.observer)


def _one_by_one(problem: AnyProblem[Any, Any], backward: bool, tick: Callable[[], None], observer: Observer) -> _Layers:
    if backward and isinstance(problem, REVERSIBLE):
        return NaiveLayers(nodes_behind(problem, tick), tick, observer)
    return (LayersToGoals if backward else NaiveLayers)(nodes_of(problem, tick), tick, observer)


def walks_back(cls: type) -> bool:
    """Whether an exploration to the goal walks back from it, in the problems of this class."""
    return issubclass(cls, REVERSIBLE)
