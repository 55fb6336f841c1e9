"""How many actions are left in each node of a policy graph that stands in a plan file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import InvalidPlanError


def steps_left(plan: Mapping[str, Any], following: Sequence[Iterable[int]]) -> tuple[int, ...] | None:
    """By node, how many actions are left in a game with a horizon; None for a game without.

    `following` has by node those that may come next. Raises `InvalidPlanError` if the horizon is no number of actions,
    or a node is come to with another number of them, or not at all.
    """
    horizon = plan.get("horizon")
    if horizon is None:
        return None
    if type(horizon) is not int or horizon < 0 or (horizon == 0) != (not following):
        raise InvalidPlanError(f"the horizon of its plan should be how many actions it has, but is {horizon!r:.40}")
    left = {0: horizon} if horizon else {}
    for node in list(left):
        waiting = [node]
        for place in waiting:  # grows while it is walked
            for target in following[place]:
                if target not in left:
                    left[target] = left[place] - 1
                    waiting.append(target)
                if left[target] != left[place] - 1 or left[target] < 1:
                    raise InvalidPlanError(f"node {target} of its plan is come to with several numbers of actions left")
    if len(left) < len(following):
        raise InvalidPlanError("its plan has a horizon, and a node that is never come to")
    return tuple(left[place] for place in range(len(following)))
