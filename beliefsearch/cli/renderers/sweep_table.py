"""Renderer of sweeps: text, CSV or JSON, line by line, and files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...kinds import is_stochastic_class
from ...plans.encoding import number_to_json
from ...plans.wording import length_text
from .text import csv_lines

if TYPE_CHECKING:
    from ...planner.describe import Count
    from ...planner.sweep import SweepRow
    from ..search_options import SearchOptions


@frozen
class Swept:
    """Puzzle with values for its options, some of which vary."""

    reference: str  # PROBLEM as it was typed
    problem_class: Any
    varying: Mapping[str, Sequence[object]]  # by option, the values of those that vary
    fixed: Mapping[str, object]  # and the one value of those that do not
    title: str  # what was typed, to quote in output
    blindfold: bool  # whether a plain problem is played blindfolded
    search: SearchOptions


class SweepTable:
    """Table of a sweep: its rows as lines of text, CSV or JSON, each as soon as it is ready."""

    def __init__(self, swept: Swept, form: str) -> None:
        self._swept = swept
        self._form = form
        self._answer = "value" if is_stochastic_class(swept.problem_class) else "cost"
        self._begun = False
        self._widths = {
            name: max(len(name), *(len(_told(value)) for value in values)) for name, values in swept.varying.items()
        }

    def head(self) -> Iterator[str]:
        if self._form == "json":
            document = {"problem": self._swept.reference, "parameters": dict(self._swept.fixed), "version": 1}
            yield json.dumps(document)[:-1] + ', "rows": ['
        elif self._form == "csv":
            columns = ("status", self._answer, "lower_bound", "states", "starts", "seconds", "reason")
            yield from csv_lines([(*self._widths, *columns)])
        else:
            names = [f"{name:>{width}}" for name, width in self._widths.items()]
            heads = f"{'verdict':10}  {self._answer:>16}  {'states':>12}  {'starts':>12}  {'seconds':>9}"
            yield "  ".join([*names, heads])

    def row(self, row: SweepRow) -> Iterator[str]:
        if self._form == "json":
            yield ("," if self._begun else "") + json.dumps(_row_document(row))
        elif self._form == "csv":
            answer = row.value if self._answer == "value" else row.cost
            bounds = map(number_to_json, (answer, row.lower_bound))
            cells = (row.status.value, *bounds, _counted(row.states), _counted(row.starts), f"{row.seconds:.3f}")
            yield from csv_lines([(*map(_told, row.options.values()), *cells, row.reason or "")])
        else:
            values = [f"{_told(row.options[name]):>{width}}" for name, width in self._widths.items()]
            counts = [f"{_counted(count, grouped=True):>12}" for count in (row.states, row.starts)]
            verdict = f"{row.status.value:10}  {_answer_text(row):>16}"
            line = "  ".join([*values, verdict, *counts, f"{row.seconds:9.2f}"])
            yield line if row.reason is None else f"{line}  {row.reason}"
        self._begun = True

    def foot(self) -> Iterator[str]:
        if self._form == "json":
            yield "]}"


def sweep_file(swept: Swept, rows: Sequence[SweepRow], form: str) -> str | bytes:
    """Return the contents of a file: the whole table, or a picture of it."""
    if form == "png":
        from ...graph.plots.policy_charts import picture_bytes, sweep_table_picture

        return picture_bytes(sweep_table_picture(rows, swept.title), form)
    table = SweepTable(swept, form)
    lines = [*table.head(), *(line for row in rows for line in table.row(row)), *table.foot()]
    return "".join(f"{line}\n" for line in lines)


def _row_document(row: SweepRow) -> dict[str, Any]:
    return {
        "options": dict(row.options),
        "status": row.status.value,
        "cost": number_to_json(row.cost),
        "value": number_to_json(row.value),
        "lower_bound": number_to_json(row.lower_bound),
        "states": row.states and row.states.number,
        "states_complete": row.states is not None and row.states.complete,
        "starts": row.starts and row.starts.number,
        "starts_complete": row.starts is not None and row.starts.complete,
        "seconds": round(row.seconds, 6),
        "solver": row.solver,
        "reason": row.reason,
    }


def _answer_text(row: SweepRow) -> str:
    """Return the cost or the value; if undecided, the lower bound."""
    if row.value is not None:
        return f"{float(row.value):.10g}"
    if row.cost is None:
        return "" if row.lower_bound is None else f">= {row.lower_bound}"
    if row.cost == inf:
        return ""
    text = length_text(row.cost) if isinstance(row.cost, int) else str(row.cost)
    return text if row.cost == row.lower_bound else f"{text} (>= {row.lower_bound})"


def _counted(count: Count | None, *, grouped: bool = False) -> str:
    if count is None:
        return ""
    number = length_text(count.number) if grouped else str(count.number)
    return number if count.complete else f">={number}"


def _told(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
