"""Attributes of nodes in graph files: values as text, positions, sizes and colours."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import log2
from typing import Any, NamedTuple, TypeAlias

from ..model.canvas.drawing import PALETTE
from .stream import GraphStream, Kinds, Row

# The distance between the centres of two nodes of a layer; in Graphviz, points.
_STEP = 80

# The diameter of a node with one state, and the increase for twice as many states.
_SMALLEST, _DOUBLED = 12, 4

# The colour of each role of a node; the first role that fits counts.
_ROLES = {"goal": "green", "start": "blue", "on plan": "bright", "other": "soft"}


class Colour(NamedTuple):
    """Red, green and blue, each from 0 to 255."""

    r: int
    g: int
    b: int

    @property
    def hex(self) -> str:
        """The colour as text, such as #d9a32e."""
        return f"#{bytes(self).hex()}"


COLOURS: Mapping[str, Colour] = {
    role: Colour(*bytes.fromhex(PALETTE[name][0].removeprefix("#"))) for role, name in _ROLES.items()
}
"""The colour of each role of a node, in the light theme; edges on the plan have that of nodes on the plan."""


def places(levels: Sequence[Any]) -> Iterator[tuple[float, float]]:
    """Yield the position of each node: x by its place in its layer, which is centred; y by the layer, the first on top.

    The distance between layers makes the graph about as high as wide. y grows upwards, as in Gephi and Graphviz.
    """
    counts = Counter(levels)
    widest = max(counts.values(), default=1)
    down = _STEP * max(1, round(widest / max(len(counts), 1)))
    rows = {level: -down * row for row, level in enumerate(sorted(counts))}
    free = {level: -_STEP * (count - 1) / 2 for level, count in counts.items()}
    for level in levels:
        yield free[level], rows[level]
        free[level] += _STEP


def is_marked(row: Mapping[str, Any]) -> bool:
    """Whether a node or an edge is on the plan, or on the policy."""
    return bool(row.get("on_plan") or row.get("on_policy"))


Text: TypeAlias = Callable[[Any], str]
"""Function that writes a value as text."""

_LONGEST_LABEL = 200

_NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The number of rows whose text is cached: edges for the same action are often equal.
_REMEMBERED = 10_000


def plain_text(value: object) -> str:
    """A value as text in which substitutes replace the characters that XML lacks."""
    return _NOT_IN_XML.sub(lambda match: picture(match.group()), str(value))


def picture(character: str) -> str:
    """Return the substitute for a character that XML lacks: the Unicode picture of a control character."""
    return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\ufffd"


def json_text(items: list[str] | dict[str, Any]) -> str:
    """A list or object as JSON without escaped backslashes and quotes, which the escapes of a format might garble."""
    # Backslashes first: the second of a pair does not escape a quote after it.
    return json.dumps(items).replace("\\\\", "\\u005c").replace('\\"', "\\u0022")


def texts_by_kind(text: Text, items: Text) -> Mapping[type, Text]:
    """Return the writers of values by kind of an attribute: `text` for text, `items` for lists."""
    return {bool: lambda value: "true" if value else "false", int: str, float: _float_text, str: text, list: items}


def _float_text(value: Any) -> str:
    number = float(value)
    return repr(number) if math.isfinite(number) else {math.inf: "INF", -math.inf: "-INF"}.get(number, "NaN")


def row_writer(
    kinds: Kinds, texts: Mapping[type, Text], around: Callable[[int, str], tuple[str, str]], between: str = ""
) -> Callable[[Mapping[str, Any]], str]:
    """The function that writes the attributes of a row.

    `around` returns the texts before and after the value of an attribute, from its place and its name.
    """
    columns = [(name, *around(place, name), texts[kind]) for place, (name, kind) in enumerate(kinds.items())]

    def write(row: Mapping[str, Any]) -> str:
        return between.join(
            [
                f"{before}{text(value)}{behind}"
                for name, before, behind, text in columns
                if (value := row.get(name)) is not None
            ]
        )

    return write


def remembering(write: Callable[[Row], str]) -> Callable[[Row], str]:
    """Cache `write`, for rows with hashable values that often repeat."""

    @lru_cache(_REMEMBERED)
    def written(items: tuple[tuple[str, Hashable], ...]) -> str:
        return write(dict(items))

    return lambda row: written(tuple(row.items()))


def drawn_nodes(graph: GraphStream) -> Iterator[tuple[int, Row, tuple[float, float], float, Colour]]:
    """Every node with its attributes, position, size and colour."""
    for (number, row), place in zip(graph.nodes(), places(graph.levels()), strict=False):
        if row.get("goal") or row.get("terminal"):
            role = "goal"
        else:
            role = "start" if row.get("g") == 0 else "on plan" if is_marked(row) else "other"
        size = round(_SMALLEST + _DOUBLED * log2(max(row.get("size", 1), 1)), 2)
        yield number, short(row), place, size, COLOURS[role]


def labelled(row: Row) -> Row:
    """An edge with a label; by default its action."""
    return short(row if "label" in row else {"label": row["action"], **row})


def short(row: Row) -> Row:
    """`row` with its label cut to a length that other programs can show."""
    label = row["label"]
    return row if len(label) <= _LONGEST_LABEL else {**row, "label": f"{label[: _LONGEST_LABEL - 1]}…"}
