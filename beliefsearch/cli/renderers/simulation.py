"""The result of `simulate` in the form that was asked for: text, CSV, JSON or a picture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...kinds import Kind
from ...model.distribution import begin
from ...plans.plan import Plan
from ...plans.plan_writer import about_document
from ...plans.policy import PolicyGraph
from ...plans.wording import plural
from ..progress import Progress
from ..selected_problem import Chosen
from .text import bars

if TYPE_CHECKING:
    from ...plans.policy import Policy
    from ...simulation.game import PolicySimulation, Simulation

_MOST_ROWS = 40


@frozen
class GamesResult:
    """The result of many games."""

    title: str  # the problem as one would type it
    lines: list[str]  # what is printed
    document: Mapping[str, Any]  # the same as JSON values
    counts: Mapping[Any, int]  # the histogram: how many games ended with which number, None if they were lost
    heads: tuple[str, str]  # what the two columns of the histogram are called


def games_result(chosen: Chosen, answer: Any, outcome: Any, asked: Mapping[str, Any]) -> GamesResult:
    """The result of games of `answer`; `asked` holds the user's options as the document lists them."""
    return _RESULTS[chosen.kind](chosen, answer, outcome, asked)


def _plan_result(
    chosen: Chosen, plan: Plan[Any, Any], outcome: Simulation[Any], asked: Mapping[str, Any]
) -> GamesResult:
    length = plural(plan.steps, "step" if plan.is_conditional else "action")
    lines = [f"{chosen.title}: {plural(outcome.games, 'game')} of a plan of {length}, {outcome.won:,} won"]
    if outcome.won:
        lines += [f"won after {outcome.mean:.2f} actions on average", ""]
        rows = {step: outcome.won_after.get(step, 0) for step in range(max(outcome.won_after) + 1)}
        lines += bars(_in_bins(rows), heads=("actions", "games won"))
    if outcome.lost:
        example = chosen.problem.format_state(outcome.lost_from[0])
        lines += ["", f"{plural(outcome.lost, 'game')} lost, the first from the start {example}"]
    fields = {
        "blindfold": chosen.blindfold,
        **({} if chosen.belief is None else {"belief": list(chosen.belief)}),
        **asked,
        "games": outcome.games,
        "won": outcome.won,
        "lost": outcome.lost,
        "mean": outcome.mean if outcome.won else None,
        "won_after": {str(step): count for step, count in outcome.won_after.items()},
        "lost_from": dict(Counter(chosen.problem.format_state(state) for state in outcome.lost_from)),
    }
    counts: dict[int | None, int] = dict(outcome.won_after.items())
    if outcome.lost:
        counts[None] = outcome.lost
    document = about_document(fields, name=chosen.name, parameters=chosen.parameters)
    return GamesResult(chosen.title, lines, document, counts, ("actions", "games"))


def _policy_result(
    chosen: Chosen, policy: Policy[Any, Any], outcome: PolicySimulation, asked: Mapping[str, Any]
) -> GamesResult:
    problem = chosen.problem
    value, lines = _expected(problem, policy), []
    if outcome.games:
        error = outcome.standard_error
        lines = [
            f"{chosen.title}: {plural(outcome.games, 'game')}, {outcome.steps / outcome.games:.2f} actions on average",
            f"mean utility {outcome.mean:.6g}, standard error {error:.2g}; the value is {value:.6g}",
            "",
            *bars(_in_intervals(outcome.utilities), heads=("utility", "games")),
        ]
    fields = {
        "seed": asked["seed"],
        "games": outcome.games,
        "actions": outcome.steps,
        "mean": outcome.mean if outcome.games else None,
        "standard_error": outcome.standard_error if outcome.games else None,
        "value": value,
        "utilities": {str(utility): count for utility, count in outcome.utilities.items()},
    }
    document = about_document(fields, name=chosen.name, parameters=chosen.parameters)
    return GamesResult(chosen.title, lines, document, outcome.utilities, ("utility", "games"))


def _expected(problem: Any, policy: Any) -> float:
    """Return the expected value of a policy, of states or a graph, from the start."""
    if isinstance(policy, PolicyGraph):
        first = begin(problem)
        value: Any = first.utility
        for chance, likely in first.percepts.values():
            worth = policy.value(policy.start, likely) if len(policy) else 0
            value += chance * (worth or 0)
        return float(value)
    start = problem.initial_state()
    return float(problem.utility(start) if problem.is_terminal(start) else policy.value(start))


def _in_bins(counts: Mapping[int, int]) -> dict[str, int]:
    """The histogram in at most a screenful of rows: a long one is grouped in bins, equally wide if possible."""
    least = -(-len(counts) // _MOST_ROWS)
    size = next((size for size in range(least, 2 * least) if len(counts) % size == 0), least)
    if size == 1:
        return {str(step): count for step, count in counts.items()}
    bins: dict[str, int] = {}
    for first in range(0, len(counts), size):
        last = min(first + size, len(counts)) - 1
        bins[f"{first}-{last}"] = sum(counts[step] for step in range(first, last + 1))
    return bins


def _in_intervals(utilities: Mapping[Any, int]) -> dict[str, int]:
    """The histogram; if there are many different utilities, in intervals of equal length."""
    if len(utilities) <= _MOST_ROWS:
        return {str(utility): count for utility, count in utilities.items()}
    low, high = float(min(utilities)), float(max(utilities))
    width = (high - low) / (_MOST_ROWS // 2)
    rows = [0] * (_MOST_ROWS // 2)
    for utility, count in utilities.items():
        rows[min(int((float(utility) - low) / width), len(rows) - 1)] += count
    return {f"from {low + place * width:.6g}": count for place, count in enumerate(rows)}


_RESULTS: Mapping[Kind, Callable[..., GamesResult]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), _plan_result),
    Kind.STOCHASTIC: _policy_result,
    Kind.POMDP: _policy_result,
}


def games_file(result: GamesResult, form: str) -> str | bytes:
    """The contents of a file: all of the result, or its histogram."""
    if form == "png":
        from ...graph.plots.policy_charts import histogram_picture, picture_bytes

        counts = {float(number): count for number, count in result.counts.items() if number is not None}
        return picture_bytes(histogram_picture(counts, result.title, *result.heads), "png")
    if form == "json":
        return json.dumps(result.document) + "\n"
    lines = result.lines
    if form == "csv":
        rows = ((("" if number is None else number), count) for number, count in result.counts.items())
        lines = [",".join(result.heads), *(f"{number},{count}" for number, count in rows)]
    return "".join(f"{line}\n" for line in lines)


class GamesProgress(Progress):
    """Progress: how many games have been played."""

    def __init__(self, quiet: bool, games: int) -> None:
        super().__init__(quiet)
        self._games = games
        self._played = 0
        self._actions = 0

    def tell(self, games: int, actions: int) -> None:
        """Take note of the number of finished games and of all actions done in them."""
        self._played, self._actions = games, actions

    def __rich__(self) -> str:
        return (
            f"{self.seconds:.0f} s: {self._played:,} of {self._games:,} games played, {self._actions:,} actions, "
            f"{self._actions / max(self.seconds, 1e-9):,.0f} a second"
        )
