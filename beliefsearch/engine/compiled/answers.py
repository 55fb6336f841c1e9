"""The plain table of percepts of problems in which actions only tell states apart, until one wins."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from .observed_model import ObservedModel
from .words import members_of_words


@frozen(eq=False)
class Answers:
    """What each action answers in each possible start, where no state ever changes but by being won.

    Then a belief is a set of starts, and an action splits it by the percepts. A percept after which the game is won
    comes in states that win by that action alone, and all of them have won together; so the belief after it needs no
    looking after.

    Attributes
    ----------
    starts
        The numbers of the possible starts, in ascending order.
    percepts
        By place in `starts` and number of an action: the number of the percept; -1 where the action does not apply.
    wins
        Of the same shape: whether the action leads from there to another state, which is won.
    """

    starts: NDArray[np.intp]
    percepts: NDArray[np.int32]
    wins: NDArray[np.bool_]


def answers_of(model: ObservedModel[Any, Any]) -> Answers | None:
    """The table; None if a state has several outcomes, changes without being won, or may be won unnoticed.

    O(states x actions) array operations; nothing of the size of all outcomes is made but the table itself.
    """
    starts = members_of_words(model.initial)
    place_of = np.full(len(model.states), -1)
    place_of[starts] = np.arange(len(starts))
    percepts = np.full((len(starts), len(model.actions)), -1, dtype=np.int32)
    wins = np.zeros(percepts.shape, dtype=np.bool_)
    for action, outcomes in enumerate(model.outcomes()):
        places = place_of[outcomes.states]
        begun = places >= 0
        if (outcomes.lengths[begun] != 1).any():
            return None
        first = (np.cumsum(outcomes.lengths) - outcomes.lengths)[begun]
        seen, reached = outcomes.percepts[first], outcomes.results[first]
        changed = reached != outcomes.states[begun]
        if not _won_and_seen(model, seen, reached, changed):
            return None
        percepts[places[begun], action] = seen
        wins[places[begun], action] = changed
    # -1 is the last entry.
    return Answers(starts, np.append(model.place_of_percept(), np.int32(-1))[percepts], wins)


def _won_and_seen(
    model: ObservedModel[Any, Any], seen: NDArray[np.int32], reached: NDArray[np.int32], changed: NDArray[np.bool_]
) -> bool:
    """Whether the states that change are won, and their percepts tell so."""
    if not changed.any():
        return True
    winning = np.bincount(seen[changed], minlength=int(seen.max()) + 1)
    if winning[seen[~changed]].any():
        return False
    for percept in np.flatnonzero(winning).tolist():
        together = np.unique(reached[changed & (seen == percept)])
        inside = (model.goals[:, together >> 6] >> (together & 63).astype(np.uint64)) & np.uint64(1)
        if not inside.all(axis=1).any():
            return False
    return True
