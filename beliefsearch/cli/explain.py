"""`beliefsearch explain`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..budget import Budget, LimitReached
from ..conditional_plan import ConditionalPlan
from ..errors import BeliefSearchError
from ..wording import plural
from . import SOLVED, UNDECIDED, UNSOLVABLE
from .constructing import checked_construction, construction_text
from .output import emit
from .plans import plan_option
from .problem_command import Chosen, ProblemCommand
from .search_options import SearchOptions, search_options

__all__ = ["command"]

# So many lines of an adversary's strategy, and of a table of actions, are enough for a first look.
_SHOWN = 30


@click.command("explain", cls=ProblemCommand)
@search_options
@plan_option
@click.option("--all", "everything", is_flag=True, help="The adversary's whole strategy, not only the beginning.")
def command(chosen: Chosen, search: SearchOptions, plan_file: Path | None, everything: bool) -> int:
    """Say why the plan of PROBLEM works, or how the adversary wins.

    Exit code 0: there is a plan; 1: there is none; 3: neither was found out.
    """
    from ..solution import Status
    from ..verify_file import proof_text
    from .plans import plan_for
    from .proving import proof_for
    from .report import verdict_text

    if plan_file is not None:
        plan = plan_for(chosen, search, plan_file)
        if isinstance(plan, ConditionalPlan):
            raise BeliefSearchError(
                "the plan branches on percepts, so it is no sequence; `show` has a table of its steps"
            )
        emit(f"{chosen.title}: a plan of {plural(len(plan), 'action')} from {str(plan_file)!r}")
        _emit_all(_structure(chosen, plan))
        return SOLVED
    found = checked_construction(chosen, search)
    if found is not None:
        _emit_all(construction_text(chosen, found, None))
        if found.length is not None:
            emit(f"\n{found.explanation}")
        return UNSOLVABLE if found.length is None else SOLVED
    result = search.solve(chosen)
    emit(verdict_text(chosen, result))
    if result.status is Status.UNDECIDED:
        return UNDECIDED
    if result.plan is not None:
        if isinstance(result.plan, ConditionalPlan):
            _emit_all(_branching(result.plan))
        else:
            _emit_all(_structure(chosen, result.plan))
        proof = proof_for(chosen, result, search)
        if not isinstance(proof, str):
            emit(f"\nwhy none is shorter: {proof_text(proof)}")
        return SOLVED
    _emit_all(_strategy(chosen, search, everything))
    return UNSOLVABLE


def _emit_all(lines: Iterator[str]) -> None:
    for line in lines:
        emit(line)


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
    from ..proofs.structure import count_actions, find_ruler

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


def _strategy(chosen: Chosen, search: SearchOptions, everything: bool) -> Iterator[str]:
    """How the adversary answers, state by state."""
    from ..budget import Outgrown
    from ..proofs.adversary import find_adversary

    problem = chosen.problem
    try:
        adversary = find_adversary(problem, Budget(search.limits()).tick, small=True)
    except (LimitReached, Outgrown):
        yield "\nThere are too many states to look for the adversary's strategy."
        return
    if adversary is None:
        yield "\nA player who sees the state can win: it is not seeing that makes it impossible."
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
