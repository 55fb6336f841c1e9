"""Closed-loop greedy search for a conditional plan: soon, and not of least cost.

A path to the goal is searched as if percepts could be chosen; then paths from what the other percepts lead to, each as
far as something that is won already. A. Albore, H. Palacios and H. Geffner, "A translation-based approach to contingent
planning" (2009). Where a percept leads to a dead end another path is searched, as the planners of nondeterministic
tasks do: U. Kuter and others, "Using classical planners to solve nondeterministic planning problems" (2008).

Where chance is fair a plan that keeps trying is looked for first: from each node that it comes to a path, which may
lead back; actions of which an outcome seems to be lost come last. If it has no cycle it is the answer; else it is kept
while a plan that is sure to end is searched.

Where nodes consist of parts a plan wins from all nodes that agree in those with which its actions have to do.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...model.problem import Problem
from ...plans.plan import ConditionalPlan
from ...plans.result import SearchResult, Status
from ...running.limits import LimitReached
from ...running.run import Record, Run
from ..path.lazy_best_first import Guide, lazy_best_first_search
from ..trampoline import Calls, without_recursion
from .and_or_graph import whole_graph_decides
from .plan_graph import plan_graph

Node = TypeVar("Node", bound=Hashable)

_Chosen: TypeAlias = "tuple[Action, Node]"
"""An action, and which of its outcomes is taken."""


def closed_loop_greedy_search(
    problem: AndOrProblem[Node, Action],
    guide: Guide[Node, Action],
    *,
    run: Run | None = None,
    soon: bool = False,
) -> SearchResult[Action]:
    """Find a conditional plan that is sure to end, of any cost; or where chance is fair a strong cyclic one.

    `guide` leads the search, as in `solvers/path/lazy_best_first.py`. From a node from which there is no path that
    avoids dead ends there is no plan, not even a strong cyclic one. Where outcomes can lead back to where one came
    from, paths avoid that, and may fail for this reason alone; if all do, the whole graph decides. A limit while a
    strong cyclic plan is known gives this plan, and so does `soon` at once. Memory is linear in the nodes that all
    paths look at.
    """
    record: Record[Node, Action] = Record("closed-loop-greedy", problem, run)
    search = _ClosedLoop(problem, guide, record, run or Run())
    with record:
        return search.run(soon=soon)
    return record.undecided() if search.cyclic is None else record.solved(search.cyclic, inf, 0)


@frozen
class _Won(Generic[Node, Action]):
    """A node that is won, by which action, and by the outcomes of this those whose plans are followed there.

    `parts` are those that matter to its plan, `costs` what this costs.
    """

    action: Action
    stand_ins: dict[Node, Node]
    parts: int
    costs: Any


class _ClosedLoop(Generic[Node, Action]):
    """The search, with what is won and by which action, and what is lost."""

    def __init__(
        self, problem: AndOrProblem[Node, Action], guide: Guide[Node, Action], record: Record[Node, Action], run: Run
    ) -> None:
        self.problem = problem
        self.dead: set[Node] = set()
        self.banned: set[tuple[Node, Action]] = set()  # what leads back, from where that was of no use
        self.won: dict[Node, _Won[Node, Action]] = {}
        self.under_way: set[Node] = set()  # the nodes on the paths that are being completed
        self.met_way = False  # whether the present path was kept from going back to those
        self._by_parts: dict[int, dict[Hashable, list[Node]]] = {}  # what is won, by what matters there
        self._guide, self._record, self._run = guide, record, Run(run.budget)
        self._known: dict[Node, tuple[list[float], list[Action]]] = {}
        self._expanded = self._generated = 0
        self._shuns_risk = False
        self.chosen: dict[Node, Action] | None = None  # by a plan that keeps trying, while it is made
        self.cyclic: ConditionalPlan[Action, Any] | None = None
        record.watch(self._known.__len__)

    def run(self, *, soon: bool) -> SearchResult[Action]:
        root, record = self.problem.initial_node(), self._record
        if self.problem.may_keep_trying():
            self._keep_trying(root)
            if root in self.dead:
                return record.unsolvable(cyclic=True)
            if soon and self.cyclic is not None:
                return record.solved(self.cyclic, inf, 0)
        if without_recursion(self._wins(root)):
            first = root if root in self.won else self._stand_in(root)
            if first is None:  # a goal
                first = root
            plan = plan_graph(
                self.problem, first, lambda node: self.won[node].action, lambda node, _: self.won[node].stand_ins
            )
            return record.solved(plan, self.problem.most(root, self.won[first].costs) if first in self.won else 0, 0)
        if root in self.dead:
            return record.unsolvable()
        return whole_graph_decides(self.problem, root, record, keep_trying=True)

    def _keep_trying(self, root: Node) -> None:
        """Find a plan from every node of which the goal can be reached; note what is won if it is sure to end.

        Paths come to the goal, or to nodes whose paths do. Nodes from which there is none are dead; then nothing is
        chosen that may lead there, nor what led on by that alone. If `root` is dead there is no plan of any sort.
        """
        self.chosen = {}
        after: dict[Node, list[Node]] = {}
        waiting, met = [root], {root}
        while waiting:
            node = waiting.pop()
            if self.problem.is_goal(node):
                continue
            if node not in self.chosen:
                self._shuns_risk = bool(self.dead)  # what seemed to be lost was lost
                path = self._path(node)
                if path is None and self._shuns_risk:
                    self._shuns_risk = False
                    path = self._path(node)
                if path is None:
                    self.dead.add(node)
                    if node == root:
                        break
                    # The plan is mended where it led to what is dead, before it is made anew.
                    broken = [before for before in self.chosen if node in after[before] and before != root]
                    self._forget(after)
                    waiting = [root, *broken]
                    met = set(waiting)
                    continue
                for before, action, _ in path:
                    self.chosen[before] = action
                    after[before] = [child for _, child in self.problem.outcomes(before, action)]
            new = [child for child in dict.fromkeys(after[node]) if child not in met]
            met.update(new)
            waiting += new
        chosen, self.chosen = self.chosen, None
        if root in self.dead or self.problem.is_goal(root):
            return
        following = {}
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node not in following:
                following[node] = [child for child in after[node] if child in chosen]
                waiting += following[node]
        try:
            for node in TopologicalSorter(following).static_order():
                self._win(node, chosen[node])
        except CycleError:
            self.cyclic = plan_graph(self.problem, root, chosen.__getitem__)

    def _forget(self, after: dict[Node, list[Node]]) -> None:
        """Leave out what was chosen and may lead to what is dead, and what no longer leads to the goal."""
        assert self.chosen is not None, "a plan that keeps trying is being made"
        into: dict[Node, list[Node]] = {}
        ends = []
        for node in self.chosen:
            if self.dead.isdisjoint(after[node]):
                for child in after[node]:
                    into.setdefault(child, []).append(node)
                    if self.problem.is_goal(child):
                        ends.append(child)
        kept = set(ends)
        for node in ends:  # grows while it is walked
            new = [before for before in into.get(node, ()) if before not in kept]
            kept.update(new)
            ends += new
        self.chosen = {node: action for node, action in self.chosen.items() if node in kept}

    def is_won(self, node: Node) -> bool:
        """Say whether a plan from a node is known, or being made."""
        if self.problem.is_goal(node):
            return True
        return self._stand_in(node) is not None if self.chosen is None else node in self.chosen

    def _stand_in(self, node: Node) -> Node | None:
        """Return a node whose plan wins from this one as well, if one is known."""
        for parts, known in self._by_parts.items():
            matters = self.problem.restricted(node, parts)
            for found in () if matters is None else reversed(known.get(matters, ())):
                if self.problem.most(node, self.won[found].costs) < inf:
                    return found
        return None

    def _wins(self, root: Node) -> Calls[bool]:
        """Find a plan from `root`; if none is found it is `dead`, or else would have to lead back."""
        while not self.is_won(root):
            path = self._path(root)
            if path is None:
                if not self.met_way:
                    self.dead.add(root)
                return False
            nodes = [node for node, _, _ in path]
            self.under_way.update(nodes)
            for node, action, _ in reversed(path):
                lost = yield self._loses_by_others(node, action)
                self.under_way.remove(node)
                if lost:
                    self.under_way.difference_update(nodes)
                    break
                self._win(node, action)
        return True

    def _loses_by_others(self, node: Node, action: Action) -> Calls[bool]:
        """Say whether some outcome of an action is not won; then the action will not be taken again."""
        for _, child in self.problem.outcomes(node, action):
            if child in self.under_way or not (yield self._wins(child)):
                if child not in self.dead:
                    self.banned.add((node, action))
                return True
        return False

    def _win(self, node: Node, action: Action) -> None:
        """Note that a node is won, by an action all of whose outcomes were won before, so that nothing leads back."""
        stand_ins = {}
        parts = self.problem.parts_met(action)
        after = {}
        for _, child in self.problem.outcomes(node, action):
            after[child] = self.problem.costs_at_end()
            if not self.problem.is_goal(child) and (found := self._stand_in(child)) is not None:
                stand_ins[child] = found
                parts |= self.won[found].parts
                after[child] = self.won[found].costs
        self.won[node] = _Won(action, stand_ins, parts, self.problem.costs_before(node, action, after))
        matters = self.problem.restricted(node, parts)
        if matters is not None:
            self._by_parts.setdefault(parts, {}).setdefault(matters, []).append(node)

    def _path(self, root: Node) -> list[tuple[Node, Action, Node]] | None:
        """Return a path from `root` to what is won, with the outcomes taken; None if there is none."""
        self.met_way = False
        result = lazy_best_first_search(_AsIfChosen(self, root), self._guided, run=self._run)
        self._expanded += result.stats.expanded
        self._generated += result.stats.generated
        self._record.tally(self._expanded, self._generated, result.stats.max_frontier)
        self._record.look_up(0, 0)
        if result.status is Status.UNDECIDED:
            raise LimitReached(result.reason or "")
        if result.plan is None:
            return None
        path, node = [], root
        for action, child in result.plan:
            path.append((node, action, child))
            node = child
        return path

    def _guided(self, node: Node) -> tuple[list[float], Iterator[_Chosen[Action, Node]]]:
        estimates, preferred = self._estimated(node)
        return estimates, self.choices(node, preferred)

    def _estimated(self, node: Node) -> tuple[list[float], list[Action]]:
        found = self._known.get(node)
        if found is None:
            estimates, preferred = self._guide(node)
            found = self._known[node] = [*estimates], [*preferred]
        return found

    def choices(self, node: Node, actions: Iterable[Action]) -> Iterator[_Chosen[Action, Node]]:
        """Yield these actions with each outcome, but for those that do not win; the risky ones last."""
        risky: list[_Chosen[Action, Node]] = []
        for action in actions:
            children = self._outcomes_of(node, action)
            if not self._are_risky(children):
                yield from ((action, child) for child in children)
            elif not self._shuns_risk:
                risky += ((action, child) for child in children)
        yield from risky

    def _are_risky(self, children: Collection[Node]) -> bool:
        """Whether one of several outcomes seems to be lost; asked only while a plan that keeps trying is made."""
        if self.chosen is None or len(children) < 2:
            return False
        return any(not self.is_won(child) and self._estimated(child)[0][0] == inf for child in children)

    def _outcomes_of(self, node: Node, action: Action) -> Collection[Node]:
        """Return the outcomes of an action; none if it does not win."""
        if (node, action) in self.banned:
            self.met_way = True
            return ()
        children = dict.fromkeys(child for _, child in self.problem.outcomes(node, action))
        if not self.dead.isdisjoint(children):
            return ()
        if self.chosen is None and (not self.under_way.isdisjoint(children) or node in children):
            self.met_way = True
            return ()
        return children


class _AsIfChosen(Problem[Node, "_Chosen[Action, Node]"]):
    """The problem to come from a node to one that is won, if percepts could be chosen."""

    def __init__(self, search: _ClosedLoop[Node, Action], root: Node) -> None:
        self._search, self._root = search, root

    def initial_state(self) -> Node:
        return self._root

    def is_goal(self, node: Node) -> bool:
        return self._search.is_won(node)

    def actions(self, node: Node) -> Iterator[_Chosen[Action, Node]]:
        return self._search.choices(node, self._search.problem.actions(node))

    def result(self, node: Node, action: _Chosen[Action, Node]) -> Node:
        return action[1]

    def action_cost(self, node: Node, action: _Chosen[Action, Node]) -> Cost:
        return self._search.problem.action_cost(node, action[0])
