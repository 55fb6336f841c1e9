"""Search for an action that distinguishes all of some starts, or for a few starts that no action distinguishes.

Arrays are filled, and looked through, in loops: what NumPy has for that would be compiled for each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..compiled.jit import inner_kernel, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    left = np.empty(min(actions, _FIRST), np.intp)
    for place in range(len(left)):
        left[place] = place
    hit = _no_hits(len(left), count)  # by place of an action: the starts with the outcome of a chosen one
    gains = np.empty(count, np.int64)
    met = np.empty(won, np.int64)
    for outcome in range(won):
        met[outcome] = 0
    mark = 0
    latest = 0
    for start in range(count):
        chosen[start] = False
    while True:
        chosen[latest] = True
        for start in range(count):
            gains[start] = 0
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
            members = _members(chosen)
            left = _not_stopped(rows, won, members)
            if not len(left):
                break
            hit = _no_hits(len(left), count)
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
    _leave_out(rows, won, chosen)
    return -1


@inner_kernel
def _no_hits(actions: int, starts: int) -> NDArray[np.bool_]:
    """Return a table of so many rows and columns, all False."""
    hit = np.empty((actions, starts), np.bool_)
    for place in range(actions):
        for start in range(starts):
            hit[place, start] = False
    return hit


@inner_kernel
def _members(chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the starts that are chosen, in ascending order."""
    members = np.empty(len(chosen), np.intp)
    count = 0
    for start in range(len(chosen)):
        if chosen[start]:
            members[count] = start
            count += 1
    return members[:count]


@inner_kernel
def _not_stopped(rows: NDArray[Any], won: int, members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the actions under which no two of these starts have the same outcome."""
    left = np.empty(rows.shape[1], np.intp)
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
    return left[:count]


@inner_kernel
def _leave_out(rows: NDArray[Any], won: int, chosen: NDArray[np.bool_]) -> None:
    """Leave out of `chosen` the starts that are not needed for every action to have an outcome twice."""
    while True:
        members = _members(chosen)
        needed = np.empty(len(members), np.bool_)
        for one in range(len(members)):
            needed[one] = False
        for action in range(rows.shape[1]):
            # The one or two without which no two would have the same outcome under this action.
            first, second = -1, -1
            some = False
            for one in range(1, len(members)):
                outcome = rows[members[one], action]
                if outcome >= won:
                    continue
                for other in range(one):
                    if rows[members[other], action] != outcome:
                        continue
                    if not some:
                        first, second, some = one, other, True
                    else:
                        first = first if first == one or first == other else -1  # noqa: SIM109  # as above
                        second = second if second == one or second == other else -1  # noqa: SIM109
                if some and first < 0 and second < 0:
                    break
            if first >= 0:
                needed[first] = True
            if second >= 0:
                needed[second] = True
        one = 0
        while one < len(members) and needed[one]:
            one += 1
        if one == len(members):
            return
        chosen[members[one]] = False
