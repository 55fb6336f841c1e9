"""One object for all that a search runs with: its limits, its observer, and the store in which it is saved.

The record of one search has its counts and the bound proved so far. Every solver has a `Record` and reports to it, so
the algorithms themselves contain no counting, no clock and no display. A solver's body reads

    with record:
        ...
        return record.solved(plan, cost, lower_bound)
        ...
        return record.unsolvable()
    return record.undecided()

and the last line is reached exactly when a limit, or the user, stopped the search.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from attrs import define, evolve, field, frozen

from ..errors import BeliefSearchError, ProblemError, Worded
from ..model.base import Action, Cost
from ..model.exact import shown
from ..model.values import is_hashable
from ..plans.result import SearchResult, SearchStats, Status
from .limits import Budget, EffortExceeded, Limits
from .number_codec import number_of, text_of
from .observer import Observer

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model.hooks import Construction
    from .store.checkpoint import Checkpoint, Checkpoints

Node = TypeVar("Node")

# Limits are looked at with every expansion, and with every 16th successor; or never, where there are none.
_TICK_EVERY = 16
_NEVER = 2**30 - 1
# Progress is reported with every 1,024th expansion, and with every layer.
_PROGRESS_MASK = 1023
# By less than one part in so many may a bound by estimates exceed the cost of a plan.
_SHARE = 10**9


class Record(Generic[Node, Action]):
    """The record that a solver reports to.

    `solver` is its name, for the result; `problem` what it searches, to be named in errors, or None if it is not known
    yet. The limits of the `run` are already running.
    """

    def __init__(self, solver: str, problem: object, run: Run | None = None) -> None:
        run = run or Run()
        observer = run.listener
        self.checkpoint = run.checkpoint
        self.lower_bound: Cost = 0  # no plan costs less than this; the solver raises it as it proves more
        self.number: Callable[[Any], Any] = lambda units: units  # of the costs that are told of states
        self._kept: tuple[Checkpoint, Cost] | None = None  # where the search goes on, and the bound proved before
        self._solver = solver
        self._problem = problem
        self._budget = run.budget
        self.tick = self._budget.tick  # checks the limits, where nothing is expanded or generated
        self._reads_clock = not self._budget.reads_no_clock
        self._has_limits = self._reads_clock or self._budget.limits.expanded is not None
        self._observer = observer
        # This event is so frequent that an observer without interest in it is better not called.
        interested = observer is not None and type(observer).generated is not Observer.generated
        self._hears_generated = observer.generated if observer is not None and interested else None
        self._expanded = 0
        self._generated = 0
        self._max_frontier = 0
        self._count_reached: Callable[[], int] = int
        self._count_generated: Callable[[], int] | None = None
        self._latest: Callable[[], tuple[Node, Action, Node]] | None = None
        self._reason = ""
        self._final_bound: Callable[[], Cost] | None = None
        self._plan: tuple[Sequence[Action], Cost] | None = None  # of a search that goes on

    def watch(
        self,
        count_reached: Callable[[], int],
        *,
        count_generated: Callable[[], int] | None = None,
        latest: Callable[[], tuple[Node, Action, Node]] | None = None,
        final_bound: Callable[[], Cost] | None = None,
    ) -> None:
        """Set the functions that are asked what the solver itself keeps.

        They count reached states and generated successors, and give the successor generated last, with its parent and
        the action between, and the bound if the search is stopped. `final_bound` is for solvers whose bound is too dear
        to be kept up to date all the time.
        """
        self._count_reached = count_reached
        self._count_generated = count_generated
        self._latest = latest
        self._final_bound = final_bound

    def expand(self, state: Node, g: Cost, frontier: int) -> None:
        """Record that `state`, reached at cost `g`, is about to be expanded; `frontier` others wait."""
        if self._has_limits:
            self.tick()
            self._budget.check_expanded(self._expanded)
        self._expanded += 1
        if frontier >= self._max_frontier:
            self._max_frontier = frontier + 1
        observer = self._observer
        if observer is not None:
            observer.expanded(state, shown(self.number(g)))
            if not self._expanded & _PROGRESS_MASK:
                self._tell_progress(observer, frontier)

    @property
    def is_heard(self) -> bool:
        """Whether somebody listens."""
        return self._observer is not None

    @property
    def report_every(self) -> int:
        """Return the share of successors that a solver reports by `generate`: one of so many.

        A solver makes millions of successors, and to report each would take it longer than to count them itself.
        """
        if self._hears_generated is not None:
            return 1
        return _TICK_EVERY if self._reads_clock else _NEVER

    def generate(self, state: Node, action: Action, child: Node, g: Cost) -> None:
        """Record that `action` leads from `state` to `child`, which is reached at cost `g`; see `report_every`."""
        self.tick()
        if self._hears_generated is not None:
            self._hears_generated(state, action, child, shown(self.number(g)))

    def generate_many(self, count: int) -> None:
        """Record `count` generated successors at once."""
        self._generated += count
        self.tick()

    def most_expansions(self) -> int:
        """The number of expansions that the limits allow in all."""
        most = self._budget.limits.expanded
        return sys.maxsize if most is None else most

    def tally(self, expanded: int, generated: int, max_frontier: int) -> None:
        """Set the counts of expanded and generated states, for solvers that handle many at once."""
        self._expanded, self._generated, self._max_frontier = expanded, generated, max_frontier

    def add(self, expanded: int, generated: int, waiting: int) -> None:
        """Add to these counts; so many states waited."""
        self._expanded += expanded
        self._generated += generated
        self._max_frontier = max(self._max_frontier, waiting)

    def look_up(self, frontier: int, next_expanded: int = 1) -> None:
        """Report progress and check the limits; `frontier` states wait to be expanded."""
        if self._observer is not None:
            self._tell_progress(self._observer, frontier)
        self.tick()
        self._budget.check_expanded(self._expanded + next_expanded - 1)

    def finish_layer(self, bound: Cost, frontier: int) -> None:
        """Record that no plan costs less than `bound`; `frontier` states wait."""
        if bound > self.lower_bound:
            self.lower_bound = bound
        if self._observer is not None:
            self._observer.layer_finished(shown(self.lower_bound, down=True), frontier, self._count_reached())
            self._tell_progress(self._observer, frontier)

    def _tell_progress(self, observer: Observer, frontier: int) -> None:
        observer.progressed(shown(self.lower_bound, down=True), self._expanded, frontier, self._count_reached())

    def kept(self) -> dict[str, Any]:
        """Return the saved part of this record: its counts, and the bound proved so far."""
        return {
            "expanded": self._expanded,
            "generated": self._generated,
            "max_frontier": self._max_frontier,
            "lower_bound": text_of(self.lower_bound),
        }

    def go_on(self, checkpoint: Checkpoint) -> None:
        """Take up the counts and the bound that `kept` gave; raises `StoreError` if they are damaged."""
        names = "expanded", "generated", "max_frontier"
        self._expanded, self._generated, self._max_frontier = (checkpoint.number(name) for name in names)
        saved = checkpoint.kept or {}
        with checkpoint.sound():
            self.lower_bound = number_of(saved["lower_bound"])
        self._kept = checkpoint, self.lower_bound
        if self._observer is not None:
            self._observer.resumed(self._expanded, saved.get("depth", 0))

    def keep(self, plan: Sequence[Action], cost: Cost) -> None:
        """Keep a plan that is known before the search ends; one that is stopped gives it."""
        self._plan = plan, cost

    def announce(self) -> None:
        """Tell of the plan that is kept, if there is one."""
        if self._plan is not None and self._observer is not None:
            self._observer.improved(shown(self._plan[1]), shown(self.lower_bound, down=True))

    def or_kept(self, result: SearchResult[Action]) -> SearchResult[Action]:
        """Return the result of a search, with the plan that is kept if it has none, or one that costs more."""
        if self._plan is None or result.status is Status.UNSOLVABLE:
            return result
        if result.cost is not None and result.cost <= self._plan[1]:
            return result
        best = self.solved(*self._plan, result.lower_bound)
        result = evolve(result, reason=None if best.optimal else result.reason)
        return evolve(result, status=best.status, plan=best.plan, cost=best.cost, lower_bound=best.lower_bound)

    def stop(self, error: BaseException) -> None:
        """Record what ended the search, if it is one of `STOPS` or comes from one."""
        self._reason = self._budget.why(error)

    def __enter__(self) -> None:
        """Run the body of a search; a reached limit, Ctrl-C or exhausted memory ends it quietly."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if error is not None:
            self.stop(error)
        if isinstance(error, EffortExceeded):
            error.lower_bound = max(error.lower_bound, self._bound_now())
            error.stopped = error.stopped or self.undecided()  # of the innermost record, which counts
        elif isinstance(error, TypeError) and self._latest is not None and self._generated_now():
            state, action, child = self._latest()
            if is_hashable(child):
                return False
            raise ProblemError(
                f"{type(self._problem).__name__}.result({state!r}, {action!r}) gave {child!r}, "
                "which is not hashable; use strings, tuples or frozensets"
            ) from error
        return bool(self._reason)

    def solved(self, plan: Sequence[Action], cost: Cost, lower_bound: Cost) -> SearchResult[Action]:
        """The result with a plan, where `lower_bound`, or the bound so far, holds.

        Raises ProblemError if the plan costs less, for then the heuristic is wrong; StoreError if it costs less than
        only the bound that was kept.
        """
        bound = max(lower_bound, self.lower_bound)
        if bound > cost:
            exact = isinstance(bound, int) and isinstance(cost, int)
            if exact or (bound - cost) * _SHARE > cost:  # as estimates that are floats may be rounded
                if self._kept is not None:
                    self._kept[0].demand(lower_bound > cost or self._kept[1] <= cost)
                raise ProblemError(
                    f"the heuristic is not admissible: by its estimates no plan costs less than {bound}, "
                    f"but there is one that costs {cost}"
                )
            bound = cost
        return self._result(Status.SOLVED, plan, cost, bound)

    def unsolvable(self, *, cyclic: bool = False) -> SearchResult[Action]:
        """The result of a proof that there is no plan; with `cyclic` that none keeps trying either."""
        result = self._result(Status.UNSOLVABLE, None, math.inf, math.inf)
        return evolve(result, reason="not even one that keeps trying") if cyclic else result

    def undecided(self) -> SearchResult[Action]:
        """The result of a stopped search, with the bound proved so far, and the plan that is kept if there is one."""
        if self._plan is not None:
            return self.solved(*self._plan, self._bound_now())
        return self._result(Status.UNDECIDED, None, None, self._bound_now())

    def _generated_now(self) -> int:
        return self._generated if self._count_generated is None else self._count_generated()

    def _bound_now(self) -> Cost:
        bound = self.lower_bound
        if self._final_bound is not None:
            bound = max(bound, self._final_bound())
        # All that was known may have run out just when the search was stopped.
        return bound if bound < math.inf else self.lower_bound

    def _result(
        self, status: Status, plan: Sequence[Action] | None, cost: Cost | None, lower_bound: Cost
    ) -> SearchResult[Action]:
        stats = SearchStats(
            expanded=self._expanded,
            generated=self._generated_now(),
            reached=self._count_reached(),
            max_frontier=self._max_frontier,
            seconds=self._budget.seconds(),
        )
        reason = self._reason or None
        return SearchResult(status, plan, cost, lower_bound, self._solver, reason=reason, stats=stats)


