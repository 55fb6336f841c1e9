"""`beliefsearch run`: puzzles, blindfolds, what is written, and the choice of solvers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from ..answers import assert_one_line, read_json, stdout, stdout_alone
from ..conftest import Run
from ..examples import thorough
from ..problems.layers import fewest_steps
from ..problems.test_counts import crosses, fewest_presses
from .conftest import RunJson

ALIASES = [
    ("bfs", "breadth-first"),
    ("dijkstra", "uniform-cost"),
    ("ucs", "uniform-cost"),
    ("a*", "astar"),
    ("A*", "astar"),
    ("a-star", "astar"),
    ("weighted-a*", "weighted-astar"),
    ("greedy", "greedy-best-first"),
    ("ida*", "ida-star"),
    ("iterative-deepening-astar", "ida-star"),
    ("bidirectional-breadth-first", "bidirectional"),
]


# The other puzzles, and blindfolds.


@pytest.mark.parametrize("squares", [1, 2, 3, 4, 5])
def test_vacuum_takes_three_actions_a_square_less_two(run_json: RunJson, squares: int) -> None:
    code, found = run_json("vacuum", "--squares", squares)
    assert (code, found["cost"]) == (0, 3 * squares - 2)


@pytest.mark.parametrize(("rows", "cols", "start"), [(2, 3, "100001"), (3, 3, "111111111"), (2, 3, "110000")])
def test_lights_out_takes_as_many_presses_as_the_smallest_set_of_buttons(
    run_json: RunJson, rows: int, cols: int, start: str
) -> None:
    lit = sum(1 << i for i, lamp in enumerate(start) if lamp == "1")
    fewest = fewest_presses(rows, cols)[lit]
    code, found = run_json("lights-out", "--rows", rows, "--cols", cols, "--start", start)
    assert (code, found["cost"]) == ((1, None) if fewest == inf else (0, fewest))


def shortest_blindfolded(rows: int, cols: int) -> float:
    """Breadth-first search over sets of lit patterns that a bell does not yet tell apart from won ones."""

    def following(belief: frozenset[int]) -> Iterator[frozenset[int]]:
        return (frozenset(lit ^ made for lit in belief) - {0} for made in crosses(rows, cols))

    start = frozenset(range(1, 1 << rows * cols))  # patterns that are won leave the game at once
    return fewest_steps([start], following, lambda belief: not belief)


@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 3), thorough(1, 4), (2, 2)])
def test_blindfold_finds_the_shortest_plan_that_wins_from_every_start(run_json: RunJson, rows: int, cols: int) -> None:
    expected = shortest_blindfolded(rows, cols)
    code, found = run_json("lights-out", "--rows", rows, "--cols", cols, "--blindfold")
    assert (code, found["cost"]) == ((1, None) if expected == inf else (0, expected))
    assert found["blindfold"] is True


def test_blindfold_is_refused_for_a_problem_that_lists_no_starts(cli: Run, plugins: None) -> None:
    assert_one_line(cli("run", "./counter.py", "--blindfold"), "possible_starts")


# JSON and files.


def test_json_has_exactly_the_fields_of_the_design(run_json: RunJson) -> None:
    _, found = run_json("devil", "--n", 2)
    assert set(found) == {
        *("problem", "parameters", "blindfold", "status", "cost", "lower_bound", "optimal", "plan"),
        *("solver", "heuristic", "engine", "reason", "stats", "version"),
    }
    assert set(found["stats"]) == {"expanded", "generated", "reached", "max_frontier", "max_belief_size", "seconds"}
    assert found["problem"] == "devil"
    assert found["parameters"]["n"] == 2
    assert found["version"] == 1


def test_json_is_one_object_on_standard_output_and_nothing_else(cli: Run) -> None:
    out = stdout_alone(cli("run", "devil", "--n", 2, "--format", "json"))
    assert out.count("\n") == 1
    assert isinstance(json.loads(out), dict)


def test_json_of_an_unsolvable_problem_is_json_without_infinities(cli: Run) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    _, out, _ = cli("run", "devil", "--n", 3, "--format", "json")
    found = json.loads(out, parse_constant=refuse)
    assert (found["cost"], found["lower_bound"], found["status"]) == (None, None, "unsolvable")


def test_counts_of_a_search_are_the_same_at_every_run(run_json: RunJson) -> None:
    runs = [run_json("devil", "--n", 4, "--no-canonical")[1] for _ in range(2)]
    for found in runs:
        del found["stats"]["seconds"]
    assert runs[0] == runs[1]


def test_output_writes_the_object_that_json_prints(run_json: RunJson, folder: Path) -> None:
    code, printed = run_json("devil", "--n", 4, "--output", "plan.json")
    assert code == 0
    assert read_json("plan.json") == printed
    assert [path.name for path in folder.iterdir()] == ["plan.json"]


def test_output_replaces_an_older_file(run_json: RunJson, folder: Path) -> None:
    (folder / "plan.json").write_text("old")
    run_json("devil", "--n", 2, "--output", "plan.json")
    assert read_json("plan.json")["cost"] == 3


def test_output_keeps_the_verdict_of_an_unsolvable_problem(cli: Run, folder: Path) -> None:
    assert cli("run", "devil", "--n", 3, "--output", "verdict.json")[0] == 1
    assert read_json("verdict.json")["status"] == "unsolvable"


def test_a_long_plan_is_summarised_on_the_terminal_and_whole_in_the_file(cli: Run, folder: Path, plugins: None) -> None:
    out = stdout(cli("run", "./counter.py", "--output", "long.json"))
    assert len(out.splitlines()) < 60
    assert "3,000" in out
    assert read_json("long.json")["plan"] == ["one more"] * 3000


# Solvers.


@pytest.mark.parametrize(("alias", "name"), ALIASES)
def test_an_alias_names_the_same_solver(run_json: RunJson, alias: str, name: str) -> None:
    puzzle = ("lights-out", "--rows", 2, "--cols", 2)
    (code, by_alias), (_, by_name) = (run_json(*puzzle, "--solver", word) for word in (alias, name))
    assert code == 0
    assert by_alias["solver"] == name
    assert by_alias["plan"] == by_name["plan"]


@pytest.mark.parametrize("solver", sorted({name for _, name in ALIASES} - {"bidirectional", "greedy-best-first"}))
def test_every_optimal_solver_finds_fifteen_moves(run_json: RunJson, solver: str) -> None:
    weight = ("--weight", 1) if solver == "weighted-astar" else ()
    code, found = run_json("devil", "--solver", solver, *weight)
    assert (code, found["solver"], found["cost"], found["optimal"]) == (0, solver, 15, True)


def test_engines_give_the_same_answer(run_json: RunJson) -> None:
    (_, naive), (_, bits) = (run_json("devil", "--engine", engine) for engine in ("naive", "bits"))
    assert naive["plan"] == bits["plan"]
    assert naive["stats"]["expanded"] == bits["stats"]["expanded"]


def test_a_heuristic_is_named_when_the_solver_takes_one(run_json: RunJson) -> None:
    _, informed = run_json("lights-out", "--rows", 2, "--cols", 2, "--heuristic", "own")
    _, blind = run_json("lights-out", "--rows", 2, "--cols", 2, "--solver", "bfs")
    assert (informed["solver"], informed["heuristic"], blind["heuristic"]) == ("astar", "own", None)


def test_a_game_that_is_won_already_takes_no_lines(cli: Run) -> None:
    out = stdout_alone(cli("run", "vacuum", "--squares", 1, "--belief", "[.]"))
    assert out.splitlines()[:2] == ["vacuum --squares 1 --belief '[.]': solved in 0 actions, proved optimal", ""]
    assert len(out.splitlines()) == 3
