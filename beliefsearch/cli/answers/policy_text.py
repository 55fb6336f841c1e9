"""Policies as text and as tables in files: what `run`, `show` and `explain` tell of a stochastic problem."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import BeliefSearchError
from .. import SOLVED, UNDECIDED, UNSOLVABLE
from ..chosen import Chosen
from ..output import check_writable, emit, message, terminal_width, write_file
from ..search_options import SearchOptions
from .policy import best_actions_lines

if TYPE_CHECKING:
    from ...plans.policy import Policy
    from ...plans.policy_table import PolicyRow

__all__ = ["explain_chance", "show_chance", "table_lines"]

_MOST_ROWS = 40
_MOST_LINES = 30
_LONGEST_NUMBER = 12
_NARROWEST = 8
_HEADS = ("state", "action", "value", "runner-up", "its value", "margin")


def table_lines(problem: Any, rows: Iterable[PolicyRow[Any, Any]], width: int) -> Iterator[str]:
    """The table of `show`: a line for each row, as wide as `width` columns."""
    cells = [_HEADS, *(_cells(problem, row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    # Where there is no room for all, states are shortened first, then actions.
    for column in (0, 1, 3):
        excess = sum(widths) + 2 * (len(widths) - 1) - width
        widths[column] = max(min(widths[column], _NARROWEST), widths[column] - max(excess, 0))
    for line in cells:
        yield "  ".join(_cut(cell, size).ljust(size) for cell, size in zip(line, widths, strict=True)).rstrip()[:width]


def _cells(problem: Any, row: PolicyRow[Any, Any]) -> tuple[str, ...]:
    named = (problem.format_state(row.state), problem.format_action(row.action), _number(row.value))
    if row.runner_up is None:
        return (*named, "", "", "")
    tie = "tie" if len(row.best) == 2 else f"tie of {len(row.best)}"
    margin = tie if row.margin == 0 and row.tied else _number(row.margin, digits=3)
    return (*named, problem.format_action(row.runner_up.action), _number(row.runner_up.value), margin)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _number(value: Any, digits: int = 6) -> str:
    """A number for a column: a float, or a long fraction, to so many digits."""
    text = str(value)
    if not isinstance(value, float) and len(text) <= _LONGEST_NUMBER:
        return text
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "a number too large for a float"


def show_chance(
    chosen: Chosen,
    search: SearchOptions,
    plan_file: Path | None,
    width: int | None,
    output: Path | None,
    *,
    everything: bool,
) -> int:
    """`show`: what the policy does in each state, and what would be second best."""
    from ...plans.policy_table import policy_rows
    from .policy import policy_for

    if output is not None and output.suffix not in (".csv", ".json"):
        raise BeliefSearchError(f"the name {output.name!r} tells no format; a table is written as .csv or .json")
    check_writable(output)
    problem: Any = chosen.problem
    policy = policy_for(chosen, search, plan_file)
    if policy is None:
        return UNDECIDED
    start = problem.initial_state()
    if problem.is_terminal(start):
        emit(f"The game is over at the start, {problem.format_state(start)}: utility {problem.utility(start)}")
    rows = list(policy_rows(problem, policy))
    if output is not None:
        write_file(output, _table_file(chosen, rows, as_csv=output.suffix == ".csv"))
        message(f"{output}: {len(rows):,} states")
    shown = rows if everything else rows[:_MOST_ROWS]
    if shown:
        for line in table_lines(problem, shown, width or terminal_width()):
            emit(line)
    if len(rows) > len(shown):
        emit(f"... and {len(rows) - len(shown):,} more states; --all shows them, --output FILE writes them all")
    return SOLVED


def _table_file(chosen: Chosen, rows: Sequence[PolicyRow[Any, Any]], *, as_csv: bool) -> str:
    """The whole table as CSV, or as JSON."""
    from ...plans.encoding import number_to_json

    problem: Any = chosen.problem
    text = problem.format_action
    written = []
    for row in rows:
        second = row.runner_up
        written.append(
            {
                "state": problem.format_state(row.state),
                "action": text(row.action),
                "value": number_to_json(row.value),
                "runner_up": None if second is None else text(second.action),
                "runner_up_value": None if second is None else number_to_json(second.value),
                "margin": None if row.margin is None else number_to_json(row.margin),
                "best": list(map(text, row.best)),
            }
        )
    if not as_csv:
        document = {
            "problem": chosen.reference,
            "parameters": dict(chosen.parameters),
            "rows": written,
            "version": 1,
        }
        return json.dumps(document, indent=1) + "\n"
    import csv
    from io import StringIO

    stream = StringIO()
    names = ("state", "action", "value", "runner_up", "runner_up_value", "margin", "best")
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**line, "best": " or ".join(map(str, line["best"]))} for line in written)
    return stream.getvalue()


def explain_chance(chosen: Chosen, search: SearchOptions, plan_file: Path | None, *, everything: bool) -> int:
    """`explain`: what the value comes from, at the start and everywhere, and that no policy is better."""
    from ...plans.encoding import number_to_json
    from ...plans.policy_file import policy_plan
    from ...plans.policy_table import policy_row
    from ...plans.wording import error_text, plural, value_text
    from ...verify.policy import check_policy_file
    from .policy import policy_for

    problem: Any = chosen.problem
    policy = policy_for(chosen, search, plan_file)
    if policy is None:
        return UNDECIDED
    start = problem.initial_state()
    value = policy.value(start)
    emit(f"{chosen.title}: value {value_text(value)}\n")
    if problem.is_terminal(start):
        emit(f"The game is over at the start, {problem.format_state(start)}, and that is its utility.")
        return SOLVED
    emit(f"At the start, {problem.format_state(start)}; what each action is worth, and what may follow it:")
    lines = _worth_lines(problem, policy, policy_row(problem, policy, start))
    for line in lines if everything else islice(lines, _MOST_LINES):
        emit(line)
    left = 0 if everything else sum(1 for _ in lines)
    if left:
        emit(f"  ... and {left:,} more lines; --all shows them")
    emit()
    for line in best_actions_lines(problem, policy):
        emit(line)
    found = check_policy_file(problem, policy_plan(policy, problem), number_to_json(value))
    if not found.holds:
        emit(f"\nthe policy does not hold: {found.complaint}")
        return UNSOLVABLE
    how = f"within {error_text(found.error)}" if found.error else "exactly"
    emit(
        f"\nwhy no policy is better: in each of {plural(found.states, 'state')} all actions were compared by the "
        f"values of what may follow them. It is proved that this policy attains its value, {how}, and that no policy "
        "attains more. `verify` checks the same of a policy that `run --output FILE` saved."
    )
    return SOLVED


def _worth_lines(problem: Any, policy: Policy[Any, Any], row: PolicyRow[Any, Any]) -> Iterator[str]:
    """The actions of a state, the policy's first, then by value; below each its outcomes."""
    text = problem.format_action
    order = sorted(row.actions, key=lambda worth: (worth.action != row.action, -worth.value))
    for worth in order:
        if worth.action == row.action:
            told = "the policy's"
        elif worth.action in row.best and row.action in row.best:
            told = "equally good"
        elif worth.value > row.value:  # the policy of a file need not be the best one
            told = f"better by {_number(worth.value - row.value, 3)}"
        else:
            told = f"{_number(row.value - worth.value, 3)} less"
        yield f"  {text(worth.action)}: {_number(worth.value)}, {told}"
        for probability, state, value in worth.outcomes:
            then = "the end" if problem.is_terminal(state) else f"then {text(policy.action(state))}"
            yield f"    {_number(probability)}  {problem.format_state(state)}: {_number(value)}, {then}"
