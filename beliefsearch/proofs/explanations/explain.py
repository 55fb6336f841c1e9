"""`explain`: why a plan works, how the adversary wins, or where the value of a policy comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial, singledispatch
from itertools import count, pairwise
from typing import Any

from attrs import evolve

from ...engine.views import view_of
from ...errors import LimitError
from ...kinds import Kind, kind_of
from ...model.distribution import begin
from ...model.hooks import Construction
from ...model.problem import BeliefProblem, Problem
from ...planner.closed_form import argued
from ...planner.options import SearchRequest
from ...planner.solve import answer as answer_to
from ...plans.encoding import number_to_json
from ...plans.plan import Plan
from ...plans.policy import Policy, PolicyGraph, PolicyResult
from ...plans.policy_files import policy_plan
from ...plans.policy_table import best_actions_of, policy_row
from ...plans.result import SearchResult, Status
from ...running.alarm import call_within
from ...running.limits import Budget, EffortExceeded, LimitReached, Limits
from ...running.observer import Observer
from ...running.run import Run
from ..prove import prove
from .explanation import (
    Branching,
    Explanation,
    GraphReasons,
    PolicyReasons,
    Ruler,
    SequenceShape,
    count_actions,
    find_no_way,
    find_ruler,
)
from .review import review
from .trace import action_values, trace

# Of a plan that is known without a search the actions are counted if there are no more, which is done at once.
MOST_COUNTED = 10_000
# Of a plan that is a ruler the beliefs are looked at if there are no more.
_MOST_FOLLOWED = 300


def explain(
    problem: Any, answer: Any = None, *, limits: Limits | None = None, observer: Observer | None = None
) -> Explanation:
    """Explain why a plan works, how the adversary wins, or where the value of a policy comes from.

    Parameters
    ----------
    problem
        A problem of any kind.
    answer
        What `solve` found, a closed form, a plan or a policy. By default the problem is solved first, as
        `solve` does; the limits count for that too.
    limits
        When to give up; for the proof that no plan costs less they count anew.
    observer
        Receives every event of the searches.

    Raises
    ------
    LimitError
        If a limit ends it before there is an answer, or before the plan was looked at.
    ProblemError
        If the problem is caught breaking its contract.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> explanation = explain(DevilProblem(n=4))
    >>> explanation.sequence.ruler.base, len(explanation.sequence.ruler.levels)
    (2, 4)
    >>> len(explain(DevilProblem(n=6)).answer.explanation.splitlines()) > 1
    True
    """
    budget = Budget(limits)
    request = SearchRequest() if answer is None else None
    if request is not None:
        answer = answer_to(problem, request, Run(budget, observer or Observer()))
    try:
        if request is not None:
            answer = call_within(budget, partial(argued, problem, answer, request))
        found = call_within(budget, partial(reasons_within, problem, answer, budget))
    except (LimitReached, MemoryError) as stop:
        raise LimitError(f"{budget.why(stop)} while the answer was being explained") from None
    if isinstance(answer, SearchResult) and answer.plan is not None:
        return evolve(found, proof=prove(problem, answer, limits=limits, observer=observer))
    return found


def reasons_within(problem: Any, answer: Any, budget: Budget, *, whole: bool = False) -> Explanation:
    """`explain` for a given answer, without a proof, and within a budget.

    With `whole` the adversary's strategy is looked for, too, where a closed form says that there is no plan. The answer
    of a search which was stopped before it knew raises `LimitError`.
    """
    return _reasons(answer, problem, budget, whole)


@singledispatch
def _reasons(answer: Any, problem: Any, budget: Budget, whole: bool) -> Explanation:
    """Explain a plan that was given: whether it wins; and if so, its shape."""
    plan = answer if isinstance(answer, Plan) else Plan.of_sequence(answer)
    found = review(problem, plan)
    return evolve(_shape(problem, answer), review=found) if found.check.holds else Explanation(answer, review=found)


def _shape(problem: Any, answer: Any) -> Explanation:
    """Describe what a plan looks like."""
    if not (isinstance(answer, Plan) and answer.is_conditional):
        ruler = find_ruler(answer)
        ruled_out = () if ruler is None or len(answer) > _MOST_FOLLOWED else _ruled_out(problem, answer, ruler)
        return Explanation(answer, sequence=SequenceShape(tuple(count_actions(answer)), ruler, ruled_out))
    most = max((len(node.branches) for node in answer.nodes), default=0)
    entered = Counter(target for node in answer.nodes for _, target in node.branches)
    shared = sum(count > 1 and not answer.nodes[number].is_end for number, count in entered.items())
    return Explanation(answer, branching=Branching(answer.steps, most, shared))


def _ruled_out(problem: Any, plan: Sequence[Any], ruler: Ruler[Any]) -> tuple[tuple[Any, ...], ...]:
    """Return, by level, the states that were possible before each of its actions, and are not after any."""
    beliefs = [row.states for row in trace(problem, plan)]
    gone: list[dict[Any, None] | None] = [None] * len(ruler.levels)
    for place, (before, after) in enumerate(pairwise(beliefs), 1):
        level = next(power for power in count() if place % ruler.base ** (power + 1))
        known, left = gone[level], set(after)
        candidates = before if known is None else known
        gone[level] = {state: None for state in candidates if state in set(before) and state not in left}
    return tuple(tuple(states or ()) for states in gone)


@_reasons.register(SearchResult)
def _of_result(answer: SearchResult[Any], problem: Any, budget: Budget, whole: bool) -> Explanation:
    if answer.plan is not None:
        return evolve(_shape(problem, answer.plan), answer=answer)
    if answer.status is Status.UNDECIDED:
        raise LimitError(f"the search was stopped ({answer.reason}) before there was anything to explain")
    return evolve(_WITHOUT_PLAN[kind_of(problem)](problem, budget), answer=answer)


@_reasons.register(Construction)
def _of_closed_form(answer: Construction[Any], problem: Any, budget: Budget, whole: bool) -> Explanation:
    found = Explanation(answer)
    if answer.length is not None and 0 < answer.length <= MOST_COUNTED:
        found = _shape(problem, tuple(answer.action_at(place) for place in range(answer.length)))
    elif answer.length is None and whole:
        from ..belief_bounds import MOST_TRANSITIONS

        many = answer.states > MOST_TRANSITIONS
        found = Explanation(answer, outgrown="adversary") if many else _WITHOUT_PLAN[kind_of(problem)](problem, budget)
    return evolve(found, answer=answer, argument=answer.explanation)


@_reasons.register(Policy)
def _of_policy(answer: Policy[Any, Any], problem: Any, budget: Budget, whole: bool) -> Explanation:
    from ..check import check_policy_file

    start = problem.initial_state()
    if problem.is_terminal(start):
        return Explanation(answer, over=True)
    check = check_policy_file(problem, policy_plan(answer, problem), number_to_json(answer.start_value(problem)))
    row, best = policy_row(problem, answer, start), best_actions_of(problem, answer)
    return Explanation(answer, policy=PolicyReasons(answer, row, best, check))


@_reasons.register(PolicyGraph)
def _of_policy_graph(answer: PolicyGraph[Any, Any, Any], problem: Any, budget: Budget, whole: bool) -> Explanation:
    first = begin(problem, budget.tick)
    if not first.percepts or not len(answer):
        return Explanation(answer, over=True)
    ((_, likely),) = first.percepts.values()
    reasons = GraphReasons(first.ended, likely, answer.action(answer.start), action_values(problem, answer, likely))
    return Explanation(answer, graph=reasons)


@_reasons.register(PolicyResult)
def _of_policy_result(answer: PolicyResult[Any, Any], problem: Any, budget: Budget, whole: bool) -> Explanation:
    return evolve(_reasons(answer.require_answer(), problem, budget, whole), answer=answer)


def _no_way(problem: Problem[Any, Any], budget: Budget) -> Explanation:
    """Explain why a plain problem, which has no adversary, has no plan: no goal can be reached."""
    try:
        return Explanation(None, no_way=find_no_way(view_of(problem), budget.tick))
    except LimitReached as reached:
        return Explanation(None, outgrown="no_way", stopped=str(reached))


def _lost(problem: BeliefProblem[Any, Any, Any], budget: Budget) -> Explanation:
    """Explain how the adversary answers, or which states the player cannot tell apart."""
    from .adversary import find_adversary
    from .unwinnable_pair import find_lost_states

    try:
        adversary = find_adversary(problem, budget.tick, small=True)
    except (LimitReached, EffortExceeded):
        return Explanation(None, outgrown="adversary")
    if adversary is not None:
        return Explanation(None, adversary=adversary)
    try:
        lost = find_lost_states(problem, budget.tick)
    except (LimitReached, EffortExceeded):
        lost = None
    return Explanation(None, lost_states=lost, outgrown="lost_states" if lost is None else None)


_WITHOUT_PLAN: Mapping[Kind, Callable[[Any, Budget], Explanation]] = {
    Kind.PLAIN: _no_way,
    Kind.SENSORLESS: _lost,
    Kind.CONTINGENT: _lost,
}
