"""Options of a search: one class for each family of searches, and the rules by which they go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias, TypedDict

from attrs import asdict, field, fields_dict, frozen

from ..errors import BeliefSearchError, Unfit, suggestion
from ..heuristics.registry import HEURISTICS, RENAMED, find_heuristic, heuristics_of
from ..kinds import Kind, kind_of, require
from ..model.base import BaseProblem
from ..model.hooks import ReversibleProblem, factors_of
from ..model.stochastic import ALMOST_SURE
from ..plans.policy import PRECISION
from .solver_table import SOLVERS, SolverEntry, find_solver, solvers_of

ENGINES = ("auto", "naive", "bits", "compiled", "factored")
"""Representations of beliefs: frozensets (`naive`), Python ints (`bits`), words under compiled kernels, a small belief
for each factor (`factored`), or whichever suits the size of the search (`auto`)."""

OBJECTIVES = ("worst", "expected", ALMOST_SURE)
"""Aims of a plan: the least worst-case cost, or the least expected cost over equally likely starts. Or to win with
probability 1: as by the worst-case cost, and where results have probabilities, whatever they are."""


@frozen
class PathOptions:
    """Options of searches whose plans are sequences of actions."""

    solver: str = "auto"
    heuristic: str = "auto"
    weight: float | None = None
    dominance: bool = False
    engine: str = "auto"
    objective: str = "worst"


@frozen
class AndOrOptions:
    """Options of searches for conditional plans."""

    solver: str = "auto"
    heuristic: str = "auto"
    dominance: bool = False
    engine: str = "auto"
    objective: str = "worst"


@frozen
class MdpOptions:
    """Options of searches for policies of states."""

    solver: str = "auto"
    tolerance: float = 1e-13
    use_arrays: bool = True


@frozen
class PomdpOptions:
    """Options of searches for policy graphs."""

    solver: str = "auto"
    engine: str = "auto"
    precision: float = PRECISION
    horizon: int | None = None


Options: TypeAlias = PathOptions | AndOrOptions | MdpOptions | PomdpOptions

_FAMILIES: Mapping[Kind, Any] = {
    Kind.PLAIN: PathOptions,
    Kind.SENSORLESS: PathOptions,
    Kind.CONTINGENT: AndOrOptions,
    Kind.STOCHASTIC: MdpOptions,
    Kind.POMDP: PomdpOptions,
}


class PlanKeywords(TypedDict, total=False):
    """Options of `solve` whose answer is a plan, for type checkers."""

    heuristic: str
    weight: float | None
    dominance: bool
    engine: str
    objective: str


class PolicyKeywords(TypedDict, total=False):
    """Options of `solve` whose answer is a policy or a policy graph, for type checkers."""

    tolerance: float
    use_arrays: bool
    engine: str
    precision: float | None
    horizon: int | None


class SweepKeywords(PlanKeywords, PolicyKeywords, total=False):
    """Options of `sweep`, for type checkers."""


# The defaults that a caller may give in so many words; None stands for the default of a number.
_DEFAULTS: Mapping[str, object] = {
    **{name: option.default for family in _FAMILIES.values() for name, option in fields_dict(family).items()},
    "precision": None,
}
# What a store records of a search, with the names and the order that stores have had from the first.
_RECORDED = ("heuristic", "weight", "dominance", "engine", "objective", "precision", "horizon")
_HEURISTIC_IN_STORES = {new: old for old, new in RENAMED.items()}


def _with_present_names(options: Mapping[str, Any]) -> Mapping[str, Any]:
    heuristic: Any = options.get("heuristic")
    return {**options, "heuristic": find_heuristic(heuristic)} if heuristic in RENAMED else options


@frozen
class SearchRequest:
    """A solver and options as they were given, not yet checked to go with each other or with a problem."""

    solver: str = "auto"
    options: Mapping[str, Any] = field(factory=dict, converter=_with_present_names)

    def given(self) -> dict[str, Any]:
        """Return the options that differ from their defaults; raise a `BeliefSearchError` if there is no such one."""
        for name in self.options:
            if name not in _DEFAULTS:
                hint = suggestion(name, _DEFAULTS) or f"there are {', '.join(_DEFAULTS)}"
                raise BeliefSearchError(f"there is no option called {name!r}; {hint}")
        return {name: value for name, value in self.options.items() if value != _DEFAULTS[name]}

    @property
    def objective(self) -> str:
        """The aim of the plan."""
        return str(self.options.get("objective", "worst"))

    def recorded(self) -> dict[str, Any]:
        """Return what a store records of the search."""
        recorded = {"solver": self.solver, **{name: self.options.get(name, _DEFAULTS[name]) for name in _RECORDED}}
        recorded["heuristic"] = _HEURISTIC_IN_STORES.get(recorded["heuristic"], recorded["heuristic"])
        return recorded

    def kind(self, problem: object) -> Kind:
        """Return the kind of search: the problem's own, or contingent if its solver or the expected cost demands it."""
        kind = kind_of(problem)
        if kind is Kind.SENSORLESS:
            named = self.solver != "auto" and Kind.CONTINGENT in SOLVERS[find_solver(self.solver)].functions
            return Kind.CONTINGENT if named or self.objective == "expected" else kind
        return kind

    def check(self, problem: BaseProblem[Any, Any]) -> tuple[Kind, Options]:
        """Return the kind of search and its options, once all names exist and fit each other and `problem`.

        If not, raise a `BeliefSearchError` that says what fits.
        """
        _check_name("objective", self.objective, OBJECTIVES)
        given = self.given()
        if "objective" in given:
            require("search with objective", problem)
        kind = self.kind(problem)
        family, name = _FAMILIES[kind], type(problem).__name__
        takes = [option for option in fields_dict(family) if option != "solver"]
        for option in given:
            if option not in takes:
                raise Unfit(Mismatch.NO_PART, option=option, kind=_CALLED[kind], name=name, takes=takes)
        for thing, names in (("engine", ENGINES), ("heuristic", ("auto", *HEURISTICS))):
            _check_name(thing, given.get(thing, "auto"), names)
        is_policy = kind in (Kind.STOCHASTIC, Kind.POMDP)
        solver = "auto" if self.solver == "auto" else find_solver(self.solver, *([kind] if is_policy else []))
        options = family(solver, **given)
        case = _Case(problem, kind, options, SOLVERS.get(solver), given)
        for mismatch, holds in _RULES[kind_of(problem) if kind is not Kind.CONTINGENT else kind]:
            if holds(case):
                raise Unfit(mismatch, **case.words())
        for option in _TAKES:
            if option in given:
                _check_takes(solver, option)
        return kind, options

    def check_can_be_kept(self, problem: BaseProblem[Any, Any]) -> None:
        """Make sure that the search can be kept and gone on with; else raise a `BeliefSearchError` that says which can.

        The names must have been checked.
        """
        require("search with store", problem, kind=self.kind(problem))
        solver = "auto" if self.solver in ("auto", "search") else find_solver(self.solver, *Kind)
        if solver == "auto" and self.options.get("horizon") is not None:
            solver = "finite-horizon"
        _check_takes(solver, "store")


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
        "the engine factored is for sensorless problems with factors (FactoredHook), and {name} is none; leave it out"
    )
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
class _Case:
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


