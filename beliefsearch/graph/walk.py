"""The walk over reachable nodes that makes most graphs, and the attributes of nodes that stand for states."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from itertools import count
from typing import Any, Generic, TypeVar

from ..model.adapters import Unreduced
from ..model.base import Cost
from ..model.exact import exact, shown
from ..model.problem import BeliefProblem
from ..model.reachability import reachable_states
from ..plans.encoding import number_to_json
from ..plans.wording import side_by_side
from ..running.limits import STOPS, Budget, EffortExceeded, LimitReached
from ..solvers.path.distance_table import costs_to_go
from .stream import GraphStream, Kinds, Row, kinds_by_level, kinds_of

Node = TypeVar("Node")

_LONGEST_LABEL = 60
# The most results that are explored to count states without symmetry.
_MOST_RESULTS = 2**15
# The most edges of a graph whose nodes have costs to the goal.
_MOST_EDGES = 500_000


def arrangements_of(problem: BeliefProblem[Any, Any, Any], budget: Budget) -> Mapping[Any, int]:
    """Return the number of states that each canonical state stands for; empty without symmetry, or if too many."""
    if not problem.overrides("canonical"):
        return {}
    looks = count()

    def tick() -> None:
        budget.tick()
        if next(looks) > _MOST_RESULTS:
            raise EffortExceeded

    try:
        found = Counter(problem.canonical(state) for state in reachable_states(Unreduced(problem), tick))
        return found if max(found.values()) > 1 else {}
    except (EffortExceeded, LimitReached):  # the walk itself will meet the limit again
        return {}


def states_node(members: Sequence[str], g: Any, goal: bool, **marks: Any) -> dict[str, Any]:
    """The attributes of a node for these states; its label names them, or counts them if there are many."""
    text = side_by_side(members)
    label = text if len(text) <= _LONGEST_LABEL else f"{len(members)} states"
    return {"members": members, "size": len(members), "g": g, "goal": goal, **marks, "label": label}


class Walk(GraphStream, Generic[Node]):
    """The graph reachable from the roots, incomplete if a limit is reached.

    Nodes are numbered in the order of their distance from the roots, and of discovery. For each node only the node, its
    distance and whether it is a goal are stored; an edge takes eight bytes.

    `describe` makes the attributes of a node from the node, its distance, and whether it is a goal. `follow` yields the
    successors of a node, each with the cost and the attributes of the edge. With `at_once` nodes are described during
    the walk, within the limits, and the rows stored; otherwise whenever they are asked for. `optional` are attributes
    that only some nodes have.
    """

    def __init__(
        self,
        roots: Callable[[], Iterable[Node]],
        is_goal: Callable[[Node], bool],
        describe: Callable[[Node, Cost, bool], Row],
        follow: Callable[[Node, bool], Iterable[tuple[Node, Cost, Row]]],
        *,
        max_nodes: int | None,
        budget: Budget,
        at_once: bool = True,
        optional: Mapping[str, type] | None = None,
    ) -> None:
        self.about = {"complete": True, "stopped": ""}
        self._describe = describe
        self._optional = dict(optional or {})
        # In order of discovery: the nodes, and their distances.
        self._found: dict[Node, int] = {}
        self._distances: list[Cost] = []
        # By number: the place in order of discovery, whether it is a goal, the end of its edges, perhaps its row.
        self._order = array("l")
        self._goals = bytearray()
        self._ends = array("l")
        self._rows: list[Row] | None = [] if at_once else None
        # By edge: the discovery of its head, and the place of its attributes in the list of different rows.
        self._heads, self._data = array("I"), array("I")
        self._all_data: list[Row] = []
        self._marked_nodes: set[int] = set()
        self._marked_edges: set[int] = set()
        try:
            self._walk(roots, is_goal, follow, max_nodes, budget)
        except STOPS as stop:
            self.stop(budget.why(stop))
        self._settle()

    def _walk(self, roots: Any, is_goal: Any, follow: Any, max_nodes: int | None, budget: Budget) -> None:
        found, distances = self._found, self._distances
        number_of_data: dict[tuple[object, ...], int] = {}
        frontier: list[tuple[Cost, int, int, Node]] = []
        numbered = bytearray()  # by discovery
        ages = count()

        def reach(node: Node, g: Cost) -> int:
            budget.tick()
            discovery = found.setdefault(node, len(distances))
            if discovery == len(distances):
                distances.append(g)
                numbered.append(0)
            elif g < distances[discovery]:
                distances[discovery] = g
            else:
                return discovery
            heappush(frontier, (g, next(ages), discovery, node))
            return discovery

        for root in roots():
            reach(root, 0)
        while frontier:
            g, _, discovery, node = heappop(frontier)
            if numbered[discovery]:
                continue  # reached before, more cheaply
            if max_nodes is not None and len(self._order) >= max_nodes:
                raise LimitReached(f"the limit of {max_nodes} nodes was reached")
            budget.tick()
            goal = is_goal(node)
            if self._rows is not None:
                self._rows.append(self._describe(node, g, goal))
            self._goals.append(goal)
            self._order.append(discovery)
            numbered[discovery] = 1
            for child, cost, data in follow(node, goal):
                key = (*data.values(), *map(type, data.values()))  # 1 and 1.0 are equal
                place = number_of_data.setdefault(key, len(self._all_data))
                if place == len(self._all_data):
                    self._all_data.append(data)
                self._data.append(place)
                self._heads.append(reach(child, g + cost))
            self._ends.append(len(self._heads))

    def _settle(self) -> None:
        """Number the nodes, and drop what a limit left half done."""
        size = len(self._order) if self._rows is None else min(len(self._order), len(self._rows))
        del self._order[size:]
        edges = min(len(self._heads), len(self._data))
        if len(self._ends) < size:
            self._ends.append(edges)
        self._numbers = array("l", [-1]) * len(self._found)
        for number, discovery in enumerate(self._order):
            self._numbers[discovery] = number

    def stop(self, why: str) -> None:
        """Mark the graph as incomplete, for this reason."""
        self.about.update(complete=False, stopped=why)

    def number(self, node: Node) -> int | None:
        """The number of a node; None if it is not in the graph."""
        discovery = self._found.get(node)
        number = -1 if discovery is None or discovery >= len(self._numbers) else self._numbers[discovery]
        return None if number < 0 else number

    def mark(self, number: int, head: int | None = None, action: str = "") -> None:
        """Mark a node as on the plan; or the edges from it to `head` for an action."""
        if head is None:
            self._marked_nodes.add(number)
            return
        for edge in self._edges_of(number):
            if self._numbers[self._heads[edge]] == head and self._all_data[self._data[edge]]["action"] == action:
                self._marked_edges.add(edge)

    def _edges_of(self, number: int) -> range:
        return range(self._ends[number - 1] if number else 0, self._ends[number])

    def levels(self) -> list[Cost]:
        return [self._distances[discovery] for discovery in self._order]

    def nodes(self) -> Iterator[tuple[int, Row]]:
        for number, row in enumerate(self._described() if self._rows is None else self._rows):
            more: Row = {} if number not in self._costs_to_go else {"cost_to_go": self._costs_to_go[number]}
            yield number, {**row, **more, "on_plan": True} if number in self._marked_nodes else {**row, **more}

    @cached_property
    def _costs_to_go(self) -> Mapping[int, Any]:
        """Least cost to a goal by node, as JSON; empty if the graph is incomplete or too large."""
        if not self.about["complete"] or len(self._heads) > _MOST_EDGES:
            return {}
        goals = (number for number, goal in enumerate(self._goals) if goal)
        edges = ((tail, head, row["action"], exact(Fraction(row["cost"]))) for tail, head, row in self.edges())
        return {node: number_to_json(shown(cost)) for node, cost in costs_to_go(goals, edges).items()}

    def _described(self) -> Iterator[Row]:
        found = list(self._found)
        for discovery, goal in zip(self._order, self._goals, strict=False):
            yield self._describe(found[discovery], self._distances[discovery], bool(goal))

    def edges(self) -> Iterator[tuple[int, int, Row]]:
        numbers, heads, data, all_data = self._numbers, self._heads, self._data, self._all_data
        for tail in range(len(self._order)):
            for edge in self._edges_of(tail):
                head = numbers[heads[edge]]
                if head >= 0:  # else the walk was stopped before the head
                    row = all_data[data[edge]]
                    yield tail, head, {**row, "on_plan": True} if edge in self._marked_edges else row

    def number_of_edges(self) -> int:
        if self.about["complete"]:
            return len(self._heads)
        last = self._ends[-1] if self._ends else 0
        return sum(self._numbers[head] >= 0 for head in self._heads[:last])

    def node_kinds(self) -> Kinds:
        if self._rows is not None or not self._order:
            return super().node_kinds()
        costs = kinds_of({"cost_to_go": cost} for cost in set(self._costs_to_go.values()))
        return kinds_by_level(next(self._described()), "g", self.levels(), {**self._optional, **costs})

    def edge_kinds(self) -> Kinds:
        return kinds_of(self._all_data)
