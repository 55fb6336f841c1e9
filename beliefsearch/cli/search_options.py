"""The options of every command that searches, and the search itself with progress and limits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click
from attrs import frozen

from ..errors import BeliefSearchError
from ..model.hooks import Construction
from ..plans.result import CONSTRUCT, SearchResult
from ..plans.wording import MOST_DIGITS
from ..running.alarm import doing
from ..running.limits import Limits
from ..solving.closed_form import FEW_STATES, checked_construction, construction_result
from ..solving.request import SearchRequest
from ..solving.solve import solve_within
from .chosen import Chosen
from .limits import limit_options, limits_of, with_options
from .progress import Progress


@frozen
class SearchOptions:
    """The search options that the user gave."""

    solver: str
    heuristic: str
    weight: float | None
    dominance: bool
    engine: str
    objective: str
    time_limit: float | None
    memory_limit: int | None
    quiet: bool

    def check(self, chosen: Chosen) -> None:
        """Refuse options that do not apply to a problem of this kind."""
        if self.solver == CONSTRUCT:
            chosen.require("answer in closed form")

    def closed_form(self, chosen: Chosen, few_states: int = FEW_STATES) -> Construction[Any] | None:
        """The checked closed form to be used instead of a search; None for a search."""
        sys.set_int_max_str_digits(MOST_DIGITS)
        return doing(
            "the puzzle's closed form was being checked",
            chosen.budget,
            lambda: checked_construction(
                chosen.problem, self.request(), called=chosen.reference, few_states=few_states
            ),
        )

    def solve(self, chosen: Chosen) -> SearchResult[Any]:
        """The answer to the chosen problem: in closed form, its plan listed, or by a search."""
        found = self.closed_form(chosen)
        if found is None:
            return self.search(chosen)
        return doing("the plan was being listed", chosen.budget, lambda: construction_result(found))

    def search(self, chosen: Chosen) -> SearchResult[Any]:
        """Search within the limits of the command, showing progress on standard error."""
        with Progress(self.quiet) as progress:
            result: SearchResult[Any] = solve_within(
                chosen.problem, self.request().to_search(), chosen.budget, progress
            )
            return result

    def distances(self, chosen: Chosen, option: str) -> Any:
        """The costs from all states, by one backward search with progress, which `option` asks for."""
        from ..model.hooks import ReversibleProblem
        from ..solvers.path.distance_table import distance_table

        if not isinstance(chosen.problem, ReversibleProblem):
            raise BeliefSearchError(
                f"{chosen.reference} cannot be walked backwards, which {option} needs (see ReversibleProblem)"
            )
        with Progress(self.quiet) as progress:
            return distance_table(chosen.problem, budget=chosen.budget, observer=progress)

    def request(self) -> SearchRequest:
        """The search options as a request to `solve`."""
        return SearchRequest(self.solver, self.heuristic, self.weight, self.dominance, self.engine, self.objective)

    def limits(self) -> Limits:
        """New limits, counting from zero."""
        return limits_of(self.time_limit, self.memory_limit)


_OPTIONS = (
    click.option(
        "--solver",
        default="auto",
        metavar="NAME",
        help="A solver below; search: an optimal solver for the problem; construct: the puzzle's closed form, without "
        "a search. By default a search if it is quick, else the closed form if there is one.",
    ),
    click.option(
        "--heuristic",
        default="auto",
        metavar="NAME",
        help="A lower bound that guides the search, listed below: own is the problem's, best the maximum of those "
        "that are affordable. By default own, or best once a sensorless search has grown large.",
    ),
    click.option("--weight", type=float, help="For weighted-astar: the plan costs at most this many times the least."),
    click.option(
        "--dominance/--no-dominance", help="Prune beliefs that contain one reached at no greater cost; default: no."
    ),
    click.option(
        "--engine",
        default="auto",
        metavar="NAME",
        help="How beliefs are represented: naive, bits, compiled, or auto: bits while the search is small, "
        "then compiled.",
    ),
    click.option(
        "--objective",
        default="worst",
        metavar="NAME",
        help="worst: the plan of least worst-case cost; expected: the plan of least expected cost, all possible starts "
        "being equally likely.",
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)


def how_to_search() -> list[click.Parameter]:
    """The search options, which `help search` explains."""
    return with_options(click.Command("search"), *reversed(_OPTIONS)).params


def search_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the search options; its callback receives them as `search`."""

    def with_search(**arguments: Any) -> Any:
        own = {name: arguments.pop(name) for name in SearchOptions.__annotations__}
        return callback(search=SearchOptions(**own), **arguments)

    return limit_options(with_options(update_wrapper(with_search, callback), *_OPTIONS))
