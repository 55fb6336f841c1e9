"""The options of every command that searches, and the search itself with progress and limits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from attrs import frozen

from .. import closed_form
from ..errors import BeliefSearchError
from .problem_command import Chosen

if TYPE_CHECKING:
    from ..request import SearchRequest
    from ..solution import Limits, SearchResult

__all__ = ["SearchOptions", "search_options"]

_Callback = TypeVar("_Callback", bound=Callable[..., Any])


@frozen
class SearchOptions:
    """How to search, as the user asked for it."""

    solver: str
    heuristic: str
    weight: float | None
    dominance: bool
    engine: str
    objective: str
    time_limit: float | None
    memory_limit: int | None
    quiet: bool

    def solve(self, chosen: Chosen) -> SearchResult[Any]:
        """Solve the chosen problem, showing progress on standard error."""
        from ..budget import hard_memory_limit
        from ..solving import solve
        from .progress import Progress

        if chosen.by_chance:
            raise BeliefSearchError(
                f"{chosen.reference} is a stochastic problem, whose answer is a policy and no plan; run, verify, "
                "simulate, play and export know what to do with it"
            )
        found = closed_form.checked_construction(chosen.problem, self.request(), called=chosen.reference)
        if found is not None:
            return closed_form.construction_result(found)
        with Progress(self.quiet) as progress, hard_memory_limit(self.memory_limit):
            return solve(
                chosen.problem,
                solver="auto" if self.solver == "search" else self.solver,
                heuristic=self.heuristic,
                weight=self.weight,
                dominance=self.dominance,
                engine=self.engine,
                objective=self.objective,
                limits=self.limits(),
                observer=progress,
            )

    def request(self) -> SearchRequest:
        """The names that the framework knows the search by."""
        from ..request import SearchRequest

        return SearchRequest(self.solver, self.heuristic, self.weight, self.dominance, self.engine, self.objective)

    def limits(self) -> Limits:
        """The limits; where no memory limit was asked for, nine tenths of what the machine has."""
        from ..budget import machine_memory
        from ..solution import Limits

        memory = self.memory_limit
        if memory is None:
            machine = machine_memory()
            memory = None if machine is None else machine * 9 // 10
        return Limits(seconds=self.time_limit, memory=memory)


_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def _size(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]i?|)b?", text.lower())
    size = math.ceil(float(match[1]) * _UNITS[match[2]]) if match else 0
    if not size:
        raise click.BadParameter(f"{text!r} is not a size such as 500MB, 2GiB or a number of bytes.")
    return size


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"{text!r} is not a number of seconds above 0.")
    return seconds


_OPTIONS = (
    click.option(
        "--solver",
        default="auto",
        metavar="NAME",
        help="breadth-first, uniform-cost, astar, weighted-astar, greedy-best-first, ida-star, bidirectional or "
        "regression; search: one that is optimal for the problem; construct: no search, but the closed form that "
        "the puzzle knows; by default a search where one is quick, else the closed form if there is one. Where "
        "there are percepts: and-or-graph, and-or or expected-and-or. Where chance decides: backward-induction, "
        "policy-iteration or value-iteration.",
    ),
    click.option(
        "--heuristic",
        default="auto",
        metavar="NAME",
        help="own (the problem's), perfect-sight, pairs, potential, best (the maximum of those that are affordable) "
        "or none; by default own, and best once a sensorless search has grown large. Where there are percepts: own, "
        "perfect-sight, capacity, best or none.",
    ),
    click.option("--weight", type=float, help="For weighted-astar: the plan costs at most this many times the least."),
    click.option(
        "--dominance/--no-dominance", help="Drop beliefs that contain another one reached as cheaply; default: no."
    ),
    click.option(
        "--engine",
        default="auto",
        metavar="NAME",
        help="How beliefs are represented: naive, bits, compiled, or auto: bits as long as the search is small, "
        "then compiled.",
    ),
    click.option(
        "--objective",
        default="worst",
        metavar="NAME",
        help="worst: the plan that costs least in the worst case; expected: the one that costs least in the mean over "
        "all possible starts, which are equally likely.",
    ),
    click.option("--time-limit", type=_seconds, metavar="SECONDS", help="Give up after so many seconds."),
    click.option(
        "--memory-limit",
        type=_size,
        metavar="SIZE",
        help="Give up before using more memory, such as 500MB; by default nine tenths of the machine's.",
    ),
    click.option("--quiet", is_flag=True, help="Show no progress."),
)


def search_options(callback: _Callback) -> Callable[..., Any]:
    """Give a command the options of a search; its callback receives them as `search`."""
    from functools import update_wrapper

    def with_search(**arguments: Any) -> Any:
        own = {name: arguments.pop(name) for name in SearchOptions.__annotations__}
        return callback(search=SearchOptions(**own), **arguments)

    decorated: Callable[..., Any] = update_wrapper(with_search, callback)
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated
