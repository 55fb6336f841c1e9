"""Brute force, breadth first, by distances from the starts; and whether an answer of the package is right."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, TypeVar

from beliefsearch import Status, check_plan, solve

Node = TypeVar("Node", bound=Hashable)


def layers(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> Iterator[set[Node]]:
    """Yield the nodes at the distances 0, 1, ... from the starts."""
    layer = set(starts)
    met = set(layer)
    while layer:
        yield layer
        layer = {after for node in layer for after in following(node)} - met
        met |= layer


def fewest_steps(
    starts: Iterable[Node], following: Callable[[Node], Iterable[Node]], is_won: Callable[[Node], bool]
) -> float:
    """Count the steps to the nearest node that is won; infinite if there is none."""
    return next((steps for steps, layer in enumerate(layers(starts, following)) if any(map(is_won, layer))), math.inf)


def assert_solved(problem: Any, cost: float | None, **options: Any) -> Any:
    """Solve it: the plan of this cost is the best and holds; infinite or None: nothing wins for certain."""
    result = solve(problem, **options)
    if cost is None or cost == math.inf:
        assert (result.status, result.cost) == (Status.UNSOLVABLE, math.inf)
    else:
        assert (result.cost, result.optimal) == (cost, True)
        assert check_plan(problem, result, claimed_cost=cost).holds
    return result
