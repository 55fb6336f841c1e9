"""Forms in brackets, of which a PDDL file consists; each knows its place."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any, TypeAlias

from beliefsearch import ProblemError
from beliefsearch.errors import DataWarning

from .._source import Source, quoted

_TOKEN = re.compile(r";[^\n]*|\s+|([()])|([^\s();]+)")

_DEEPEST = 100
"""Brackets in brackets: more than any formula has that somebody wrote."""


class Word(str):
    """A word in small letters, as PDDL has it."""

    source: Source
    at: int

    def error(self, complaint: str) -> ProblemError:
        """The error that something is wrong with it."""
        return self.source.error(self.at, complaint)

    def warn(self, complaint: str) -> None:
        """Say what is odd about it, though it can be read."""
        line = self.source.text.count("\n", 0, self.at) + 1
        warnings.warn_explicit(str(self.error(complaint)), DataWarning, str(self.source.path), line)


class Form(list[Any]):
    """A list in brackets of words and forms."""

    source: Source
    at: int

    def error(self, complaint: str) -> ProblemError:
        """The error that something is wrong with it."""
        return self.source.error(self.at, complaint)


Part: TypeAlias = "Word | Form"


def word_at(text: str, source: Source, at: int) -> Word:
    """A word with its place."""
    found = Word(text)
    found.source, found.at = source, at
    return found


def read_forms(source: Source) -> list[Form]:
    """The forms of a file; raises `ProblemError` where brackets do not match."""
    found: list[Form] = []
    open_forms: list[Form] = []
    for bracket, word, at in _tokens(source):
        if bracket == "(":
            form = Form()
            form.source, form.at = source, at
            open_forms.append(form)
            if len(open_forms) > _DEEPEST:
                raise form.error(f"more than {_DEEPEST} brackets in each other")
        elif bracket:
            if not open_forms:
                raise source.error(at, "a closing bracket too many")
            form = open_forms.pop()
            (open_forms[-1] if open_forms else found).append(form)
        elif not word.isprintable():
            raise source.error(at, f"{quoted(word)} has letters that cannot be printed")
        elif not open_forms:
            raise source.error(at, f"expected an opening bracket, not {quoted(word)}")
        else:
            open_forms[-1].append(word_at(word.lower(), source, at))
    if open_forms:
        raise open_forms[-1].error("this bracket is never closed")
    return found


def _tokens(source: Source) -> Iterator[tuple[str, str, int]]:
    for match in _TOKEN.finditer(source.text):
        bracket, word = match.groups()
        if bracket or word:
            yield bracket or "", word or "", match.start()


def as_word(part: Part, expected: str) -> Word:
    """A word; an error if it is a form."""
    if isinstance(part, Word):
        return part
    raise part.error(f"expected {expected}, not a bracket")


def as_form(part: Part, expected: str) -> Form:
    """A form; an error if it is a word."""
    if isinstance(part, Form):
        return part
    raise part.error(f"expected {expected} in brackets, not {quoted(part)}")
