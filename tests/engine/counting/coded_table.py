"""Random plain problems whose states have codes, and breadth-first search with a dictionary: the oracle of layers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from attrs import frozen
from hypothesis import strategies as st

from beliefsearch import Problem
from beliefsearch.model.hooks import ReversibleCodeHook

from ...problems.layers import layers

Node = TypeVar("Node", bound=Hashable)

ACTIONS = "abc"


@frozen
class CodedTable(Problem[int, str], ReversibleCodeHook[int, str]):
    """A graph given by tables; the code of a state are any words."""

    table: tuple[dict[str, int], ...]
    words: tuple[tuple[int, ...], ...]
    """By state: its code."""
    won: frozenset[int]
    bound: int | None = None

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> Iterable[str]:
        return list(self.table[state])

    def result(self, state: int, action: str) -> int:
        return self.table[state][action]

    def is_goal(self, state: int) -> bool:
        return state in self.won

    def codes(self, states: Sequence[int]) -> Any:
        return np.array([self.words[state] for state in states], dtype=np.uint64).reshape(-1, len(self.words[0]))

    def states_of(self, codes: Any) -> list[int]:
        return [self.words.index(tuple(code)) for code in codes.tolist()]

    def code_bound(self) -> int | None:
        return self.bound

    def all_actions(self) -> list[str]:
        return sorted({action for row in self.table for action in row})

    def results_of(self, codes: Any, action: str) -> tuple[Any, Any]:
        states = self.states_of(codes)
        applies = np.array([action in self.table[state] for state in states], dtype=np.bool_)
        results = self.codes([self.table[state].get(action, 0) for state in states])
        return results, None if applies.all() else applies

    def goal_codes(self) -> Any:
        return self.codes(sorted(self.won))

    def origins_of(self, codes: Any, action: str) -> Any:
        there = set(self.states_of(codes))
        return self.codes([state for state, row in enumerate(self.table) if row.get(action) in there])


@st.composite
def coded_tables(draw: st.DrawFn, *, bounded: bool = False) -> CodedTable:
    """Random graphs, with codes of one word below a bound, or of one to three words."""
    size = draw(st.integers(1, 25))
    state = st.integers(0, size - 1)
    some_actions = st.sampled_from([tuple(some) for count in range(4) for some in combinations(ACTIONS, count)])
    # A way through all of them is drawn half of the time, so that there are many layers.
    chain = draw(st.booleans())
    table = []
    for number in range(size):
        row = {action: draw(state) for action in draw(some_actions)}
        table.append({**row, "a": min(number + 1, size - 1)} if chain else row)
    bound = draw(st.integers(size, 4 * size + 300)) if bounded else None
    width = 1 if bounded else draw(st.integers(1, 3))
    # Words that are alike are drawn often: codes then differ in some of their words only.
    word = st.integers(0, bound - 1) if bound else st.sampled_from([0, 1, 2**63, 2**64 - 1]) | st.integers(0, 2**64 - 1)
    words = draw(st.lists(st.tuples(*[word] * width), min_size=size, max_size=size, unique=True))
    won = frozenset(draw(st.sets(state, max_size=3)))
    return CodedTable(tuple(table), tuple(words), won, bound)


def naive_layers(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> list[set[Node]]:
    """List what lies at each distance."""
    return list(layers(starts, following))
