"""The commands on stochastic problems."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ..answers import assert_one_line, change_json, read_json, stdout, stdout_alone
from ..conftest import Run
from ..toys import toy

# From s0 the best action is "try", until it works.
TRY = toy("try")


@pytest.fixture
def game(folder: Path) -> str:
    (folder / "game.py").write_text(TRY)
    return "./game.py"


@pytest.mark.parametrize(
    ("words", "value"), [("--flips 4 --exact", "9/16"), ("--state 99,0", 0.5), ("--flips 3 --p-a 1 --exact", 1)]
)
def test_run_in_json(cli: Run, words: str, value: object) -> None:
    code, out, err = cli("run", "riddler-flips", *words.split(), "--format", "json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert (document["status"], document["reason"], document["version"]) == ("solved", None, 1)
    assert document["value"] == value or document["value"] == str(value)
    assert document["plan"]["kind"] == "policy"
    assert document["solver"] == "backward-induction"
    assert set(document) >= {"problem", "parameters", "stats"}


def test_a_small_game_needs_no_numpy(modules_after: Any, game: str) -> None:
    code, modules = modules_after("run", game)
    assert code == 0
    assert not {module for module in modules if module.split(".")[0] in ("numpy", "numba", "scipy", "matplotlib")}


@pytest.mark.parametrize("solver", ["auto", "search", "policy-iteration", "pi"])
def test_a_game_without_a_bound(cli: Run, game: str, solver: str) -> None:
    out = stdout_alone(cli("run", game, "--solver", solver))
    assert out.startswith("./game.py: value 7\n")
    assert "At the start, s0: try" in out


def test_a_policy_is_saved_checked_and_played(cli: Run, folder: Path, game: str) -> None:
    for words, entries in (((game,), 1), (("gambler", "--goal", 6, "--capital", 3), 5)):
        assert cli("run", *words, "--output", "p.json", "--certificate", "c.json")[0] == 0
        assert (folder / "p.json").read_text() == (folder / "c.json").read_text()
        data = read_json("p.json")
        assert len(data["plan"]["states"]) == entries
        assert "the policy holds" in stdout_alone(cli("verify", "p.json", "--problem", words[0]))
        assert "20 games" in stdout(cli("simulate", *words, "--plan", "p.json", "--games", 20, "--seed", 1))
        assert cli("play", *words, "--watch", "--plan", "p.json", "--seed", 1)[0] == 0


def test_verify_says_whether_numbers_were_exact(cli: Run) -> None:
    cli("run", "riddler-flips", "--flips", 9, "--exact", "--output", "p.json")
    assert "worth 73/128, about 0.5703125, exactly" in cli("verify", "p.json")[1]
    cli("run", "riddler-flips", "--flips", 9, "--output", "p.json")
    assert "worth 0.5703125, exactly" in cli("verify", "p.json")[1]  # floats, but none of them had to be rounded
    cli("run", "gambler", "--goal", 7, "--capital", 3, "--p", "0.3", "--output", "p.json")
    told = re.search(r"worth ([\d.]+), within (\S+);", cli("verify", "p.json")[1])
    assert told is not None
    p = Fraction(0.3) / (Fraction(0.3) + Fraction(1 - 0.3))  # the probability that is meant by these floats
    # Bold play from 3 of 7: 3 -> 6 or 0; 6 -> 7 or 5; 5 -> 7 or 3.
    exact = p * (p + (1 - p) * p) / (1 - p * (1 - p) * (1 - p))
    assert abs(Fraction(float(told[1])) - exact) <= Fraction(told[2]) < Fraction(1, 10**14)


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        (lambda data: data.update(value=6), 1, "proved only that its actions are worth at least 7 there"),
        (lambda data: data["plan"]["states"][0].__setitem__(1, "leave"), 1, "leave is worth 5 there"),
        (lambda data: data.update(status="undecided"), 1, "says undecided"),
        (lambda data: data["plan"].update(states=[[]]), 2, "not [state, action, value]"),
        (lambda data: data.update(plan=["try"]), 2, "holds no policy"),
        (lambda data: data.update(value="seven"), 2, "value is 'seven', which is no number"),
        (lambda data: data.update(plan=None, value=None), 2, "holds no plan"),
    ],
)
def test_verify_rejects_what_was_changed(cli: Run, folder: Path, game: str, change: Any, code: int, told: str) -> None:
    cli("run", game, "--output", "p.json")
    change_json("p.json", change)
    got, out, err = cli("verify", "p.json", "--problem", game)
    assert got == code
    assert told in out + err
    assert len((out + err).splitlines()) == 1


def test_a_policy_is_no_plan_of_another_kind_of_problem(cli: Run, folder: Path) -> None:
    cli("run", "vacuum", "--output", "p.json")
    change_json("p.json", plan={"kind": "policy", "states": []})
    assert_one_line(cli("verify", "p.json"), "VacuumProblem is no stochastic problem")


def test_simulate_agrees_with_the_value(cli: Run) -> None:
    quiet = ("--quiet",)  # a busy machine would tell how far
    words = ("simulate", "riddler-flips", "--flips", 6, "--seed", 1, *quiet, "--games", 3_000)
    out = stdout_alone(cli(*words))
    mean, error = map(
        float, re.findall(r"mean utility ([\d.]+), standard error ([\d.]+); the value is 0.578125", out)[0]
    )
    assert abs(mean - 37 / 64) < 3 * error < 0.03
    games = {int(u): int(n.replace(",", "")) for u, n in re.findall(r"^ +([01])  +([\d,]+)  #+$", out, re.MULTILINE)}
    assert sum(games.values()) == 3_000
    assert games[1] / 3_000 == pytest.approx(mean)
    few = tuple(300 if word == 3_000 else word for word in words)
    assert cli(*few)[1] == cli(*few)[1]


def test_many_utilities_are_gathered_in_intervals(cli: Run, folder: Path) -> None:
    source = TRY.replace('return {"won": 7, "left": 5}[state]', "return int(state)").replace('"won"', '"0"')
    source = source.replace(
        'return [(Fraction(1, 3), "s0"), (Fraction(2, 3), "0")] if action == "try" else [(1, "left")]',
        "return [(Fraction(1, 100), str(n)) for n in range(100)]",
    )
    (folder / "many.py").write_text(source)
    out = stdout(cli("simulate", "./many.py", "--games", 2000, "--seed", 4))
    rows = re.findall(r"^ *from [\d.]+ +([\d,]+)  #+$", out, re.MULTILINE)
    assert len(rows) == 20
    assert sum(int(row.replace(",", "")) for row in rows) == 2000


def test_watching_a_game(cli: Run) -> None:
    words = ("play", "riddler-flips", "--flips", 4, "--watch", "--seed", 2)
    out = stdout(cli(*words))
    lines = out.splitlines()
    assert len(lines) == 6
    score = 0
    for number, line in enumerate(lines[1:5], 1):
        found = re.fullmatch(r" +(\d)  ([AB]) +([+-]\d) +(\d),(-?\d)", line)
        assert found is not None
        step = int(found[3])
        score += step
        assert abs(step) == (1 if found[2] == "A" else 2)
        assert (int(found[1]), int(found[4]), int(found[5])) == (number, number, score)
    assert lines[5] == f"over after 4 actions: utility {int(score > 0)}"
    assert cli(*words)[1] == out


def test_playing_a_game(talk: Run, game: str) -> None:
    said = ["help", "actions", "value", "hint", "undo", "fly", "belief", *["try"] * 8]
    out = stdout(talk(said, game, "--seed", 2))
    assert "#2  leave" in out
    assert "7 with the best actions" in out
    assert "5 after leave" in out
    assert "nothing to undo" in out
    assert "'fly' is no action here" in out
    assert "You see the state: s0" in out
    assert re.search(r"The game is over, after \d actions?: utility 7\.", out)


def test_undo_and_quit(talk: Run) -> None:
    out = stdout(talk(["A", "undo", "b", "quit"], "riddler-flips", "--flips", 3, "--seed", 1))
    assert out.count("after 0 of 3 flips: score 0") == 2
    assert re.search(r"[+-]2: after 1 of 3 flips", out)
    assert "The state was 1," in out


def test_describe_tells_the_size(cli: Run) -> None:
    out = stdout(cli("describe", "riddler-flips", "--flips", 2))
    assert "a stochastic problem" in out
    assert "2 actions at the start, 0,0" in out
    # After two flips: -4, -3, -2, -1, 0, 1, 2, 3, 4.
    assert "14 states, 9 of them terminal" in out
    assert "never comes back" in out
    assert "may come back to 9 states" in cli("describe", "gambler", "--goal", 10, "--capital", 5)[1]


def test_a_sweep_as_numbers_and_as_a_picture(cli: Run, folder: Path) -> None:
    words = ("export", "riddler-flips", "--flips", 4, "--exact", "--vary", "p-a", "--from", 0, "--to", 1)
    assert cli(*words, "--steps", 3, "--output", "s.json")[0] == 0
    document = read_json("s.json")
    assert document["points"][1] == [0.5, "9/16"]
    assert document["points"][2] == [1, "1"]
    assert document["vary"] == "p-a"
    assert cli(*words, "--steps", 5, "--output", "s.png")[0] == 0
    assert (folder / "s.png").read_bytes().startswith(b"\x89PNG")
    code, _, err = cli("export", "riddler-flips", "--vary", "flips", "--from", 1, "--to", 6, "--output", "s.json")
    assert (code, err) == (0, "s.json: sweep, 6 values of flips, json\n")
    points = dict(read_json("s.json")["points"])
    assert (points[1], points[4], points[6]) == (0.5, 0.5625, 0.578125)


@pytest.mark.parametrize(
    ("outcomes", "told"),
    [
        ('[(0.5, "s0"), (0.25, "won")]', "outcomes('s0', 'try') gave probabilities that sum to 0.75, not 1"),
        ('[(1, "s0")]', "the game never ends: from the state s0"),
        ("[]", "sum to 0, not 1"),
        ("None", "gave None"),
    ],
)
def test_a_plugin_that_is_wrong_is_told_in_one_line(cli: Run, folder: Path, outcomes: str, told: str) -> None:
    source = re.sub(r"return \[\(Fraction.*", f"return {outcomes}", TRY)
    (folder / "game.py").write_text(source)
    assert_one_line(cli("run", "./game.py"), told)


def test_a_limit_leaves_it_undecided(cli: Run, folder: Path) -> None:
    source = re.sub(r"return \[\(Fraction.*", 'return [(1, state + "0")]', TRY).replace('state != "s0"', "False")
    (folder / "game.py").write_text(source)
    assert "undecided, the time limit of 0.1 s was reached" in stdout(cli("run", "./game.py", "--time-limit", 0.1), 3)
    code, out, _ = cli("run", "./game.py", "--time-limit", 0.1, "--format", "json")
    document = json.loads(out)
    assert (code, document["status"], document["value"], document["plan"]) == (3, "undecided", None, None)
    assert cli("simulate", "./game.py", "--time-limit", 0.1)[0] == 3
    assert cli("play", "./game.py", "--watch", "--time-limit", 0.1)[0] == 3
