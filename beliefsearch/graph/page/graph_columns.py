"""A graph as columns for a page: nodes by layers, breadth-first, up to as many as a page can hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from attrs import define, field, frozen

from ...running.limits import EffortExceeded
from .tables import MOST_EDGES, Tables, most_members, name_text


@frozen
class Step:
    """An edge: what is done, what is perceived, where that leads, and with which probability where chance decides."""

    action: Any
    percept: Any
    target: Hashable
    probability: Any = None


@define
class Layers:
    """The nodes of a graph in the order in which they are met, and its edges.

    Attributes
    ----------
    nodes, number_of
        The nodes, and their numbers.
    layer
        By node: the fewest steps from the first one.
    edges
        The number of the node, the step, and the number of the node it leads to.
    complete
        Whether all nodes and edges are there.
    """

    nodes: list[Any] = field(factory=list)
    number_of: dict[Any, int] = field(factory=dict)
    layer: list[int] = field(factory=list)
    edges: list[tuple[int, Step, int]] = field(factory=list)
    complete: bool = True


def walk(
    root: Hashable,
    steps: Callable[[Any], Iterable[Step]],
    most_nodes: int,
    tick: Callable[[], None],
    *,
    or_nothing: bool = False,
) -> Layers:
    """The graph from `root`, breadth-first, as far as there is room, or until `steps` raises `EffortExceeded`.

    With `or_nothing` the walk ends as soon as it is known that there is no room for all.
    """
    found = Layers([root], {root: 0}, [0])
    try:
        _walk(found, steps, most_nodes, tick, or_nothing)
    except EffortExceeded:
        found.complete = False
    return found


def _walk(
    found: Layers,
    steps: Callable[[Any], Iterable[Step]],
    most_nodes: int,
    tick: Callable[[], None],
    or_nothing: bool,
) -> None:
    for number, node in enumerate(found.nodes):  # grows while it is walked
        tick()
        for step in steps(node):
            if len(found.edges) >= MOST_EDGES:
                raise EffortExceeded
            target = found.number_of.get(step.target)
            if target is None:
                if len(found.nodes) >= most_nodes:
                    found.complete = False
                    if or_nothing:
                        return
                    continue
                target = found.number_of[step.target] = len(found.nodes)
                found.nodes.append(step.target)
                found.layer.append(found.layer[number] + 1)
            found.edges.append((number, step, target))


@frozen
class Looks:
    """Looks of the nodes of a graph.

    Attributes
    ----------
    size, members
        How many states a node has, and the first ones, up to some number.
    is_goal
        Whether the game is over there.
    on_plan, action
        Whether a node is on the plan, and what the plan does there; None if nothing.
    on_step
        Whether a step from a node is on the plan.
    rest
        What the game still costs from a node; -1 if that is not known, None if it cannot be won.
    """

    size: Callable[[Any], int]
    members: Callable[[Any, int], list[Any]]
    is_goal: Callable[[Any], bool]
    on_plan: Callable[[Any], bool]
    action: Callable[[Any], Any]
    on_step: Callable[[Any, Step], bool]
    rest: Callable[[Any], Any]


def graph_data(tables: Tables, name: str, title: str, found: Layers, looks: Looks) -> dict[str, Any]:
    """The graph as it stands in page data."""
    sizes = [looks.size(node) for node in found.nodes]
    most = most_members("node", sizes)
    actions = [looks.action(node) for node in found.nodes]
    chances = [step.probability for _, step, _ in found.edges]
    members = [looks.members(node, most) for node in found.nodes]
    return {
        "name": name,
        "title": title,
        "complete": found.complete,
        "nodes": {
            "layer": found.layer,
            "size": sizes,
            "members": [tables.states(belief) for belief in members],
            "goal": [int(looks.is_goal(node)) for node in found.nodes],
            "on_plan": [int(looks.on_plan(node)) for node in found.nodes],
            "rest": [looks.rest(node) for node in found.nodes],
            "action": [-1 if action is None else tables.action(action) for action in actions],
            "picture": [-1] * len(sizes),
            "text": [
                name_text(tables.problem, "format_state", states[0]) if size == 1 else f"{size:,} states"
                for size, states in zip(sizes, members, strict=True)
            ],
        },
        "edges": {
            "from": [number for number, _, _ in found.edges],
            "to": [target for _, _, target in found.edges],
            "action": [tables.action(step.action) for _, step, _ in found.edges],
            "percept": [tables.percept(step.percept) for _, step, _ in found.edges],
            "on_plan": [int(looks.on_step(found.nodes[number], step)) for number, step, _ in found.edges],
            "probability": None if None in chances else list(map(float, chances)),
        },
    }
