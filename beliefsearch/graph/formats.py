"""Graph files: GraphML, GEXF, DOT and node-link JSON, which networkx reads without loss.

Where a format has no lists, `members` and `best` are written as the text of a JSON list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    import networkx as nx  # which takes long to load: here only for the writers that call it


@frozen
class GraphFormat:
    """A file format: the endings of its file names, and the function that writes a graph."""

    endings: tuple[str, ...]
    write: Callable[[nx.MultiDiGraph[int]], str]


def graph_text(graph: nx.MultiDiGraph[int], file_format: str) -> str:
    """`graph` as the text of a file in one of `FORMATS`."""
    return FORMATS[file_format].write(graph)


def _graphml(graph: nx.MultiDiGraph[int]) -> str:
    import networkx as nx

    out = BytesIO()
    nx.write_graphml_xml(_without_lists(graph), out)
    return out.getvalue().decode()


def _gexf(graph: nx.MultiDiGraph[int]) -> str:
    import networkx as nx

    return "\n".join(nx.generate_gexf(_without_lists(graph))) + "\n"


def _node_link(graph: nx.MultiDiGraph[int]) -> str:
    import networkx as nx

    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1) + "\n"


def _dot(graph: nx.MultiDiGraph[int]) -> str:
    plain = _without_lists(graph)
    lines = ["digraph {"]
    lines += [f"  {name}={_dot_value(value)};" for name, value in plain.graph.items()]
    lines += [f"  {node} [{_dot_attributes(data)}];" for node, data in plain.nodes(data=True)]
    for tail, head, data in plain.edges(data=True):
        lines.append(f"  {tail} -> {head} [{_dot_attributes({'label': data['action'], **data})}];")
    lines.append("}")
    return "\n".join(lines) + "\n"


def _dot_attributes(data: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_dot_value(value)}" for name, value in data.items())


def _dot_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    # In DOT a backslash before a quote escapes it, and two backslashes stand for one.
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _without_lists(graph: nx.MultiDiGraph[int]) -> nx.MultiDiGraph[int]:
    plain = type(graph)(**_flat(graph.graph))
    plain.add_nodes_from((node, _flat(data)) for node, data in graph.nodes(data=True))
    plain.add_edges_from((tail, head, _flat(data)) for tail, head, data in graph.edges(data=True))
    for name in ("g", "distance", "value", "utility"):
        _use_one_type([data for _, data in plain.nodes(data=True) if name in data], name)
    for name in ("cost", "probability"):
        _use_one_type([data for _, _, data in plain.edges(data=True) if name in data], name)
    return plain


def _use_one_type(rows: Sequence[dict[str, Any]], name: str) -> None:
    """Give an attribute the same type everywhere, as the XML formats require: int, else float, else text."""
    kinds = {type(row[name]) for row in rows}
    kind = str if str in kinds else float if float in kinds else int
    for row in rows:
        row[name] = kind(row[name])


def _flat(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _flat_value(value) for name, value in data.items()}


def _flat_value(value: object) -> object:
    if isinstance(value, list):
        # Backslashes and quotes inside the strings are spelled as \uXXXX, so that no format's own escapes
        # meet those of JSON. Backslashes first: the last of a pair is not the escape of a quote behind it.
        items = (json.dumps(item).replace("\\\\", "\\u005c").replace('\\"', "\\u0022") for item in value)
        return f"[{', '.join(items)}]"
    if isinstance(value, str):
        # XML has no control characters at all; Unicode has pictures of them.
        return re.sub(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", _picture, value)
    return value


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


FORMATS: Mapping[str, GraphFormat] = {
    "graphml": GraphFormat((".graphml",), _graphml),
    "gexf": GraphFormat((".gexf",), _gexf),
    "dot": GraphFormat((".dot", ".gv"), _dot),
    "json": GraphFormat((".json",), _node_link),
}
"""The file formats of graphs, by the name that `--format` takes. Add new ones only here."""
