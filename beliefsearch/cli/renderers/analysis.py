"""Renderer of analyses of graphs: text, CSV or JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...plans.encoding import number_to_json
from ...plans.wording import number_text, plural
from ..selected_problem import Asked
from .text import Report, bars

if TYPE_CHECKING:
    from ...graph.analysis import GraphAnalysis, OptimalPlans

# Of so many nodes the labels are printed.
_SHOWN = 4


def analysis_report(asked: Asked, graph: Any, found: GraphAnalysis) -> Report:
    """Return the report on a graph; the rows are the numbers of nodes by distance and size."""

    def named(nodes: Sequence[int] | None) -> list[Any] | None:
        return None if nodes is None else [graph.nodes[node]["members"] for node in nodes]

    def document() -> dict[str, Any]:
        plans = found.plans
        fields: dict[str, Any] = {
            "nodes": found.nodes,
            "edges": found.edges,
            "complete": not found.stopped,
            "reason": found.stopped or None,
            "counts": [[number_to_json(g), size, count] for (g, size), count in found.counts.items()],
            "winnable": found.winnable,
            "largest_winnable": named(found.largest),
            "dominated": found.dominated,
            "cost": None if plans is None else number_to_json(plans.cost),
            "optimal_plans": None if plans is None else number_to_json(plans.count),
            "bottlenecks": None if plans is None else named(plans.bottlenecks),
        }
        return asked.document(fields, data_files=False)

    rows: list[tuple[object, ...]] = [("distance", "size", "nodes")]
    rows += [(number_to_json(g), size, count) for (g, size), count in found.counts.items()]
    return Report([*_lines(asked, graph, found)], document, rows)


def _lines(asked: Asked, graph: Any, found: GraphAnalysis) -> Iterator[str]:
    by_distance, by_size = Counter[Any](), Counter[int]()
    for (g, size), count in found.counts.items():
        by_distance[number_text(g)] += count
        by_size[size] += count
    thing = "belief" if len(by_size) > 1 or max(by_size, default=1) > 1 else "state"
    yield f"{asked.title}: {plural(found.nodes, thing)}, {plural(found.edges, 'edge')}"
    if found.stopped:
        yield f"the graph is not complete: {found.stopped}"
    yield ""
    yield from bars(by_distance, heads=("distance", f"{thing}s"))
    if thing == "belief":
        yield ""
        yield from bars(dict(sorted(by_size.items())), heads=("states", "beliefs"))
    yield ""
    if found.winnable is not None:
        yield f"A plan is sure to win from {found.winnable:,} of them."
    if found.largest and thing == "belief":
        number = plural(len(found.largest), "winnable belief")
        yield f"{number} {'lies' if len(found.largest) == 1 else 'lie'} in no other: {_labels(graph, found.largest)}."
    if found.dominated and thing == "belief":
        number = "1 belief contains" if found.dominated == 1 else f"{found.dominated:,} beliefs contain"
        yield f"{number} another one that is reached as cheaply."
    if found.plans is not None:
        yield from plans_lines(graph, found.plans)


def plans_lines(graph: Any, plans: OptimalPlans) -> Iterator[str]:
    """Say how many plans of least cost there are, and through which nodes all of them go."""
    if not plans.count:
        yield "There is no plan."
        return
    number = f"{plans.count:,} plans have" if plans.count != 1 else "1 plan has"
    yield f"{number} the least cost, {number_text(plans.cost)}."
    between = plans.bottlenecks[1:-1] if len(plans.bottlenecks) > 1 else ()
    if between and plans.count != 1:
        yield f"Every one of them comes through {_labels(graph, between)}."


def _labels(graph: Any, nodes: Sequence[int]) -> str:
    """Name the first of some nodes."""
    names = [f"{{{graph.nodes[node]['label']}}}" for node in nodes[:_SHOWN]]
    return ", ".join(names) + (f" and {len(nodes) - _SHOWN:,} more" if len(nodes) > _SHOWN else "")
