"""The yardstick: breadth-first search on frozensets of strings, as plain as the devil notebook's.

It shares no code with the package, so that a ratio against it means something.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable
from itertools import product
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action")


def search(
    start: State, goal: State, actions: Collection[Action], result: Callable[[State, Action], State]
) -> tuple[list[Action] | None, int]:
    """A shortest list of actions from `start` to `goal`, and how many states were reached."""
    paths: dict[State, list[Action]] = {start: []}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        if state == goal:
            return paths[state], len(paths)
        for action in actions:
            following = result(state, action)
            if following not in paths:
                paths[following] = [*paths[state], action]
                queue.append(following)
    return None, len(paths)


def rotations(coins: str) -> set[str]:
    return {coins[turn:] + coins[:turn] for turn in range(len(coins))}


def canonical_belief(sequences: Iterable[str]) -> frozenset[str]:
    return frozenset(min(rotations(coins)) for coins in sequences)


def flip(coins: str, move: Collection[int]) -> str:
    turned = list(coins)
    for position in move:
        turned[position] = "T" if turned[position] == "H" else "H"
    return "".join(turned)


def update(belief: frozenset[str], move: Collection[int]) -> frozenset[str]:
    flipped = (flip(turned, move) for coins in belief if "T" in coins for turned in rotations(coins))
    won = (coins for coins in belief if "T" not in coins)
    return canonical_belief([*flipped, *won])


def devil(n: int) -> tuple[list[frozenset[int]] | None, int]:
    """The devil's game with n coins: the plan, and how many beliefs were reached."""
    start = canonical_belief("".join(faces) for faces in product("HT", repeat=n))
    moves = [frozenset(place for place in range(n) if coins[place] == "H") for coins in sorted(start)]
    return search(start, frozenset({"H" * n}), moves, update)
