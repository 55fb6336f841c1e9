"""What a caller of `solve` asks for: names of a solver, a heuristic and an engine, known to go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..errors import BeliefSearchError, ProblemError
from ..heuristics.registry import HEURISTICS, WITH_PERCEPTS
from ..model.hooks import ReversibleProblem
from ..model.problem import Problem
from ..solvers.registry import ALIASES, SOLVERS, SolverEntry

if TYPE_CHECKING:
    from ..model.problem import BeliefProblem

__all__ = ["ENGINES", "OBJECTIVES", "SearchRequest", "find_solver"]

ENGINES = ("auto", "naive", "bits", "compiled")
"""How beliefs are represented: frozensets (`naive`), Python ints (`bits`), words under compiled kernels, or
whichever suits the size of the search (`auto`)."""

OBJECTIVES = ("worst", "expected")
"""What a plan should have the least of: the most it may cost, or its mean cost over equally likely starts."""


@frozen
class SearchRequest:
    """How to search; for the meaning of the fields see `solve`."""

    solver: str
    heuristic: str
    weight: float | None
    dominance: bool
    engine: str
    objective: str = "worst"

    def says_how(self) -> bool:
        """Whether there is more to it than the name of a solver."""
        plain = SearchRequest(self.solver, "auto", None, dominance=False, engine="auto")
        return self != plain

    def check(self, problem: BeliefProblem[Any, Any, Any]) -> None:
        """Make sure that everything exists, goes together, and goes with `problem`.

        Raises
        ------
        BeliefSearchError, ProblemError
            If not; says what does.
        """
        if self.engine not in ENGINES:
            raise BeliefSearchError(f"there is no engine called {self.engine!r}; there are {', '.join(ENGINES)}")
        heuristics = dict.fromkeys((*HEURISTICS, *WITH_PERCEPTS))
        if self.heuristic != "auto" and self.heuristic not in heuristics:
            raise BeliefSearchError(
                f"there is no heuristic called {self.heuristic!r}; there are {', '.join(heuristics)}"
            )
        if self.objective not in OBJECTIVES:
            raise BeliefSearchError(
                f"there is no objective called {self.objective!r}; there are {', '.join(OBJECTIVES)}"
            )
        name = "auto" if self.solver == "auto" else find_solver(self.solver)
        if isinstance(problem, Problem):
            self._check_plain(problem, name)
        if self.heuristic != "auto":
            _check_option(name, "a heuristic", lambda entry: entry.informed)
        if self.dominance:
            _check_option(name, "dominance", lambda entry: entry.prunes)
        if self.weight is not None:
            if name == "auto":
                raise BeliefSearchError("a weight goes with weighted-astar; name that as the solver")
            _check_option(name, "a weight", lambda entry: entry.weighted)
        if self.branches(problem):
            self._check_branching(type(problem).__name__)
        elif self.heuristic != "auto" and self.heuristic not in HEURISTICS:
            raise ProblemError(
                f"the heuristic {self.heuristic} is for problems with percepts; choose another heuristic"
            )

    def check_stochastic(self, kind: str) -> None:
        """Make sure that nothing is asked for that plays no part where chance decides; raises as `check` does."""
        asked = {
            "a heuristic": self.heuristic != "auto",
            "a weight": self.weight is not None,
            "dominance": self.dominance,
            "an engine": self.engine != "auto",
            "an objective": self.objective != "worst",
        }
        for thing, given in asked.items():
            if given:
                raise ProblemError(f"{thing} plays no part in {kind}, which is stochastic; leave it out")

    def branches(self, problem: BeliefProblem[Any, Any, Any]) -> bool:
        """Whether plans may have to branch on percepts, or somebody asks for a solver whose plans may."""
        if isinstance(problem, Problem):
            return False
        named = self.solver != "auto" and SOLVERS[find_solver(self.solver)].for_percepts is not None
        return named or self.objective == "expected" or not problem.is_sensorless()

    def _check_branching(self, kind: str) -> None:
        fitting = [n for n, e in SOLVERS.items() if e.for_percepts is not None and e.objective == self.objective]
        if self.solver != "auto":
            name = find_solver(self.solver)
            entry = SOLVERS[name]
            if entry.for_percepts is None:
                raise ProblemError(
                    f"the plans of the solver {name} never branch on percepts, and {kind} may need that; "
                    f"choose {' or '.join(fitting)}"
                )
            if entry.objective != self.objective:
                raise BeliefSearchError(
                    f"the solver {name} finds the least {entry.objective} cost; for the {self.objective} cost "
                    f"choose {' or '.join(fitting)}"
                )
        if self.engine == "compiled":
            raise ProblemError(
                f"the engine compiled is for plans that never branch, and {kind} may need others; choose bits or naive"
            )
        if self.heuristic not in ("auto", *WITH_PERCEPTS):
            raise ProblemError(
                f"the heuristic {self.heuristic} bounds plans that never branch, and {kind} may need others; "
                f"choose {', '.join(WITH_PERCEPTS)}"
            )
        if self.dominance and self.objective == "expected":
            raise BeliefSearchError("dominance says nothing of expected costs; leave it out")

    def _check_plain(self, problem: BeliefProblem[Any, Any, Any], name: str) -> None:
        kind = type(problem).__name__
        hidden = f"for sensorless problems, and {kind} is none"
        if self.objective != "worst":
            raise ProblemError(f"the objective {self.objective} is for problems whose start is uncertain; leave it out")
        if name != "auto" and SOLVERS[name].for_percepts is not None:
            raise ProblemError(f"the solver {name} is for belief problems, and {kind} is none; choose another solver")
        if name != "auto" and SOLVERS[name].function is None:
            raise ProblemError(f"the solver {name} is {hidden}; choose another solver, or play it blindfolded")
        if name != "auto" and SOLVERS[name].backwards and not isinstance(problem, ReversibleProblem):
            raise ProblemError(
                f"the solver {name} is for problems that can be walked backwards (ReversibleProblem), "
                f"and {kind} cannot; choose another solver"
            )
        known = HEURISTICS.get(self.heuristic)
        if self.heuristic != "auto" and known is None:
            raise ProblemError(
                f"the heuristic {self.heuristic} is for problems with percepts; choose another heuristic"
            )
        if known is not None and known.for_beliefs:
            raise ProblemError(f"the heuristic {self.heuristic} is {hidden}; choose another heuristic")
        if self.dominance:
            raise ProblemError(f"dominance is {hidden}; leave it out")


def find_solver(name: str) -> str:
    """The solver's own name, whether `name` is that or an alias.

    Raises
    ------
    BeliefSearchError
        If there is no such solver.
    """
    found = ALIASES.get(name.lower(), name.lower())
    if found not in SOLVERS:
        raise BeliefSearchError(f"there is no solver called {name!r}; there are {', '.join(SOLVERS)}")
    return found


def _check_option(solver: str, thing: str, takes_it: Callable[[SolverEntry], bool]) -> None:
    if solver != "auto" and not takes_it(SOLVERS[solver]):
        others: Iterable[str] = (name for name, entry in SOLVERS.items() if takes_it(entry))
        raise BeliefSearchError(
            f"the solver {solver} takes no {thing.removeprefix('a ')}; {thing} goes with {', '.join(others)}"
        )
