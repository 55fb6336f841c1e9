"""Options of every command that searches.

Options of every command whose search can be kept on disk and gone on with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import Any

import click
from attrs import frozen

from ..errors import BeliefSearchError
from ..planner.options import SearchRequest
from ..plans.result import CONSTRUCT
from ..running.limits import Limits
from ..running.run import KeptIn
from .options import Whole, limit_options, limits_of, with_options
from .selected_problem import Chosen


@frozen
class SearchOptions:
    """Search options that the user gave."""

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
        """Return the search options as a request to `solve`."""
        names = ("heuristic", "weight", "dominance", "engine", "objective", "precision", "horizon")
        return SearchRequest(self.solver, {name: getattr(self, name) for name in names})

    def limits(self) -> Limits:
        """Return new limits, counting from zero."""
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
    """Return the search options, which `help search` explains."""
    return with_options(click.Command("search"), *reversed(_OPTIONS)).params


def search_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the search options; its callback receives them as `search`."""

    def with_search(**arguments: Any) -> Any:
        own = {name: arguments.pop(name) for name in SearchOptions.__annotations__}
        return callback(search=SearchOptions(**own), **arguments)

    return limit_options(with_options(update_wrapper(with_search, callback), *_OPTIONS))


@frozen
class StoreOptions:
    """Directory in which the user wants a search to be kept, and whether to go on with what is there."""

    directory: Path | None
    resume: bool

    @property
    def kept(self) -> KeptIn | None:
        """The directory as a search takes it; None if the search is not to be kept."""
        return None if self.directory is None else KeptIn(self.directory, self.resume)

    def check_spared(self, *outputs: Path | None) -> None:
        """Check before long work that no result would be written over what is kept, or be taken for it."""
        if self.directory is None or not any(outputs):
            return
        from ..running.store.directory import is_part_of_store  # which loads NumPy

        for path in outputs:
            if path is not None and is_part_of_store(path, self.directory):
                raise BeliefSearchError(f"{str(path)!r} is a file of the store itself; choose another name")


def store_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--store` and `--resume`; its callback receives them as `store`."""

    def with_store(*, store_directory: str | None, resume: bool, **arguments: Any) -> Any:
        if resume and store_directory is None:
            raise click.UsageError("--resume goes on with what --store DIR holds; give that, too.")
        if store_directory == "":  # as a path it would be the directory that one is in
            raise click.UsageError("--store needs a directory, and the name that was given is empty.")
        directory = None if store_directory is None else Path(store_directory)
        return callback(store=StoreOptions(directory, resume), **arguments)

    return with_options(
        update_wrapper(with_store, callback),
        click.option(
            "--store",
            "store_directory",
            type=click.Path(),
            metavar="DIR",
            help="Keep the search in DIR, so that it can be killed at any moment and gone on with.",
        ),
        click.option("--resume", is_flag=True, help="Go on with the search that --store DIR holds, if any."),
    )
