"""AND-OR problems: the player chooses an action (OR), and must then be ready for every outcome of it (AND).

They are the input of the solvers in `solvers/and_or`, which know neither beliefs nor puzzles. A `ContingentView` is a
contingent problem as an AND-OR problem.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from math import inf
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from ..model.base import Action, Cost

Node = TypeVar("Node", bound=Hashable)

Outcomes: TypeAlias = tuple[tuple[Any, Node], ...]
"""The outcomes of an action: pairs of a percept and the node it leads to; each percept occurs once."""


class AndOrProblem(ABC, Generic[Node, Action]):
    """An AND-OR problem: nodes, the actions of each, and the outcomes of each action.

    A plan wins from a node when the node is a goal, or when its action has only outcomes from which it wins.
    """

    @abstractmethod
    def initial_node(self) -> Node:
        """Return the node in which the game begins."""

    @abstractmethod
    def is_goal(self, node: Node) -> bool:
        """Whether the player has won in `node`."""

    @abstractmethod
    def actions(self, node: Node) -> Iterable[Action]:
        """Return the actions applicable in `node`, at least one of each class of equivalent ones."""

    def promising(self, node: Node) -> Iterator[Action]:
        """Yield actions of `node` lazily, the most promising first (default: none)."""
        return iter(())

    @abstractmethod
    def outcomes(self, node: Node, action: Action) -> Outcomes[Node]:
        """Return the outcomes of `action`, in the same order in every run."""

    @abstractmethod
    def action_cost(self, node: Node, action: Action) -> Cost:
        """Return the cost of `action` in `node`, not negative."""

    @abstractmethod
    def has_unit_costs(self) -> bool:
        """Whether every action costs exactly 1."""

    def class_of(self, node: Node) -> Hashable:
        """Return the class of a node: nodes of one class have the same least cost (default: the node itself)."""
        return node

    def size(self, node: Node) -> int:
        """Return an estimate of the difficulty of a node: larger outcomes are tried first (default: all equal)."""
        return 1

    def includes(self, large: Node, small: Node) -> bool:
        """Whether every plan for `large` also works for `small` at no greater cost (default: if they are equal)."""
        return large == small

    def parts_before(self, node: Node, action: Action, after: Mapping[Node, int]) -> int:
        """Return the parts of a node, as bits, that matter to a plan (default: one part, the whole).

        The plan begins with this action. `after` has the parts that matter in its outcomes, as far as they are known.
        """
        return 1

    def parts_at_end(self, node: Node) -> int:
        """Return the parts of a goal, as bits, for which it is one (default: none)."""
        return 0

    def parts_unreachable(self, node: Node) -> int | None:
        """Return parts of a node, as bits, for which no outcomes ever lead to a goal; None if that is not known."""
        return None

    def forbids(self, action: Action) -> bool:
        """Whether an outcome of an action is known to be lost, from whatever node (default: no)."""
        return False

    def parts_stuck(self, nodes: Collection[Node], lost: Callable[[Node], int | None]) -> Mapping[Node, int]:
        """Return the parts for which nodes are lost, of which each action leads to them only, or may lose.

        `lost` gives the parts for which an outcome is lost already, None if it is not (default: of none anything).
        """
        return {}

    def restricted(self, node: Node, parts: int) -> Hashable | None:
        """Return the restriction of a node to all that a plan depends on whose actions concern only these `parts`.

        A plan that wins from a node wins from every node with the same restriction in which its costs are finite
        (`most`). None if another part is not a goal, so that no such plan wins.
        """
        return node

    def costs_at_end(self) -> Any:
        """Return the costs of the plan without actions, as a function of what `restricted` leaves out (default: 0)."""
        return 0

    def costs_before(self, node: Node, action: Action, after: Mapping[Node, Any]) -> Any:
        """Return the costs of a plan that begins with an action, from those of its subplans for the outcomes."""
        return self.action_cost(node, action) + max(after.values())

    def most(self, node: Node, costs: Any) -> Cost:
        """Return the worst-case cost from a node of a plan with these costs; infinite if it does not win from there."""
        found: Cost = costs
        return found

    def may_keep_trying(self) -> bool:
        """Whether a cyclic plan counts as winning because chance is fair (default: no)."""
        return False

    def steps_left(self) -> float:
        """Return the number of elementary steps left before `EffortExceeded` is raised (default: infinite)."""
        return inf

    def shares(self, node: Node, action: Action, outcomes: Outcomes[Node]) -> tuple[Any, ...]:
        """Return the probability of each of the `outcomes` of `action`, as fractions with sum 1."""
        raise NotImplementedError(f"{type(self).__name__} does not define the probabilities of outcomes")


@frozen(eq=False)
class KnownPart(AndOrProblem[Node, Action]):
    """The relaxation of a problem to its known part: unknown nodes count as won, lost nodes have no actions.

    If it has no plan, a search with these bounds cannot succeed any more. Every action costs 1. `is_unknown` and
    `is_lost` are predicates of nodes; `tick` raises to stop the search.
    """

    problem: AndOrProblem[Node, Action]
    is_unknown: Callable[[Node], bool]
    is_lost: Callable[[Node], bool]
    tick: Callable[[], None]

    def initial_node(self) -> Node:
        return self.problem.initial_node()

    def is_goal(self, node: Node) -> bool:
        return self.is_unknown(node) or self.problem.is_goal(node)

    def actions(self, node: Node) -> Iterable[Action]:
        self.tick()
        return () if self.is_lost(node) else self.problem.actions(node)

    def outcomes(self, node: Node, action: Action) -> Outcomes[Node]:
        return self.problem.outcomes(node, action)

    def action_cost(self, node: Node, action: Action) -> Cost:
        return 1

    def has_unit_costs(self) -> bool:
        return True

    def may_keep_trying(self) -> bool:
        return self.problem.may_keep_trying()
