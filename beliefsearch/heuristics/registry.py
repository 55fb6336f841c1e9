"""Heuristics by name; each is admissible, so that A* with it is optimal.

A heuristic is a function from a state of the solver to a lower bound on its cost to a goal, infinite if none can be
reached.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from attrs import frozen

from ..errors import MovedNameWarning
from ..kinds import Kind
from ..model.problem import Problem
from ..running.lazy import loaded_when_called
from ..running.limits import TooDear
from ..solvers.path.heuristic import Heuristic, maximum, no_estimate

# Makes a heuristic from a setting or a view. The number is the allowance, None without a limit: of elementary steps for
# making it; with a view, of the search for `best`, and of pairs of a state and an action for the others.
_Maker: TypeAlias = "Callable[[Any, int | None], Heuristic[Any]]"


@frozen
class PlainSetting:
    """The input of heuristics for plain problems: the problem alone."""

    seen: Problem[Any, Any]


_perfect_sight = loaded_when_called(__package__, ".full_observability:perfect_sight")
_pairs = loaded_when_called(__package__, ".pairwise_table:pairs")
_potential = loaded_when_called(__package__, ".potential:potential")

# The default allowance of `best`, in elementary steps: a second or so, for a search that takes at least as long.
AFFORDABLE = 200_000_000


def _best(setting: Any, allowance: int | None) -> Heuristic[Any]:
    found: list[Heuristic[Any]] = [setting.seen.heuristic] if setting.seen.has_heuristic() else []
    for make in (_perfect_sight, _pairs, _potential):
        with suppress(TooDear):
            found.append(make(setting, AFFORDABLE if allowance is None else allowance))
    return maximum(found) if found else no_estimate


def _own(setting: Any, allowance: int | None) -> Heuristic[Any]:
    heuristic: Heuristic[Any] = setting.seen.heuristic
    return heuristic


_contingent = partial(loaded_when_called, __package__)

HEURISTICS: Mapping[str, Mapping[Kind, _Maker]] = {
    "best": {Kind.SENSORLESS: _best, Kind.CONTINGENT: _contingent(".contingent:best")},
    "own": {Kind.PLAIN: _own, Kind.SENSORLESS: _own, Kind.CONTINGENT: _contingent(".contingent:own_estimate")},
    "full-observability": {Kind.SENSORLESS: _perfect_sight, Kind.CONTINGENT: _contingent(".contingent:perfect_sight")},
    "pairwise": {Kind.SENSORLESS: _pairs, Kind.CONTINGENT: _contingent(".contingent:pairs_if_they_apply")},
    "potential": {Kind.SENSORLESS: _potential},
    "none": dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), lambda seen, allowance: no_estimate),
    "information-bound": {Kind.CONTINGENT: _contingent(".percept_information:capacity_if_it_applies")},
}
"""The functions that make heuristics, by name and kind of problem.

Their argument is a `PlainSetting` for plain problems, a `BeliefSetting` for sensorless ones, and the view that is
searched for contingent ones.
"""

RENAMED: Mapping[str, str] = {
    "perfect-sight": "full-observability",
    "pairs": "pairwise",
    "capacity": "information-bound",
}
"""Old names of heuristics, which are still accepted, and stand in old stores."""


def find_heuristic(name: str) -> str:
    """Return the present name of a heuristic, with a warning if `name` is an old one."""
    if name in RENAMED:
        warnings.warn(f"the heuristic {name} is now called {RENAMED[name]}", MovedNameWarning, stacklevel=2)
    return RENAMED.get(name, name)


def heuristics_of(*kinds: Kind) -> list[str]:
    """Return the names of the heuristics for problems of these kinds."""
    return [name for name, makers in HEURISTICS.items() if not makers.keys().isdisjoint(kinds)]
