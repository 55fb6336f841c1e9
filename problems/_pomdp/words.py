"""A file in Cassandra's format as words: names, numbers, `:` and `*`; comments are skipped."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice

from beliefsearch import ProblemError

from .._source import Source, quoted, some_of

_WORD = re.compile(r"[:*]|[^\s:*]+")
_COMMENT = re.compile(r"#[^\n]*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE]([+-]?\d{1,3}))?", re.ASCII)
_COUNT = re.compile(r"\d{1,100}", re.ASCII)
# More digits than any number needs; with an exponent of three digits a number stays small.
_MOST_DIGITS = 1000
# Solvers count in floats, too, which hold no others.
_LEAST, _MOST_WORDS = Fraction("1e-300"), Fraction("1e300")
SECTIONS = frozenset({"discount", "values", "states", "actions", "observations", "start", "T", "O", "R"})
ANY = -1
"""The number that stands for `*`: each of them."""


class Numbers(dict[str, Fraction]):
    """Exact numbers by how they are written; most of a file are a few numbers again and again."""

    def __missing__(self, word: str) -> Fraction:
        if len(word) > _MOST_DIGITS or not _NUMBER.fullmatch(word):
            raise ValueError(word)
        value = Fraction(word)
        if value and not _LEAST <= abs(value) <= _MOST_WORDS:
            raise ValueError(word)
        self[word] = value
        return value


class Chances(Numbers):
    """The same of probabilities: ArithmeticError tells of a number that is none."""

    def __missing__(self, word: str) -> Fraction:
        value = super().__missing__(word)
        if not 0 <= value <= 1:
            del self[word]
            raise ArithmeticError(word)
        return value


class Words:
    """The words of a file, and the place up to which they have been read."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._plain = _COMMENT.sub(lambda match: " " * len(match[0]), source.text)  # every word stays in its place
        self._words = [sys.intern(match[0]) for match in _WORD.finditer(self._plain)]
        self._numbers = Numbers()
        self._chances = Chances()
        self.at = 0

    def error(self, at: int, complaint: str) -> ProblemError:
        """The error to be raised about the word of this number, or about the end of the file."""
        return self._source.error(self._offset(at), complaint)

    def place(self, at: int) -> str:
        """Where the word of this number stands."""
        return self._source.place(self._offset(at))

    def _offset(self, at: int) -> int:
        match = next(islice(_WORD.finditer(self._plain), at, None), None)
        return len(self._plain.rstrip()) if match is None else match.start()

    def ended(self) -> bool:
        """Whether all words were read."""
        return self.at >= len(self._words)

    def next_is(self, word: str) -> bool:
        """Whether this is the next word."""
        return self._words[self.at : self.at + 1] == [word]

    def take_if(self, word: str) -> bool:
        """Take the next word if it is this one."""
        found = self.next_is(word)
        self.at += found
        return found

    def opens_section(self, at: int) -> bool:
        """Whether a section, such as `T:`, begins at the word of this number, or the file is at its end."""
        if at >= len(self._words):
            return True
        word, *behind = self._words[at : at + 2]
        starts = word == "start" and behind in (["include"], ["exclude"])
        return starts or (word in SECTIONS and behind == [":"])

    def take(self, wanted: str) -> str:
        """The next word."""
        if self.ended():
            raise self.error(self.at, f"the file ends where {wanted} should stand")
        self.at += 1
        return self._words[self.at - 1]

    def take_colon(self, before: str) -> None:
        """The next word, which is a colon."""
        word = self.take(f"a colon behind {before}")
        if word != ":":
            raise self.error(self.at - 1, f"a colon should stand between {before} and {quoted(word)}")

    def listed(self) -> tuple[int, Sequence[str]]:
        """All words up to the next section, and the number of the first."""
        first = self.at
        while not self.opens_section(self.at):
            self.at += 1
        return first, self._words[first : self.at]

    def numbers(self, count: int, wanted: str) -> list[Fraction]:
        """The next `count` words, which are numbers."""
        return self._read(count, wanted, self._numbers)

    def probabilities(self, count: int, wanted: str) -> list[Fraction]:
        """The next `count` words, which are numbers from 0 to 1."""
        return self._read(count, wanted, self._chances)

    def _read(self, count: int, wanted: str, known: Numbers) -> list[Fraction]:
        words = self._words[self.at : self.at + count]
        try:
            found = [known[word] for word in words]
        except (ValueError, ArithmeticError) as error:
            word = str(error)
            place = words.index(word)
            which = f"number {place + 1:,} of {count:,}, " if count > 1 else ""
            complaint = f"{wanted} should stand here, {which}not {quoted(word)}"
            if isinstance(error, ArithmeticError):
                complaint = f"a probability is a number from 0 to 1, and not {quoted(word)}"
            raise self.error(self.at + place, complaint) from None
        if len(words) < count:
            ends = f"the file ends where {wanted} should stand"
            if count > 1:
                ends = f"the file ends behind {len(words):,} of {count:,} numbers, where {wanted} should stand"
            raise self.error(len(self._words), ends)
        self.at += count
        return found

    def entry(self, first: Mapping[str, int], second: Mapping[str, int], third: Mapping[str, int]) -> Sequence[int]:
        """The numbers of the next three words, each a name behind a colon; none, and nothing is read, if they are not.

        Large files are made of these. Whatever is less usual, such as `*`, is left to be read word by word.
        """
        words = self._words[self.at : self.at + 6]
        if words[::2] != [":", ":", ":"]:
            return ()
        try:
            found = (first[words[1]], second[words[3]], third[words[5]])
        except (KeyError, IndexError):
            return ()
        self.at += 6
        return found

    def index(self, numbers: Mapping[str, int], thing: str) -> int:
        """The next word, which is `*`, a name, or a number counted from 0, of a thing such as a state."""
        word = self.take(f"the name of {thing}")
        return ANY if word == "*" else self.number_of(word, numbers, thing, self.at - 1)

    def number_of(self, word: str, numbers: Mapping[str, int], thing: str, at: int) -> int:
        """The number of the thing that has this name, or this number."""
        if word in numbers:
            return numbers[word]
        if _COUNT.fullmatch(word) and len(word) < 10 and int(word) < len(numbers):
            return int(word)
        known = f"there are {len(numbers):,}: {some_of(numbers)}"
        raise self.error(at, f"{quoted(word)} is not the name of {thing}; {known}")


def as_count(words: Sequence[str]) -> int | None:
    """The number that stands in the place of a list of names."""
    return int(words[0]) if len(words) == 1 and _COUNT.fullmatch(words[0]) else None


def is_number(word: str) -> bool:
    """Whether a word can be read as a number."""
    return _NUMBER.fullmatch(word) is not None
