"""Reports on graphs, on explorations and analyses: text, CSV, JSON or a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ...plans.encoding import number_to_json
from ...plans.result import Exploration
from ...plans.wording import number_text, plural
from ..output import terminal_width
from ..progress import Progress
from ..selected_problem import Asked
from .text import Report, bars, belief_sample, shortened

if TYPE_CHECKING:
    from ...graph.analysis import GraphAnalysis, OptimalPlans


def exploration_report(asked: Asked, found: Exploration) -> Report:
    """Return the counts, and some of the last layer."""

    def picture(form: str) -> bytes:
        from ...graph.plots.plan_charts import exploration_picture
        from ...graph.plots.policy_charts import picture_bytes

        return picture_bytes(exploration_picture(found, _title(asked, found)), form)

    rows = [("distance", found.nodes), *enumerate(found.layers)]
    return Report(asked, _lines(asked, found), lambda: _fields(asked, found), rows, picture, data_files=True)


def _lines(asked: Asked, found: Exploration) -> list[str]:
    lines = [f"{_title(asked, found)}: {_verdict(found)}"]
    if found.layers:
        growth = ["", *(f"{after / before:.2f}" for before, after in pairwise(found.layers))]
        rows = dict(enumerate(found.layers))
        head, *table = bars(rows, heads=("distance", found.nodes), beside=("growth", growth))
        lines += ["", head, *shortened(table, len(table))]
    if found.last:
        some = "" if len(found.last) == found.layers[-1] else f"{len(found.last)} of "
        lines += ["", f"{some}{_counted(found.layers[-1], found)} at distance {len(found.layers) - 1}:"]
        problem, width = asked.problem, terminal_width() - 2
        for node in found.last:
            whole = found.nodes == "beliefs"
            lines.append(f"  {belief_sample(problem, node, width) if whole else problem.format_state(node)}")
    return lines


def _fields(asked: Asked, found: Exploration) -> dict[str, Any]:
    text = asked.problem.format_state if asked.problem is not None else str
    whole = found.nodes == "beliefs"
    return {
        "blindfold": asked.blindfold,
        **({} if asked.belief is None else {"belief": list(asked.belief)}),
        "nodes": found.nodes or None,
        "backward": found.backward,
        "layers": list(found.layers),
        "total": found.total,
        "complete": found.complete,
        "eccentricity": found.eccentricity,
        "last": [sorted(text(state) for state in node) if whole else text(node) for node in found.last],
        "cut_off": found.cut_off,
        "reason": found.reason,
        "seconds": found.seconds,
    }


def _title(asked: Asked, found: Exploration) -> str:
    return f"{asked.title} --backward" if found.backward else asked.title


def _counted(count: int, found: Exploration) -> str:
    return plural(count, found.nodes.removesuffix("s"))


def _verdict(found: Exploration) -> str:
    total, farthest = _counted(found.total, found), len(found.layers) - 1
    actions = plural(farthest, "action")
    if not found.complete:
        if not found.layers:
            return f"undecided, {found.reason}; nothing is counted"
        where = f"at most {actions} from the {'goal' if found.backward else 'start'}"
        return f"undecided, {found.reason}; {total} {where}"
    if not found.backward:
        return f"{total}, the farthest {actions} from the start"
    others = f"; {_counted(found.cut_off, found)} more are cut off from it" if found.cut_off else ""
    if not found.layers:
        return f"there is no way to the goal; {found.cut_off:,} {found.nodes} are cut off from it"
    return f"{total} from which there is a way to the goal, the farthest {actions} away{others}"


class ExploreProgress(Progress):
    """Progress of an exploration: the number of nodes found so far, and their distance."""

    def __rich__(self) -> str:
        if self._reached == 0:
            doing = f"waiting for {self._waiting}" if self._waiting else "beginning"
            return super().__rich__() if self._numbered and not self._waiting else f"{self.seconds:.0f} s: {doing}"
        return (
            f"{self.seconds:.0f} s: {self._reached:,} found, {self._frontier:,} of them at distance "
            f"{self._bound + 1:,}; {self.rate:,.0f} expanded a second"
        )


# Of so many nodes the labels are printed.
_SHOWN = 4


def analysis_report(asked: Asked, graph: Any, found: GraphAnalysis) -> Report:
    """Return the report on a graph; the rows are the numbers of nodes by distance and size."""

    def named(nodes: Sequence[int] | None) -> list[Any] | None:
        return None if nodes is None else [graph.nodes[node]["members"] for node in nodes]

    def fields() -> dict[str, Any]:
        plans = found.plans
        return {
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

    rows: list[tuple[object, ...]] = [("distance", "size", "nodes")]
    rows += [(number_to_json(g), size, count) for (g, size), count in found.counts.items()]
    return Report(asked, [*_analysis_lines(asked, graph, found)], fields, rows)


def _analysis_lines(asked: Asked, graph: Any, found: GraphAnalysis) -> Iterator[str]:
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
