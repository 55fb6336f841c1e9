"""The verdict on a conditional plan: its table, as `check_plan` of `checker` checks it, is that of the plan.

Whatever happens, the player comes to an end of the plan, and only with a belief that lies in a goal set; or, if the
plan keeps trying, an end can still be reached from everywhere on it, in every state that is possible there, so that it
is reached with certainty where results come by chance (strong cyclic planning: A. Cimatti, M. Pistore, M. Roveri and
P. Traverso, Artificial Intelligence 147, 2003). Against an adversary that is no win.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import InvalidPlanError
from ..model.base import Cost
from ..model.shown import is_said_to_be, shown_cost
from ..model.values import whole
from ..plans.plan import ConditionalPlan
from .asked_game import PlayedGame
from .checker import Claim, WrongError, check_plan, number, require
from .hints.plan_tables import PlanTable, followed_plan, plan_table
from .plan_reader import GivenPlan, NodePlan, WrittenPlan
from .verdict import PlanVerdict


def check_conditional_plan(
    problem: Any,
    plan: ConditionalPlan[Any, Any],
    *,
    claimed_cost: Cost | None = None,
    objective: str = "worst",
) -> PlanVerdict:
    """Follow `plan` from every possible start through every possible result and percept.

    Raises `InvalidPlanError` if an action does not apply where it stands, or a percept may come for which there is no
    branch. `claimed_cost` is what it is said to cost, None if nothing is said. Time is linear in the members of the
    beliefs at each node, each with its results. A plan may share nodes between beliefs in such a way that these are
    more than its nodes.
    """
    return _verdict(problem, GivenPlan(plan), claimed_cost, objective)


def check_conditional_plan_file(
    problem: Any, written: Mapping[str, Any] | Iterable[Any], *, claimed_cost: Cost | None, objective: str
) -> PlanVerdict:
    """`check_conditional_plan` for a plan in a plan file, whose branches are labelled with percepts as JSON.

    It may be a list of actions, too, which ignores percepts.
    """
    return _verdict(problem, WrittenPlan(problem, written), claimed_cost, objective)


def check_node_plan(problem: Any, plan: NodePlan) -> PlanVerdict:
    """`check_conditional_plan` for a plan of any form."""
    return _verdict(problem, plan, None, "worst")


def read_conditional_plan(problem: Any, written: Mapping[str, Any]) -> ConditionalPlan[Any, Any]:
    """The plan in a plan file, without unreachable nodes; raises as `check_conditional_plan_file` does."""
    return read_node_plan(problem, WrittenPlan(problem, written))


def read_node_plan(problem: Any, plan: NodePlan) -> ConditionalPlan[Any, Any]:
    """The same plan without unreachable nodes; raises as `check_node_plan` does."""
    game = PlayedGame(problem)
    return followed_plan(game, plan_table(game, plan))


def _verdict(problem: Any, plan: NodePlan, claimed: Cost | None, objective: str) -> PlanVerdict:
    if objective not in ("worst", "expected"):
        raise InvalidPlanError(f"the objective {objective!r:.40} is neither 'worst' nor 'expected'")
    game = PlayedGame(problem)
    made = plan_table(game, plan)
    complaint = made.complaint
    exact: Cost = math.inf
    expected: Cost | None = None
    if not complaint:
        try:
            _require_same(game, plan, made)
            claim = check_plan(game, made.table)
        except WrongError as error:
            complaint = game.named(error)
        else:
            exact, expected = _costs(made, claim)
            if claim.value is None and problem.has_adversary():
                complaint = "the plan keeps trying, and an adversary can make it do so for ever"
    cost = shown_cost(problem, exact)
    found = exact if objective == "worst" else expected
    if not complaint and claimed is not None and (found is None or not is_said_to_be(claimed, found)):
        says = "its expected cost is unknown" if found is None else f"costs {cost if found is exact else found}"
        complaint = f"the plan wins, but {says}, not {claimed} as the file says"
    nodes = made.table["nodes"]
    return PlanVerdict(
        holds=not complaint,
        complaint=complaint,
        steps=len({place for place, (_, options, _) in zip(made.at, nodes, strict=True) if options}),
        starts=len(game.start),
        cost=cost,
        exact_cost=exact,
        expected_cost=expected,
        cyclic=cost == math.inf,
        largest=max(len(members) for members, _, _ in nodes),
    )


def _require_same(game: PlayedGame, plan: NodePlan, made: PlanTable) -> None:
    """Stop unless every node of a table does what the plan does there, from its first node on."""
    nodes, at = made.table["nodes"], made.at
    require(at[made.table["root"]] == 0, "the table does not begin where the plan does")
    for j, (_, options, _) in enumerate(nodes):
        require(plan.is_end(at[j]) != bool(options), f"node {j} of the table is no such node of the plan")
        for action, *branches in options:
            require(plan.does(at[j], game.named_actions.met(action)), f"node {at[j]}: action {action} is another one")
            for percept, k in zip(branches[::2], branches[1::2], strict=True):
                same = plan.follow(at[j], game.named_percepts.met(percept)) == at[k]
                require(same, f"node {at[j]}: percept {percept} leads elsewhere")


def _costs(made: PlanTable, claim: Claim) -> tuple[Cost, Cost | None]:
    """The cost of a checked table in the worst case, and in the mean if it says that, too."""
    if claim.value is None:
        return math.inf, None
    worst = number(made.table["nodes"][made.table["root"]][2], "a value")
    return worst, whole(claim.value) if claim.about == "mean" else None
