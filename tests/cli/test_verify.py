"""`beliefsearch verify`."""

from __future__ import annotations

import gzip
import re
from functools import partial, reduce
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.proofs.check import check_file
from beliefsearch_problems.devil import DevilProblem

from ..answers import assert_one_line, stdout, stdout_alone, write_json
from ..benchmarks.reference import canonical_belief, update
from ..conftest import Run
from ..plan_texts import plan_of_text
from ..toys import method, toy
from .conftest import Filed

COSTS = toy("toll_verify")
TWINS = toy("twins")


@pytest.fixture
def saved(filed: Filed) -> Filed:
    """Run a search, and save its plan with changes in `plan.json`: what the file holds."""
    return partial(filed, "--output", name="plan.json")


@pytest.mark.parametrize(
    "words",
    [
        "devil --n 1",
        "devil --n 4",
        "devil --n 4 --no-canonical",
        "devil --n 8 --goal all-same --group reflections",
        "devil --n 2 --faces 4",
        "nine-tails --start HHHTTTHHH --weights flips",
        "nine-tails --start TTTTTTTTT",
        "vacuum --squares 3",
        "lights-out --rows 1 --cols 3 --blindfold",
    ],
)
def test_a_plan_that_was_found_holds_over_every_start(cli: Run, saved: Filed, words: str) -> None:
    data = saved(*words.split())
    assert re.search(rf"\b{len(data['plan'])} action", out := stdout_alone(cli("verify", "plan.json")))
    assert "16 starts" in out or words != "devil --n 4"  # each is followed, not only canonical ones


@pytest.mark.parametrize("words", ["vacuum", "gambler --goal 5 --capital 2", "tiger"])
def test_the_manual_names_the_fields_that_nothing_checks(cli: Run, saved: Filed, words: str) -> None:
    manual = (Path(__file__).parents[2] / "docs/files.md").read_text(encoding="utf-8")
    read, claims = re.split("The other fields", re.split("`verify` reads", manual, maxsplit=1)[1], maxsplit=1)
    unchecked = re.findall("`([a-z_]+)`", claims.split("are claims")[0])
    fields = {*saved(*words.split())}
    assert fields <= {*re.findall("`([a-z_]+)`", read), *unchecked}
    said = stdout_alone(cli("verify", "plan.json"))
    saved(*words.split(), **{field: [99] for field in fields & {*unchecked}})
    assert stdout_alone(cli("verify", "plan.json")) == said


ALL_FOUR = canonical_belief(map("".join, product("HT", repeat=4)))


@pytest.mark.parametrize("kept", [0, 1, 7, 14])
def test_a_plan_that_stops_too_soon_names_its_end_and_a_state_that_escapes(cli: Run, saved: Filed, kept: int) -> None:
    plan = saved("devil", "--n", 4)["plan"][:kept]
    saved("devil", "--n", 4, plan=plan, cost=kept)
    out = stdout_alone(cli("verify", "plan.json"), 1)
    assert (f"step {kept}" if kept else "start") in out
    named = canonical_belief(re.findall(r"\b[HT]{4}\b", out))
    assert named
    assert named <= reduce(update, plan, ALL_FOUR) - {"HHHH"}


def test_a_plan_that_loses_is_told_with_the_step_and_the_state(cli: Run, saved: Filed) -> None:
    plan = saved("devil", "--n", 4)["plan"]
    plan[7] = [0, 2]
    saved("devil", "--n", 4, plan=plan)
    out = stdout(cli("verify", "plan.json"), 1)
    assert canonical_belief(re.findall(r"\b[HT]{4}\b", out)) <= reduce(update, plan, ALL_FOUR) - {"HHHH"}
    words = ("nine-tails", "--start", "HHHTTTHHH", "--legal", "any")
    plan = saved(*words)["plan"]
    saved(*words, plan=[*plan, [0, 0]], cost=3)
    out = stdout(cli("verify", "plan.json"), 1)
    assert "step 3" in out
    assert "HHTHTTTTT" in out


@pytest.mark.parametrize("step", [1, 3])
def test_an_illegal_action_names_its_step(cli: Run, saved: Filed, step: int) -> None:
    plan = saved("devil", "--n", 2)["plan"]
    plan[step - 1] = [5]
    saved("devil", "--n", 2, plan=plan)
    out = stdout(cli("verify", "plan.json"), 1)
    assert f"the plan does not hold: step {step}: there is no action [5] that applies here" in out


def test_an_illegal_action_of_a_policy_is_told_alike_by_all_commands(cli: Run, saved: Filed) -> None:
    plan = saved("gambler", "--goal", 10, "--capital", 5)["plan"]
    plan["states"][0][1] = 77
    saved("gambler", "--goal", 10, "--capital", 5, plan=plan)
    of_file = ("gambler", "--goal", 10, "--capital", 5, "--plan", "plan.json")
    for words in (("verify", "plan.json"), ("show", *of_file), ("simulate", *of_file)):
        assert "the policy does not hold: in the state 5 " in stdout(cli(*words), 1)


@pytest.mark.parametrize("cost", [14, 16, 14.5, 0, "29/2"])
def test_a_cost_that_is_wrong_does_not_hold_and_both_are_told(cli: Run, saved: Filed, cost: object) -> None:
    saved("devil", "--n", 4, cost=cost)
    out = stdout_alone(cli("verify", "plan.json"), 1)
    assert "15" in out
    assert str(cost) in out


def test_the_cost_of_a_step_is_the_most_it_costs_in_any_possible_state(cli: Run, saved: Filed, folder: Path) -> None:
    (folder / "toll.py").write_text(COSTS)
    assert saved("./toll.py")["cost"] == "3/2"
    assert "3/2" in stdout(cli("verify", "plan.json", "--problem", "./toll.py"))


