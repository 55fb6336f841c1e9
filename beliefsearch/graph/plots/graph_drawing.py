"""The graph of beliefs, and the tree of a search backwards, as drawings."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from ...engine.bits.contingent import BitsetContingentView
from ...errors import BeliefSearchError
from ...kinds import possible_game, require
from ...model.canvas.drawing import Drawing
from ...plans.drawings.cards import MOST_CARDS, Card, draw_breadth_first, draw_nodes
from ...plans.drawings.parts import belief_picture
from ...plans.wording import plural
from ...running.limits import Budget
from ..stream import GraphStream

# Larger trees are not drawn; up to 100 states have labels, in a drawing of at most this width.
_MOST_STATES, _FEW, _WIDEST = 2_000, 100, 3_000.0


def draw_graph(problem: Any, budget: Budget, title: str = "", *, most: int = MOST_CARDS) -> Drawing:
    """The reachable beliefs, breadth-first, up to `most`, each as the problem draws it.

    This is figure 4.14 of Russell and Norvig, 4th edition, for any problem whose player may not know the state.
    """
    require("graph of beliefs", problem)
    problem = possible_game(problem)
    view: BitsetContingentView[Any, Any] = BitsetContingentView(problem, budget.tick)

    def visit(node: int) -> tuple[Card, list[tuple[Hashable, str]]]:
        states, goal = list(view.members(node)), view.is_goal(node)
        text = problem.format_state(*states) if len(states) == 1 else plural(len(states), "state")
        following: list[tuple[Hashable, str]] = []
        for action in () if goal else view.actions(node):
            for percept, child in view.outcomes(node, action):
                words = (problem.format_action(action), "" if percept is None else problem.format_percept(percept))
                following.append((child, ": ".join(filter(None, words))))
        return Card(belief_picture(problem, states), "won" if goal else "", text, end=goal), following

    return draw_breadth_first([view.initial_node()], visit, most, title, "belief")


def draw_tree(tree: GraphStream) -> Drawing:
    """The states of a `TreeStream` as dots, each joined to the next one of a best plan; the goals are at the left."""
    if tree.number_of_nodes() > _MOST_STATES:
        raise BeliefSearchError(f"the tree has {tree.number_of_nodes():,} states, and {_MOST_STATES:,} can be drawn")
    rows = dict(tree.nodes())
    goals = {number for number, row in rows.items() if row["goal"]}
    edges = {(parent, child): False for child, parent, _ in tree.edges()}
    labels = {number: str(row["label"]) for number, row in rows.items()}
    return draw_nodes(dict.fromkeys(rows, 1.0), edges, goals, (), labels, widest=_WIDEST if len(rows) <= _FEW else 0)
