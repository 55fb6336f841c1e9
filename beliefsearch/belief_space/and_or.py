"""AND-OR problems: the player chooses an action (OR), and must then be ready for every outcome of it (AND).

What a solver of the folder `solvers/and_or` sees. It knows neither beliefs nor puzzles: a contingent
problem is presented to it by a `ContingentView`.

Part of a problem: nodes beyond it count as won, and nodes known to be lost have no successors.

A search within bounds asks it whether it can still succeed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from math import inf
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from ..model.base import Action, Cost
from ..running.run import Record

Node = TypeVar("Node", bound=Hashable)

Outcomes: TypeAlias = tuple[tuple[Any, Node], ...]

"""The outcomes of an action: pairs of a percept and the node it leads to; each percept occurs once."""


class AndOrProblem(ABC, Generic[Node, Action]):
    """An AND-OR problem: nodes, the actions of each, and the outcomes of each action.

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
        """The actions applicable in `node`, at least one of each class of equivalent ones."""

    def promising(self, node: Node) -> Iterator[Action]:
        """Actions of `node`, the most promising first, to be looked at one by one (default: nobody knows any)."""
        return iter(())

    @abstractmethod
    def outcomes(self, node: Node, action: Action) -> Outcomes[Node]:
        """The outcomes of `action`, in the same order in every run."""

    @abstractmethod
    def action_cost(self, node: Node, action: Action) -> Cost:
        """The cost of `action` in `node`, not negative."""

    @abstractmethod
    def has_unit_costs(self) -> bool:
        """Whether every action costs exactly 1."""

    def class_of(self, node: Node) -> Hashable:
        """The class of a node: nodes of one class have the same least cost (default: the node itself)."""
        return node

    def size(self, node: Node) -> int:
        """A guess at how hard a node is: larger outcomes are tried first (default: all equal)."""
        return 1

    def includes(self, large: Node, small: Node) -> bool:
        """Whether every plan for `large` also works for `small` at no greater cost (default: if they are equal)."""
        return large == small

    def may_keep_trying(self) -> bool:
        """Whether a cyclic plan counts as winning because chance is fair (default: no)."""
        return False

    def steps_left(self) -> float:
        """How many elementary steps may still be taken before `Outgrown` is raised (default: any number)."""
        return inf

    def shares(self, node: Node, action: Action, outcomes: Outcomes[Node]) -> tuple[Any, ...]:
        """The probability of each of the `outcomes` of `action`, as fractions with sum 1."""
        raise NotImplementedError(f"{type(self).__name__} does not define the probabilities of outcomes")


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
