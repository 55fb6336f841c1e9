"""Reader of graph files, as networkx graphs with the attributes that they had when they were written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

import networkx as nx

from ..errors import BeliefSearchError
from ..model.adapters import states_of
from .notebook_graph import ShownGraph
from .stream import Row

# Attributes of the look of a graph, which are dropped.
_LOOK = frozenset(
    {"node_default", "edge_default", "x", "y", "width", "color", "viz", "pos", "style", "fillcolor", "penwidth"}
)
# Attributes that are text, even if they look like numbers.
_TEXT = frozenset({"label", "action", "percept", "state", "stopped", "problem"})
_JSON = frozenset({"members", "best", "values"})
_TRUTH = {"true": True, "false": False}
# Without `parse_state`, this many reachable states are searched.
_LOOKED_THROUGH = 100_000

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_DOT_ROW = re.compile(r"\s*(\d+)(?: -> (\d+))? \[(.*)\];")
_DOT_VALUE = re.compile(rf"(\w+)=({_QUOTED}(?: \+ {_QUOTED})*|[^,\]]+)", re.DOTALL)
_GEXF_ABOUT = re.compile(r"<description>complete: (\w+); stopped: (.*?)(?:; problem: (.*))?</description>", re.DOTALL)


def read_graph(path: str | Path, problem: Any = None) -> nx.MultiDiGraph[int]:
    """Read a graph that `export` wrote.

    Parameters
    ----------
    path
        A file whose ending is that of a graph format: .json, .graphml, .gexf, .dot or .gv.
    problem
        The problem of the graph; if it is given, each node that has `members` also carries these as `states`.

    Returns
    -------
    networkx.MultiDiGraph
        The graph as `belief_graph`, `state_graph` or `plan_graph` gave it: nodes are numbers, `members` a list. Only
        characters that XML lacks, and labels of more than 200 letters, are replaced or cut in the file.

    Raises
    ------
    BeliefSearchError
        If the file is no such graph, or a text in it is no state of the problem.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from beliefsearch.graph import belief_graph, read_graph
    >>> from beliefsearch.graph.graph_files import GraphFile
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> size = Path("devil.gexf").write_bytes(b"".join(GraphFile(belief_graph(DevilProblem(n=2)), "gexf")))
    >>> read_graph("devil.gexf").nodes[0]["members"]
    ['HH', 'HT', 'TT']
    """
    path = Path(path)
    read = _READERS.get(path.suffix)
    if read is None:
        raise BeliefSearchError(f"the name {path.name!r} tells no format of graphs; known are {', '.join(_READERS)}")
    try:
        graph = restored(read(path))
    except (nx.NetworkXException, ParseError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BeliefSearchError(f"{str(path)!r} holds no graph that `export` wrote: {error}") from None
    if problem is not None:
        _add_states(graph, problem)
    return graph


def restored(graph: Any) -> nx.MultiDiGraph[int]:
    """The graph with the attributes that it had before it was written; also one that networkx read itself."""
    found: nx.MultiDiGraph[int] = ShownGraph(**_row(graph.graph))
    found.add_nodes_from((int(node), _row(row)) for node, row in graph.nodes(data=True))
    for tail, head, row in graph.edges(data=True):
        data = _row(row)
        if not {"percept", "probability"} & data.keys():
            data.pop("label", None)  # a copy of the action, for programs that show labels
        found.add_edge(int(tail), int(head), **data)
    return found


def _row(row: Mapping[str, Any]) -> Row:
    """The attributes without looks; JSON, truth values and numbers as text are decoded."""
    return {name: _value(name, value) for name, value in row.items() if name not in _LOOK}


def _value(name: str, value: Any) -> Any:
    if not isinstance(value, str) or name in _TEXT:
        return value
    if name in _JSON:
        return json.loads(value)
    if value in _TRUTH:
        return _TRUTH[value]
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value  # such as a fraction


def _add_states(graph: nx.MultiDiGraph[int], problem: Any) -> None:
    """Add the states that its members name to each node."""
    parse: Callable[[str], Any] = problem.parse_state
    if not problem.overrides("parse_state"):
        known = islice(states_of(problem), _LOOKED_THROUGH)
        parse = {problem.format_state(state): state for state in known}.__getitem__
    for node, row in graph.nodes(data=True):
        try:
            row["states"] = tuple(parse(text) for text in row.get("members", ()))
        except (ValueError, KeyError) as error:
            raise BeliefSearchError(f"node {node} has a state that the problem does not know: {error}") from None


def _read_gexf(path: Path) -> Any:
    graph = nx.read_gexf(path)
    about = _GEXF_ABOUT.search(path.read_text(encoding="utf-8"))
    graph.graph.clear()
    if about is not None:
        names = ("complete", "stopped", "problem")
        graph.graph.update({name: text for name, text in zip(names, about.groups(), strict=True) if text is not None})
    for _, _, data in graph.edges(data=True):
        data.pop("id", None)
    return graph


def _read_dot(path: Path) -> Any:
    """Read our own lines, one for each node and each edge."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    with path.open(encoding="utf-8") as lines:
        graph.graph.update(json.loads(next(lines, "").removeprefix("// ")))
        for line in lines:
            if match := _DOT_ROW.match(line):
                tail, head, values = match.groups()
                row = dict(_dot_values(values))
                graph.add_node(tail, **row) if head is None else graph.add_edge(tail, head, **row)
    return graph


def _dot_values(text: str) -> Iterator[tuple[str, str]]:
    for name, value in _DOT_VALUE.findall(text):
        parts = re.findall(_QUOTED, value, re.DOTALL) if value.startswith('"') else [f" {value} "]
        yield name, "".join(re.sub(r"\\([\\\"])", r"\1", part[1:-1]) for part in parts)


_READERS: Mapping[str, Callable[[Path], Any]] = {
    ".json": lambda path: nx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges"),
    ".graphml": lambda path: nx.read_graphml(path, force_multigraph=True),
    ".gexf": _read_gexf,
    ".dot": _read_dot,
    ".gv": _read_dot,
}
