"""Renderer of simulations: text, CSV, JSON or a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...kinds import is_stochastic
from ...model.distribution import begin
from ...model.values import whole
from ...plans.plan import Plan
from ...plans.policy import PolicyGraph
from ...plans.wording import Telling, number_text, plural, telling_of
from ..progress import Progress
from ..selected_problem import Asked
from .text import Report, bars, number_column

if TYPE_CHECKING:
    from ...simulation.game import PolicySimulation, Simulation

_MOST_ROWS = 40


def games_report(asked: Asked, answer: Any, outcome: Any, options: Mapping[str, Any]) -> Report:
    """Return the report on games of `answer`; `options` are the user's, as the document lists them."""
    return (_policy_report if is_stochastic(asked.problem) else _plan_report)(asked, answer, outcome, options)


def _plan_report(asked: Asked, plan: Plan[Any, Any], outcome: Simulation[Any], options: Mapping[str, Any]) -> Report:
    length = plural(plan.steps, "step" if plan.is_conditional else "action")
    lines = [f"{asked.title}: {plural(outcome.games, 'game')} of a plan of {length}, {outcome.won:,} won"]
    if outcome.won:
        lines += [f"won after {outcome.mean:.2f} actions on average", ""]
        rows = {step: outcome.won_after.get(step, 0) for step in range(max(outcome.won_after) + 1)}
        lines += bars(_in_bins(rows), heads=("actions", "games won"))
    if outcome.lost:
        example = asked.problem.format_state(outcome.lost_from[0])
        lines += ["", f"{plural(outcome.lost, 'game')} lost, the first from the start {example}"]

    def fields() -> dict[str, Any]:
        return {
            "blindfold": asked.blindfold,
            **({} if asked.belief is None else {"belief": list(asked.belief)}),
            **options,
            "games": outcome.games,
            "won": outcome.won,
            "lost": outcome.lost,
            "mean": outcome.mean if outcome.won else None,
            "won_after": {str(step): count for step, count in outcome.won_after.items()},
            "lost_from": dict(Counter(asked.problem.format_state(state) for state in outcome.lost_from)),
        }

    lost = [("", outcome.lost)] if outcome.lost else []
    return _histogram(asked, lines, fields, outcome.won_after, "actions", lost)


def _policy_report(asked: Asked, policy: Any, outcome: PolicySimulation, options: Mapping[str, Any]) -> Report:
    problem = asked.problem
    value, lines, telling = _expected(problem, policy), [], telling_of(problem)
    unit = telling.of_games
    said = telling if telling.name else Telling()  # in files costs are utilities, and answers as they are asked for
    numbers, written = (
        {form.value(utility): count for utility, count in outcome.utilities.items()} for form in (telling, said)
    )
    if outcome.games:
        mean, error = telling.value(outcome.mean), outcome.standard_error
        low, high = _interval(telling, outcome)
        expected = f"the {telling.called} is {_exactly(telling, value)}"
        lines = [
            f"{asked.title}: {plural(outcome.games, 'game')}, {outcome.steps / outcome.games:.2f} actions on average",
            f"mean {unit} {mean:.6g}, standard error {error:.2g}; {expected}",
            f"with 95 % confidence the mean lies between {low:.6g} and {high:.6g}",
            "",
            *bars(_in_intervals(dict(sorted(numbers.items()))), heads=(unit, "games")),
        ]

    def fields() -> dict[str, Any]:
        return {
            "seed": options["seed"],
            "games": outcome.games,
            "actions": outcome.steps,
            "mean": said.value(outcome.mean) if outcome.games else None,
            "standard_error": outcome.standard_error if outcome.games else None,
            "interval": _interval(said, outcome) if outcome.games else None,
            "value": float(said.value(value)),
            "exact_value": str(said.value(value)) if isinstance(value, Fraction) else None,
            "utilities": {str(utility): count for utility, count in written.items()},
        }

    return _histogram(asked, lines, fields, written, "utility")


def _histogram(
    asked: Asked,
    lines: list[str],
    fields: Callable[[], dict[str, Any]],
    counts: Mapping[Any, int],
    unit: str,
    others: Sequence[tuple[object, int]] = (),
) -> Report:
    """Return the report whose rows and picture are the number of games by `unit`; `others` are rows without one."""

    def picture(form: str) -> bytes:
        from ...graph.plots.policy_charts import histogram_picture, picture_bytes

        numbers = {float(number): count for number, count in counts.items()}
        return picture_bytes(histogram_picture(numbers, asked.title, unit, "games"), form)

    return Report(asked, lines, fields, [(unit, "games"), *counts.items(), *others], picture)


def _interval(telling: Telling, outcome: PolicySimulation) -> list[float]:
    """Return the interval of confidence as it is told; a probability is one, whatever the games were like."""
    low, high = telling.bounds(*outcome.interval)
    return [max(low, 0.0), min(high, 1.0)] if telling.name == "probability" else [low, high]


def _exactly(telling: Telling, value: Any) -> str:
    """Return a value as text: of a question about a problem exactly, if it is a short fraction."""
    told = whole(telling.value(value))
    return f"{told:.6g}" if not telling.name or not isinstance(told, (int, Fraction)) else number_text(told)


def _expected(problem: Any, policy: Any) -> Any:
    """Return the expected value of a policy, of states or a graph, from the start."""
    if isinstance(policy, PolicyGraph):
        first = begin(problem)
        value: Any = first.utility
        for chance, likely in first.percepts.values():
            worth = policy.value(policy.start, likely) if len(policy) else 0
            value += chance * (worth or 0)
        return float(value)
    value = policy.start_value(problem)
    return value if isinstance(value, Fraction) and problem.question() is not None else float(value)


def _in_bins(counts: Mapping[int, int]) -> dict[str, int]:
    """Return the histogram in at most a screenful of rows: a long one in bins, equally wide if possible."""
    least = -(-len(counts) // _MOST_ROWS)
    size = next((size for size in range(least, 2 * least) if len(counts) % size == 0), least)
    if size == 1:
        return {str(step): count for step, count in counts.items()}
    steps = range(len(counts))
    rows = [steps[first : first + size] for first in steps[::size]]
    return {"-".join(map(str, sorted({row[0], row[-1]}))): sum(counts[step] for step in row) for row in rows}


def _in_intervals(utilities: Mapping[Any, int]) -> dict[str, int]:
    """Return the histogram; if there are many different utilities, in intervals of equal length."""
    if len(utilities) <= _MOST_ROWS:
        return dict(zip(number_column(utilities), utilities.values(), strict=True))
    low, high = float(min(utilities)), float(max(utilities))
    width = (high - low) / (_MOST_ROWS // 2)
    rows = [0] * (_MOST_ROWS // 2)
    for utility, count in utilities.items():
        rows[min(int((float(utility) - low) / width), len(rows) - 1)] += count
    begins = number_column(low + place * width for place in range(len(rows)))
    return {f"from {begin}": count for begin, count in zip(begins, rows, strict=True)}


class GamesProgress(Progress):
    """Progress of a simulation: the number of games played."""

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
