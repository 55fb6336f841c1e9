"""The text of a model file: its tokens, and errors that name line and column."""

from __future__ import annotations

import re
from typing import NamedTuple

from attrs import frozen

from beliefsearch import ProblemError

KEYWORDS = frozenset(
    "A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables endplayer endrewards "
    "endsystem false formula filter func F global G init invariant I int label max mdp min module X nondeterministic "
    "observable observables of player pomdp popta probabilistic prob Pmax Pmin P pta rate rewards Rmax Rmin R S smg "
    "stochastic system true U W".split()
)
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


@frozen
class Source:
    """The text of a file, with the name by which errors call it."""

    name: str
    text: str

    def error(self, at: int, complaint: str) -> ProblemError:
        """An error at a place of the text."""
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return ProblemError(f"{self.name}, line {line}, column {column}: {complaint}")

    def tokens(self) -> list[Token]:
        """All tokens of the text, ended by one of the kind `end`.

        Raises `ProblemError` at a character that begins none.
        """
        found: list[Token] = []
        at, size = 0, len(self.text)
        while at < size:
            match = _PATTERN.match(self.text, at)
            if match is None:
                raise self.error(at, f"{self.text[at]!r} has no meaning here")
            kind = match.lastgroup or ""
            if kind == "quoted":
                found.append(Token(kind, match[0][1:-1], at))
            elif kind != "space":
                found.append(Token(kind, match[0], at))
            at = match.end()
        found.append(Token("end", "the end of the file", at))
        return found
