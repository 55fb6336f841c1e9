"""Whether some action tells all of some starts apart; if none does, a few of them that none tells apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .jit import inner_kernel, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So many actions are looked at first; mostly few are left that tell those starts apart which none of these does.
_FIRST = 1024


@kernel
def tell_apart(rows: NDArray[Any], won: int, chosen: NDArray[np.bool_]) -> int:
    """The number of an action under which no two of some starts have the same outcome; what is won does not count.

    If there is none, it gives -1, and marks in `chosen` a few of the starts for which there is none either; without
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
            left = _not_stopped(rows, won, members)
            if not len(left):
                break
            hit = np.zeros((len(left), count), np.bool_)
            for place in range(len(left)):
                for start in range(count):
                    for member in members:
                        outcome = rows[member, left[place]]
                        if outcome < won and rows[start, left[place]] == outcome:
                            hit[place, start] = True
                    gains[start] += hit[place, start]
        best, most = -1, -1
        for start in range(count):
            if not chosen[start] and gains[start] > most:
                best, most = start, gains[start]
        if most <= 0:  # what is left to be chosen meets none of those before, but two of them may meet
            for action in left:
                mark += 1
                different = True
                for start in range(count):
                    outcome = rows[start, action]
                    if outcome < won:
                        different = different and met[outcome] != mark
                        met[outcome] = mark
                if different:
                    return int(action)
        latest = best
    _leave_out(rows, won, chosen)
    return -1


@inner_kernel
def _not_stopped(rows: NDArray[Any], won: int, members: NDArray[np.intp]) -> NDArray[np.intp]:
    """The actions under which no two of these starts have the same outcome."""
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
    """Leave out of `chosen` what is not needed for every action to have an outcome twice."""
    while True:
        members = np.flatnonzero(chosen)
        needed = np.zeros(len(members), np.bool_)
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
                        first = first if first in (one, other) else -1
                        second = second if second in (one, other) else -1
                if some and first < 0 and second < 0:
                    break
            if first >= 0:
                needed[first] = True
            if second >= 0:
                needed[second] = True
        if needed.all():
            return
        chosen[members[np.argmin(needed)]] = False
