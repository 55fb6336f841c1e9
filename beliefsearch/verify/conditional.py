"""The verdict on a conditional plan, which is followed through all that may happen.

Whatever happens, the player comes to an end of the plan, and only with a belief that lies in a goal set; or, if the
plan keeps trying, an end can still be reached from everywhere on it, in every state that is possible there, so that it
is reached with certainty where results come by chance (strong cyclic planning: A. Cimatti, M. Pistore, M. Roveri and
P. Traverso, Artificial Intelligence 147, 2003). Against an adversary that is no win.

The plan is followed by `plans.courses`, which need not be trusted: `check_plan` of `checker` checks the table that
comes of that, and here it is compared with the plan node by node.
Where the starts are too many to be listed, the plan is followed block by block (`conditional_factored`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from ..errors import DoesNotHoldError, InvalidPlanError
from ..model.base import Cost
from ..model.factor import Factor
from ..model.hooks import FactoredHook, blocks_of
from ..model.values import whole
from ..plans.courses import Course, follow, plan_table
from ..plans.node_plans import NodePlan
from ..plans.partial_courses import PartialCourse, rules_of
from ..plans.wording import is_said_to_be, shown_cost
from .asked_game import PlayedGame
from .checker import Number, UnreadableError, WrongError, check_plan, number, require
from .verdict import PlanVerdict

# Up to so many starts are listed, and the whole belief is followed.
_FEW_STARTS = 2_000
# So many pairs of a node and a state are followed before partial states are.
_MANY_PLACES = 5_000


class _TooManyError(Exception):
    pass


def check_node_plan(problem: Any, plan: NodePlan, claimed: Cost | None = None, objective: str = "worst") -> PlanVerdict:
    """Follow a plan from every possible start through every possible result and percept.

    Raises `InvalidPlanError` if an action does not apply where it stands, or a percept may come for which there is no
    branch. `claimed` is what it is said to cost, None if nothing is said. Time is linear in the members of the beliefs
    at each node, each with its results; a plan may share nodes between beliefs, so that these are more than its nodes.
    """
    if objective not in ("worst", "expected"):
        raise InvalidPlanError(f"the objective {objective!r:.40} is neither 'worst' nor 'expected'")
    blocks = many_blocks_of(problem)
    found = _followed_soon(problem, plan) if blocks is None else _followed_by_blocks(problem, blocks, plan)
    paid = found.exact_cost if objective == "worst" else found.expected_cost
    if not found.holds or claimed is None or (paid is not None and is_said_to_be(claimed, paid)):
        return found
    costs = found.cost if objective == "worst" else paid
    says = "its expected cost is unknown" if paid is None else f"costs {costs}"
    return evolve(found, holds=False, complaint=f"the plan wins, but {says}, not {claimed} as the file says")


def _followed_soon(problem: Any, plan: NodePlan) -> PlanVerdict:
    """Follow the plan from state to state; if these are very many, and there are rules, by partial states."""
    rules = rules_of(problem)
    if rules is None:
        return _followed(problem, plan)
    try:
        return _followed(problem, plan, _MANY_PLACES)
    except _TooManyError:
        from .conditional_partial import check_course

        course = PartialCourse(problem, rules, plan)
    try:
        complaint, exact = check_course(problem, rules, course)
    except WrongError as error:
        raise DoesNotHoldError(str(error)) from None
    cost = shown_cost(problem, exact)
    return PlanVerdict(not complaint, complaint, len(course.steps), 1, cost, None, cost == math.inf, 1, exact)


def _followed(problem: Any, plan: NodePlan, most_places: float = math.inf) -> PlanVerdict:
    left = most_places

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooManyError

    game = PlayedGame(problem)
    course = follow(game, plan, count)
    exact: Number = math.inf
    expected: Cost | None = None
    complaint = course.complaint
    if not complaint:
        table, places = plan_table(game, course.beliefs, course.options)
        complaint = _circle(game, course, table.get("ranks", ()))
        try:
            claim = None if complaint else check_plan(game, table)
            _require_same(game, plan, table, [course.nodes[place] for place in places])
        except (WrongError, UnreadableError) as error:
            raise DoesNotHoldError(game.named(error)) from None
        if claim is not None and claim.value is not None:
            exact = number(table["nodes"][table["root"]][2], "its cost")
            expected = whole(claim.value) if claim.about == "mean" else None
        elif not complaint and problem.has_adversary():
            complaint = "the plan keeps trying, and an adversary can make it do so for ever"
    cost = shown_cost(problem, exact)
    steps = len({node for node, of_place in zip(course.nodes, course.options, strict=True) if of_place})
    largest = max(map(len, course.beliefs))
    is_cyclic = cost == math.inf
    return PlanVerdict(not complaint, complaint, steps, len(game.start), cost, expected, is_cyclic, largest, exact)


def _require_same(game: PlayedGame, plan: NodePlan, table: Mapping[str, Any], nodes: Sequence[int]) -> None:
    """Stop unless a table, whose nodes stand for these of a plan, begins and goes on as that does."""
    require(nodes[table["root"]] == 0, "the table does not begin as the plan does")
    for node, (members, options, _) in zip(nodes, table["nodes"], strict=True):
        require(bool(options) != plan.is_end(node), f"the table ends elsewhere than in node {node}")
        for action, *after in options:
            done = plan.action(node, map(game.named_states.met, members))
            same = game.number_of_action(done) == action and all(
                plan.follow(node, game.named_percepts.met(percept)) == nodes[k]
                for percept, k in zip(after[::2], after[1::2], strict=True)
            )
            require(same, f"the table is of another plan in node {node}")


def _circle(game: PlayedGame, course: Course, ranks: Sequence[Sequence[int | None]]) -> str:
    """A state of a node from which no end of the plan can be reached, and that has no rank; empty if there is none."""
    for node, members, known in zip(course.nodes, course.beliefs, ranks, strict=False):
        if stuck := [game.named_states.met(s) for s, rank in zip(members, known, strict=True) if rank is None]:
            state = min(map(game.named_states.words, stuck))
            return f"the plan goes round in circles: from node {node}, if the state is {state}, it never ends"
    return ""


def _followed_by_blocks(problem: Any, blocks: Sequence[Factor[Any]], plan: NodePlan) -> PlanVerdict:
    from .conditional_factored import FollowedBlocks

    followed = FollowedBlocks(problem, blocks, plan)
    exact = followed.cost()
    followed.follow_one_course()
    steps, starts, cost = len(followed.steps), problem.count_starts(), shown_cost(problem, exact)
    return PlanVerdict(True, "", steps, starts, cost, None, False, followed.largest, exact)


def many_blocks_of(problem: Any) -> Sequence[Factor[Any]] | None:
    """The blocks of a problem with percepts and more starts than are listed; None of any other."""
    blocks = blocks_of(problem)
    many = blocks is not None and isinstance(problem, FactoredHook) and problem.count_starts() > _FEW_STARTS
    return blocks if many else None


def readable(problem: Any) -> Any:
    """The problem in which the actions of a plan are looked up."""
    if (blocks := many_blocks_of(problem)) is None:
        return problem
    from .conditional_factored import AnyAction

    return AnyAction(problem, blocks)
