"""Pictures by matplotlib: values and actions of a policy in the plane, curves, and histograms of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import BeliefSearchError
from ...model.checked import checked_plot_labels
from ...model.hooks import PlotHook
from ...model.stochastic import StochasticProblem

# A state and its value for each place in the plane.
_Cells: TypeAlias = "dict[tuple[int, int], tuple[Any, float]]"

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...planner.sweep import SweepRow
    from ...plans.policy import Policy

# States whose value is this close to the best or the worst one, relative to the range, are left out.
_CERTAIN = 0.005
_MOST_CELLS = 20_000_000
# A scale is logarithmic if the largest value is at least this many times the smallest.
_LOGARITHMIC = 100
_FEW_BARS = 60
_RESOLUTION = 150  # dots an inch


def value_picture(problem: StochasticProblem[Any, Any], policy: Policy[Any, Any], title: str) -> Figure:
    """A heat map: each state at its `plot_position`, in the colour of its value.

    States of almost the best or worst value are left out, so that the picture shows the region where decisions matter.
    Raises `BeliefSearchError` if the problem has no `plot_position`, or if matplotlib is not installed.
    """
    cells = _cells(problem, policy)
    figure, axes = _empty(problem, title)
    mesh = _draw(axes, {position: value for position, (_, value) in cells.items()}, cmap="RdYlBu")
    figure.colorbar(mesh, ax=axes, label=checked_plot_labels(problem)[2])
    return figure


def policy_picture(problem: StochasticProblem[Any, Any], policy: Policy[Any, Any], title: str) -> Figure:
    """A map of best actions: the states as in `value_picture`, in the colour of their best actions."""
    names = {
        position: " or ".join(problem.format_action(action) for action in policy.best_actions(problem, state))
        for position, (state, _) in _cells(problem, policy).items()
    }
    shortest_first = sorted(set(names.values()), key=lambda name: (len(name), name))
    numbers = {name: number for number, name in enumerate(shortest_first)}
    figure, axes = _empty(problem, title)
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    palette = colormaps["tab10" if len(numbers) <= 10 else "viridis"]
    colours = [palette(n if len(numbers) <= 10 else n / (len(numbers) - 1)) for n in numbers.values()]
    scale = {"cmap": ListedColormap(colours), "vmin": 0, "vmax": max(len(numbers) - 1, 1)}
    _draw(axes, {position: numbers[name] for position, name in names.items()}, **scale)
    patches = [Patch(color=colour, label=name) for name, colour in zip(list(numbers)[:20], colours, strict=False)]
    axes.legend(handles=patches, title="best action", loc="best")
    return figure


def sweep_picture(points: Sequence[tuple[float, float]], title: str, across: str, up: str) -> Figure:
    """A curve of the value over a parameter."""
    figure, axes = empty_figure(title, across, up)
    style = "-" if len(points) > 60 else ".-"
    axes.plot([x for x, _ in points], [y for _, y in points], style)
    axes.grid(visible=True, alpha=0.3)
    return figure


def sweep_table_picture(rows: Sequence[SweepRow], title: str) -> Figure:
    """The cost or value of each instance, and its time, over the option that varies.

    If several options vary there is a curve for each combination of all but the first. The scale is logarithmic if the
    largest value is at least a hundred times the smallest. Crosses at the bottom mark instances without a plan, and
    triangles the lower bounds of undecided ones.
    """
    across = next(iter(rows[0].options), "") if rows else ""
    name = "value" if any(row.value is not None and not row.telling.costs for row in rows) else "cost"
    figure, _ = empty_figure(title, "", "")
    figure.clear()
    axes, below = figure.subplots(2, 1, sharex=True)
    axes.set(title=title, ylabel=name)
    below.set(xlabel=across, ylabel="seconds")
    curves: dict[str, list[SweepRow]] = {}
    for row in rows:
        rest = list(row.options.items())[1:]
        curves.setdefault(", ".join(f"{name} {value}" for name, value in rest), []).append(row)
    for label, curve in curves.items():
        solved = [(row, answer) for row in curve if (answer := _answer(row)) is not None]
        (line,) = axes.plot([_place(row) for row, _ in solved], [answer for _, answer in solved], ".-", label=label)
        colour = line.get_color()
        undecided = ((row, _at_least(row)) for row in curve if row.status.value == "undecided")
        open_ones = [(row, bound) for row, bound in undecided if bound is not None]
        if open_ones:
            axes.plot(
                [_place(row) for row, _ in open_ones],
                [bound for _, bound in open_ones],
                "^",
                color=colour,
                label=f"{label} at least".strip(),
            )
        lost = [row for row in curve if row.status.value == "unsolvable"]
        if lost:
            bottom = axes.get_xaxis_transform()
            places = list(map(_place, lost))
            axes.plot(places, [0.03] * len(lost), "x", color=colour, transform=bottom, label=f"{label} no plan".strip())
        below.plot(list(map(_place, curve)), [row.seconds for row in curve], ".-", color=colour)
    answers = [answer for row in rows if (answer := _answer(row)) is not None]
    for part, values in ((axes, answers), (below, [row.seconds for row in rows])):
        part.grid(visible=True, alpha=0.3)
        if values and min(values) > 0 and max(values) >= _LOGARITHMIC * min(values):
            part.set_yscale("log")
    if any(axes.get_legend_handles_labels()[1]):
        axes.legend(loc="best")
    return figure


def _place(row: SweepRow) -> Any:
    """The horizontal place of a row: its option as a number, else as text."""
    value = next(iter(row.options.values()))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    try:
        return float(Fraction(str(value)))
    except (ValueError, ZeroDivisionError):
        return str(value)


def _answer(row: SweepRow) -> float | None:
    """The cost or the value; None if it cannot be drawn."""
    answer = row.cost if row.value is None else row.value
    answer = row.telling.value(answer)
    with suppress(OverflowError):
        return None if answer is None or float(answer) == inf else float(answer)
    return None


def _at_least(row: SweepRow) -> float | None:
    """The lower bound of the cost or the value, if one is known."""
    least, _ = row.telling.bounds(row.lower_bound, row.upper_bound)
    return None if least is None else float(least)


def histogram_picture(counts: Mapping[float, int], title: str, across: str, up: str) -> Figure:
    """A histogram: a bar for each number, as wide as the distance between numbers, or a bit narrower if few."""
    figure, axes = empty_figure(title, across, up)
    numbers = sorted(counts)
    apart = min((after - before for before, after in pairwise(numbers)), default=1.0)
    # One filled step curve: a patch for each of thousands of bars would be slow.
    half = apart * (0.42 if len(numbers) <= _FEW_BARS else 0.5)
    edges = [edge for number in numbers for edge in (number - half, number + half)]
    heights = [height for number in numbers for height in (counts[number], 0)]
    axes.fill_between(edges, heights, step="post", linewidth=0)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, axis="y", alpha=0.3)
    whole_ticks(axes, "y")
    if all(number == int(number) for number in numbers):
        whole_ticks(axes, "x")
    return figure


def whole_ticks(axes: Axes, name: str) -> None:
    """Label an axis, x or y, at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    getattr(axes, f"{name}axis").set_major_locator(MaxNLocator(integer=True))


