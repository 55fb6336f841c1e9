"""Heuristics by name. One heuristic a file; each is admissible, so that A* is optimal with it.

A heuristic is anything that takes a state, as the solver sees it, and gives a lower bound on its cost to
a goal (infinite where there is no way). `HEURISTICS` maps each name that `--heuristic` takes to an entry
that makes the heuristic in a given `Setting`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from attrs import frozen

from ..model.problem import Problem
from ..running.limits import TooDear
from ..solvers.path.estimate import Heuristic, maximum, no_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .state_graph import StateGraph

__all__ = ["AFFORDABLE", "HEURISTICS", "WITH_PERCEPTS", "HeuristicEntry", "PlainSetting", "Setting"]


@frozen
class PlainSetting:
    """What heuristics are made from where states are seen: the problem alone."""

    seen: Problem[Any, Any]


class Setting(Protocol):
    """What heuristics about the physical states of a belief problem are made from."""

    @property
    def seen(self) -> Problem[Any, Any]:
        """The problem as the solver sees it."""

    def graph(self, allowance: int | None) -> StateGraph:
        """The physical states; raises `TooDear` if so many elementary steps are not enough."""

    def initial(self) -> NDArray[Any]:
        """The members of the initial belief by number."""

    def numbers(self, belief: Any) -> NDArray[Any]:
        """The members of a belief, as the solver sees it, by their numbers in the graph."""


@frozen
class HeuristicEntry:
    """A heuristic as the front door sees it.

    Attributes
    ----------
    make
        Makes it in a `Setting`, or a `PlainSetting` if it is not only for beliefs; the second argument bounds
        the elementary steps this may take, None for no bound.
    for_beliefs
        Whether it is for belief problems only.
    consistent
        Whether no action lowers it by more than the action costs. (Of an author's own nobody knows.)
    """

    make: Callable[[Any, int | None], Heuristic[Any]]
    for_beliefs: bool = False
    consistent: bool = True


def _own(setting: PlainSetting | Setting, allowance: int | None) -> Heuristic[Any]:
    return setting.seen.heuristic


def _none(setting: PlainSetting | Setting, allowance: int | None) -> Heuristic[Any]:
    return no_estimate


def _perfect_sight(setting: Setting, allowance: int | None) -> Heuristic[Any]:
    from .perfect_sight import perfect_sight

    return perfect_sight(setting.graph(allowance), setting.numbers)


def _pairs(setting: Setting, allowance: int | None) -> Heuristic[Any]:
    from .pairs import pairs

    return pairs(setting.graph(allowance), setting.numbers)


def _potential(setting: Setting, allowance: int | None) -> Heuristic[Any]:
    from .potential import potential

    graph = setting.graph(allowance)
    return potential(graph, setting.initial(), setting.numbers, unit_costs=setting.seen.has_unit_costs())


# A table is affordable for `best` if it takes no more elementary steps than this: a second or so, for a
# search that is known to take at least as long.
AFFORDABLE = 200_000_000


def _best(setting: Setting, allowance: int | None) -> Heuristic[Any]:
    found: list[Heuristic[Any]] = [_own(setting, None)] if setting.seen.has_heuristic() else []
    for make in (_perfect_sight, _pairs, _potential):
        try:
            found.append(make(setting, AFFORDABLE if allowance is None else allowance))
        except TooDear:
            continue
    return maximum(found) if found else no_estimate


HEURISTICS: Mapping[str, HeuristicEntry] = {
    "best": HeuristicEntry(_best, for_beliefs=True, consistent=False),
    "own": HeuristicEntry(_own, consistent=False),
    "perfect-sight": HeuristicEntry(_perfect_sight, for_beliefs=True),
    "pairs": HeuristicEntry(_pairs, for_beliefs=True),
    "potential": HeuristicEntry(_potential, for_beliefs=True),
    "none": HeuristicEntry(_none),
}

WITH_PERCEPTS = ("best", "own", "perfect-sight", "capacity", "none")
"""The names of those that bound what conditional plans cost; see `contingent_solving` for how they are made."""
