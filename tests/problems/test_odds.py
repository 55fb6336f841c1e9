"""The puzzles of odds and percepts, against their sources: formulas, codes, counts by hand."""

from __future__ import annotations

import heapq
import os
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import solve
from beliefsearch.plugins.options import make_problem
from beliefsearch.running.limits import Budget
from beliefsearch.solvers.pomdp.listing import pomdp_model
from beliefsearch.tools import load_problem_class
from beliefsearch_problems.machine_repair import MachineRepairProblem
from beliefsearch_problems.maze import MazeProblem
from beliefsearch_problems.noisy_monty_hall import NoisyMontyHallProblem
from beliefsearch_problems.rock_sample import RockSampleProblem
from beliefsearch_problems.tag import TagProblem
from beliefsearch_problems.twenty_questions import TwentyQuestionsProblem

TENTH = Fraction(1, 10)
ROOT = Path(__file__).parents[2]
FIELD = Path(os.environ.get("BELIEFSEARCH_BENCHMARKS", ROOT.parent / "shared" / "benchmarks")) / "pomdp"


# Monty Hall in the fog.


@pytest.mark.parametrize("sight", [Fraction(1, 2), Fraction(3, 5), Fraction(9, 10), Fraction(1), Fraction(1, 4)])
def test_changing_in_the_fog_by_listing_all_that_may_happen(sight: Fraction) -> None:
    """Door 1 is picked; the car, the door that the host opens, and whether it is seen rightly."""
    won = {"stay": Fraction(0), "change": Fraction(0), "seen": Fraction(0)}
    for car, opened, rightly in product((1, 2, 3), (2, 3), (True, False)):
        if opened == car:
            continue
        chance = Fraction(1, 3) * (Fraction(1, 2) if car == 1 else 1) * (sight if rightly else 1 - sight)
        seems = opened if rightly else 5 - opened
        won["stay"] += chance * (car == 1)
        won["change"] += chance * (car == 5 - seems)
        won["seen"] += chance * (car == seems)
    assert solve(NoisyMontyHallProblem(sight=sight), horizon=2).value == max(won.values())


# Twenty questions.


def huffman(weights: list[int]) -> Fraction:
    """The mean length of a Huffman code."""
    total, length, heap = sum(weights), 0, list(weights)
    heapq.heapify(heap)
    while len(heap) > 1:
        merged = heapq.heappop(heap) + heapq.heappop(heap)
        length += merged
        heapq.heappush(heap, merged)
    return Fraction(length, total)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_the_best_questions_are_those_of_a_huffman_code(weights: list[int]) -> None:
    problem = TwentyQuestionsProblem(odds=" ".join(map(str, weights)))
    assert solve(problem, horizon=len(weights)).value == -huffman(weights)


# The machine.


def worn(wear: Fraction, state: int) -> dict[int, Fraction]:
    """How many parts have failed after a product, by listing what becomes of each good part."""
    found: dict[int, Fraction] = {}
    for fate in product((0, 1), repeat=2 - state):
        chance = Fraction(1)
        for fails in fate:
            chance *= wear if fails else 1 - wear
        found[state + sum(fate)] = found.get(state + sum(fate), Fraction(0)) + chance
    return found


@pytest.mark.parametrize("state", [0, 1, 2])
def test_products_of_a_worn_machine(state: int) -> None:
    machine = MachineRepairProblem()
    assert {result: chance for chance, result in machine.outcomes(state, "make")} == worn(TENTH, state)
    # As the paper has it: 0.9025, 0.475 and 0.25.
    assert machine.reward(state, "make") == [Fraction("0.9025"), Fraction("0.475"), Fraction("0.25")][state]


def test_what_a_machine_is_worth_if_one_must_not_look() -> None:
    """The best of all 64 ways to choose three actions in advance is no better than with products examined."""
    machine = MachineRepairProblem(discounted=Fraction(1))

    def paid(actions: tuple[str, ...], state: int = 0) -> Fraction:
        if not actions:
            return Fraction(0)
        total = Fraction(machine.reward(state, actions[0]))
        for chance, result in machine.outcomes(state, actions[0]):
            total += chance * paid(actions[1:], result)
        return total

    best = max(paid(actions) for actions in product(machine.actions(0), repeat=3))
    value = solve(machine, horizon=3).value
    assert value is not None
    assert value >= best


# RockSample.


