"""Ranks for certificates: how many steps a place is away from an end, if all goes well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

Place = TypeVar("Place", bound=Hashable)


def ranks_of(ends: Iterable[Place], steps: Iterable[tuple[Place, Place]]) -> dict[Place, int]:
    """Return, by place, the least number of steps to one of the ends; other places are left out.

    Linear in the steps: breadth-first search backwards.
    """
    before = defaultdict(list)
    for source, target in steps:
        before[target].append(source)
    found = dict.fromkeys(ends, 0)
    frontier = list(found)
    for place in frontier:  # grows while it is walked
        for source in before.get(place, ()):
            if source not in found:
                found[source] = found[place] + 1
                frontier.append(source)
    return found
