"""The verdict on a whole plan file: its plan, its proof, and whatever else it claims.

What a file says of its problem is checked; that no plan costs less is said to be claimed only, if there is no proof of
it. What contradicts itself does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve

from ..errors import DoesNotHoldError, InvalidPlanError, InvalidProofError
from ..kinds import is_stochastic, require
from ..model.base import Cost
from ..model.exact import shown
from ..model.stochastic import ALMOST_SURE
from ..plans.encoding import SETTLED
from ..plans.plan_reader import REGION, PlanFile
from ..plans.proof_words import proof_text
from ..plans.result import Status
from ..plans.wording import error_text, length_text, number_text, plural, telling_of, value_text
from .answer import answer_lines, check_settled, contradiction, refuse_claims
from .sequence import check_sequence_file
from .verdict import FileVerdict

if TYPE_CHECKING:
    from .hints import Hints

# By this share of what it costs a plan may miss the least cost, where costs are floats.
_COSTS_MISS = Fraction(1, 10**9)

_Followed: TypeAlias = "tuple[Cost | None, Cost | None, str]"
"""The cost of a plan, as a sum of floats and exactly, if known; and the line about it."""

_Tick: TypeAlias = "Callable[[], None]"
_Hints: TypeAlias = "Callable[[], Hints]"
"""Whatever makes tables of lists, once it is needed."""


def check_file(problem: Any, saved: PlanFile, hints: _Hints, tick: _Tick = lambda: None) -> FileVerdict:
    """Check the plan in a file, its proof, and that its fields do not contradict these or each other.

    What only lists things is made into a table by `hints`, which need not be trusted; it is called if there is such.

    Raises `InvalidPlanError` if the file cannot be read as one for this problem, and `ProblemError` if the problem
    breaks its contract, or is of a kind that takes something else than what the file holds.
    """
    if saved.objective == ALMOST_SURE:  # any plan that wins will do, also one that keeps trying
        saved = evolve(saved, objective="worst")
    capability, check = _CHECKERS[_kind_of_plan(saved)]
    require(capability, problem)
    lines: list[str] = []
    try:
        return check(problem, saved, lines, hints, tick)
    except DoesNotHoldError as failure:
        return FileVerdict(False, str(failure), lines=(*lines, str(failure)))


def _kind_of_plan(saved: PlanFile) -> str:
    """The key of the checker; without a plan that of a sequence, which checks the proof and the claims."""
    if isinstance(saved.plan, Mapping):
        kind = str(saved.plan.get("kind"))
        return kind if kind in _CHECKERS and kind != "sequence" else "conditional"
    return "sequence" if saved.plan is None or saved.objective == "worst" else "conditional"


def _check_plan(
    follow: Callable[[Any, PlanFile], _Followed],
    problem: Any,
    saved: PlanFile,
    lines: list[str],
    hints: _Hints,
    tick: _Tick,
) -> FileVerdict:
    """Check plan, proof and claims; adds a line for each that holds."""
    _check_status(saved)
    cost: Cost | None = saved.cost  # of the plan, once it is known
    exact = bound = None
    if saved.plan is not None:
        cost, exact, line = follow(problem, saved)
        lines.append(line)
    if saved.proof is not None:
        bound, line = _check_proof(problem, saved, cost, exact, hints, tick)
        lines.append(line)
    _check_claims(saved, cost)
    if saved.proof is None and saved.plan is not None:
        lines += _unproved(saved, cost)
    return FileVerdict(True, "", lines=tuple(lines), cost=None if saved.plan is None else cost, bound=bound)


def _check_status(saved: PlanFile) -> None:
    """Check that the status is known, and that there is a plan if and only if it says so."""
    known = [status.value for status in Status]
    if saved.status not in known:
        raise contradiction(f"its status is {saved.status!r:.40}, which is none of {', '.join(known)}")
    construction = saved.proof is not None and saved.proof.get("kind") == "construction"
    if saved.plan is not None and saved.status != "solved":
        raise contradiction(f"it has a plan, but says {saved.status}")
    if saved.plan is None and saved.status == "solved" and not construction:
        raise _proof_fails("the file says solved, but has no plan")


def _check_claims(saved: PlanFile, cost: Cost | None) -> None:
    """Check that `cost`, `lower_bound` and `optimal` agree with the status, the plan and each other.

    `cost` is what the plan costs: infinite if it keeps trying, None if there is none or nothing can be said.
    """
    if saved.status != "solved":
        if saved.cost is not None and saved.cost != math.inf:
            raise contradiction(f"it says {saved.status}, but gives a cost of {saved.cost}")
        if saved.optimal:
            raise contradiction(f"it says optimal, but its status is {saved.status}")
        return
    bound = _claimed_bound(saved, cost)
    if cost is not None and bound is not None and bound > cost:
        raise contradiction(f"no plan is said to cost less than {saved.lower_bound}, but this one costs {cost}")
    if saved.optimal and (cost is None or bound != (None if cost == math.inf else cost)):
        at_most = "an unknown cost" if cost is None else f"a cost of {number_text(cost)}"
        least = "no lower bound" if bound is None else f"a lower bound of {saved.lower_bound}"
        raise contradiction(f"it says optimal, but has {at_most} and {least}")


def _claimed_bound(saved: PlanFile, cost: Cost | None) -> Cost | None:
    """The lower bound in a file; if it is the expected cost rounded to a float, the exact expected cost."""
    bound = saved.lower_bound
    with suppress(OverflowError):
        if saved.objective == "expected" and isinstance(bound, float) and cost is not None and bound == float(cost):
            return cost
    return bound


def _unproved(saved: PlanFile, cost: Cost | None) -> Iterable[str]:
    """Return the claims of the file about other plans for which it has no proof."""
    if saved.lower_bound:
        less = "on average " if saved.objective == "expected" else ""
        yield f"that no plan costs less than {number_text(_claimed_bound(saved, cost))} {less}is claimed, not proved"
    elif saved.optimal and cost == math.inf:
        yield "that no plan is sure to win within a certain number of actions is claimed, not proved"


def _follow_sequence(problem: Any, saved: PlanFile) -> _Followed:
    written: Any = saved.plan
    try:
        found = check_sequence_file(problem, written, saved.cost)
    except InvalidPlanError as error:  # an action that does not apply, as in a conditional plan
        raise _plan_fails(str(error)) from None
    if not found.holds:
        raise _plan_fails(found.complaint)
    win = "wins" if found.steps == 1 else "win"
    starts, price = problem.describe_starts(found.starts), _price(found.cost, found.exact_cost)
    line = f"the plan holds: {plural(found.steps, 'action')} {win} from {starts}, cost {price}"
    return found.cost, found.exact_cost, line


def _plan_fails(complaint: str) -> DoesNotHoldError:
    return DoesNotHoldError(f"the plan does not hold: {complaint}")


def _price(cost: Cost, exact: Cost) -> str:
    """A cost as a float, with its rounding error if that is not the nearest float."""
    return (
        str(cost)
        if cost in (exact, shown(exact, floats=True))
        else f"{cost} (within {error_text(abs(Fraction(exact) - Fraction(cost)))})"
    )


def _follow_conditional(problem: Any, saved: PlanFile) -> _Followed:
    """Check a conditional plan, or a sequence by its expected cost."""
    from ..plans.node_plans import WrittenPlan
    from .conditional import check_node_plan, readable

    plan: Any = saved.plan
    try:
        found = check_node_plan(problem, WrittenPlan(readable(problem), plan), saved.cost, saved.objective)
    except DoesNotHoldError as error:
        raise _plan_fails(str(error)) from None
    if not found.holds:
        raise _plan_fails(found.complaint)
    if (isinstance(plan, Mapping) and bool(plan.get("cyclic"))) != found.cyclic:
        never = "" if found.cyclic else "not "
        raise _plan_fails(f"it is {never}cyclic, and the file says otherwise")
    starts = problem.describe_starts(found.starts)
    if found.cyclic:
        text = f"it keeps trying, and from every state it meets from {starts} the goal can still be reached"
        return math.inf, None, f"the plan holds: {text}"
    expected = "" if found.expected_cost is None else f", {number_text(found.expected_cost)} in the mean"
    price = _price(found.cost, found.exact_cost)
    text = f"the plan holds: {plural(found.steps, 'step')} win from {starts}, cost {price} at the most{expected}"
    if saved.objective == "worst":
        return found.cost, found.exact_cost, text
    return found.expected_cost, None, text


def _check_proof(
    problem: Any, saved: PlanFile, cost: Cost | None, exact: Cost | None, hints: _Hints, tick: _Tick
) -> tuple[Cost, str]:
    """The bound that the proof establishes, and the line about it, once it fits the file's claims."""
    from .proof import check_proof, objective_of, rules_out_trying

    assert saved.proof is not None
    try:
        bound = check_proof(problem, saved.proof, tick, lambda *asked: hints().proof_table(*asked))
    except InvalidProofError as error:
        raise _proof_fails(str(error)) from None
    # A cyclic plan is the best one only if no other is sure to win.
    only_cyclic = saved.optimal and cost == math.inf
    claimed = math.inf if saved.status == "unsolvable" or only_cyclic else _claimed_bound(saved, cost) or 0
    if bound < claimed and not (exact is not None and claimed == cost and bound >= exact):  # which was rounded up
        there = "that there is no plan" if claimed == math.inf else f"a bound of {claimed}"
        raise _proof_fails(f"it proves that no plan costs less than {bound}, not {there}")
    means = proof_text(saved.proof)
    about = {"worst": "the worst case", "expected": "the expected cost"}
    objective = objective_of(saved.proof)
    if saved.status != "unsolvable" and saved.objective != objective:
        raise _proof_fails(f"it is about {about[objective]}, but the file is about {about[saved.objective]}")
    if bound == math.inf and not rules_out_trying(problem, saved.proof):
        if saved.status == "unsolvable":
            raise _proof_fails("the player might still win by a plan that keeps trying")
        return bound, f"the proof holds: no plan is sure to win within a certain number of actions; it is {means}"
    if bound == math.inf:
        if saved.status == "solved":
            raise _proof_fails("it proves that there is no plan, but the file says solved")
        return bound, f"the proof holds: there is no plan; it is {means}"
    if saved.status == "solved" and saved.plan is None and saved.proof["kind"] == "construction":
        if saved.cost != bound:
            raise _proof_fails(f"the shortest plan costs {bound}, not {saved.cost}")
        length = length_text(bound) if isinstance(bound, int) else str(bound)
        return bound, f"the proof holds: the shortest plan takes {length} actions; it is {means}"
    if exact is not None and exact < bound:
        raise _proof_fails(f"by it no plan costs less than {bound}, but this one costs {exact}")
    if saved.optimal and exact is not None and cost != exact > bound:
        # The rounded sums are equal, but not what they stand for.
        gap = Fraction(exact) - Fraction(bound)
        if gap > _COSTS_MISS * Fraction(exact):
            raise _proof_fails(f"it proves a bound of {bound}, and the plan costs {exact}")
        near = f"so the plan is the cheapest within {error_text(gap)}, since costs were rounded"
        return bound, f"the proof holds: no plan costs less than {number_text(bound)}, {near}; it is {means}"
    less = f"{number_text(bound)} on average" if objective == "expected" else f"{shown(bound)}"
    return bound, f"the proof holds: no plan costs less than {less}; it is {means}"


