"""A policy graph as a graph of cards: what is done in each node, and what may be perceived then."""

from __future__ import annotations

from itertools import islice
from typing import Any

from ..model.checked import checked_text
from ..model.drawing import Drawing
from ..plans.policy_graph import PolicyGraph
from ..plans.wording import plural
from .cards import MOST_CARDS, Card, draw_cards
from .parts import belief_picture, mark_of


def draw_policy_graph(
    problem: Any, graph: PolicyGraph[Any, Any, Any], title: str = "", *, most: int = MOST_CARDS
) -> Drawing:
    """The nodes that may come up, breadth-first, with the states in which they may be used."""
    places: dict[int, int] = {graph.start: 0} if len(graph) else {}
    waiting = list(places)
    cards: list[Card] = []
    edges: list[tuple[int, int, str]] = []
    for node in islice(waiting, most):  # grows while it is walked
        action = graph.action(node)
        states = list(graph.values[node])
        picture = belief_picture(problem, states, mark_of(problem, action)) if states else None
        cards.append(Card(picture, f"node {node}", checked_text(problem, "describe_action", action)))
        for percept, target in graph.successors[node].items():
            if target not in places:
                places[target] = len(waiting)
                waiting.append(target)
            edges.append((places[node], places[target], problem.format_percept(percept)))
    shown = len(cards)
    note = "" if shown == len(waiting) else f"the first {plural(shown, 'node')}; the others are left out"
    return draw_cards(cards, edges, title, note)
