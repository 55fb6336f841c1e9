"""Guesses at a secret: the game, tables of the answers, and the symmetries of guesses at codes."""

from __future__ import annotations

import sys
from abc import abstractmethod
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial, reduce
from itertools import combinations, pairwise
from operator import add, itemgetter
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from beliefsearch import BeliefProblem, Drawing
from beliefsearch.hooks import PerceptArrayHook

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Answer = TypeVar("Answer")
FOUND = "!"
"""The mark of a secret that has been guessed."""
_NO_LETTER = " "
# A reordering of the pegs, and a renaming of the colours: pairs of letters that change places.
_Symmetry: TypeAlias = tuple[tuple[int, ...], tuple[str, str]]


class GuessingGame(BeliefProblem[str, str, Answer], PerceptArrayHook[str, str, Answer], Generic[Answer]):
    """A secret that is guessed: every guess is answered, until it is right; then the secret is marked `!`."""

    @property
    @abstractmethod
    def secrets(self) -> tuple[str, ...]:
        """All that may be hidden; the place of a secret is its number."""

    @property
    @abstractmethod
    def table(self) -> AnswerTable | MarkTable:
        """The numbers of the answers to each guess, by number of the secret."""

    def initial_states(self) -> tuple[str, ...]:
        return self.secrets

    def results(self, state: str, action: str) -> tuple[str]:
        return (state + FOUND if state == action else state,)

    def percepts(self, state: str, action: str) -> tuple[Answer]:
        answers: Any = self.table.answers
        percepts: tuple[Answer] = answers[self.table[action][self._numbers[state]]]
        return percepts

    def is_goal(self, state: str) -> bool:
        return state.endswith(FOUND)

    def describe_action(self, action: str) -> str:
        return f"Guess {action}"

    def svg_state(self, state: str) -> Drawing:
        return self.svg_belief((state,))

    # For speed: answers from a table.

    def heuristic(self, state: str) -> int:
        return 0 if self.is_goal(state) else 1

    def all_states(self) -> tuple[str, ...]:
        """All secrets; then all of them again, once they have been guessed."""
        return (*self.secrets, *(secret + FOUND for secret in self.secrets))

    def all_results(self, action: str) -> NDArray[np.integer[Any]]:
        import numpy as np

        results = np.arange(2 * len(self.secrets))
        if action in self._numbers:
            results[self._numbers[action]] += len(self.secrets)
        return results[:, np.newaxis]

    def all_percepts(self, action: str) -> tuple[list[Answer], NDArray[np.integer[Any]]]:
        import numpy as np

        answers: Any = [answer for (answer,) in self.table.answers]
        # The same before and after a secret has been guessed.
        return answers, np.tile(self.table[action], 2)[:, np.newaxis]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of each secret; the same whether it has been guessed or not."""
        numbers = {secret: number for number, secret in enumerate(self.secrets)}
        return numbers | {secret + FOUND: number for secret, number in numbers.items()}


class AnswerTable(dict[str, "array[int]"]):
    """Numbers of answers, by guess and by number of the secret; computed when a guess first comes up.

    `codes` are all codes, in alphabetical order; a code's place is its number. `answers` has by number the black and
    white pegs, as percepts are given. The number is that of the black ones and, times the length of a code and one,
    that of those right in colour; what no answer can be has no white ones.
    """

    def __init__(self, codes: Sequence[str], letters: str) -> None:
        super().__init__()
        self._codes = codes
        self._letters = letters
        self._width = len(codes[0]) + 1
        self._colours = ["".join(sorted(code)) for code in codes]
        self._counts = {colours: Counter(colours) for colours in self._colours}
        self._right_in_colour: dict[str, list[int]] = {}
        place = {letter: number for number, letter in enumerate(letters)}
        self._select: Callable[[list[int]], Sequence[int]] | None = None  # of all rows of letters those that are codes
        if len(codes) < len(letters) ** len(codes[0]):
            rows = [reduce(lambda row, letter: row * len(letters) + place[letter], code, 0) for code in codes]
            self._select = itemgetter(*rows, rows[0])  # at least two, so that it gives a tuple
        numbers = (divmod(number, self._width) for number in range(self._width**2))
        self.answers = [((black, max(right - black, 0)),) for right, black in numbers]

    def __missing__(self, guess: str) -> array[int]:
        black = [0]
        for letter in guess:  # in alphabetical order
            black = [count + (colour == letter) for count in black for colour in self._letters]
        colours = "".join(sorted(guess))
        right = self._right_in_colour.get(colours)
        if right is None:
            asked = self._counts[colours].items()
            of_colours = {
                others: self._width * sum(min(count, counts[letter]) for letter, count in asked)
                for others, counts in self._counts.items()
            }
            right = self._right_in_colour[colours] = [of_colours[others] for others in self._colours]
        numbers = map(add, black if self._select is None else self._select(black), right)
        # A byte holds 16 * 16 answers.
        answers = self[guess] = array("B", bytes(numbers)) if len(guess) < 15 else array("Q", numbers)
        return answers


class MarkTable(dict[str, "array[int]"]):
    """Numbers of marks, by guess and by place of the answer; computed when a guess first comes up.

    How one letter is marked does not depend on the others. So for each letter at its places all answers are gone
    through once, and the marks of a guess are a sum.

    `words` are possible secrets, of the same length, and `marks_of` gives the marks of a guess and a secret, a sign for
    each letter. The `signs`, first that of letters which do not occur, are the digits of a number, the first the
    lowest; `answers` has by number the marks, as percepts are given.
    """

    def __init__(self, words: Sequence[str], marks_of: Callable[[str, str], str], signs: str) -> None:
        super().__init__()
        self._words = words
        self._length = len(words[0])
        self._number_of = {sign: digit for digit, sign in enumerate(signs)}
        self._base = len(signs)
        self._marks_of = marks_of
        self._of_letters: dict[str, int] = {}
        count = self._base**self._length
        digits = (
            (number // self._base**place % self._base for place in range(self._length)) for number in range(count)
        )
        self.answers = [("".join(signs[digit] for digit in marks),) for marks in digits]
        self._type = "B" if count <= 256 else "H"

    def __missing__(self, guess: str) -> array[int]:
        letters = guess if len(set(guess)) == len(guess) else sorted(set(guess))
        total = sum(self._of_letter(guess, letter) for letter in letters)
        size = len(self._words) * array(self._type).itemsize
        # As one large number, which is a sum of such: no digit is carried from one answer to the next.
        found = self[guess] = array(self._type, total.to_bytes(size, sys.byteorder))
        return found

    def _of_letter(self, guess: str, letter: str) -> int:
        """The marks of one letter of a guess, of all answers together as one number."""
        alone = "".join(other if other == letter else _NO_LETTER for other in guess)
        if alone not in self._of_letters:
            numbers = [self._number(alone, answer) if letter in answer else 0 for answer in self._words]
            self._of_letters[alone] = int.from_bytes(array(self._type, numbers).tobytes(), sys.byteorder)
        return self._of_letters[alone]

    def _number(self, guess: str, answer: str) -> int:
        return sum(
            self._number_of[sign] * self._base**place for place, sign in enumerate(self._marks_of(guess, answer))
        )


class GuessSymmetries:
    """The symmetries between guesses: reordering pegs and renaming colours; `codes` as for `AnswerTable`."""

    def __init__(self, codes: Sequence[str], letters: str) -> None:
        self._codes = codes
        self._letters = letters
        self._numbers = {code: number for number, code in enumerate(codes)}
        self._reorderings = _reorderings(len(codes[0]))
        self._images: dict[_Symmetry, list[int]] = {}
        self._distinct_guesses: dict[tuple[_Symmetry, ...], tuple[str, ...]] = {}

    def generators(self) -> list[Callable[[str], str]]:
        """Symmetries that make all others, done in turn: exchanging two neighbours among the pegs or the colours."""
        same = tuple(range(len(self._codes[0])))
        orders = [(*same[: peg - 1], peg, peg - 1, *same[peg + 1 :]) for peg in same[1:]]
        return [
            *(partial(_renamed, order, {}) for order in orders),
            *(partial(_renamed, same, str.maketrans(a + b, b + a)) for a, b in pairwise(self._letters)),
        ]

    def distinct_guesses(self, secrets: frozenset[str]) -> tuple[str, ...] | None:
        """The first guess of each class under those reorderings and renamings that map `secrets` to itself.

        Tried are: exchanging two pegs, or two pairs of pegs; exchanging two colours; and one of the former
        together with one of the latter. None if all of these change `secrets`.
        """
        numbers = {self._numbers[code] for code in secrets}
        kept = tuple(
            symmetry for symmetry in self._candidates(secrets) if _maps_to_itself(self._image(symmetry), numbers)
        )
        if not kept:
            return None
        guesses = self._distinct_guesses.get(kept)
        if guesses is None:
            guesses = self._distinct_guesses[kept] = self._first_of_each_class([self._image(s) for s in kept])
        return guesses

    def _candidates(self, secrets: frozenset[str]) -> Iterator[_Symmetry]:
        """The symmetries worth trying: colours that do not occur in `secrets` add nothing to a reordering."""
        occurring = sorted(set().union(*secrets))
        same, *others = self._reorderings
        for pair in combinations(self._letters, 2):
            yield same, pair
        for order in others:
            yield order, ("", "")
            for first, second in combinations(occurring, 2):
                yield order, (first, second)

    def _image(self, symmetry: _Symmetry) -> list[int]:
        """The image of each code under a symmetry, by number."""
        image = self._images.get(symmetry)
        if image is None:
            order, (first, second) = symmetry
            reorder = itemgetter(*order)
            rename = str.maketrans(first + second, second + first)
            image = [self._numbers["".join(reorder(code)).translate(rename)] for code in self._codes]
            self._images[symmetry] = image
        return image

    def _first_of_each_class(self, images: list[list[int]]) -> tuple[str, ...]:
        """The first code of each class of codes that such symmetries map to each other."""
        found: list[str] = []
        met = bytearray(len(self._codes))
        for first, code in enumerate(self._codes):
            if met[first]:
                continue
            found.append(code)
            met[first] = True
            frontier = [first]
            for number in frontier:  # grows while it is walked
                for image in images:
                    if not met[image[number]]:
                        met[image[number]] = True
                        frontier.append(image[number])
        return tuple(found)


def _reorderings(pegs: int) -> list[tuple[int, ...]]:
    """The pegs as they are; two of them exchanged; two pairs of them exchanged."""
    places = tuple(range(pegs))
    exchanges = list(combinations(places, 2))
    pairs = ((first, second) for first, second in combinations(exchanges, 2) if not set(first) & set(second))
    found = [places]
    for swaps in [*((exchange,) for exchange in exchanges), *pairs]:
        order = list(places)
        for i, j in swaps:
            order[i], order[j] = order[j], order[i]
        found.append(tuple(order))
    return found


def _renamed(order: tuple[int, ...], renaming: dict[int, int], code: str) -> str:
    """A code with its pegs in this order and its colours renamed; what stands behind the pegs stays."""
    return ("".join(code[place] for place in order) + code[len(order) :]).translate(renaming)


def _maps_to_itself(image: list[int], numbers: set[int]) -> bool:
    return all(image[number] in numbers for number in numbers)
