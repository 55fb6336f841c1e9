"""Results as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ...kinds import Kind, is_plain
from ...model.problem import Cost
from ...plans.result import SearchResult, Status
from ...plans.wording import number_text, plural
from ..chosen import Chosen

# Of a longer plan the terminal shows this many actions at the beginning and at the end.
_LONGEST_PLAN = 1000
_SHOWN_FIRST = 20
_SHOWN_LAST = 10


def verdict_text(chosen: Chosen, result: SearchResult[Any]) -> str:
    """The verdict in one line."""
    if result.status is Status.UNSOLVABLE:
        there_is_none = "there is no plan" if chosen.kind is Kind.PLAIN else "no plan is sure to win"
        return f"{chosen.title}: unsolvable; it is proved that {there_is_none}"
    if result.status is Status.UNDECIDED:
        return f"{chosen.title}: undecided, {result.reason}; no plan costs less than {result.lower_bound}"
    plan, expected = result.plan, f"at an expected cost of {number_text(result.cost)}"
    if plan is None or not plan.is_conditional:
        length = len(result.require_plan())
        cost = "" if result.cost == length else f", cost {result.cost}"
        cost = f", {expected}" if result.objective == "expected" else cost
        return f"{chosen.title}: solved in {plural(length, 'action')}{cost}, {_optimality(result)}"
    if plan.is_cyclic:
        return (
            f"{chosen.title}: solved by a cyclic plan, which keeps trying: from everywhere on it the goal can still be "
            "reached; it is proved that no plan is sure to win within a certain number of actions"
        )
    at_most = f"at most {plural(int(plan.depth), 'action')}"
    if result.objective == "expected":
        cost = f"{expected}, {at_most}"
    else:
        cost = f"in {at_most}" + ("" if result.cost == plan.depth else f", cost {result.cost} at the most")
    return f"{chosen.title}: solved {cost}, {_optimality(result)}"


def _optimality(result: SearchResult[Any]) -> str:
    """In words, whether it is proved that no plan costs less."""
    if not result.optimal:
        return f"not proved optimal: no plan costs less than {result.lower_bound}"
    # Sums of floats are rounded, so two of them may be equal though what they stand for is not.
    return "proved optimal, up to the rounding of floats" if isinstance(result.cost, float) else "proved optimal"


def statistics_line(result: SearchResult[Any]) -> str:
    """What found the result, and how much work it was."""
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
    from ...proofs.trace import trace

    width = len(str(len(plan)))
    widest = max(map(len, map(problem.format_action, islice(plan, _LONGEST_PLAN))), default=0)
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


def bars(rows: Mapping[Any, int], *, heads: tuple[str, str]) -> Iterator[str]:
    """A histogram: a line for each row, with a bar."""
    left = max([len(heads[0]), *(len(str(key)) for key in rows)])
    right = max([len(heads[1]), *(len(f"{count:,}") for count in rows.values())])
    most = max(rows.values(), default=1)
    yield f"{heads[0]:>{left}}  {heads[1]:>{right}}"
    for key, count in rows.items():
        yield f"{key!s:>{left}}  {count:>{right},}  {'#' * round(50 * count / most)}".rstrip()


def distances_text(chosen: Chosen, histogram: Mapping[Cost, int], unsolvable: int | None, stopped: str | None) -> str:
    """How many states there are at each distance."""
    solvable = plural(sum(histogram.values()), "state")
    if stopped is not None:
        line = f"undecided, {stopped}; {solvable} at the distances that are known"
    elif unsolvable is None:
        line = f"{solvable} can be solved"
    else:
        line = f"{solvable} can be solved, {unsolvable:,} cannot"
    return "\n".join([f"{chosen.title} --all: {line}", "", *bars(histogram, heads=("cost", "states"))])
