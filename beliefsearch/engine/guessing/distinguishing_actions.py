"""Search for an action that distinguishes all of some starts, or for a few starts that no action distinguishes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled.jit import inner_kernel, kernel

# So many actions are looked at first; mostly few others distinguish starts that none of these does.
_FIRST = 1024


@kernel
def distinguishing_action(rows: NDArray[Any], won: int, chosen: NDArray[np.bool_]) -> int:
    """Return the number of an action under which no two of some starts have the same outcome that is not won.

    If there is none, it returns -1, and marks in `chosen` a few of the starts for which there is none either; without
    any of these there would be one. They are gathered one by one, each time the one that stops most of the actions
    that are still left: under which its outcome is that of one gathered before.

    `rows` has the outcomes by start and action, uint16; those from `won` on are won.
    """
    count, actions = rows.shape
    left = np.arange(min(actions, _FIRST))
    hit = np.zeros((len(left), count), np.bool_)  # by place of an action: the starts with the outcome of a chosen one
    gains = np.zeros(count, np.int64)
    met = np.zeros(won, np.int64)
    mark = 0
    latest = 0
    chosen[:] = False
    while True:
        chosen[latest] = True
        gains[:] = 0
        kept = 0
        for place in range(len(left)):
            if hit[place, latest]:
                continue
            action = left[place]
            left[kept] = action
            outcome = rows[latest, action]
            for start in range(count):
                hit[kept, start] = hit[place, start] or (outcome < won and rows[start, action] == outcome)
                gains[start] += hit[kept, start]
            kept += 1
        left = left[:kept]
        if not kept:
            members = np.flatnonzero(chosen)
            left = _not_stopped(rows, won, members, actions)
            if not len(left):
                break
            hit = np.zeros((len(left), count), np.bool_)
            for place in range(len(left)):
                for start in range(count):
                    for one in range(len(members)):
                        outcome = rows[members[one], left[place]]
                        if outcome < won and rows[start, left[place]] == outcome:
                            hit[place, start] = True
                    gains[start] += hit[place, start]
        best, most = -1, -1
        for start in range(count):
            if not chosen[start] and gains[start] > most:
                best, most = start, gains[start]
        if most <= 0:  # what is left to be chosen meets none of those before, but two of them may meet
            for place in range(len(left)):
                mark += 1
                different = True
                for start in range(count):
                    outcome = rows[start, left[place]]
                    if outcome < won:
                        different = different and met[outcome] != mark
                        met[outcome] = mark
                if different:
                    return left[place]  # type: ignore[no-any-return]  # an array's
        latest = best
    for member in np.flatnonzero(chosen):  # those that are not needed are left out
        chosen[member] = False
        chosen[member] = len(_not_stopped(rows, won, np.flatnonzero(chosen), 1)) > 0
    return -1


@inner_kernel
def _not_stopped(rows: NDArray[Any], won: int, members: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return the first actions, so many at the most, under which no two of these starts have the same outcome."""
    left = np.empty(most, np.intp)
    count = 0
    for action in range(rows.shape[1]):
        meet = False
        for one in range(1, len(members)):
            outcome = rows[members[one], action]
            for other in range(one):
                meet = meet or (outcome < won and rows[members[other], action] == outcome)
            if meet:
                break
        if not meet:
            left[count] = action
            count += 1
            if count == most:
                break
    return left[:count]
