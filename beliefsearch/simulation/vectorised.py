"""Many games of a plan at once, on arrays of numbers, with the same distribution as the plain loop in `plan_games.py`.

Positions are numbered as they come up, and the author's code lists the successors of each position once. All games of
a batch take a step together: each draws one of the successors of its position. All are equally likely, so one that is
listed twice is twice as likely. The plain loop draws other games from the same seed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ..model.base import Action, State
from .game import ManyGames

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

# The most steps of games between two checks of the time, and the most games played at once.
_BATCH_STEPS = 2**24
_BATCH_GAMES = 2**16
_LEAST_GAMES = 2**10
# The most bytes of all lists of successors. Beyond that, those of the least recently used action are dropped, and made
# again when they are needed.
_MOST_BYTES = 2**29

Position = TypeVar("Position", bound=Hashable)


class _Numbering(Generic[Position]):
    """The positions, numbered in the order in which they come up."""

    def __init__(self) -> None:
        self.positions: list[Position] = []
        self._number_of: dict[Position, int] = {}

    def __call__(self, position: Position) -> int:
        number = self._number_of.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
        return number


class _Marks(Generic[Position]):
    """A predicate of positions as an array by number; it is evaluated once for each position."""

    def __init__(self, number: _Numbering[Position], test: Callable[[Position], bool]) -> None:
        self._positions = number.positions
        self._test = test
        self._known = 0
        self._marks = np.zeros(0, dtype=np.bool_)

    def of(self, numbers: Numbers) -> NDArray[np.bool_]:
        most = len(self._positions)
        if self._known < most:
            self._marks = _grown(self._marks, most)
            self._marks[self._known : most] = [self._test(position) for position in self._positions[self._known :]]
            self._known = most
        return self._marks[numbers]


class _Draws:
    """Successors by number of a position, listed on first use."""

    def __init__(self, ask: Callable[[int], Sequence[int]]) -> None:
        self._ask = ask
        self._counts = np.zeros(0, dtype=np.int64)  # 0: not listed yet
        self._begins = np.zeros(0, dtype=np.int64)
        self._targets = array("q")

    @property
    def size(self) -> int:
        """The approximate memory in bytes."""
        return self._counts.nbytes + self._begins.nbytes + 8 * len(self._targets)

    def draw(self, numbers: Numbers, generator: np.random.Generator) -> Numbers:
        """A random successor of each of `numbers`."""
        most = int(numbers.max(initial=-1)) + 1
        self._counts, self._begins = _grown(self._counts, most), _grown(self._begins, most)
        counts = self._counts[numbers]
        unknown = numbers[counts == 0]
        if len(unknown):
            for number in np.unique(unknown).tolist():
                following = self._ask(number)
                self._begins[number] = len(self._targets)
                self._counts[number] = len(following)
                self._targets.extend(following)
            counts = self._counts[numbers]
        places = self._begins[numbers]
        if counts.max(initial=1) > 1:
            places += (generator.random(len(numbers)) * counts).astype(np.int64)
        return np.frombuffer(self._targets, dtype=np.int64)[places]


def _grown(values: NDArray[Any], most: int) -> NDArray[Any]:
    """The array with room for `most` values: itself, or a longer copy that ends in zeros."""
    return values if len(values) >= most else np.append(values, np.zeros(most + most // 2 - len(values), values.dtype))


class _Recent(Generic[Action]):
    """The draws of the actions used most recently."""

    def __init__(self, ask: Callable[[Action, int], Sequence[int]]) -> None:
        self._ask = ask
        self._draws: dict[Action, _Draws] = {}  # the one used last comes last

    def draw(self, action: Action, numbers: Numbers, generator: np.random.Generator) -> Numbers:
        draws = self._draws.pop(action, None) or _Draws(lambda number: self._ask(action, number))
        self._draws[action] = draws
        before = draws.size
        drawn = draws.draw(numbers, generator)
        if draws.size > before:
            held = sum(kept.size for kept in self._draws.values())
            while held > _MOST_BYTES and len(self._draws) > 1:
                held -= self._draws.pop(next(iter(self._draws))).size
        return drawn


def play_sequence(
    results: Callable[[State, Action], Sequence[State]],
    won: Callable[[State], bool] | bool,
    plan: Sequence[Action],
    starts: Sequence[State],
    many: ManyGames[State],
) -> None:
    """Play a sequence of actions many times; a game is won after the action from which on its state is a goal.

    `results` lists the results of an action, all equally likely. `won` is the test for goal states; or, if single
    states do not decide, whether the plan wins.
    """
    number: _Numbering[State] = _Numbering()
    draws: _Recent[Action] = _Recent(
        lambda action, at: [number(result) for result in results(number.positions[at], action)]
    )
    goals = _Marks(number, won if callable(won) else lambda state: False)
    generator = np.random.Generator(np.random.PCG64(many.chance.getrandbits(64)))
    start_numbers = np.array([number(state) for state in starts], dtype=np.int64)
    finished = 0
    for begun in _batches(start_numbers, many, len(plan), generator):
        states = begun
        since = np.where(goals.of(states), 0, -1)  # the step since which the game has been won, or -1
        for step, action in enumerate(plan, 1):
            states = draws.draw(action, states, generator)
            since = np.where(goals.of(states), np.where(since < 0, step, since), -1)
            if step % 16 == 0:
                many.tell(finished, finished * len(plan) + step * len(states))
        if not callable(won):
            since[:] = len(plan) if won else -1
        finished += len(states)
        _file(many, since, begun, number.positions)
        many.tell(finished, finished * len(plan))


def play_conditional(
    starts: Sequence[Position],
    arrivals: Callable[[Position], Sequence[Any]],
    follows: Callable[[Any], Sequence[Position]],
    verdict: Callable[[Position], bool | None],
    most_turns: int,
    many: ManyGames[Position],
) -> None:
    """Play a conditional plan many times.

    A position is the state, the node of the plan and the player's belief. `arrivals` lists the results of the action in
    a position, before the percept; `follows` lists the positions after each percept on an arrival. All are equally
    likely. `verdict` is whether a game that ends in a position is won, or None if it goes on. A game is given up after
    `most_turns` actions.
    """
    number: _Numbering[Position] = _Numbering()
    arrival: _Numbering[Any] = _Numbering()
    moves = _Draws(lambda at: [arrival(pair) for pair in arrivals(number.positions[at])])
    percepts = _Draws(lambda at: [number(after) for after in follows(arrival.positions[at])])
    ended = _Marks(number, lambda position: verdict(position) is not None)
    won = _Marks(number, lambda position: verdict(position) is True)
    generator = np.random.Generator(np.random.PCG64(many.chance.getrandbits(64)))
    start_numbers = np.array([number(position) for position in starts], dtype=np.int64)
    finished = actions = 0
    for begun in _batches(start_numbers, many, 64, generator):
        at, playing = begun.copy(), np.arange(len(begun))
        turns = np.zeros(len(begun), dtype=np.int64)
        for turn in range(most_turns + 1):
            playing = playing[~ended.of(at[playing])]
            if not len(playing) or turn == most_turns:
                break
            at[playing] = percepts.draw(moves.draw(at[playing], generator), generator)
            turns[playing] = turn + 1
            actions += len(playing)
            if turn % 1024 == 1023:
                many.tell(finished, actions)
        finished += len(begun)
        _file(many, np.where(won.of(at), turns, -1), begun, number.positions)
        many.tell(finished, actions)


def _batches(starts: Numbers, many: ManyGames[Any], length: int, generator: np.random.Generator) -> Iterator[Numbers]:
    """The numbers of the starts, a batch of games at a time."""
    size = min(_BATCH_GAMES, max(_LEAST_GAMES, _BATCH_STEPS // max(length, 1)))
    total = many.games * len(starts) if many.every_start else many.games
    for first in range(0, total, size):
        count = min(size, total - first)
        if many.every_start:
            yield starts[np.arange(first, first + count) // many.games]
        else:
            yield starts[generator.integers(len(starts), size=count)]


def _file(many: ManyGames[Any], since: Numbers, begun: Numbers, positions: Sequence[Any]) -> None:
    steps, counts = np.unique(since[since >= 0], return_counts=True)
    many.won_after.update(dict(zip(steps.tolist(), counts.tolist(), strict=True)))
    many.lost_from.extend(positions[at] for at in begun[since < 0].tolist())
