"""Nodes and edges of a directed graph in a file of Graphviz, with labels and shapes; the rest is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from beliefsearch import ProblemError

from .._source import Source, Token, Tokens, quoted, tokens_of

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


def _unquote(source: Source, token: Token) -> Token:
    return Token(token.kind, _QUOTE.sub(_unquoted, token.text), token.at)


def _unquoted(escape: re.Match[str]) -> str:
    """A quotation mark without its backslash, nothing for a line that goes on; other escapes are those of labels."""
    return '"' if escape[1] == '"' else "" if escape[1] is None else escape[0]


def _other(source: Source, at: int) -> tuple[Token | None, int]:
    """Read a comment or HTML, of which only the text is taken: each tag is a space, or a new line if it begins one."""
    text = source.text
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        if end < 0:
            raise source.error(at, "the comment that begins here does not end")
        return None, end + 2
    if text[at] == "<":
        content, end = _html(source, at)
        return Token("html", content, at), end
    if text[at] == '"':
        raise source.error(at, "the text that begins with this quotation mark does not end")
    raise source.error(at, f"{text[at]!r} has no meaning here")


def _html(source: Source, at: int) -> tuple[str, int]:
    """The text of the HTML that begins at a bracket, and where it ends."""
    text, pieces = source.text, []

    def take(until: int) -> None:
        pieces.append(text[since:until].replace("\n", " "))

    depth, since = 1, at + 1  # how many brackets are open, and where that begins of which nothing has been taken
    place = since
    while (match := _BRACKET.search(text, place)) is not None:
        here, place = match.span()
        if match[0] == "<!--":
            place = text.find("-->", place) + 3
            if place < 3:
                break
            if depth == 1:
                take(here)
                since = place
        elif match[0] == "<":
            depth += 1
            if depth == 2:
                take(here)
                since = here
        else:
            depth -= 1
            if not depth:
                take(here)
                return unescape("".join(pieces)), place
            if depth == 1:
                pieces.append("\n" if text[since : since + 3].lower() == "<br" else " ")
                since = place
    raise source.error(at, "the HTML that begins with this bracket does not end")


_STATE = "the name of a state"


class Edge(NamedTuple):
    """An edge with its label, if it has one."""

    tail: str
    head: str
    label: Token | None
    at: int
    """Where it begins, counted in characters from 0."""


Attributes: TypeAlias = Mapping[str, Token]
"""Attributes by their names."""
_READ = ("label", "shape", "peripheries")
"""Attributes that may mean something; the others are passed over."""


class GraphReader(Tokens):
    """Reads a graph from the first token to the last; what is nested is on a list, so it may be nested at will."""

    keywords = KEYWORDS
    remedy = "; write it between quotation marks to name something"
    nodes: dict[str, Attributes]
    """By node in the edges read so far: its attributes. They are complete when all edges have been read."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, tokens_of(source, _PATTERN, _unquote, _other))
        self._strict = False
        self._pairs: set[tuple[str, str]] = set()
        self.nodes = {}
        self._of_nodes: list[Attributes] = [{}]  # of nodes that say none, by how deep subgraphs are nested
        self._of_edges: list[Attributes] = [{}]

    def edges(self) -> Iterator[Edge]:
        """All edges, those of subgraphs too, in order; raises `ProblemError` where the file is no directed graph."""
        self._open()
        while self._of_edges:
            token = self.advance()
            sign = token.text if token.kind == "sign" else ""
            word = _word(token)
            if sign == "{" or word == "subgraph":
                if word:
                    self._subgraph()
                self._of_edges.append(self._of_edges[-1])
                self._of_nodes.append(self._of_nodes[-1])
            elif sign == "}":
                self._of_nodes.pop()
                self._of_edges.pop()
                if self._of_edges and self.next_is("->", "--"):
                    raise self._of_subgraph(self.token.at)
            elif word == "edge":
                self._of_edges[-1] = self._attributes(self._of_edges[-1])
            elif word == "node":
                self._of_nodes[-1] = self._attributes(self._of_nodes[-1])
            elif word == "graph":
                self._attributes({})
            elif token.kind == "end":
                raise self.wrong("'}'", token)
            elif sign != ";":
                yield from self._statement(token)
        if self.token.kind != "end":
            raise self.wrong("the end of the file")

    def _open(self) -> None:
        """Take what stands before the first statement."""
        self._strict = self._keyword("strict")
        if _word(self.token) == "graph":
            raise self.source.error(self.token.at, "the graph has no directions; a machine is a digraph")
        if not self._keyword("digraph"):
            raise self.wrong("the word digraph")
        if self.token.kind not in ("sign", "end"):
            self._name(self.advance(), "the name of a graph")
        self.expect("{")

    def _subgraph(self) -> None:
        """Take the name of a subgraph, if it has one, and its bracket; what is in it counts as if it stood outside."""
        at, name = self.token.at, ""
        if self.token.kind not in ("sign", "end"):
            name = self._name(self.advance(), "the name of a subgraph")
        if not self.take("{"):
            raise self.source.error(at, f"the subgraph {quoted(name)} is referred to, which is not read")

    def _statement(self, first: Token) -> Iterator[Edge]:
        """Take what begins with a name: a node, an attribute of the graph, or a chain of edges."""
        nodes = [self._name(first, _STATE)]
        if self.take("="):
            self._name(self.advance(), "a value")
            return
        self._port()
        while self.next_is("->", "--"):
            sign = self.advance()
            if sign.text == "--":
                raise self.source.error(sign.at, "the edge has no direction; write -> in a digraph")
            if self.next_is("{") or _word(self.token) == "subgraph":
                raise self._of_subgraph(self.token.at)
            nodes.append(self._name(self.advance(), _STATE))
            self._port()
        for name in nodes:
            self.nodes.setdefault(name, self._of_nodes[-1])
        if len(nodes) == 1:
            self.nodes[nodes[0]] = self._attributes(self.nodes[nodes[0]])
            return
        label = self._attributes(self._of_edges[-1]).get("label")
        for pair in pairwise(nodes):
            if self._strict:
                if pair in self._pairs:
                    between = f"from {quoted(pair[0])} to {quoted(pair[1])}"
                    raise self.source.error(first.at, f"a strict graph has one edge {between}, and this is another")
                self._pairs.add(pair)
            yield Edge(*pair, label, first.at)

    def _attributes(self, given: Attributes) -> Attributes:
        """Take lists of attributes; gives those that may mean something, and else the ones given."""
        found = dict(given)
        while self.take("["):
            while not self.take("]"):
                attribute = self._name(self.advance(), "the name of an attribute")
                self.expect("=")
                value = self.advance()
                text = self._name(value, "a value")
                if attribute in _READ:
                    found[attribute] = Token(value.kind, text, value.at)
                self.take(",", ";")
        return found

    def _port(self) -> None:
        """Take the places of a node where an edge is to be drawn."""
        while self.take(":"):
            self._name(self.advance(), "the name of a port")

    def _name(self, token: Token, thing: str) -> str:
        """The text of a token that was taken, and of those that are joined to it."""
        if token.kind in ("sign", "end") or _word(token) in KEYWORDS or (token.kind == "html" and thing == _STATE):
            raise self.wrong(thing, token)
        if token.kind != "quoted" or not self.next_is("+"):
            return token.text
        parts = [token.text]
        while self.take("+"):
            part = self.advance()
            if part.kind != "quoted":
                raise self.wrong("a text between quotation marks", part)
            parts.append(part.text)
        return "".join(parts)

    def _keyword(self, word: str) -> bool:
        """Take the next token if it is this word."""
        found = _word(self.token) == word
        if found:
            self.advance()
        return found

    def _of_subgraph(self, at: int) -> ProblemError:
        return self.source.error(at, "edges from or to a subgraph are not read; write one for each of its states")


def _word(token: Token) -> str:
    """A word without quotation marks, as the language compares it; of other tokens nothing."""
    return token.text.lower() if token.kind == "word" else ""
