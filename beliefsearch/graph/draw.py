"""Plans and beliefs of a problem as drawings."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..drawings.parts import belief_picture, mark_of
from ..drawings.registry import draw_answer
from ..model.drawing import Drawing
from ..model.problem import State
from ..plans.result import plan_of
from ..proofs.trace import trace


def draw_plan(problem: Any, plan: Any, *, title: str = "", most: int | None = None) -> Drawing:
    """A plan as a picture, from what the problem draws of its states and actions.

    A sequence of actions is a strip: the belief before each action with what the action marks, and the belief at the
    end. A conditional plan is a graph in layers: beliefs in its nodes, percepts at its edges. A policy is such a graph
    of the states that come up when it is followed, with their values and the chances.

    Parameters
    ----------
    problem
        A problem of any kind.
    plan
        A sequence of actions, a conditional plan or a policy, or the result that holds it.
    title
        A line above the picture.
    most
        How many steps, beliefs or states are drawn, 3 or more; by default 48 steps, or 60 nodes of a graph. Of a
        longer sequence these are the first and the last, of a larger graph the nearest to the start; the picture says
        how many are left out.

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
    """What is known, as one picture, with what an action marks.

    Parameters
    ----------
    problem
        A problem of any kind.
    states
        The states that may be the true one, at least one.
    action
        What is about to be done; by default nothing is marked.

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
