"""Conditional plans as the checker follows them, node by node, from memory or a file; and whether an action applies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ..errors import DoesNotHoldError, InvalidPlanError
from ..model.base import Action, State
from ..model.hooks import FactoredHook
from ..model.problem import BeliefProblem
from ..model.values import is_among
from .encoding import ActionReader, encode_percept
from .plan import ConditionalPlan


class NodePlan(Protocol):
    """A plan as a graph of nodes, which begins at node 0."""

    def is_end(self, node: int) -> bool:
        """Whether the plan ends at the node."""

    def follow(self, node: int, percept: Any) -> int | None:
        """The next node; None without a branch."""

    def action(self, node: int, belief: Iterable[Any]) -> Any:
        """The action of the node in a belief; raises `DoesNotHoldError` if none of that name applies."""


class GivenPlan:
    """A plan in memory."""

    def __init__(self, plan: ConditionalPlan[Any, Any]) -> None:
        self._nodes = plan.nodes

    def is_end(self, node: int) -> bool:
        return self._nodes[node].is_end

    def follow(self, node: int, percept: Any) -> int | None:
        return self._nodes[node].target_of.get(percept)

    def action(self, node: int, belief: Iterable[Any]) -> Any:
        return self._nodes[node].action


class WrittenPlan:
    """The nodes of a plan in a file; their actions and percepts are decoded when the plan reaches them.

    A list of actions is a plan whose next node is the same after every percept.
    """

    def __init__(self, problem: Any, written: Mapping[str, Any] | Iterable[Any]) -> None:
        self._problem = problem
        self._has_facts = isinstance(problem, FactoredHook) and problem.facts() is not None
        self._reader: ActionReader[Any, Any] = ActionReader(problem)
        self._targets: list[Any]
        self._nodes: list[dict[str, Any]]
        if not isinstance(written, Mapping):
            self._nodes = [*({"action": action} for action in written), {}]
            self._targets = [*range(1, len(self._nodes)), {}]
            return
        if written.get("kind") != "conditional":
            raise InvalidPlanError(f"its plan is of kind {written.get('kind')!r:.40}, not 'conditional'")
        nodes = written.get("nodes")
        if not isinstance(nodes, list) or not nodes or not all(isinstance(node, dict) for node in nodes):
            raise InvalidPlanError("its field 'plan' should have a list 'nodes' of objects, at least one")
        self._nodes = nodes
        self._targets = [self._read_branches(number, node) for number, node in enumerate(nodes)]

    def _read_branches(self, number: int, node: dict[str, Any]) -> dict[Any, int]:
        branches = node.get("branches", [])
        if "action" not in node and branches:
            raise InvalidPlanError(f"node {number} has branches, but no action")
        if "action" in node and not branches:
            raise InvalidPlanError(f"node {number} has an action, but no branches")
        targets: dict[Any, int] = {}
        for branch in branches if isinstance(branches, list) else [None]:
            if not isinstance(branch, dict) or "percept" not in branch or type(branch.get("node")) is not int:
                raise InvalidPlanError(f"node {number} should have branches such as {{'percept': ..., 'node': 1}}")
            key, target = _key(branch["percept"]), branch["node"]
            if not 0 <= target < len(self._nodes):
                raise InvalidPlanError(f"node {number} has a branch to node {target}, and there is none")
            if key in targets:
                raise InvalidPlanError(
                    f"node {number} has two branches for the percept {json.dumps(branch['percept'])}"
                )
            targets[key] = target
        return targets

    def is_end(self, node: int) -> bool:
        return not self._targets[node]

    def follow(self, node: int, percept: Any) -> int | None:
        targets = self._targets[node]
        if type(targets) is int:
            return targets
        found = targets.get(_key(encode_percept(self._problem, percept)))
        if found is None and self._has_facts:
            # Older files have the whole state where the player is told only what an action leaves open.
            fitting = {target for written, target in targets.items() if _fits(percept, written)}
            found = fitting.pop() if len(fitting) == 1 else None
        return None if found is None else int(found)

    def action(self, node: int, belief: Iterable[Any]) -> Any:
        try:
            return self._reader.read(self._nodes[node]["action"], belief)
        except InvalidPlanError as error:
            raise DoesNotHoldError(f"node {node}: {error} that applies here") from None


def _fits(told: str | None, state: Any) -> bool:
    """Whether what is told, as facts and `not` with others, agrees with the facts of a state."""
    facts = state.split(", ") if isinstance(state, str) else []
    literals = told.split(", ") if isinstance(told, str) else []
    return bool(facts) and all(
        one.removeprefix("not ") not in facts if one.startswith("not ") else one in facts for one in literals
    )


def _key(written: Any) -> Any:
    """A hashable key for a percept in a file, the same for equal percepts, such as 1 and true."""
    if isinstance(written, list):
        return tuple(map(_key, written))
    return json.dumps(written).encode() if isinstance(written, dict) else written  # no percept is written as an object


def require_applicable(
    problem: BeliefProblem[State, Action, Any],
    where: str,
    action: Action,
    states: Iterable[State],
    error: type[InvalidPlanError] = InvalidPlanError,
) -> None:
    """Raise `error` unless `action` applies in all of `states`; it says `where`, and names one such state."""
    outside = []
    last: Any = None
    applies = False
    for state in states:
        actions = problem.actions(state)
        if type(actions) is not tuple or actions is not last:  # many states share one tuple of thousands of actions
            applies = is_among(action, actions)
            last = actions
        if not applies:
            outside.append(state)
    if outside:
        raise error(inapplicable(problem, where, action, outside))


def inapplicable(
    problem: BeliefProblem[State, Action, Any], where: str, action: Action, states: Iterable[State]
) -> str:
    """The complaint that an action does not apply in some possible states; it names one of them, and what it lacks."""
    state = min(states, key=problem.format_state)
    lacks = f": {problem.missing(state, action)}" if problem.overrides("missing") else ""
    done, seen = problem.format_action(action), problem.format_state(state)
    return f"{where}: the action {done} does not apply to {seen}, which is possible there{lacks}"


def no_branch(node: int, action: str, percept: str) -> DoesNotHoldError:
    """The error of a node without a branch for what may be perceived after its action."""
    return DoesNotHoldError(
        f"node {node}: after {action} the percept {percept} may come, and there is no branch for it"
    )
