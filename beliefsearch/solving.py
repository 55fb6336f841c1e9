"""The front door: `solve(problem)` picks a view, a heuristic and a solver for the kind of problem."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from .budget import Budget
from .engine.bitset_view import BitsetView
from .errors import BeliefSearchError, ProblemError
from .heuristics import HEURISTICS
from .observers import Observer
from .problem import Action, BaseProblem, BeliefProblem, Problem, ReversibleProblem, State, StochasticProblem
from .solution import Limits, SearchResult
from .solvers import ALIASES, SOLVERS
from .views import BeliefView, Blindfolded, Quotient, SensorlessView

if TYPE_CHECKING:
    from typing import TypeAlias

    AnyProblem: TypeAlias = (
        Problem[State, Action] | BeliefProblem[State, Action, Any] | StochasticProblem[State, Action]
    )

__all__ = ["ENGINES", "find_solver", "solve", "view_of"]

ENGINES = ("auto", "naive", "bits")
"""How beliefs are represented: frozensets (`naive`), ints (`bits`), or whichever is best (`auto`)."""


def solve(
    problem: AnyProblem[State, Action],
    *,
    solver: str = "auto",
    heuristic: str = "auto",
    weight: float | None = None,
    engine: str = "auto",
    limits: Limits | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Solve any problem that this version has a solver for.

    Parameters
    ----------
    problem
        A plain problem, or a belief problem without percepts.
    solver
        A name in `SOLVERS` or `ALIASES`. "auto" is A* when the problem has a heuristic, uniform-cost
        search when costs differ, bidirectional search when the problem can be walked backwards, and
        breadth-first search otherwise.
    heuristic
        A name in `HEURISTICS`, for solvers that take one. "auto" is the problem's own, if it has
        one.
    weight
        For weighted A*: its plan costs at most this many times the least cost.
    engine
        One of `ENGINES`; plays a part for belief problems only. The answer is always the same.
    limits
        When to give up.
    observer
        Told of every event.

    Returns
    -------
    SearchResult
        The verdict; see its class for what is guaranteed.

    Raises
    ------
    BeliefSearchError
        If a name is unknown or does not go with the solver.
    ProblemError
        If the problem is of a kind that has no solver, or is caught breaking its contract: no start, no
        results, unhashable states, impossible costs or estimates. Other mistakes of its author surface as
        the exceptions they cause; `check_problem` finds them.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> result = solve(DevilProblem(n=2))
    >>> result.status.value, [sorted(move) for move in result.plan]
    ('solved', [[0, 1], [0], [0, 1]])
    """
    budget = Budget(limits)
    seen = view_of(problem, engine=engine, budget=budget, observer=observer)
    heuristic_name = _find_heuristic(heuristic, seen)
    # Somebody who names a heuristic wants a solver that takes one.
    name = find_solver(solver) if solver != "auto" else "astar" if heuristic != "auto" else _choose(seen)
    entry = SOLVERS[name]
    if entry.backwards and not isinstance(problem, ReversibleProblem):
        raise ProblemError(
            f"the solver {name} is for problems that can be walked backwards (ReversibleProblem), "
            f"and {type(problem).__name__} cannot; choose another solver"
        )
    # Predecessors of representatives are not known, so walking backwards makes no use of symmetry.
    arguments: list[Any] = [problem if entry.backwards else seen]
    options: dict[str, Any] = {}
    if entry.informed:
        arguments.append(HEURISTICS[heuristic_name](seen))
    elif heuristic != "auto":
        _refuse(name, "a heuristic", "heuristic", (n for n, e in SOLVERS.items() if e.informed))
    if weight is not None:
        if not entry.weighted:
            _refuse(name, "a weight", "weight", (n for n, e in SOLVERS.items() if e.weighted))
        options["weight"] = weight
    result = entry.function(*arguments, budget=budget, observer=observer, **options)
    if entry.informed:
        result = evolve(result, heuristic=heuristic_name)
    if isinstance(seen, BeliefView):
        result = evolve(result, stats=evolve(result.stats, max_belief_size=seen.max_belief_size))
    return result


def view_of(
    problem: AnyProblem[State, Action],
    *,
    engine: str = "auto",
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> Problem[Any, Action]:
    """The plain problem that a solver searches for `problem`: a view, or the problem itself.

    For parameters and errors see `solve`.
    """
    if engine not in ENGINES:
        raise BeliefSearchError(f"there is no engine called {engine!r}; there are {', '.join(ENGINES)}")
    if isinstance(problem, Problem):
        return Quotient(problem) if type(problem).canonical is not BaseProblem.canonical else problem
    if isinstance(problem, BeliefProblem):
        tick = (budget or Budget()).tick
        if isinstance(problem, Blindfolded):
            problem = evolve(problem, tick=tick)
        if engine == "naive":
            return SensorlessView(problem, tick)
        return BitsetView(problem, tick, observer.numbered if observer else lambda states: None)
    if isinstance(problem, StochasticProblem):
        raise ProblemError(
            f"{type(problem).__name__} is a stochastic problem, and no solver for that is part of this version; "
            "plain and sensorless problems can be solved"
        )
    raise ProblemError(f"{problem!r} is no problem; give an instance of a problem class, such as DevilProblem(n=4)")


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


def _choose(problem: Problem[Any, Any]) -> str:
    if problem.has_heuristic():
        return "astar"
    if not problem.has_unit_costs():
        return "uniform-cost"
    return "bidirectional" if isinstance(problem, ReversibleProblem) else "breadth-first"


def _find_heuristic(name: str, seen: Problem[Any, Any]) -> str:
    found = name if name != "auto" else "own" if seen.has_heuristic() else "none"
    if found not in HEURISTICS:
        raise BeliefSearchError(f"there is no heuristic called {name!r}; there are {', '.join(HEURISTICS)}")
    return found


def _refuse(solver: str, thing: str, option: str, others: Iterable[str]) -> None:
    raise BeliefSearchError(f"the solver {solver} takes no {option}; {thing} goes with {', '.join(others)}")
