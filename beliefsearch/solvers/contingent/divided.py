"""AND-OR problems whose nodes are sets of equally likely starts, which actions divide: what searches ask of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action

Node = TypeVar("Node", bound=Hashable)


class Divisions(ABC, Generic[Node]):
    """The ways to divide one node: of the actions that divide it alike the cheapest, and none that tell nothing.

    Ways have numbers; totals are whole numbers.
    """

    @abstractmethod
    def ways(self, enough: int) -> list[tuple[int, int]]:
        """Pairs of a lower bound of the total and the way: those below `enough`, and the next one.

        Of equivalent ways one will do.
        """

    @abstractmethod
    def promising(self, usual: Sequence[float], count: int) -> list[tuple[int, int]]:
        """Of `ways` a few, those that come to least if a part of each size has its `usual` total; the best first.

        Of ways at the same price with parts of the same sizes there is only one: many are the same up to symmetries
        that nobody has looked for, and would take the place of others.
        """

    @abstractmethod
    def parts(self, way: int) -> tuple[int, list[tuple[Node, int]]]:
        """What is known of the total at once; and the parts of which only a lower bound is known, with that bound."""

    @abstractmethod
    def look_ahead(self, part: Node) -> tuple[int, int, bool]:
        """A lower bound of the total of a part by one action more: the bound, the action, and whether it is the total.

        That is the least, over the actions, of a bound by the sizes of what the action makes of the part.
        """

    @abstractmethod
    def small_total(self, part: Node, limit: int) -> tuple[int, list[tuple[Node, int, int]]] | None:
        """The total of a part, or a lower bound of it above `limit`, if it is small and that is soon found; else None.

        With the total, for the part and all parts that its best plan makes of it: the total, and the action that is the
        best; but for those parts where it is obvious.
        """

    @abstractmethod
    def action(self, way: int) -> int:
        """The number of the action that divides the node in this way."""

    @abstractmethod
    def divide(self, part: Node) -> Divisions[Node]:
        """The ways to divide a part."""


class DividedProblem(AndOrProblem[Node, Action]):
    """An AND-OR problem whose nodes are sets of equally likely starts, and whose actions do no more than divide them.

    This is the seam between the search and how sets are represented. Costs are whole numbers, the same for all starts,
    and actions have numbers.
    """

    numbered_actions: Sequence[Action]

    @abstractmethod
    def can_be_won(self) -> bool:
        """Whether there is a plan."""

    @abstractmethod
    def is_large(self) -> bool:
        """Whether it may take too long to go through the ways of the initial node one after the other."""

    @abstractmethod
    def divisions(self) -> Divisions[Node]:
        """The ways to divide the initial node."""

    @abstractmethod
    def obvious_action(self, node: Node) -> int | None:
        """The number of the best action, in a node so small that it is plain to see; such are no parts of a way."""

    @abstractmethod
    def cost_of(self, action: int) -> int:
        """What the action with this number costs."""

    @abstractmethod
    def parts(self, node: Node, action: int) -> list[Node]:
        """What the action with this number makes of a node, without what is won."""
