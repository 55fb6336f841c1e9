"""Pieces of HTML for notebooks, with inline styles only, in which everything is escaped.

There are no identifiers, scripts and global styles, so that the same piece may stand twice on a page. Text has the
colour of the page; pictures have a light sheet below them, so that both can be read in light and dark notebooks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from .drawing import PALETTE, Drawing, printable

MOST_BYTES = 60_000
"""A picture whose SVG would be longer is made smaller, or left out."""
MOST_LINES = 24
"""Of a longer list the first lines are shown, and how many are left out."""
_MOST_TEXT = 300
_MOST_STATES = 200
_BOX = "font-family:system-ui,sans-serif;font-size:13px;line-height:1.45;text-align:left"
_CELL = "font-size:13px;padding:1px 14px 1px 0;text-align:left;vertical-align:top;border:0;background:none"
_SHEET = (
    f"background:{PALETTE['card'][0]};border-radius:8px;padding:6px;display:inline-block;max-width:100%;overflow:auto"
)


def box(title: str, *parts: str) -> str:
    """A title and what is below it, which is HTML already."""
    return f'<div style="{_BOX}"><div style="font-weight:600;margin:2px 0">{_text(title)}</div>{"".join(parts)}</div>'


def table(rows: Iterable[Sequence[object]], heads: Sequence[str] = (), of: int | None = None) -> str:
    """A table of texts; its first `MOST_LINES` rows, and how many of its `of` rows are left out."""
    written, rest = _first(rows, of)
    body = "".join(_row(row, "td", _CELL) for row in written)
    head = _row(heads, "th", f"{_CELL};font-weight:600") if heads else ""
    return f'<table style="border-collapse:collapse;margin:4px 0;color:inherit">{head}{body}</table>{_left_out(rest)}'


def listing(lines: Iterable[object], of: int | None = None) -> str:
    """A numbered list; its first `MOST_LINES` lines, and how many of its `of` lines are left out."""
    written, rest = _first(lines, of)
    body = "".join(f"<li>{_text(line)}</li>" for line in written)
    return f'<ol style="margin:4px 0;padding-left:34px">{body}</ol>{_left_out(rest)}'


def _left_out(count: int) -> str:
    return line(f"… and {count:,} more") if count > 0 else ""


def line(text: object) -> str:
    """A line of text."""
    return f'<div style="margin:2px 0">{_text(text)}</div>'


def picture(drawing: Drawing, label: str, *, width: float | None = None) -> str:
    """A drawing on a light sheet; a remark instead if it is too large."""
    svg = drawing.svg(width=width or drawing.width, label=label)
    if len(svg) > MOST_BYTES:
        return line("The picture is too large to be shown here; export writes it to a file.")
    return f'<div style="{_SHEET}">{svg}</div>'


def problem_box(problem: Any) -> str:
    """A problem: its parameters, and what is known at the start."""
    title = repr(problem)
    # What the author's code raises is nobody's business here: the problem is shown without a picture.
    try:
        starts = problem.initial_states() if hasattr(problem, "initial_states") else [problem.initial_state()]
        states = list(islice(starts, _MOST_STATES + 1))
        if len(states) > _MOST_STATES:
            return box(title, line(f"more than {_MOST_STATES} states are possible at the start"))
        drawn = Drawing.plain(problem.svg_state(*states) if len(states) == 1 else problem.svg_belief(states))
        said = f"{len(states)} states are possible at the start" if len(states) > 1 else "the start"
        return box(title, line(said), picture(drawn, said, width=min(220.0, 2 * drawn.width)))
    except Exception:
        return box(title)


def _row(cells: Iterable[object], tag: str, style: str) -> str:
    written = "".join(f'<{tag} style="{style}">{_text(cell)}</{tag}>' for cell in cells)
    return f"<tr>{written}</tr>"


def _text(value: object) -> str:
    written = str(value)
    return printable(written if len(written) <= _MOST_TEXT else f"{written[: _MOST_TEXT - 1]}…")


def _first(lines: Iterable[Any], of: int | None = None) -> tuple[list[Any], int]:
    """The first lines, and how many there are besides."""
    lines = iter(lines)
    written = list(islice(lines, MOST_LINES))
    return written, sum(1 for _ in lines) if of is None else max(0, of - len(written))