def test_the_checker_does_not_believe_in_symmetry(cli: Run, saved: Filed, folder: Path) -> None:
    (folder / "twins.py").write_text(TWINS)
    saved("./twins.py", status="solved", plan=["wait"], cost=1)
    assert "lost" in stdout(cli("verify", "plan.json", "--problem", "./twins.py"), 1)


def test_a_plan_for_a_plugin_is_verified_elsewhere(
    cli: Run, saved: Filed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "toll.py").write_text(COSTS)
    saved("./toll.py")
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert "holds" in stdout_alone(cli("verify", "../plan.json", "--problem", "../toll.py"))


def test_a_verdict_without_a_plan_cannot_be_verified(cli: Run, saved: Filed) -> None:
    saved("devil", "--n", 3)
    assert_one_line(cli("verify", "plan.json"), "no plan")


# What cannot be read. (What certificates hold is in `test_certificates.py`.)


def test_a_compressed_plan_is_read_whatever_its_name(cli: Run, saved: Filed, folder: Path) -> None:
    saved("devil", "--n", 2)
    data = gzip.compress((folder / "plan.json").read_bytes())
    for name in ("plan.json", "plan.json.gz"):
        (folder / name).write_bytes(data)
        assert "the plan holds" in stdout_alone(cli("verify", name))


@pytest.mark.parametrize(
    "damage", ["cut in half", "cut at the end", "a bit changed", "nothing inside", "no JSON inside"]
)
def test_a_damaged_compressed_file_is_told_in_one_line(cli: Run, saved: Filed, folder: Path, damage: str) -> None:
    saved("devil", "--n", 4)
    data = gzip.compress((folder / "plan.json").read_bytes(), mtime=0)
    changed = {
        "cut in half": data[: len(data) // 2],
        "cut at the end": data[:-1],
        "a bit changed": data[:60] + bytes([data[60] ^ 4]) + data[61:],
        "nothing inside": gzip.compress(b""),
        "no JSON inside": gzip.compress(b"plan"),
    }[damage]
    (folder / "plan.json.gz").write_bytes(changed)
    assert_one_line(cli("verify", "plan.json.gz"), "plan.json.gz")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"version": 1', '"version": 1, "version": 1', "twice"),
        ('"n": 2', '"n": 2, "n": 2', "twice"),
        ('"plan": [', '"plan": [' + "[" * 5000 + "]" * 5000 + ", ", "deep"),
        ('"plan": [', '"plan": [Infinity, ', "JSON"),
        ('"plan": [', '"plan": [1e99999999999999999999, ', "JSON"),
        ('"plan": [', '"plan": [' + "9" * 100_001 + ", ", "digits"),
        ('"cost": 3', '"cost": ' + "[" * 5000 + "]" * 5000, "deep"),
        ('"plan": [', '"plan": [1e400, ', "the number 1e400 is too large"),
        ("}\n", "} {}\n", "JSON"),
    ],
)
def test_what_stands_in_json_is_read_or_told_in_a_line(cli: Run, folder: Path, old: str, new: str, said: str) -> None:
    cli("run", "devil", "--n", 2, "--certificate", "proof.json")
    text = (folder / "proof.json").read_text()
    assert old in text
    (folder / "plan.json").write_text(text.replace(old, new, 1))
    assert_one_line(cli("verify", "plan.json"), said)


@pytest.mark.parametrize("entry", ["9" * 99_999, "0.5", "{}", "null"])
def test_an_entry_that_is_no_action_does_not_hold(cli: Run, saved: Filed, folder: Path, entry: str) -> None:
    saved("devil", "--n", 2)
    text = (folder / "plan.json").read_text()
    (folder / "plan.json").write_text(text.replace('"plan": [', f'"plan": [{entry}, ', 1))
    assert "the plan does not hold: step 1: there is no action" in stdout(cli("verify", "plan.json"), 1)


def test_a_long_plan_is_verified_step_by_step_without_holding_the_file(process: Run, folder: Path) -> None:
    plan = [[0, 1], [0], [0, 1], *[[0, 1]] * 5_000]
    data = {"problem": "devil", "parameters": {"n": 2}, "status": "solved", "cost": 5_003, "plan": plan, "version": 1}
    write_json("plan.json", data)
    assert "5,003 actions win from all 4 starts" in stdout_alone(process("verify", "plan.json"))
    write_json("plan.json", {**data, "plan": [[0, 1]] * 5_000, "cost": 5_000})
    assert "after step 5000, the last, the state may be" in stdout(process("verify", "plan.json"), 1)


# What a file says beside its plan and its proof: status, cost, lower bound, optimality.


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
def test_what_is_not_proved_is_claimed(
    cli: Run, filed: Filed, words: tuple[object, ...], changes: dict[str, Any], told: str
) -> None:
    filed("--output", *words, **changes)
    out = stdout_alone(cli("verify", "file.json"))
    assert "the plan holds" in out
    assert ("claimed" in out) == bool(told)
    assert told in out.splitlines()[-1]


def test_a_file_is_checked_from_python() -> None:
    text = '{"problem": "devil", "parameters": {"n": 1}, "status": "solved", "plan": [[0]], "optimal": true, '
    problem = DevilProblem(n=1)
    verdict = check_file(problem, plan_of_text(text + '"cost": 1, "lower_bound": 1, "version": 1}'))
    assert verdict.holds
    assert verdict.lines[1] == "that no plan costs less than 1 is claimed, not proved"
    assert not check_file(problem, plan_of_text(text + '"cost": 1, "lower_bound": 0, "version": 1}')).holds


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
