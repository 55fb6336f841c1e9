"""Random small stochastic problems as tables, and their values by brute force that shares no code with the package."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from attrs import field, frozen
from hypothesis import strategies as st

from beliefsearch import StochasticProblem
from beliefsearch.hooks import ChanceArrayHook, ChanceArrays

Number: TypeAlias = "int | float | Fraction"
Table: TypeAlias = "tuple[dict[str, tuple[tuple[Number, int], ...]], ...]"


@frozen
class TableGame(StochasticProblem[int, str], ChanceArrayHook[int, str]):
    """A stochastic problem given by a table: the first state is the start, the last ones are terminal."""

    table: Table
    """By state that is not terminal: its actions, each with its outcomes."""
    utilities: tuple[Number, ...]
    """Of the terminal states, which follow the others."""
    layers: tuple[int, ...] | None = None
    """Where layers begin, for games that never come back."""
    same: Mapping[int, int] = field(factory=dict)
    """Representatives of states."""

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> Iterable[str]:
        return list(self.table[state])

    def outcomes(self, state: int, action: str) -> Iterable[tuple[Number, int]]:
        return self.table[state][action]

    def is_terminal(self, state: int) -> bool:
        return state >= len(self.table)

    def utility(self, state: int) -> Number:
        return self.utilities[state - len(self.table)]

    def canonical(self, state: int) -> int:
        return self.same.get(state, state)

    def arrays(self, tick: Callable[[int], None] = lambda states: None) -> ChanceArrays[int, str] | None:
        if self.layers is None:
            return None
        import numpy as np

        count = len(self.table) + len(self.utilities)
        exact = not any(isinstance(n, float) for n in self.numbers())
        kind: Any = object if exact else float
        utilities = np.array([0] * len(self.table) + list(self.utilities), kind)
        names = sorted({action for row in self.table for action in row})
        outcomes, applicable = {}, {}
        for name in names:
            rows = [row.get(name, ()) for row in self.table] + [()] * len(self.utilities)
            width = max(map(len, rows))
            numbers = np.full((count, width), count - 1)
            chances = np.zeros((count, width), kind)
            for place, row in enumerate(rows):
                for column, (chance, result) in enumerate(row):
                    numbers[place, column], chances[place, column] = result, chance
            outcomes[name] = (numbers, chances)
            applicable[name] = np.array([bool(row) for row in rows])
        terminal = np.array([self.is_terminal(state) for state in range(count)])
        return ChanceArrays(range(count), self.layers, terminal, utilities, outcomes, applicable)

    def numbers(self) -> list[Number]:
        """All probabilities and utilities."""
        return [*self.utilities, *(p for row in self.table for outs in row.values() for p, _ in outs)]


def in_floats(game: TableGame) -> TableGame:
    """The same game with floats."""
    table: Table = tuple(
        {action: tuple((float(p), result) for p, result in outs) for action, outs in row.items()} for row in game.table
    )
    return TableGame(table, tuple(map(float, game.utilities)), game.layers)


@st.composite
def games(draw: st.DrawFn, *, acyclic: bool = False, rare: bool = False) -> TableGame:
    """A game of at most four states in which something is chosen; with `rare` some chances are very small."""
    weight: st.SearchStrategy[Any] = (
        st.sampled_from([1, 2, *(Fraction(1, 10**n) for n in (3, 9, 12, 13, 15))]) if rare else st.integers(1, 3)
    )
    states = draw(st.integers(1, 4))
    terminal = draw(st.integers(1, 3))
    table: list[dict[str, tuple[tuple[Number, int], ...]]] = []
    for state in range(states):
        row: dict[str, tuple[tuple[Number, int], ...]] = {}
        for action in "abc"[: draw(st.integers(1, 3))]:
            results = st.integers(state + 1 if acyclic else 0, states + terminal - 1)
            some = draw(st.lists(results, min_size=1, max_size=3, unique=True))
            weights = [draw(weight) for _ in some]
            row[action] = tuple((Fraction(w) / sum(weights), r) for w, r in zip(weights, some, strict=True))
        table.append(row)
    utilities = tuple(draw(st.integers(-3, 3)) for _ in range(terminal))
    layers = (*range(states), states) if acyclic else None
    return TableGame(tuple(table), utilities, layers)


def reachable(game: TableGame, choice: tuple[str, ...] | None, start: int) -> set[int]:
    """The states that can come up from `start`, by a choice for each state or by any action."""
    met, todo = {start}, [start]
    while todo:
        state = todo.pop()
        if game.is_terminal(state):
            continue
        for action in game.table[state] if choice is None else [choice[state]]:
            for _, result in game.table[state][action]:
                if result not in met:
                    met.add(result)
                    todo.append(result)
    return met


def never_ends(game: TableGame) -> bool:
    """Whether a state can come up from which no terminal state can be reached."""
    return not all(any(map(game.is_terminal, reachable(game, None, state))) for state in reachable(game, None, 0))


def best_values(game: TableGame) -> dict[int, Fraction]:
    """By state that can come up: the most any policy is worth under which the game ends with certainty.

    Every choice of an action for each state is tried.
    """
    states = sorted(state for state in reachable(game, None, 0) if not game.is_terminal(state))
    best: dict[int, Fraction] = {}
    for choice in product(*(list(row) for row in game.table)):
        if all(any(map(game.is_terminal, reachable(game, choice, state))) for state in states):
            for state, value in worth(game, choice, states).items():
                best[state] = max(value, best.get(state, value))
    return best


def worth(game: Any, choice: tuple[str, ...], states: Sequence[int]) -> dict[int, Fraction]:
    """What a choice is worth, with rewards and a discount: its linear equations, by Gauss and Jordan."""
    size = len(states)
    rows = [[Fraction(int(i == j)) for j in range(size)] + [Fraction(0)] for i in range(size)]
    for row, state in zip(rows, states, strict=True):
        row[size] += Fraction(game.reward(state, choice[state]))
        for chance, result in game.outcomes(state, choice[state]):
            weight = Fraction(game.discount()) * Fraction(chance)
            if game.is_terminal(result):
                row[size] += weight * Fraction(game.utility(result))
            else:
                row[states.index(result)] -= weight
    for column in range(size):
        pivot = next(i for i in range(column, size) if rows[i][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for i in range(size):
            if i != column:
                factor = rows[i][column]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return {state: rows[i][size] for i, state in enumerate(states)}
