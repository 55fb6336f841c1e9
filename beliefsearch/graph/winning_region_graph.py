"""The winning region of a problem as a graph of networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..kinds import possible_game
from ..model.base import Action, State
from ..model.belief import outcomes
from ..model.stochastic import AnyProblem
from ..plans.winning_region import WinningRegion
from .and_or_graph import outcome_edge
from .walk import states_node

if TYPE_CHECKING:
    import networkx as nx


def region_graph(problem: AnyProblem[State, Action], region: WinningRegion[State, Action]) -> nx.MultiDiGraph[int]:
    """A winning region as a graph: a node for each belief, an edge for each safe action and percept.

    Parameters
    ----------
    problem
        The problem of the region.
    region
        What `winning_region` gave.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes have the numbers of the beliefs in the region, and carry `members` (the states, as text), `size`, `g`
        (the fewest safe actions that lead there from the start, missing if none do), `goal` and `label`; edges carry
        `action`, `percept`, `cost` and `label`. The graph carries `start`, which is -1 if that is not in the region.
    """
    from .notebook_graph import ShownGraph

    played: Any = problem
    possible = possible_game(played)
    graph: nx.MultiDiGraph[int] = ShownGraph(
        complete=True, stopped="", start=-1 if region.start is None else region.start
    )
    numbers = {region.members(number): number for number in range(len(region))}
    edges: list[tuple[int, int, dict[str, Any]]] = []
    after: dict[int, dict[int, None]] = {}
    for belief, number in numbers.items():
        for action in region.safe_actions(belief):
            for percept, following in outcomes(possible, belief, action).items():
                target = numbers[frozenset(following)]
                cost = max(possible.action_cost(state, action) for state in belief)
                edges.append((number, target, outcome_edge(possible, action, percept, cost)))
                after.setdefault(number, {})[target] = None
    depth: dict[int, int] = {} if region.start is None else {region.start: 0}
    frontier = list(depth)
    for number in frontier:  # grows while it is walked
        for target in after.get(number, ()):
            if target not in depth:
                depth[target] = depth[number] + 1
                frontier.append(target)
    for belief, number in numbers.items():
        members = sorted(possible.format_state(state) for state in belief)
        attributes = states_node(members, depth.get(number, 0), not region.safe[number])
        if number not in depth:
            del attributes["g"]
        graph.add_node(number, **attributes)
    graph.add_edges_from(edges)
    return graph
