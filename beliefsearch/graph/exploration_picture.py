"""A picture by matplotlib of how many states or beliefs there are at each distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import BeliefSearchError
from ..plans.exploration import Exploration
from ..plans.wording import plural
from .pictures import empty_figure, whole_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FEW_BARS = 200
# Each bar has its number if they are no more than this; upright if all of them have more letters than fit in a row.
_MOST_NUMBERED = 40
_LETTERS = 90
# Bars are as high as what they count if that is no more than this; a logarithm would say little.
_SMALL = 10


def exploration_picture(exploration: Exploration, title: str = "") -> Figure:
    """How many states or beliefs there are at each distance, as bars; on a logarithmic scale if many.

    Parameters
    ----------
    exploration
        What `explore` gives.
    title
        A line above the picture.

    Returns
    -------
    matplotlib.figure.Figure
        A bar for each distance; a line tells the total, the farthest, and whether there may be more. Where there are
        few bars each has its number.

    Raises
    ------
    BeliefSearchError
        If matplotlib is not installed, or nothing was counted.

    Examples
    --------
    >>> from beliefsearch import explore
    >>> from beliefsearch_problems.river_crossing import RiverCrossingProblem
    >>> exploration_picture(explore(RiverCrossingProblem())).axes[0].get_yscale()
    'linear'
    """
    layers = exploration.layers
    if not layers:
        raise BeliefSearchError("nothing was counted, so there is no picture")
    across = "actions to the goal" if exploration.backward else "actions from the start"
    figure, axes = empty_figure(title, across, f"{exploration.nodes} at this distance")
    style = "#2f6f9f" if exploration.complete else "#8aa9be"
    if len(layers) <= _FEW_BARS:
        axes.bar(range(len(layers)), layers, width=0.84, color=style)
    else:  # a patch for each of thousands would take long
        edges = [edge for distance in range(len(layers)) for edge in (distance - 0.5, distance + 0.5)]
        heights = [count for count in layers for _ in range(2)]
        axes.fill_between(edges, heights, 0.5, step="post", linewidth=0, color=style)
    small = max(layers) <= _SMALL
    if small:
        axes.set_ylim(0, 1.4 * max(layers))
        whole_ticks(axes, "y")
    else:
        axes.set_yscale("log")
        axes.set_ylim(0.5, 4 * max(layers))
    axes.set_xlim(-0.7, len(layers) - 0.3)
    if len(layers) <= _MOST_NUMBERED:
        crowded = any(len(f"{count:,}") * len(layers) > _LETTERS for count in layers)
        for distance, count in enumerate(layers):
            axes.annotate(
                f"{count:,}",
                (distance, count),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                va="bottom",
                size=8,
                rotation=90 if crowded else 0,
            )
        if crowded and not small:
            axes.set_ylim(0.5, max(layers) ** 1.2 * 8)
    total = plural(exploration.total, exploration.nodes.removesuffix("s"))
    far = len(layers) - 1
    more = (
        f", the farthest {plural(far, 'action')} away"
        if exploration.complete
        else f" up to {far} away; there may be more"
    )
    axes.text(0.015, 0.975, total + more, transform=axes.transAxes, va="top")
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    whole_ticks(axes, "x")
    return figure
