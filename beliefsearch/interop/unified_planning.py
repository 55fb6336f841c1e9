"""An engine of unified-planning: it solves contingent, conformant and classical problems, and validates their plans.

    env.factory.add_engine("beliefsearch", "beliefsearch.interop.unified_planning", "Engine")

A problem of that library is written to a planning file, which the reader of such files reads (`written_problem.py`).
`pip install 'beliefsearch[up]'` installs the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import inf
from time import monotonic
from typing import IO, Any
from warnings import warn

try:
    import unified_planning.engines  # noqa: F401  # before the imports below, for one clear message if it is missing
except ModuleNotFoundError:
    raise ModuleNotFoundError("unified-planning is not installed; pip install 'beliefsearch[up]'") from None

from unified_planning.engines import (
    AnytimeGuarantee,
    Credits,
    LogLevel,
    LogMessage,
    OptimalityGuarantee,
    PlanGenerationResult,
    PlanGenerationResultStatus,
    ValidationResult,
    ValidationResultStatus,
    mixins,
)
from unified_planning.engines import Engine as UnifiedEngine
from unified_planning.engines.results import FailedValidationReason
from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION
from unified_planning.plans import ActionInstance, PlanKind

from ..errors import ProblemError, Unfit
from ..planner.solve import solve
from ..plans.result import SearchResult, Status
from ..plugins.files.plan_files import check_plan_text
from ..running.limits import INTERRUPTED, Limits
from .written_problem import WrittenProblem

_FEATURES = {
    "PROBLEM_CLASS": ("ACTION_BASED", "CONTINGENT"),
    "CONDITIONS_KIND": (
        "NEGATIVE_CONDITIONS",
        "DISJUNCTIVE_CONDITIONS",
        "EQUALITIES",
        "EXISTENTIAL_CONDITIONS",
        "UNIVERSAL_CONDITIONS",
    ),
    "EFFECTS_KIND": (
        "CONDITIONAL_EFFECTS",
        "FORALL_EFFECTS",
        "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
        "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    ),
    "TYPING": ("FLAT_TYPING", "HIERARCHICAL_TYPING"),
    "FLUENTS_TYPE": ("INT_FLUENTS", "REAL_FLUENTS"),  # for costs only; other uses would make it a numeric problem
    "QUALITY_METRICS": ("ACTIONS_COST", "PLAN_LENGTH"),
    "ACTIONS_COST_KIND": (
        "STATIC_FLUENTS_IN_ACTIONS_COST",
        "INT_NUMBERS_IN_ACTIONS_COST",
        "REAL_NUMBERS_IN_ACTIONS_COST",
    ),
    "INITIAL_STATE": ("UNDEFINED_INITIAL_SYMBOLIC",),  # for hidden fluents
}


_CREDITS = Credits(
    "beliefsearch",
    "the authors of beliefsearch",
    "",
    "",
    "MIT",
    "searches belief states: conformant and contingent plans, proved to be cheapest",
    "Plans for problems whose start is uncertain, with and without sensing, and for classical ones; proofs; "
    "exact validation of contingent plans over all starts.",
)
_FIRST_SECONDS = 1.0
_OUT_OF_TIME = PlanGenerationResultStatus.TIMEOUT
_SOLVED = (PlanGenerationResultStatus.SOLVED_SATISFICING, PlanGenerationResultStatus.SOLVED_OPTIMALLY)
_LOST = "{} is of no use to this engine, and was passed over"


class Engine(
    UnifiedEngine,  # type: ignore[misc]  # untyped, like all of the library
    mixins.OneshotPlannerMixin,  # type: ignore[misc]  # untyped
    mixins.AnytimePlannerMixin,  # type: ignore[misc]  # untyped
    mixins.PlanValidatorMixin,  # type: ignore[misc]  # untyped
):
    """The engine: a one-shot and anytime planner, and a validator of contingent and sequential plans.

    Parameters
    ----------
    options
        Options of `beliefsearch.solve`, such as `solver="astar"`; `solve` chooses those that are not given.
    """

    def __init__(self, **options: Any) -> None:
        UnifiedEngine.__init__(self)
        mixins.OneshotPlannerMixin.__init__(self)
        mixins.AnytimePlannerMixin.__init__(self)
        self._options = options

    @property
    def name(self) -> str:
        return "beliefsearch"

    @staticmethod
    def supported_kind() -> ProblemKind:
        kind = ProblemKind(version=LATEST_PROBLEM_KIND_VERSION)
        for group, features in _FEATURES.items():
            for feature in features:
                getattr(kind, f"set_{group.lower()}")(feature)
        return kind

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= Engine.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return bool(plan_kind in (PlanKind.CONTINGENT_PLAN, PlanKind.SEQUENTIAL_PLAN))

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return True

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    @staticmethod
    def get_credits(**kwargs: Any) -> Credits:
        return _CREDITS

    def _solve(
        self, problem: Any, heuristic: Any = None, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> PlanGenerationResult:
        for name, given in (("the heuristic", heuristic), ("the output stream", output_stream)):
            if given is not None:
                warn(_LOST.format(name), stacklevel=3)
        *_, last = self._plans(problem, timeout)
        return last

    def _get_solutions(
        self, problem: Any, timeout: float | None = None, output_stream: IO[str] | None = None
    ) -> Iterator[PlanGenerationResult]:
        if output_stream is not None:
            warn(_LOST.format("the output stream"), stacklevel=3)
        yield from self._plans(problem, timeout, _FIRST_SECONDS)

    def _plans(self, problem: Any, timeout: float | None, seconds: float = inf) -> Iterator[PlanGenerationResult]:
        """Yield the best plan after `seconds`, then after four times as many and so on, and last the final answer."""
        end = inf if timeout is None else monotonic() + timeout
        try:
            written = WrittenProblem(problem)
            read = written.problem()
        except ProblemError as error:
            yield self._result(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, None, str(error))
            return
        best: Any = None  # the result with the cheapest plan
        while True:
            left = max(end - monotonic(), 0.001)
            is_last = 2 * seconds >= left
            try:
                most = left if is_last else seconds
                found: Any = solve(read, limits=Limits(seconds=None if most == inf else most), **self._options)
            except Unfit:  # caused by an option
                raise
            except ProblemError as error:  # mostly: too large
                yield self._result(PlanGenerationResultStatus.UNSUPPORTED_PROBLEM, None, str(error))
                return
            is_better = found.plan is not None and (best is None or found.cost < best.cost)
            best = found if is_better else best
            if (found.reason or "").startswith(INTERRUPTED):  # with what was tried before
                raise KeyboardInterrupt
            if is_last or found.reason is None:
                break
            if is_better:
                yield self._result(PlanGenerationResultStatus.INTERMEDIATE, written.plan_back(best.plan))
            seconds *= 4
        yield self._final(written, best or found, found)

    def _final(self, written: WrittenProblem, best: Any, last: SearchResult[str]) -> PlanGenerationResult:
        """Return the answer after the last search, with the best plan that any of the searches found."""
        numbers = {"expanded": str(last.stats.expanded), "seconds": f"{last.stats.seconds:.3f}"}
        if best.plan is not None:
            numbers |= {"cost": str(best.cost), "lower_bound": str(last.lower_bound)}
            status = _SOLVED[best.cost == last.lower_bound and written.has_metric]
            return self._result(status, written.plan_back(best.plan), last.reason, numbers)
        if last.status is Status.UNSOLVABLE:
            return self._result(PlanGenerationResultStatus.UNSOLVABLE_PROVEN, None, None, numbers)
        out_of = PlanGenerationResultStatus.MEMOUT if "memory" in (last.reason or "") else _OUT_OF_TIME
        return self._result(out_of, None, last.reason, numbers)

    def _result(
        self, status: Any, plan: Any, said: str | None = None, numbers: dict[str, str] | None = None
    ) -> PlanGenerationResult:
        messages = [LogMessage(LogLevel.INFO, said)] if said else None
        return PlanGenerationResult(status, plan, self.name, numbers, messages)

    def _validate(self, problem: Any, plan: Any) -> ValidationResult:
        def invalid(said: str, reason: FailedValidationReason, at: ActionInstance | None = None) -> ValidationResult:
            messages = [LogMessage(LogLevel.INFO, said)]
            return ValidationResult(ValidationResultStatus.INVALID, self.name, messages, None, reason, at)

        try:
            written = WrittenProblem(problem)
            text, instances = written.plan_text(plan)
            verdict = check_plan_text(written.problem(instances), text)
        except ProblemError as error:
            messages = [LogMessage(LogLevel.WARNING, str(error))]
            return ValidationResult(ValidationResultStatus.UNKNOWN, self.name, messages)
        if not verdict.holds:
            place = re.search(r"step (\d+), ", verdict.complaint)
            if place is None:
                return invalid(verdict.complaint, FailedValidationReason.UNSATISFIED_GOALS)
            return invalid(verdict.complaint, FailedValidationReason.INAPPLICABLE_ACTION, instances[int(place[1])])
        if verdict.cost == inf:
            return invalid("the plan may go on for ever", FailedValidationReason.UNSATISFIED_GOALS)
        costs = {metric: Fraction(verdict.cost or 0) for metric in problem.quality_metrics}
        return ValidationResult(ValidationResultStatus.VALID, self.name, [], costs or None)
