"""Plans as graphs of shared nodes, never nested lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import TYPE_CHECKING, Any, Generic

from attrs import Attribute, field, frozen

from ..model.base import Action, Cost, Percept
from ..model.canvas.html import MOST_LINES, box, listing, table
from ..model.reachability import costs_to_ends, walk
from ..model.values import stable_text
from .wording import plural

# A longer plan is abbreviated by `repr`.
_MOST_WRITTEN = 20


@frozen
class PlanNode(Generic[Action, Percept]):
    """One step of a plan.

    Attributes
    ----------
    action
        The action; None at an end.
    branches
        The number of the next node for each percept; empty at an end, where the player has won.
    """

    action: Action | None
    branches: tuple[tuple[Percept | None, int], ...] = ()

    @cached_property
    def target_of(self) -> dict[Percept | None, int]:
        """Return, by percept, the number of the next node."""
        return dict(self.branches)

    @property
    def is_end(self) -> bool:
        """Whether the plan ends here."""
        return not self.branches


class Plan(Sequence[Action], Generic[Action, Percept]):
    """A plan: a sequence of actions, or a `ConditionalPlan`, whose next action may depend on percepts.

    Either can be followed node by node, beginning at node 0; and iterated and indexed, as long as nothing branches.
    """

    is_conditional: bool = False
    """Whether the next node is looked up by percept, as in every `ConditionalPlan`."""

    @staticmethod
    def of_sequence(actions: Iterable[Action]) -> Plan[Action, Any]:
        """The plan that does these actions in order; it is equal to their tuple."""
        return _Straight(actions)

    @property
    @abstractmethod
    def nodes(self) -> tuple[PlanNode[Action, Percept], ...]:
        """The nodes by number; branches may share nodes, so there may be exponentially fewer than in a tree."""

    def as_sequence(self) -> tuple[Action, ...]:
        """The actions of a plan without branches and cycles.

        Raises
        ------
        ValueError
            If it branches, or is cyclic.
        """
        return tuple(self)

    if TYPE_CHECKING:  # a plan may be equal to a tuple, so it makes sense to compare them

        def __eq__(self, other: object) -> bool: ...
        def __hash__(self) -> int: ...

    def as_conditional(self) -> ConditionalPlan[Action, Percept]:
        """The same plan as a conditional plan; in a sequence every percept is None."""
        return ConditionalPlan(self.nodes)

    def follow(self, number: int, percept: Percept | None) -> int:
        """The node after node `number` when `percept` is perceived.

        Raises
        ------
        KeyError
            If the plan has no branch for it.
        """
        return self.nodes[number].target_of[percept]

    @cached_property
    def reachable(self) -> tuple[int, ...]:
        """The nodes reachable from node 0, breadth-first."""
        return tuple(walk([0], lambda number: [target for _, target in self.nodes[number].branches]))

    @cached_property
    def bottom_up(self) -> tuple[int, ...]:
        """The nodes, each after its successors; without those from which a cycle can be reached."""
        sorter = TopologicalSorter({number: self.nodes[number].target_of.values() for number in self.reachable})
        with suppress(CycleError):  # the sorter still yields the nodes that lead to no cycle
            sorter.prepare()
        order: list[int] = []
        while ready := sorter.get_ready():
            order += ready
            sorter.done(*ready)
        return tuple(order)

    @property
    def is_cyclic(self) -> bool:
        """Whether the plan has a cycle, so that no number of actions is certain to suffice."""
        return False

    @property
    def depth(self) -> Cost:
        """The most actions the plan may take; infinite if it is cyclic."""
        return self.steps

    @property
    def steps(self) -> int:
        """Count the nodes that have an action."""
        return len(self)

    @cached_property
    def tree_size(self) -> Cost:
        """The number of actions of the tree with shared nodes written out; infinite if the plan is cyclic."""
        if self.is_cyclic:
            return inf
        sizes = [0] * len(self.nodes)
        for number in self.bottom_up:
            node = self.nodes[number]
            sizes[number] = sum(sizes[target] for _, target in node.branches) + (not node.is_end)
        return sizes[0]

    @property
    def summary(self) -> str:
        """Say the kind of the plan and its length in a few words."""
        return plural(len(self), "action")

    def notebook_part(self) -> str:
        """The plan as HTML, without its summary."""
        return listing(map(stable_text, self[:MOST_LINES]), len(self))

    def _repr_html_(self) -> str:
        """For notebooks: the actions as a list, or the steps as a table."""
        return box(f"Plan of {self.summary}", self.notebook_part())


class _Straight(tuple[Action, ...], Plan[Action, Any]):
    """A sequence of actions, whose only percept is None."""

    @cached_property
    def nodes(self) -> tuple[PlanNode[Action, Any], ...]:
        steps = (PlanNode[Action, Any](action, ((None, number),)) for number, action in enumerate(self, 1))
        return (*steps, PlanNode(None))

    def __repr__(self) -> str:
        if len(self) <= _MOST_WRITTEN:
            return super().__repr__()
        return f"<plan of {self.summary}, the first {self[0]!r}>"


@frozen(repr=False)
class ConditionalPlan(Plan[Action, Percept]):
    """A plan whose next action may depend on percepts; it begins at node 0.

    Attributes
    ----------
    nodes
        The nodes by number. Branches may share a node, so the plan may be exponentially smaller than its tree.

    Raises
    ------
    ValueError
        When constructed with a branch to no node, two branches for one percept, or an action without branches.
    """

    nodes: tuple[PlanNode[Action, Percept], ...] = field()
    is_conditional = True

    @nodes.validator
    def _well_formed(self, _: Attribute[object], nodes: tuple[PlanNode[Action, Percept], ...]) -> None:
        if not nodes:
            raise ValueError("a conditional plan has at least one node")
        for number, node in enumerate(nodes):
            if node.is_end and node.action is not None:
                raise ValueError(f"node {number} has the action {node.action!r}, but no branch")
            percepts = [percept for percept, _ in node.branches]
            if len(set(percepts)) < len(percepts):
                raise ValueError(f"node {number} has two branches for one percept")
            if any(not 0 <= target < len(nodes) for _, target in node.branches):
                raise ValueError(f"node {number} has a branch to a node that does not exist")

    @staticmethod
    def of_sequence(actions: Iterable[Action]) -> ConditionalPlan[Action, Any]:
        """A sequence of actions as a conditional plan, whose only percept is None."""
        return ConditionalPlan(_Straight(actions).nodes)

    def as_conditional(self) -> ConditionalPlan[Action, Percept]:
        return self

    @cached_property
    def _actions(self) -> tuple[Action, ...]:
        actions: list[Any] = []
        number = 0
        while not (node := self.nodes[number]).is_end:
            if len(node.branches) > 1 or self.is_cyclic:
                raise ValueError(f"the plan branches at node {number}, or keeps trying, and so is no sequence")
            actions.append(node.action)
            number = node.branches[0][1]
        return tuple(actions)

    def __len__(self) -> int:
        return len(self._actions)

    def __bool__(self) -> bool:  # the default would ask for the length, which a plan with branches does not have
        return True

    def __getitem__(self, place: Any) -> Any:
        return self._actions[place]

    @property
    def is_cyclic(self) -> bool:
        return len(self.bottom_up) < len(self.reachable)

    @cached_property
    def depth(self) -> Cost:
        if self.is_cyclic:
            return inf
        after = {number: [*self.nodes[number].target_of.values()] for number in self.bottom_up}
        return costs_to_ends(after, lambda _: 1)[0]

    @property
    def steps(self) -> int:
        return sum(not node.is_end for node in self.nodes)

    @property
    def summary(self) -> str:
        depth = "keeps trying" if self.is_cyclic else f"at most {plural(int(self.depth), 'action')}"
        return f"{plural(self.steps, 'step')}, {depth}"

    def notebook_part(self) -> str:
        rows = ((number, *_cells(node)) for number, node in enumerate(self.nodes))
        return table(rows, ("step", "action", "what is perceived, and the step that goes on"))

    def __repr__(self) -> str:
        return f"<conditional plan: {self.summary}, the first {self.nodes[0].action!r}>"


def _cells(node: PlanNode[Any, Any]) -> tuple[str, str]:
    """A node as text: its action, and its branches."""
    if node.is_end:
        return "done", ""
    ways = (f"{'' if percept is None else f'{stable_text(percept)} '}→ {target}" for percept, target in node.branches)
    return stable_text(node.action), ", ".join(ways)
