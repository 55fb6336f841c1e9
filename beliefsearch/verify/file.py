"""The verdict on a whole plan file: its plan, its proof, and whatever else it claims.

What a file says of its problem is checked; that no plan costs less is said to be claimed only, if there is no proof of
it. What contradicts itself does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..errors import InvalidPlanError
from ..model.problem import Problem
from ..model.stochastic import StochasticProblem
from ..model.values import exactly
from ..plans.file import PlanFile
from ..plans.result import Status
from ..plans.wording import error_text, length_text, number_text, plural, value_text

if TYPE_CHECKING:
    from ..model.problem import Cost
    from .policy import PolicyCheck

# By this share of what it costs a plan may miss the least cost, where costs are floats.
_COSTS_MISS = Fraction(1, 10**9)

__all__ = ["FileVerdict", "check_file", "proof_text"]


@frozen
class FileVerdict:
    """What there is to say of a plan file.

    Attributes
    ----------
    holds
        Whether everything in it that can be checked does hold.
    lines
        What was found, a sentence each; if it does not hold, the last says why.
    """

    holds: bool
    lines: tuple[str, ...]


class _Fails(Exception):
    """Something does not hold; the message says what."""


def check_file(problem: Any, saved: PlanFile, tick: Callable[[], None] = lambda: None) -> FileVerdict:
    """Check the plan in a file, its proof, and that its fields do not contradict these or each other.

    Parameters
    ----------
    problem
        The problem that the file is about.
    saved
        What the file holds.
    tick
        Called now and then, to stop what takes too long.

    Raises
    ------
    InvalidPlanError
        If the file cannot be read as one for this problem.
    ProblemError
        If the problem breaks its contract.
    """
    lines: list[str] = []
    try:
        _check(problem, saved, lines, tick)
    except _Fails as failure:
        return FileVerdict(holds=False, lines=(*lines, str(failure)))
    return FileVerdict(holds=True, lines=tuple(lines))


def _check(problem: Any, saved: PlanFile, lines: list[str], tick: Callable[[], None]) -> None:
    """Add what holds to the lines, as long as all does."""
    is_policy = isinstance(saved.plan, Mapping) and saved.plan.get("kind") == "policy"
    if isinstance(problem, StochasticProblem) or is_policy:
        lines.append(_check_policy(problem, saved, tick))
        return
    _check_status(saved)
    cost: Cost | None = saved.cost  # of the plan, once it is known
    exact: Cost | None = None
    if isinstance(saved.plan, Mapping) or (saved.plan is not None and saved.objective != "worst"):
        cost, exact, line = _check_conditional(problem, saved)
        lines.append(line)
    elif saved.plan is not None:
        cost, exact, line = _check_sequence(problem, saved)
        lines.append(line)
    if saved.proof is not None:
        lines.append(_check_proof(problem, saved, cost, exact))
    _check_claims(saved, cost)
    if saved.proof is None and saved.plan is not None:
        lines += _unproved(saved, cost)


def _check_status(saved: PlanFile) -> None:
    """That the status is one, and that a plan is there if and only if it says so."""
    known = [status.value for status in Status]
    if saved.status not in known:
        raise _Fails(f"the file does not hold: its status is {saved.status!r:.40}, which is none of {', '.join(known)}")
    construction = saved.proof is not None and saved.proof.get("kind") == "construction"
    if saved.plan is not None and saved.status == "unsolvable":
        raise _Fails("the file does not hold: it has a plan, which is not that there is no plan, as it says")
    if saved.plan is not None and saved.status == "undecided":
        raise _Fails("the file does not hold: it has a plan, but says undecided")
    if saved.plan is None and saved.status == "solved" and not construction:
        raise _Fails("the proof does not hold: the file says solved, but has no plan")


def _check_claims(saved: PlanFile, cost: Cost | None) -> None:
    """That `cost`, `lower_bound` and `optimal` fit the status, the plan and each other.

    `cost` is what the plan costs: infinite if it keeps trying, None if there is none or nothing can be said.
    """
    if saved.status != "solved":
        if saved.cost is not None and saved.cost != math.inf:
            raise _Fails(f"the file does not hold: it says {saved.status}, but gives a cost of {saved.cost}")
        if saved.optimal:
            raise _Fails(f"the file does not hold: it says optimal, but its status is {saved.status}")
        return
    bound = _claimed_bound(saved, cost)
    if cost is not None and bound is not None and bound > cost:
        raise _Fails(
            f"the file does not hold: no plan is said to cost less than {saved.lower_bound}, but this one costs {cost}"
        )
    if saved.optimal and (cost is None or bound != (None if cost == math.inf else cost)):
        at_most = "an unknown cost" if cost is None else f"a cost of {number_text(cost)}"
        least = "no lower bound" if bound is None else f"a lower bound of {saved.lower_bound}"
        raise _Fails(f"the file does not hold: it says optimal, but has {at_most} and {least}")


def _claimed_bound(saved: PlanFile, cost: Cost | None) -> Cost | None:
    """The lower bound in a file; one of a mean is written as a float, and stands for the mean itself if it is that."""
    bound = saved.lower_bound
    with suppress(OverflowError):
        if saved.objective == "expected" and isinstance(bound, float) and cost is not None and bound == float(cost):
            return cost
    return bound


def _unproved(saved: PlanFile, cost: Cost | None) -> Iterable[str]:
    """What the file claims of other plans, and has no proof of."""
    if saved.lower_bound:
        less = "on average " if saved.objective == "expected" else ""
        yield f"that no plan costs less than {number_text(_claimed_bound(saved, cost))} {less}is claimed, not proved"
    elif saved.optimal and cost == math.inf:
        yield "that no plan is sure to win within a certain number of actions is claimed, not proved"


def _check_sequence(problem: Any, saved: PlanFile) -> tuple[Cost | None, Cost, str]:
    """What the plan costs, as floats are added and exactly, and what there is to say of it."""
    from .sequence import check_plan_file

    written: Any = saved.plan
    found = check_plan_file(problem, written, saved.cost)
    if not found.holds:
        raise _Fails(f"the plan does not hold: {found.complaint}")
    win = "wins" if found.steps == 1 else "win"
    price = _price(found.cost, found.exact_cost)
    line = f"the plan holds: {plural(found.steps, 'action')} {win} from {_starts(found.starts)}, cost {price}"
    return found.cost, found.exact_cost, line


def _price(cost: Cost, exact: Cost) -> str:
    """A cost as floats were added, with what that may miss."""
    return str(cost) if cost == exact else f"{cost} (within {error_text(abs(exactly(exact) - exactly(cost)))})"


def _starts(count: int) -> str:
    return "the only start" if count == 1 else f"all {count:,} starts"


def _check_conditional(problem: Any, saved: PlanFile) -> tuple[Cost | None, Cost | None, str]:
    """A plan that branches, or one whose expected cost is meant."""
    from .conditional import PlanFailsError, check_conditional_plan_file

    if isinstance(problem, Problem):
        raise _Fails("the plan does not hold: it is conditional, but nothing is perceived in this problem")
    plan = saved.plan if isinstance(saved.plan, Mapping) else _written_sequence(saved.plan or ())
    try:
        found = check_conditional_plan_file(problem, plan, claimed_cost=saved.cost, objective=saved.objective)
    except PlanFailsError as error:
        raise _Fails(f"the plan does not hold: {error}") from None
    if not found.holds:
        raise _Fails(f"the plan does not hold: {found.complaint}")
    if bool(plan.get("cyclic")) != found.cyclic:
        never = "" if found.cyclic else "not "
        raise _Fails(f"the plan does not hold: it is {never}cyclic, and the file says otherwise")
    starts = _starts(found.starts)
    if found.cyclic:
        text = f"it keeps trying, and from everywhere on the ways from {starts} the goal can be reached"
        return math.inf, None, f"the plan holds: {text}"
    expected = "" if found.expected_cost is None else f", {number_text(found.expected_cost)} in the mean"
    price = _price(found.cost, found.exact_cost)
    text = f"the plan holds: {plural(found.steps, 'step')} win from {starts}, cost {price} at the most{expected}"
    if saved.objective == "worst":
        return found.cost, found.exact_cost, text
    return found.expected_cost, None, text


def _written_sequence(actions: Iterable[Any]) -> dict[str, Any]:
    """A plan that is a list of actions, as it stands in a file, written like one that branches."""
    steps: list[dict[str, Any]] = [
        {"action": action, "branches": [{"percept": None, "node": number}]} for number, action in enumerate(actions, 1)
    ]
    return {"kind": "conditional", "nodes": [*steps, {}]}


def _check_proof(problem: Any, saved: PlanFile, cost: Cost | None, exact: Cost | None) -> str:
    """What the proof proves, if that is what the file claims of a plan of this cost, infinite if it is cyclic."""
    from .proof import InvalidProofError, check_proof, rules_out_trying

    assert saved.proof is not None
    try:
        bound = check_proof(problem, saved.proof)
    except InvalidProofError as error:
        raise _Fails(f"the proof does not hold: {error}") from None
    # A cyclic plan is the best one only if no other is sure to win.
    only_cyclic = saved.optimal and cost == math.inf
    claimed = math.inf if saved.status == "unsolvable" or only_cyclic else saved.lower_bound or 0
    if bound < claimed:
        there = "that there is no plan" if claimed == math.inf else f"a bound of {claimed}"
        raise _Fails(f"the proof does not hold: it proves that no plan costs less than {bound}, not {there}")
    means = proof_text(saved.proof)
    if saved.status != "unsolvable" and saved.objective == "expected":
        raise _Fails("the proof does not hold: it is about the worst case, and the file about the expected cost")
    if bound == math.inf and not rules_out_trying(problem, saved.proof["kind"]):
        if saved.status == "unsolvable":
            raise _Fails("the proof does not hold: by keeping on trying the player might win all the same")
        return f"the proof holds: no plan is sure to win within a certain number of actions; it is {means}"
    if bound == math.inf:
        if saved.status == "solved":
            raise _Fails("the proof does not hold: it proves that there is no plan, but the file says solved")
        return f"the proof holds: there is no plan; it is {means}"
    if saved.plan is None and saved.proof["kind"] == "construction":
        if saved.cost != bound:
            raise _Fails(f"the proof does not hold: the shortest plan costs {bound}, not {saved.cost}")
        length = length_text(bound) if isinstance(bound, int) else str(bound)
        return f"the proof holds: the shortest plan takes {length} actions; it is {means}"
    if exact is not None and exact < bound:
        raise _Fails(f"the proof does not hold: by it no plan costs less than {bound}, and this one costs {exact}")
    if saved.optimal and exact is not None and cost != exact > bound:
        # The rounded sums are equal, but not what they stand for.
        gap = exactly(exact) - exactly(bound)
        if gap > _COSTS_MISS * exactly(exact):
            raise _Fails(f"the proof does not hold: it proves a bound of {bound}, and the plan costs {exact}")
        near = f"so the plan is the cheapest within {error_text(gap)}, since costs were rounded"
        return f"the proof holds: no plan costs less than {number_text(bound)}, {near}; it is {means}"
    return f"the proof holds: no plan costs less than {bound}; it is {means}"


def proof_text(proof: Mapping[str, Any]) -> str:
    """What a proof is, in a few words."""
    kind = proof["kind"]
    if kind == "trap":
        return f"a trap of {len(proof['states']):,} states, which an adversary need never let the player leave"
    if kind in ("potential", "ray"):
        what = "that no action lowers" if kind == "ray" else "that no action lowers by more than it costs"
        return f"weights of {sum(1 for weight in proof['weights'] if weight):,} states, with a sum {what}"
    if kind == "distances":
        return f"the distances of {len(proof['states']):,} states for a player who sees everything"
    if kind == "exhaustion":
        return f"a list of {len(proof['ahead']):,} beliefs ahead and {len(proof['behind']):,} sets behind"
    if kind == "capacity":
        return "by how many states the percepts of so many actions can tell apart"
    if kind == "belief-bounds":
        return f"the bounds of {len(proof['beliefs']):,} beliefs"
    if kind == "lost-beliefs":
        return f"a list of {len(proof['beliefs']):,} beliefs that are lost"
    argument = proof["evidence"].get("argument") if isinstance(proof.get("evidence"), dict) else None
    by = f", by the argument {argument!r}," if isinstance(argument, str) else ""
    return f"a closed form{by} for which the puzzle has a checker of its own"


def _check_policy(problem: Any, saved: PlanFile, tick: Callable[[], None]) -> str:
    from .policy import check_policy_file

    if not isinstance(problem, StochasticProblem):
        raise InvalidPlanError(f"it holds a policy, but {type(problem).__name__} is no stochastic problem")
    if not isinstance(saved.plan, Mapping) or saved.plan.get("kind") != "policy":
        raise InvalidPlanError("it holds no policy, which is what a stochastic problem takes")
    if saved.status != "solved":
        raise _Fails(f"the file does not hold: it has a policy, but says {saved.status}")
    for field, claim in {"cost": saved.cost, "lower_bound": saved.lower_bound, "proof": saved.proof}.items():
        if claim is not None:
            raise _Fails(f"the file does not hold: a policy has a value, and its field {field!r} means nothing")
    found = check_policy_file(problem, saved.plan, saved.value, tick)
    if not found.holds:
        raise _Fails(f"the policy does not hold: {found.complaint}")
    return _policy_text(found)


def _policy_text(found: PolicyCheck) -> str:
    states, worth = plural(found.states, "state"), f"the game is worth {value_text(found.value)}"
    how = f"within {error_text(found.error)}" if found.error else "exactly"
    return (
        f"the policy holds: {worth}, {how}; by what is proved of {states} its actions attain that, and no policy more"
    )
