"""`Run`, the limits, observer and store of a search; and `Record`, to which a solver reports.

A record holds the counts of one search and the bound proved so far, so that the algorithms contain no counting, no
clock and no display. The body of a solver reads

    with record:
        ...
        return record.solved(plan, cost, lower_bound)
        ...
        return record.unsolvable()
    return record.undecided()

and its last line is reached exactly when a limit or the user stopped the search.
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

# Limits are checked at every expansion and every 16th successor; without limits never.
_TICK_EVERY = 16
_NEVER = 2**30 - 1
# Progress is reported at every 1,024th expansion, and at every layer.
_PROGRESS_MASK = 1023
# The inverse of the relative error that a bound by rounded estimates may have.
_SHARE = 10**9


class Record(Generic[Node, Action]):
    """The record that a solver reports to.

    `solver` is the name in the result; `problem` is named in errors, or None if it is not known yet. The limits of the
    `run` are already running.
    """

    def __init__(self, solver: str, problem: object, run: Run | None = None) -> None:
        run = run or Run()
        observer = run.listener
        self.checkpoint = run.checkpoint
        self.lower_bound: Cost = 0  # no plan costs less than this; the solver raises it as it proves more
        self.number: Callable[[Any], Any] = lambda units: units  # converts costs of states for observers
        self._kept: tuple[Checkpoint, Cost] | None = None  # the checkpoint a resumed search began with, and its bound
        self._solver = solver
        self._problem = problem
        self._budget = run.budget
        self.tick = self._budget.tick  # checks the limits, where nothing is expanded or generated
        self._reads_clock = not self._budget.reads_no_clock
        self._has_limits = self._reads_clock or self._budget.limits.expanded is not None
        self._observer = observer
        # This event is so frequent that an observer that ignores it is not called.
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
        self._plan: tuple[Sequence[Action], Cost] | None = None  # the best plan so far, if the search goes on after it

    def watch(
        self,
        count_reached: Callable[[], int],
        *,
        count_generated: Callable[[], int] | None = None,
        latest: Callable[[], tuple[Node, Action, Node]] | None = None,
        final_bound: Callable[[], Cost] | None = None,
    ) -> None:
        """Set functions that read the solver's own data when they are needed.

        `count_reached` and `count_generated` count states; `latest` returns the successor generated last, with its
        parent and the action between. `final_bound` returns the bound of a stopped search, for solvers that cannot
        afford to keep `lower_bound` up to date.
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
        """Whether there is an observer to report to."""
        return self._observer is not None

    @property
    def report_every(self) -> int:
        """Return the interval at which a solver calls `generate`: once every so many successors.

        A solver makes millions of successors, and a call for each would take longer than to count them itself.
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
        """Add to the counts of expanded and generated states; `waiting` states were in the frontier."""
        self._expanded += expanded
        self._generated += generated
        self._max_frontier = max(self._max_frontier, waiting)

    def look_up(self, frontier: int, next_expanded: int = 1) -> None:
        """Report progress and check the limits before `next_expanded` expansions; `frontier` states wait."""
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
        """Keep a plan that is found before the search ends, for its result if it is stopped."""
        self._plan = plan, cost

    def announce(self) -> None:
        """Report the plan that is kept to the observer, if there is one."""
        if self._plan is not None and self._observer is not None:
            self._observer.improved(shown(self._plan[1]), shown(self.lower_bound, down=True))

    def or_kept(self, result: SearchResult[Action]) -> SearchResult[Action]:
        """Return a result, with the plan that is kept in place of none or of a costlier one."""
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
            error.stopped = error.stopped or self.undecided()  # records may be nested: the innermost one counts
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
        """The result with a plan, and the larger of `lower_bound` and the bound so far.

        Raises ProblemError if the plan costs less than the bound, since the heuristic is wrong then; StoreError if only
        the bound of the saved search is too high.
        """
        bound = max(lower_bound, self.lower_bound)
        if bound > cost:
            exact = isinstance(bound, int) and isinstance(cost, int)
            if exact or (bound - cost) * _SHARE > cost:  # a bound by float estimates may be rounded up
                if self._kept is not None:
                    self._kept[0].demand(lower_bound > cost or self._kept[1] <= cost)
                raise ProblemError(
                    f"the heuristic is not admissible: by its estimates no plan costs less than {bound}, "
                    f"but there is one that costs {cost}"
                )
            bound = cost
        return self._result(Status.SOLVED, plan, cost, bound)

    def unsolvable(self, *, cyclic: bool = False) -> SearchResult[Action]:
        """The result of a proof that there is no plan; with `cyclic` also no strong cyclic one."""
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
        # The frontier may have become empty just before the search was stopped: its infinite bound is no proof.
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
    """Directory of a store, and whether to resume the search in it.

    After an unfinished search `holds` describes what the store holds, see `Checkpoints`.
    """

    directory: Path
    resume: bool = False
    holds: str = field(default="", init=False)


@frozen
class Run:
    """Limits that run already, an observer, and perhaps a store.

    Each public function makes one and hands it on. `checkpoints` belong to the open store, `checkpoint` to one search.
    If a small search does not suffice, the planner calls `instead` for a closed form, which may return None.
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
        """The observer, or None if it ignores all events."""
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
    """Return the store that the arguments ask for; raise a `BeliefSearchError` if they are invalid."""
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
