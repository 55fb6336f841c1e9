"""Bad input: one line that names the culprit on standard error, exit code 2, and never a traceback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ..answers import Found, assert_one_line, stdout, write_json
from ..conftest import Run
from ..toys import method, toy

# Methods are appended to these classes; what is defined last counts.
BELIEF = toy("puzzle_sensorless")


GOOD_PLAN: Mapping[str, Any] = {
    "problem": "devil",
    "parameters": {"n": 2, "canonical": True, "table": "cyclic", "faces": 2, "goal": "all-heads"},
    "blindfold": False,
    "status": "solved",
    "cost": 3,
    "lower_bound": 3,
    "optimal": True,
    "plan": [[0, 1], [0], [0, 1]],
    "solver": "breadth-first",
    "heuristic": None,
    "reason": None,
    "stats": {},
    "version": 1,
}


NINE_TAILS = {"problem": "nine-tails", "cost": None, "parameters": {"start": "HHHTTTHHH"}}

# By name: the text of a plan file, and what the message must mention besides the file.
BAD_PLANS: Mapping[str, tuple[bytes, tuple[str, ...]]] = {
    "not JSON": (b"these are the moves: 0 1 2", ("plan.json", "JSON")),
    "cut off": (json.dumps(dict(GOOD_PLAN)).encode()[:60], ("JSON",)),
    "empty": (b"", ("JSON",)),
    "not a text": (b"\xff\xfe\x00", ("plan.json",)),
    "nested too deeply": (b"[" * 100_000, ("JSON",)),
    "a list": (b"[1, 2]", ("plan.json", "plan file", "object")),
    "a number": (b"17", ("plan file", "object")),
    **{
        name: (json.dumps({**GOOD_PLAN, **changes}).encode(), culprits)
        for name, changes, culprits in (
            ("of a later version", {"version": 2}, ("plan.json", "version", "2")),
            ("of a version in words", {"version": "one"}, ("version", "one")),
            ("of no version", {"version": None}, ("version",)),
            ("of a version that is true", {"version": True}, ("version",)),
            ("of an unknown problem", {"problem": "devill"}, ("devill", "devil")),
            ("of a problem that is a number", {"problem": 4}, ("problem",)),
            ("of a file that is gone", {"problem": "./gone.py"}, ("gone.py",)),
            ("of an unknown option", {"parameters": {"coins": 2}}, ("coins",)),
            ("of an option that is refused", {"parameters": {"n": 0}}, ("n",)),
            ("of an option of another type", {"parameters": {"n": "two"}}, ("n", "two")),
            ("of an option that is not one of the choices", {"parameters": {"told": "nothing"}}, ("told", "nothing")),
            ("of an option that is a list", {"parameters": {"group": ["turns"]}}, ("group",)),
            ("of an option that is an object", {"parameters": {"n": {"coins": 2}}}, ("n", "coins")),
            ("of an option that is not set", {"parameters": {"n": None}}, ("n",)),
            ("of an option so large that it is no number", {"parameters": {"n": "9" * 5000}}, ("n",)),
            ("of parameters that are a list", {"parameters": [2]}, ("parameters",)),
            ("of a problem that cannot be blindfolded", {"blindfold": True}, ("blindfold",)),
            ("of a blindfold that is a number", {"blindfold": 1}, ("blindfold",)),
            ("without a plan", {"plan": None}, ("plan.json", "no plan")),
            ("with a plan in words", {"plan": "flip all"}, ("plan",)),
            ("with a cost in words", {"cost": "three"}, ("cost", "three")),
            ("with a cost that is a list", {"cost": [3]}, ("cost",)),
            ("with an action that does not exist", {"plan": [[0, 1], [7], [0, 1]]}, ("step 2", "7")),
            ("with an action in words", {"plan": [[0, 1], [0], "all"]}, ("step 3", "all")),
            ("with an action that is an object", {"plan": [{"flip": 0}]}, ("step 1", "flip")),
            (
                "with an action that is not applicable there",  # the coin in the middle shows tails
                {**NINE_TAILS, "plan": [[1, 1], [0, 1]]},
                ("step 1", "1, 1"),
            ),
            (
                "with an action that is no longer applicable",  # the first move has turned that coin to tails
                {**NINE_TAILS, "plan": [[0, 0], [2, 1], [0, 0]]},
                ("step 3", "[0, 0]"),
            ),
        )
    },
}


@pytest.mark.parametrize(
    ("words", "culprits"),
    [
        ("run devil --n 0", ("n", "0")),
        ("run devil --n four", ("--n", "four")),
        ("run devil --n", ("--n",)),
        ("run devil --group square", ("group", "square", "turns")),
        ("run devil --told nothing", ("--told", "nothing", "parity")),
        ("run random-devil --slip 2", ("slip", "between 0 and 1")),
        ("run devil --blindfold", ("blindfold",)),
        ("run vacuum --squares 0", ("error: vacuum refuses", "squares", "0")),
        ("run lights-out --rows 0", ("rows", "0")),
        ("run sliding-tiles --rows 2", ("--start",)),
        ("run nine-tails --start HHX", ("HHX", "X")),
        ("run lights-out --start 012", ("012", "2")),
        ("run devli", ("devli", "did you mean 'devil'")),
        ("run xyzzy", ("xyzzy", "list")),
        ("run devil --solver breadthfirst", ("breadthfirst", "breadth-first")),
        ("run nine-tails --solver regression", ("regression", "sensorless", "nine-tails")),
        ("run nine-tails --blindfold --precision 0.2", ("--precision", "such as nine-tails, which")),
        ("run devil --heuristic manhattan", ("manhattan", "own")),
        ("run devil --solver bfs --heuristic own", ("heuristic", "breadth-first")),
        ("run devil --solver weighted-astar --weight nan", ("weight", "nan")),
        ("run devil --engine diesel", ("diesel", "naive")),
        ("run devil --time-limit soon", ("--time-limit", "soon")),
        ("run devil --time-limit 0", ("--time-limit", "0")),
        ("run devil --time-limit nan", ("--time-limit", "nan")),
        ("run devil --memory-limit lots", ("--memory-limit", "lots")),
        ("run devil --memory-limit 0", ("--memory-limit", "0")),
        ("run devil --format xml", ("--format", "xml", "json")),
        ("run devil --colour", ("--colour",)),
        ("run devil vacuum", ("vacuum",)),
        ("run", ("PROBLEM",)),
        ("rum devil", ("rum", "run")),
        ("verify", ("FILE",)),
        ("run ./gone.py", ("gone.py",)),
        ("run ./gone.py:Puzzle", ("gone.py",)),
        ("run ./folder.py", ("folder.py",)),
        ("run no_such_module_anywhere:Puzzle", ("no_such_module_anywhere",)),
        ("run json:JSONDecoder", ("json", "JSONDecoder")),
        ("run beliefsearch_problems.devil:Devil", ("Devil", "DevilProblem")),
        ("run ./good.py:Other", ("good.py", "Other", "Puzzle")),
        ("run devil --output gone/plan.json", ("gone/plan.json",)),
        ("run devil --output folder.py", ("folder.py", "folder")),
        ("run devil --output good.py/plan.json", ("good.py/plan.json",)),
        ("run nine-tails --all --output gone/table.json", ("gone/table.json",)),
        ("export devil --output gone/graph.json", ("gone/graph.json",)),
        ("export devil --output graph.bmp", ("graph.bmp", "graphml")),
        ("export devil", ("--output",)),
        ("verify gone.json", ("gone.json",)),
        ("verify folder.py", ("folder.py",)),
        ("simulate devil --games 0", ("--games", "0")),
        ("show devil --width 3", ("--width", "3")),
    ],
)
def test_a_bad_word_is_named_in_one_line(cli: Run, folder: Path, words: str, culprits: tuple[str, ...]) -> None:
    (folder / "good.py").write_text(BELIEF)
    (folder / "folder.py").mkdir()
    assert_one_line(cli(*words.split()), *culprits)


def test_a_device_that_is_full_is_named_in_one_line(cli: Run) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    assert_one_line(cli("run", "devil", "--output", "/dev/full"), "/dev/full")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
@pytest.mark.parametrize(
    "words",
    ["verify", "verify --problem devil", "verify --game", "show devil --plan", "explain devil --plan"],
)
def test_a_device_is_no_plan(cli: Run, words: str) -> None:
    assert_one_line(cli(*words.split(), "/dev/zero"), "cannot read '/dev/zero': it is a device")


@pytest.mark.parametrize("name", BAD_PLANS)
def test_a_bad_plan_file_is_refused_by_verify_in_one_line(cli: Run, folder: Path, name: str) -> None:
    text, culprits = BAD_PLANS[name]
    (folder / "plan.json").write_bytes(text)
    assert_refused(cli("verify", "plan.json"), name, *culprits)


def assert_refused(found: Found, name: str, *culprits: str) -> None:
    if name.startswith("with an action"):  # it can be read, and does not hold
        assert_does_not_hold(found, *culprits)
    else:
        assert_one_line(found, *culprits)


def assert_does_not_hold(found: Found, *culprits: str) -> None:
    (line,) = stdout(found, 1).splitlines()
    assert "the plan does not hold: " in line
    assert all(culprit in line for culprit in culprits)


@pytest.mark.parametrize(
    "command",
    [("show",), ("play", "--watch"), ("simulate",), ("explain",), ("export", "--output", "graph.dot")],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize(
    "name", ["not JSON", "of a later version", "without a plan", "with an action that does not exist"]
)
def test_a_bad_plan_file_is_refused_by_all_commands(
    cli: Run, folder: Path, name: str, command: tuple[str, ...]
) -> None:
    text, culprits = BAD_PLANS[name]
    (folder / "plan.json").write_bytes(text)
    assert_refused(cli(command[0], "devil", "--n", 2, "--plan", "plan.json", *command[1:]), name, *culprits)


def test_debug_shows_where_an_error_came_from(cli: Run) -> None:
    code, out, err = cli("run", "devli", "--debug")
    assert (code, out) == (2, "")  # as without it
    assert "Traceback" in err
    assert "loading.py" in err
    assert err.splitlines()[-1].startswith("beliefsearch: error: ")


def test_no_command_at_all_shows_what_there_is_and_is_an_error(cli: Run) -> None:
    code, out, err = cli()
    assert (code, out) == (2, "")
    assert "Usage" in err
    assert "simulate" in err


def test_an_action_that_only_some_possible_states_allow_is_named_with_step_and_state(cli: Run, folder: Path) -> None:
    methods = method("actions", "return ['stay', 'go'] if state == 'here' else ['stay']")
    (folder / "puzzle.py").write_text(BELIEF + methods)
    plan = {**GOOD_PLAN, "problem": "./puzzle.py", "parameters": {}, "plan": ["stay", "go"]}
    write_json("plan.json", plan)
    assert_does_not_hold(cli("verify", "plan.json", "--problem", "./puzzle.py"), "step 2", "go", "there")


def test_verify_names_the_broken_rule_of_a_plugin(cli: Run, folder: Path) -> None:
    (folder / "puzzle.py").write_text(BELIEF + method("results", "return []"))
    plan = {**GOOD_PLAN, "problem": "./puzzle.py", "parameters": {}, "plan": ["stay", "go"]}
    write_json("plan.json", plan)
    assert_one_line(cli("verify", "plan.json", "--problem", "./puzzle.py"), "results", "stay", "no state")


def test_a_very_long_text_is_not_told_whole(cli: Run) -> None:
    code, out, err = cli("simulate", "devil", "--start", "HHT " * 10_000 + "end")
    assert_one_line((code, out, err), "'HHT HHT", "4 letters out of HT")
    assert len(err) < 1600
