"""Symmetries in a proof, established anew: permutations of states and actions that change nothing but names.

Part of the checker of proofs about expected costs (`proof_mean.py`). A file may give any permutations; each is
compared with what the author's methods said of every state and action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import InvalidProofError
from .integer_problem import BARRED, ENDED, Game, Weights
from .proof_fields import list_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

# A product is short in a file, and a list of images in memory: a gigabyte of them at the most.
_MOST_IMAGES = 1 << 27


class Symmetry(NamedTuple):
    """Permutation of states and actions: by number, the number of the image."""

    states: NDArray[Any]
    actions: NDArray[Any]


def is_symmetry(game: Game, symmetry: Symmetry) -> bool:
    """Whether a permutation of states and one of actions map the game to itself.

    An action applies in a state, costs so much, ends the game or leads to a result: so does its image in the image.
    Two results of an action are perceived alike: so are the images of the results. A goal set lies in its image's.
    Where that is asked in one direction it holds in both: a permutation that is done often enough is its own inverse.
    """
    states, actions = symmetry
    image = np.append(states, [BARRED, ENDED])  # from the end, as -2 and -1
    there = np.ix_(states, actions)
    if not np.array_equal(game.results[there], image[game.results]):
        return False
    if not game.is_uniform and not np.array_equal(game.costs[there], game.costs):
        return False
    percepts = game.percepts[there]
    renamed = np.zeros((len(actions), game.width), game.percepts.dtype)
    columns = np.arange(len(actions))
    renamed[columns, game.percepts] = percepts
    if not np.array_equal(renamed[columns, game.percepts], percepts):
        return False
    moved = np.zeros_like(game.goals)
    moved[:, states] = game.goals
    known = {row.tobytes() for row in game.goals}
    return all(row.tobytes() in known or bool((row <= game.goals).all(axis=1).any()) for row in moved)


def fixes(symmetry: Symmetry, belief: Weights) -> bool:
    """Whether a symmetry maps a belief to itself, with its weights."""
    return all((symmetry.states.item(state), weight) in belief for state, weight in belief)


def classes(permutations: Sequence[NDArray[Any]], count: int) -> NDArray[Any]:
    """Return, by number up to `count`, the least number that these permutations make of it."""
    least = np.arange(count)
    changed = True
    while changed:
        before = least.copy()
        for image in permutations:
            least = np.minimum(least, least[image])
            least[image] = least.copy()
        changed = not np.array_equal(before, least)
    return least


def read_symmetries(
    game: Game, proof: Mapping[str, Any], states: Sequence[int], actions: Sequence[int]
) -> list[Symmetry]:
    """The symmetries that a proof lists, each checked, or made of two that were listed before it.

    `states` and `actions` are the numbers in the game of those that the proof lists, which must be all.
    """
    found: list[Symmetry] = []
    for entry in list_of(proof, "symmetries") if "symmetries" in proof else ():
        if (len(found) + 1) * (len(states) + len(actions)) > _MOST_IMAGES:
            raise InvalidProofError(f"its symmetries have more than {_MOST_IMAGES:,} images of states and actions")
        if not isinstance(entry, Mapping):
            raise InvalidProofError(f"a symmetry should be an object, not {entry!r:.40}")
        number = len(found)
        if "product" in entry:
            first, second = (found[place] for place in _factors(entry["product"], number))
            found.append(Symmetry(second.states[first.states], second.actions[first.actions]))
            continue
        symmetry = Symmetry(_permutation(entry, "states", states), _permutation(entry, "actions", actions))
        if not is_symmetry(game, symmetry):
            raise InvalidProofError(f"symmetry {number} is none: it changes more than names")
        found.append(symmetry)
    return found


def _factors(entry: Any, count: int) -> tuple[int, int]:
    match entry:
        case [first, second] if type(first) is type(second) is int and 0 <= first < count and 0 <= second < count:
            return first, second
    raise InvalidProofError(f"a product should be of the numbers of two earlier symmetries, but is of {entry!r:.40}")


def _permutation(entry: Mapping[str, Any], key: str, numbers: Sequence[int]) -> NDArray[Any]:
    """A permutation of what the proof lists, by its numbers in the game."""
    images = list(list_of(entry, key, len(numbers)))
    if any(type(image) is not int for image in images) or set(images) != set(range(len(numbers))):
        raise InvalidProofError(f"the field {key!r} of a symmetry should hold the number of each of them once")
    found = np.empty(len(numbers), np.intp)
    found[np.array(numbers, np.intp)] = np.array(numbers, np.intp)[np.array(images, np.intp)]
    return found