def test_what_the_rover_does() -> None:
    rover = RockSampleProblem()
    good, bad = (True, True, True, True), (False, True, True, True)
    assert rover.outcomes((3, 1, good), "sample") == [(1, (3, 1, bad))]
    assert (rover.reward((3, 1, good), "sample"), rover.reward((3, 1, bad), "sample")) == (10, -10)
    assert rover.reward((0, 0, good), "sample") == -100
    assert rover.outcomes((3, 2, good), "east") == [(1, None)]
    assert rover.reward((3, 2, good), "east") == 10
    assert rover.outcomes((0, 2, good), "west") == [(1, (0, 2, good))]
    assert rover.reward((0, 2, good), "west") == -100
    # On the rock the sensor is sure, and at a distance of 20 it is right three times in four.
    assert (1, "good") in rover.percept_distribution((3, 1, good), "check-1")
    assert rover._reliability(23, 1, 0) == Fraction(3, 4)


@pytest.mark.parametrize(("size", "rocks"), [(4, 4), (5, 5), (7, 8), (3, 9), (6, 5), (1, 1), (2, 0)])
def test_rocks_lie_on_cells_of_their_own(size: int, rocks: int) -> None:
    rover = RockSampleProblem(size=size, rocks=rocks)
    assert len(set(rover.places)) == rocks
    assert all(0 <= x < size and 0 <= y < size for x, y in rover.places)
    assert sum(chance for chance, _ in rover.initial_distribution()) == 1


@pytest.mark.parametrize(("size", "rocks"), [(1, 0), (2, 2), (3, 2)])
def test_the_arrays_of_the_field_are_what_is_said_state_by_state(size: int, rocks: int) -> None:
    rover = RockSampleProblem(size=size, rocks=rocks)
    given, listed = named(pomdp_model(rover, Budget())), named(pomdp_model(WithoutArrays(size, rocks), Budget()))
    assert given == listed


class WithoutArrays(RockSampleProblem):  # type: ignore[misc]  # loaded by name
    """The same field, listed state by state."""

    def arrays(self, tick: Any) -> Any:
        return None


def named(model: Any) -> Any:
    """A model without its numbers."""
    rows: dict[Any, Any] = {}
    for place, action in enumerate(model.actions):
        for number, state in enumerate(model.states):
            after = {model.states[result]: chance for result, chance in model.outcomes[place][number]}
            rows[state, action] = after, model.rewards[place][number]
            for result, _ in model.outcomes[place][number]:
                seen = {model.percepts[percept]: chance for percept, chance in model.percept_rows[place][result]}
                rows[model.states[result], action, "perceived"] = seen
    start = {model.states[number]: chance for number, chance in model.start}
    return rows, start, set(model.states), set(model.percepts), model.actions, model.discount, model.exact


# Tag.


def test_the_opponent_runs_away() -> None:
    tag = TagProblem()
    flights = {cell: chance for chance, cell in tag._flights((3, 4), (3, 6))}
    # East, away; north or south by chance, of which south is free and north is free above column 6.
    assert flights == {(3, 6): Fraction(1, 5), (3, 7): Fraction(2, 5), (2, 6): Fraction(1, 5), (4, 6): Fraction(1, 5)}
    assert tag.outcomes(((3, 6), (3, 6)), "catch") == [(1, None)]
    assert len(tag._cells) == 29, "as in the paper"


def test_with_the_opponent_beside_you() -> None:
    """Two cells: whoever goes to the other one finds him there, unless he was here."""
    pair = TagProblem(grid="..")
    value = solve(pair, horizon=1).value
    # Half the time he is here: 10 or -10.
    assert value == 0


# The maze, and the file of it.


def test_the_maze_is_that_of_the_file_but_for_its_slip() -> None:
    file = FIELD / "4x3.95.pomdp"
    if not file.exists():
        pytest.skip("the published file is not here")
    published: Any = make_problem(load_problem_class(str(file)), {"file": str(file)})
    maze = MazeProblem()
    cells = list(maze.cells)
    differ = []
    for number, cell in enumerate(cells):
        for short, action in zip("nsew", ("north", "south", "east", "west"), strict=True):
            there: dict[Any, float] = {}
            for chance, result in maze.outcomes(cell, action):
                there[result] = there.get(result, 0) + float(chance)
            written = {cells[int(state)]: float(chance) for chance, state in published.outcomes(str(number), short)}
            if {k: round(v, 4) for k, v in there.items() if v} != {k: round(v, 4) for k, v in written.items() if v}:
                differ.append((number, short))
            assert float(published.reward(str(number), short)) == float(maze.reward(cell, action))
    assert differ == [(9, "e")]
