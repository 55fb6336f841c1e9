"""Options of a search: one class for each family of searches, and requests for a search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from attrs import field, fields_dict, frozen

from ..errors import BeliefSearchError, Unfit, suggestion
from ..heuristics.registry import HEURISTICS, RENAMED, find_heuristic
from ..kinds import Kind, kind_of, require
from ..model.base import BaseProblem
from ..model.stochastic import ALMOST_SURE
from ..plans.policy import PRECISION
from .mismatches import RULES, Case, Mismatch
from .solver_table import SOLVERS, SolverEntry, find_solver

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
        case = Case(problem, kind, options, SOLVERS.get(solver), given)
        for mismatch, holds in RULES[kind_of(problem) if kind is not Kind.CONTINGENT else kind]:
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
