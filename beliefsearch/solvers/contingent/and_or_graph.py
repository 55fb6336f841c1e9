"""AND-OR search over the whole graph: first all reachable nodes, then backwards from the goals.

Going back is Dijkstra's algorithm for AND-OR graphs: D. Knuth, "A generalization of Dijkstra's algorithm" (1977).
If no plan is sure to win within some number of actions, there may be one that keeps trying (*strong cyclic*):
A. Cimatti, M. Pistore, M. Roveri and P. Traverso, "Weak, strong, and strong cyclic planning via symbolic model
checking" (2003).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from heapq import heappop, heappush
from math import inf
from typing import Generic, TypeVar

from attrs import frozen

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...plans.result import SearchResult
from ...running.limits import Budget, Outgrown
from ...running.observer import Observer
from ...running.run import Record
from .plan_graph import plan_graph

Node = TypeVar("Node", bound=Hashable)

# The first nodes cost most, as everything is asked there for the first time: nothing is foreseen from them, nor soon
# after. And the nodes that wait may cost so many times less than those before them.
_FIRST = 16
_MARGIN = 2


def and_or_graph_search(
    problem: AndOrProblem[Node, Action],
    *,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> SearchResult[Action]:
    """Find a conditional plan of least worst-case cost, else one that keeps trying, or prove that there is none.

    One that keeps trying has infinite cost: from everywhere on it the goal can be reached, so that it wins with
    certainty unless chance is an adversary. O(n log n) for the outcomes n of all nodes that can come up, times the
    rounds of the fixpoint where only cyclic plans win; everything that can come up is held in memory.
    """
    record: Record[Node, Action] = Record("and-or-graph", problem, budget, observer)
    with record:
        return whole_graph_decides(problem, problem.initial_node(), record, keep_trying=True)
    return record.undecided()


def whole_graph_decides(
    problem: AndOrProblem[Node, Action], root: Node, record: Record[Node, Action], *, keep_trying: bool = False
) -> SearchResult[Action]:
    """Whether there is a plan that is sure to end, or else, with `keep_trying`, one that keeps trying."""
    graph = AndOrGraph(problem, [root], record)
    chosen, cost = graph.least_costs()
    if 0 not in cost and keep_trying and problem.may_keep_trying():
        chosen = graph.keep_trying()
    if 0 not in chosen and not graph.goals[0]:
        return record.unsolvable()
    plan = plan_graph(problem, root, lambda node: chosen[graph.number_of[node]])
    least = cost.get(0, inf)
    return record.solved(plan, least, least)


@frozen
class _Option(Generic[Action]):
    """An action in a node, with the numbers of its outcomes."""

    node: int
    action: Action
    cost: Cost
    children: tuple[int, ...]


class AndOrGraph(Generic[Node, Action]):
    """The graph of all nodes that can be reached from `roots`, which come first; goals have no successors.

    Where steps are counted it raises `Outgrown` as soon as it can be foreseen that those left will not suffice: when
    the nodes that wait would take more, at the average so far.
    """

    def __init__(
        self, problem: AndOrProblem[Node, Action], roots: Iterable[Node], record: Record[Node, Action] | None = None
    ) -> None:
        self.nodes: list[Node] = list(dict.fromkeys(roots))
        self.number_of: dict[Node, int] = {root: number for number, root in enumerate(self.nodes)}
        self.goals: list[bool] = []
        self._options_of: list[list[_Option[Action]]] = []
        if record is not None:
            record.watch(lambda: len(self.nodes))
        at_first = inf
        for number, node in enumerate(self.nodes):  # grows while it is walked
            if number == _FIRST:
                at_first = problem.steps_left()
            elif number >= 2 * _FIRST:
                left = problem.steps_left()
                waiting = len(self.nodes) - number
                if (at_first - left) * waiting > _MARGIN * left * (number - _FIRST):
                    raise Outgrown
            self.goals.append(problem.is_goal(node))
            self._options_of.append([])
            if self.goals[number]:
                continue
            if record is not None:
                record.expand(node, 0, len(self.nodes) - number)
            for action in problem.actions(node):
                children = dict.fromkeys(self._number(child) for _, child in problem.outcomes(node, action))
                if record is not None:
                    record.generate_many(len(children))
                cost = problem.action_cost(node, action)
                self._options_of[number].append(_Option(number, action, cost, tuple(children)))

    def _number(self, node: Node) -> int:
        number = self.number_of.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def least_costs(self) -> tuple[dict[int, Action], dict[int, Cost]]:
        """For the nodes from which a plan is sure to win: the first action of a cheapest plan, and its cost."""
        cost: dict[int, Cost] = {}
        chosen: dict[int, Action] = {}
        into = self._options_into()
        missing = {id(option): len(option.children) for options in self._options_of for option in options}
        frontier: list[tuple[Cost, int, int, _Option[Action] | None]] = []
        for number, goal in enumerate(self.goals):
            if goal:
                frontier.append((0, number, number, None))
        age = len(self.nodes)
        while frontier:
            g, _, number, option = heappop(frontier)
            if number in cost:
                continue
            cost[number] = g
            if option is not None:
                chosen[number] = option.action
            for parent in into[number]:
                missing[id(parent)] -= 1
                # Nodes are settled in the order of their costs, so the last outcome is the worst.
                if not missing[id(parent)] and parent.node not in cost:
                    age += 1
                    heappush(frontier, (g + parent.cost, age, parent.node, parent))
        return chosen, cost

    def keep_trying(self) -> dict[int, Action]:
        """For the nodes from which a goal always stays reachable: an action that leads nearer to one."""
        return self._sift()[0]

    def lost(self) -> dict[int, int]:
        """For the other nodes: the round in which they were found to be lost.

        From those of the first round no action leads on to a goal; in a later round an action may also be no good
        because it may lead to a node of an earlier one.
        """
        return self._sift()[1]

    def children_of(self, number: int) -> Iterator[tuple[int, ...]]:
        """The outcomes of each action of a node."""
        return (option.children for option in self._options_of[number])

    def _sift(self) -> tuple[dict[int, Action], dict[int, int]]:
        """Repeatedly remove the nodes that cannot reach a goal by actions all of whose outcomes remain."""
        into = self._options_into()
        remaining = set(range(len(self.nodes)))
        lost: dict[int, int] = {}
        while True:
            chosen: dict[int, Action] = {}
            reached = [number for number, goal in enumerate(self.goals) if goal]
            met = set(reached)
            for number in reached:  # grows while it is walked: the nearest first
                for option in into[number]:
                    if option.node not in met and remaining.issuperset(option.children):
                        met.add(option.node)
                        reached.append(option.node)
                        chosen[option.node] = option.action
            if len(met) == len(remaining):
                return chosen, lost
            this_round = max(lost.values(), default=0) + 1
            lost.update(dict.fromkeys(remaining - met, this_round))
            remaining = met

    def _options_into(self) -> list[list[_Option[Action]]]:
        """By node: the options of which it is an outcome."""
        into: list[list[_Option[Action]]] = [[] for _ in self.nodes]
        for options in self._options_of:
            for option in options:
                for child in option.children:
                    into[child].append(option)
        return into
