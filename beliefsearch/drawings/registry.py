"""How a plan of each kind of problem is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..kinds import Kind, kind_of
from ..model.drawing import Drawing
from .conditional import draw_conditional
from .policy import draw_policy
from .strip import draw_strip


def draw_answer(problem: Any, plan: Any, steps: Iterable[Any], title: str = "", **most: int) -> Drawing:
    """A plan whose steps with their beliefs are `steps`, or a policy; `most`: of steps or cards, if it is given."""
    return _DRAW[kind_of(problem)](problem, plan, steps, title, **most)


def _draw_plan(problem: Any, plan: Any, steps: Iterable[Any], title: str, **most: int) -> Drawing:
    draw = draw_conditional if getattr(plan, "is_conditional", False) else draw_strip
    return draw(problem, steps, title, **most)


def _draw_policy(problem: Any, policy: Any, steps: Iterable[Any], title: str, **most: int) -> Drawing:
    return draw_policy(problem, policy, title, **most)


_DRAW: Mapping[Kind, Callable[..., Drawing]] = {
    **dict.fromkeys((Kind.PLAIN, Kind.SENSORLESS, Kind.CONTINGENT), _draw_plan),
    Kind.STOCHASTIC: _draw_policy,
}
