"""The table of `show`: a line for each action, a column for each state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any

# The narrowest column for actions; with it the table for four coins is the published one.
_ACTION_WIDTH = 8


def belief_table(problem: Any, plan: Sequence[Any], beliefs: Iterable[Sequence[Any]], width: int) -> Iterator[str]:
    """The lines of the table, in `width` columns of text.

    `beliefs` are the members of the belief before each action and after the last: one more than there are actions. They
    are walked through once, and where there are too many states for columns a line is given for each as it comes.
    """
    action_width = max([_ACTION_WIDTH, *(len(problem.draw_action(action)) for action in dict.fromkeys(plan))])
    number_width = max(3, len(str(len(plan))))
    heads = (
        f"{number:{number_width}} | {problem.draw_action(plan[number - 1]) if number else '':{action_width}} | "
        for number in range(len(plan) + 1)
    )
    indent = number_width + action_width + 6
    room = width - indent
    order: dict[Any, None] = {}

    def noted(belief: Sequence[Any]) -> set[Any]:
        order.update(dict.fromkeys(belief))
        return set(belief)

    members: list[set[Any]] = []
    rest = (noted(belief) for belief in beliefs)
    for belief in rest:
        members.append(belief)
        if len(order) > room:
            break
    else:
        yield from _columns(problem, list(order), heads, members, indent, room)
        return
    for head, present in zip(heads, chain(members, rest), strict=True):
        states = (state for state in order if state in present)
        yield (head + _some(problem, len(present), states, room)).rstrip()


def _columns(
    problem: Any, order: Sequence[Any], heads: Iterator[str], members: Sequence[set[Any]], indent: int, room: int
) -> Iterator[str]:
    """A column for each state, headed by its text, or by a mark if that would be too wide."""
    texts = [problem.format_state(state) for state in order]
    if sum(map(len, texts)) + len(texts) - 1 <= room:
        for head, belief in zip(heads, members, strict=True):
            cells = (text if state in belief else " " * len(text) for state, text in zip(order, texts, strict=True))
            yield (head + " ".join(cells)).rstrip()
    else:
        for line in zip_longest(*texts, fillvalue=" "):  # the heads are written downwards
            yield " " * indent + "".join(line)
        yield "-" * (indent + len(texts))
        for head, belief in zip(heads, members, strict=True):
            yield head + "".join("#" if state in belief else "." for state in order)


def _some(problem: Any, count: int, states: Iterable[Any], room: int) -> str:
    """The number of states, and as many of them as fit the line."""
    line = f"{count}:"
    for state in states:
        text = problem.format_state(state)
        if len(line) + len(text) + 5 > room:
            return f"{line} ..."
        line += f" {text}"
    return line
