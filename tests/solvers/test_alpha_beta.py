"""Minimax with alpha-beta pruning: the textbook's tree, and random games by value iteration."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import pytest

from beliefsearch import Limits, ObservableProblem, check_plan, solve
from beliefsearch.plans.result import Status
from beliefsearch_problems.nim import NimProblem


class TwoPly(ObservableProblem[str, str]):
    """Russell and Norvig, figure 5.2: MAX moves to B, C or D, MIN to a leaf; a utility u is paid as a cost 14 - u."""

    LEAVES: ClassVar = {"B": (3, 12, 8), "C": (2, 4, 6), "D": (14, 5, 2)}

    def __init__(self) -> None:
        self.asked: list[str] = []

    def initial_state(self) -> str:
        return "A"

    def actions(self, state: str) -> list[str]:
        return ["B", "C", "D"] if state == "A" else ["end"]

    def results(self, state: str, action: str) -> list[str]:
        if state != "A":
            self.asked.append(state)
        return [f"{action}{number}" for number in range(1, 4)] if state == "A" else ["over"]

    def action_cost(self, state: str, action: str) -> int:
        return 0 if state == "A" else 14 - self.LEAVES[state[0]][int(state[1]) - 1]

    def has_unit_costs(self) -> bool:
        return False

    def is_goal(self, state: str) -> bool:
        return state == "over"


def test_the_tree_of_the_textbook_without_the_leaves_that_it_prunes() -> None:
    game = TwoPly()
    found = solve(game, solver="alpha-beta", engine="naive")
    assert (found.cost, found.plan and found.plan.nodes[0].action) == (14 - 3, "B")
    assert {"C2", "C3"}.isdisjoint(game.asked), "figure 5.5"
    assert {"B1", "B2", "B3", "C1", "D1", "D2", "D3"} == set(game.asked)


class Table(ObservableProblem[int, int]):
    """Some states, of which the last is won; by state and action: a cost and the results."""

    def __init__(self, lot: Random, *, size: int, free: bool) -> None:
        self.size = size
        self.table = {
            (state, action): (
                lot.randint(0 if free else 1, 3),
                lot.sample(range(size), min(size, lot.choice([1, 1, 2, 3]))),
            )
            for state in range(size)
            for action in range(lot.randint(0, 3))
        }

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> list[int]:
        return [action for at, action in self.table if at == state]

    def results(self, state: int, action: int) -> list[int]:
        return self.table[state, action][1]

    def action_cost(self, state: int, action: int) -> int:
        return self.table[state, action][0]

    def has_unit_costs(self) -> bool:
        return False

    def is_goal(self, state: int) -> bool:
        return state == self.size - 1

    def has_adversary(self) -> bool:
        """Nobody may hope for luck."""
        return True


def least(table: Table) -> float:
    """The worst-case cost from the start, won within more and more moves."""
    costs = [math.inf] * (table.size - 1) + [0.0]
    for _ in range(table.size):
        costs = [
            0.0
            if table.is_goal(state)
            else min(
                (
                    cost + max(costs[after] for after in results)
                    for (at, _), (cost, results) in table.table.items()
                    if at == state
                ),
                default=math.inf,
            )
            for state in range(table.size)
        ]
    return costs[0]


def tables(count: int) -> Iterator[Table]:
    lot = Random(5)
    for number in range(count):
        yield Table(lot, size=lot.randint(2, 7), free=number % 3 == 0)


def test_random_games_with_circles_cost_what_they_do_by_value_iteration() -> None:
    solved = 0
    for table in tables(600):
        found = solve(table, solver="alpha-beta")
        assert found.cost == least(table), table.table
        if found.cost is not None and found.cost < math.inf:
            solved += 1
            assert check_plan(table, found, claimed_cost=found.cost).holds
        else:
            assert found.status is Status.UNSOLVABLE
    assert 100 < solved < 500


@pytest.mark.parametrize(("heaps", "cost"), [((2, 5), 3), ((1, 2, 3), math.inf), ((3, 4, 5), 6)])
def test_nim(heaps: Any, cost: float) -> None:
    assert solve(NimProblem(heaps=heaps), solver="minimax").cost == cost


def test_a_limit_leaves_a_bound() -> None:
    found = solve(NimProblem(heaps=(5, 6, 7)), solver="alpha-beta", limits=Limits(expanded=60))
    assert found.status is Status.UNDECIDED
    assert 1 < found.lower_bound < math.inf
