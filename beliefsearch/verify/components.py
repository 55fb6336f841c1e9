"""The strongly connected components of a graph: sets of states each of which can be reached from the others.

Treated in an order in which every component comes after those that it leads to, only the components that
have a cycle need more than one look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def components(
    count: int, successors: Callable[[int], Iterable[int]], tick: Callable[[], None]
) -> Iterator[tuple[list[int], bool]]:
    """Each component and whether it has a cycle, after all components that can be reached from it.

    States are numbered from 0 to `count`, `successors` may repeat some. R. Tarjan, "Depth-first search and linear graph
    algorithms", SIAM Journal on Computing 1 (1972), with a stack of its own, since games may be longer than Python's.
    Linear in the number of outcomes.
    """
    unseen, closed = -1, count
    order = [unseen] * count  # when a state was met; `closed` once its component is known
    low = [0] * count  # the earliest state that is known to be reachable from it
    waiting: list[int] = []
    path: list[tuple[int, Iterator[int]]] = []
    met = 0
    for root in range(count):
        if order[root] != unseen:
            continue
        order[root] = low[root] = met
        met += 1
        waiting.append(root)
        path.append((root, iter(successors(root))))
        while path:
            state, following = path[-1]
            for result in following:
                if order[result] == unseen:
                    order[result] = low[result] = met
                    met += 1
                    waiting.append(result)
                    path.append((result, iter(successors(result))))
                    break
                if order[result] != closed and order[result] < low[state]:
                    low[state] = order[result]
            else:
                tick()
                path.pop()
                if path and low[state] < low[path[-1][0]]:
                    low[path[-1][0]] = low[state]
                if low[state] == order[state]:
                    component = []
                    while True:
                        member = waiting.pop()
                        order[member] = closed
                        component.append(member)
                        if member == state:
                            break
                    component.reverse()
                    yield component, len(component) > 1 or state in successors(state)
