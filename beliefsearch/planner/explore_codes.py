"""Explorations on arrays of codes: which problems have codes, and whether they are kept in memory or in a store."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..belief_space.explored_nodes import shows_states
from ..errors import BeliefSearchError, ProblemError, Worded, suggestion
from ..kinds import possible_game, require
from ..model.hooks import CodeHook, ReversibleCodeHook
from ..model.stochastic import AnyProblem
from ..running.limits import Budget
from ..running.run import KeptIn, Run, check_flag

if TYPE_CHECKING:
    from ..engine.counting.codes import Space
    from ..engine.counting.disk_layers import DiskLayers
    from ..engine.counting.executors import Engine
    from ..engine.counting.growing_layers import GrowingLayers

ENGINES = ("auto", "naive", "compiled", "dask")
"""Who counts: frozensets and the author's own states, one by one (`naive`), arrays of codes (`compiled`), whichever
suits the problem and its size (`auto`), or workers of Dask, on codes in files (`dask`)."""

_GIVEN_AS = {int: "a whole number", str: "the address of a scheduler, as text"}


@frozen
class ExploreRequest:
    """Options of an exploration; for the meaning of the fields see `explore`."""

    backward: bool = False
    engine: str = "auto"
    most_last: int = 10
    workers: int | None = None
    scheduler: str | None = None

    @property
    def needs_codes(self) -> bool:
        """Whether its engine does not count nodes one by one."""
        return self.engine in ("compiled", "dask")

    def check(self, problem: AnyProblem[Any, Any], kept: KeptIn | None) -> None:
        """Check that this fits together, and fits the problem and the store; if not, the error says what does."""
        if self.engine not in ENGINES:
            hint = suggestion(self.engine, ENGINES) or f"choose {', '.join(ENGINES)}"
            raise BeliefSearchError(f"there is no engine called {self.engine!r}; {hint}")
        check_flag("backward", self.backward)
        for name, given, kind in (("workers", self.workers, int), ("scheduler", self.scheduler, str)):
            if given is not None and type(given) is not kind:
                raise BeliefSearchError(f"{name} is {_GIVEN_AS[kind]}, not {given!r}")
        if type(self.most_last) is not int or self.most_last < 0:
            raise BeliefSearchError(f"most_last is a number of nodes, at least 0, not {self.most_last!r}")
        if self.engine == "dask" and kept is None:
            raise BeliefSearchError(
                Worded("the engine dask keeps everything in files that all workers see; give a directory, [store=DIR]")
            )
        if self.engine == "naive" and kept is not None:
            raise BeliefSearchError(
                Worded("the engine naive keeps everything in memory; leave [store] or [engine] out")
            )
        for name, given in (("workers", self.workers), ("scheduler", self.scheduler)):
            if given is not None and self.engine != "dask":
                raise BeliefSearchError(
                    Worded("[{name}] goes with [engine=dask]; name that, or leave it out", name=name)
                )
        if self.backward:
            require("explore with backward", problem)
        if self.needs_codes or kept is not None:
            require_codes(problem, self.backward)


def require_codes(problem: AnyProblem[Any, Any], backward: bool) -> None:
    """Make sure that what is explored of a problem can be arrays of codes; raises `ProblemError` with the reason."""
    require("explore by codes", problem)
    given: object = problem
    name = type(problem).__name__
    if not shows_states(problem):
        if backward:
            require("explore backward by codes", problem)
    elif not isinstance(given, CodeHook):
        raise ProblemError(
            Worded(
                "{name} gives no codes of its states (see CodeHook), as [store] and the engines compiled and dask need "
                "them; leave these out",
                name=name,
            )
        )
    elif backward and not isinstance(given, ReversibleCodeHook):
        raise ProblemError(
            Worded(
                "{name} gives no codes to walk backwards by (see ReversibleCodeHook), as [store] and the engines "
                "compiled and dask need them; leave these out, or [backward]",
                name=name,
            )
        )


def has_codes(problem: AnyProblem[Any, Any], backward: bool) -> bool:
    """Whether what is explored of a problem can be arrays of codes."""
    try:
        require_codes(problem, backward)
    except ProblemError:
        return False
    return True


class CodedLayers:
    """Layers of codes, whose nodes are given as what they stand for; see `explore_reference.LayersToGoals`."""

    cut_off = 0

    def __init__(self, layers: GrowingLayers | DiskLayers, space: Space, seconds_before: float) -> None:
        self._layers = layers
        self.seconds_before = seconds_before
        self._space = space

    @property
    def counts(self) -> list[int]:
        """Return the numbers of nodes of the complete layers."""
        return [count for count in self._layers.counts if count]  # without a goal there is nothing behind it

    def advance(self) -> int:
        """Find the next layer; how many nodes it has, 0 if there are no others."""
        return self._layers.advance()

    def last(self, most: int) -> list[Any]:
        """At most so many nodes of the last layer, those with the least codes."""
        return self._space.values(self._layers.last(most))


def layers_by_codes(problem: AnyProblem[Any, Any], request: ExploreRequest, run: Run, leave: ExitStack) -> CodedLayers:
    """Return the layers of a problem that has codes; `leave` closes the store, and ends the workers."""
    space = _space_of(problem, request.backward, run)
    if run.kept is None:
        from ..engine.counting.growing_layers import GrowingLayers

        found = CodedLayers(GrowingLayers(space, run), space, 0.0)
    else:
        layers = _stored(space, problem, request, run, run.kept, leave)
        found = CodedLayers(layers, space, layers.seconds_before)
    reached = 0
    for distance, count in enumerate(found.counts):  # they tell of those that they find from now on
        reached += count
        run.observer.layer_finished(distance, count, reached)
    return found


def _stored(
    space: Space, problem: AnyProblem[Any, Any], request: ExploreRequest, run: Run, kept: KeptIn, leave: ExitStack
) -> DiskLayers:
    """Return the layers in a store: the first, or those that it holds."""
    run.budget.require_kernels()
    from ..engine.counting.disk_jobs import memory_each
    from ..engine.counting.disk_layers import DiskLayers
    from ..running.store.directory import Store
    from ..running.store.fingerprint import subject_of

    starting = _engine(request, kept.directory, run.budget)  # which says what is amiss before there is a directory
    subject = subject_of(problem, {"backward": request.backward, "command": "explore"})
    store = leave.enter_context(Store(kept.directory, subject, resume=kept.resume))
    run.observer.waiting("workers" if request.engine == "dask" else "")
    engine = leave.enter_context(starting)
    run.observer.waiting("")
    return DiskLayers(space, store, engine, memory_each(run.budget, engine), run)


def _engine(request: ExploreRequest, directory: Path, budget: Budget) -> AbstractContextManager[Engine]:
    if request.engine == "dask":
        try:
            from ..engine.counting.cluster import DaskEngine
        except ImportError as error:
            raise BeliefSearchError(
                f"the engine dask needs Dask, which is not installed ({error}); pip install 'beliefsearch[cluster]'"
            ) from error
        return DaskEngine(request.workers, request.scheduler, store=directory, budget=budget)
    from ..engine.counting.executors import Threads, keep_freed_memory

    keep_freed_memory()
    return nullcontext(Threads())


def _space_of(problem: AnyProblem[Any, Any], backward: bool, run: Run) -> Space:
    if isinstance(problem, ReversibleCodeHook) and backward:
        from ..engine.counting.codes import BackwardSpace

        return BackwardSpace(problem)
    if isinstance(problem, CodeHook):
        from ..engine.counting.codes import StateSpace

        return StateSpace(problem)
    from ..engine.counting.belief_codes import BeliefSpace

    return BeliefSpace(possible_game(problem), run.tick, run.observer.numbered)
