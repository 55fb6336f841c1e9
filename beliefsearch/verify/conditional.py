"""The checker of conditional plans: follows every start, every result and every percept, by the definition.

What it proves: whatever happens, the player comes to an end of the plan, and only with a belief that lies in a goal
set; or, if the plan keeps trying, that an end can still be reached from everywhere on it, in every state that is
possible there, so that it is reached with certainty where results come by chance (strong cyclic planning: A. Cimatti,
M. Pistore, M. Roveri and P. Traverso, Artificial Intelligence 147, 2003). Against an adversary that is no win.
What is followed are *situations*: a node of the plan together with the belief the player has on arriving there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Any, Generic, TypeAlias

from attrs import frozen

from ..errors import InvalidPlanError
from ..model.base import Action, Cost, State
from ..model.belief import Belief, initial_belief, initial_states, is_goal_belief, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import BeliefProblem
from ..model.reachability import reaching
from ..model.shown import is_said_to_be, shown_cost
from ..plans.plan import ConditionalPlan, PlanNode
from .plan_reader import WrittenPlan
from .steps import require_applicable
from .verdict import DoesNotHoldError, PlanVerdict

Situation: TypeAlias = tuple[int, Belief[State]]


def check_conditional_plan(
    problem: BeliefProblem[State, Action, Any],
    plan: ConditionalPlan[Action, Any],
    *,
    claimed_cost: Cost | None = None,
    objective: str = "worst",
) -> PlanVerdict:
    """Follow `plan` from every possible start through every possible result and percept.

    Raises `InvalidPlanError` if an action does not apply where it stands, or a percept may come for which there is no
    branch. `claimed_cost` is what it is said to cost, None if nothing is said. Time is linear in the members of the
    situations, each with its results. A plan may share nodes between beliefs in such a way that there are more
    situations than nodes.
    """
    return _Check(problem, _GivenPlan(plan)).run(claimed_cost, objective)


def check_conditional_plan_file(
    problem: BeliefProblem[State, Action, Any],
    written: Mapping[str, Any],
    *,
    claimed_cost: Cost | None,
    objective: str,
) -> PlanVerdict:
    """`check_conditional_plan` for a plan in a plan file, whose branches are labelled with percepts as JSON."""
    return _Check(problem, WrittenPlan(problem, written)).run(claimed_cost, objective)


def read_conditional_plan(
    problem: BeliefProblem[State, Action, Any], written: Mapping[str, Any]
) -> ConditionalPlan[Action, Any]:
    """The plan in a plan file, without unreachable nodes; raises as `check_conditional_plan_file` does."""
    check = _Check(problem, WrittenPlan(problem, written))
    check.run(None, "worst")
    return check.as_plan()


@frozen
class _GivenPlan(Generic[Action]):
    """A plan as the check needs it."""

    plan: ConditionalPlan[Action, Any]

    def is_end(self, node: int) -> bool:
        return self.plan.nodes[node].is_end

    def action(self, node: int, belief: Belief[Any]) -> Action:
        return self.plan.nodes[node].action  # type: ignore[return-value]  # None at ends only

    def follow(self, node: int, percept: Any) -> int | None:
        return self.plan.nodes[node].target_of.get(percept)


class _Check(Generic[State, Action]):
    """The pairs of node and belief that can come up, found breadth-first, and what follows each."""

    def __init__(
        self, problem: BeliefProblem[State, Action, Any], plan: _GivenPlan[Action] | WrittenPlan[State, Action]
    ) -> None:
        self._problem = problem
        self._plan = plan
        self._situations: list[Situation[State]] = [(0, initial_belief(problem))]
        self._number_of = {self._situations[0]: 0}
        self._costs: list[Cost] = []
        self._children: list[tuple[int, ...]] = []
        # By situation and state: what may follow, as pairs of a situation and a state. For chance and for circles.
        self._moves: list[dict[State, list[tuple[int, State]]]] = []
        self._percepts: dict[int, dict[Any, int]] = {}  # by situation: what may be perceived, and what follows

    def run(self, claimed_cost: Cost | None, objective: str) -> PlanVerdict:
        if objective not in ("worst", "expected"):
            raise InvalidPlanError(f"the objective {objective!r:.40} is neither 'worst' nor 'expected'")
        wrong = ""
        for number, (node, belief) in enumerate(self._situations):  # grows while it is walked
            if self._plan.is_end(node):
                self._add(0, {})
                if not wrong and not is_goal_belief(self._problem, belief):
                    example = min(self._problem.format_state(state) for state in belief)
                    more = f" or {len(belief) - 1} others" if len(belief) > 1 else ""
                    wrong = f"the plan ends in node {node}, where the state may be {example}{more}, which is not won"
                continue
            self._follow(number, node, belief)
        if wrong:
            return self._verdict(wrong, math.inf, math.inf, None)
        order = self._bottom_up()
        cyclic = not order
        exact = self._worst_cost(order, self._costs)
        cost = shown_cost(self._problem, exact)
        expected = None if cyclic else self._expected_cost()
        complaint = self._circle() if cyclic else ""
        if cyclic and not complaint and self._problem.has_adversary():
            complaint = "the plan keeps trying, and an adversary can make it do so for ever"
        found = exact if objective == "worst" else expected
        if not complaint and claimed_cost is not None and (found is None or not is_said_to_be(claimed_cost, found)):
            says = "its expected cost is unknown" if found is None else f"costs {cost if found is exact else found}"
            complaint = f"the plan wins, but {says}, not {claimed_cost} as the file says"
        return self._verdict(complaint, cost, exact, expected)

    def _verdict(self, complaint: str, cost: Cost, exact: Cost, expected: Cost | None) -> PlanVerdict:
        return PlanVerdict(
            holds=not complaint,
            complaint=complaint,
            steps=len({node for node, _ in self._situations if not self._plan.is_end(node)}),
            starts=len(self._situations[0][1]),
            cost=cost,
            exact_cost=exact,
            expected_cost=expected,
            cyclic=cost == math.inf,
            largest=max(len(belief) for _, belief in self._situations),
        )

    def _add(self, cost: Cost, moves: dict[State, list[tuple[int, State]]]) -> None:
        self._costs.append(cost)
        self._moves.append(moves)
        self._children.append(tuple(dict.fromkeys(child for row in moves.values() for child, _ in row)))

    def _follow(self, number: int, node: int, belief: Belief[State]) -> None:
        """Do the plan's action in every state of the belief, and sort the results by percept."""
        problem, action = self._problem, self._plan.action(node, belief)
        by_percept: dict[Any, set[State]] = {}
        followed: dict[State, list[tuple[Any, State]]] = {}
        require_applicable(problem, f"node {node}", action, belief, DoesNotHoldError)
        for state in belief:
            followed[state] = [
                (percept, result)
                for result in dict.fromkeys(successors(problem, state, action))
                for percept in dict.fromkeys(perceived(problem, result, action))
            ]
            for percept, result in followed[state]:
                by_percept.setdefault(percept, set()).add(result)
        targets: dict[Any, int] = {}
        for percept, states in sorted(by_percept.items(), key=lambda item: problem.format_percept(item[0])):
            target = self._plan.follow(node, percept)
            if target is None:
                raise DoesNotHoldError(
                    f"node {node}: after {problem.format_action(action)} the percept "
                    f"{problem.format_percept(percept)} may come, and there is no branch for it"
                )
            targets[percept] = self._situation(target, frozenset(states))
        self._percepts[number] = targets
        cost = max(checked_cost(problem, state, action) for state in belief)
        self._add(cost, {s: [(targets[percept], result) for percept, result in row] for s, row in followed.items()})

    def as_plan(self) -> ConditionalPlan[Action, Any]:
        """The plan as it was followed: its reachable nodes."""
        number_of: dict[int, int] = {}
        actions: dict[int, Action] = {}
        branches: dict[int, dict[Any, int]] = {}
        for number, (node, belief) in enumerate(self._situations):
            number_of.setdefault(node, len(number_of))
            if number in self._percepts:
                actions.setdefault(node, self._plan.action(node, belief))
                branches.setdefault(node, {}).update(self._percepts[number])
        steps = (
            PlanNode(
                actions.get(node),
                tuple((percept, number_of[self._situations[child][0]]) for percept, child in branches[node].items())
                if node in branches
                else (),
            )
            for node in number_of
        )
        return ConditionalPlan(tuple(steps))

    def _situation(self, node: int, belief: Belief[State]) -> int:
        number = self._number_of.setdefault((node, belief), len(self._situations))
        if number == len(self._situations):
            self._situations.append((node, belief))
        return number

    def _bottom_up(self) -> list[int]:
        """The situations, each after all that may follow it; empty if there is a cycle."""
        try:
            return list(TopologicalSorter(dict(enumerate(self._children))).static_order())
        except CycleError:
            return []

    def _worst_cost(self, order: list[int], costs: list[Cost]) -> Cost:
        """The cost of the dearest path through the situations in this order; `costs` has the cost of each."""
        cost: dict[int, Cost] = {}
        for number in order:
            cost[number] = costs[number] + max((cost[child] for child in self._children[number]), default=0)
        return cost.get(0, math.inf)

    def _expected_cost(self) -> Cost | None:
        """The mean cost over the starts; None if more than the start is uncertain."""
        if any(len(row) > 1 for moves in self._moves for row in moves.values()):
            return None
        paid: Cost = 0
        starts = list(dict.fromkeys(initial_states(self._problem)))
        for start in starts:
            here, state = 0, start
            while self._moves[here]:
                action = self._plan.action(*self._situations[here])
                paid += Fraction(checked_cost(self._problem, state, action))
                here, state = self._moves[here][state][0]
        mean = Fraction(paid) / len(starts)
        return int(mean) if mean.denominator == 1 else mean

    def _circle(self) -> str:
        """A state of a situation from which no end of the plan can be reached; empty if there is none."""
        ends = [(number, s) for number, (_, b) in enumerate(self._situations) if not self._moves[number] for s in b]
        edges = (
            ((number, state), following)
            for number, moves in enumerate(self._moves)
            for state, row in moves.items()
            for following in row
        )
        safe = reaching(ends, edges)
        for number, (node, belief) in enumerate(self._situations):
            for state in sorted(belief, key=self._problem.format_state):
                if (number, state) not in safe:
                    return (
                        f"the plan goes round in circles: from node {node}, if the state is "
                        f"{self._problem.format_state(state)}, it never ends"
                    )
        return ""
