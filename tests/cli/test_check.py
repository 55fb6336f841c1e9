"""`beliefsearch check`: one bug planted for each rule, and the report that names state and action."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beliefsearch.plugins.conformance.report import RULES

from ..answers import stdout, stdout_alone
from ..conftest import Run
from ..toys import method, toy
from .planted import BELIEF, BUGS, CODES, PLAIN, REVERSIBLE, STOCHASTIC


def broken_rules(out: str) -> dict[str, str]:
    """The complaint about each rule that is broken."""
    return {rule: f"{meaning} {line}" for rule, meaning, line in re.findall(r"^BROKEN +(\S+) +(.*)\n(.*)$", out, re.M)}


def test_a_bug_is_planted_for_every_rule() -> None:
    assert {rule for _, rule, _ in BUGS} == set(RULES)


@pytest.mark.parametrize(("source", "rule", "culprits"), BUGS, ids=[rule for _, rule, _ in BUGS])
def test_a_planted_bug_is_found(cli: Run, folder: Path, source: str, rule: str, culprits: tuple[str, ...]) -> None:
    (folder / "squares.py").write_text(source)
    out = stdout_alone(cli("check", "./squares.py"), 1)
    broken = broken_rules(out)
    assert rule in broken, out
    _, _, complaint = broken[rule].partition(RULES[rule])
    for culprit in culprits:
        assert culprit in complaint, f"{culprit} is not named: {complaint}"


@pytest.mark.parametrize(
    "source",
    [PLAIN, REVERSIBLE, CODES, BELIEF, STOCHASTIC],
    ids=["plain", "reversible", "codes", "belief", "stochastic"],
)
def test_the_same_plugins_without_a_bug_pass(cli: Run, folder: Path, source: str) -> None:
    (folder / "squares.py").write_text(source)
    out = stdout_alone(cli("check", "./squares.py"))
    assert broken_rules(out) == {}
    assert "3 states" in out


@pytest.mark.parametrize(
    "words",
    [
        "devil --n 4 --no-canonical",
        "devil --n 2 --faces 4",
        "nine-tails --start HHHTTTHHH --legal any --weights flips",
        "riddler-flips --flips 4 --exact --p-a 1/3 --value-a 4 --value-b 6 --state 1,-4",
        "lights-out --rows 2 --cols 2 --blindfold",
    ],
)
def test_our_own_puzzles_keep_every_rule(cli: Run, words: str) -> None:
    code, out, err = cli("check", *words.split())
    assert (code, err) == (0, ""), out
    assert "all that can be reached" in out


def test_a_puzzle_that_is_too_large_is_looked_at_in_part_and_the_report_says_so(cli: Run) -> None:
    out = stdout(cli("check", "devil", "--n", 7, "--states", 10))
    assert "10 states" in out
    assert "all that can be reached" not in out


def test_where_no_state_can_be_looked_at_nobody_is_told_to_raise_their_number(cli: Run, folder: Path) -> None:
    (folder / "narrow.py").write_text(toy("narrow") + method("initial_states", "return []"))
    assert "0 states looked at (there is none to begin with)" in stdout(cli("check", "./narrow.py"), 1)


ADVERSARY = toy("fork")


def test_an_estimate_is_measured_against_an_adversary(cli: Run, folder: Path) -> None:
    (folder / "fork.py").write_text(ADVERSARY)
    code, out, _ = cli("check", "./fork.py")
    assert (code, "BROKEN" in out) == (0, False)
    (folder / "fork.py").write_text(ADVERSARY.replace("2 - state", "3 - state"))
    assert "heuristic(0) is 3, above the true cost 2" in stdout(cli("check", "./fork.py"), 1)


def test_a_plain_puzzle_without_parsers_may_be_checked_blindfolded(cli: Run, folder: Path) -> None:
    source = ADVERSARY.replace("BeliefProblem[int, str, None]", "Problem[int, str]").replace("BeliefProblem", "Problem")
    source = source.replace(
        "def initial_states(self):\n        return [0]", "def initial_state(self):\n        return 0"
    )
    source = source.replace("def results", "def result").replace("{0: [1, 2], 1: [2], 2: [2]}", "[1, 2, 2]")
    (folder / "fork.py").write_text(source + "    def possible_starts(self):\n        return range(3)\n")
    code, out, _ = cli("check", "./fork.py", "--blindfold")
    assert (code, "BROKEN" in out) == (0, False)


def test_what_was_left_out_is_said_below_its_rule(cli: Run) -> None:
    out = stdout(cli("check", "lights-out", "--rows", 5, "--cols", 5, "--states", 20))
    assert re.search(r"^skipped array-hook .*\n +\(not looked at: all_states\(\) lists 33,554,432\)$", out, re.M)


def test_a_misspelt_method_is_a_warning(cli: Run, folder: Path) -> None:
    (folder / "squares.py").write_text(PLAIN + "\n    def heuristics(self, state):\n        return 1\n")
    out = stdout_alone(cli("check", "./squares.py"))
    assert "warning Squares.heuristics() is called nowhere in the class; did you mean heuristic()?" in out


def test_a_field_that_is_no_option_is_a_warning(cli: Run, folder: Path) -> None:
    source = "from attrs import frozen\n" + PLAIN.replace("class Squares", "@frozen\nclass Squares")
    (folder / "squares.py").write_text(source + "\n    walls: tuple[int, ...] = ()\n    size: int = 3\n")
    cure = "give the field metadata={'parse': function from text, 'format': its inverse}"
    said = f"Squares.walls is no option, since tuple[int, ...] cannot be read from text; {cure}"
    out = stdout_alone(cli("check", "./squares.py"))
    assert f"warning {said}" in out
    assert "Squares.size" not in out
    assert f"note: {said}" in cli("describe", "./squares.py")[1]
    for command in ("run", "prove", "sweep"):
        code, out, err = cli(command, "./squares.py", "--walls", "1,2")
        assert (code, out) == (2, "")
        assert said in " ".join(err.split())


def test_a_value_that_no_file_can_hold_is_a_warning_with_the_whole_cure(cli: Run, folder: Path) -> None:
    walls = "walls: tuple = field(default=(1, 2), metadata={'parse': lambda text: tuple(map(int, text.split('-')))})"
    source = "from attrs import field, frozen\n" + PLAIN.replace("class Squares", "@frozen\nclass Squares")
    (folder / "squares.py").write_text(f"{source}\n    {walls}\n")
    said = "give the field metadata={'parse': function from text, 'format': its inverse}"
    assert f"files cannot hold the default of Squares.walls, which is not read back the same; {said}" in stdout_alone(
        cli("check", "./squares.py")
    )
    code, _, err = cli("prove", "./squares.py", "--certificate", "proof.json")
    assert code == 2
    assert said in err
    (folder / "squares.py").write_text(
        f"{source}\n    {walls[:-2]}, 'format': lambda walls: '-'.join(map(str, walls))}})\n"
    )
    assert "warning" not in stdout_alone(cli("check", "./squares.py"))
    assert cli("prove", "./squares.py", "--certificate", "proof.json")[0] == 0


def test_a_limit_ends_it_with_what_was_found(cli: Run) -> None:
    code, out, err = cli("check", "devil", "--n", 16, "--time-limit", 0.1)
    assert code == 3
    assert "0 rules broken" in out
    assert "not all rules were checked: the time limit of 0.1 s was reached" in err


# Slips of authors.


@pytest.mark.parametrize("command", ["run", "check", "describe"])
def test_the_command_line_names_a_forgotten_decorator(cli: Run, folder: Path, command: str) -> None:
    source = "from attrs import field\n" + toy("walk") + "\n    size: int = field(default=3)\n"
    (folder / "walk.py").write_text(source)
    code, out, err = cli(command, "./walk.py")
    assert (code, out) == (2, "")
    assert "Walk.size" in err
    assert "did you forget @frozen above the class?" in err
    assert "_CountingAttr" not in err


def test_the_command_line_warns_in_one_line(cli: Run, folder: Path) -> None:
    source = (
        toy("walk")
        + method("initial_state", "return PLACES[0]")
        + method("result", "return PLACES[min(PLACES.index(state) + 1, 2)]")
        + method("is_goal", "return state is PLACES[2]")
        + "\n\nclass Place:\n    pass\n\n\nPLACES = [Place() for _ in range(3)]\n"
    )
    (folder / "walk.py").write_text(source)
    code, out, err = cli("run", "./walk.py")
    assert (code, len(err.splitlines())) == (0, 1)
    assert err.startswith("beliefsearch: warning: states of Walk are compared by identity")
    assert "solved" in out
