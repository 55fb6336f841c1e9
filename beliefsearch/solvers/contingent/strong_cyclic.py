"""Strong cyclic plans over partial states: from everywhere on them the goal can be reached.

A weak plan is a path to the goal on which outcomes are chosen. One is searched from the start, then one from each other
outcome of its actions, until every outcome is covered: it is a goal, or it agrees with a node of the plan in the parts
that matter there. These are found by regression through the path. At the end all outcomes are regressed until nothing
changes, and those that no longer agree are open again. A dead end is kept as the partial state that makes it one, and
no action is chosen that has a dead end among its outcomes. C. Muise, S. McIlraith and C. Beck, "Improved
non-deterministic planning by exploiting state relevance" (2012); the plan as a graph of partial states: C. Muise, S.
McIlraith and C. Beck, "PRP rebooted: advancing the state of the art in FOND planning" (2024).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeAlias, TypeVar

from attrs import define, field

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action
from ...model.partial_states import WHOLE, Agreement

Node = TypeVar("Node", bound=Hashable)

Path: TypeAlias = "Sequence[tuple[Node, Action, Node]]"
"""Nodes, each with an action and the outcome taken, which comes next."""

# A node from which the plan was begun anew so many times is kept with all its parts, so that an end is certain.
_PATIENCE = 3


@define(eq=False)
class Step(Generic[Node, Action]):
    """Step of the plan: an action for a node and for all that agree with it in these parts.

    `then` has for each outcome a goal, or the node of the step that covers it.
    """

    action: Action
    parts: int
    then: dict[Node, Node] = field(factory=dict)


class StrongCyclic(Generic[Node, Action]):
    """Search for a strong cyclic plan.

    `path_from` gives a weak plan from a node to a covered one that avoids dead ends; None if there is none. Then the
    node is a dead end itself, and `lose` notes it.
    """

    def __init__(
        self,
        problem: AndOrProblem[Node, Action],
        path_from: Callable[[Node], Path[Node, Action] | None],
        is_lost: Callable[[Node], bool],
        lose: Callable[[Node], None],
    ) -> None:
        self.steps: dict[Node, Step[Node, Action]] = {}
        self._problem, self._path_from, self._is_lost, self._lose = problem, path_from, is_lost, lose
        self._agreement = Agreement(problem.restricted)
        self._begun = Counter[Node]()

    def search(self, root: Node) -> bool:
        """Find a plan from `root`; False if it is lost, and there is none."""
        while waiting := self._open_after_regression(root):
            while waiting:
                node = waiting.pop()
                if self.covers(node):
                    continue
                path = self._path_from(node)
                if path is None:
                    self._lose(node)
                    if self._is_lost(root):
                        return False
                    waiting += self._without_lost()
                    # The plan is mended where it led to what is lost, before it is made anew.
                    waiting.insert(0, root)
                else:
                    waiting += self._follow(path)
        return True

    def covers(self, node: Node) -> bool:
        """Whether a node is a goal, or the plan goes on from it or from one that agrees."""
        return self.start_from(node) is not None

    def start_from(self, node: Node) -> Node | None:
        """Return the node itself if it is a goal or has a step, else one that agrees and has; None if there is none."""
        if node in self.steps or self._problem.is_goal(node):
            return node
        return next(self._agreement.like(node), None)

    def _parts_of(self, target: Node) -> int:
        step = self.steps.get(target)
        return self._problem.parts_at_end(target) if step is None else step.parts

    def _agrees(self, node: Node, target: Node) -> bool:
        if node == target:
            return target in self.steps or self._problem.is_goal(node)
        parts = self.steps[target].parts if target in self.steps else None
        return parts is not None and self._problem.restricted(node, parts) == self._problem.restricted(target, parts)

    def _children(self, node: Node) -> Iterable[Node]:
        return dict.fromkeys(child for _, child in self._problem.outcomes(node, self.steps[node].action))

    def _follow(self, path: Path[Node, Action]) -> list[Node]:
        """Add the steps of a path to the plan; return the other outcomes of its actions."""
        others: list[Node] = []
        for node, action, child in reversed(path):
            target = self.start_from(child)
            assert target is not None, "a path leads to what is covered"
            self._begun[node] += 1
            parts = self._problem.parts_before(node, action, {child: self._parts_of(target)})
            parts = parts if self._begun[node] <= _PATIENCE else WHOLE
            self.steps[node] = Step(action, parts, {child: target})
            self._agreement.add(node, parts)
            others += (one for one in self._children(node) if one != child)
        others.reverse()
        return others

    def _without_lost(self) -> list[Node]:
        """Drop the steps that may lead to a dead end, and those that go on by them alone; return the open outcomes."""
        self._drop([node for node in self.steps if any(map(self._is_lost, self._children(node)))])
        return self._drop_idle()

    def _drop(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self._agreement.remove(node, self.steps.pop(node).parts)

    def _drop_idle(self) -> list[Node]:
        """Drop the steps from which no goal is reached any more; return the outcomes that are no longer covered."""
        into: dict[Node, list[Node]] = {}
        opened: list[Node] = []
        for node, step in self.steps.items():
            for child, target in [*step.then.items()]:
                if self._agrees(child, target):
                    into.setdefault(target, []).append(node)
                else:
                    del step.then[child]
                    opened.append(child)
        reached = [target for target in into if target not in self.steps]
        met = set(reached)
        for target in reached:  # grows while it is walked
            new = [node for node in dict.fromkeys(into.get(target, ())) if node not in met]
            met.update(new)
            reached += new
        idle = [node for node in self.steps if node not in met]
        self._drop(idle)
        return opened

    def _open_after_regression(self, root: Node) -> list[Node]:
        """Regress all outcomes until nothing changes; return those that the plan reaches and does not cover."""
        first = self.start_from(root)
        if first is None:
            return [root]
        opened: list[Node] = []
        into: dict[Node, list[Node]] = {}
        frontier = [first] if first in self.steps else []
        met = set(frontier)
        for node in frontier:  # grows while it is walked
            step = self.steps[node]
            for child in self._children(node):
                target = step.then.get(child)
                if target is None or not self._agrees(child, target):
                    target = self.start_from(child)
                if target is None:
                    step.then.pop(child, None)
                    opened.append(child)
                    continue
                step.then[child] = target
                into.setdefault(target, []).append(node)
                if target in self.steps and target not in met:
                    met.add(target)
                    frontier.append(target)
        waiting = dict.fromkeys(reversed(frontier))
        while waiting:
            node, _ = waiting.popitem()
            step = self.steps[node]
            after = {child: self._parts_of(target) for child, target in step.then.items()}
            parts = step.parts | self._problem.parts_before(node, step.action, after)
            if parts != step.parts:
                self._agreement.remove(node, step.parts)
                self._agreement.add(node, parts)
                step.parts = parts
                waiting |= dict.fromkeys(into.get(node, ()))
        opened += self._drop_idle()
        return opened if self.covers(root) else [*opened, root]
