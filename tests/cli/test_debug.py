"""The two meanings of `--debug`: the traceback of an error, and behind `show` the view of one state for authors."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..answers import assert_one_line, stdout, stdout_alone
from ..toys import method, toy
from .conftest import Run

BELIEF = toy("squares_sensorless")


def test_the_view_of_a_state_lists_all_that_is_said_of_it(cli: Run) -> None:
    out = stdout_alone(cli("show", "devil", "--n", 2, "--debug", "--at", "TH"))
    assert out.splitlines()[:12] == [
        "devil --n 2: TH",
        "  state      TH",
        "  canonical  'HT'",
        "  won        no",
        "  potential  2",
        "  action {0, 1}   frozenset({0, 1}), cost 1   (Flip both coins)",
        "    -> HT",
        "    -> TH",
        "  action {0}   frozenset({0}), cost 1   (Flip one coin: 0)",
        "    -> HH",
        "    -> TT",
        "  action {}   frozenset(), cost 1   (Flip no coins)",
    ]


def test_percepts_and_probabilities_are_listed_with_the_states_that_follow(cli: Run) -> None:
    assert "    -> *[*]   perceived: B, dirty\n" in cli("show", "vacuum", "--sensing", "local", "--debug")[1]
    _, out, _ = cli("show", "gambler", "--goal", 4, "--capital", 2, "--debug", "--at", 2)
    assert "    -> 3   probability 0.4\n    -> 1   probability 0.6\n" in out
    _, out, _ = cli("show", "gambler", "--goal", 4, "--capital", 2, "--debug", "--at", 4)
    assert "over       yes\n  utility    1\n" in out
    assert "action" not in out.replace("actions", "")


def test_without_a_state_the_first_starts_are_shown(cli: Run) -> None:
    _, out, _ = cli("show", "devil", "--n", 3, "--debug")
    assert [line.partition(": ")[2] for line in out.splitlines() if line.startswith("devil")] == ["HHH", "HHT", "HTH"]
    assert "There are more starts" in out


def test_a_broken_rule_is_told_where_it_is_broken(cli: Run, folder: Path) -> None:
    bug = method("action_cost", "return -1 if action == 'right' else 1")
    bug += method("percepts", "return [1 / 0]")
    (folder / "squares.py").write_text(BELIEF + bug)
    out = stdout(cli("show", "./squares.py", "--debug", "--at", "s0"))
    lines = out.splitlines()
    assert "perceived: (raises ZeroDivisionError: division by zero)" in out
    place = next(number for number, line in enumerate(lines) if line.startswith("  action right"))
    assert lines[place + 2].startswith("  BROKEN costs: ")
    assert "-1" in lines[place + 2]
    assert any(line.startswith("  BROKEN percepts: ") for line in lines[:place])


@pytest.mark.parametrize(
    ("words", "culprit"),
    [
        (("--at", "s0"), "--debug"),
        (("--debug", "--at", "elsewhere"), "elsewhere"),
        (("--debug", "--plan", "plan.json"), "--plan"),
        (("--debug", "--all"), "--all"),
    ],
)
def test_what_does_not_go_together_is_said_in_one_line(
    cli: Run, folder: Path, words: tuple[str, ...], culprit: str
) -> None:
    (folder / "squares.py").write_text(BELIEF)
    assert_one_line(cli("show", "./squares.py", *words), culprit)


@pytest.mark.parametrize("line", ["--debug show devli", "--debug run devli", "run devli --debug"])
def test_elsewhere_it_shows_the_traceback_of_an_error(cli: Run, line: str) -> None:
    code, _, err = cli(*line.split())
    assert code == 2
    assert "Traceback" in err


def test_behind_show_it_shows_none(cli: Run) -> None:
    assert_one_line(cli("show", "devli", "--debug"), "devli")


def test_check_gives_the_counterexample_with_what_the_puzzle_answers_there(cli: Run, folder: Path) -> None:
    (folder / "squares.py").write_text(BELIEF + method("heuristic", "return 5"))
    out = stdout(cli("check", "./squares.py"), 1)
    lines = [line.strip() for line in out.splitlines()]
    place = lines.index("heuristic('s0') is 5, above the true cost 2")
    assert lines[place + 1] == (
        "why: A search drops what seems too dear. With an estimate that is too high it drops the best plan."
    )
    assert lines[place + 2] == "look there: beliefsearch show ./squares.py --debug --at s0"
    assert lines[place + 3 : place + 6] == ["state      s0", "won        no", "heuristic  5"]
    (folder / "squares.py").write_text(BELIEF + method("results", "return [[state]]"))
    _, out, _ = cli("check", "./squares.py")
    assert "state      s0" in out
    assert "action left, cost 1" in out
    assert "action right" not in out


def test_check_explains_every_rule_if_asked(cli: Run) -> None:
    _, short, _ = cli("check", "devil", "--n", 2)
    _, out, _ = cli("check", "devil", "--n", 2, "--explain")
    assert "why:" not in short
    lines = out.splitlines()
    rules = [place for place, line in enumerate(lines) if line.startswith("ok ")]
    assert len(rules) == 13
    assert all(lines[place + 1].strip().startswith("why: ") for place in rules)
