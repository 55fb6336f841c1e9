"""The text of a file that somebody wrote, and errors that say where in it something is wrong."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from attrs import frozen

from beliefsearch import ProblemError

LONGEST = 40
"""Of a word in a file, so many letters are quoted."""
# Of many names that there are, so many are told.
_FEW = 5


@frozen
class Source:
    """A text with the name of its file."""

    path: Path
    text: str

    def place(self, offset: int) -> str:
        """Where the character at `offset` stands: `line 3, column 7`, both counted from 1."""
        before = self.text[:offset]
        return f"line {before.count(chr(10)) + 1}, column {offset - before.rfind(chr(10))}"

    def error(self, offset: int, complaint: str) -> ProblemError:
        """The error to be raised: the file, the place, and what is wrong there."""
        return ProblemError(f"{self.path}, {self.place(offset)}: {complaint}")


class Token(NamedTuple):
    """A piece of a text: a word, a number, something quoted, HTML, a sign or the end."""

    kind: str  # word, number, quoted, html, sign or end
    text: str
    at: int  # where it begins, counted in characters from 0


def cut(word: str, longest: int = LONGEST) -> str:
    """A word or a number of a file, cut if it is long."""
    return word if len(word) <= longest else f"{word[:longest]}..."


def some_of(names: Collection[str]) -> str:
    """The first of some names, each cut if it is long; `none` if there are none."""
    return ", ".join([cut(name) for name in islice(names, _FEW)] + ["..."] * (len(names) > _FEW)) or "none"


def quoted(word: str) -> str:
    """A word of a file between quotes, cut if it is long."""
    return repr(cut(word))