def _proof_fails(complaint: str) -> DoesNotHoldError:
    return DoesNotHoldError(f"the proof does not hold: {complaint}")


def _check_policy(problem: Any, saved: PlanFile, lines: list[str], hints: _Hints, tick: _Tick) -> FileVerdict:
    from .policy import check_policy_file

    if saved.status != "solved":
        raise contradiction(f"it has a policy, but says {saved.status}")
    refuse_claims(saved, "policy")
    written: Any = saved.plan
    found = check_policy_file(problem, written, saved.value, hints(), tick)
    if not found.holds:
        raise DoesNotHoldError(f"the policy does not hold: {found.complaint}")
    telling = telling_of(problem)
    states, value = plural(found.states, "state"), value_text(telling.value(found.value))
    worth, more = ("costs", "costs less") if telling.costs else ("is worth", "attains more")
    if telling.name:
        worth, more = f"has the {telling.name}", "attains less" if telling.costs else more
    how = f"within {error_text(found.error)}" if found.error else "exactly"
    proved = f"proved for {states} that its actions attain that and no policy {more}"
    line = f"the policy holds: the game {worth} {value}, {how}; {proved}"
    lines += (line, *answer_lines(problem, saved, found.value, found.value))
    return FileVerdict(True, "", lines=tuple(lines), value=found.value)


