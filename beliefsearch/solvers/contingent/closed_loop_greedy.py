"""Closed-loop greedy search for a conditional plan: soon, and not of least cost.

A path to the goal is searched as if percepts could be chosen; then paths from what the other percepts lead to, each as
far as something that is won already. A. Albore, H. Palacios and H. Geffner, "A translation-based approach to contingent
planning" (2009). Where a percept leads to a dead end another path is searched, as the planners of nondeterministic
tasks do: U. Kuter and others, "Using classical planners to solve nondeterministic planning problems" (2008).

Where chance is fair a strong cyclic plan is looked for first (`strong_cyclic.py`); actions of which an outcome seems to
be lost come last. If it has no cycle it is the answer; else it is kept while a plan that is sure to end is searched.

Where nodes consist of parts a plan wins from all nodes that agree in those with which its actions have to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from math import inf
from typing import Any, Generic, TypeAlias, TypeVar

from attrs import frozen

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...model.partial_states import WHOLE, Agreement
from ...model.problem import Problem
from ...model.reachability import walk
from ...plans.plan import ConditionalPlan
from ...plans.result import SearchResult, Status
from ...running.limits import LimitReached
from ...running.run import Record, Run
from ..path.lazy_best_first import Estimates, Guide, lazy_best_first_search
from ..trampoline import Calls, without_recursion
from .and_or_graph import whole_graph_decides
from .plan_graph import plan_graph
from .strong_cyclic import StrongCyclic

Node = TypeVar("Node", bound=Hashable)

_Chosen: TypeAlias = "tuple[Action, Node]"
"""An action, and which of its outcomes is taken."""

Toward: TypeAlias = "Callable[[Node, Node, int], Estimates[Action]]"
"""Gives the estimates of a node where the goal is to agree with another one in these parts."""

# A local search ends after so many nodes.
_LOCAL = 100


def closed_loop_greedy_search(
    problem: AndOrProblem[Node, Action],
    guide: Guide[Node, Action],
    *,
    toward: Toward[Node, Action] | None = None,
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
    search = _ClosedLoop(problem, guide, toward, record, run or Run())
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
        self,
        problem: AndOrProblem[Node, Action],
        guide: Guide[Node, Action],
        toward: Toward[Node, Action] | None,
        record: Record[Node, Action],
        run: Run,
    ) -> None:
        self.problem = problem
        self.dead: dict[Node, int] = {}  # with the parts for which they are
        self.banned: set[tuple[Node, Action]] = set()  # what leads back, from where that was of no use
        self.won: dict[Node, _Won[Node, Action]] = {}
        self.under_way: set[Node] = set()  # the nodes on the paths that are being completed
        self.met_way = False  # whether the present path was kept from going back to those
        self._agreement = Agreement(problem.restricted)  # what is won
        self._lost = Agreement(problem.restricted)  # the same
        self._met: dict[Node, None] = {}  # the nodes to which the present path may lead
        self._guide, self._toward, self._record, self._run = guide, toward, record, Run(run.budget)
        self._known: dict[Node, tuple[list[float], Iterable[Action]]] = {}
        self._expanded = self._generated = 0
        self.cyclic_plan: StrongCyclic[Node, Action] | None = None  # while it is made
        self.cyclic: ConditionalPlan[Action, Any] | None = None
        record.watch(self._known.__len__)

    def run(self, *, soon: bool) -> SearchResult[Action]:
        root, record = self.problem.initial_node(), self._record
        if self.problem.may_keep_trying():
            self._keep_trying(root)
            if self.is_lost(root):
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
        if self.is_lost(root):
            return record.unsolvable()
        return whole_graph_decides(self.problem, root, record, keep_trying=True)

    def _keep_trying(self, root: Node) -> None:
        """Find a plan that keeps trying, unless there is none; note what is won if it is sure to end."""
        plan = self.cyclic_plan = StrongCyclic(self.problem, self._path_back, self.is_lost, self._lose)
        is_found = plan.search(root)
        self.cyclic_plan = None
        first = plan.start_from(root)
        if not is_found or first is None or first not in plan.steps:
            return
        steps = plan.steps

        def following(node: Node) -> list[Node]:
            return [target for target in steps[node].then.values() if target in steps]

        try:
            for node in TopologicalSorter({node: following(node) for node in walk([first], following)}).static_order():
                then = steps[node].then
                self._win(node, steps[node].action, {child: then[child] for child in then if then[child] in steps})
        except CycleError:
            self.cyclic = plan_graph(
                self.problem, first, lambda node: steps[node].action, lambda node, _: steps[node].then
            )

    def _path_back(self, node: Node, meant: Node | None) -> list[tuple[Node, Action, Node]] | None:
        """Return a weak plan to what is covered; so that few steps do, to what was meant to follow if that is near."""
        path = None
        if meant is not None and self._toward is not None:
            path = self._path(node, self._guided_to(meant, self._toward))
        return self._path(node) if path is None else path

    def is_lost(self, node: Node) -> bool:
        """Whether no plan at all wins from a node, as far as is known."""
        return self._parts_lost(node) is not None

    def _parts_lost(self, node: Node) -> int | None:
        """Return the parts for which a node is lost, by one that is and agrees with it; None if none is known."""
        found = next(self._lost.like(node), None)
        return None if found is None else self.dead[found]

    def _lose(self, root: Node) -> None:
        """Note that a node is lost from which no path was found, and so is all that agrees in what sees to that."""
        if self._is_unreachable(root):
            return
        for node, parts in (self.problem.parts_stuck(self._met, self._parts_lost) or {root: WHOLE}).items():
            if not self.is_lost(node):
                self._add_lost(node, parts)

    def _is_unreachable(self, node: Node) -> bool:
        """Whether no outcomes lead from a node to a goal, as far as the problem tells; if so it is noted."""
        parts = self.problem.parts_unreachable(node)
        if parts is not None and not self.is_lost(node):
            self._add_lost(node, parts)
        return parts is not None

    def _add_lost(self, node: Node, parts: int) -> None:
        self.dead[node] = parts
        self._lost.add(node, parts)

    def is_won(self, node: Node) -> bool:
        """Say whether a plan from a node is known, or being made."""
        if self.problem.is_goal(node):
            return True
        return self._stand_in(node) is not None if self.cyclic_plan is None else self.cyclic_plan.covers(node)

    def _stand_in(self, node: Node) -> Node | None:
        """Return a node whose plan wins from this one as well, if one is known."""
        known = self._agreement.like(node)
        return next((found for found in known if self.problem.most(node, self.won[found].costs) < inf), None)

    def _wins(self, root: Node) -> Calls[bool]:
        """Find a plan from `root`; if none is found it is `dead`, or else would have to lead back."""
        while not self.is_won(root):
            path = self._path(root)
            if path is None:
                if not self.met_way:
                    self._lose(root)
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
                if not self.is_lost(child):
                    self.banned.add((node, action))
                return True
        return False

    def _win(self, node: Node, action: Action, then: dict[Node, Node] | None = None) -> None:
        """Note that a node is won, by an action all of whose outcomes were won before, so that nothing leads back.

        `then` has by outcome the node whose plan is followed there; the goals are left out.
        """
        if then is None:
            children = (child for _, child in self.problem.outcomes(node, action) if not self.problem.is_goal(child))
            found = ((child, self._stand_in(child)) for child in children)
            then = {child: stand_in for child, stand_in in found if stand_in is not None}
        parts, costs = {}, {}
        for _, child in self.problem.outcomes(node, action):
            won = self.won[then[child]] if child in then else None
            parts[child] = self.problem.parts_at_end(child) if won is None else won.parts
            costs[child] = self.problem.costs_at_end() if won is None else won.costs
        matter = self.problem.parts_before(node, action, parts)
        self.won[node] = _Won(action, then, matter, self.problem.costs_before(node, action, costs))
        self._agreement.add(node, matter)

    def _path(
        self, root: Node, guided: Guide[Node, _Chosen[Action, Node]] | None = None
    ) -> list[tuple[Node, Action, Node]] | None:
        """Return a path from `root` to what is won, with the outcomes taken; None if there is none."""
        self.met_way = False
        self._met = {}
        result = lazy_best_first_search(_AsIfChosen(self, root), guided or self._guided, run=self._run)
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
        if estimates[0] == inf and self._is_unreachable(node):
            return estimates, iter(())
        self._met[node] = None
        preferred = [*preferred]  # it may be an iterator, which takes time where there are many actions
        self._known[node] = estimates, preferred
        return estimates, self.choices(node, preferred)

    def _guided_to(self, meant: Node, toward: Toward[Node, Action]) -> Guide[Node, _Chosen[Action, Node]]:
        """Return the guide of a search that is local: it ends after few nodes."""
        assert self.cyclic_plan is not None
        parts, left = self.cyclic_plan.steps[meant].parts, _LOCAL

        def guided(node: Node) -> tuple[Sequence[float], Iterator[_Chosen[Action, Node]]]:
            nonlocal left
            left -= 1
            estimates, preferred = toward(node, meant, parts) if left >= 0 else ((inf,), ())
            if estimates[0] < inf:
                self._met[node] = None
            return estimates, self.choices(node, preferred)

        return guided

    def _estimated(self, node: Node) -> tuple[list[float], Iterable[Action]]:
        found = self._known.get(node)
        if found is None:
            estimates, preferred = self._guide(node)
            found = self._known[node] = [*estimates], preferred
        return found

    def choices(self, node: Node, actions: Iterable[Action]) -> Iterator[_Chosen[Action, Node]]:
        """Yield these actions with each outcome, but for those that do not win; the risky ones last."""
        risky: list[_Chosen[Action, Node]] = []
        if node not in self._met:
            return
        for action in actions:
            children = self._outcomes_of(node, action)
            if self.cyclic_plan is None:
                yield from ((action, child) for child in children)
                continue
            taken = [(action, child) for child in self._undominated(node, children)]
            seem_lost = [child for child in children if len(children) > 1 and self._seems_lost(child)]
            if not seem_lost:
                yield from taken
            elif not self.problem.forbids(action) and not (self.dead and any(map(self._is_unreachable, seem_lost))):
                risky += taken
        yield from risky

    def _undominated(self, node: Node, children: Iterable[Node]) -> list[Node]:
        """Return outcomes of an action, without those from which no more wins than from the node, or from another."""
        found: list[Node] = []
        for child in children:
            if not any(self.problem.includes(child, other) for other in (node, *found)):
                found = [other for other in found if not self.problem.includes(other, child)]
                found.append(child)
        return found

    def _seems_lost(self, node: Node) -> bool:
        return not self.is_won(node) and self._estimated(node)[0][0] == inf

    def _outcomes_of(self, node: Node, action: Action) -> Collection[Node]:
        """Return the outcomes of an action; none if it does not win."""
        if (node, action) in self.banned:
            self.met_way = True
            return ()
        children = dict.fromkeys(child for _, child in self.problem.outcomes(node, action))
        if any(map(self.is_lost, children)):
            return ()
        if self.cyclic_plan is None and (not self.under_way.isdisjoint(children) or node in children):
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
