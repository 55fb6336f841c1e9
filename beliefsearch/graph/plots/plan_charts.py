"""Pictures by matplotlib: explorations, beliefs along a plan, games and searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError
from ...kinds import require
from ...plans.plan import Plan
from ...plans.result import Exploration, plan_of
from ...plans.wording import plural
from ...proofs.explanations.trace import trace
from ...running.observer import Layer, Profile
from .policy_charts import empty_figure, histogram_picture, whole_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...simulation.game import PolicySimulation, Simulation

_FEW_BARS = 200

# Up to this many bars have a number each, which is rotated if all numbers have more letters than fit in a row.
_MOST_NUMBERED, _LETTERS = 40, 90

# Up to this largest count the scale is linear: a logarithm would show little.
_SMALL = 10


def exploration_picture(exploration: Exploration, title: str = "") -> Figure:
    """Draw the number of states or beliefs at each distance, which `explore` gives; on a logarithmic scale if many.

    Returns
    -------
    matplotlib.figure.Figure
        A bar for each distance, and a line with the total, the largest distance, and whether there may be more. If
        there are few bars, each has its number.

    Raises
    ------
    BeliefSearchError
        If matplotlib is not installed, or nothing was counted.

    Examples
    --------
    >>> from beliefsearch.tools import explore
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
    else:  # a patch for each of thousands of bars would be slow
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
            where: Any = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center", "va": "bottom"}
            axes.annotate(f"{count:,}", (distance, count), **where, size=8, rotation=90 if crowded else 0)
        if crowded and not small:
            axes.set_ylim(0.5, max(layers) ** 1.2 * 8)
    total = plural(exploration.total, exploration.nodes.removesuffix("s"))
    far = len(layers) - 1
    whole, part = f", the farthest {plural(far, 'action')} away", f" up to {far} away; there may be more"
    more = whole if exploration.complete else part
    axes.text(0.015, 0.975, total + more, transform=axes.transAxes, va="top")
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.set_axisbelow(True)
    whole_ticks(axes, "x")
    return figure


# The most states that have a line each, and the most that have their names.
_MOST_ROWS, _MOST_NAMED = 2_000, 40
_MOST_STEPS = 200_000
_LONGEST_NAME = 16


def beliefs_picture(problem: Any, plan: Any, title: str = "") -> Figure:
    """The beliefs along a plan: the possible states before each action, and their number.

    Parameters
    ----------
    problem
        A sensorless problem.
    plan
        A sequence of actions, or the result that holds it.
    title
        A line above the picture.

    Returns
    -------
    matplotlib.figure.Figure
        Above, unless there are more than 2,000 states: a line for each state and a column for each number of actions
        done, dark where the state is possible. Below, the number of states that are possible.

    Raises
    ------
    BeliefSearchError
        If matplotlib is not installed, the plan branches, has more than 200,000 actions, or the problem is of another
        kind.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> devil = DevilProblem(n=4)
    >>> figure = beliefs_picture(devil, solve(devil), "Four coins")
    >>> figure.axes[0].images[0].get_array().shape
    (6, 16)
    """
    require("picture of beliefs", problem)
    plan = plan_of(plan)
    if isinstance(plan, Plan) and plan.is_conditional:
        raise BeliefSearchError("the plan branches, so there is no one belief after each action; draw_plan() draws it")
    if len(plan) > _MOST_STEPS:
        raise BeliefSearchError(f"a picture of beliefs has at most {_MOST_STEPS:,} actions, and the plan {len(plan):,}")
    figure, below = empty_figure(title, "actions done", "states")
    places: dict[Any, int] = {}
    beliefs: list[list[int]] = []
    sizes: list[int] = []
    for step in trace(problem, plan):
        sizes.append(len(step.states))
        if len(places) <= _MOST_ROWS:
            beliefs.append([places.setdefault(state, len(places)) for state in step.states])
    if len(places) <= _MOST_ROWS:
        import numpy as np

        grid = np.zeros((len(places), len(sizes)), dtype=np.uint8)
        for column, belief in enumerate(beliefs):
            grid[belief, column] = 1
        figure.clear()
        figure.set_figheight(6)
        chart, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        edges = (-0.5, len(sizes) - 0.5, len(places) - 0.5, -0.5)
        chart.imshow(grid, aspect="auto", interpolation="nearest", cmap="Greens", vmin=0, vmax=1.3, extent=edges)
        chart.set(title=title, ylabel="state")
        if len(places) <= _MOST_NAMED:
            names = [problem.format_state(state) for state in places]
            short = [name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…" for name in names]
            chart.set_yticks(range(len(short)), [text.replace("$", r"\$") for text in short])
            chart.tick_params(axis="y", labelsize=min(9, 260 / len(short)), length=0)
        below.set(xlabel="actions done", ylabel="states")
    below.step(range(len(sizes)), sizes, where="mid")
    below.set_ylim(bottom=0)
    below.set_xlim(-0.5, len(sizes) - 0.5)
    whole_ticks(below, "x")
    whole_ticks(below, "y")
    below.grid(visible=True, alpha=0.3)
    return figure


def games_picture(games: Simulation[Any] | PolicySimulation, title: str = "") -> Figure:
    """A histogram of games of `simulate`: by the number of actions after which they were won, or by utility.

    Returns
    -------
    matplotlib.figure.Figure
        A bar for each number of actions, or for each utility. Lost games are not in it.

    Raises
    ------
    BeliefSearchError
        If matplotlib is not installed, or no game was won.

    Examples
    --------
    >>> from beliefsearch import simulate, solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> devil = DevilProblem(n=4)
    >>> games_picture(simulate(devil, solve(devil), games=100, seed=1)).axes[0].get_xlabel()
    'actions'
    """
    won = getattr(games, "won_after", None)
    counts = getattr(games, "utilities", won)
    if not counts:
        raise BeliefSearchError("no game was won, so there is no histogram")
    across = "utility" if won is None else "actions"
    return histogram_picture({float(number): count for number, count in counts.items()}, title, across, "games")


def profile_picture(profile: Profile, title: str = "") -> Figure:
    """The profile of a search that it observed: the sizes of the frontier and of the reached set as it went on.

    Returns
    -------
    matplotlib.figure.Figure
        Two curves, over the layers if the search went through layers, otherwise over the number of expanded states; on
        a logarithmic scale if the numbers differ by a factor of a hundred.

    Raises
    ------
    BeliefSearchError
        If matplotlib is not installed, or the search had no layers and was too short to report progress.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch.plot import Profile
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> profile = Profile()
    >>> result = solve(DevilProblem(n=4), solver="bfs", observer=profile)
    >>> [line.get_label() for line in profile_picture(profile).axes[0].get_lines()]
    ['states reached', 'states in the frontier']
    """
    points = profile.points
    if not points:
        raise BeliefSearchError("the search went through no layers, so it has no profile; that of bfs has one")
    by_layer = isinstance(points[0], Layer)
    figure, axes = empty_figure(title, "layers finished" if by_layer else "states expanded", "states")
    numbers = [n if isinstance(point, Layer) else point.expanded for n, point in enumerate(points, 1)]
    style = "-" if len(points) > 60 else ".-"
    reached, frontier = [point.reached for point in points], [point.frontier for point in points]
    axes.plot(numbers, reached, style, label="states reached")
    axes.plot(numbers, frontier, style, label="states in the frontier")
    counts = [count for count in (*reached, *frontier) if count]
    if counts and max(counts) >= 100 * min(counts):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="best")
    return figure
