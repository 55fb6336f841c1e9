"""Part of a problem: nodes beyond it count as won, and nodes known to be lost have no successors.

A search within bounds asks it whether it can still succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from ...model.problem import Action, Cost
from ...plans.result import SearchResult
from ...running.record import Record
from ...views.and_or import AndOrProblem, Outcomes
from .graph import AndOrGraph
from .plan_graph import plan_graph

Node = TypeVar("Node", bound=Hashable)


class KnownPart(AndOrProblem[Node, Action]):
    """A part of a problem, with the same plans but other costs; nodes beyond it count as won.

    Parameters
    ----------
    problem
        The whole problem.
    is_unknown
        Whether a node lies beyond.
    is_lost
        Whether a node is known to be lost.
    record
        Asked, now and then, whether to stop.
    """

    def __init__(
        self,
        problem: AndOrProblem[Node, Action],
        is_unknown: Callable[[Node], bool],
        is_lost: Callable[[Node], bool],
        record: Record[Any, Action],
    ) -> None:
        self._problem = problem
        self._is_unknown = is_unknown
        self._is_lost = is_lost
        self._record = record

    def initial_node(self) -> Node:
        return self._problem.initial_node()

    def is_goal(self, node: Node) -> bool:
        return self._is_unknown(node) or self._problem.is_goal(node)

    def actions(self, node: Node) -> Iterable[Action]:
        self._record.generate_many(0)  # limits are heard here too
        return () if self._is_lost(node) else self._problem.actions(node)

    def outcomes(self, node: Node, action: Action) -> Outcomes[Node]:
        return self._problem.outcomes(node, action)

    def action_cost(self, node: Node, action: Action) -> Cost:
        return 1  # what it costs is of no account

    def has_unit_costs(self) -> bool:
        return True

    def may_keep_trying(self) -> bool:
        return self._problem.may_keep_trying()


def can_be_won(problem: AndOrProblem[Node, Action], root: Node) -> bool:
    """Whether some plan is sure to win from `root`. O(n log n) for n outcomes of all nodes."""
    _, cost = AndOrGraph(problem, [root]).least_costs()
    return 0 in cost


def whole_graph_decides(
    problem: AndOrProblem[Node, Action], root: Node, record: Record[Node, Action]
) -> SearchResult[Action]:
    """Whether there is a plan that is sure to end, decided on the whole graph."""
    graph = AndOrGraph(problem, [root], record)
    chosen, cost = graph.least_costs()
    if 0 not in cost:
        return record.unsolvable()
    plan = plan_graph(problem, root, lambda node: chosen[graph.number_of[node]])
    return record.solved(plan, cost[0], cost[0])
