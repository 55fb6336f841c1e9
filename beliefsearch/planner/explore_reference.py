"""Layers of nodes found one by one, on the author's own states and frozensets: what is faster must count the same."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable
from itertools import islice
from typing import Any, Generic, TypeVar

from ..belief_space.explored_nodes import Nodes
from ..running.observer import Observer

Node = TypeVar("Node", bound=Hashable)
_PROGRESS_MASK = 1023


class NaiveLayers(Generic[Node]):
    """Breadth-first layers from the starts of `nodes`; `counts` has the number of nodes in each complete layer.

    `tick` is called for every result, and raises to stop; `note` of every move, with the numbers of the node that it
    leads from and of its results.
    """

    cut_off = 0
    seconds_before = 0.0

    def __init__(
        self,
        nodes: Nodes[Node],
        tick: Callable[[], None],
        observer: Observer,
        note: Callable[[int, list[int]], None] = lambda node, results: None,
    ) -> None:
        self.counts: list[int] = []
        self.numbers: dict[Node, int] = {}  # by node, in the order in which they were met
        self._nodes = nodes
        self._tick = tick
        self._observer = observer
        self._note = note
        self._expanded = 0
        self._layers: list[list[Node]] = []
        self._counted = 0

    def advance(self) -> int:
        """Find the next layer; how many nodes it has, 0 if there are no others."""
        numbers = self.numbers
        found: list[Node] = []
        if not self._layers:
            for node in self._nodes.starts():
                self._tick()
                self._meet(node, found)
        for node in self._layers[-1] if self._layers else ():
            self._look(len(found))
            for move in self._nodes.moves(node):
                results = []
                for child in move:
                    self._tick()
                    results.append(self._meet(child, found))
                self._note(numbers[node], results)
        if found:
            count = len({self._nodes.counted_as(node) for node in found})
            self._layers.append(found)
            self.counts.append(count)
            self._counted += count
            self._observer.layer_finished(len(self.counts) - 1, count, self._counted)
        return self.counts[-1] if found else 0

    def last(self, most: int) -> list[Any]:
        """Return at most so many nodes of the last layer, those that were met first."""
        layer = self._layers[len(self.counts) - 1] if self.counts else []
        return list(islice(dict.fromkeys(self._nodes.counted_as(node) for node in layer), most))

    def _meet(self, node: Node, found: list[Node]) -> int:
        """The number of a node; one that is new gets the next, and is added to `found`."""
        following = len(self.numbers)
        number = self.numbers.setdefault(node, following)
        if number == following:
            found.append(node)
        return number

    def _look(self, found: int) -> None:
        self._tick()
        self._expanded += 1
        if not self._expanded & _PROGRESS_MASK:
            self._observer.progressed(len(self._layers) - 1, self._expanded, found, len(self.numbers))


class LayersToGoals(Generic[Node]):
    """Layers of nodes reachable from the starts, by distance to the goals, once all of them are found.

    Where a move may have several results, the distance is the number of moves after which the best plan has won at the
    latest. O(results) time and memory. `counts` is empty as long as not everything is found; `cut_off` says from how
    many nodes no plan is sure to win, and is 0 as long as that is not known.
    """

    seconds_before = 0.0

    def __init__(self, nodes: Nodes[Node], tick: Callable[[], None], observer: Observer) -> None:
        self.counts: list[int] = []
        self.cut_off = 0
        self._nodes = nodes
        self._tick = tick
        self._forward = NaiveLayers(nodes, tick, observer, self._note)
        self._into: dict[int, array[int]] = {}  # by result: the moves that lead there
        self._owners = array("q")  # by move: the node that it leads from
        self._open_results = array("q")  # by move: how many results lie in no layer yet
        self._names: list[Node] = []
        self._settled = bytearray()
        self._layers: list[list[int]] = []

    def advance(self) -> int:
        """Find the next layer, before the first all reachable nodes; return its number of nodes, 0 for no others."""
        found = self._next() if self._layers else self._goals()
        if not found:
            self.cut_off = len(self._names) - sum(self.counts)
            return 0
        self._layers.append(found)
        self.counts.append(len(found))
        return len(found)

    def last(self, most: int) -> list[Any]:
        """At most so many nodes of the last layer, those that were met first."""
        layer = self._layers[len(self.counts) - 1] if self.counts else []
        return [self._names[number] for number in sorted(layer)[:most]]

    def _note(self, node: int, results: list[int]) -> None:
        different = set(results)
        for result in different:
            self._into.setdefault(result, array("q")).append(len(self._owners))
        self._owners.append(node)
        self._open_results.append(len(different))

    def _goals(self) -> list[int]:
        """Find everything, and the goals in it."""
        while self._forward.advance():
            pass
        self._names = list(self._forward.numbers)
        self._settled = bytearray(len(self._names))
        goals = []
        for number, node in enumerate(self._names):
            self._tick()
            if self._nodes.is_goal(node):
                self._settled[number] = True
                goals.append(number)
        return goals

    def _next(self) -> list[int]:
        """The nodes with a move whose results all lie in the layers so far, and that lie in none of these."""
        open_results, owners, settled = self._open_results, self._owners, self._settled
        found = []
        for number in self._layers[-1]:
            for move in self._into.get(number, ()):
                self._tick()
                open_results[move] -= 1
                owner = owners[move]
                if not open_results[move] and not settled[owner]:
                    settled[owner] = True
                    found.append(owner)
        return found
