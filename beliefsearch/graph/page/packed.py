"""Page data written shortly: shapes that many drawings share stand there once, and columns as runs or differences.

The script unpacks them before it does anything else (scripts/unpack.js).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import groupby, pairwise
from typing import Any

# Shorter columns are left as they are.
_SHORT = 50

# A tag with the text after it; a text element in one piece.
_PARTS = re.compile("<text[^<>]*>[^<>]*</text>|<[^<>]*>[^<>]*")


def parts_of(shapes: str) -> list[str]:
    """The parts of a drawing that others may share; together they are the same text."""
    parts = _PARTS.findall(shapes)
    return parts if "".join(parts) == shapes else [shapes]


def packed(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same data with a table of shapes, of which drawings list the numbers, and with columns written shortly.

    Linear in the data.
    """
    places: dict[str, int] = {}
    drawings = [
        [width, height, [places.setdefault(part, len(places)) for part in parts_of(shapes)]]
        for width, height, shapes in data.get("drawings", ())
    ]
    graphs = [{**graph, "nodes": _named_shortly(data, graph["nodes"])} for graph in data.get("graphs", ())]
    return {**_shortly({**data, "graphs": graphs}), "shapes": list(places), "drawings": drawings}


def _named_shortly(data: Mapping[str, Any], nodes: Mapping[str, Any]) -> dict[str, Any]:
    """The nodes of a graph, with 0 for a text that is the name of their only state, and 1 for how many they have.

    Where every node has one state, that stands for its members.
    """
    names = data["states"]["names"]
    short: list[str | int] = []
    for text, size, members in zip(nodes["text"], nodes["size"], nodes["members"], strict=True):
        if size == 1 and members and text == names[members[0]]:
            short.append(0)
        else:
            short.append(1 if text == f"{size:,} states" else text)
    members = nodes["members"]
    alone = all(len(states) == 1 for states in members)
    return {**nodes, "text": short, "members": [state for (state,) in members] if alone else members}


def _shortly(value: Any) -> Any:
    """Data with all columns of numbers in it written shortly."""
    if isinstance(value, dict):
        return {key: _shortly(inner) for key, inner in value.items()}
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        return list(map(_shortly, value))
    return _column(value) if len(value) > _SHORT and all(map(_is_number, value)) else value


def _is_number(value: Any) -> bool:
    return value is None or type(value) in (int, float)


def _column(values: list[Any]) -> Any:
    """A column as it is, as runs `[value, count, ...]`, or by its steps from 0, a column too: whatever is shortest."""
    ways: list[Any] = [values, *({"runs": runs} for runs in _shorter_runs(values))]
    if all(type(value) is int for value in values):
        steps = [values[0], *(after - before for before, after in pairwise(values))]
        ways += [{"steps": steps}, *({"steps": {"runs": runs}} for runs in _shorter_runs(steps))]
    return min(ways, key=lambda way: len(json.dumps(way, separators=(",", ":"))))


def _shorter_runs(values: list[Any]) -> list[list[Any]]:
    """The values as runs, unless they have none: then that is longer than they are."""
    runs = [part for value, run in groupby(values) for part in (value, len(list(run)))]
    return [runs] if len(runs) < 2 * len(values) else []
