"""The graph of beliefs, and the tree of a search backwards, as drawings."""

from __future__ import annotations

from itertools import islice
from typing import Any

from ...engine.bits.contingent import BitsetContingentView
from ...errors import BeliefSearchError
from ...kinds import possible_game, require
from ...model.canvas.drawing import Drawing
from ...plans.drawings.cards import MOST_CARDS, Card, draw_cards, draw_nodes
from ...plans.drawings.parts import belief_picture
from ...plans.wording import plural
from ...running.limits import Budget
from ..stream import GraphStream

# Larger trees are not drawn; and so few states have their names.
_MOST_STATES, _FEW, _WIDEST = 2_000, 100, 3_000.0


def draw_graph(problem: Any, budget: Budget, title: str = "", *, most: int = MOST_CARDS) -> Drawing:
    """The beliefs that can be reached, breadth-first, up to `most`, each as the problem draws it.

    This is figure 4.14 of Russell and Norvig, 4th edition, for any problem whose player may not know the state.
    """
    require("graph of beliefs", problem)
    problem = possible_game(problem)
    view: BitsetContingentView[Any, Any] = BitsetContingentView(problem, budget.tick)
    waiting = [view.initial_node()]
    places = {waiting[0]: 0}
    cards: list[Card] = []
    edges: list[tuple[int, int, str]] = []
    for node in islice(waiting, most):  # grows while it is walked
        states, goal = list(view.members(node)), view.is_goal(node)
        text = problem.format_state(*states) if len(states) == 1 else plural(len(states), "state")
        cards.append(Card(belief_picture(problem, states), "won" if goal else "", text, end=goal))
        for action in () if goal else view.actions(node):
            for percept, child in view.outcomes(node, action):
                if child not in places:
                    places[child] = len(waiting)
                    waiting.append(child)
                words = (problem.format_action(action), "" if percept is None else problem.format_percept(percept))
                edges.append((places[node], places[child], ": ".join(filter(None, words))))
    shown = len(cards)
    note = "" if shown == len(waiting) else f"the first {plural(shown, 'belief')}; the others are left out"
    return draw_cards(cards, edges, title, note)


def draw_tree(tree: GraphStream) -> Drawing:
    """The states of a `TreeStream` as dots, each joined to the next one of a best plan; the goals at the left."""
    if tree.number_of_nodes() > _MOST_STATES:
        raise BeliefSearchError(f"the tree has {tree.number_of_nodes():,} states, and {_MOST_STATES:,} can be drawn")
    rows = dict(tree.nodes())
    goals = {number for number, row in rows.items() if row["goal"]}
    edges = {(parent, child): False for child, parent, _ in tree.edges()}
    labels = {number: str(row["label"]) for number, row in rows.items()}
    return draw_nodes(dict.fromkeys(rows, 1.0), edges, goals, (), labels, widest=_WIDEST if len(rows) <= _FEW else 0)
