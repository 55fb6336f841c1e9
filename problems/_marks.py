"""A table of the marks of guessed words: those of all hidden words at once."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence

_NO_LETTER = " "


class MarkTable(dict[str, "array[int]"]):
    """By guess and by place of the answer: the number of the marks. Computed when a guess first comes up.

    How one letter is marked does not depend on the others. So for each letter at its places all answers are gone
    through once, and the marks of a guess are a sum.

    `answers` are words of the same length, and `marks_of` gives the marks of a guess and an answer, a sign for each
    letter. The `signs`, first that of letters which do not occur, are the digits of a number, the first the lowest;
    `marks` has by number the marks.
    """

    def __init__(self, answers: Sequence[str], marks_of: Callable[[str, str], str], signs: str) -> None:
        super().__init__()
        self._answers = answers
        self._length = len(answers[0])
        self._number_of = {sign: digit for digit, sign in enumerate(signs)}
        self._base = len(signs)
        self._marks_of = marks_of
        self._of_letters: dict[str, int] = {}
        self.marks = [
            "".join(signs[number // self._base**place % self._base] for place in range(self._length))
            for number in range(self._base**self._length)
        ]
        self._type = "B" if len(self.marks) <= 256 else "H"

    def __missing__(self, guess: str) -> array[int]:
        letters = guess if len(set(guess)) == len(guess) else sorted(set(guess))
        total = sum(self._of_letter(guess, letter) for letter in letters)
        size = len(self._answers) * array(self._type).itemsize
        # As one large number, which is a sum of such: no digit is carried from one answer to the next.
        found = self[guess] = array(self._type, total.to_bytes(size, sys.byteorder))
        return found

    def _of_letter(self, guess: str, letter: str) -> int:
        """The marks of one letter of a guess, of all answers together as one number."""
        alone = "".join(other if other == letter else _NO_LETTER for other in guess)
        if alone not in self._of_letters:
            numbers = [self._number(alone, answer) if letter in answer else 0 for answer in self._answers]
            self._of_letters[alone] = int.from_bytes(array(self._type, numbers).tobytes(), sys.byteorder)
        return self._of_letters[alone]

    def _number(self, guess: str, answer: str) -> int:
        return sum(
            self._number_of[sign] * self._base**place for place, sign in enumerate(self._marks_of(guess, answer))
        )
