"""Options that do not go together, or not with a problem: the reasons, and the rules that find them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from attrs import asdict, frozen

from ..heuristics.registry import HEURISTICS, heuristics_of
from ..kinds import Kind
from ..model.base import BaseProblem
from ..model.hooks import ReversibleProblem, blocks_of, factors_of
from ..model.stochastic import ALMOST_SURE
from .solver_table import SOLVERS, SolverEntry, solvers_of


class Mismatch(Enum):
    """Reasons why options do not go together; the values are templates, see `errors.Worded`."""

    NO_PART = "[{option}] plays no part in {kind} such as {name}, which takes [{takes}]"
    EXPECTED_IS_FOR_BELIEFS = (
        "the objective expected is for problems whose start is uncertain, and {name} is none; leave it out"
    )
    SOLVER_IS_FOR_BELIEFS = "the solver {solver} is for belief problems, and {name} is none; choose another solver"
    SOLVER_IS_SENSORLESS = (
        "the solver {solver} is for sensorless problems, and {name} is none; choose another solver, or play it "
        "blindfolded"
    )
    NOT_REVERSIBLE = (
        "the solver {solver} is for problems that can be walked backwards (ReversibleProblem), and {name} cannot; "
        "choose another solver"
    )
    HEURISTIC_IS_SENSORLESS = (
        "the heuristic {heuristic} is for sensorless problems, and {name} is none; choose another heuristic"
    )
    HEURISTIC_IS_CONTINGENT = "the heuristic {heuristic} is for contingent problems; choose another heuristic"
    NO_DOMINANCE = "dominance is for sensorless problems, and {name} is none; leave it out"
    NO_BELIEFS = "the engine compiled is for beliefs, and the player sees every state of {name}; leave it out"
    WEIGHT_NEEDS_SOLVER = "a weight goes with weighted-astar; name that as the solver"
    SOLVER_NEVER_BRANCHES = (
        "the plans of the solver {solver} never branch on percepts, and {name} may need that; choose {solvers}"
    )
    OTHER_OBJECTIVE = "the solver {solver} finds the least {least} cost; for the {objective} cost choose {solvers}"
    NO_COMPILED_OBJECTIVE = (
        "the engine compiled has no solver for the {objective} cost where there are percepts; choose bits or naive"
    )
    NO_COMPILED_SOLVER = (
        "of the solvers for conditional plans the engine compiled has {compiled}, and no {solver}; choose bits or naive"
    )
    COMPILED_TAKES_NO_HEURISTIC = (
        "the engine compiled draws the whole graph of beliefs, which takes no heuristic; leave it out, or choose bits "
        "or naive"
    )
    COMPILED_TAKES_NO_DOMINANCE = (
        "the engine compiled draws the whole graph of beliefs, which takes no dominance; leave it out, or choose bits "
        "or naive"
    )
    HEURISTIC_NEVER_BRANCHES = (
        "the heuristic {heuristic} bounds plans that never branch, and {name} may need others; choose {heuristics}"
    )
    DOMINANCE_IS_WORST_CASE = "dominance is for worst-case costs, not for expected costs; leave it out"
    NO_TOLERANCE = "the tolerance must be between 0 and 1, not {tolerance}"
    NO_PRECISION = "the precision must be at least 0 and below 1, not {precision}"
    NEGATIVE_HORIZON = "the horizon is a number of actions, at least 0, not {horizon}"
    NEEDS_HORIZON = "the solver finite-horizon needs to know how many actions the game has; give a [horizon]"
    NO_HORIZON = "the solver {solver} looks ahead for ever; leave [horizon] out"
    NO_FACTORS = (
        "the engine factored is for belief problems with factors (FactoredHook), and {name} is none; leave it out"
    )
    FACTORED_IS_WORST_CASE = "the engine factored has no solver for the {objective} cost; choose bits or naive"
    SOLVER_NEEDS_FACTORS = (
        "the solver {solver} is for sensorless problems with factors (FactoredHook), and {name} is none; choose "
        "another solver"
    )
    NO_FACTORED_SOLVER = (
        "the engine factored goes from the start to the goal, and the solver {solver} goes back; choose another engine"
    )
    NO_FACTORED_HEURISTIC = "the engine factored has lower bounds of its own; choose the heuristic best or none"
    NO_DISTRIBUTIONS = "the engine bits has no distributions; choose naive or compiled"
    TAKES_NONE = "the solver {solver} takes no {option}; {thing} goes with {fitting}"


@frozen
class Case:
    """A search of a problem, about which the rules ask."""

    problem: BaseProblem[Any, Any]
    kind: Kind  # of the search
    options: Any
    entry: SolverEntry | None  # of the solver that is named
    given: Mapping[str, Any]

    def solver_lacks(self, kind: Kind) -> bool:
        """Whether a solver is named that has no form for this kind."""
        return self.entry is not None and kind not in self.entry.functions

    def heuristic_has(self, kind: Kind) -> bool:
        """Whether no heuristic is named, or one that has a form for this kind."""
        return "heuristic" not in self.given or kind in HEURISTICS[self.options.heuristic]

    @property
    def least(self) -> str:
        """The cost that the plan should have the least of."""
        return "worst" if self.options.objective == ALMOST_SURE else str(self.options.objective)

    def fitting(self) -> list[str]:
        """Return the solvers for conditional plans of the least cost that is wanted."""
        return [name for name in solvers_of(Kind.CONTINGENT) if SOLVERS[name].objective == self.least]

    def compiled(self) -> list[str]:
        """Return those of the fitting solvers that the engine "compiled" has a form of."""
        return [name for name in self.fitting() if SOLVERS[name].on_arrays]

    def words(self) -> dict[str, object]:
        """Return the values in the templates."""
        words = {"name": type(self.problem).__name__, **asdict(self.options)}
        if self.kind is Kind.CONTINGENT:
            words |= {
                "least": "" if self.entry is None else self.entry.objective,
                "solvers": " or ".join(self.fitting()),
                "compiled": " and ".join(self.compiled()),
                "heuristics": ", ".join(heuristics_of(Kind.CONTINGENT)),
            }
        return words


def _is_compiled(case: Case) -> bool:
    return bool(case.options.engine == "compiled")


def _is_factored(case: Case) -> bool:
    return bool(case.options.engine == "factored")


def _lacks_factors(case: Case) -> bool:
    return factors_of(case.problem) is None


def _has_finite_horizon(case: Case) -> bool:
    solver, horizon = case.options.solver, case.options.horizon
    return solver == "finite-horizon" or (solver == "auto" and horizon is not None)


_Rules: TypeAlias = Sequence[tuple[Mismatch, Callable[[Case], object]]]

_PATH_RULES: _Rules = (
    (Mismatch.WEIGHT_NEEDS_SOLVER, lambda case: "weight" in case.given and case.entry is None),
    (Mismatch.HEURISTIC_IS_CONTINGENT, lambda case: not case.heuristic_has(case.kind)),
)
RULES: Mapping[Kind, _Rules] = {
    Kind.PLAIN: (
        (Mismatch.EXPECTED_IS_FOR_BELIEFS, lambda case: case.options.objective == "expected"),
        (
            Mismatch.SOLVER_IS_FOR_BELIEFS,
            lambda case: case.entry is not None and not case.solver_lacks(Kind.CONTINGENT),
        ),
        (Mismatch.SOLVER_IS_SENSORLESS, lambda case: case.solver_lacks(Kind.PLAIN)),
        (
            Mismatch.NOT_REVERSIBLE,
            lambda case: case.entry and case.entry.backwards and not isinstance(case.problem, ReversibleProblem),
        ),
        (
            Mismatch.HEURISTIC_IS_SENSORLESS,
            lambda case: not case.heuristic_has(Kind.PLAIN) and case.heuristic_has(Kind.SENSORLESS),
        ),
        (Mismatch.NO_DOMINANCE, lambda case: case.options.dominance),
        (Mismatch.NO_BELIEFS, _is_compiled),
        (Mismatch.NO_FACTORS, _is_factored),
        *_PATH_RULES,
    ),
    Kind.SENSORLESS: (
        (Mismatch.NO_FACTORS, lambda case: _is_factored(case) and _lacks_factors(case)),
        (
            Mismatch.SOLVER_NEEDS_FACTORS,
            lambda case: case.entry is not None and case.entry.factored and _lacks_factors(case),
        ),
        (Mismatch.NO_FACTORED_SOLVER, lambda case: _is_factored(case) and case.entry and case.entry.layered),
        (
            Mismatch.NO_FACTORED_HEURISTIC,
            lambda case: _is_factored(case) and case.options.heuristic not in ("auto", "best", "none"),
        ),
        *_PATH_RULES,
    ),
    Kind.CONTINGENT: (
        (Mismatch.SOLVER_NEVER_BRANCHES, lambda case: case.solver_lacks(Kind.CONTINGENT)),
        (Mismatch.OTHER_OBJECTIVE, lambda case: case.entry and case.entry.objective != case.least),
        (Mismatch.NO_FACTORS, lambda case: _is_factored(case) and blocks_of(case.problem) is None),
        (Mismatch.FACTORED_IS_WORST_CASE, lambda case: _is_factored(case) and case.least != "worst"),
        (
            Mismatch.NO_FACTORED_HEURISTIC,
            lambda case: _is_factored(case) and case.options.heuristic not in ("auto", "best", "none"),
        ),
        (Mismatch.NO_COMPILED_OBJECTIVE, lambda case: _is_compiled(case) and not case.compiled()),
        (
            Mismatch.NO_COMPILED_SOLVER,
            lambda case: _is_compiled(case) and case.entry and case.options.solver not in case.compiled(),
        ),
        (
            Mismatch.COMPILED_TAKES_NO_HEURISTIC,
            lambda case: _is_compiled(case) and "heuristic" in case.given and not case.entry,
        ),
        (
            Mismatch.COMPILED_TAKES_NO_DOMINANCE,
            lambda case: _is_compiled(case) and case.options.dominance and not case.entry,
        ),
        (Mismatch.HEURISTIC_NEVER_BRANCHES, lambda case: not case.heuristic_has(Kind.CONTINGENT)),
        (
            Mismatch.DOMINANCE_IS_WORST_CASE,
            lambda case: case.options.dominance and case.options.objective == "expected",
        ),
    ),
    Kind.STOCHASTIC: ((Mismatch.NO_TOLERANCE, lambda case: not 0 < case.options.tolerance < 1),),
    Kind.POMDP: (
        (Mismatch.NO_PRECISION, lambda case: not 0 <= case.options.precision < 1),
        (Mismatch.NEGATIVE_HORIZON, lambda case: case.options.horizon is not None and case.options.horizon < 0),
        (Mismatch.NEEDS_HORIZON, lambda case: _has_finite_horizon(case) and case.options.horizon is None),
        (Mismatch.NO_HORIZON, lambda case: not _has_finite_horizon(case) and case.options.horizon is not None),
        (Mismatch.NO_FACTORS, _is_factored),
        (Mismatch.NO_DISTRIBUTIONS, lambda case: not _has_finite_horizon(case) and case.options.engine == "bits"),
    ),
}
"""By kind of the problem, or contingent if the search is: what must not be asked for together."""
