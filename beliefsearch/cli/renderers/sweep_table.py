"""Renderer of sweeps: text, CSV or JSON, line by line, and files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...kinds import is_stochastic_class
from ...plans.encoding import number_to_json
from ...plans.verdict import bound_text
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


FOOT = {"json": ["]}"]}
"""The lines behind the rows, by form."""


def sweep_lines(swept: Swept, form: str, rows: Iterable[SweepRow]) -> Iterator[str]:
    """Yield the head and the rows as lines of text, CSV or JSON, each as soon as it is ready."""
    answer, room = ("value", 25) if is_stochastic_class(swept.problem_class) else ("cost", 16)
    widths = {name: max(len(name), *(len(_told(value)) for value in values)) for name, values in swept.varying.items()}
    if form == "json":
        document = {"problem": swept.reference, "parameters": dict(swept.fixed), "version": 1}
        yield json.dumps(document)[:-1] + ', "rows": ['
        yield from (("," if number else "") + json.dumps(_row_document(row)) for number, row in enumerate(rows))
    elif form == "csv":
        heads = ("status", answer, "lower_bound", "states", "starts", "seconds", "reason")
        yield from csv_lines([(*widths, *heads)])
        for row in rows:
            told = row.telling.value(row.value) if row.telling.name else row.value if answer == "value" else row.cost
            bounds = map(number_to_json, (told, row.lower_bound))
            cells = (row.status.value, *bounds, _counted(row.states), _counted(row.starts), f"{row.seconds:.3f}")
            yield from csv_lines([(*map(_told, row.options.values()), *cells, row.reason or "")])
    else:
        names = [f"{name:>{width}}" for name, width in widths.items()]
        columns = f"{'verdict':10}  {answer:>{room}}  {'states':>12}  {'starts':>12}  {'seconds':>9}"
        yield "  ".join([*names, columns])
        for row in rows:
            values = [f"{_told(row.options[name]):>{width}}" for name, width in widths.items()]
            counts = [f"{_counted(count, grouped=True):>12}" for count in (row.states, row.starts)]
            verdict = f"{row.status.value:10}  {_answer_text(row):>{room}}"
            line = "  ".join([*values, verdict, *counts, f"{row.seconds:9.2f}"])
            yield line if row.reason is None else f"{line}  {row.reason}"


def sweep_file(swept: Swept, rows: Sequence[SweepRow], form: str) -> str | bytes:
    """Return the contents of a file: the whole table, or a picture of it."""
    if form == "png":
        from ...graph.plots.policy_charts import picture_bytes, sweep_table_picture

        return picture_bytes(sweep_table_picture(rows, swept.title), form)
    return "".join(f"{line}\n" for line in (*sweep_lines(swept, form, rows), *FOOT.get(form, ())))


def _row_document(row: SweepRow) -> dict[str, Any]:
    return {
        "options": dict(row.options),
        "status": row.status.value,
        "cost": number_to_json(row.cost),
        "value": number_to_json(row.value),
        **({"answer": number_to_json(row.telling.value(row.value))} if row.telling.name else {}),
        "lower_bound": number_to_json(row.lower_bound),
        "upper_bound": number_to_json(row.upper_bound),
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
    if row.telling.costs or row.value is not None or row.upper_bound is not None:
        return _value_text(row)
    if row.cost is None:
        return "" if row.lower_bound is None else f">= {row.lower_bound}"
    if row.cost == inf:
        return ""
    text = length_text(row.cost) if isinstance(row.cost, int) else str(row.cost)
    return text if row.cost == row.lower_bound else f"{text} (>= {row.lower_bound})"


def _value_text(row: SweepRow) -> str:
    """Return the value of a stochastic problem, or what it is at least and at most, rounded to the safe side."""
    telling = row.telling
    least, most = telling.bounds(row.lower_bound, row.upper_bound)
    value = telling.value(row.value)
    if value is not None and least == most:
        text = f"{float(value):.10g}"
    else:
        low, high = bound_text(least, -1), bound_text(most, 1)
        text = "" if low is None else f">= {low}"
        if high is not None:
            text = f"<= {high}" if low is None else f"{low} to {high}"
    return f"{telling.called} {text}" if text and (telling.costs or telling.name) else text


def _counted(count: Count | None, *, grouped: bool = False) -> str:
    if count is None:
        return ""
    number = length_text(count.number) if grouped else str(count.number)
    return number if count.complete else f">={number}"


def _told(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
