"""The checker of conditional plans: follows every start, every result and every percept, by the definition.

It stands on `problem.py`, `belief.py` and `encoding.py`, like `verify.py`, and makes no use of symmetry.
What is followed are *situations*: a node of the plan together with the belief the player has on arriving there.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, TypeAlias

from attrs import field, frozen

from ..errors import InvalidPlanError
from ..model.belief import Belief, initial_belief, initial_states, is_goal_belief, perceived, successors
from ..model.checked import checked_cost
from ..model.problem import Action, BeliefProblem, State
from ..model.values import exactly
from ..plans.encoding import ActionReader, encode_percept
from ..plans.plan import ConditionalPlan, PlanNode

if TYPE_CHECKING:
    from ..model.problem import Cost

__all__ = [
    "ConditionalVerification",
    "PlanFailsError",
    "check_conditional_plan",
    "check_conditional_plan_file",
    "read_conditional_plan",
]

Situation: TypeAlias = tuple[int, Belief[State]]


class PlanFailsError(InvalidPlanError):
    """A plan can be read, but not be followed to its ends."""


@frozen
class ConditionalVerification:
    """What following a conditional plan showed.

    Attributes
    ----------
    holds
        Whether the plan wins from every possible start, at the cost it claims.
    complaint
        If not: what goes wrong first.
    steps
        Nodes of the plan that were come to and have an action.
    starts
        Possible initial states.
    cost
        The most that may be paid; infinite if the plan may keep trying for ever so long.
    expected_cost
        The mean over the possible starts, each as likely as the others; None if something else is uncertain too.
    cyclic
        Whether the plan keeps trying: then it holds if from everywhere on it an end can still be reached.
    largest
        Members of the largest belief on the way.
    exact_cost
        `cost` without rounding, where some costs are floats, whose sum loses digits.
    """

    holds: bool
    complaint: str
    steps: int
    starts: int
    cost: Cost
    expected_cost: Cost | None
    cyclic: bool
    largest: int
    exact_cost: Cost = field(default=math.inf, eq=False)


def check_conditional_plan(
    problem: BeliefProblem[State, Action, Any],
    plan: ConditionalPlan[Action, Any],
    *,
    claimed_cost: Cost | None = None,
    objective: str = "worst",
) -> ConditionalVerification:
    """Follow `plan` from every possible start through every possible result and percept.

    Parameters
    ----------
    problem
        A belief problem.
    plan
        The plan.
    claimed_cost
        What it is said to cost; None if nothing is said.
    objective
        Which cost is meant: "worst" or "expected".

    Raises
    ------
    InvalidPlanError
        If an action does not apply where it stands, or a percept may come for which there is no branch.
    ProblemError
        If the problem breaks its contract.

    Notes
    -----
    Time is linear in the members of the situations, each with its results. A plan may share nodes between beliefs
    in such a way that there are more situations than nodes.
    """
    return _Check(problem, _GivenPlan(plan)).run(claimed_cost, objective)


def check_conditional_plan_file(
    problem: BeliefProblem[State, Action, Any],
    written: Mapping[str, Any],
    *,
    claimed_cost: Cost | None,
    objective: str,
) -> ConditionalVerification:
    """`check_conditional_plan` for a plan as it stands in a plan file; the file's branches go by percepts as JSON.

    Raises
    ------
    InvalidPlanError
        If it is not written as a conditional plan is, besides what `check_conditional_plan` raises.
    """
    return _Check(problem, _WrittenPlan(problem, written)).run(claimed_cost, objective)


def read_conditional_plan(
    problem: BeliefProblem[State, Action, Any], written: Mapping[str, Any]
) -> ConditionalPlan[Action, Any]:
    """The plan that stands in a plan file, without nodes that nothing leads to.

    Raises
    ------
    InvalidPlanError
        As `check_conditional_plan_file` does.
    """
    check = _Check(problem, _WrittenPlan(problem, written))
    check.run(None, "worst")
    return check.as_plan()


class _Plan(ABC, Generic[State, Action]):
    """A plan as the check needs it, read from a file or not."""

    @abstractmethod
    def is_end(self, node: int) -> bool: ...

    @abstractmethod
    def action(self, node: int, belief: Belief[State]) -> Action: ...

    @abstractmethod
    def follow(self, node: int, percept: Any) -> int | None: ...


@frozen
class _GivenPlan(_Plan[Any, Action]):
    plan: ConditionalPlan[Action, Any]

    def is_end(self, node: int) -> bool:
        return self.plan.nodes[node].is_end

    def action(self, node: int, belief: Belief[Any]) -> Action:
        return self.plan.nodes[node].action  # type: ignore[return-value]  # None at ends only

    def follow(self, node: int, percept: Any) -> int | None:
        return self.plan.nodes[node].target_of.get(percept)


class _WrittenPlan(_Plan[State, Action]):
    def __init__(self, problem: BeliefProblem[State, Action, Any], written: Mapping[str, Any]) -> None:
        self._problem = problem
        self._reader = ActionReader(problem)
        if written.get("kind") != "conditional":
            raise InvalidPlanError(f"its plan is of kind {written.get('kind')!r:.40}, not 'conditional'")
        nodes = written.get("nodes")
        if not isinstance(nodes, list) or not nodes or not all(isinstance(node, dict) for node in nodes):
            raise InvalidPlanError("its field 'plan' should have a list 'nodes' of objects, at least one")
        self._nodes: list[dict[str, Any]] = nodes
        self._targets = [self._read_branches(number, node) for number, node in enumerate(nodes)]

    def _read_branches(self, number: int, node: dict[str, Any]) -> dict[str, int]:
        branches = node.get("branches", [])
        if "action" not in node and branches:
            raise InvalidPlanError(f"node {number} has branches, but no action")
        if "action" in node and not branches:
            raise InvalidPlanError(f"node {number} has an action, but no branches")
        targets: dict[str, int] = {}
        for branch in branches if isinstance(branches, list) else [None]:
            if not isinstance(branch, dict) or "percept" not in branch:
                raise InvalidPlanError(f"node {number} should have branches such as {{'percept': ..., 'node': 1}}")
            target = branch.get("node")
            if not isinstance(target, int) or isinstance(target, bool):
                raise InvalidPlanError(f"node {number} should have branches such as {{'percept': ..., 'node': 1}}")
            if not 0 <= target < len(self._nodes):
                raise InvalidPlanError(f"node {number} has a branch to node {target}, and there is none")
            key = json.dumps(branch["percept"])
            if key in targets:
                raise InvalidPlanError(f"node {number} has two branches for the percept {key}")
            targets[key] = target
        return targets

    def is_end(self, node: int) -> bool:
        return not self._targets[node]

    def action(self, node: int, belief: Belief[State]) -> Action:
        try:
            return self._reader.read(self._nodes[node]["action"], belief)
        except InvalidPlanError as error:
            raise PlanFailsError(f"node {node}: {error} that applies here") from None

    def follow(self, node: int, percept: Any) -> int | None:
        return self._targets[node].get(json.dumps(encode_percept(self._problem, percept)))


class _Check(Generic[State, Action]):
    """The situations that can come up, found breadth-first, and how they hang together."""

    def __init__(self, problem: BeliefProblem[State, Action, Any], plan: _Plan[State, Action]) -> None:
        self._problem = problem
        self._plan = plan
        self._situations: list[Situation[State]] = [(0, initial_belief(problem))]
        self._number_of = {self._situations[0]: 0}
        self._costs: list[Cost] = []
        self._children: list[tuple[int, ...]] = []
        # By situation and state: what may follow, as pairs of a situation and a state. For chance and for circles.
        self._moves: list[dict[State, list[tuple[int, State]]]] = []
        self._percepts: dict[int, dict[Any, int]] = {}  # by situation: what may be perceived, and what follows

    def run(self, claimed_cost: Cost | None, objective: str) -> ConditionalVerification:
        if objective not in ("worst", "expected"):
            raise InvalidPlanError(f"the objective {objective!r:.40} is neither 'worst' nor 'expected'")
        wrong = ""
        for number, (node, belief) in enumerate(self._situations):  # grows while it is walked
            if self._plan.is_end(node):
                self._add(0, {})
                if not wrong and not is_goal_belief(self._problem, belief):
                    example = min(map(self._problem.format_state, belief))
                    more = f" or {len(belief) - 1} others" if len(belief) > 1 else ""
                    wrong = f"the plan ends in node {node}, where the state may be {example}{more}, which is not won"
                continue
            self._follow(number, node, belief)
        if wrong:
            return self._verdict(wrong, math.inf, math.inf, None)
        exact = self._worst_cost(list(map(exactly, self._costs)))
        cyclic = exact == math.inf
        cost = self._worst_cost(self._costs)
        if cost == math.inf:  # or more than floats can say
            cost = exact
        expected = None if cyclic else self._expected_cost()
        complaint = self._circle() if cyclic else ""
        if cyclic and not complaint and self._problem.has_adversary():
            complaint = "the plan keeps trying, and an adversary can make it do so for ever"
        found = cost if objective == "worst" else expected
        if not complaint and claimed_cost is not None and found != claimed_cost:
            says = "nothing can be said of its expected cost" if found is None else f"costs {found}"
            complaint = f"the plan wins, but {says}, not {claimed_cost} as the file says"
        return self._verdict(complaint, cost, exact, expected)

    def _verdict(self, complaint: str, cost: Cost, exact: Cost, expected: Cost | None) -> ConditionalVerification:
        return ConditionalVerification(
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
        """Do the plan's action in every state of the belief, and file what follows by percept."""
        problem, action = self._problem, self._plan.action(node, belief)
        by_percept: dict[Any, set[State]] = {}
        followed: dict[State, list[tuple[Any, State]]] = {}
        for state in belief:
            if action not in problem.actions(state):
                raise PlanFailsError(
                    f"node {node}: the action {problem.format_action(action)} does not apply "
                    f"to {problem.format_state(state)}, which is possible there"
                )
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
                raise PlanFailsError(
                    f"node {node}: after {problem.format_action(action)} the percept "
                    f"{problem.format_percept(percept)} may come, and there is no branch for it"
                )
            targets[percept] = self._situation(target, frozenset(states))
        self._percepts[number] = targets
        cost = max(checked_cost(problem, state, action) for state in belief)
        self._add(cost, {s: [(targets[percept], result) for percept, result in row] for s, row in followed.items()})

    def as_plan(self) -> ConditionalPlan[Action, Any]:
        """The plan as it was followed: a node for each of its nodes that was come to."""
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

    def _worst_cost(self, costs: list[Cost]) -> Cost:
        """The dearest way through the situations, of which each costs so much; infinite if there is a circle."""
        parents: list[list[int]] = [[] for _ in self._situations]
        missing = list(map(len, self._children))
        for number, children in enumerate(self._children):
            for child in children:
                parents[child].append(number)
        cost: dict[int, Cost] = {}
        ready = [number for number, count in enumerate(missing) if not count]
        for number in ready:  # grows while it is walked
            try:
                cost[number] = costs[number] + max((cost[child] for child in self._children[number]), default=0)
            except OverflowError:  # a whole number, and a float that it does not fit into
                cost[number] = math.inf
            for parent in parents[number]:
                missing[parent] -= 1
                if not missing[parent]:
                    ready.append(parent)
        return cost.get(0, math.inf) if len(cost) == len(self._situations) else math.inf

    def _expected_cost(self) -> Cost | None:
        """The mean of what is paid from each start; None if more than the start is uncertain."""
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
        """A state of a situation from which no end can be reached any more; nothing if there is none."""
        into: dict[tuple[int, State], list[tuple[int, State]]] = {}
        reached: dict[tuple[int, State], None] = {}
        for number, (_, belief) in enumerate(self._situations):
            if not self._moves[number]:
                reached.update(dict.fromkeys((number, state) for state in belief))
            for state, row in self._moves[number].items():
                for following in row:
                    into.setdefault(following, []).append((number, state))
        frontier = list(reached)
        for following in frontier:  # grows while it is walked
            for before in into.get(following, ()):
                if before not in reached:
                    reached[before] = None
                    frontier.append(before)
        for number, (node, belief) in enumerate(self._situations):
            for state in sorted(belief, key=self._problem.format_state):
                if (number, state) not in reached:
                    return (
                        f"the plan goes round in circles: from node {node}, if the state is "
                        f"{self._problem.format_state(state)}, it never ends"
                    )
        return ""
