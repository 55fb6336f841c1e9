"""The tokens of a file in the language of Graphviz."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from .._source import Source

KEYWORDS = frozenset({"strict", "graph", "digraph", "node", "edge", "subgraph"})
"""Words that name nothing, in small or in capital letters."""

# Possessive: nothing is tried twice, and what does not end is found out in one go.
_PATTERN = re.compile(
    r"(?P<space>(?:[ \t\n\v\f]++|//[^\n]*+|^\#[^\n]*+)++)"
    r"|(?P<word>[A-Za-z_\x80-\U0010ffff][0-9A-Za-z_\x80-\U0010ffff]*+|-?(?:\.[0-9]++|[0-9]++(?:\.[0-9]*+)?))"
    r'|"(?P<quoted>(?:[^"\\]++|\\.)*+)"'
    r"|(?P<sign>->|--|[\[\]{}=;,:+])",
    re.MULTILINE | re.DOTALL,
)
_BRACKET = re.compile(r"<!--|[<>]")
_QUOTE = re.compile(r'\\(?:(["\\])|\n)')


class Token(NamedTuple):
    """A piece of the text."""

    kind: str
    """word, quoted, html, sign or end."""
    text: str
    """Of HTML only the text, in which each tag is a space, or a new line if it begins one."""
    at: int
    """Where it begins, counted in characters from 0."""


def tokens_of(source: Source) -> Iterator[Token]:
    """All tokens of a text, ended by one of the kind `end`; raises `ProblemError` at what begins none or never ends."""
    text, at, size = source.text, 0, len(source.text)
    while at < size:
        match = _PATTERN.match(text, at)
        if match is not None:
            kind = match.lastgroup or ""
            if kind == "quoted":
                yield Token(kind, _QUOTE.sub(_unquoted, match[kind]), at)
            elif kind != "space":
                yield Token(kind, match[0], at)
            at = match.end()
        elif text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise source.error(at, "the comment that begins here does not end")
            at = end + 2
        elif text[at] == "<":
            content, end = _html(source, at)
            yield Token("html", content, at)
            at = end
        elif text[at] == '"':
            raise source.error(at, "the text that begins with this quotation mark does not end")
        else:
            raise source.error(at, f"{text[at]!r} has no meaning here")
    yield Token("end", "the end of the file", at)


def _unquoted(escape: re.Match[str]) -> str:
    """A quotation mark without its backslash, nothing for a line that goes on; other escapes are those of labels."""
    return '"' if escape[1] == '"' else "" if escape[1] is None else escape[0]


def _html(source: Source, at: int) -> tuple[str, int]:
    """The text of the HTML that begins at a bracket, and where it ends."""
    text, pieces = source.text, []
    depth, since = 1, at + 1  # how many brackets are open, and where that begins of which nothing has been taken
    place = since
    while (match := _BRACKET.search(text, place)) is not None:
        here, place = match.span()
        if match[0] == "<!--":
            place = text.find("-->", place) + 3
            if place < 3:
                break
            if depth == 1:
                pieces.append(text[since:here])
                since = place
        elif match[0] == "<":
            depth += 1
            if depth == 2:
                pieces.append(text[since:here])
                since = here
        else:
            depth -= 1
            if not depth:
                return unescape("".join((*pieces, text[since:here]))), place
            if depth == 1:
                pieces.append("\n" if text[since : since + 3].lower() == "<br" else " ")
                since = place
    raise source.error(at, "the HTML that begins with this bracket does not end")
