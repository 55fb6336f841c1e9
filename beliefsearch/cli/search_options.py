"""The options of every command that searches."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click
from attrs import frozen

from ..plans.result import CONSTRUCT
from ..running.limits import Limits
from ..solving.request import SearchRequest
from .chosen import Chosen
from .limits import limit_options, limits_of, with_options
from .whole import Whole


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
    precision: float | None = None
    horizon: int | None = None

    def check(self, chosen: Chosen) -> None:
        """Refuse options that do not apply to a problem of this kind."""
        if self.solver == CONSTRUCT:
            chosen.require("answer in closed form")

    def request(self) -> SearchRequest:
        """The search options as a request to `solve`."""
        return SearchRequest(
            self.solver,
            self.heuristic,
            self.weight,
            self.dominance,
            self.engine,
            self.objective,
            self.precision,
            self.horizon,
        )

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
        "then compiled. Where there are percepts compiled goes with and-or-graph.",
    ),
    click.option(
        "--objective",
        default="worst",
        metavar="NAME",
        help="worst: the plan of least worst-case cost; expected: the plan of least expected cost, all possible starts "
        "being equally likely; almost-sure: a plan that wins with probability 1, also of a stochastic problem.",
    ),
    click.option(
        "--precision",
        type=float,
        help="Where chance and percepts meet: how near the bounds on the value must come, as a share of the larger; "
        "default: 0.001.",
    ),
    click.option("--horizon", type=Whole(0), help="Where chance and percepts meet: how many actions the game has."),
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
