"""Options of every command that searches, and of every command whose search can be stored on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import click
from attrs import fields_dict, frozen

from ..heuristics.registry import find_heuristic
from ..planner.options import SearchRequest
from ..running.limits import Limits
from ..running.run import KeptIn
from .options import Whole, limit_options, limits_of, with_options

_NAMES = ("heuristic", "weight", "dominance", "engine", "objective", "precision", "horizon")


@frozen
class SearchOptions:
    """Search as the user wants it, its limits, and how to print."""

    request: SearchRequest
    time_limit: float | None = None
    memory_limit: int | None = None
    quiet: bool = False
    exact: bool = False  # whether values and bounds are printed with all their digits

    @classmethod
    def taken_from(cls, ctx: click.Context) -> Self:
        """Take the options of this class out of the parameters of a command."""
        named = {name: ctx.params.pop(name) for name in _NAMES if name in ctx.params}
        request = SearchRequest(ctx.params.pop("solver", "auto"), named)
        others = [name for name in fields_dict(cls) if name in ctx.params]
        return cls(request, **{name: ctx.params.pop(name) for name in others})

    def limits(self) -> Limits:
        """Return new limits, counting from zero."""
        return limits_of(self.time_limit, self.memory_limit)


def store_of(ctx: click.Context) -> KeptIn | None:
    """Take `--store` and `--resume` out of the parameters of a command; raise `click.UsageError` for a mistake."""
    directory, resume = ctx.params.pop("store_directory", None), ctx.params.pop("resume", False)
    if resume and directory is None:
        raise click.UsageError("--resume goes on with what --store DIR holds; give that, too.", ctx)
    if directory == "":  # as a path it would be the directory that one is in
        raise click.UsageError("--store needs a directory, and the name that was given is empty.", ctx)
    return None if directory is None else KeptIn(Path(directory), resume)


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
        callback=lambda ctx, option, name: find_heuristic(name),
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
        help="How beliefs are represented: naive, bits, compiled, factored if the problem has factors, or auto: bits "
        "while the search is small, then factored or compiled. Where there are percepts compiled goes with "
        "and-or-graph.",
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
    """Give a command the search options."""
    return limit_options(with_options(callback, *_OPTIONS))


def store_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--store` and `--resume`."""
    return with_options(
        callback,
        click.option(
            "--store",
            "store_directory",
            type=click.Path(),
            metavar="DIR",
            help="Keep the search in DIR, so that it can be killed at any moment and gone on with.",
        ),
        click.option("--resume", is_flag=True, help="Go on with the search that --store DIR holds, if any."),
    )
