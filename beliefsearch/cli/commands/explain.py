"""`beliefsearch explain`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ...errors import BeliefSearchError
from ...model.hooks import Construction
from ...model.problem import BeliefProblem
from ...plans.plan import ConditionalPlan
from ...plans.wording import plural
from ...running.limits import Budget, LimitReached
from .. import SOLVED, UNDECIDED, UNSOLVABLE
from ..answers.closed_form import checked_construction, construction_headline, construction_text
from ..limits import doing
from ..output import emit
from ..plans import plan_option
from ..problem_command import Chosen, ProblemCommand
from ..search_options import SearchOptions, search_options

__all__ = ["command"]

_DOING = "the answer was being explained"
# So many lines of an adversary's strategy, and of a table of actions, are enough for a first look.
_SHOWN = 30
# Of a plan that is known without a search the actions are counted if there are no more, which is done at once.
_MOST_COUNTED = 10_000
_TOO_MANY = "\nThere are too many states to look for the adversary's strategy."


@click.command("explain", cls=ProblemCommand)
@search_options
@plan_option
@click.option(
    "--all", "everything", is_flag=True, help="The adversary's whole strategy, or all actions, not only the beginning."
)
def command(chosen: Chosen, search: SearchOptions, plan_file: Path | None, everything: bool) -> int:
    """Say why the plan of PROBLEM works, or how the adversary wins.

    Of a stochastic problem: what the actions at the start are worth and why, how often which action is best, and
    that no policy is better.

    Exit code 0: there is a plan; 1: there is none; 3: neither was found out.
    """
    from ...plans.result import Status
    from ...verify.proof import proof_text
    from ..answers.proof import proof_for
    from ..answers.report import verdict_text
    from ..plans import plan_for

    if chosen.by_chance:
        from ..answers.policy_text import explain_chance

        return doing(_DOING, chosen.budget, lambda: explain_chance(chosen, search, plan_file, everything=everything))
    if plan_file is not None:
        plan = plan_for(chosen, search, plan_file)
        if isinstance(plan, ConditionalPlan):
            raise BeliefSearchError(
                "the plan branches on percepts, so it is no sequence; `show` has a table of its steps"
            )
        emit(f"{chosen.title}: a plan of {plural(len(plan), 'action')} from {str(plan_file)!r}")
        _emit_all(chosen, _structure(chosen, plan))
        return SOLVED
    found = checked_construction(chosen, search, few_states=0)
    if found is not None:
        _emit_all(chosen, _constructed(chosen, found, search, everything))
        return UNSOLVABLE if found.length is None else SOLVED
    result = search.search(chosen)
    emit(verdict_text(chosen, result))
    if result.status is Status.UNDECIDED:
        return UNDECIDED
    if result.plan is not None:
        if isinstance(result.plan, ConditionalPlan):
            _emit_all(chosen, _branching(result.plan))
        else:
            _emit_all(chosen, _structure(chosen, result.plan))
        proof = proof_for(chosen, result, search)
        if not isinstance(proof, str):
            emit(f"\nwhy none is shorter: {proof_text(proof)}")
        return SOLVED
    _emit_all(chosen, _strategy(chosen, search, everything))
    return UNSOLVABLE


def _emit_all(chosen: Chosen, lines: Iterator[str]) -> None:
    """Print the lines, as long as the limits allow working them out."""

    def print_them() -> None:
        for line in lines:
            emit(line)

    doing(_DOING, chosen.budget, print_them)


def _constructed(chosen: Chosen, found: Construction[Any], search: SearchOptions, everything: bool) -> Iterator[str]:
    """What the puzzle knows of the answer; if there is no plan, and all is wanted, the adversary's strategy too."""
    from ...proofs.unreduced import MOST_TRANSITIONS

    if found.length is None:
        yield from construction_text(chosen, found, None)
        if everything and found.states > MOST_TRANSITIONS:
            yield _TOO_MANY
        elif everything:
            yield from _strategy(chosen, search, everything)
        else:
            yield "\n--all shows the whole strategy, state by state; `play --adversary` plays it"
        return
    if 0 < found.length <= _MOST_COUNTED:
        yield construction_headline(chosen, found.length)
        yield from _structure(chosen, tuple(map(found.action_at, range(found.length))))
    else:
        yield from construction_text(chosen, found, None)
    yield f"\n{found.explanation}"


