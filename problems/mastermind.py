"""Mastermind: break a secret code by guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from operator import add, itemgetter
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, le

from beliefsearch import BeliefProblem, DistinctActionsHook, KnownAnswer

Code: TypeAlias = str
"""A colour for each peg, one letter each: `1123`. A secret that has been guessed ends in `!`."""

Pegs: TypeAlias = tuple[int, int]
"""How many pegs of the guess are black, right in colour and place, and white, right in colour only."""

_COLOURS = "123456789abcdefghijklmnopqrstuvwxyz"
_FOUND = "!"

# All codes are held in memory, and for each guess its answers.
_MOST_CODES = 50_000

# A reordering of the pegs, and a renaming of the colours: pairs of letters that change places.
_Symmetry: TypeAlias = tuple[tuple[int, ...], tuple[str, str]]


@frozen
class MastermindProblem(BeliefProblem[Code, Code, Pegs], DistinctActionsHook[Code, Code]):
    """Break a secret code by guesses, each answered by black and white pegs.

    Story
    -----
    Somebody has hidden a row of pegs, each of one of some colours; colours may repeat. You guess a row. A black
    peg answers each peg of the guess that is right in colour and place, a white one each further peg whose
    colour occurs in the code, but elsewhere. How many guesses are needed until one is right?

    Formal model
    ------------
    A state is the secret; all are possible at the start. Actions are guesses, any code at all, and cost 1. The
    percept is the number of black and of white pegs. The goal is that the secret was guessed, so that last
    guess counts; then the game stops, and the secret is marked `!`.

    Source
    ------
    D. E. Knuth, "The computer as Master Mind" (J. Recreational Mathematics 9, 1977); K. Koyama and T. W. Lai,
    "An optimal Mastermind strategy" (J. Recreational Mathematics 25, 1993).

    Known answers
    -------------
    4 pegs of 6 colours: 5 guesses in the worst case (Knuth). On average 5625/1296 guesses at the least (Koyama
    and Lai), with a strategy that takes 6 in the worst case.
    """

    known_answers = (
        KnownAnswer({"pegs": 1, "colours": 6}, 6),
        KnownAnswer({"pegs": 2, "colours": 3}, 3),
        KnownAnswer({"pegs": 2, "colours": 3}, Fraction(21, 9), objective="expected"),
    )

    pegs: int = field(default=4, validator=ge(1), metadata={"help": "pegs in a code"})
    colours: int = field(default=6, validator=[ge(1), le(len(_COLOURS))], metadata={"help": "colours a peg may have"})

    def __attrs_post_init__(self) -> None:
        if self.pegs > _MOST_CODES or self.colours**self.pegs > _MOST_CODES:
            raise ValueError(
                f"{self.pegs} pegs of {self.colours} colours make more than {_MOST_CODES:,} codes; ask for fewer"
            )

    def initial_states(self) -> tuple[Code, ...]:
        return self._codes

    def actions(self, state: Code) -> tuple[Code, ...]:
        return self._codes

    def results(self, state: Code, action: Code) -> tuple[Code]:
        return (state + _FOUND if state == action else state,)

    def percepts(self, state: Code, action: Code) -> tuple[Pegs]:
        answers = self._answers_by_guess.get(action)
        if answers is None:
            answers = self._answers_by_guess[action] = self._answers_to(action)
        return self._pegs[answers[self._numbers[state]]]

    def is_goal(self, state: Code) -> bool:
        return state.endswith(_FOUND)

    def heuristic(self, state: Code) -> int:
        return 0 if self.is_goal(state) else 1

    def distinct_actions(self, belief: frozenset[Code]) -> Sequence[Code] | None:
        """The first guess of each class under those reorderings and renamings that map `belief` to itself.

        Tried are: exchanging two pegs, or two pairs of pegs; exchanging two colours; and one of the former
        together with one of the latter.
        """
        if any(map(self.is_goal, belief)):
            return None
        numbers = {self._numbers[code] for code in belief}
        kept = tuple(
            symmetry for symmetry in self._candidates(belief) if self._maps_to_itself(self._image(symmetry), numbers)
        )
        if not kept:
            return None
        guesses = self._distinct_guesses.get(kept)
        if guesses is None:
            guesses = self._distinct_guesses[kept] = self._first_of_each_class([self._image(s) for s in kept])
        return guesses

    def format_percept(self, percept: Pegs | None) -> str:
        return "nothing" if percept is None else f"{percept[0]} black {percept[1]} white"

    def parse_state(self, text: str) -> Code:
        return self.parse_action(text.removesuffix(_FOUND)) + (_FOUND if text.endswith(_FOUND) else "")

    def parse_action(self, text: str) -> Code:
        code = "".join(text.split())
        if len(code) != self.pegs or not set(code) <= set(self._letters):
            raise ValueError(f"{text!r} is not {self.pegs} letters from {self._letters[0]} to {self._letters[-1]}")
        return code

    @property
    def _letters(self) -> str:
        """How the colours are written."""
        return _COLOURS[: self.colours]

    @cached_property
    def _codes(self) -> tuple[Code, ...]:
        return tuple(map("".join, product(self._letters, repeat=self.pegs)))

    @cached_property
    def _numbers(self) -> dict[Code, int]:
        """The place of each code in the list of all; the same whether it has been guessed or not."""
        numbers = {code: number for number, code in enumerate(self._codes)}
        return numbers | {code + _FOUND: number for code, number in numbers.items()}

    @cached_property
    def _pegs(self) -> tuple[tuple[Pegs], ...]:
        """By number of an answer: black pegs and, times the length of a code and one, those right in colour."""
        width = self.pegs + 1
        return tuple(((number % width, max(number // width - number % width, 0)),) for number in range(width * width))

    @cached_property
    def _answers_by_guess(self) -> dict[Code, Sequence[int]]:
        return {}

    @cached_property
    def _right_in_colour(self) -> dict[str, list[int]]:
        return {}

    def _answers_to(self, guess: Code) -> Sequence[int]:
        """The number of the answer to `guess`, by number of the secret."""
        black = [0]
        for letter in guess:  # in the order in which codes are numbered
            black = [count + (colour == letter) for count in black for colour in self._letters]
        colours = "".join(sorted(guess))
        right = self._right_in_colour.get(colours)
        if right is None:
            asked = Counter(colours).items()
            width = self.pegs + 1
            right = self._right_in_colour[colours] = [
                width * sum(min(count, code.count(letter)) for letter, count in asked) for code in self._codes
            ]
        numbers = map(add, black, right)
        return bytes(numbers) if self.pegs < 15 else list(numbers)  # a byte holds 16 * 16 answers

    @cached_property
    def _images(self) -> dict[_Symmetry, list[int]]:
        return {}

    @cached_property
    def _distinct_guesses(self) -> dict[tuple[_Symmetry, ...], tuple[Code, ...]]:
        return {}

    @cached_property
    def _reorderings(self) -> list[tuple[int, ...]]:
        """The pegs as they are; two of them exchanged; two pairs of them exchanged."""
        places = tuple(range(self.pegs))
        exchanges = list(combinations(places, 2))
        pairs = ((first, second) for first, second in combinations(exchanges, 2) if not set(first) & set(second))
        found = [places]
        for swaps in [*((exchange,) for exchange in exchanges), *pairs]:
            order = list(places)
            for i, j in swaps:
                order[i], order[j] = order[j], order[i]
            found.append(tuple(order))
        return found

    def _candidates(self, belief: frozenset[Code]) -> Iterator[_Symmetry]:
        """The symmetries worth trying: colours that do not occur in `belief` add nothing to a reordering."""
        occurring = sorted(set().union(*belief))
        same, *others = self._reorderings
        for pair in combinations(self._letters, 2):
            yield same, pair
        for order in others:
            yield order, ("", "")
            for first, second in combinations(occurring, 2):
                yield order, (first, second)

    def _image(self, symmetry: _Symmetry) -> list[int]:
        """By number of a code: the number of the code it becomes."""
        image = self._images.get(symmetry)
        if image is None:
            order, (first, second) = symmetry
            reorder = itemgetter(*order)
            rename = str.maketrans(first + second, second + first)
            image = [self._numbers["".join(reorder(code)).translate(rename)] for code in self._codes]
            self._images[symmetry] = image
        return image

    @staticmethod
    def _maps_to_itself(image: list[int], numbers: set[int]) -> bool:
        return all(image[number] in numbers for number in numbers)

    def _first_of_each_class(self, images: list[list[int]]) -> tuple[Code, ...]:
        """The first code of each class of codes that such symmetries map to each other."""
        found: list[Code] = []
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
