"""Renderer of explorations: text, CSV, JSON or a picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ...plans.plan_writer import about_document
from ...plans.result import Exploration
from ...plans.wording import plural
from ..output import terminal_width
from ..progress import Progress
from ..selected_problem import Chosen
from .text import bars, belief_sample

# Of more layers the terminal shows this many at the beginning and at the end.
_MOST_LAYERS = 1000
_SHOWN_FIRST = 20
_SHOWN_LAST = 10

_PICTURES = ("png", "svg")


def exploration_text(chosen: Chosen, found: Exploration) -> str:
    """The counts as a table, and some of the last layer."""
    lines = [f"{_title(chosen, found)}: {_verdict(found)}"]
    if found.layers:
        lines += ["", *_table(found)]
    if found.last:
        distance = len(found.layers) - 1
        some = "" if len(found.last) == found.layers[-1] else f"{len(found.last)} of "
        lines += ["", f"{some}{_counted(found.layers[-1], found)} at distance {distance}:", *_last(chosen, found)]
    return "\n".join(lines)


def exploration_document(chosen: Chosen, found: Exploration) -> dict[str, Any]:
    """The counts as JSON values."""
    text = chosen.problem.format_state if chosen.problem is not None else str
    whole = found.nodes == "beliefs"
    fields: dict[str, Any] = {
        "blindfold": chosen.blindfold,
        **({} if chosen.belief is None else {"belief": list(chosen.belief)}),
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
    return about_document(fields, name=chosen.name, parameters=chosen.parameters, data_files=chosen.data_files)


def exploration_file(chosen: Chosen, found: Exploration, form: str) -> str | bytes:
    """The contents of a file."""
    if form in _PICTURES:
        from ...graph.plots.plan_charts import exploration_picture
        from ...graph.plots.policy_charts import picture_bytes

        return picture_bytes(exploration_picture(found, _title(chosen, found)), form)
    if form == "json":
        return json.dumps(exploration_document(chosen, found)) + "\n"
    if form == "csv":
        rows = [f"{distance},{count}\n" for distance, count in enumerate(found.layers)]
        return "".join([f"distance,{found.nodes}\n", *rows])
    return exploration_text(chosen, found) + "\n"


def _title(chosen: Chosen, found: Exploration) -> str:
    return f"{chosen.title} --backward" if found.backward else chosen.title


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


def _table(found: Exploration) -> Iterator[str]:
    growth = ["", *(f"{after / before:.2f}" for before, after in pairwise(found.layers))]
    rows = dict(enumerate(found.layers))
    head, *lines = bars(rows, heads=("distance", found.nodes), beside=("growth", growth))
    yield head
    if len(lines) > _MOST_LAYERS:
        hidden = len(lines) - _SHOWN_FIRST - _SHOWN_LAST
        cut = f"  ... {hidden:,} more; --output FILE writes them all ..."
        lines = [*lines[:_SHOWN_FIRST], cut, *lines[-_SHOWN_LAST:]]
    yield from lines


def _last(chosen: Chosen, found: Exploration) -> Iterator[str]:
    for node in found.last:
        if found.nodes == "beliefs":
            yield f"  {belief_sample(chosen.problem, node, terminal_width() - 2)}"
        else:
            yield f"  {chosen.problem.format_state(node)}"


class ExploreProgress(Progress):
    """Progress: how many nodes were found so far, and how far away."""

    def __rich__(self) -> str:
        if self._reached == 0:
            doing = f"waiting for {self._waiting}" if self._waiting else "beginning"
            return super().__rich__() if self._numbered and not self._waiting else f"{self.seconds:.0f} s: {doing}"
        return (
            f"{self.seconds:.0f} s: {self._reached:,} found, {self._frontier:,} of them at distance "
            f"{self._bound + 1:,}; {self.rate:,.0f} expanded a second"
        )
