"""The table of `show`: a line for each action, a column for each state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["belief_table"]

# The narrowest column for actions; with it the table for four coins is the published one.
_ACTION_WIDTH = 8


def belief_table(problem: Any, plan: Sequence[Any], beliefs: Sequence[Sequence[Any]], width: int) -> Iterator[str]:
    """The lines of the table.

    Parameters
    ----------
    problem
        Whose states and actions they are.
    plan
        The actions.
    beliefs
        The members of the belief before each action and after the last: one more than there are actions.
    width
        Columns of text there are.
    """
    order = list(dict.fromkeys(state for belief in beliefs for state in belief))
    texts = [problem.format_state(state) for state in order]
    actions = ["", *map(problem.draw_action, plan)]
    action_width = max([_ACTION_WIDTH, *map(len, actions)])
    number_width = max(3, len(str(len(plan))))
    heads = [f"{number:{number_width}} | {action:{action_width}} | " for number, action in enumerate(actions)]
    members = [set(belief) for belief in beliefs]
    room = width - len(heads[0])
    if sum(map(len, texts)) + len(texts) - 1 <= room:
        for head, belief in zip(heads, members, strict=True):
            cells = (text if state in belief else " " * len(text) for state, text in zip(order, texts, strict=True))
            yield (head + " ".join(cells)).rstrip()
    elif len(texts) <= room:
        yield from _downwards(texts, number_width + action_width + 6)
        for head, belief in zip(heads, members, strict=True):
            yield head + "".join("#" if state in belief else "." for state in order)
    else:
        for head, belief in zip(heads, members, strict=True):
            yield (head + _some(problem, [state for state in order if state in belief], room)).rstrip()


def _downwards(texts: Sequence[str], indent: int) -> Iterator[str]:
    """The heads of the columns, each written downwards."""
    height = max(map(len, texts))
    for row in range(height):
        yield " " * indent + "".join(text[row] if row < len(text) else " " for text in texts)
    yield "-" * (indent + len(texts))


def _some(problem: Any, belief: Sequence[Any], room: int) -> str:
    """How many states there are, and as many of them as there is room for."""
    line = f"{len(belief)}:"
    for state in belief:
        text = problem.format_state(state)
        if len(line) + len(text) + 5 > room:
            return f"{line} ..."
        line += f" {text}"
    return line
