"""The text of a file that somebody wrote, and errors that say where in it something is wrong."""

import re
from collections import deque
from collections.abc import Callable, Collection, Iterator
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
        """The place of the character at `offset`: `line 3, column 7`, both counted from 1."""
        before = self.text[:offset]
        return f"line {before.count(chr(10)) + 1}, column {offset - before.rfind(chr(10))}"

    def lines(self, comment: str | None = None) -> Iterator[tuple[int, str]]:
        """Yield the lines that are not empty, without what stands behind `comment`, each with its offset."""
        at = 0
        for line in self.text.splitlines(keepends=True):
            if text := (line if comment is None else line.partition(comment)[0]).strip():
                yield at, text
            at += len(line)

    def error(self, offset: int, complaint: str) -> ProblemError:
        """The error to be raised: the file, the place, and what is wrong there."""
        return ProblemError(f"{self.path}, {self.place(offset)}: {complaint}")


class Token(NamedTuple):
    """A piece of a text: a word, a number, something quoted, HTML, a sign or the end."""

    kind: str  # word, number, quoted, html, sign or end
    text: str
    at: int  # where it begins, counted in characters from 0


def _no_other(source: Source, at: int) -> tuple[Token | None, int]:
    raise source.error(at, f"{source.text[at]!r} has no meaning here")


def tokens_of(
    source: Source,
    pattern: re.Pattern[str],
    quoted: Callable[[Source, Token], Token] = lambda source, token: token,
    other: Callable[[Source, int], tuple[Token | None, int]] = _no_other,
) -> Iterator[Token]:
    """Yield the tokens of a text, ended by one of the kind `end`; each is a group of a pattern, but `space` is none.

    `quoted` says what something quoted means. `other` reads what no token begins with: a token or None, and its end.
    """
    at, size = 0, len(source.text)
    while at < size:
        match = pattern.match(source.text, at)
        if match is None:
            token, at = other(source, at)
        else:
            kind = match.lastgroup or ""
            token = None if kind == "space" else Token(kind, match[kind], at)
            at = match.end()
        if token is not None:
            yield quoted(source, token) if token.kind == "quoted" else token
    yield Token("end", "the end of the file", at)


class Tokens:
    """The tokens of a text, taken one after the other; `keywords` are words that name nothing, without a `remedy`."""

    keywords: Collection[str] = ()
    remedy = ""

    def __init__(self, source: Source, tokens: Iterator[Token]) -> None:
        self.source = source
        self.token = next(tokens)  # the next one, which is not taken yet
        self._left = tokens
        self._ahead: deque[Token] = deque()  # those behind it that were looked at

    def ahead(self, places: int) -> Token:
        """The token that comes after the next so many."""
        self._ahead.extend(islice(self._left, max(0, places - len(self._ahead))))
        places = min(places, len(self._ahead))
        return self._ahead[places - 1] if places else self.token

    def advance(self) -> Token:
        """Take the next token."""
        token = self.token
        if token.kind != "end":
            self.token = self._ahead.popleft() if self._ahead else next(self._left)
        return token

    def next_is(self, *texts: str) -> bool:
        """Whether the next token is a word or a sign with one of these texts."""
        return self.token.kind in ("word", "sign") and self.token.text in texts

    def take(self, *texts: str) -> bool:
        """Take the next token if it is a word or a sign with one of these texts."""
        found = self.next_is(*texts)
        if found:
            self.advance()
        return found

    def expect(self, text: str) -> Token:
        """Take a token that must come next."""
        token = self.token
        if not self.take(text):
            raise self.wrong(repr(text))
        return token

    def wrong(self, expected: str, token: Token | None = None) -> ProblemError:
        """The error that something else should come next, or in place of a token that was taken."""
        token = token or self.token
        found = token.text if token.kind == "end" else quoted(token.text)
        if token.kind == "word" and token.text.lower() in self.keywords:
            found += f", a word of the language{self.remedy}"
        return self.source.error(token.at, f"{expected} should come here, not {found}")


def cut(word: str, longest: int = LONGEST) -> str:
    """A word or a number of a file, cut if it is long."""
    return word if len(word) <= longest else f"{word[:longest]}..."


def some_of(names: Collection[str]) -> str:
    """The first of some names, each cut if it is long; `none` if there are none."""
    return ", ".join([cut(name) for name in islice(names, _FEW)] + ["..."] * (len(names) > _FEW)) or "none"


def quoted(word: str) -> str:
    """A word of a file between quotes, cut if it is long."""
    return repr(cut(word))
