"""Part of a problem: nodes beyond it count as won, and nodes known to be lost have no successors.

A search within bounds asks it whether it can still succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from attrs import frozen

from ...model.problem import Action, Cost
from ...running.record import Record
from ...views.and_or import AndOrProblem, Outcomes

Node = TypeVar("Node", bound=Hashable)


@frozen(eq=False)
class KnownPart(AndOrProblem[Node, Action]):
    """A part of a problem, with the same plans but other costs; nodes beyond it count as won.

    `is_unknown` says whether a node lies beyond, `is_lost` whether it is known to be lost. The record is asked, now
    and then, whether to stop.
    """

    problem: AndOrProblem[Node, Action]
    is_unknown: Callable[[Node], bool]
    is_lost: Callable[[Node], bool]
    record: Record[Any, Action]

    def initial_node(self) -> Node:
        return self.problem.initial_node()

    def is_goal(self, node: Node) -> bool:
        return self.is_unknown(node) or self.problem.is_goal(node)

    def actions(self, node: Node) -> Iterable[Action]:
        self.record.generate_many(0)  # limits are heard here too
        return () if self.is_lost(node) else self.problem.actions(node)

    def outcomes(self, node: Node, action: Action) -> Outcomes[Node]:
        return self.problem.outcomes(node, action)

    def action_cost(self, node: Node, action: Action) -> Cost:
        return 1  # what it costs is of no account

    def has_unit_costs(self) -> bool:
        return True

    def may_keep_trying(self) -> bool:
        return self.problem.may_keep_trying()
