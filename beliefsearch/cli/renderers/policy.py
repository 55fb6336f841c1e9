"""Renderer of policies of states, the answers to stochastic problems: text, and tables in files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ...plans.verdict import told_verdict, worth_text
from ...plans.wording import over_text, plural, telling_of
from ...proofs.explanations.explanation import policy_sentences
from .. import SOLVED, UNDECIDED
from ..output import message, write_file
from ..selected_problem import Asked
from .plan import Answer
from .text import csv_lines, cut_short, number_column, shown_number

if TYPE_CHECKING:
    from ...plans.policy import Policy, PolicyResult
    from ...plans.policy_table import BestActions, PolicyRow
    from ...proofs.explanations.explanation import PolicyReasons

_MOST_LINES, _MOST_ROWS, _MOST_SETS, _MOST_NAMES = 30, 40, 6, 4
_NARROWEST = 8  # column of a table


def _table_lines(problem: Any, rows: Sequence[PolicyRow[Any, Any]], width: int) -> Iterator[str]:
    """Yield a line for each row, at most `width` columns wide."""
    name = telling_of(problem).called
    cells = [("state", "action", name, "runner-up", f"its {name}", "margin"), *_cells(problem, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    # Where there is no room for all, states are shortened first, then actions.
    for column in (0, 1, 3):
        excess = sum(widths) + 2 * (len(widths) - 1) - width
        widths[column] = max(min(widths[column], _NARROWEST), widths[column] - max(excess, 0))
    for line in cells:
        sized = zip(line, widths, strict=True)
        shown = (cell if len(cell) <= size else f"{cell[: size - 3]}..." for cell, size in sized)
        yield "  ".join(map(str.ljust, shown, widths)).rstrip()[:width]


def _cells(problem: Any, rows: Sequence[PolicyRow[Any, Any]]) -> Iterator[tuple[str, ...]]:
    seconds = [row.runner_up for row in rows if row.runner_up is not None]
    values = [*(row.value for row in rows), *(second.value for second in seconds)]
    numbers = iter(number_column(map(telling_of(problem).value, values)))
    for row, value in zip(rows, list(islice(numbers, len(rows))), strict=True):
        named = (problem.format_state(row.state), problem.format_action(row.action), value)
        if row.runner_up is None:
            yield (*named, "", "", "")
            continue
        tie = "tie" if len(row.best) == 2 else f"tie of {len(row.best)}"
        margin = tie if row.margin == 0 and row.tied else shown_number(row.margin, digits=3)
        yield (*named, problem.format_action(row.runner_up.action), next(numbers), margin)


def _table_file(asked: Asked, rows: Sequence[PolicyRow[Any, Any]], *, as_csv: bool) -> str:
    """Return the whole table as CSV, or as JSON."""
    from ...plans.encoding import number_to_json

    text = asked.problem.format_action
    written: list[Any] = [
        {
            "state": asked.problem.format_state(row.state),
            "action": text(row.action),
            "value": number_to_json(row.value),
            "runner_up": row.runner_up and text(row.runner_up.action),
            "runner_up_value": row.runner_up and number_to_json(row.runner_up.value),
            "margin": number_to_json(row.margin),
            "best": [text(action) for action in row.best],
        }
        for row in rows
    ]
    if not as_csv:
        return json.dumps(asked.document({"rows": written}, data_files=False), indent=1) + "\n"
    heads = ("state", "action", "value", "runner_up", "runner_up_value", "margin", "best")
    cells = ([*list(row.values())[:-1], " or ".join(map(str, row["best"]))] for row in written)
    return "".join(f"{line}\n" for line in csv_lines([heads, *cells]))


def _keeping_lines(problem: Any, start: Any) -> Iterator[str]:
    """Yield the states of a game that keeps from the goal for ever, each with an action that does it."""
    question, states = problem.question(), [start]
    met = set(states)
    for state in states if question is not None else ():
        for action in question.keeping(state)[:1]:
            yield f"  {problem.format_state(state)}: {problem.format_action(action)}"
            following = [after for _, after in problem.outcomes(state, action) if after not in met]
            met.update(following)
            states.extend(dict.fromkeys(following))


def reasons_lines(problem: Any, reasons: PolicyReasons, everything: bool) -> Iterator[str]:
    """Yield the worth of each action at the start, the best actions elsewhere, and why no policy is better."""
    from ...plans.policy import start_text

    yield f"At {start_text(problem)}; {telling_of(problem).of_actions}, and what may follow it:"
    yield from cut_short(_worth_lines(problem, reasons.policy, reasons.row), _MOST_LINES, everything=everything)
    yield ""
    yield from _best_actions_lines(problem, reasons.best)
    if not reasons.check.holds:
        yield f"\nthe policy does not hold: {reasons.check.complaint}"
        return
    why = policy_sentences(reasons.check)
    same = "`verify` checks the same of a policy that `run --output FILE` saved."
    yield f"\nwhy no policy is better: {why[0].lower()}{why[1:]} {same}"


def _worth_lines(problem: Any, policy: Policy[Any, Any], row: PolicyRow[Any, Any]) -> Iterator[str]:
    """Yield the actions of a state, the policy's first, then by value; below each its outcomes."""
    text, telling = problem.format_action, telling_of(problem)
    order = sorted(row.actions, key=lambda worth: (worth.action != row.action, -worth.value))
    for worth in order:
        if worth.action == row.action:
            how = "the policy's"
        elif worth.action in row.best and row.action in row.best:
            how = "equally good"
        elif worth.value > row.value:  # the policy of a file need not be the best one
            how = f"better by {shown_number(worth.value - row.value, 3)}"
        else:
            how = f"{shown_number(row.value - worth.value, 3)} {'more' if telling.is_small else 'less'}"
        yield f"  {text(worth.action)}: {shown_number(telling.value(worth.value))}, {how}"
        for probability, state, value in worth.outcomes:
            then = "the end" if problem.is_terminal(state) else f"then {text(policy.action(state))}"
            after = shown_number(telling.value(value))
            yield f"    {shown_number(probability)}  {problem.format_state(state)}: {after}, {then}"


