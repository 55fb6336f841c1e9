"""Renderer of explorations: text, CSV, JSON or a picture."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ...plans.result import Exploration
from ...plans.wording import plural
from ..output import terminal_width
from ..progress import Progress
from ..selected_problem import Asked
from .text import Report, bars, belief_sample, shortened


def exploration_report(asked: Asked, found: Exploration) -> Report:
    """Return the counts, and some of the last layer."""

    def picture(form: str) -> bytes:
        from ...graph.plots.plan_charts import exploration_picture
        from ...graph.plots.policy_charts import picture_bytes

        return picture_bytes(exploration_picture(found, _title(asked, found)), form)

    rows = [("distance", found.nodes), *enumerate(found.layers)]
    return Report(_lines(asked, found), lambda: _document(asked, found), rows, picture)


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


def _document(asked: Asked, found: Exploration) -> dict[str, Any]:
    text = asked.problem.format_state if asked.problem is not None else str
    whole = found.nodes == "beliefs"
    fields: dict[str, Any] = {
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
    return asked.document(fields)


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
