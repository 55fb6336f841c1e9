"""What `describe` says of an instance: its kind, and how large it is, counted within the limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...model.values import listed
from ...plans.wording import plural
from ...running.alarm import call_within, stopped_within
from ...running.limits import STOPS
from ...solving.describe import describe

if TYPE_CHECKING:
    from ...running.limits import Budget
    from ...solving.describe import Count, Facts

__all__ = ["chance_facts", "plan_facts"]


def plan_facts(problem: Any, budget: Budget) -> list[str]:
    """Of a problem whose answer is a plan: its starts, actions and states."""
    try:
        facts = call_within(budget, lambda: describe(problem, tick=budget.tick))
    except STOPS as stop:
        return [f"nothing was counted: {budget.why(stop)}"]
    lines = [f"a {facts.kind} problem{' that can be walked backwards' if facts.reversible else ''}"]
    if facts.no_start is not None:
        lines.append(f"its start is open: {facts.no_start}")
    if facts.starts is not None:
        lines.append(plural(facts.starts.number, "possible start"))
        if not facts.starts.complete:
            lines[-1] = f"more than {lines[-1]}"
        elif facts.canonical_starts is not None and facts.canonical_starts < facts.starts.number:
            lines.append(f"{facts.canonical_starts:,} of them up to symmetry")
    if facts.actions is not None:
        actions = plural(facts.actions.number, "action")
        where = "at the start" if facts.starts is None else "in the first of them"
        lines.append(f"{actions if facts.actions.complete else f'more than {actions}'} {where}, {facts.first_start}")
    lines += _size(facts)
    if facts.stopped is not None:
        lines.append(f"not everything was counted: {facts.stopped}")
    return lines


def _size(facts: Facts) -> list[str]:
    """The numbers of states, and how many beliefs can be made of them."""
    states, unreduced = facts.states, facts.unreduced_states
    if states is None:
        return []
    origin = "" if facts.no_start is None else " that can come up from the possible starts"
    if unreduced is None or unreduced == states:
        told = [(states, "")]
    else:
        told = [(states, " up to symmetry"), (unreduced, " without symmetry")]
    lines = [f"{_at_least(count)}{plural(count.number, 'state')}{which}{origin}" for count, which in told]
    if facts.starts is not None:
        lines += [f"{_at_least(count)}2^{count.number} beliefs{which}" for count, which in told]
    return lines


def _at_least(count: Count) -> str:
    return "" if count.complete else "at least "


def chance_facts(problem: Any, budget: Budget) -> list[str]:
    """Of a stochastic problem: its actions and states, and whether it may come back to some."""
    from ...solvers.mdp.model import ChanceModel, explore
    from ...verify.components import components

    lines = ["a stochastic problem"]
    model: ChanceModel[Any, Any] = ChanceModel()

    def count() -> None:
        start = problem.initial_state()
        if not problem.is_terminal(start):
            actions = plural(len(listed(problem.actions(start))), "action")
            lines.append(f"{actions} at the start, {problem.format_state(start)}")
        explore(problem, model, budget)
        parts = components(len(model.states), model.successors, budget.tick)
        cyclic = sum(len(component) for component, cycle in parts if cycle)
        terminal = len(model.states) - sum(map(bool, model.actions))
        lines.append(f"{plural(len(model.states), 'state')}, {terminal:,} of them terminal")
        again = f"the game may come back to {plural(cyclic, 'state')}" if cyclic else "it never comes back to a state"
        lines.append(again)

    stopped = stopped_within(budget, count)
    if stopped is not None:
        lines.append(f"more than {plural(len(model.states), 'state')}; not everything was counted: {stopped}")
    return lines
