"""Explanations in sentences, one paragraph each; the command line adds what there is to list.

The shape of a plan: how often each action occurs, and whether it is a ruler sequence.

Why a plain problem has no plan: all reachable states are listed, and none is a goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic

from attrs import frozen

from ...model.base import Action, Number
from ...model.canvas.html import box, line, table
from ...model.distribution import Distribution
from ...model.problem import Problem
from ...model.values import stable_text
from ...plans.plan_writer import Proof
from ...plans.policy import Policy
from ...plans.policy_table import BestActions, PolicyRow
from ...plans.wording import error_text, not_over_text, over_text, plural, telling_of
from .argument import argument
from .review import PlanReview
from .trace import ActionValue

if TYPE_CHECKING:
    from ...verify.verdict import PolicyVerdict
    from .adversary import Adversary
    from .unwinnable_pair import LostStates

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)


@frozen
class Ruler(Generic[Action]):
    """A ruler sequence: the action at place t, counted from 1, depends only on how often `base` divides t.

    Such a plan counts in that base, a prime, as the marks of a ruler do: the action of level j is done whenever the
    digits below are exhausted. Each level has an action of its own: else many a short plan would be one by chance.
    """

    base: int
    levels: tuple[Action, ...]


def find_ruler(plan: Sequence[Action]) -> Ruler[Action] | None:
    """The ruler sequence of smallest base that `plan` is, with at least two levels; None if none. O(length)."""
    for base in _BASES:
        levels: list[Action] = []
        for place, action in enumerate(plan, 1):
            level = 0
            while place % base == 0:
                place //= base  # digit by digit
                level += 1
            if level == len(levels):
                levels.append(action)
            elif levels[level] != action:
                break
        else:
            if len(levels) > 1 and len(set(levels)) == len(levels):
                return Ruler(base, tuple(levels))
    return None


def count_actions(plan: Sequence[Action]) -> list[tuple[Action, int]]:
    """Each action with the number of its occurrences, the most frequent first."""
    return Counter(plan).most_common()


@frozen
class NoWay:
    """Numbers of reachable states of a problem without a plan, and of those in which no action is possible."""

    states: int
    stuck: int


def find_no_way(problem: Problem[Any, Any], tick: Callable[[], None]) -> NoWay | None:
    """Count the reachable states; None if a goal is among them. O(states times their actions)."""
    start = problem.initial_state()
    frontier = [start]
    met = {start}
    stuck = 0
    for state in frontier:  # grows while it is walked
        tick()
        if problem.is_goal(state):
            return None
        results = {problem.result(state, action) for action in problem.actions(state)}
        stuck += not results
        frontier += results - met
        met |= results
    return NoWay(len(met), stuck)


@frozen
class SequenceShape:
    """The shape of a sequence.

    `counts` are its actions, each with how often it is done, the most frequent first; `ruler` its ruler, if it is one,
    and `ruled_out` are by level the states that each action of it rules out, if beliefs were looked at.
    """

    counts: tuple[tuple[Any, int], ...]
    ruler: Ruler[Any] | None
    ruled_out: tuple[tuple[Any, ...], ...] = ()


@frozen
class Branching:
    """The shape of a conditional plan.

    It has this many steps with an action, a step has at most so many branches, and so many steps can be reached in
    several ways.
    """

    steps: int
    most_branches: int
    shared: int


@frozen
class PolicyReasons:
    """The reasons why a policy is optimal.

    `row` says what the actions at the start are worth and what may follow them, `best` in how many states each action
    is best, and `check` whether no policy is better, as `verify` checks it.
    """

    policy: Policy[Any, Any]
    row: PolicyRow[Any, Any]
    best: BestActions[Any]
    check: PolicyVerdict


@frozen
class GraphReasons:
    """Values of the actions of a partially observable game at the start.

    `ended` is how likely it is that the game is over there. If it is not: `likely` is what is likely, `action` what the
    policy does, and `worths` what each action is worth by the values of the policy's nodes, which no policy graph can
    fall short of.
    """

    ended: Number
    likely: Distribution[Any]
    action: Any
    worths: list[ActionValue[Any, Any]]


@frozen
class Explanation:
    """The reasons for an answer; those that do not apply, or were not found, are None.

    Attributes
    ----------
    answer
        What is explained: what a search found, the closed form that the problem knows, or the plan or policy given.
    sequence, branching
        What the plan looks like.
    argument
        The author's own words, where the answer is a closed form.
    proof
        Why no plan costs less.
    no_way
        Why a plain problem has no plan: what can be reached, none of it a goal.
    adversary
        Why a belief problem has no plan: how an adversary keeps even a player who sees every state from the goal.
    lost_states
        If nobody can keep a player who sees from winning: starts that the player would have to tell apart.
    outgrown
        What had too much to look at: "no_way", "adversary" or "lost_states"; None if nothing had.
    stopped
        The limit that ended the search, in words.
    policy
        Where the value of a policy comes from.
    over
        Whether a game of chance is over at the start, so that its value is the utility there.
    graph
        What the actions of a partially observable game are worth.
    review
        Whether a plan that was given wins, and where it costs more than it must.
    """

    answer: Any
    sequence: SequenceShape | None = None
    branching: Branching | None = None
    argument: str | None = None
    proof: Proof[Any] | None = None
    no_way: NoWay | None = None
    adversary: Adversary | None = None
    lost_states: LostStates[Any, Any] | None = None
    outgrown: str | None = None
    stopped: str | None = None
    policy: PolicyReasons | None = None
    over: bool = False
    graph: GraphReasons | None = None
    review: PlanReview | None = None

    @property
    def refuted(self) -> bool:
        """Whether the answer turned out to be wrong: a plan that loses, a policy not optimal or with wrong values."""
        checks = [found.check for found in (self.policy, self.review) if found is not None]
        return not all(check.holds for check in checks)

    def _repr_html_(self) -> str:
        """For notebooks: the reasons that were found."""
        parts: list[str] = []
        if self.review is not None:
            parts += map(line, self.review.sentences(stable_text))
        if self.sequence is not None:
            parts.append(table(((f"{n:,} ×", stable_text(action)) for action, n in self.sequence.counts)))
            if (ruler := self.sequence.ruler) is not None:
                often = f"the action at place t depends only on how often {ruler.base} divides t"
                parts.append(line(f"A ruler sequence: {often}."))
        if self.branching is not None:
            steps, shared = plural(self.branching.steps, "step"), self.branching.shared
            parts.append(line(f"{steps}, of which {shared:,} can be reached in several ways."))
        parts += [line(text) for text in (self.argument or "").split("\n\n") if text]
        if self.proof is not None and (why := argument(self.proof)):
            parts.append(line(why))
        if self.no_way is not None:
            parts.append(line(f"{plural(self.no_way.states, 'state')} can be reached, and none is a goal."))
        if self.adversary is not None:
            trap = plural(len(self.adversary.trap), "state")
            parts.append(line(f"An adversary never lets the state leave a trap of {trap}, whatever is done."))
        if self.lost_states is not None:
            parts.append(line("A player who sees the state can win: not seeing it makes that impossible."))
        if self.policy is not None:
            best = self.policy.best
            counts = f"{best.one:,} states have one best action, {best.several:,} have several"
            parts.append(line(f"{counts}; that no policy is better {'does not hold' if self.refuted else 'holds'}."))
        if self.stopped is not None:
            parts.append(line(self.stopped))
        return box("Reasons", *parts)


NOT_SEEING = "A player who sees the state can win: not seeing it makes that impossible."

OUTGROWN = {
    "adversary": "There are too many states to look for the adversary's strategy.",
    "lost_states": "There are too many beliefs to look for states that the player would have to tell apart.",
}

# A ruler of fewer levels says little: every sequence of two different actions is one.
_TELLING = 3

# Of so many actions it is said what they are worth.
_MOST_WORTHS = 6


def paragraphs(problem: Any, found: Explanation) -> Iterator[str]:
    """The explanation, without tables and lists."""
    if found.review is not None:
        yield from found.review.sentences(problem.format_action)
    if found.argument is not None:
        yield from (" ".join(part.split()) for part in found.argument.split("\n\n"))
    ruler = None if found.sequence is None else found.sequence.ruler
    if ruler is not None and len(ruler.levels) >= _TELLING:
        yield ruler_sentence(ruler)
    if found.no_way is not None:
        yield " ".join(no_way_sentences(problem, found.no_way))
    if found.adversary is not None:
        yield trap_sentence(problem, found.adversary)
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
    """Say the values of the actions at the start."""
    known = [(float(worth.value), worth.action) for worth in found.worths if worth.value is not None]
    known.sort(key=lambda worth: -worth[0])
    telling = telling_of(problem)
    worths = [f"{problem.format_action(action)} {telling.value(value):.6g}" for value, action in known]
    means = f"have the {telling.name}" if telling.name else "cost" if telling.costs else "are worth"
    said = ", ".join(worths[:_MOST_WORTHS]) + (
        "" if len(known) <= _MOST_WORTHS else f", and others {'more' if telling.is_small else 'less'}"
    )
    on = "the policy goes on with the best of its nodes"
    start = f"If {not_over_text(found.ended)}, and {on}," if found.ended else f"At the start, if {on},"
    return f"{start} the actions {means}: {said}."


def ruler_sentence(ruler: Ruler[Any]) -> str:
    """Describe a ruler sequence."""
    return f"It is a ruler sequence: the action at place t depends only on how often {ruler.base} divides t."


def no_way_sentences(problem: Any, found: NoWay) -> list[str]:
    """Describe the reachable states of a plain problem without a plan."""
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
    """Say that a limit ended the count of reachable states."""
    return f"No goal can be reached; {found.stopped} before all reachable states were counted."


def trap_sentence(problem: Any, adversary: Adversary) -> str:
    """Say how the adversary wins."""
    alike = len({problem.canonical(state) for state in adversary.trap})
    size = plural(len(adversary.trap), "state") + (f", {alike} up to symmetry" if alike < len(adversary.trap) else "")
    return f"Even a player who sees everything cannot win: the adversary never lets the state leave a trap of {size}."


def lost_sentences(problem: Any, found: LostStates[Any, Any]) -> tuple[str, str]:
    """Say from which starts no plan wins, and why."""
    if len(found.starts) == 1:
        first = f"No plan wins even if it is known that the start is {problem.format_state(found.starts[0])}"
    else:
        fewer = "for fewer starts a plan exists" if found.smallest else "other starts are possible too"
        first = f"No plan wins if the start may be any of these {len(found.starts)} ({fewer})"
    again = "the same set" if len(found.beliefs) == 1 else f"one of these {len(found.beliefs)} sets"
    return first, f"after any action, the states that are possible may again be {again}."


def over_sentence(problem: Any) -> str:
    """Say that a game of chance is over before it begins."""
    if not problem.sees_state():
        return "There is nothing to be done: the game is over at the start, or has no action."
    start = problem.initial_state()
    over = over_text(problem, f"the start, {problem.format_state(start)}", start)
    return f"{over}{', and that is its utility' if problem.question() is None else ''}."


def policy_sentences(found: PolicyVerdict) -> str:
    """Say that no policy is better than one that was checked."""
    how = f"within {error_text(found.error)}" if found.error else "exactly"
    return (
        f"In each of {plural(found.states, 'state')} all actions were compared by the values of what may follow them. "
        f"It is proved that this policy attains its value, {how}, and that no policy attains more."
    )
