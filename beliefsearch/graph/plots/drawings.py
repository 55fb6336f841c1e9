"""Drawings without matplotlib: plans, beliefs, the graph of beliefs, and the tree of a search backwards."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from ...engine.bits.contingent import BitsetContingentView
from ...errors import BeliefSearchError
from ...kinds import possible_game, require
from ...model.base import State
from ...model.canvas.drawing import Drawing
from ...plans.drawings.cards import MOST_CARDS, Card, draw_breadth_first, draw_nodes
from ...plans.drawings.parts import belief_picture, mark_of
from ...plans.drawings.plan_drawings import draw_answer
from ...plans.result import plan_of
from ...plans.wording import plural
from ...proofs.explanations.trace import trace
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


def draw_plan(problem: Any, plan: Any, *, title: str = "", most: int | None = None) -> Drawing:
    """A plan as a picture, from what the problem draws of its states and actions.

    A sequence of actions is a strip: the belief before each action, with the mark of the action, and the belief at the
    end. A conditional plan is a graph in layers: beliefs in its nodes, percepts at its edges. A policy is such a graph
    of the states that are reachable under it, with values and probabilities.

    Parameters
    ----------
    problem
        A problem of any kind.
    plan
        A sequence of actions, a conditional plan or a policy, or the result that holds it.
    title
        A line above the picture.
    most
        The number of steps, beliefs or states to draw, 3 or more; by default 48 steps, or 60 nodes of a graph. Of a
        longer sequence the first and the last steps are drawn, of a larger graph the nodes nearest to the start. The
        picture says how many are left out.

    Returns
    -------
    Drawing
        `Drawing.svg` gives it as text; a notebook shows it.

    Raises
    ------
    ProblemError, InvalidPlanError
        As `trace` does.
    NoSolutionError, LimitError
        If the result holds no plan.

    Examples
    --------
    >>> from beliefsearch import solve
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> devil = DevilProblem(n=2)
    >>> drawing = draw_plan(devil, solve(devil), title="Two coins")
    >>> drawing.svg().count("Flip")
    3
    """
    plan = plan_of(plan)
    limit = {} if most is None else {"most": max(3, most)}
    return draw_answer(problem, plan, trace(problem, plan), title, **limit)


def draw_belief(problem: Any, states: Collection[State], action: Any = None) -> Drawing:
    """Draw a belief as one picture, with the marks of an action.

    Parameters
    ----------
    problem
        A problem of any kind.
    states
        The states that may be the true one, at least one.
    action
        The action whose mark is drawn; by default none.

    Raises
    ------
    ValueError
        If there is no state.

    Examples
    --------
    >>> from beliefsearch_problems.devil import DevilProblem
    >>> draw_belief(DevilProblem(n=2), ["HH", "HT"]).width == 100
    True
    """
    if not states:
        raise ValueError("a belief has at least one state")
    return belief_picture(problem, states, None if action is None else mark_of(problem, action))
