"""Results as text.

Numbers in columns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Any

from ...kinds import is_plain
from ...model.base import Cost
from ...model.checked import checked_text
from ...plans.result import SearchResult
from ...plans.verdict import result_verdict
from ...plans.wording import plural
from ..selected_problem import Chosen

# Of a longer plan the terminal shows this many actions at the beginning and at the end.
_LONGEST_PLAN = 1000

_SHOWN_FIRST = 20

_SHOWN_LAST = 10

# The states of a larger belief are not put in order to show some of them.
_MOST_SORTED = 10_000


def verdict_text(chosen: Chosen, result: SearchResult[Any]) -> str:
    """The verdict in one line."""
    return f"{chosen.title}: {result_verdict(result, plain=is_plain(chosen.problem))}"


def statistics_line(result: SearchResult[Any]) -> str:
    """Write the solver of a result, and the work it took."""
    named = result.solver if result.heuristic is None else f"{result.solver} with heuristic {result.heuristic}"
    if result.engine is not None:
        named += f", engine {result.engine}"
    return f"{named}: {result.stats.summary}"


def plan_lines(problem: Any, plan: Sequence[Any]) -> Iterator[str]:
    """The actions of a plan, one a line, with the states of a plain problem; a very long plan is shortened."""
    width = len(str(len(plan)))
    numbered = (f"  {number:{width}}  {problem.format_action(action)}" for number, action in enumerate(plan, 1))
    steps = _plain_steps(problem, plan) if is_plain(problem) else numbered
    if len(plan) <= _LONGEST_PLAN:
        yield from steps
        return
    hidden = len(plan) - _SHOWN_FIRST - _SHOWN_LAST
    for number, line in enumerate(steps):
        if number < _SHOWN_FIRST or number >= len(plan) - _SHOWN_LAST:
            yield line
        elif number == _SHOWN_FIRST:
            yield f"  ... {hidden:,} more; --output FILE writes them all ..."


def _plain_steps(problem: Any, plan: Sequence[Any]) -> Iterator[str]:
    """The states along the plan, drawn as pictures if the problem defines them."""
    from ...proofs.explanations.trace import trace

    width = len(str(len(plan)))
    widest = max(map(len, (problem.format_action(action) for action in islice(plan, _LONGEST_PLAN))), default=0)
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
    """A histogram: a line for each row, with a bar; `beside` is a column before the bars, its head and its texts."""
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
    """The states of a belief, or their number if that would be more than `widest` letters."""
    if len(belief) > widest:
        return plural(len(belief), "state")
    text = _joined(sorted(problem.format_state(state) for state in belief))
    return text if len(text) <= widest else plural(len(belief), "state")


def belief_sample(problem: Any, belief: Collection[Any], widest: int) -> str:
    """The states of a belief, or their number and the first of them if that would be more than `widest` letters."""
    number = plural(len(belief), "state")
    if len(belief) > _MOST_SORTED:
        return number
    texts = sorted(problem.format_state(state) for state in belief)
    text = _joined(texts)
    if len(text) <= widest:
        return text
    gap = len(_joined(["", *texts])) - len(text)
    places = accumulate((len(text) + gap for text in texts), initial=len(f"{number}: ..."))
    shown = sum(place <= widest for place in places) - 1
    return f"{number}: {_joined([*texts[:shown], '...'])}" if shown > 0 else number


def _joined(texts: Sequence[str]) -> str:
    """Texts of states side by side, with commas if there are spaces in some."""
    return (", " if any(" " in text for text in texts) else " ").join(texts)


def distances_text(chosen: Chosen, histogram: Mapping[Cost, int], unsolvable: int | None, stopped: str | None) -> str:
    """Write the number of states at each distance."""
    solvable = plural(sum(histogram.values()), "state")
    if stopped is not None:
        line = f"undecided, {stopped}; {solvable} at the distances that are known"
    elif unsolvable is None:
        line = f"{solvable} can be solved"
    else:
        line = f"{solvable} can be solved, {unsolvable:,} cannot"
    return "\n".join([f"{chosen.title} --all: {line}", "", *bars(histogram, heads=("cost", "states"))])


def action_line(problem: Any, action: Any) -> str:
    """An action as it is typed, with the author's sentence on it if there is one."""
    text: str = problem.format_action(action)
    return (
        f"{text}   ({checked_text(problem, 'describe_action', action)})"
        if problem.overrides("describe_action")
        else text
    )


_LONGEST_NUMBER = 12


def shown_number(value: Any, digits: int = 6) -> str:
    """A number for a column: floats and long fractions are rounded to `digits` digits."""
    text = str(value)
    if not isinstance(value, float) and len(text) <= _LONGEST_NUMBER:
        return text
    try:
        return f"{float(value):.{digits}g}"
    except OverflowError:
        return "a number too large for a float"
