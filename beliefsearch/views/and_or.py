"""AND-OR problems: the player chooses an action (OR), and must then be ready for every outcome of it (AND).

What a solver of the folder `solvers/and_or` sees. It knows neither beliefs nor puzzles: a belief
problem with percepts is presented to it by a `ContingentView`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from typing import Any, Generic, TypeAlias, TypeVar

from ..model.problem import Action, Cost

Node = TypeVar("Node", bound=Hashable)

Outcomes: TypeAlias = tuple[tuple[Any, Node], ...]
"""What may follow an action: pairs of a percept and the node it leads to; no percept comes twice."""


class AndOrProblem(ABC, Generic[Node, Action]):
    """Nodes, the actions of each, and the outcomes of each action.

    A plan wins from a node when the node is a goal, or when its action has only outcomes from which it wins.
    """

    @abstractmethod
    def initial_node(self) -> Node:
        """Where the game begins."""

    @abstractmethod
    def is_goal(self, node: Node) -> bool:
        """Whether the player has won in `node`."""

    @abstractmethod
    def actions(self, node: Node) -> Iterable[Action]:
        """The actions applicable in `node`: of equivalent ones perhaps only some, but at least one."""

    @abstractmethod
    def outcomes(self, node: Node, action: Action) -> Outcomes[Node]:
        """What may follow `action`, in an order that is the same in every run."""

    @abstractmethod
    def action_cost(self, node: Node, action: Action) -> Cost:
        """What doing `action` in `node` costs: not negative."""

    @abstractmethod
    def has_unit_costs(self) -> bool:
        """Whether every action costs exactly 1."""

    def class_of(self, node: Node) -> Hashable:
        """A value that nodes share only if they cost the same to win (default: the node itself)."""
        return node

    def size(self, node: Node) -> int:
        """How hard a node is likely to be: outcomes of large size are tried first (default: all alike)."""
        return 1

    def includes(self, large: Node, small: Node) -> bool:
        """Whether `small` is certainly no dearer to win from than `large` (default: when they are equal)."""
        return large == small

    def may_keep_trying(self) -> bool:
        """Whether a plan that comes back to where it was wins in the end, because chance gives way (default: no)."""
        return False

    def shares(self, node: Node, action: Action, outcomes: Outcomes[Node]) -> tuple[Any, ...]:
        """How likely each of the `outcomes` of `action` is: fractions that add up to 1."""
        raise NotImplementedError(f"{type(self).__name__} does not say how likely outcomes are")
