"""Brute force, breadth first: the nodes at each distance from the starts, and how far the nearest goal is."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

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
