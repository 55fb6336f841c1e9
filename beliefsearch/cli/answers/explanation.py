"""Explanations as text: why a plan works, or how the adversary wins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...plans.wording import plural
from .policy_text import reasons_lines

if TYPE_CHECKING:
    from ...proofs.adversary import Adversary
    from ...proofs.explain import Explanation, SequenceShape
    from ...proofs.no_way import NoWay
    from ...proofs.unseeing import LostStates

# At most this many lines of an adversary's strategy, and of a table of actions, are shown without --all.
_SHOWN = 30
_OUTGROWN = {
    "adversary": "\nThere are too many states to look for the adversary's strategy.",
    "lost_states": "There are too many beliefs to look for states that the player would have to tell apart.",
}


def explanation_lines(problem: Any, found: Explanation, *, everything: bool) -> Iterator[str]:
    """The explanation, part by part; without `everything` long parts are cut short."""
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
        yield from _no_way(problem, found.no_way)
    if found.adversary is not None:
        yield from _strategy(problem, found.adversary, everything)
    if found.lost_states is not None or found.outgrown == "lost_states":
        yield "\nA player who sees the state can win: not seeing it makes that impossible."
    if found.lost_states is not None:
        yield from _unseen(problem, found.lost_states, everything)
    if found.outgrown == "no_way":
        yield f"\nNo goal can be reached; {found.stopped} before all reachable states were counted."
    elif found.outgrown is not None:
        yield _OUTGROWN[found.outgrown]
    if found.over:
        start = problem.format_state(problem.initial_state())
        yield f"The game is over at the start, {start}, and that is its utility."
    if found.policy is not None:
        yield from reasons_lines(problem, found.policy, everything)


def _sequence(problem: Any, found: SequenceShape) -> Iterator[str]:
    """How often each action occurs, and the ruler sequence if there is one."""
    text = problem.format_action
    counts, ruler = found.counts, found.ruler
    yield f"\n{plural(len(counts), 'different action')}:"
    for action, times in counts[:_SHOWN]:
        yield f"  {times:>7,} x  {text(action)}"
    if len(counts) > _SHOWN:
        yield f"  ... and {len(counts) - _SHOWN:,} more"
    if ruler is None:
        yield "\nIt is no ruler sequence: which action is done does not depend on how often a prime divides its place."
        return
    yield f"\nIt is a ruler sequence: the action at place t depends only on how often {ruler.base} divides t."
    width = max(len(text(action)) for action in ruler.levels)
    length = sum(times for _, times in counts)
    for level, action in enumerate(ruler.levels):
        first = ruler.base**level
        places = [place for place in range(first, length + 1, first) if place % (first * ruler.base)]
        shown = ", ".join(map(str, places[:3])) + (", ..." if len(places) > 3 else "")
        yield f"  level {level}: {text(action):{width}}  at {shown}"


def _no_way(problem: Any, found: NoWay) -> Iterator[str]:
    """What can be reached in a plain problem without a plan."""
    alike = " up to symmetry" if problem.overrides("canonical") else ""
    what = (
        "only the start can be reached, and it is no goal"
        if found.states == 1
        else f"{found.states:,} states{alike} can be reached, all of them were looked at, and none is a goal"
    )
    yield f"\nNo goal can be reached: {what}."
    if found.stuck:
        yield (
            f"In {found.stuck:,} of them no action is possible." if found.states > 1 else "No action is possible there."
        )


def _strategy(problem: Any, adversary: Adversary, everything: bool) -> Iterator[str]:
    """How the adversary answers, state by state."""
    yield (
        f"\nEven a player who sees everything cannot win: the adversary never lets the state leave a trap of "
        f"{plural(len(adversary.trap), 'state')}. To each action in each of them there is an answer:"
    )
    shown = 0
    for state, answers in adversary.strategy():
        yield f"  {problem.format_state(state)}"
        for action, answer in answers:
            if shown == _SHOWN and not everything:
                yield "  ... and so on; --all shows the whole strategy, `play --adversary` plays it"
                return
            shown += 1
            yield f"      {problem.format_action(action)} -> {problem.format_state(answer)}"


def _unseen(problem: Any, found: LostStates[Any, Any], everything: bool) -> Iterator[str]:
    """States that the player cannot tell apart, and what every action leads to."""

    def written(states: tuple[Any, ...]) -> str:
        return "{" + ", ".join(map(problem.format_state, states)) + "}"

    if len(found.starts) == 1:
        yield f"No plan wins even if it is known that the start is {problem.format_state(found.starts[0])}:"
    else:
        fewer = "for fewer starts a plan exists" if found.smallest else "other starts are possible too"
        yield f"No plan wins if the start may be any of these {len(found.starts)} ({fewer}):"
    again = "the same set" if len(found.beliefs) == 1 else f"one of these {len(found.beliefs)} sets"
    yield f"after any action, the states that are possible may again be {again}."
    shown = 0
    for belief in found.beliefs:
        yield f"  {written(belief.members)}"
        if not belief.answers:
            yield "      no action applies in all of these states"
        for action, answers in belief.answers:
            for percept, following in answers:
                if shown == _SHOWN and not everything:
                    yield "  ... and so on; --all shows all of it"
                    return
                shown += 1
                seen = "" if percept is None else f", perceiving {problem.format_percept(percept)}"
                yield f"      {problem.format_action(action)}{seen} -> {written(following)}"