def _is_compiled(case: _Case) -> bool:
    return bool(case.options.engine == "compiled")


def _is_factored(case: _Case) -> bool:
    return bool(case.options.engine == "factored")


def _lacks_factors(case: _Case) -> bool:
    return factors_of(case.problem) is None


def _has_finite_horizon(case: _Case) -> bool:
    solver, horizon = case.options.solver, case.options.horizon
    return solver == "finite-horizon" or (solver == "auto" and horizon is not None)


_Rules: TypeAlias = Sequence[tuple[Mismatch, Callable[[_Case], object]]]

_PATH_RULES: _Rules = (
    (Mismatch.WEIGHT_NEEDS_SOLVER, lambda case: "weight" in case.given and case.entry is None),
    (Mismatch.HEURISTIC_IS_CONTINGENT, lambda case: not case.heuristic_has(case.kind)),
)
# By kind of the problem, or contingent if the search is: what must not be asked for together.
_RULES: Mapping[Kind, _Rules] = {
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
        (Mismatch.NO_FACTORS, _is_factored),
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

# Options that a solver takes or not.
_TAKES: Mapping[str, Callable[[SolverEntry], bool]] = {
    "heuristic": lambda entry: entry.informed,
    "dominance": lambda entry: entry.prunes,
    "weight": lambda entry: entry.weighted,
    "store": lambda entry: entry.keeps,
}
_CALLED = {
    Kind.PLAIN: "a plain problem",
    Kind.SENSORLESS: "a sensorless problem",
    Kind.CONTINGENT: "a problem with conditional plans",
    Kind.STOCHASTIC: "a stochastic problem",
    Kind.POMDP: "a partially observable stochastic problem",
}


def _check_name(thing: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        hint = suggestion(name, names) or f"there are {', '.join(names)}"
        raise BeliefSearchError(f"there is no {thing} called {name!r}; {hint}")


def _check_takes(solver: str, option: str) -> None:
    takes = _TAKES[option]
    if solver != "auto" and not takes(SOLVERS[solver]):
        thing = option if option == "dominance" else f"a {option}"
        fitting = ", ".join(name for name, entry in SOLVERS.items() if takes(entry))
        raise Unfit(Mismatch.TAKES_NONE, solver=solver, option=option, thing=thing, fitting=fitting)
