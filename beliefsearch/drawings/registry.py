"""How a plan of each kind of problem is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..kinds import Kind, kind_of
from ..model.drawing import Drawing
from ..model.notebook import MOST_BYTES, box, picture
from .conditional import draw_conditional
from .policy import draw_policy
from .policy_nodes import draw_policy_graph
from .strip import draw_strip

_FEWEST = 3


def draw_answer(problem: Any, plan: Any, steps: Iterable[Any], title: str = "", **how: int) -> Drawing:
    """A plan whose steps with their beliefs are `steps`, or a policy.

    `how`: `most` is how many steps or cards there may be, and `small` asks for a drawing of few shapes.
    """
    return _DRAW[kind_of(problem)](problem, plan, steps, title, **how)


def answer_box(problem: Any, plan: Any, steps: Iterable[Any]) -> str:
    """A plan or a policy drawn for a notebook, with as many steps as there is room for."""
    many = 16
    while True:
        drawing = draw_answer(problem, plan, steps, most=many, small=True)
        if many <= _FEWEST or len(drawing.svg()) < MOST_BYTES:
            return box(repr(problem), picture(drawing, "what is known at each step"))
        many = many * 2 // 3


def _draw_plan(problem: Any, plan: Any, steps: Iterable[Any], title: str, small: bool = False, **most: int) -> Drawing:
    if getattr(plan, "is_conditional", False):
        return draw_conditional(problem, steps, title, **most)
    return draw_strip(problem, steps, title, small=small, **most)


def _draw_policy(
    problem: Any, policy: Any, steps: Iterable[Any], title: str, small: bool = False, **most: int
) -> Drawing:
    return draw_policy(problem, policy, title, **most)


def _draw_policy_graph(
    problem: Any, graph: Any, steps: Iterable[Any], title: str, small: bool = False, **most: int
) -> Drawing:
    return draw_policy_graph(problem, graph, title, **most)


_DRAW: Mapping[Kind, Callable[..., Drawing]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), _draw_plan),
    Kind.STOCHASTIC: _draw_policy,
    Kind.POMDP: _draw_policy_graph,
}
