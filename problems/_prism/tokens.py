"""The tokens of a model file."""

from __future__ import annotations

import re
from typing import NamedTuple

from .._source import Source, quoted

_KEYWORDS = (
    "A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endplayer endrewards "
    "endsystem false formula filter func F global G init invariant I int label max mdp min module X nondeterministic "
    "observable observables of player pomdp popta probabilistic prob Pmax Pmin P pta rate rewards Rmax Rmin R S smg "
    "stochastic system true U W"
)

KEYWORDS = frozenset(_KEYWORDS.split())
"""Words that name nothing."""

_PATTERN = re.compile(
    r"(?P<space>(?:\s|//[^\n]*)+)"
    r"|(?P<number>(?:\d+\.\d+|\.\d+|\d+(?!\.\d))(?:[eE][+-]?\d+)?)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r'|(?P<quoted>"[^"\n]*")'
    r"|(?P<sign><=>|=>|->|<=|>=|!=|\.\.|[-+*/<>=!&|?:;,()\[\]{}'])",
    re.ASCII,
)


class Token(NamedTuple):
    """A piece of the text."""

    kind: str
    """word, number, quoted, sign or end."""
    text: str
    at: int
    """Where it begins, counted in characters from 0."""


def tokens_of(source: Source) -> list[Token]:
    """All tokens of a text, ended by one of the kind `end`; raises `ProblemError` at a character that begins none."""
    found: list[Token] = []
    at, size = 0, len(source.text)
    while at < size:
        match = _PATTERN.match(source.text, at)
        if match is None:
            raise source.error(at, f"{source.text[at]!r} has no meaning here")
        kind = match.lastgroup or ""
        if kind == "quoted":
            if not match[0].isprintable():  # a terminal would obey it
                raise source.error(at, f"{quoted(match[0][1:-1])} is no name: it cannot be printed")
            found.append(Token(kind, match[0][1:-1], at))
        elif kind != "space":
            found.append(Token(kind, match[0], at))
        at = match.end()
    found.append(Token("end", "the end of the file", at))
    return found