def _best_actions_lines(problem: Any, found: BestActions[Any]) -> list[str]:
    """Return the number of states in which each action is best, as lines."""
    within = f" (up to rounding, {found.rounding:g} of the value)" if found.rounding and found.several else ""
    one = plural(found.one, "state")
    lines = [f"One action is best in {one}, several are equally good in {found.several:,}{within}:"]
    width = max(len(f"{count:,}") for count in found.sets.values())
    for actions, count in islice(found.sets.items(), _MOST_SETS):
        names, more = [problem.format_action(action) for action in actions[:_MOST_NAMES]], len(actions) - _MOST_NAMES
        several = " or ".join(names) if more <= 0 else f"{', '.join(names)} or {more:,} more"
        lines.append(f"  {count:>{width},}  {f'{names[0]} only' if len(actions) == 1 else several}")
    if len(found.sets) > _MOST_SETS:
        more = len(found.sets) - _MOST_SETS
        lines.append(f"  ... and {more:,} more sets of actions; `run --output FILE` writes the whole policy")
    return lines


@frozen
class PolicyAnswer(Answer):
    """Best policy, or the part of it that was found. A saved policy needs no other certificate."""

    value: PolicyResult[Any, Any]

    @property
    def code(self) -> int:
        return UNDECIDED if self.value.value is None else SOLVED

    @property
    def plan(self) -> Any:
        value = self.value.value  # an infinite one has no policy
        return None if value is None or abs(value) == inf else self.value.policy

    def heading(self) -> str:
        return self._verdict() + ("" if self.value.value is None else "\n")

    def _verdict(self) -> str:
        return f"{self.asked.title}: {told_verdict(self.asked.problem, self.value, exact=self.asked.search.exact)}"

    def text(self) -> str:
        """Return the value, the first action, how often each action is best, and the statistics."""
        from ...plans.policy import start_text
        from ...plans.policy_table import best_actions_of

        lines, problem, result = [self._verdict(), ""], self.asked.problem, self.value
        if self.plan is not None:
            start = problem.initial_state()
            if problem.is_terminal(start):
                lines += [f"{over_text(problem, start_text(problem), start)}.", ""]
            else:
                # Where the game may come back to a state, an action of the same value may be one that never ends it.
                ends_anyway = result.solver == "backward-induction"
                policy = result.require_policy()
                best_here = policy.best_actions(problem, start) if ends_anyway else [policy.action(start)]
                name = " or ".join(problem.format_action(action) for action in best_here)
                best = _best_actions_lines(problem, best_actions_of(problem, policy))
                lines += [f"At {start_text(problem)}: {name}", *best, ""]
        stats = result.stats
        size = f"{plural(stats.reached, 'state')}, {plural(stats.generated, 'outcome')}"
        return "\n".join([*lines, f"{result.solver}: {size}, {stats.seconds:.2f} s"])

    def certify(self, path: Path) -> None:
        self.write_certificate(path, None)
        message(f"{path}: the policy and its values, which `verify` checks")

    @staticmethod
    def saved_heading(asked: Asked, plan: Any) -> str:
        problem, exact = asked.problem, asked.search.exact
        worth = worth_text(plan.start_value(problem), telling_of(problem), exact=exact)
        return f"{asked.title}: {worth}\n"

    @staticmethod
    def table(asked: Asked, plan: Any, width: int, output: Path | None, *, everything: bool) -> Iterator[str]:
        from ...plans.policy import start_text
        from ...proofs.explanations.trace import trace

        problem = asked.problem
        start = problem.initial_state()
        if problem.is_terminal(start):
            telling = telling_of(problem)
            ended = telling.value(problem.utility(start))
            yield f"{over_text(problem, start_text(problem), start)}: {telling.of_games} {ended}"
            yield from cut_short(_keeping_lines(problem, start), _MOST_ROWS, everything=everything)
        rows = trace(problem, plan).rows
        if output is not None:
            write_file(output, _table_file(asked, rows, as_csv=output.suffix == ".csv"))
            message(f"{output}: {len(rows):,} states")
        shown = rows if everything else rows[:_MOST_ROWS]
        if shown:
            yield from _table_lines(problem, shown, width)
        if len(rows) > len(shown):
            yield f"... and {len(rows) - len(shown):,} more states; --all shows them, --output FILE writes them all"
