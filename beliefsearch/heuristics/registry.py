"""Heuristics by name; each is admissible, so that A* with it is optimal.

A heuristic is anything that takes a state, as the solver sees it, and gives a lower bound on its cost to
a goal (infinite where there is no way). `HEURISTICS` maps each name that `--heuristic` takes to an entry
that makes the heuristic for each kind of problem it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from attrs import frozen

from ..kinds import Kind
from ..model.problem import Problem
from ..running.limits import TooDear
from ..solvers.path.estimate import Heuristic, maximum, no_estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .state_graph import StateGraph


# Makes a heuristic, in a setting or of a view; the number bounds the elementary steps this may take, None: no bound.
_Maker: TypeAlias = "Callable[[Any, int | None], Heuristic[Any]]"


@frozen
class PlainSetting:
    """The input of heuristics for plain problems: the problem alone."""

    seen: Problem[Any, Any]


class Setting(Protocol):
    """The input of heuristics on the physical states of a belief problem."""

    @property
    def seen(self) -> Problem[Any, Any]:
        """The problem as the solver sees it."""

    def graph(self, allowance: int | None) -> StateGraph:
        """The graph of physical states; raises `TooDear` if it takes more than the allowed elementary steps."""

    def initial(self) -> NDArray[Any]:
        """The members of the initial belief by number."""

    def numbers(self, belief: Any) -> NDArray[Any]:
        """The numbers in the graph of the members of a belief of the solver's view."""


@frozen
class HeuristicEntry:
    """An entry of the registry: a heuristic and the kinds of problem it is for.

    Attributes
    ----------
    makers
        By kind of problem: what makes it. For plain problems in a `PlainSetting`, for sensorless ones in a `Setting`,
        for contingent ones of the view that is searched.
    consistent
        Whether no action lowers it by more than the action costs. (Of an author's own nobody knows.)
    """

    makers: Mapping[Kind, _Maker]
    consistent: bool = True


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
    found: list[Heuristic[Any]] = [setting.seen.heuristic] if setting.seen.has_heuristic() else []
    for make in (_perfect_sight, _pairs, _potential):
        with suppress(TooDear):
            found.append(make(setting, AFFORDABLE if allowance is None else allowance))
    return maximum(found) if found else no_estimate


def _contingent(name: str) -> _Maker:
    def make(view: Any, allowance: int | None) -> Heuristic[Any]:
        from .contingent import MAKERS

        return MAKERS[name](view, allowance)

    return make


def _for_every_plan(name: str, make: _Maker) -> Mapping[Kind, _Maker]:
    return {Kind.PLAIN: make, Kind.SENSORLESS: make, Kind.CONTINGENT: _contingent(name)}


HEURISTICS: Mapping[str, HeuristicEntry] = {
    "best": HeuristicEntry({Kind.SENSORLESS: _best, Kind.CONTINGENT: _contingent("best")}, consistent=False),
    "own": HeuristicEntry(_for_every_plan("own", lambda setting, _: setting.seen.heuristic), consistent=False),
    "perfect-sight": HeuristicEntry({Kind.SENSORLESS: _perfect_sight, Kind.CONTINGENT: _contingent("perfect-sight")}),
    "pairs": HeuristicEntry({Kind.SENSORLESS: _pairs}),
    "potential": HeuristicEntry({Kind.SENSORLESS: _potential}),
    "none": HeuristicEntry(_for_every_plan("none", lambda setting, _: no_estimate)),
    "capacity": HeuristicEntry({Kind.CONTINGENT: _contingent("capacity")}),
}


def heuristics_of(*kinds: Kind) -> list[str]:
    """The names of the heuristics for problems of these kinds."""
    return [name for name, entry in HEURISTICS.items() if not entry.makers.keys().isdisjoint(kinds)]
