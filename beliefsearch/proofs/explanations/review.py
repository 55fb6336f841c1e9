"""Review of somebody's plan: whether it wins, how much more it costs than a best one, and at which steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import field, frozen

from ...model.adapters import starting_from
from ...model.base import Cost
from ...model.belief import Belief, belief_cost, initial_belief, is_goal_belief, outcomes, predict
from ...planner.options import SearchRequest
from ...planner.solve import answer as answer_to
from ...plans.plan import Plan
from ...plans.wording import comma_list, number_order, number_text, plural
from ...running.limits import Budget, Limits
from ...running.run import Run
from ...simulation.plan_games import wins_by_state
from ...verify.plan import check_plan
from ...verify.verdict import PlanVerdict
from .trace import beliefs_of

# A review is no search: it gives up once its searches have expanded so many states together.
_EXPANDED = 100_000
# Of so many steps it is said that they bring nothing.
_MOST_SAID = 10


@frozen
class Waste:
    """A step of a plan after which more is needed than had to be.

    Attributes
    ----------
    step
        Its number, from 1; of a conditional plan that of its node, from 0.
    action
        What is done.
    before
        The least cost from there on.
    after
        The least cost from there on that begins with this action.
    """

    step: int
    action: Any
    before: Cost
    after: Cost


@frozen
class PlanReview:
    """Findings about a plan that somebody made.

    Attributes
    ----------
    check
        Whether it wins; if not, at which step it fails, and for which states.
    least
        What a best plan costs in the worst case; None if that was not found out, or the plan does not win.
    wasted
        The steps at which it costs more than it must, as far as these were found.
    failing
        Of a sequence that does not win: the starts from which it may fail, in the order of their texts.
    starts
        How many starts there are.
    """

    check: PlanVerdict = field()
    least: Cost | None = None
    wasted: tuple[Waste, ...] = ()
    failing: tuple[str, ...] = ()
    starts: int = 0

    def sentences(self, text: Callable[[Any], str]) -> Iterator[str]:
        """Say it in sentences; `text` writes an action."""
        check = self.check
        if not check.holds:
            yield f"The plan does not win: {check.complaint}."
            if self.failing:
                left = len(self.failing) - _MOST_SAID
                more = f" and {left:,} more" if left > 0 else ""
                named = comma_list(self.failing[:_MOST_SAID]) + more
                yield f"It may fail from {len(self.failing):,} of {plural(self.starts, 'start')}: {named}."
        elif check.cyclic:
            yield "The plan wins in the end: it keeps trying."
        elif self.least is None:
            yield f"The plan wins, at a cost of {number_text(check.cost)}; whether less would do was not found out."
        elif self.least == check.cost:
            yield f"The plan wins, at a cost of {number_text(check.cost)}, and no plan costs less."
        else:
            cost, least = number_text(check.cost), number_text(self.least)
            yield f"The plan wins, at a cost of {cost}, where {least} would do."
        for waste in self.wasted[:_MOST_SAID]:
            before, after = number_text(waste.before), number_text(waste.after)
            action = text(waste.action)
            yield f"At step {waste.step}, {action}: {before} would be enough from there; with this it is {after}."
        if len(self.wasted) > _MOST_SAID:
            yield f"So it is at {plural(len(self.wasted) - _MOST_SAID, 'other step')}."


def review(problem: Any, plan: Plan[Any, Any]) -> PlanReview:
    """Check a plan, and compare it with best ones.

    Raises
    ------
    InvalidPlanError
        If an action does not apply to a state that is possible where it stands; names step and state.

    Notes
    -----
    Wasted is by how much the cost of a step and of a best plan after it exceeds that of a best plan before it. In a
    sequence these add up to what the plan costs too much, so the search for them ends there.
    """
    check = check_plan(problem, plan)
    if not check.holds and not plan.is_conditional and wins_by_state(problem):
        failing = sorted([problem.format_state(state) for state in _failing_starts(problem, plan)], key=number_order)
        return PlanReview(check, failing=tuple(failing), starts=check.starts)
    if not check.holds or check.cyclic:
        return PlanReview(check)
    costs = _LeastCosts(problem)
    start = initial_belief(problem)
    least = costs.of(start)
    if least is None or least >= check.cost:
        return PlanReview(check, least)
    wasted: list[Waste] = []
    steps = _conditional_steps(problem, plan) if plan.is_conditional else _sequence_steps(problem, plan, start)
    for number, belief, action, following in steps:
        before, rest = costs.of(belief), [costs.of(then) for then in following]
        if before is None or None in rest:
            break
        after: Any = belief_cost(problem, belief, action) + max(cost for cost in rest if cost is not None)
        if after > before:
            wasted.append(Waste(number, action, before, after))
    return PlanReview(check, least, tuple(wasted))


def _failing_starts(problem: Any, plan: Plan[Any, Any]) -> set[Any]:
    """The starts from which a sequence may end where nothing is won, found from its end backwards."""
    steps, belief = [], initial_belief(problem)
    for action in plan.as_sequence():
        steps.append((belief, action))
        belief = predict(problem, belief, action)
    lost = {state for state in belief if not problem.is_goal(state)}
    for before, action in reversed(steps):
        lost = {state for state in before if not lost.isdisjoint(problem.results(state, action))}
    return lost


class _LeastCosts:
    """The least worst-case cost by belief, as far as all searches together may go."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self._known: dict[Belief[Any], Cost | None] = {}
        self._left = _EXPANDED

    def of(self, belief: Belief[Any]) -> Cost | None:
        """The least cost from there; None if it was not found out."""
        if belief not in self._known:
            self._known[belief] = self._search(belief)
        return self._known[belief]

    def _search(self, belief: Belief[Any]) -> Cost | None:
        if is_goal_belief(self._problem, belief):
            return 0
        limits = Limits(expanded=self._left)
        there = starting_from(self._problem, sorted(belief, key=repr))
        found: Any = answer_to(there, SearchRequest(), Run(Budget(limits)), None)
        self._left = max(self._left - found.stats.expanded, 0)
        return found.cost if found.optimal else None


def _sequence_steps(problem: Any, plan: Plan[Any, Any], belief: Belief[Any]) -> Iterator[tuple[Any, ...]]:
    for number, action in enumerate(plan.as_sequence(), 1):
        following = predict(problem, belief, action)
        yield number, belief, action, [following]
        belief = following


def _conditional_steps(problem: Any, plan: Plan[Any, Any]) -> Iterator[tuple[Any, ...]]:
    for number, (node, belief) in enumerate(zip(plan.nodes, beliefs_of(problem, plan), strict=True)):
        if not node.is_end:
            yield number, belief, node.action, map(frozenset, outcomes(problem, belief, node.action).values())
