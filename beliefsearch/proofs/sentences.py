"""Explanations in sentences, one paragraph each; the command line adds what there is to list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..plans.wording import error_text, plural

if TYPE_CHECKING:
    from ..verify.verdict import PolicyVerdict
    from .adversary import Adversary
    from .explain import Explanation, GraphReasons
    from .no_way import NoWay
    from .ruler import Ruler
    from .unseeing import LostStates

NOT_SEEING = "A player who sees the state can win: not seeing it makes that impossible."
OUTGROWN = {
    "adversary": "There are too many states to look for the adversary's strategy.",
    "lost_states": "There are too many beliefs to look for states that the player would have to tell apart.",
}

# A ruler of fewer levels says little: every sequence of two different actions is one.
# Of so many actions it is said what they are worth.
_MOST_WORTHS = 6
_TELLING = 3
# Of so many actions it is said what they are worth.
_MOST_WORTHS = 6


def paragraphs(problem: Any, found: Explanation) -> Iterator[str]:
    """The explanation, without tables and lists."""
    if found.argument is not None:
        yield from (" ".join(part.split()) for part in found.argument.split("\n\n"))
    ruler = None if found.sequence is None else found.sequence.ruler
    if ruler is not None and len(ruler.levels) >= _TELLING:
        yield ruler_sentence(ruler)
    if found.no_way is not None:
        yield " ".join(no_way_sentences(problem, found.no_way))
    if found.adversary is not None:
        yield trap_sentence(found.adversary)
    if found.lost_states is not None:
        first, second = lost_sentences(problem, found.lost_states)
        yield f"{NOT_SEEING} {first}: {second}"
    if found.outgrown == "no_way":
        yield unfinished_sentence(found)
    elif found.outgrown is not None:
        yield OUTGROWN[found.outgrown]
    if found.over:
        yield over_sentence(problem)
    if found.graph is not None:
        yield graph_sentence(problem, found.graph)
    if found.policy is not None and found.policy.check.holds:
        yield policy_sentences(found.policy.check)


def graph_sentence(problem: Any, found: GraphReasons) -> str:
    """What the actions at the start are worth."""
    known = [(float(worth.value), worth.action) for worth in found.worths if worth.value is not None]
    known.sort(key=lambda worth: -worth[0])
    worths = [f"{problem.format_action(action)} {value:.6g}" for value, action in known[:_MOST_WORTHS]]
    said = ", ".join(worths) + ("" if len(known) <= _MOST_WORTHS else ", and others less")
    return f"At the start, if the policy goes on with the best of its nodes, the actions are worth: {said}."


def ruler_sentence(ruler: Ruler[Any]) -> str:
    """What a ruler sequence is."""
    return f"It is a ruler sequence: the action at place t depends only on how often {ruler.base} divides t."


def no_way_sentences(problem: Any, found: NoWay) -> list[str]:
    """What can be reached in a plain problem without a plan."""
    alike = " up to symmetry" if problem.overrides("canonical") else ""
    what = (
        "only the start can be reached, and it is no goal"
        if found.states == 1
        else f"{found.states:,} states{alike} can be reached, all of them were looked at, and none is a goal"
    )
    said = [f"No goal can be reached: {what}."]
    if found.stuck:
        said.append(
            f"In {found.stuck:,} of them no action is possible." if found.states > 1 else "No action is possible there."
        )
    return said


def unfinished_sentence(found: Explanation) -> str:
    """That a limit ended the count of what can be reached."""
    return f"No goal can be reached; {found.stopped} before all reachable states were counted."


def trap_sentence(adversary: Adversary) -> str:
    """How the adversary wins."""
    return (
        "Even a player who sees everything cannot win: the adversary never lets the state leave a trap of "
        f"{plural(len(adversary.trap), 'state')}."
    )


def lost_sentences(problem: Any, found: LostStates[Any, Any]) -> tuple[str, str]:
    """From which starts no plan wins, and why."""
    if len(found.starts) == 1:
        first = f"No plan wins even if it is known that the start is {problem.format_state(found.starts[0])}"
    else:
        fewer = "for fewer starts a plan exists" if found.smallest else "other starts are possible too"
        first = f"No plan wins if the start may be any of these {len(found.starts)} ({fewer})"
    again = "the same set" if len(found.beliefs) == 1 else f"one of these {len(found.beliefs)} sets"
    return first, f"after any action, the states that are possible may again be {again}."


def over_sentence(problem: Any) -> str:
    """That a game of chance is over before it begins."""
    if not problem.sees_state():
        return "There is nothing to be done: the game is over at the start, or has no action."
    start = problem.format_state(problem.initial_state())
    return f"The game is over at the start, {start}, and that is its utility."


def policy_sentences(found: PolicyVerdict) -> str:
    """That no policy is better than one that was checked."""
    how = f"within {error_text(found.error)}" if found.error else "exactly"
    return (
        f"In each of {plural(found.states, 'state')} all actions were compared by the values of what may follow them. "
        f"It is proved that this policy attains its value, {how}, and that no policy attains more."
    )
