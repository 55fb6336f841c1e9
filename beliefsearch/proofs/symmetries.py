"""The symmetries that a puzzle knows of, with those made of them, and which of them fix a belief."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..model.hooks import SymmetryHook
from ..plans.encoding import Json
from ..verify.checker import WrongError, symmetries_of
from .hints.mean_table import Belief
from .mean_game import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

# No more symmetries are made than there is room for so many images of states and actions.
_MOST_IMAGES = 100_000_000

# Where there are many symmetries, to look for those of a small belief would take longer than what they save.
_MANY = 1000
_FEW = 16

# Permutations are told apart by the images of so many.
_SAMPLE = 256


class Symmetry(NamedTuple):
    """Permutation of states and actions: by number, the number of the image."""

    states: NDArray[Any]
    actions: NDArray[Any]


def is_symmetry(game: Game, symmetry: Symmetry) -> bool:
    """Whether a permutation of states and one of actions map the game to itself, as the checker has it."""
    places = [*game.counting.place]
    images = list(range(game.asked.states))
    for place, image in enumerate(symmetry.states.tolist()):
        images[places[place]] = places[image]
    try:
        symmetries_of(game.counting, [{"states": images, "actions": symmetry.actions.tolist()}])
    except WrongError:
        return False
    return True


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


class KnownSymmetries:
    """Symmetries of a game: those that its author gives, and what they make one after the other.

    Nothing here need be right: the checker looks at each symmetry that a proof lists, and at each belief it fixes.
    `written` are the symmetries that were asked for so far, as they stand in a certificate.
    """

    def __init__(self, game: Game, tick: Callable[[], None]) -> None:
        self.written: list[Json] = []
        self._game = game
        self._count = len(game.states)
        given = (np.concatenate([s.states, self._count + s.actions]) for s in _given(game) if is_symmetry(game, s))
        self._given = list(given)
        rows, self._made_of = _closed(self._given, self._count + len(game.actions), tick)
        # By symmetry: the images of all states and then of all actions. Down the columns, as many are asked of few.
        self._images = np.asfortranarray(rows)
        self._number_of: dict[int, int] = {}  # by symmetry that was asked for

    def fixing(self, belief: Belief) -> list[int]:
        """A few symmetries that fix a belief, and leave as few classes of actions as all of those that do."""
        if not self._given or (len(self._images) > _MANY and len(belief) < _FEW):
            return []
        weights = np.zeros(self._count, np.int64)
        members = np.array([state for state, _ in belief])
        weights[members] = [weight for _, weight in belief]
        rows = np.arange(len(self._images))
        for piece in np.split(members, [1, 4]):  # most are out after the first members
            rows = rows[(weights[self._images[np.ix_(rows, piece)]] == weights[piece]).all(axis=1)]
        chosen: list[int] = []
        least = np.arange(len(self._game.actions))
        for number in rows.tolist():
            if (least[self.actions(number)] != least).any():  # it joins classes
                chosen.append(number)
                least = classes([self.actions(each) for each in chosen], len(least))
        return chosen

    def actions(self, number: int) -> NDArray[Any]:
        """The images of all actions under a symmetry."""
        found: NDArray[Any] = self._images[number, self._count :].astype(np.intp) - self._count
        return found

    def distinct(self, numbers: Sequence[int]) -> NDArray[np.bool_]:
        """Mark the actions that none of these symmetries, nor what they make, exchanges for one before."""
        every = np.arange(len(self._game.actions))
        found: NDArray[np.bool_] = classes([self.actions(number) for number in numbers], len(every)) == every
        return found

    def place(self, number: int) -> int:
        """The place of a symmetry among the `written`, where it is put with all that it is made of."""
        known = self._number_of.get(number)
        if known is None:
            before, last = self._made_of[number]
            given = self._made_of.index((0, last))
            if before == 0:  # one of those that were given, or the identity
                states = self._images[number, : self._count].tolist()
                entry: Json = {"states": states, "actions": self.actions(number).tolist()}
            else:
                entry = {"product": [self.place(before), self.place(given)]}
            known = self._number_of[number] = len(self.written)
            self.written.append(entry)
        return known


def _given(game: Game) -> Iterator[Symmetry]:
    """Return the symmetries of the author, as far as they stay within the reachable states."""
    problem: Any = game.problem
    if not isinstance(problem, SymmetryHook):
        return
    state_numbers = {state: number for number, state in enumerate(game.states)}
    action_numbers = {action: number for number, action in enumerate(game.actions)}
    for of_state, of_action in problem.symmetries():
        states = [state_numbers.get(of_state(state)) for state in game.states]
        actions = [action_numbers.get(of_action(action)) for action in game.actions]
        if set(states) == set(range(len(states))) and set(actions) == set(range(len(actions))):
            yield Symmetry(np.array(states, np.intp), np.array(actions, np.intp))


def _closed(
    given: list[NDArray[Any]], count: int, tick: Callable[[], None]
) -> tuple[NDArray[Any], list[tuple[int, int]]]:
    """All that can be made of permutations, as far as there is room: and by row, an earlier row and what came after it.

    The first row changes nothing. Rows are told apart by sums of random numbers, one for each image of a sample.
    """
    chance = np.random.default_rng(1)
    sample = chance.permutation(count)[:_SAMPLE]
    weights = chance.integers(2**62, size=len(sample))
    layer = np.arange(count, dtype=np.min_scalar_type(count))[None]
    layers, made_of = [layer], [(0, -1)]
    met = set((layer[:, sample] @ weights).tolist())
    first = 0
    while len(layer) and given:
        new = []
        for number, image in enumerate(given):
            tick()
            rows = image.astype(layer.dtype)[layer]
            for row, name in enumerate((rows[:, sample].astype(np.int64) @ weights).tolist()):
                if name not in met and len(made_of) * count < _MOST_IMAGES:
                    met.add(name)
                    new.append(rows[row])
                    made_of.append((first + row, number))
        first += len(layer)
        layer = np.array(new, layer.dtype).reshape(len(new), count)
        layers.append(layer)
    return np.concatenate(layers), made_of
