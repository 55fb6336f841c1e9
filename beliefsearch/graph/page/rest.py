"""What the game still costs, at the worst, from every node of a graph that has been walked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...model.problem import Cost
from ...solvers.and_or.graph import AndOrGraph
from ...views.and_or import AndOrProblem, Outcomes
from .layers import Layers


def costs_to_win(found: Layers, is_goal: Callable[[Any], bool], cost: Callable[[Any, Any], Cost]) -> dict[Any, Cost]:
    """By node of a complete graph from which a plan is sure to win: the least worst-case cost.

    Linear in the edges, but for the order of the nodes by cost.
    """
    problem = _Walked(found, is_goal, cost)
    _, least = AndOrGraph(problem, range(len(found.nodes))).least_costs()
    return {found.nodes[number]: cost for number, cost in least.items()}


class _Walked(AndOrProblem[int, Any]):
    """A graph that has been walked, as an AND-OR problem on the numbers of its nodes."""

    def __init__(self, found: Layers, is_goal: Callable[[Any], bool], cost: Callable[[Any, Any], Cost]) -> None:
        self._nodes, self._is_goal, self._cost = found.nodes, is_goal, cost
        self._outcomes: list[dict[Any, list[tuple[Any, int]]]] = [{} for _ in found.nodes]
        for number, step, target in found.edges:
            self._outcomes[number].setdefault(step.action, []).append((step.percept, target))

    def initial_node(self) -> int:
        return 0

    def is_goal(self, node: int) -> bool:
        return self._is_goal(self._nodes[node])

    def actions(self, node: int) -> Iterable[Any]:
        return self._outcomes[node]

    def outcomes(self, node: int, action: Any) -> Outcomes[int]:
        return tuple(self._outcomes[node][action])

    def action_cost(self, node: int, action: Any) -> Cost:
        return self._cost(self._nodes[node], action)

    def has_unit_costs(self) -> bool:
        return False
