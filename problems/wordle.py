"""Wordle: find a hidden word by guesses, which tell of each letter whether it is right."""

from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from attrs import field, frozen
from attrs.validators import ge, optional

from beliefsearch import Drawing, KnownAnswer
from beliefsearch.tools import read_data_file

from ._guesses import FOUND, GuessingGame, MarkTable
from ._pictures.guesses import Letters

Word: TypeAlias = str
"""A word in small letters. An answer that has been guessed ends in `!`."""

Marks: TypeAlias = str
"""For each letter of the guess `=`, right; `+`, it stands elsewhere; or `.`, there is no other such letter."""

_RIGHT, _ELSEWHERE, _ABSENT = "=+."

# A table of all answers to all guesses is a matter of seconds up to here.
_MOST_WORDS = 20_000
_LONGEST = 10

_OURS = (
    "apple bread chair table stone cloud river house light night plant grass field beach storm train plane truck "
    "wheel clock phone radio music dance smile heart brain dream green brown black white money paper horse sheep "
    "mouse tiger eagle grape lemon peach sugar honey knife spoon"
)


@frozen
class WordleProblem(GuessingGame[Marks]):
    """Find a hidden word by guesses, which tell of each letter whether it is right.

    Story
    -----
    A word is hidden. You guess a word, and of each letter of your guess you learn whether it stands in the same place
    of the hidden word, or elsewhere in it, or nowhere. How many guesses are needed until one is right?

    Formal model
    ------------
    A state is the hidden word, any of the answers at the start. Actions are guesses, and cost 1: any of the answers,
    and of the other words that may be guessed. The percept has a mark for each letter of the guess: `=` in the same
    place, `+` elsewhere, and `.` nowhere, where each letter of the hidden word speaks for one letter of the guess,
    first for those in the right place, then for the others from left to right. The goal is that the word was guessed,
    so that last guess counts; then the game stops, and the word is marked `!`.

    Source
    ------
    J. Wardle, 2021; D. Bertsimas and A. Paskov, "An exact and interpretable solution to Wordle" (2022), for the
    original lists: 2,315 answers, and 12,972 words that may be guessed.

    Known answers
    -------------
    With the original lists 5 guesses in the worst case, and 7,920 guesses for all answers together, 3.4212 on average.
    Those of our own few words are by brute force over all that can be known.
    """

    known_answers = (
        KnownAnswer({}, 3),
        KnownAnswer({"first": 12}, 2),
        KnownAnswer({"first": 12}, 2, objective="expected"),
    )

    answers: Path | None = field(
        default=None, metadata={"help": "a file of the words that may be hidden; default: a few of our own"}
    )
    guesses: Path | None = field(
        default=None, metadata={"help": "a file of further words that may be guessed; default: none"}
    )
    first: int | None = field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "only so many answers, the first of the file, may be hidden"},
    )

    def __attrs_post_init__(self) -> None:
        self._guesses  # noqa: B018  # files that cannot be read are refused now

    def actions(self, state: Word) -> tuple[Word, ...]:
        return self._guesses

    @cached_property
    def secrets(self) -> tuple[Word, ...]:
        """The words that may be hidden."""
        return self._listed[: self.first]

    @cached_property
    def _listed(self) -> tuple[Word, ...]:
        """The answers of the file."""
        return tuple(_OURS.split()) if self.answers is None else _read_words("answers", self.answers)

    @cached_property
    def _guesses(self) -> tuple[Word, ...]:
        """The words that may be guessed: first the answers."""
        words = self._listed
        if self.guesses is None:
            return words
        others = _read_words("guesses", self.guesses)
        if len(others[0]) != len(words[0]):
            raise ValueError(
                f"guesses: the words of {str(self.guesses)!r} have {len(others[0])} letters, "
                f"but the answers {len(words[0])}"
            )
        found = tuple(dict.fromkeys((*words, *others)))
        if len(found) > _MOST_WORDS:
            raise ValueError(f"guesses: {len(found):,} words may be guessed; at most {_MOST_WORDS:,} are possible")
        return found

    # How states and actions are written and read.

    def parse_state(self, text: str) -> Word:
        word = text.strip()
        if word.removesuffix(FOUND) not in self.secrets:
            raise ValueError(f"{text!r} is not one of the {len(self.secrets):,} answers")
        return word

    def parse_action(self, text: str) -> Word:
        word = text.strip().lower()
        if word not in self._guesses:
            raise ValueError(f"{text!r} is not one of the {len(self._guesses):,} words that may be guessed")
        return word

    # How words, beliefs and guesses are drawn.

    def svg_belief(self, states: Collection[Word]) -> Drawing:
        """The letters that are known, those that may occur, and how many words are possible."""
        words = [state.removesuffix(FOUND) for state in states]
        return self._picture.drawn(words, found=all(map(self.is_goal, states)))

    def svg_action(self, action: Word) -> Drawing:
        return self._picture.guessed(action)

    @cached_property
    def _picture(self) -> Letters:
        return Letters(len(self._guesses[0]), "".join(sorted(set().union(*self._guesses))))

    @cached_property
    def table(self) -> MarkTable:
        return MarkTable(self.secrets, marks_of, _ABSENT + _ELSEWHERE + _RIGHT)


def marks_of(guess: Word, answer: Word) -> Marks:
    """The answer to a guess."""
    left = [letter for letter, asked in zip(answer, guess, strict=True) if letter != asked]
    marks = []
    for letter, asked in zip(answer, guess, strict=True):
        if letter == asked:
            marks.append(_RIGHT)
        elif asked in left:
            left.remove(asked)
            marks.append(_ELSEWHERE)
        else:
            marks.append(_ABSENT)
    return "".join(marks)


def _read_words(option: str, path: Path) -> tuple[Word, ...]:
    """The words in a text file, between white space; capitals are made small.

    Raises
    ------
    ValueError
        If it cannot be read, or has no words, too many, the same twice, some of different lengths, too long ones, or
        something that is no word; names the first that is wrong, and its line.
    """
    try:
        lines = read_data_file(path).split("\n")
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from error
    line_of: dict[Word, int] = {}
    length = 0
    for number, line in enumerate(lines, start=1):
        for written in line.split():
            word = written.lower()
            place = f"{option}: line {number} of {str(path)!r} has {written[:20]!r}"
            if not word.isalpha() or any(letter.lower() != letter for letter in word):
                raise ValueError(f"{place}, which is no word: write letters only")
            length = length or len(word)
            if len(word) > _LONGEST:
                raise ValueError(f"{place}, a word of {len(word)} letters; at most {_LONGEST} are possible")
            if len(word) != length:
                raise ValueError(f"{place}, of {len(word)} letters, but the words before have {length}")
            if word in line_of:
                raise ValueError(f"{place}, which stands in line {line_of[word]} already")
            line_of[word] = number
            if len(line_of) > _MOST_WORDS:
                raise ValueError(f"{option}: {str(path)!r} has more than {_MOST_WORDS:,} words; give fewer")
    if not line_of:
        raise ValueError(f"{option}: {str(path)!r} has no words; write one in each line")
    return tuple(line_of)
