"""Random small problems with a mirror, in which only the start is uncertain."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen
from hypothesis import strategies as st

from beliefsearch.hooks import SymmetryHook

from .contingent_problems import SightedTable


@frozen
class Mirrored(SightedTable, SymmetryHook[int, str]):
    """Each state stands beside its image, and so does each action, in a mirror in which nothing else changes."""

    def symmetries(self) -> Iterable[tuple[Callable[[int], int], Callable[[str], str]]]:
        return [(lambda state: state ^ 1, str.swapcase)]


@st.composite
def mirrored_problems(draw: st.DrawFn) -> Mirrored:
    """Random problems with a mirror: what happens depends on whether state and action are on one side."""
    size = draw(st.integers(1, 3))
    letters = "ab"[: draw(st.integers(1, 2))]
    sides = (0, 1)
    prices = st.integers(0, 2) if draw(st.booleans()) else st.just(1)
    # By state, action, and whether they are on one side: the result, whether it changes sides, and the cost.
    rule = {
        (state, letter, crossed): (draw(st.integers(0, size - 1)), draw(st.sampled_from(sides)), draw(prices))
        for state in range(size)
        for letter in letters
        for crossed in sides
        if draw(st.integers(0, 5))
    }
    seen = {
        (state, letter, c): draw(st.sampled_from("xyz")) for state in range(size) for letter in letters for c in sides
    }
    tells_side = {letter: draw(st.booleans()) for letter in letters}
    table: list[dict[str, tuple[int, ...]]] = [{} for _ in range(2 * size)]
    costs, sights = {}, {}
    for letter in letters:
        for side, action in enumerate((letter, letter.upper())):
            for state in range(2 * size):
                half, place = divmod(state, 2)
                mark = str(place) if tells_side[letter] else ""
                sights[action, state] = (seen[half, letter, place ^ side] + mark,)
                if (half, letter, place ^ side) in rule:
                    result, crosses, cost = rule[half, letter, place ^ side]
                    table[state][action] = (2 * result + (place ^ crosses),)
                    costs[state, action] = cost
    goals = draw(st.lists(st.sets(st.integers(0, 2 * size - 1), min_size=1, max_size=2), min_size=1, max_size=2))
    both = [*map(frozenset, goals), *(frozenset(state ^ 1 for state in goal) for goal in goals)]
    starts = draw(st.lists(st.integers(0, 2 * size - 1), min_size=1, max_size=4, unique=True))
    return Mirrored(tuple(starts), tuple(table), tuple(both), sights, costs)
