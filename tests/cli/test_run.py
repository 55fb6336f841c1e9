"""`beliefsearch run`: puzzles, blindfolds, what is written, and the choice of solvers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ..answers import assert_one_line, read_json, stdout, stdout_alone
from ..conftest import Run
from .conftest import RunJson


def test_a_blindfold_is_refused_for_a_problem_that_lists_no_starts(cli: Run, run_json: RunJson, plugins: None) -> None:
    code, found = run_json("lights-out", "--rows", 1, "--cols", 3, "--blindfold")
    assert (code, found["cost"], found["blindfold"]) == (0, 7, True)
    assert_one_line(cli("run", "./counter.py", "--blindfold"), "possible_starts")


# JSON and files.


def test_json_is_one_object_with_exactly_the_fields_of_the_design(run_json: RunJson, cli: Run) -> None:
    _, found = run_json("devil", "--n", 2)
    assert set(found) == {
        *("problem", "parameters", "blindfold", "status", "cost", "lower_bound", "optimal", "plan"),
        *("solver", "heuristic", "engine", "reason", "stats", "version"),
    }
    assert set(found["stats"]) == {"expanded", "generated", "reached", "max_frontier", "max_belief_size", "seconds"}
    assert found["problem"] == "devil"
    assert found["parameters"]["n"] == 2
    assert found["version"] == 1
    out = stdout_alone(cli("run", "devil", "--n", 2, "--format", "json"))
    assert out.count("\n") == 1
    assert isinstance(json.loads(out), dict)

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    _, out, _ = cli("run", "devil", "--n", 3, "--format", "json")
    found = json.loads(out, parse_constant=refuse)
    assert (found["cost"], found["lower_bound"], found["status"]) == (None, None, "unsolvable")


def test_output_writes_the_object_that_json_prints_whatever_the_verdict(
    run_json: RunJson, folder: Path, cli: Run
) -> None:
    code, printed = run_json("devil", "--n", 4, "--output", "plan.json")
    assert code == 0
    assert read_json("plan.json") == printed
    assert [path.name for path in folder.iterdir()] == ["plan.json"]
    assert cli("run", "devil", "--n", 3, "--output", "verdict.json")[0] == 1
    assert read_json("verdict.json")["status"] == "unsolvable"


def test_a_long_plan_is_summarised_on_the_terminal_and_whole_in_the_file(cli: Run, folder: Path, plugins: None) -> None:
    out = stdout(cli("run", "./counter.py", "--output", "long.json"))
    assert len(out.splitlines()) < 60
    assert "3,000" in out
    assert read_json("long.json")["plan"] == ["one more"] * 3000


# Solvers.


def test_a_heuristic_is_named_when_the_solver_takes_one(run_json: RunJson) -> None:
    _, informed = run_json("lights-out", "--rows", 2, "--cols", 2, "--heuristic", "own")
    _, blind = run_json("lights-out", "--rows", 2, "--cols", 2, "--solver", "bfs")
    assert (informed["solver"], informed["heuristic"], blind["heuristic"]) == ("astar", "own", None)


def test_a_game_that_is_won_already_takes_no_lines(cli: Run) -> None:
    out = stdout_alone(cli("run", "vacuum", "--squares", 1, "--belief", "[.]"))
    assert out.splitlines()[:2] == ["vacuum --squares 1 --belief '[.]': solved in 0 actions, proved optimal", ""]
    assert len(out.splitlines()) == 3


@pytest.mark.parametrize(("alias", "name"), [("bfs", "breadth-first"), ("A*", "astar"), ("ida*", "ida-star")])
def test_an_alias_names_the_same_solver(run_json: RunJson, alias: str, name: str) -> None:
    code, found = run_json("lights-out", "--rows", 2, "--cols", 2, "--solver", alias)
    assert (code, found["solver"], found["cost"]) == (0, name, 4)


# Published answers as they are printed; what they are is tested in tests/problems.


def test_nine_tails_prints_the_three_boards_of_the_published_path_row_by_row(cli: Run) -> None:
    boards = ["HHHTTTHHH", "HHHTHTTTT", "TTTTTTTTT"]
    _, _, body = stdout(cli("run", "nine-tails", "--start", "HHHTTTHHH")).partition("\n")
    assert re.findall(r"\b[HT]{9}\b", body) == boards
    rows = re.findall(r"^ *([HT] [HT] [HT])$", body, re.MULTILINE)
    assert "".join(rows).replace(" ", "") == "".join(boards)


# Published: how many of the 512 boards take 0, 1, ..., 9 moves when any coin may be taken.
ANY_COIN_HISTOGRAM = [1, 9, 36, 84, 126, 126, 84, 36, 9, 1]


def test_all_prints_the_published_histogram(cli: Run, run_json: RunJson) -> None:
    words = ("nine-tails", "--all", "--legal", "any")
    rows = re.findall(r"^ *(\d+) +(\d+)\b", stdout(cli("run", *words)), re.MULTILINE)
    assert [(int(cost), int(count)) for cost, count in rows] == list(enumerate(ANY_COIN_HISTOGRAM))
    code, found = run_json(*words)
    assert (code, [*found["distances"].values()], found["unsolvable"]) == (0, ANY_COIN_HISTOGRAM, 0)


def test_nine_tails_asks_on_a_terminal_until_it_is_right(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["HHX", "hhhttthhh"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt: next(answers))
    code, out, err = cli("run", "nine-tails")
    assert code == 0
    assert "solved in 2 actions" in out
    assert "HHX" in err
    assert next(answers, "none left") == "none left"


def test_the_word_of_each_state_of_a_machine_is_a_row(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "door.kiss"
    file.write_text("shut -- push / creak -> open\nopen -- push / thud -> open\najar -- push / creak -> open\n")
    asked = ("run", file, "--find", "uio")
    assert stdout(cli(*asked)).splitlines() == [
        "shut  unsolvable; it is proved that there is no plan; shut cannot be told from ajar",
        "open  solved in 1 action, proved optimal: push",
        "ajar  unsolvable; it is proved that there is no plan; ajar cannot be told from shut",
    ]
    rows = json.loads(stdout(cli(*asked, "--format", "json")))["questions"]
    assert [(row["name"], row["cost"], row["actions"]) for row in rows] == [
        ("shut", None, None),
        ("open", 1, ["push"]),
        ("ajar", None, None),
    ]
    assert stdout(cli(*asked, "--format", "csv")).splitlines()[0] == "name,status,cost,lower_bound,reason,actions"
    twins = tmp_path / "twins.kiss"
    twins.write_text("a -- push / thud -> a\nb -- push / thud -> b\n")
    assert len(stdout(cli("run", twins, "--find", "uio"), code=1).splitlines()) == 2
    refused = "--output is about one question, and the file holds 3; --find uio is about one state, which --state STATE"
    assert_one_line(cli(*asked, "--output", tmp_path / "plan.json"), refused)
    assert_one_line(cli(*asked, "--solver", "astar"), "leave --solver out")
    assert_one_line(cli("show", *asked[1:]), "only `run` asks for each")
