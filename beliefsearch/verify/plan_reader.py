"""A conditional plan read from a file with distrust; its branches are labelled with percepts as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Generic

from ..errors import InvalidPlanError
from ..model.base import Action, State
from ..model.belief import Belief
from ..model.problem import BeliefProblem
from ..plans.encoding import ActionReader, encode_percept
from .verdict import DoesNotHoldError


class WrittenPlan(Generic[State, Action]):
    """The nodes of a plan in a file; their actions and percepts are decoded when the plan reaches them."""

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
            raise DoesNotHoldError(f"node {node}: {error} that applies here") from None

    def follow(self, node: int, percept: Any) -> int | None:
        return self._targets[node].get(json.dumps(encode_percept(self._problem, percept)))
