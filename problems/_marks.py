"""The marks of guessed words as arrays of numbers: those of many hidden words at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MarkArrays:
    """The marks of all answers to a guess at once, as numbers: digits to the base 3, of which the first is the lowest.

    Parameters
    ----------
    answers
        Words of the same length.
    signs
        The marks of a letter that is absent, elsewhere, and right: the digits.
    """

    def __init__(self, answers: Sequence[str], signs: str) -> None:
        self._signs = signs
        self._length = len(answers[0])
        self._dtype = np.dtype(np.uint8 if self._length <= 5 else np.int32)
        code_points = np.frombuffer("".join(answers).encode("utf-32-le"), np.uint32).reshape(len(answers), -1)
        # By letter and place: where it stands; and, all that a letter that occurs once in a guess is answered.
        self._stands: dict[str, NDArray[np.bool_]] = {}
        self._answered: dict[str, NDArray[np.integer[Any]]] = {}
        powers = 3 ** np.arange(self._length, dtype=self._dtype)[:, None]
        for letter in sorted(set().union(*answers)):
            stands = np.ascontiguousarray((code_points == ord(letter)).T)
            self._stands[letter] = stands
            self._answered[letter] = (stands.any(axis=0).astype(self._dtype) + stands) * powers
        self._none = np.zeros(len(answers), self._dtype)

    def numbers(self, guess: str) -> NDArray[np.integer[Any]]:
        """By answer: the number of the marks."""
        total = self._none.copy()
        for place, letter in enumerate(guess):
            if letter in self._answered and guess.count(letter) == 1:
                total += self._answered[letter][place]
        for letter in sorted(set(guess)):
            if letter in self._stands and guess.count(letter) > 1:
                self._add_repeated(total, guess, letter)
        return total

    def _add_repeated(self, total: NDArray[np.integer[Any]], guess: str, letter: str) -> None:
        """Add what a letter that occurs several times in the guess is answered."""
        stands = self._stands[letter]
        places = [place for place, other in enumerate(guess) if other == letter]
        left = stands.sum(axis=0) - stands[places].sum(axis=0)
        for place in places:
            elsewhere = ~stands[place] & (left > 0)
            left -= elsewhere
            total += ((2 * stands[place] + elsewhere) * 3**place).astype(self._dtype)

    def marks(self) -> list[str]:
        """By number: the marks."""
        return [
            "".join(self._signs[number // 3**place % 3] for place in range(self._length))
            for number in range(3**self._length)
        ]
