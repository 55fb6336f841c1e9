"""Strong cyclic plans over partial states: from everywhere on them the goal can be reached.

A weak plan, on which outcomes are chosen, is searched from the start, then from each other outcome of its actions,
until every outcome is covered: it is a goal, or entails the partial state of a step. Regression through a weak plan
gives these; at the end all outcomes are regressed until nothing changes, and those not covered any more are open again.
C. Muise, S. McIlraith and C. Beck, "Improved non-deterministic planning by exploiting state relevance" (2012); the plan
as a graph of partial states: the same, "PRP rebooted: advancing the state of the art in FOND planning" (2024).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeAlias, TypeVar

from attrs import define, field

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action
from ...model.partial_states import WHOLE, Agreement, regress
from ...model.reachability import reaching, walk

Node = TypeVar("Node", bound=Hashable)

Path: TypeAlias = "Sequence[tuple[Node, Action, Node]]"
"""A weak plan: nodes, each with an action and the outcome taken, which comes next."""

# A node from which the plan was begun anew so many times is kept with all its parts, so that an end is certain.
_PATIENCE = 3


@define(eq=False)
class Step(Generic[Node, Action]):
    """Step of the plan: the action for a partial state, which is these parts of a node.

    `then` has for each outcome a goal, or the node of the step that covers it.
    """

    action: Action
    parts: int
    then: dict[Node, Node] = field(factory=dict)


class StrongCyclic(Generic[Node, Action]):
    """Search for a strong cyclic plan.

    `path_from` gives a weak plan that avoids dead ends from a node to a covered one, better by way of the second node
    given; None if there is none. Then the node is a dead end itself, and `lose` notes it.
    """

    def __init__(
        self,
        problem: AndOrProblem[Node, Action],
        path_from: Callable[[Node, Node | None], Path[Node, Action] | None],
        is_lost: Callable[[Node], bool],
        lose: Callable[[Node], None],
    ) -> None:
        self.steps: dict[Node, Step[Node, Action]] = {}
        self._problem, self._path_from, self._is_lost, self._lose = problem, path_from, is_lost, lose
        self._agreement = Agreement(problem.restricted)
        self._begun = Counter[Node]()
        self._meant: dict[Node, Node] = {}  # by outcome: the step that goes on from the one that a weak plan took

    def search(self, root: Node) -> bool:
        """Find a plan from `root`; False if it is lost, and there is none."""
        while waiting := self._open_after_regression(root):
            while waiting:
                node = waiting.pop()
                if self.covers(node):
                    continue
                meant = self._meant.get(node)
                path = self._path_from(node, meant if meant in self.steps else None)
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
        """Whether a node is a goal, or entails the partial state of a step."""
        return self.start_from(node) is not None

    def start_from(self, node: Node) -> Node | None:
        """Return the node itself if it is a goal or has a step, else one whose partial state it entails, if any."""
        if node in self.steps or self._problem.is_goal(node):
            return node
        return next(self._agreement.like(node), None)

    def _parts_of(self, target: Node) -> int:
        step = self.steps.get(target)
        return self._problem.parts_at_end(target) if step is None else step.parts

    def _agrees(self, node: Node, target: Node) -> bool:
        """Whether a node is this goal, or entails the partial state of this step."""
        if target not in self.steps:
            return node == target and self._problem.is_goal(node)
        return self._agreement.agree(node, target, self.steps[target].parts)

    def _children(self, node: Node) -> Iterable[Node]:
        return dict.fromkeys(child for _, child in self._problem.outcomes(node, self.steps[node].action))

    def _follow(self, path: Path[Node, Action]) -> list[Node]:
        """Add the steps of a weak plan; return the other outcomes of its actions."""
        others: list[Node] = []
        for node, action, child in reversed(path):
            target = self.start_from(child)
            assert target is not None, "a path leads to what is covered"
            self._begun[node] += 1
            parts = self._problem.parts_before(node, action, {child: self._parts_of(target)})
            parts = parts if self._begun[node] <= _PATIENCE else WHOLE
            self.steps[node] = Step(action, parts, {child: target})
            self._agreement.add(node, parts)
            new = [one for one in self._children(node) if one != child]
            self._meant |= dict.fromkeys(new, target)
            others += new
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
        ways: list[tuple[Node, Node]] = []
        opened: list[Node] = []
        for node, step in self.steps.items():
            for child, target in [*step.then.items()]:
                if self._agrees(child, target):
                    ways.append((node, target))
                else:
                    del step.then[child]
                    opened.append(child)
        able = reaching((target for _, target in ways if target not in self.steps), ways)
        self._drop([node for node in self.steps if node not in able])
        return opened

    def _open_after_regression(self, root: Node) -> list[Node]:
        """Regress all outcomes until nothing changes; return those that the plan reaches and does not cover."""
        first = self.start_from(root)
        if first is None:
            return [root]
        opened: list[Node] = []

        def covering(node: Node) -> Iterable[Node]:
            """Return the steps that follow a step; outcomes that none covers are opened."""
            then = self.steps[node].then
            for child in self._children(node):
                target = then.pop(child, None)
                if target is None or not self._agrees(child, target):
                    target = self.start_from(child)
                if target is None:
                    opened.append(child)
                else:
                    then[child] = target
            return [target for target in then.values() if target in self.steps]

        def grow(node: Node) -> bool:
            step = self.steps[node]
            after = {child: self._parts_of(target) for child, target in step.then.items()}
            before, more = step.parts, self._problem.parts_before(node, step.action, after)
            step.parts = self._agreement.grow(node, before, more)
            return step.parts != before

        reached = walk([first] if first in self.steps else [], covering)
        regress(((node, self.steps[node].then.values()) for node in reached), grow)
        opened += self._drop_idle()
        return opened if self.covers(root) else [*opened, root]
