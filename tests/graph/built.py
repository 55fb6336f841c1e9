"""Graphs as objects of networkx, and as the texts of files."""

from __future__ import annotations

from typing import Any

import networkx as nx

from beliefsearch.graph.and_or_graph import and_or_walk
from beliefsearch.graph.graph_files import GraphFile
from beliefsearch.graph.search_graph import TreeStream, search_walk
from beliefsearch.running.limits import Budget


def search_graph(
    problem: Any, plan: Any = None, *, budget: Budget | None = None, **options: Any
) -> nx.MultiDiGraph[int]:
    """Return the graph of `search_walk`."""
    return search_walk(problem, plan, **{"max_nodes": None, **options}, budget=budget or Budget()).networkx()


def and_or_graph(view: Any, *, budget: Budget | None = None, **options: Any) -> nx.MultiDiGraph[int]:
    """Return the graph of `and_or_walk`."""
    return and_or_walk(view, **options, budget=budget or Budget()).networkx()


def tree_graph(problem: Any, table: Any) -> nx.MultiDiGraph[int]:
    """Return the graph of a `TreeStream`."""
    return TreeStream(problem, table).networkx()


def graph_text(graph: Any, file_format: str) -> str:
    """Return a graph as the text of a file."""
    return b"".join(GraphFile(graph, file_format)).decode()
