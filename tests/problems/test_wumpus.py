"""The wumpus: brute force over the worlds that agree with what was perceived."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations, product
from typing import Any, TypeAlias

import pytest

from beliefsearch_problems.wumpus import DEAD, Cave, WumpusProblem

from ..contingent_problems import cost_of_plan, outcomes
from ..examples import thorough
from .contingent_brute_force import least_worst_cost
from .layers import assert_solved

World: TypeAlias = tuple[complex, frozenset[complex], complex]
"""Where the wumpus, the pits and the gold are; cells are complex numbers with the entrance at 0."""


class Explorer:
    """The rules once more: a player who knows a set of worlds, and never goes where death is possible.

    Nothing is shared with the puzzle. Not the state but the knowledge is what a position consists of: the
    worlds that are possible, and what everybody can see: the own cell, whether the gold is taken, the wumpus
    dead, and the arrows.
    """

    def __init__(self, rows: int, cols: int, pits: int, arrows: int) -> None:
        self.cells = {complex(x, y) for x, y in product(range(cols), range(rows))}
        self.arrows = arrows
        unknown = [cell for cell in sorted(self.cells, key=str) if abs(cell) > 1]
        self.worlds = frozenset(
            (wumpus, frozenset(chosen), gold)
            for wumpus in unknown
            for chosen in combinations(unknown, pits)
            for gold in self.cells - set(chosen) - {0}
            if wumpus not in chosen
        )

    def senses(self, world: World, cell: complex, taken: bool, dead: bool) -> tuple[bool, ...]:
        wumpus, pits, gold = world
        return (
            abs(wumpus - cell) == 1 and not dead,
            any(abs(pit - cell) == 1 for pit in pits),
            gold == cell and not taken,
        )

    def moves(self, position: Any) -> list[list[Any]]:
        """For each move that kills in no possible world: the positions that may follow."""
        worlds, cell, taken, dead, arrows = position
        found = []
        for step in (1, -1, 1j, -1j):
            after = cell + step
            if after not in self.cells:
                continue
            if not any(after in pits or (after == wumpus and not dead) for wumpus, pits, _ in worlds):
                found.append([(part, after, taken, dead, arrows) for part in self.parts(worlds, after, taken, dead)])
            if arrows and not dead:
                # On the line ahead: the quotient is a positive number.
                hits = frozenset(w for w in worlds if w[0] != cell and (d := (w[0] - cell) / step).imag == 0 < d.real)
                shot = [(part, cell, taken, True, arrows - 1) for part in self.parts(hits, cell, taken, True)]
                missed = self.parts(worlds - hits, cell, taken, dead)
                found.append([*shot, *((part, cell, taken, dead, arrows - 1) for part in missed)])
        if not taken and all(gold == cell for _, _, gold in worlds):
            found.append([(worlds, cell, True, dead, arrows)])
        return found

    def parts(self, worlds: frozenset[World], cell: complex, taken: bool, dead: bool) -> list[frozenset[World]]:
        groups: dict[tuple[bool, ...], set[World]] = {}
        for world in worlds:
            groups.setdefault(self.senses(world, cell, taken, dead), set()).add(world)
        return [frozenset(group) for group in groups.values()]

    def least(self, most: int) -> float:
        """The least number of moves with which the player is certain to win, up to `most`."""

        @cache
        def moves_in(position: Any) -> list[list[Any]]:
            return [sorted(following, key=lambda p: -len(p[0])) for following in self.moves(position)]

        @cache
        def wins(position: Any, moves: int) -> bool:
            _, cell, taken, _, _ = position
            if cell == 0 and taken:
                return True
            needed = abs(cell.real) + abs(cell.imag) + (not taken)
            return moves >= needed and any(
                all(wins(after, moves - 1) for after in following) for following in moves_in(position)
            )

        start = (self.worlds, 0j, False, False, self.arrows)
        return next((moves for moves in range(most + 1) if wins(start, moves)), math.inf)


CAVES = [
    ((2, 2, 0, 1), 6),
    ((2, 2, 0, 0), math.inf),
    ((1, 4, 0, 1), 8),
    ((2, 3, 0, 1), 8),
    ((2, 3, 1, 1), 10),
    ((3, 2, 1, 1), 10),
    ((2, 3, 1, 0), math.inf),
    thorough((2, 4, 0, 1), 12),
    thorough((2, 4, 1, 1), math.inf),
    thorough((2, 4, 1, 2), 14),
    thorough((3, 3, 1, 1), 14),
    thorough((3, 3, 1, 0), math.inf),
]


@pytest.mark.parametrize(("cave", "cost"), CAVES)
def test_small_caves(cave: tuple[int, int, int, int], cost: float) -> None:
    assert Explorer(*cave).least(most=40) == cost
    problem = WumpusProblem(*cave)
    assert least_worst_cost(problem) == cost
    result = assert_solved(problem, cost)
    assert result.plan is None or cost_of_plan(problem, result.plan) == cost


def test_the_default_can_be_won() -> None:
    problem = WumpusProblem()
    assert (problem.rows, problem.cols, problem.pits, problem.arrows) == (3, 3, 1, 1)
    # Six cells of which nothing is known: one for the wumpus, one of the others for the pit; seven for the gold.
    assert len(list(problem.initial_states())) == len(set(problem.initial_states())) == 6 * 5 * 7


def test_nothing_was_perceived_at_the_start() -> None:
    problem = WumpusProblem(rows=3, cols=4, pits=2)
    assert {problem.percepts(state, "Grab") for state in problem.initial_states()} == {((),)}


def test_what_is_perceived() -> None:
    problem = WumpusProblem()
    cave = Cave(agent=(2, 1), wumpus=(2, 2), pits=((3, 1),), gold=(2, 1), arrows=1)
    assert problem.percepts(cave, "East") == (("stench", "breeze", "glitter"),)
    assert problem.actions(cave) == ["North", "East", "West", "Grab", "Shoot North", "Shoot East", "Shoot West"]
    (missed,) = problem.results(cave, "Shoot West")
    assert missed == cave._replace(arrows=0)
    assert problem.percepts(missed, "Shoot West") == problem.percepts(cave, "East")
    assert problem.actions(missed) == ["North", "East", "West", "Grab"]
    (hit,) = problem.results(cave, "Shoot North")
    assert problem.percepts(hit, "Shoot North") == (("breeze", "glitter", "scream"),)
    assert problem.percepts(hit, "West") == (("breeze", "glitter"),)
    (taken,) = problem.results(hit, "Grab")
    assert problem.percepts(taken, "Grab") == (("breeze",),)
    assert not problem.is_goal(taken)
    (home,) = problem.results(taken, "West")
    assert problem.is_goal(home)
    assert not problem.is_goal(home._replace(gold=(2, 1)))


def test_death() -> None:
    problem = WumpusProblem()
    cave = Cave(agent=(2, 1), wumpus=(2, 2), pits=((3, 1),), gold=None, arrows=1)
    assert problem.results(cave, "North") == problem.results(cave, "East") == (DEAD,)
    assert problem.actions(DEAD) == []
    assert not problem.is_goal(DEAD)
    assert problem.heuristic(DEAD) == math.inf
    assert outcomes(problem, frozenset({cave}), "East") == {("death",): frozenset({DEAD})}


def test_an_arrow_flies_to_the_wall() -> None:
    problem = WumpusProblem(rows=1, cols=6, pits=0)
    for x in range(3, 7):
        (after,) = problem.results(Cave((2, 1), (x, 1), (), (4, 1), 1), "Shoot East")
        assert after.wumpus is None
    (after,) = problem.results(Cave((4, 1), (3, 1), (), (4, 1), 1), "Shoot East")
    assert after.wumpus == (3, 1)


def test_texts_and_pictures() -> None:
    problem = WumpusProblem()
    for state in [*problem.initial_states(), DEAD, Cave((1, 2), None, ((3, 1),), None, 0)]:
        assert problem.parse_state(problem.format_state(state)) == state
    cave = Cave(agent=(2, 1), wumpus=(3, 3), pits=((1, 3),), gold=(3, 3), arrows=1)
    assert problem.format_state(cave) == "at 2,1; wumpus 3,3; pits 1,3; gold 3,3; arrows 1"
    assert problem.draw_state(cave) == "P   .   WG\n.   .   .\n.   @   ."
    assert problem.draw_state(DEAD) == "dead"
    assert problem.format_percept(("stench", "breeze")) == "stench, breeze"
    assert problem.format_percept(()) == "nothing"


def test_a_cave_must_have_room() -> None:
    assert len(list(WumpusProblem(pits=5).initial_states())) == 6 * 3
