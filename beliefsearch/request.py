"""What a caller of `solve` asks for: names of a solver, a heuristic and an engine, known to go together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from .errors import BeliefSearchError, ProblemError
from .heuristics import HEURISTICS
from .problem import BeliefProblem, ReversibleProblem
from .solvers import ALIASES, SOLVERS, SolverEntry

if TYPE_CHECKING:
    from .problem import BaseProblem

__all__ = ["ENGINES", "SearchRequest", "find_solver"]

ENGINES = ("auto", "naive", "bits", "compiled")
"""How beliefs are represented: frozensets (`naive`), Python ints (`bits`), words under compiled kernels, or
whichever suits the size of the search (`auto`)."""


@frozen
class SearchRequest:
    """How to search; for the meaning of the fields see `solve`."""

    solver: str
    heuristic: str
    weight: float | None
    dominance: bool
    engine: str

    def check(self, problem: BaseProblem[Any, Any]) -> None:
        """Make sure that everything exists, goes together, and goes with `problem`.

        Raises
        ------
        BeliefSearchError, ProblemError
            If not; says what does.
        """
        if self.engine not in ENGINES:
            raise BeliefSearchError(f"there is no engine called {self.engine!r}; there are {', '.join(ENGINES)}")
        if self.heuristic != "auto" and self.heuristic not in HEURISTICS:
            raise BeliefSearchError(
                f"there is no heuristic called {self.heuristic!r}; there are {', '.join(HEURISTICS)}"
            )
        name = "auto" if self.solver == "auto" else find_solver(self.solver)
        if not isinstance(problem, BeliefProblem):
            self._check_plain(problem, name)
        if self.heuristic != "auto":
            _check_option(name, "a heuristic", lambda entry: entry.informed)
        if self.dominance:
            _check_option(name, "dominance", lambda entry: entry.prunes)
        if self.weight is not None:
            if name == "auto":
                raise BeliefSearchError("a weight goes with weighted-astar; name that as the solver")
            _check_option(name, "a weight", lambda entry: entry.weighted)

    def _check_plain(self, problem: BaseProblem[Any, Any], name: str) -> None:
        kind = type(problem).__name__
        hidden = f"for sensorless problems, and {kind} is none"
        if name != "auto" and SOLVERS[name].function is None:
            raise ProblemError(f"the solver {name} is {hidden}; choose another solver, or play it blindfolded")
        if name != "auto" and SOLVERS[name].backwards and not isinstance(problem, ReversibleProblem):
            raise ProblemError(
                f"the solver {name} is for problems that can be walked backwards (ReversibleProblem), "
                f"and {kind} cannot; choose another solver"
            )
        if self.heuristic != "auto" and HEURISTICS[self.heuristic].for_beliefs:
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
