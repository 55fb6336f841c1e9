"""`beliefsearch verify` on what a file says beside its plan and its proof: status, cost, lower bound, optimality."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from beliefsearch.plans.plan_reader import PlanFile
from beliefsearch.verify.file import check_file
from beliefsearch_problems.devil import DevilProblem

from ..answers import stdout, stdout_alone, write_json
from ..conftest import Run
from ..toys import method, toy
from .conftest import Filed

DEVIL_4, DEVIL_3 = ("devil", "--n", 4), ("devil", "--n", 3)
GLASSES = ("four-glasses", "--look", 2)
MEAN = ("mastermind", "--pegs", 2, "--colours", 3, "--objective", "expected")  # 7/3, which no float is


@pytest.mark.parametrize(
    ("option", "words", "changes", "told"),
    [
        ("--output", DEVIL_4, {"lower_bound": 14}, "it says optimal, but has a cost of 15 and a lower bound of 14"),
        ("--output", DEVIL_4, {"lower_bound": None}, "it says optimal, but has a cost of 15 and no lower bound"),
        ("--output", DEVIL_4, {"lower_bound": 16}, "said to cost less than 16, but this one costs 15"),
        ("--output", DEVIL_4, {"lower_bound": 16, "cost": None}, "said to cost less than 16, but this one costs 15"),
        ("--output", DEVIL_4, {"status": "won"}, "its status is 'won', which is none of solved, unsolvable, undecided"),
        ("--output", DEVIL_4, {"status": "undecided"}, "it has a plan, but says undecided"),
        ("--output", DEVIL_4, {"status": "unsolvable"}, "it has a plan, but says unsolvable"),
        ("--output", GLASSES, {"lower_bound": 1}, "it says optimal, but has a cost of"),
        ("--output", GLASSES, {"lower_bound": 99}, "said to cost less than 99"),
        ("--output", MEAN, {"lower_bound": 1}, "it says optimal, but has a cost of"),
        ("--output", MEAN, {"lower_bound": 99}, "said to cost less than 99"),
        ("--certificate", DEVIL_4, {"lower_bound": 14}, "it says optimal, but has a cost of 15 and a lower bound of"),
        ("--certificate", DEVIL_4, {"status": "undecided"}, "it has a plan, but says undecided"),
        ("--certificate", DEVIL_3, {"cost": 7}, "it says unsolvable, but gives a cost of 7"),
        ("--certificate", DEVIL_3, {"optimal": True}, "it says optimal, but its status is unsolvable"),
        ("--certificate", DEVIL_3, {"status": "undecided", "optimal": True}, "but its status is undecided"),
        ("--certificate", DEVIL_3, {"status": "undecided", "cost": 7}, "it says undecided, but gives a cost of 7"),
        ("--certificate", DEVIL_3, {"status": "maybe"}, "its status is 'maybe'"),
        ("--certificate", DEVIL_3, {"status": "solved"}, "the file says solved, but has no plan"),
        ("--output", ("monty-hall",), {"status": "unsolvable"}, "it has a policy, but says unsolvable"),
        ("--output", ("monty-hall",), {"cost": 3}, "its field 'cost' means nothing"),
        ("--output", ("monty-hall",), {"lower_bound": 3}, "its field 'lower_bound' means nothing"),
    ],
)
def test_what_contradicts_itself_does_not_hold(
    cli: Run, filed: Filed, option: str, words: tuple[object, ...], changes: dict[str, Any], told: str
) -> None:
    filed(option, *words, **changes)
    out = stdout_alone(cli("verify", "file.json"), 1)
    assert told in out.splitlines()[-1]
    assert out.count("does not hold") == 1


@pytest.mark.parametrize(
    ("words", "changes", "told"),
    [
        (DEVIL_4, {}, "that no plan costs less than 15 is claimed, not proved"),
        (DEVIL_4, {"optimal": False, "lower_bound": 3}, "that no plan costs less than 3 is claimed, not proved"),
        (GLASSES, {}, "is claimed, not proved"),
        (MEAN, {}, "less than 7/3 (about 2.33333) on average is claimed, not proved"),
        (DEVIL_4, {"optimal": "gone", "lower_bound": "gone"}, ""),
        (DEVIL_4, {"optimal": "gone", "lower_bound": "gone", "cost": "gone", "status": "gone"}, ""),
    ],
)
def test_what_is_not_proved_is_said_to_be_claimed(
    cli: Run, filed: Filed, words: tuple[object, ...], changes: dict[str, Any], told: str
) -> None:
    filed("--output", *words, **changes)
    out = stdout_alone(cli("verify", "file.json"))
    assert "the plan holds" in out
    assert ("claimed" in out) == bool(told)
    assert told in out.splitlines()[-1]


def test_with_a_proof_nothing_is_claimed_only(cli: Run, filed: Filed) -> None:
    filed("--certificate", *DEVIL_4)
    assert "claimed" not in stdout(cli("verify", "file.json"))


def test_a_file_is_checked_from_python() -> None:
    text = '{"problem": "devil", "parameters": {"n": 1}, "status": "solved", "plan": [[0]], "optimal": true, '
    problem = DevilProblem(n=1)
    verdict = check_file(problem, PlanFile.from_text(text + '"cost": 1, "lower_bound": 1, "version": 1}'))
    assert verdict.holds
    assert verdict.lines[1] == "that no plan costs less than 1 is claimed, not proved"
    assert not check_file(problem, PlanFile.from_text(text + '"cost": 1, "lower_bound": 0, "version": 1}')).holds


def test_a_bound_of_whole_numbers_is_not_taken_for_the_float_next_to_it(cli: Run, folder: Path) -> None:
    dear = toy("walk") + method("is_goal", "return state == 1") + method("action_cost", "return 10**16 + 1")
    (folder / "dear.py").write_text(dear)
    document = {"problem": "./dear.py", "parameters": {}, "version": 1, "status": "solved", "plan": ["walk on"]}
    document.update(cost=10**16 + 1, lower_bound=10**16)
    write_json("plan.json", document)
    out = stdout(cli("verify", "plan.json", "--problem", "./dear.py"))
    assert f"no plan costs less than {10**16} is claimed" in out
    write_json("plan.json", {**document, "optimal": True})
    assert cli("verify", "plan.json", "--problem", "./dear.py")[0] == 1