@define
class KeptIn:
    """Directory in which a search is kept, and whether to go on with what is there.

    After the search `holds` says what is kept of it if it is not over, see `Checkpoints`.
    """

    directory: Path
    resume: bool = False
    holds: str = field(default="", init=False)


@frozen
class Run:
    """Limits that run already, an observer, and perhaps a store.

    It is made once by each public function, and handed on. `checkpoints` are those of the open store, and `checkpoint`
    is that of the one search that runs with this. Once a small search has not sufficed the planner asks `instead` for
    the answer, which may have none.
    """

    budget: Budget = field(factory=Budget)
    observer: Observer = field(factory=Observer)
    kept: KeptIn | None = None
    checkpoints: Checkpoints | None = field(default=None, eq=False, repr=False)
    checkpoint: Checkpoint | None = field(default=None, eq=False, repr=False)
    instead: Callable[[], Construction[Any] | None] | None = field(default=None, eq=False, repr=False)

    @classmethod
    def of(
        cls,
        limits: Limits | None = None,
        observer: Observer | None = None,
        store: Path | str | None = None,
        resume: bool = False,
    ) -> Run:
        """Return a new run, whose limits begin to count; raise a `BeliefSearchError` unless the arguments fit."""
        return cls(Budget(limits), observer or Observer(), kept_in(store, resume))

    @property
    def tick(self) -> Callable[[], None]:
        """The function that checks the limits; bind it locally where it is called often."""
        return self.budget.tick

    @property
    def listener(self) -> Observer | None:
        """The observer if it is more than the one that hears nothing, which solvers need not call."""
        return None if type(self.observer) is Observer else self.observer

    def hears_states(self) -> bool:
        """Whether the observer needs an event for every state."""
        return self.observer.hears_states()

    def record(self, solver: str) -> Record[Any, Any]:
        """Return a new record of a search."""
        return Record(solver, None, self)

    def saved_as(self, name: str) -> Run:
        """Return the same run for one search, which is saved under this name if there is a store."""
        return self if self.checkpoints is None else evolve(self, checkpoint=self.checkpoints.of(name))

    def without_saving(self) -> Run:
        """Return the same run without a store."""
        return self if self.checkpoints is None else evolve(self, checkpoints=None, checkpoint=None)


def kept_in(store: Path | str | None, resume: bool) -> KeptIn | None:
    """Return the store that two arguments ask for; raise a `BeliefSearchError` if they do not go together."""
    check_flag("resume", resume)
    given: object = store
    if not isinstance(given, (str, PathLike, NoneType)):
        raise BeliefSearchError(f"a store is a directory, given as text or as a Path, not {given!r}")
    if given == "":
        raise BeliefSearchError("a store needs a directory, and the name that was given is empty")
    if given is None and resume:
        raise BeliefSearchError(Worded("to go on with a search, say where it is kept: [store=DIR]"))
    return None if given is None else KeptIn(Path(given), resume)


def check_flag(name: str, value: object) -> None:
    """Raise a `BeliefSearchError` unless an argument is True or False."""
    if not isinstance(value, bool):
        raise BeliefSearchError(f"{name} is True or False, not {value!r}")
