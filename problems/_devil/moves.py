"""The moves of the devil's game, their order, and their encoding as coins.

Permutations of a word, and the number of classes of words that a table's symmetries make equal.

Factors of small numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from math import comb, gcd
from typing import TypeAlias

from beliefsearch import BeliefProblem

Coins: TypeAlias = str

"""The coins in order round the table, one letter each: `HTTT`. With more than two faces, digits: `0120`."""

Move: TypeAlias = frozenset[int] | tuple[int, ...]

"""The positions to flip. With more than two faces, how far to turn the coin at each position."""

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class DevilMoves(BeliefProblem[Coins, Move, None]):
    """One move for each class of moves that turning the table makes equal, read off canonical coins.

    Coins stand for the move that is written as they are: an H is to be flipped; face f is turned F - 1 - f on. So
    moves turn into each other just as coins do, and the first coins of a class give the first move.
    """

    n: int
    reduced: bool
    faces: int

    @property
    @abstractmethod
    def symbols(self) -> str:
        """The symbols of the faces; the first is heads."""

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        """All moves, fewest positions first; or one of each class, read off the canonical coins.

        In both cases this is the published order, on which the published plans depend.
        """
        if self.reduced:
            return tuple(map(self._move_of, self._representatives))
        turns = sorted(product(range(self.faces), repeat=self.n), key=lambda turn: (places_turned(turn), turn))
        return tuple(map(self._move, turns))

    @cached_property
    def _representatives(self) -> tuple[Coins, ...]:
        """One state of each class, in alphabetical order."""
        return tuple(sorted({self.canonical(coins) for coins in self.initial_states()}, key=self._face_numbers))

    def _move_of(self, coins: Coins) -> Move:
        """The move that `coins` encode."""
        return self._move(tuple(self.faces - 1 - face for face in self._face_numbers(coins)))

    def _coins_of(self, move: Move) -> Coins:
        """The inverse of `_move_of`."""
        if isinstance(move, frozenset):
            return "".join("H" if place in move else "T" for place in range(self.n))
        return "".join(self.symbols[self.faces - 1 - amount] for amount in move)

    def _move(self, turn: tuple[int, ...]) -> Move:
        """The move that turns each coin by its entry in `turns`."""
        return frozenset(places_turned(turn)[1]) if self.faces == 2 else turn

    def _face_numbers(self, coins: Coins) -> tuple[int, ...]:
        return tuple(map(self.symbols.index, coins))


def places_turned(turn: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The sorting key of moves: the number of coins turned, then their positions."""
    places = tuple(position for position, amount in enumerate(turn) if amount)
    return len(places), places


def distinct_permutations(word: str) -> Iterator[str]:
    """Every order of the letters once; a letter that comes earlier in `word` goes first."""
    if not word:
        yield ""
    for letter in dict.fromkeys(word):
        for rest in distinct_permutations(word.replace(letter, "", 1)):
            yield letter + rest


def count_classes(n: int, faces: int, table: str) -> int:
    """The number of classes of words of n letters out of `faces`, up to the symmetries of the table.

    By Burnside's lemma: the mean, over the group of the table, of the number of words that stay as they are.

    Examples
    --------
    >>> [count_classes(n, 2, "cyclic") for n in (1, 2, 3, 4, 5, 6, 8, 12)]
    [2, 3, 4, 6, 8, 14, 36, 352]
    """
    if table == "symmetric":
        return comb(n + faces - 1, faces - 1)  # a class is how often each letter comes
    turned: int = sum(faces ** gcd(n, turn) for turn in range(n))
    if table == "cyclic":
        return turned // n
    # A reflection of an odd number of places leaves one of them alone; of an even number, none or two.
    smaller: int = faces ** ((n + 1) // 2)
    larger: int = faces ** (n // 2 + 1)
    return (turned + (n // 2) * (smaller + larger) + (n % 2) * smaller) // (2 * n)


def prime_factors(number: int) -> list[int]:
    """The primes that divide a positive number, in order."""
    primes, candidate = [], 2
    while candidate * candidate <= number:
        if number % candidate == 0:
            primes.append(candidate)
            while number % candidate == 0:
                number //= candidate
        candidate += 1
    return primes + [number] * (number > 1)
