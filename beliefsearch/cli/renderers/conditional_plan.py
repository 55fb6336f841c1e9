"""Plans on the command line: as a tree, as a table of decisions, and as a table of the beliefs along a sequence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from math import inf, log10
from typing import TYPE_CHECKING, Any

from ...model.problem import BeliefProblem
from ...plans.wording import comma_list, side_by_side
from .text import belief_text, state_texts

if TYPE_CHECKING:
    from ...plans.plan import Plan

# A larger plan is not printed whole.
_MOST_LINES = 400

# If a belief has more states than this, only their number is shown.
_MOST_KNOWN = 4


def plan_tree(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> Iterator[str]:
    """The plan as an indented tree: what to do, and below it what to do for each percept.

    A step that several branches lead to is written once, with a label, and afterwards by its label. Actions
    between which nothing is perceived stand on one line. Where knowing is what wins, ends tell what is known.
    """
    known = _knowledge(problem, plan)
    entries = Counter(target for node in plan.nodes for _, target in node.branches)
    shared = {node for node, count in entries.items() if count > 1 and not plan.nodes[node].is_end}
    if entries[0]:
        shared.add(0)
    labels: dict[int, int] = {}
    lines = 0
    waiting: list[tuple[int, str, str]] = [(0, "  ", known(None, None))]
    while waiting:
        number, line, found = waiting.pop()
        if lines == _MOST_LINES:
            tree = (
                "" if plan.tree_size in (plan.steps, inf) else f", a tree of {_rounded(int(plan.tree_size))} actions,"
            )
            yield (
                f"  ... and more; --output FILE writes all {plan.steps:,} steps{tree or ','} and `show` has a table of "
                "them ..."
            )
            return
        lines += 1
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        while True:
            node = plan.nodes[number]
            if node.is_end:
                line += f"done{found}"
                break
            if number in labels:
                line += f"go to [{labels[number]}]"
                break
            if number in shared:
                labels[number] = len(labels) + 1
                line += f"[{labels[number]}] "
            line += problem.format_action(node.action)
            percept, target = node.branches[0]
            if len(node.branches) > 1 or percept is not None:
                for percept, target in reversed(node.branches):
                    label = f"{indent}{problem.format_percept(percept)}: "
                    waiting.append((target, label, known(number, percept)))
                break
            number, found = target, known(number, percept)
            line += ", "
        yield line


def _rounded(count: int) -> str:
    """A count, of more than fifteen digits only their number: it takes long to write very many."""
    return f"{count:,}" if count < 10**15 else f"about 10^{log10(count):.0f}"


def _knowledge(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> Callable[[int | None, Any], str]:
    """Return the function that says, as text, what is known at an end of the plan: after a node's action and a percept.

    Without a node it is what is known before the first action. Empty where the plan goes on, or the true state alone
    decides who has won.
    """
    from ...model.belief import outcomes
    from ...proofs.explanations.trace import trace
    from ...simulation.plan_games import wins_by_state

    if wins_by_state(problem):
        return lambda number, percept: ""
    beliefs = [frozenset(step.states) for step in trace(problem, plan)]

    def known(number: int | None, percept: Any = None) -> str:
        if number is None:
            belief = beliefs[0]
        elif plan.nodes[plan.follow(number, percept)].is_end:
            belief = frozenset(outcomes(problem, beliefs[number], plan.nodes[number].action)[percept])
        else:
            return ""
        if text := problem.format_belief(belief):
            return f" ({text})"
        texts = state_texts(problem, belief)
        return f" ({' or '.join(texts)})" if len(texts) <= _MOST_KNOWN else ""

    return known


def decision_table(problem: BeliefProblem[Any, Any, Any], plan: Plan[Any, Any]) -> Iterator[str]:
    """A line for each step: its number, the possible states, the action, and the step after each percept."""
    from ...proofs.explanations.trace import trace

    rows = [("step", "possible states", "action", "then")]
    known = _knowledge(problem, plan)
    for step in trace(problem, plan):
        if step.action is None:
            continue
        if step.number > _MOST_LINES:
            break
        then = comma_list(
            [
                (f"{problem.format_percept(percept)}: " if percept is not None or len(step.branches) > 1 else "")
                + (f"done{known(step.number, percept)}" if plan.nodes[target].is_end else str(target))
                for percept, target in step.branches
            ]
        )
        rows.append((str(step.number), belief_text(problem, step.states), problem.format_action(step.action), then))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for number, states, action, then in rows:
        yield f"  {number:>{widths[0]}}  {states:{widths[1]}}  {action:{widths[2]}}  {then}".rstrip()
    if plan.steps > len(rows) - 1:
        yield f"  ... and {plan.steps - len(rows) + 1:,} more steps; `run --output FILE` writes them all"


# The narrowest column for actions; with it the table for four coins is the published one.
_ACTION_WIDTH = 8
# Longer texts of states cannot be read downwards.
_TALLEST = 12


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
    texts = [problem.format_state(state) for state in order] if len(order) <= room else []
    gap = "  " if any(" " in text for text in texts) else " "
    if texts and len(gap.join(texts)) <= room:
        for head, belief in zip(heads, members, strict=True):
            cells = (text if state in belief else " " * len(text) for state, text in zip(order, texts, strict=True))
            yield (head + gap.join(cells)).rstrip()
    elif texts and max(map(len, texts)) <= _TALLEST:
        for line in zip_longest(*texts, fillvalue=" "):  # the heads are written downwards
            yield " " * indent + "".join(line)
        yield "-" * (indent + len(texts))
        for head, belief in zip(heads, members, strict=True):
            yield head + "".join("#" if state in belief else "." for state in order)
    else:
        for head, present in zip(heads, chain(members, rest), strict=True):
            shown = [problem.format_state(state) for state in islice(filter(present.__contains__, order), room)]
            number = f"{len(present)}: "
            dots = ["..."] if len(shown) < len(present) else []
            while shown and len(number) + len(side_by_side([*shown, *dots])) > room:
                shown.pop()
                dots = ["..."]
            yield f"{head}{number}{side_by_side([*shown, *dots])}".rstrip()
