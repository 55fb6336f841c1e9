"""Reset words and the lost robot: published answers, and brute force."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import check_plan, solve
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.reset_word import ResetWordProblem

from ..examples import thorough
from .layers import assert_solved, fewest_steps


# Published: (n - 1)^2 letters; every set of two or more states comes up, and one single state.
@pytest.mark.parametrize("size", range(2, 13))
def test_the_automaton_of_cerny_takes_the_square(size: int) -> None:
    result = assert_solved(ResetWordProblem(cerny=size), (size - 1) ** 2)
    assert result.stats.reached == 2**size - size


def shortest_reset(table: Any) -> float:
    """Breadth-first over sets of states, by definition."""

    def following(states: frozenset[int]) -> Iterator[frozenset[int]]:
        return (frozenset(table[s][letter] for s in states) for letter in range(len(table[0])))

    return fewest_steps([frozenset(range(len(table)))], following, lambda states: len(states) == 1)


@pytest.mark.few(20)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("size", "letters"), [(1, 1), (4, 1), (6, 2), (9, 2), (5, 3)])
def test_random_automata_agree_with_brute_force(size: int, letters: int, seed: int) -> None:
    problem = ResetWordProblem(random=size, letters=letters, seed=seed)
    assert solve(problem).cost == shortest_reset(problem.table)


def test_an_automaton_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cerny.txt"
    path.write_text("2 4\n1 0\n2 1\n3 2\n0 0\n")
    assert ResetWordProblem(automaton=path).table == ResetWordProblem(cerny=4).table


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "should begin with"),
        ("0 4", "should begin with"),
        ("2 2 0 1 1", "missing is letter 1 of state 1"),
        ("2 2 0 1 1 1 0", "has 5 targets, but 2 letters and 2 states need 4"),
        ("2 2 0 1 2 1", "letter 0 of state 1 leads to 2, but states go from 0 to 1"),
        ("2 2 0 1 -1 1", "'-1' where a whole number should be"),
    ],
)
def test_a_broken_automaton_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        ResetWordProblem(automaton=path)
    with pytest.raises(ValueError, match="cannot read"):
        ResetWordProblem(automaton=tmp_path / "missing.txt")
    with pytest.raises(ValueError, match="exclude each other"):
        ResetWordProblem(cerny=3, random=3)


# Published: 3n - 4 for even n.
@pytest.mark.parametrize(("size", "steps"), [(2, 2), (8, 20), (12, 32), thorough(16, 44)])
def test_the_lost_robot_takes_as_long_as_published(size: int, steps: int) -> None:
    problem = LostRobotProblem(rows=size, cols=size, goal=(size // 2, size // 2))
    assert check_plan(problem, assert_solved(problem, steps)).starts == size * size


def test_a_map_has_walls_that_stop_the_robot(tmp_path: Path) -> None:
    path = tmp_path / "room.txt"
    path.write_text("..#\n#..\n")
    problem = LostRobotProblem(map=path, goal=(3, 1))
    assert sorted(problem.initial_states()) == [(1, 2), (2, 1), (2, 2), (3, 1)]
    assert [problem.results((2, 2), step)[0] for step in problem.actions((2, 2))] == [(2, 2), (2, 2), (2, 1), (1, 2)]
    # From the far end, (1, 2): east, south, east; and these three do it from everywhere.
    assert solve(problem).plan == ("East", "South", "East")
    with pytest.raises(ValueError, match="no free cell"):
        LostRobotProblem(map=path, goal=(1, 1))
