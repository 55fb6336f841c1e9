"""Results as text, and reports: results as text, JSON, CSV or a picture."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import accumulate, islice
from math import floor, log10
from pathlib import Path
from typing import Any

from attrs import frozen

from ...kinds import is_plain
from ...plans.wording import number_order, plural, side_by_side
from ..output import emit_lines, write_file
from ..selected_problem import Asked

# Of a longer plan, or table of distances, the terminal shows this many lines at the beginning and at the end.
_LONGEST = 1000
_SHOWN_FIRST = 20
_SHOWN_LAST = 10
# The states of a larger belief are not put in order to show some of them.
_MOST_SORTED = 10_000
# Longer numbers are rounded in columns.
_LONGEST_NUMBER = 12

PICTURES = ("png", "svg")
"""Forms of a report that are pictures."""


@frozen
class Report:
    """Result that can be printed, and written to a file, in several forms."""

    asked: Asked
    lines: Sequence[str]  # as text
    fields: Callable[[], Mapping[str, Any]]  # as JSON values, beside those that say what was asked
    rows: Sequence[tuple[object, ...]]  # as CSV, with the heads of the columns first
    picture: Callable[[str], bytes] | None = None  # in a format, if there is one
    data_files: bool = False  # whether the object has the hashes of data files

    def write(self, form: str, output: Path | None) -> None:
        """Print the report in this form; or write it to a file, and print it as text."""
        if output is None:
            emit_lines(self._lines(form))
            return
        drawn = self.picture(form) if self.picture is not None and form in PICTURES else None
        write_file(output, "".join(f"{line}\n" for line in self._lines(form)) if drawn is None else drawn)
        emit_lines(self.lines)

    def _lines(self, form: str) -> Sequence[str]:
        if form == "json":
            return [json.dumps(self.asked.document(self.fields(), data_files=self.data_files))]
        return self.lines if form == "text" else csv_lines(self.rows)


def csv_lines(rows: Iterable[Sequence[object]]) -> list[str]:
    """Return rows as lines of CSV."""
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()[:-1].split("\n")  # a cell may contain other ends of lines


def shortened(lines: Iterable[str], count: int) -> Iterator[str]:
    """Yield the lines, as many as are counted; of very many only the first and the last."""
    for number, line in enumerate(lines):
        if count <= _LONGEST or number < _SHOWN_FIRST or number >= count - _SHOWN_LAST:
            yield line
        elif number == _SHOWN_FIRST:
            yield f"  ... {count - _SHOWN_FIRST - _SHOWN_LAST:,} more; --output FILE writes them all ..."


def cut_short(lines: Iterator[str], most: int, *, everything: bool) -> Iterator[str]:
    """Yield the lines, unless the user wants everything at most so many."""
    yield from lines if everything else islice(lines, most)
    if left := sum(1 for _ in lines):
        yield f"  ... and {left:,} more lines; --all shows them"


def plan_lines(problem: Any, plan: Sequence[Any]) -> Iterator[str]:
    """Yield the actions of a plan, one a line, with the states of a plain problem; a very long plan is shortened."""
    width = len(str(len(plan)))
    numbered = (f"  {number:{width}}  {problem.format_action(action)}" for number, action in enumerate(plan, 1))
    yield from shortened(_plain_steps(problem, plan) if is_plain(problem) else numbered, len(plan))


def _plain_steps(problem: Any, plan: Sequence[Any]) -> Iterator[str]:
    """Yield the states along the plan, drawn as pictures if the problem defines them."""
    from ...proofs.explanations.trace import trace

    width = len(str(len(plan)))
    widest = max(map(len, (problem.format_action(action) for action in islice(plan, _LONGEST))), default=0)
    done = ""
    for step in trace(problem, plan):
        (state,) = step.states
        text, picture = problem.format_state(state), problem.draw_state(state)
        line = f"  {step.number:{width}}  {done:{widest}}  {text}"
        if picture != text:
            indent = "\n" + " " * (width + 6 + widest)
            line += "".join(indent + row for row in picture.splitlines()) + "\n"
        yield line.rstrip(" ")
        done = "" if step.number == len(plan) else problem.format_action(step.action)


def bars(
    rows: Mapping[Any, int], *, heads: tuple[str, str], beside: tuple[str, Sequence[str]] | None = None
) -> Iterator[str]:
    """Yield a histogram, a line with a bar for each row; `beside` is a column before the bars, its head and texts."""
    left = max([len(heads[0]), *(len(str(key)) for key in rows)])
    right = max([len(heads[1]), *(len(f"{count:,}") for count in rows.values())])
    most = max(rows.values(), default=1)
    head, texts = beside or ("", [""] * len(rows))
    wide = max([len(head), *map(len, texts)])
    gap = "  " if wide else ""
    yield f"{heads[0]:>{left}}  {heads[1]:>{right}}{gap}{head:>{wide}}"
    for (key, count), text in zip(rows.items(), texts, strict=True):
        bar = "#" * round(50 * count / most)
        yield f"{key!s:>{left}}  {count:>{right},}{gap}{text:>{wide}}  {bar}".rstrip()


def belief_text(problem: Any, belief: Collection[Any], widest: int = 40) -> str:
    """Return the states of a belief, or their number if that would be more than `widest` letters."""
    text = side_by_side(state_texts(problem, belief)) if len(belief) <= widest else None
    return plural(len(belief), "state") if text is None or len(text) > widest else text


def belief_sample(problem: Any, belief: Collection[Any], widest: int) -> str:
    """Return the states of a belief; if that is more than `widest` letters, their number and the first of them."""
    number = plural(len(belief), "state")
    if len(belief) > _MOST_SORTED:
        return number
    texts = state_texts(problem, belief)
    text = side_by_side(texts)
    if len(text) <= widest:
        return text
    gap = len(side_by_side(["", *texts])) - len(text)
    places = accumulate((len(text) + gap for text in texts), initial=len(f"{number}: ..."))
    shown = sum(place <= widest for place in places) - 1
    return f"{number}: {side_by_side([*texts[:shown], '...'])}" if shown > 0 else number


def state_texts(problem: Any, belief: Iterable[Any]) -> list[str]:
    """Return the states as texts, in order."""
    return sorted([problem.format_state(state) for state in belief], key=number_order)


def number_column(values: Iterable[Any], digits: int = 6) -> list[str]:
    """Return numbers as texts of one form: exact if all are short, else decimals with equally many places.

    The largest has `digits` digits. Where some are so much smaller that nothing would be left of them, each is rounded
    to so many.
    """
    numbers = list(values)
    shown = [shown_number(number, digits) for number in numbers]
    if all(text == str(number) and not isinstance(number, float) for text, number in zip(shown, numbers, strict=True)):
        return shown
    try:
        floats = [float(number) for number in numbers]
        places = digits - 1 - floor(log10(max(map(abs, floats))))
    except (OverflowError, ValueError):  # too large for a float; or all are 0, or infinite
        return shown
    if not 0 <= places <= 2 * digits or any(number and abs(number) < 100 / 10**places for number in floats):
        return shown
    fixed = [f"{number:.{places}f}" for number in floats]
    spare = min(len(text) - len(text.rstrip("0")) for text in fixed) if places else 0
    return [text[: len(text) - spare].rstrip(".") for text in fixed]


def shown_number(value: Any, digits: int = 6) -> str:
    """Return a number for a column: floats and long fractions are rounded to `digits` digits."""
    text = str(value)
    if not isinstance(value, float) and len(text) <= _LONGEST_NUMBER:
        return text
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "a number too large for a float"
