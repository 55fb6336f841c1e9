"""The lost robot that feels walls, or only wants to know where it is: brute force on small maps."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from beliefsearch import Status, solve
from beliefsearch_problems.lost_robot import LostRobotProblem, parse_walls

from ..contingent_problems import cost_of_plan, outcomes
from ..examples import thorough
from .contingent_brute_force import least_worst_cost
from .layers import assert_solved


@pytest.mark.parametrize(
    ("rows", "cols", "goal", "place"),
    [
        (1, 4, 3, 2),
        (2, 2, 2, 1),
        (2, 3, 3, 1),
        (3, 3, 4, 1),
        (3, 4, 4, 2),
        (4, 4, 5, 3),
        (5, 5, 7, 5),
        thorough(8, 8, 17, 11),
    ],
)
def test_steps_in_empty_rooms_with_sensors(rows: int, cols: int, goal: int, place: int) -> None:
    room = {"rows": rows, "cols": cols, "sensors": "walls"}
    for find, steps in (("goal", goal), ("place", place)):
        problem = LostRobotProblem(**room, find=find)
        assert least_worst_cost(problem) == steps
        assert cost_of_plan(problem, assert_solved(problem, steps).plan) == steps


# In a corridor of n cells the one who feels nothing goes n - 1 steps to an end. After n - 2 steps east the one who
# feels the ends has felt the end, or else must be in the cell before it.
@pytest.mark.parametrize("cells", range(2, 9))
def test_a_corridor(cells: int) -> None:
    blind = LostRobotProblem(rows=1, cols=cells, find="place")
    assert solve(blind).cost == least_worst_cost(blind) == cells - 1
    feeling = LostRobotProblem(rows=1, cols=cells, find="place", sensors="walls")
    assert solve(feeling).cost == least_worst_cost(feeling) == max(1, cells - 2)


@pytest.mark.parametrize(("rows", "cols"), [(2, 2), (2, 3), (3, 3), (4, 4)])
def test_the_place_is_found_without_sensors(rows: int, cols: int) -> None:
    problem = LostRobotProblem(rows=rows, cols=cols, find="place")
    assert_solved(problem, rows + cols - 2)
    assert least_worst_cost(problem) == rows + cols - 2


@pytest.fixture
def maze(tmp_path: Path) -> Path:
    path = tmp_path / "maze.txt"
    path.write_text("...#.\n.#...\n...#.\n")
    return path


def test_walls_are_felt_on_all_four_sides(maze: Path) -> None:
    problem = LostRobotProblem(map=maze, goal=(1, 1), sensors="walls")
    felt = {
        problem.format_state(place): problem.format_percept(problem.percepts(place, "North")[0])
        for place in problem.initial_states()
    }
    assert felt == {
        "1,1": "walls S W", "2,1": "walls N S", "3,1": "walls E S", "5,1": "walls E S W",
        "1,2": "walls E W", "3,2": "walls W", "4,2": "walls N S", "5,2": "walls E",
        "1,3": "walls N W", "2,3": "walls N S", "3,3": "walls N E", "5,3": "walls N E W",
    }  # fmt: skip


def test_what_is_felt_at_the_start(maze: Path) -> None:
    problem = LostRobotProblem(map=maze, find="place", sensors="walls", seen=parse_walls("N S"))
    belief = frozenset(problem.initial_states())
    assert belief == {(2, 1), (4, 2), (2, 3)}
    assert set(outcomes(problem, belief, "East").values()) == {frozenset({p}) for p in [(3, 1), (5, 2), (3, 3)]}
    assert least_worst_cost(problem) == 1
    assert least_worst_cost(LostRobotProblem(map=maze, find="place", seen=parse_walls("W"))) == 0
    with pytest.raises(ValueError, match="no cell of the room has no walls around it"):
        LostRobotProblem(map=maze, find="place", seen=())


def test_two_rooms_of_one_shape_cannot_be_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "rooms.txt"
    path.write_text("..#..\n")
    for sensors in ("none", "walls"):
        problem = LostRobotProblem(map=path, find="place", sensors=sensors)
        assert least_worst_cost(problem) == math.inf
        assert solve(problem).status is Status.UNSOLVABLE
    path.write_text("..#.\n")
    # Each of the three cells looks different.
    assert least_worst_cost(LostRobotProblem(map=path, find="place", sensors="none")) == math.inf
    assert least_worst_cost(LostRobotProblem(map=path, find="place", sensors="walls")) == 1


def test_without_sensors_nothing_is_perceived() -> None:
    problem = LostRobotProblem()
    assert problem.is_sensorless()
    assert set(problem.percepts((1, 1), "North")) == {None}
    assert not LostRobotProblem(sensors="walls").is_sensorless()