def _branching(plan: ConditionalPlan[Any, Any]) -> Iterator[str]:
    """How a conditional plan branches."""
    most = max((len(node.branches) for node in plan.nodes), default=0)
    entered = Counter(target for node in plan.nodes for _, target in node.branches)
    shared = sum(count > 1 and not plan.nodes[number].is_end for number, count in entered.items())
    yield f"\n{plural(plan.steps, 'step')}; a step has at most {plural(most, 'branch').replace('branchs', 'branches')}."
    if shared:
        yield f"{plural(shared, 'step')} can be come to in several ways."
    yield "`show` has a table of all steps."


def _structure(chosen: Chosen, plan: tuple[Any, ...]) -> Iterator[str]:
    """The structure of a plan: how often each action is done, and the ruler."""
    from ...proofs.ruler import count_actions, find_ruler

    text = chosen.problem.format_action
    counts = count_actions(plan)
    yield f"\n{plural(len(counts), 'different action')}:"
    for action, times in counts[:_SHOWN]:
        yield f"  {times:>7,} x  {text(action)}"
    if len(counts) > _SHOWN:
        yield f"  ... and {len(counts) - _SHOWN:,} more"
    ruler = find_ruler(plan)
    if ruler is None:
        yield "\nIt is no ruler sequence: which action is done does not depend on how often a prime divides its place."
        return
    yield f"\nIt is a ruler sequence: the action at place t depends only on how often {ruler.base} divides t."
    width = max(len(text(action)) for action in ruler.levels)
    for level, action in enumerate(ruler.levels):
        first = ruler.base**level
        places = [place for place in range(first, len(plan) + 1, first) if place % (first * ruler.base)]
        shown = ", ".join(map(str, places[:3])) + (", ..." if len(places) > 3 else "")
        yield f"  level {level}: {text(action):{width}}  at {shown}"


def _no_way(chosen: Chosen, search: SearchOptions) -> Iterator[str]:
    """What can be reached where everything is seen: no goal."""
    from ...engine.choose import view_of
    from ...proofs.no_way import find_no_way

    try:
        found = find_no_way(view_of(chosen.problem), chosen.budget.tick)
    except LimitReached as reached:
        yield f"\nNo goal can be reached; {reached} before everything that can be was counted."
        return
    assert found is not None, "the search has proved that no goal can be reached"
    alike = " up to symmetry" if chosen.problem.overrides("canonical") else ""
    what = (
        "only the start can be, and it is none"
        if found.states == 1
        else (f"{found.states:,} states{alike} can be, all of them were looked at, and none is a goal")
    )
    yield f"\nNo goal can be reached: {what}."
    if found.stuck:
        yield (
            f"In {found.stuck:,} of them no action is possible." if found.states > 1 else "No action is possible there."
        )


def _strategy(chosen: Chosen, search: SearchOptions, everything: bool) -> Iterator[str]:
    """How the adversary answers, state by state."""
    from ...model.problem import Problem
    from ...proofs.adversary import find_adversary
    from ...running.limits import Outgrown

    problem = chosen.problem
    if isinstance(problem, Problem):  # nobody plays against a player whose actions have one result each
        yield from _no_way(chosen, search)
        return
    try:
        adversary = find_adversary(problem, chosen.budget.tick, small=True)
    except (LimitReached, Outgrown):
        yield _TOO_MANY
        return
    if adversary is None:
        yield "\nA player who sees the state can win: it is not seeing that makes it impossible."
        yield from _unseen(problem, chosen.budget, everything)
        return
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


def _unseen(problem: BeliefProblem[Any, Any, Any], budget: Budget, everything: bool) -> Iterator[str]:
    """States that the player would have to tell apart, and what every action leads to."""
    from ...proofs.unseeing import find_lost_states
    from ...running.limits import Outgrown

    try:
        found = find_lost_states(problem, budget.tick)
    except (LimitReached, Outgrown):
        found = None
    if found is None:
        yield "There are too many beliefs to look for states that the player would have to tell apart."
        return

    def written(states: tuple[Any, ...]) -> str:
        return "{" + ", ".join(map(problem.format_state, states)) + "}"

    if len(found.starts) == 1:
        yield f"Even whoever knows that the start is {problem.format_state(found.starts[0])} has no plan:"
    else:
        fewer = "of fewer starts there always is one" if found.smallest else "and more are possible at the start"
        yield f"No plan wins if all that is known of the start is that it is one of {len(found.starts)} ({fewer}):"
    again = "just that again" if len(found.beliefs) == 1 else f"again one of these {len(found.beliefs)} sets"
    yield f"whatever is done, what is possible then may be {again}."
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
                told = "" if percept is None else f", perceiving {problem.format_percept(percept)}"
                yield f"      {problem.format_action(action)}{told} -> {written(following)}"
