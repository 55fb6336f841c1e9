"""What a caller of `solve` asks for: names of a solver, a heuristic and an engine, checked to fit together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any

from attrs import asdict, define, field, frozen

from ..errors import BeliefSearchError, ProblemError, suggestion
from ..heuristics.registry import HEURISTICS, heuristics_of
from ..kinds import Kind, is_stochastic, kind_of, require
from ..model.base import BaseProblem
from ..model.hooks import ReversibleProblem
from ..model.stochastic import ALMOST_SURE
from ..running.store.checkpoint import Checkpoints
from .solver_table import SOLVERS, SolverEntry, find_solver, solvers_of

ENGINES = ("auto", "naive", "bits", "compiled")
"""How beliefs are represented: frozensets (`naive`), Python ints (`bits`), words under compiled kernels, or
whichever suits the size of the search (`auto`)."""

OBJECTIVES = ("worst", "expected", ALMOST_SURE)
"""What a plan should minimise: its worst-case cost, or its expected cost over equally likely starts. Or that it should
win with probability 1: as by its worst-case cost, and where results have probabilities, whatever they are."""

_OF_POLICY_GRAPHS = ("--precision", "--horizon")


@define
class KeptIn:
    """A directory in which a search is kept, and whether to go on with what is there.

    After the search `holds` says what is kept of it if it is not over, see `Checkpoints`.
    """

    directory: Path
    resume: bool = False
    holds: str = field(default="", init=False)


def kept_in(store: Path | str | None, resume: bool) -> KeptIn | None:
    """What `solve` is asked by these two arguments; raises a `BeliefSearchError` if they do not go together."""
    check_flag("resume", resume)
    directory = store_directory(store)
    if directory is None and resume:
        raise BeliefSearchError("to go on with a search, say where it is kept: store=DIR")
    return None if directory is None else KeptIn(directory, resume)


def store_directory(store: Path | str | None) -> Path | None:
    """The directory that an argument names; raises a `BeliefSearchError` if it names none."""
    given: object = store
    if not isinstance(given, (str, PathLike, NoneType)):
        raise BeliefSearchError(f"a store is a directory, given as text or as a Path, not {given!r}")
    if given == "":
        raise BeliefSearchError("a store needs a directory, and the name that was given is empty")
    return None if given is None else Path(given)


def check_flag(name: str, value: object) -> None:
    """Raise a `BeliefSearchError` unless an argument is True or False."""
    if not isinstance(value, bool):
        raise BeliefSearchError(f"{name} is True or False, not {value!r}")


@frozen
class SearchRequest:
    """How to search, and where to keep the search; for the meaning of the other fields see `solve`."""

    solver: str = "auto"
    heuristic: str = "auto"
    weight: float | None = None
    dominance: bool = False
    engine: str = "auto"
    objective: str = "worst"
    precision: float | None = None
    horizon: int | None = None
    checkpoints: Checkpoints | None = field(default=None, eq=False, repr=False)

    def asked(self) -> dict[str, Any]:
        """What is asked for, by the names of the arguments of `solve`."""
        return asdict(self, filter=lambda attribute, _: attribute.name != "checkpoints")

    def kind(self, problem: object) -> Kind:
        """The kind of search: the problem's own, or contingent if such a solver or the expected cost is asked for."""
        kind = kind_of(problem)
        if kind is Kind.SENSORLESS:
            named = self.solver != "auto" and Kind.CONTINGENT in SOLVERS[find_solver(self.solver)].functions
            return Kind.CONTINGENT if named or self.objective == "expected" else kind
        return kind

    def check(self, problem: BaseProblem[Any, Any]) -> Kind:
        """Make sure that all names exist and fit each other and `problem`; returns the kind of search.

        If not, it raises a `BeliefSearchError` that says what fits.
        """
        kind = kind_of(problem)
        _check_name("objective", self.objective, OBJECTIVES)
        for option in self.given():
            if is_stochastic(problem) or option in _OF_POLICY_GRAPHS:
                require(f"search with {option}", problem)
        self._check_numbers()
        if is_stochastic(problem):
            self._check_engine()
            return kind
        self._check_engine()
        _check_name("heuristic", self.heuristic, ("auto", *HEURISTICS))
        name = "auto" if self.solver == "auto" else find_solver(self.solver)
        if kind is Kind.PLAIN:
            self._check_plain(problem, name)
        if self.heuristic != "auto":
            _check_option(name, "a heuristic", lambda entry: entry.informed)
        if self.dominance:
            _check_option(name, "dominance", lambda entry: entry.prunes)
        if self.weight is not None:
            if name == "auto":
                raise BeliefSearchError("a weight goes with weighted-astar; name that as the solver")
            _check_option(name, "a weight", lambda entry: entry.weighted)
        kind = self.kind(problem)
        if kind is Kind.CONTINGENT:
            self._check_contingent(type(problem).__name__)
        elif self.heuristic != "auto" and kind not in HEURISTICS[self.heuristic].makers:
            raise ProblemError(f"the heuristic {self.heuristic} is for contingent problems; choose another heuristic")
        return kind

    def check_can_be_kept(self, problem: BaseProblem[Any, Any]) -> None:
        """Make sure that the search can be kept and gone on with; else raise a `BeliefSearchError` that says which can.

        The names must have been checked.
        """
        require("search with --store", problem, kind=self.kind(problem))
        if self.solver not in ("auto", "search"):
            _check_option(find_solver(self.solver, *Kind), "a store", lambda entry: entry.keeps)
        elif self.horizon is not None:
            _check_option("finite-horizon", "a store", lambda entry: entry.keeps)

    def given(self) -> list[str]:
        """What is asked for beside a solver, as options of the command line."""
        default = SearchRequest()
        names = ("heuristic", "weight", "dominance", "engine", "objective", "precision", "horizon")
        return [f"--{name}" for name in names if getattr(self, name) != getattr(default, name)]

    def _check_engine(self) -> None:
        _check_name("engine", self.engine, ENGINES)

    def _check_numbers(self) -> None:
        if self.precision is not None and not 0 <= self.precision < 1:
            raise BeliefSearchError(f"the precision must be at least 0 and below 1, not {self.precision}")
        if self.horizon is not None and self.horizon < 0:
            raise BeliefSearchError(f"the horizon is a number of actions, at least 0, not {self.horizon}")

    def _check_contingent(self, name: str) -> None:
        fitting = [other for other in solvers_of(Kind.CONTINGENT) if SOLVERS[other].objective == self._least]
        if self.solver != "auto":
            solver = find_solver(self.solver)
            entry = SOLVERS[solver]
            if Kind.CONTINGENT not in entry.functions:
                raise ProblemError(
                    f"the plans of the solver {solver} never branch on percepts, and {name} may need that; "
                    f"choose {' or '.join(fitting)}"
                )
            if entry.objective != self._least:
                raise BeliefSearchError(
                    f"the solver {solver} finds the least {entry.objective} cost; for the {self.objective} cost "
                    f"choose {' or '.join(fitting)}"
                )
        if self.engine == "compiled":
            self._check_on_arrays()
        fitting = heuristics_of(Kind.CONTINGENT)
        if self.heuristic not in ("auto", *fitting):
            raise ProblemError(
                f"the heuristic {self.heuristic} bounds plans that never branch, and {name} may need others; "
                f"choose {', '.join(fitting)}"
            )
        if self.dominance and self.objective == "expected":
            raise BeliefSearchError("dominance is for worst-case costs, not for expected costs; leave it out")

    @property
    def _least(self) -> str:
        """Of which cost the plan should have the least."""
        return "worst" if self.objective == ALMOST_SURE else self.objective

    def _check_on_arrays(self) -> None:
        """The solver under the engine "compiled" where there are percepts, by default the one that has such a form."""
        fitting = [
            name
            for name in solvers_of(Kind.CONTINGENT)
            if SOLVERS[name].on_arrays and SOLVERS[name].objective == self._least
        ]
        if not fitting:
            raise BeliefSearchError(
                f"the engine compiled has no solver for the {self.objective} cost where there are percepts; "
                "choose bits or naive"
            )
        if self.solver != "auto" and find_solver(self.solver) not in fitting:
            raise BeliefSearchError(
                f"of the solvers for conditional plans the engine compiled has {' and '.join(fitting)}, and no "
                f"{find_solver(self.solver)}; choose bits or naive"
            )
        for option, given in (("heuristic", self.heuristic != "auto"), ("dominance", self.dominance)):
            if given and self.solver == "auto":
                raise BeliefSearchError(
                    f"the engine compiled draws the whole graph of beliefs, which takes no {option}; leave it out, or "
                    "choose bits or naive"
                )

    def _check_plain(self, problem: BaseProblem[Any, Any], solver: str) -> None:
        name = type(problem).__name__
        hidden = f"for sensorless problems, and {name} is none"
        if self.objective == "expected":
            require("search with --objective", problem)
        if solver != "auto":
            entry = SOLVERS[solver]
            if Kind.CONTINGENT in entry.functions:
                raise ProblemError(
                    f"the solver {solver} is for belief problems, and {name} is none; choose another solver"
                )
            if Kind.PLAIN not in entry.functions:
                raise ProblemError(f"the solver {solver} is {hidden}; choose another solver, or play it blindfolded")
            if entry.backwards and not isinstance(problem, ReversibleProblem):
                raise ProblemError(
                    f"the solver {solver} is for problems that can be walked backwards (ReversibleProblem), "
                    f"and {name} cannot; choose another solver"
                )
        if self.heuristic != "auto" and Kind.PLAIN not in HEURISTICS[self.heuristic].makers:
            if Kind.SENSORLESS in HEURISTICS[self.heuristic].makers:
                raise ProblemError(f"the heuristic {self.heuristic} is {hidden}; choose another heuristic")
            raise ProblemError(f"the heuristic {self.heuristic} is for contingent problems; choose another heuristic")
        if self.dominance:
            require("search with --dominance", problem)
        if self.engine == "compiled":
            require("search with --engine compiled", problem)


def _check_name(thing: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        hint = suggestion(name, names) or f"there are {', '.join(names)}"
        raise BeliefSearchError(f"there is no {thing} called {name!r}; {hint}")


def _check_option(solver: str, thing: str, takes_it: Callable[[SolverEntry], bool]) -> None:
    if solver != "auto" and not takes_it(SOLVERS[solver]):
        others: Iterable[str] = (name for name, entry in SOLVERS.items() if takes_it(entry))
        raise BeliefSearchError(
            f"the solver {solver} takes no {thing.removeprefix('a ')}; {thing} goes with {', '.join(others)}"
        )
