"""Explanations as text: why a plan works, or how the adversary wins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from ...plans.wording import comma_list, plural
from ...proofs.explanations.explanation import (
    NOT_SEEING,
    OUTGROWN,
    lost_sentences,
    no_way_sentences,
    over_sentence,
    ruler_sentence,
    trap_sentence,
    unfinished_sentence,
)
from .policy import reasons_lines
from .policy_graph import graph_reasons_lines

if TYPE_CHECKING:
    from ...proofs.explanations.adversary import Adversary
    from ...proofs.explanations.explanation import Explanation, SequenceShape
    from ...proofs.explanations.unwinnable_pair import LostStates

# At most this many lines of an adversary's strategy, and of a table of actions, are shown without --all.
_SHOWN = 30
# So many states are named in a line.
_NAMED = 6


def explanation_lines(problem: Any, found: Explanation, *, everything: bool) -> Iterator[str]:
    """The explanation, part by part; without `everything` long parts are cut short."""
    if found.review is not None:
        yield ""
        yield from found.review.sentences(problem.format_action)
    if found.sequence is not None:
        yield from _sequence(problem, found.sequence)
    if found.branching is not None:
        shape = found.branching
        most = plural(shape.most_branches, "branch").replace("branchs", "branches")
        yield f"\n{plural(shape.steps, 'step')}; a step has at most {most}."
        if shape.shared:
            yield f"{plural(shape.shared, 'step')} can be reached in several ways."
        yield "`show` has a table of all steps."
    if found.argument is not None and found.answer.length is not None:
        yield f"\n{found.argument}"
    elif found.argument is not None and not everything:
        yield "\n--all shows the whole strategy, state by state; `play --adversary` plays it"
    if found.no_way is not None:
        yield ""
        yield from no_way_sentences(problem, found.no_way)
    if found.adversary is not None:
        yield from _strategy(problem, found.adversary, everything)
    if found.lost_states is not None or found.outgrown == "lost_states":
        yield f"\n{NOT_SEEING}"
    if found.lost_states is not None:
        yield from _unseen(problem, found.lost_states, everything)
    if found.outgrown == "no_way":
        yield f"\n{unfinished_sentence(found)}"
    elif found.outgrown is not None:
        yield ("\n" if found.outgrown == "adversary" else "") + OUTGROWN[found.outgrown]
    if found.over:
        yield over_sentence(problem)
    if found.graph is not None:
        yield from graph_reasons_lines(problem, found.graph, everything)
    if found.policy is not None:
        yield from reasons_lines(problem, found.policy, everything)


def _sequence(problem: Any, found: SequenceShape) -> Iterator[str]:
    """Say how often each action occurs, and the ruler sequence if there is one."""
    text = problem.format_action
    counts, ruler = found.counts, found.ruler
    if counts:
        yield f"\n{plural(len(counts), 'different action')}:"
    for action, times in counts[:_SHOWN]:
        yield f"  {times:>7,} x  {text(action)}"
    if len(counts) > _SHOWN:
        yield f"  ... and {len(counts) - _SHOWN:,} more"
    if ruler is None:
        return
    yield f"\n{ruler_sentence(ruler)}"
    width = max(len(text(action)) for action in ruler.levels)
    length = sum(times for _, times in counts)
    for level, action in enumerate(ruler.levels):
        first = ruler.base**level
        places = [place for place in range(first, length + 1, first) if place % (first * ruler.base)]
        shown = ", ".join(map(str, places[:3])) + (", ..." if len(places) > 3 else "")
        gone = found.ruled_out[level] if found.ruled_out else ()
        names = comma_list([problem.format_state(state) for state in gone[:_NAMED]] + ["..."] * (len(gone) > _NAMED))
        yield f"  level {level}: {text(action):{width}}  at {shown}" + (f"; each rules out {names}" if names else "")


def _strategy(problem: Any, adversary: Adversary, everything: bool) -> Iterator[str]:
    """List the answers of the adversary, state by state."""
    yield f"\n{trap_sentence(problem, adversary)} To each action in each of them there is an answer:"
    shown = count()
    for state, answers in adversary.strategy():
        yield f"  {problem.format_state(state)}"
        for action, answer in answers:
            if next(shown) == _SHOWN and not everything:
                yield "  ... and so on; --all shows the whole strategy, `play --adversary` plays it"
                return
            yield f"      {problem.format_action(action)} -> {problem.format_state(answer)}"


def _unseen(problem: Any, found: LostStates[Any, Any], everything: bool) -> Iterator[str]:
    """States that the player cannot tell apart, and what every action leads to."""

    def written(states: tuple[Any, ...]) -> str:
        return f"{{{comma_list([problem.format_state(state) for state in states])}}}"

    first, second = lost_sentences(problem, found)
    yield f"{first}:"
    yield second
    shown = count()
    for belief in found.beliefs:
        yield f"  {written(belief.members)}"
        if not belief.answers:
            yield "      no action applies in all of these states"
        for action, answers in belief.answers:
            for percept, following in answers:
                if next(shown) == _SHOWN and not everything:
                    yield "  ... and so on; --all shows all of it"
                    return
                seen = "" if percept is None else f", perceiving {problem.format_percept(percept)}"
                yield f"      {problem.format_action(action)}{seen} -> {written(following)}"
