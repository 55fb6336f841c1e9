"""A graph as a stream of nodes and edges: the input of all writers of files, and the source of networkx objects."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from ..plans.encoding import number_to_json

if TYPE_CHECKING:
    import networkx as nx  # loaded only when a graph object is made: it takes long

Row: TypeAlias = dict[str, Any]
"""The attributes of a node or an edge."""

Kinds: TypeAlias = dict[str, type]
"""The kind of each attribute: bool, int, float, str or list, which stands for objects too."""

_LARGEST = 2**63 - 1


class GraphStream(ABC):
    """A graph whose nodes and edges are made each time they are iterated over.

    So a file is written row by row, and the attributes of a million nodes are never in memory together. The ends of
    every edge are nodes of the graph, and edges come in the order of their tails.
    """

    about: Row  # attributes of the whole graph, always with `complete` and `stopped`

    @abstractmethod
    def levels(self) -> Sequence[Any]:
        """The layer of each node, as a number to sort by, in the order of `nodes`."""

    @abstractmethod
    def nodes(self) -> Iterator[tuple[int, Row]]:
        """Every node: its number and its attributes."""

    @abstractmethod
    def edges(self) -> Iterator[tuple[int, int, Row]]:
        """Every edge: its tail, its head, and its attributes."""

    @abstractmethod
    def number_of_edges(self) -> int:
        """Count the edges."""

    def number_of_nodes(self) -> int:
        """Count the nodes."""
        return len(self.levels())

    def node_kinds(self) -> Kinds:
        """The attributes of nodes, each with one kind that holds all its values."""
        return kinds_of(row for _, row in self.nodes())

    def edge_kinds(self) -> Kinds:
        """The attributes of edges, each with one kind that holds all its values."""
        return kinds_of(row for _, _, row in self.edges())

    def networkx(self) -> nx.MultiDiGraph[int]:
        """The whole graph as an object of networkx."""
        from .notebook_graph import ShownGraph

        graph: nx.MultiDiGraph[int] = ShownGraph(**self.about)
        graph.add_nodes_from(self.nodes())
        graph.add_edges_from(self.edges())
        return graph


class NetworkxStream(GraphStream):
    """A networkx graph as a stream."""

    def __init__(self, graph: nx.MultiDiGraph[int]) -> None:
        self._graph = graph
        self.about = dict(graph.graph)

    def levels(self) -> list[Any]:
        levels = (data.get("g", data.get("distance", 0)) for _, data in self._graph.nodes(data=True))
        return [Fraction(level) if isinstance(level, str) else level for level in levels]

    def nodes(self) -> Iterator[tuple[int, Row]]:
        yield from self._graph.nodes(data=True)

    def edges(self) -> Iterator[tuple[int, int, Row]]:
        yield from self._graph.edges(data=True)

    def number_of_edges(self) -> int:
        return self._graph.number_of_edges()


def with_commas(texts: Iterator[str]) -> Iterator[str]:
    """Yield the entries of a JSON list, a line each, with commas after all but the last."""
    before = next(texts, None)
    for text in texts:
        yield f"{before},"
        before = text
    if before is not None:
        yield before


def as_stream(graph: GraphStream | nx.MultiDiGraph[int]) -> GraphStream:
    """Either of the two as a stream."""
    return graph if isinstance(graph, GraphStream) else NetworkxStream(graph)


def as_networkx(graph: GraphStream | nx.MultiDiGraph[int]) -> nx.MultiDiGraph[int]:
    """Either of the two as an object of networkx."""
    return graph.networkx() if isinstance(graph, GraphStream) else graph


def kinds_of(rows: Iterable[Mapping[str, Any]]) -> Kinds:
    """The kind of each attribute in all rows: int if all values are, else float if they are numbers, else text.

    Whole numbers of more than 64 bits count as text: file formats have no larger ones.
    """
    found: dict[str, set[type]] = {}
    for row in rows:
        for name, value in row.items():
            if value is None:  # unknown, and left out
                continue
            kind = type(value)
            found.setdefault(name, set()).add(str if kind is int and abs(value) > _LARGEST else kind)
    return {name: one_kind(kinds) for name, kinds in found.items()}


def kinds_by_level(first: Mapping[str, Any], name: str, levels: Iterable[Any], optional: Kinds) -> Kinds:
    """The kinds of attributes of nodes that differ from the first one only in the kind of their distance, `name`.

    This saves making the rows of a million nodes. `optional` are attributes that only some nodes have.
    """
    known = kinds_of([first])
    distances = kinds_of({name: number_to_json(level)} for level in set(levels))
    return {**known, name: one_kind([known[name], *distances.values()]), **optional}


def one_kind(kinds: Iterable[type]) -> type:
    """The kind that holds values of all `kinds`."""
    every = {list if kind is dict else kind for kind in kinds}
    if len(every) == 1:
        return every.pop() if every <= {bool, int, float, list} else str
    return float if every <= {int, float} else str
