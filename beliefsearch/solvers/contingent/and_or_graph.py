"""AND-OR search over the whole graph: first all reachable nodes, then backward from the goals.

The backward pass is Dijkstra's algorithm for AND-OR graphs: D. Knuth, "A generalization of Dijkstra's algorithm"
(1977). If no plan is sure to win within some number of actions, there may be a *strong cyclic* one, which keeps trying:
A. Cimatti, M. Pistore, M. Roveri and P. Traverso, "Weak, strong, and strong cyclic planning via symbolic model
checking" (2003).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from heapq import heappop, heappush
from math import inf
from typing import Generic, TypeVar

from attrs import frozen

from ...belief_space.and_or import AndOrProblem
from ...model.base import Action, Cost
from ...plans.result import SearchResult
from ...running.limits import EffortExceeded
from ...running.run import Record, Run
from .plan_graph import plan_graph

Node = TypeVar("Node", bound=Hashable)

# The effort is not extrapolated from the first nodes, which cost most, nor soon after. The nodes that wait may cost so
# many times less than those before them.
_FIRST = 16
_MARGIN = 2


def and_or_graph_search(problem: AndOrProblem[Node, Action], *, run: Run | None = None) -> SearchResult[Action]:
    """Find a conditional plan of least worst-case cost, else a strong cyclic one, or prove that there is none.

    A strong cyclic plan has infinite cost: from everywhere on it the goal can be reached, so that it wins with
    certainty unless chance is an adversary. O(n log n) for the outcomes n of all nodes that can come up, times the
    rounds of the fixpoint where only cyclic plans win; everything that can come up is held in memory.
    """
    record: Record[Node, Action] = Record("and-or-graph", problem, run)
    with record:
        return whole_graph_decides(problem, problem.initial_node(), record, keep_trying=True)
    return record.undecided()


def whole_graph_decides(
    problem: AndOrProblem[Node, Action], root: Node, record: Record[Node, Action], *, keep_trying: bool = False
) -> SearchResult[Action]:
    """Find a plan that is sure to end, or else, with `keep_trying`, a strong cyclic one."""
    graph = AndOrGraph(problem, [root], record)
    chosen, cost = graph.least_costs()
    cyclic = 0 not in cost and keep_trying and problem.may_keep_trying()
    if cyclic:
        chosen, _ = graph.strong_cyclic()
    if 0 not in chosen and not graph.goals[0]:
        return record.unsolvable(cyclic=cyclic)
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

    Where steps are counted it raises `EffortExceeded` as soon as the nodes that wait would take more steps than are
    left, at the average so far.
    """

    def __init__(
        self, problem: AndOrProblem[Node, Action], roots: Iterable[Node], record: Record[Node, Action] | None = None
    ) -> None:
        self.nodes: list[Node] = list(dict.fromkeys(roots))
        self.number_of: dict[Node, int] = {root: number for number, root in enumerate(self.nodes)}
        self.goals: list[bool] = []
        self._options_of: list[list[_Option[Action]]] = []
        self._options_into: defaultdict[int, list[_Option[Action]]] = defaultdict(list)  # by outcome
        record = record or Record("and-or-graph", problem)
        record.watch(lambda: len(self.nodes))
        at_first = inf
        for number, node in enumerate(self.nodes):  # grows while it is walked
            left, waiting = problem.steps_left(), len(self.nodes) - number
            if number <= _FIRST:
                at_first = left
            elif number >= 2 * _FIRST and (at_first - left) * waiting > _MARGIN * left * (number - _FIRST):
                raise EffortExceeded
            self.goals.append(problem.is_goal(node))
            self._options_of.append([])
            if self.goals[number]:
                continue
            record.expand(node, 0, waiting)
            for action in problem.actions(node):
                children = dict.fromkeys(self._number(child) for _, child in problem.outcomes(node, action))
                record.generate_many(len(children))
                cost = problem.action_cost(node, action)
                option = _Option(number, action, cost, tuple(children))
                self._options_of[number].append(option)
                for child in children:
                    self._options_into[child].append(option)

    def _number(self, node: Node) -> int:
        number = self.number_of.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def least_costs(self) -> tuple[dict[int, Action], dict[int, Cost]]:
        """Return, for the nodes from which a plan is sure to win, the first action of a cheapest plan, and its cost."""
        cost: dict[int, Cost] = {}
        chosen: dict[int, Action] = {}
        missing = {id(option): len(option.children) for options in self._options_of for option in options}
        frontier: list[tuple[Cost, int, int, _Option[Action] | None]]
        frontier = [(0, number, number, None) for number, goal in enumerate(self.goals) if goal]
        age = len(self.nodes)
        while frontier:
            g, _, number, option = heappop(frontier)
            if number in cost:
                continue
            cost[number] = g
            if option is not None:
                chosen[number] = option.action
            for parent in self._options_into[number]:
                missing[id(parent)] -= 1
                # Nodes are settled in the order of their costs, so the last outcome is the worst.
                if not missing[id(parent)] and parent.node not in cost:
                    age += 1
                    heappush(frontier, (g + parent.cost, age, parent.node, parent))
        return chosen, cost

    def strong_cyclic(self) -> tuple[dict[int, Action], dict[int, int]]:
        """Return the actions of strong cyclic plans, and, for all other nodes, the round in which they proved lost.

        Nodes that cannot reach a goal by actions all of whose outcomes remain are removed, round by round. The actions
        lead nearer to a goal, from each node from which one always stays reachable.
        """
        remaining = set(range(len(self.nodes)))
        lost: dict[int, int] = {}
        while True:
            chosen: dict[int, Action] = {}
            reached = [number for number, goal in enumerate(self.goals) if goal]
            met = set(reached)
            for number in reached:  # grows while it is walked: the nearest first
                for option in self._options_into[number]:
                    if option.node not in met and remaining.issuperset(option.children):
                        met.add(option.node)
                        reached.append(option.node)
                        chosen[option.node] = option.action
            if len(met) == len(remaining):
                return chosen, lost
            lost.update(dict.fromkeys(remaining - met, max(lost.values(), default=0) + 1))
            remaining = met

    def children_of(self, number: int) -> Iterator[tuple[int, ...]]:
        """Return the outcomes of each action of a node."""
        return (option.children for option in self._options_of[number])
