"""The result of `simulate` in the form that was asked for: text, CSV, JSON or a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from ...errors import BeliefSearchError
from ...kinds import Kind
from ...plans.plan import Plan
from ...plans.wording import plural
from ..choice import Choice
from ..chosen import Chosen
from ..output import check_writable, emit, write_file
from ..progress import Progress
from .report import bars

if TYPE_CHECKING:
    from ...games.game import PolicySimulation, Simulation
    from ...plans.policy import Policy

_MOST_ROWS = 40
_SUFFIXES = {".txt": "text", ".json": "json", ".csv": "csv", ".png": "png"}


@frozen
class GamesResult:
    """The result of many games.

    Attributes
    ----------
    title
        The problem as one would type it.
    lines
        What is printed.
    document
        The same as JSON values.
    counts
        The histogram: how many games ended with which number; None stands for games that were lost.
    heads
        What the two columns of the histogram are called.
    """

    title: str
    lines: list[str]
    document: Mapping[str, Any]
    counts: Mapping[Any, int]
    heads: tuple[str, str]


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
        "lost_from": dict(Counter(map(chosen.problem.format_state, outcome.lost_from))),
    }
    counts: dict[int | None, int] = dict(outcome.won_after.items())
    if outcome.lost:
        counts[None] = outcome.lost
    return GamesResult(chosen.title, lines, _document(chosen, fields), counts, ("actions", "games"))


def _policy_result(
    chosen: Chosen, policy: Policy[Any, Any], outcome: PolicySimulation, asked: Mapping[str, Any]
) -> GamesResult:
    problem: Any = chosen.problem
    start, lines = problem.initial_state(), []
    value = float(problem.utility(start) if problem.is_terminal(start) else policy.value(start))
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
    return GamesResult(chosen.title, lines, _document(chosen, fields), outcome.utilities, ("utility", "games"))


def _document(chosen: Chosen, fields: Mapping[str, Any]) -> dict[str, Any]:
    from ...plans.document import about_document

    return about_document(fields, name=chosen.reference, parameters=chosen.parameters)


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


_PLANS = (Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT)
_RESULTS: Mapping[Kind, Callable[..., GamesResult]] = {
    **dict.fromkeys(_PLANS, _plan_result),
    Kind.STOCHASTIC: _policy_result,
}


def games_output_options(callback: Callable[..., Any]) -> Callable[..., Any]:
    """The options `--format` and `--output` of `simulate`."""
    form = click.option(
        "--format",
        "form",
        type=Choice(["text", "json", "csv", "png"]),
        help="What to write, or without --output to print; by default as the file name says.",
    )
    output = click.option(
        "--output", type=click.Path(path_type=Path), help="Write the result to a file: all of it, or a histogram."
    )
    return form(output(callback))


class GamesWriter:
    """Where the result goes; that it can be written is checked before the games begin.

    Raises
    ------
    BeliefSearchError
        If the file cannot be written, or a picture is asked for that has nowhere to go.
    """

    def __init__(self, form: str | None, output: Path | None) -> None:
        check_writable(output)
        self._output = output
        self._form = form or ("text" if output is None else _SUFFIXES.get(output.suffix, ""))
        if not self._form and output is not None:
            raise BeliefSearchError(f"the name {output.name!r} tells no format; say --format text, json, csv or png")
        if self._form == "png":
            if output is None:
                raise BeliefSearchError("a picture goes to a file; say which with --output")
            from ...graph.pictures import require_matplotlib

            require_matplotlib()

    def write(self, result: GamesResult) -> None:
        """Write the file if one was asked for, and print the summary or the whole result."""
        if not result.lines:
            return
        if self._output is None:
            emit(self._text(result).removesuffix("\n"))
            return
        write_file(self._output, self._picture(result) if self._form == "png" else self._text(result))
        emit("\n".join(result.lines))

    def _text(self, result: GamesResult) -> str:
        if self._form == "json":
            import json

            return json.dumps(result.document) + "\n"
        lines = _csv_lines(result) if self._form == "csv" else result.lines
        return "".join(f"{line}\n" for line in lines)

    def _picture(self, result: GamesResult) -> bytes:
        from ...graph.pictures import histogram_picture, picture_bytes

        counts = {float(number): count for number, count in result.counts.items() if number is not None}
        return picture_bytes(histogram_picture(counts, result.title, *result.heads), "png")


def _csv_lines(result: GamesResult) -> Iterator[str]:
    yield ",".join(result.heads)
    for number, count in result.counts.items():
        yield f"{'' if number is None else number},{count}"


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