def require_matplotlib() -> None:
    """Check before long work that matplotlib is installed; raise `BeliefSearchError` if not."""
    try:
        import matplotlib  # noqa: F401  # only to see whether it can be imported
    except ImportError as error:
        raise BeliefSearchError(
            f"pictures need matplotlib, which is not installed ({error}); pip install 'beliefsearch[plot]'"
        ) from error


def picture_bytes(figure: Figure, form: str) -> bytes:
    """The picture as the bytes of a `png` or `svg` file; the same picture gives the same bytes."""
    from matplotlib import rc_context

    stream = BytesIO()
    metadata = {"Date": None} if form == "svg" else {"Software": None}
    with rc_context({"svg.hashsalt": "beliefsearch"}):
        figure.savefig(stream, format=form, metadata=metadata, dpi=_RESOLUTION)
    return stream.getvalue()


def _cells(problem: StochasticProblem[Any, Any], policy: Policy[Any, Any]) -> _Cells:
    """The states with a place in the plane, without those of almost the smallest or largest value."""
    placed: _Cells = {}
    values = []
    for state, _, value in policy.items():
        values.append(float(value))
        position = problem.plot_position(state) if isinstance(problem, PlotHook) else None
        if position is None or problem.is_terminal(state):
            continue
        if position in placed:
            raise BeliefSearchError(f"plot_position() puts two states at {position}, so there is no picture of them")
        placed[position] = (state, values[-1])
    if not placed:
        name = type(problem).__name__
        raise BeliefSearchError(f"{name} does not say where its states lie in a picture; see plot_position()")
    low, high = min(values), max(values)
    margin = _CERTAIN * (high - low)
    return {position: cell for position, cell in placed.items() if low + margin < cell[1] < high - margin} or placed


def _draw(axes: Axes, numbers: Mapping[tuple[int, int], float], **style: Any) -> Any:
    """A mesh with a number at each place."""
    import numpy as np

    left, right = min(x for x, _ in numbers), max(x for x, _ in numbers)
    bottom, top = min(y for _, y in numbers), max(y for _, y in numbers)
    if (right - left + 1) * (top - bottom + 1) > _MOST_CELLS:
        raise BeliefSearchError(f"the picture would have more than {_MOST_CELLS:,} cells; make the problem smaller")
    grid = np.full((top - bottom + 1, right - left + 1), np.nan)
    for (x, y), number in numbers.items():
        grid[y - bottom, x - left] = number
    across, up = np.arange(left, right + 2) - 0.5, np.arange(bottom, top + 2) - 0.5
    return axes.pcolormesh(across, up, grid, rasterized=True, **style)


def _empty(problem: StochasticProblem[Any, Any], title: str) -> tuple[Figure, Axes]:
    across, up, _ = checked_plot_labels(problem)
    return empty_figure(title, across, up)


def empty_figure(title: str, across: str, up: str) -> tuple[Figure, Axes]:
    """A figure that no window shows, with empty axes."""
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=across, ylabel=up)
    return figure, axes


PICTURE_FORMATS = ("png", "svg")
"""The file formats of pictures, which are also the endings of their file names."""

PICTURES: Mapping[str, Callable[[StochasticProblem[Any, Any], Policy[Any, Any], str], Figure]] = {
    "value": value_picture,
    "policy": policy_picture,
}
"""The pictures of a policy, by name. Add new ones only here."""
