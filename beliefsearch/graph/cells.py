"""Values of attributes as text, for files that know no lists and have one kind of value for each attribute."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from .layout import COLOURS, Colour, places, role_of, size_of
from .stream import GraphStream, Kinds, Row

_LONGEST_LABEL = 200
_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def cell(value: Any, kind: type) -> str:
    """A value of an attribute of this kind, as text that may stand in XML."""
    if kind is bool:
        return "true" if value else "false"
    if kind is float:
        number = float(value)
        return repr(number) if math.isfinite(number) else {math.inf: "INF", -math.inf: "-INF"}.get(number, "NaN")
    if kind is list:
        # Backslashes and quotes inside the strings are spelled as \uXXXX, so that no format's own escapes
        # meet those of JSON. Backslashes first: the last of a pair is not the escape of a quote behind it.
        items = (json.dumps(item).replace("\\\\", "\\u005c").replace('\\"', "\\u0022") for item in value)
        return f"[{', '.join(items)}]"
    # XML has no control characters at all; Unicode has pictures of them.
    return _NOT_IN_XML.sub(_picture, str(value))


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def drawn_nodes(graph: GraphStream) -> Iterator[tuple[int, Row, tuple[float, float], float, Colour]]:
    """Every node with its attributes, where it stands, how large it is, and its colour."""
    for (number, row), place in zip(graph.nodes(), places(graph.levels()), strict=False):
        yield number, short(row), place, size_of(row), COLOURS[role_of(row)]


def labelled_edges(graph: GraphStream) -> Iterator[tuple[int, int, Row]]:
    """Every edge, with a label: its action, if it has none of its own."""
    for tail, head, row in graph.edges():
        yield tail, head, short(row if "label" in row else {"label": row["action"], **row})


def short(row: Row) -> Row:
    """`row` with a label that other programs can show; the text of a state or an action may be of any length."""
    label = row["label"]
    return row if len(label) <= _LONGEST_LABEL else {**row, "label": f"{label[: _LONGEST_LABEL - 1]}…"}


def columns(kinds: Kinds, but: str = "") -> list[tuple[str, type]]:
    """The attributes to be written, and their kinds; without that of the name `but`."""
    return [(name, kind) for name, kind in kinds.items() if name != but]
