"""From where a game can end, and which actions may lose that for ever."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set

from .rows import Row


def endless_pairs(results: Sequence[Sequence[Row]], ends: Set[int]) -> Mapping[int, Collection[int]]:
    """By state, the actions of no policy under which the game ends with certainty; states without any are left out.

    `results` has a row by action and state. An action is one of these if it may lead where none of `ends` can be
    reached any more; and then also if only such actions would lead on from there. O(n m) at the most for n states and
    m entries of all rows; mostly two passes.
    """
    endless: dict[int, set[int]] = {}
    while True:
        before: dict[int, list[int]] = {}  # by state: from where it can be reached
        for action, rows in enumerate(results):
            for state, row in enumerate(rows):
                if action not in endless.get(state, ()):
                    for result in row:
                        before.setdefault(result, []).append(state)
        can_end = set(ends)
        frontier = [*ends]
        for state in frontier:  # grows while it is walked
            new = set(before.get(state, ())) - can_end
            can_end |= new
            frontier += new
        size = sum(map(len, endless.values()))
        for action, rows in enumerate(results):
            for state, row in enumerate(rows):
                if not can_end.issuperset(row):
                    endless.setdefault(state, set()).add(action)
        if sum(map(len, endless.values())) == size:
            return endless
