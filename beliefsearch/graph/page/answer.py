"""What a page tells of an answer: the verdict, the reasons, and the plan or policy to be shown."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from attrs import frozen

from ...model.hooks import Construction
from ...plans.plan import Plan
from ...plans.policy import Policy, PolicyResult
from ...plans.result import SearchResult, Status
from ...plans.wording import length_text, plural, value_text
from .tables import MOST_STEPS, json_number


@frozen
class Told:
    """What is told of an answer."""

    text: str
    status: str
    cost: Any = None
    optimal: bool = False
    why: tuple[str, ...] = ()
    plan: Plan[Any, Any] | None = None
    policy: Policy[Any, Any] | None = None
    states: int = 0  # how many there are, if the answer says so

    def page_data(self) -> dict[str, Any]:
        """The answer as it stands in page data."""
        cost = None if self.cost is None else json_number(self.cost)
        return {"text": self.text, "status": self.status, "cost": cost, "optimal": self.optimal}


@singledispatch
def told(answer: Any) -> Told:
    """What is told of an answer; of a plan or policy from elsewhere not much is known."""
    plan = answer if isinstance(answer, Plan) else Plan.of_sequence(answer)
    return Told(f"a plan of {plural(plan.steps, 'action')}", "solved", plan=plan)


@told.register
def _nothing(answer: None) -> Told:
    return Told("no plan was searched for", "undecided")


@told.register
def _result(answer: SearchResult) -> Told:
    if answer.status is Status.UNSOLVABLE:
        return Told("unsolvable: it is proved that no plan is sure to win", "unsolvable")
    if answer.status is Status.UNDECIDED:
        return Told(f"undecided, {answer.reason}", "undecided")
    plan = answer.require_answer()
    best = "proved optimal" if answer.optimal else f"no plan costs less than {answer.lower_bound}"
    if plan.is_cyclic:
        text = "solved by a cyclic plan, which keeps trying"
    elif plan.is_conditional:
        text = f"solved in at most {plural(int(plan.depth), 'action')}, {best}"
    else:
        text = f"solved in {plural(len(plan), 'action')}, {best}"
    return Told(text, "solved", answer.cost, answer.optimal, plan=plan)


@told.register
def _closed_form(answer: Construction) -> Told:
    why = tuple(" ".join(part.split()) for part in answer.explanation.split("\n\n"))
    if answer.length is None:
        return Told("unsolvable, by a construction that has been checked", "unsolvable", why=why, states=answer.states)
    actions = "1 action" if answer.length == 1 else f"{length_text(answer.length)} actions"
    # Two more than are shown: whoever shows them sees that the plan goes on, and never comes to its end.
    plan = Plan.of_sequence(map(answer.action_at, range(min(answer.length, MOST_STEPS + 2))))
    text = f"solved in {actions}, proved optimal, by a checked construction"
    return Told(text, "solved", answer.length, True, why, plan, states=answer.states)


@told.register
def _policy(answer: Policy) -> Told:
    return Told("a policy", "solved", policy=answer)


@told.register
def _policy_result(answer: PolicyResult) -> Told:
    if answer.value is None:
        return Told(f"undecided, {answer.reason}", "undecided", policy=answer.policy)
    return Told(f"value {value_text(answer.value)}", "solved", answer.value, True, policy=answer.policy)
