"""Mastermind: break a secret code by guesses."""

from collections.abc import Callable, Collection
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from math import perm
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, le

from beliefsearch import Drawing, KnownAnswer
from beliefsearch.hooks import DistinctActionsHook, SymmetryHook

from ._guesses import FOUND, AnswerTable, GuessingGame, GuessSymmetries
from ._pictures.guesses import Pegs as PegsPicture

Code: TypeAlias = str
"""A colour for each peg, one letter each: `1123`. A secret that has been guessed ends in `!`."""

Pegs: TypeAlias = tuple[int, int]
"""The numbers of black pegs, right in colour and place, and of white pegs, right in colour only."""

_COLOURS = "123456789abcdefghijklmnopqrstuvwxyz"

# All codes are held in memory, and for each guess its answers.
_MOST_CODES = 50_000


@frozen
class MastermindProblem(GuessingGame[Pegs], DistinctActionsHook[Code, Code], SymmetryHook[Code, Code]):
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
    guess counts; then the game stops, and the secret is marked `!`. With `distinct`, codes and guesses have no
    colour twice: with four of ten colours that is Bulls and Cows.

    Source
    ------
    D. E. Knuth, "The computer as Master Mind" (J. Recreational Mathematics 9, 1977); K. Koyama and T. W. Lai,
    "An optimal Mastermind strategy" (J. Recreational Mathematics 25, 1993).

    Known answers
    -------------
    4 pegs of 6 colours: 5 guesses in the worst case (Knuth). On average 5625/1296 guesses at the least (Koyama
    and Lai), with a strategy that takes 6 in the worst case. Of 7 colours 11228/2401; 5 pegs of 5 colours 13496/3125.
    Bulls and Cows: 26274/5040, and 7 in the worst case.
    """

    known_answers = (
        KnownAnswer({"pegs": 1, "colours": 6}, 6),
        KnownAnswer({"pegs": 2, "colours": 3}, 3),
        KnownAnswer({"pegs": 2, "colours": 3}, Fraction(21, 9), objective="expected"),
    )

    pegs: int = field(default=4, validator=ge(1), metadata={"help": "pegs in a code"})
    colours: int = field(default=6, validator=[ge(1), le(len(_COLOURS))], metadata={"help": "colours a peg may have"})

    distinct: bool = field(
        default=False, metadata={"help": "no colour twice in a code or a guess: with 4 of 10 colours Bulls and Cows"}
    )

    def __attrs_post_init__(self) -> None:
        if self.distinct and self.pegs > self.colours:
            raise ValueError(f"{self.pegs} pegs need as many distinct colours, not {self.colours}")
        codes = perm(self.colours, self.pegs) if self.distinct else self.colours ** min(self.pegs, _MOST_CODES)
        if self.pegs > _MOST_CODES or codes > _MOST_CODES:
            raise ValueError(
                f"{self.pegs} pegs of {self.colours} colours make more than {_MOST_CODES:,} codes; ask for fewer"
            )

    def actions(self, state: Code) -> tuple[Code, ...]:
        return self.secrets

    @property
    def _letters(self) -> str:
        """The letters of the colours."""
        return _COLOURS[: self.colours]

    @cached_property
    def secrets(self) -> tuple[Code, ...]:
        letters = self._letters
        return tuple(
            map("".join, permutations(letters, self.pegs) if self.distinct else product(letters, repeat=self.pegs))
        )

    # How states and actions are written and read.

    def format_percept(self, percept: Pegs | None) -> str:
        return "nothing" if percept is None else f"{percept[0]} black {percept[1]} white"

    def parse_state(self, text: str) -> Code:
        return self.parse_action(text.removesuffix(FOUND)) + (FOUND if text.endswith(FOUND) else "")

    def parse_action(self, text: str) -> Code:
        code = "".join(text.split())
        if len(code) != self.pegs or not set(code) <= set(self._letters):
            raise ValueError(f"{text!r} is not {self.pegs} letters from {self._letters[0]} to {self._letters[-1]}")
        if self.distinct and len(set(code)) < self.pegs:
            raise ValueError(f"{text!r} has a colour twice")
        return code

    # How codes, beliefs and guesses are drawn.

    def svg_belief(self, states: Collection[Code]) -> Drawing:
        """The colours that each peg may have."""
        possible = [set(letters) for letters in zip(*(code.removesuffix(FOUND) for code in states), strict=True)]
        return self._picture.drawn(possible, found=all(map(self.is_goal, states)))

    def svg_action(self, action: Code) -> Drawing:
        return self._picture.ringed(action)

    @property
    def _picture(self) -> PegsPicture:
        return PegsPicture(self.pegs, self._letters)

    # For speed: answers from a table, and of guesses that differ in names only one.

    def distinct_actions(self, belief: frozenset[Code]) -> tuple[Code, ...] | None:
        """The first guess of each class under those reorderings and renamings that map `belief` to itself."""
        return None if any(map(self.is_goal, belief)) else self._symmetries.distinct_guesses(belief)

    def symmetries(self) -> list[tuple[Callable[[Code], Code], Callable[[Code], Code]]]:
        """Reordering the pegs and renaming the colours, of secrets and guesses alike."""
        return [(renamed, renamed) for renamed in self._symmetries.generators()]

    @cached_property
    def _symmetries(self) -> GuessSymmetries:
        return GuessSymmetries(self.secrets, self._letters)

    @cached_property
    def table(self) -> AnswerTable:
        return AnswerTable(self.secrets, self._letters)