def _check_policy_graph(problem: Any, saved: PlanFile, lines: list[str], hints: _Hints, tick: _Tick) -> FileVerdict:
    from .policy_graph import check_policy_graph_file

    return check_policy_graph_file(problem, saved, lines, hints(), tick)


def _check_region(problem: Any, saved: PlanFile, lines: list[str], hints: _Hints, tick: _Tick) -> FileVerdict:
    from .region import check_region

    refuse_claims(saved, "region", "cost lower_bound upper_bound optimal proof value")
    if is_stochastic(problem):
        raise contradiction(f"a region is about winning with the objective {ALMOST_SURE}, which it lacks")
    if problem.has_adversary():
        raise DoesNotHoldError("the region does not hold: an adversary can keep a player from winning by safe actions")
    written: Any = saved.plan
    try:
        beliefs, has_start = check_region(problem, written, tick)
    except DoesNotHoldError as error:
        raise DoesNotHoldError(f"the region does not hold: {error}") from None
    if has_start != (saved.status == "solved"):
        never = "" if has_start else "not "
        raise contradiction(f"the start is {never}in the region, but it says {saved.status}")
    begin = "the start is one of them" if has_start else "the start is none of them"
    lines.append(f"the region holds: its safe actions win almost surely from {plural(beliefs, 'belief')}; {begin}")
    lines.append("that nobody wins so from other beliefs, or after other actions, is claimed, not proved")
    return FileVerdict(True, "", lines=tuple(lines))


_CHECKERS: Mapping[str, tuple[str, Callable[[Any, PlanFile, list[str], _Hints, _Tick], FileVerdict]]] = {
    "sequence": ("check a plan", partial(_check_plan, _follow_sequence)),
    "conditional": ("check a plan", partial(_check_plan, _follow_conditional)),
    "policy": ("check a policy", _check_policy),
    SETTLED: ("check an answer", check_settled),
    "policy-graph": ("check a policy graph", _check_policy_graph),
    REGION: ("find a winning region", _check_region),
}
"""By the kind of the plan in a file: the capability its problem must have (see `kinds.py`), and the checker."""
