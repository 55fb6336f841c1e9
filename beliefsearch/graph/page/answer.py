"""Answer on a page: the verdict, the reasons, the plan or policy to be shown, and the certificate of a small one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...errors import BeliefSearchError
from ...kinds import is_plain, is_stochastic
from ...model.hooks import Construction
from ...planner.closed_form import argued
from ...planner.options import SearchRequest
from ...plans.plan import Plan
from ...plans.plan_writer import plan_json
from ...plans.policy import Policy, PolicyGraph, PolicyResult
from ...plans.result import SearchResult, Status
from ...plans.verdict import construction_verdict, result_verdict, told_verdict, worth_text
from ...plans.wording import plural, telling_of
from ...proofs.cost_tables import lower_of_all, plan_of_listed
from ...proofs.explanations.argument import argument
from ...proofs.explanations.explain import reasons_within
from ...proofs.explanations.explanation import paragraphs
from ...proofs.game_documents import game_document, listed_game
from ...proofs.prove import prove
from ...running.limits import Budget
from .tables import MOST_STEPS, json_number


@frozen
class Told:
    """Texts about an answer."""

    text: str
    status: str
    cost: Any = None
    optimal: bool = False
    plan: Plan[Any, Any] | None = None
    policy: Policy[Any, Any] | None = None
    graph: PolicyGraph[Any, Any, Any] | None = None
    states: int = 0  # how many there are, if the answer says so

    def page_data(self) -> dict[str, Any]:
        """The answer in page data."""
        cost = None if self.cost is None else json_number(self.cost)
        return {"text": self.text, "status": self.status, "cost": cost, "optimal": self.optimal}


def told(answer: Any, problem: Any) -> Told:
    """Write the texts about an answer to a problem: a result of `solve`, or a plan or policy from elsewhere."""
    if answer is None:
        return Told("no plan was searched for", "undecided")
    if isinstance(answer, SearchResult):
        text = result_verdict(answer, plain=is_plain(problem))
        return Told(text, answer.status.value, answer.cost, answer.optimal, plan=answer.plan)
    if isinstance(answer, Construction):
        text = construction_verdict(answer)
        if answer.length is None:
            return Told(text, "unsolvable", states=answer.states)
        # Two more than are shown, so that the page says that the plan goes on, and never shows its end.
        plan = Plan.of_sequence(answer.action_at(place) for place in range(min(answer.length, MOST_STEPS + 2)))
        return Told(text, "solved", answer.length, optimal=True, plan=plan, states=answer.states)
    if isinstance(answer, PolicyGraph):
        return Told(f"a policy of {plural(len(answer), 'node')}", "solved", graph=answer)
    if isinstance(answer, Policy):
        return Told(worth_text(answer.start_value(problem), telling_of(problem)), "solved", policy=answer)
    if isinstance(answer, PolicyResult):
        text, status, value, policy = told_verdict(problem, answer), answer.status.value, answer.value, answer.policy
        if isinstance(policy, PolicyGraph):
            return Told(text, status, value, graph=policy)
        return Told(text, status, value, value is not None, policy=policy)
    plan = answer if isinstance(answer, Plan) else Plan.of_sequence(answer)
    return Told(f"a plan of {plural(plan.steps, 'action')}", "solved", plan=plan)


# The most edges of a graph for which a proof or the adversary's strategy is computed, and the most states of a policy
# that is checked.
_MOST_PROVED = _MOST_CHECKED = 20_000


def reasons(problem: Any, answer: Any, budget: Budget, edges: int | None) -> Iterator[str]:
    """The reasons for an answer; `edges` is the number of edges of the graph, None if it is not complete."""
    policy = answer.policy if isinstance(answer, PolicyResult) else answer
    small = edges is not None and edges <= _MOST_PROVED
    status = getattr(answer, "status", None)
    if (
        answer is None
        or (status is Status.UNDECIDED and not isinstance(policy, PolicyGraph))
        or (status is Status.UNSOLVABLE and not small)
    ):
        return
    if isinstance(policy, Policy) and len(policy) > _MOST_CHECKED:
        return
    with_argument = argued(problem, answer, SearchRequest())
    yield from paragraphs(problem, reasons_within(problem, with_argument, budget, whole=small))
    budget.tick()
    has_plan = isinstance(answer, SearchResult) and answer.plan is not None
    if has_plan and small and (why := argument(prove(problem, answer))):
        yield why


# The most results of a game, and the most reachable beliefs, for which a page has a certificate.
_MOST_ROWS = 20_000
_MOST_BELIEFS = 2_000
_LARGEST = 400_000  # letters


def certificate(problem: Any, answer: Any, said: Told, budget: Budget) -> dict[str, str] | None:
    """The listed game and tables that prove the answer, as texts; None if the game is large, or nothing was proved.

    They prove a least worst-case cost, or that no plan is sure to win. The reader's browser checks them with
    `verify/checker.js` and shows the result.
    """
    proved = said.optimal and said.plan is not None and said.plan.steps <= MOST_STEPS
    if is_stochastic(problem) or getattr(answer, "objective", "worst") != "worst":
        return None
    if not proved and said.status != "unsolvable":
        return None
    try:
        listed = listed_game(problem, budget.tick, most=_MOST_ROWS)
        tables = [lower_of_all(listed, budget.tick, _MOST_BELIEFS)]
        if proved and said.plan is not None:
            tables.append(plan_of_listed(listed, plan_json(said.plan, problem), budget.tick))
    except BeliefSearchError:  # too large
        return None
    head = {"format": "beliefsearch-certificate", "version": 1}
    texts = [json.dumps(data, separators=(",", ":")) for data in (game_document(listed), {**head, "tables": tables})]
    return dict(zip(("game", "tables"), texts, strict=True)) if sum(map(len, texts)) <= _LARGEST else None
