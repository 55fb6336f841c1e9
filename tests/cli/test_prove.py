"""`beliefsearch prove`, and constructions on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ..answers import assert_one_line, read_json, stdout, stdout_alone, write_json
from ..conftest import Run
from ..examples import thorough
from ..graph.page_schema import data_of
from ..toys import toy

# A puzzle whose author knows the answer for any number of stairs; with a broken stair there is none.
STAIRS = toy("stairs")
TOLL = toy("toll")


@pytest.fixture
def stairs(folder: Path) -> str:
    (folder / "stairs.py").write_text(STAIRS)
    return "./stairs.py"


@pytest.mark.parametrize("words", ["devil --n 3", "devil --n 6", "lights-out --rows 2 --cols 3 --start 100000"])
def test_that_there_is_no_plan_is_proved_and_its_certificate_holds(cli: Run, words: str) -> None:
    out = stdout_alone(cli("prove", *words.split(), "--certificate", "proof.json"), 1)
    assert "unsolvable" in out
    assert "trap" in out
    assert "there is no plan" in stdout_alone(cli("verify", "proof.json"))


def test_a_limit_leaves_it_open(cli: Run) -> None:
    words = ("prove", "vacuum", "--squares", 13, "--time-limit", 0.001, "--certificate", "x.json", "--quiet")
    code, out, err = cli(*words)
    assert code == 3
    assert "the time limit of 0.001 s was reached" in out + err
    assert not Path("x.json").exists()


def test_costs_that_are_fractions_are_proved_exactly(cli: Run, folder: Path) -> None:
    (folder / "toll.py").write_text(TOLL)
    assert "cost 5/2" in stdout(cli("prove", "./toll.py", "--certificate", "proof.json"))
    assert read_json("proof.json")["lower_bound"] == "5/2"
    assert "no plan costs less than 5/2" in stdout(cli("verify", "proof.json", "--problem", "./toll.py"))


# Constructions.


def test_a_construction_gives_what_a_search_gives(cli: Run, stairs: str) -> None:
    runs = {}
    for solver in ("search", "construct"):
        out = stdout(cli("run", stairs, "--stairs", 7, "--solver", solver, "--format", "json"))
        runs[solver] = {key: json.loads(out)[key] for key in ("status", "cost", "lower_bound", "optimal", "plan")}
    assert runs["search"] == runs["construct"]
    for solver in ("search", "construct"):
        assert "unsolvable" in stdout(cli("run", stairs, "--broken", "--solver", solver), 1)


def test_few_states_are_searched_and_many_are_not(cli: Run, stairs: str) -> None:
    assert "by a checked construction" not in cli("run", stairs, "--stairs", 50)[1]
    assert "by a checked construction" in cli("run", stairs, "--stairs", 5000)[1]


@pytest.mark.parametrize("words", ["--n 4", "--n 6", "--turn-by 2", "--n 2 --lamping", "--n 12"])
def test_run_explain_and_view_say_the_same(cli: Run, folder: Path, words: str) -> None:
    first = [cli(command, "devil", *words.split(), "--quiet")[1].splitlines()[0] for command in ("run", "explain")]
    cli("view", "devil", *words.split(), "--no-browser", "--output", "page.html")
    answer = data_of((folder / "page.html").read_text(encoding="utf-8"))["answer"]["text"]
    assert first == [f"devil {words}: {answer}"] * 2


@pytest.mark.parametrize(
    ("places", "numbers"), [("1", [1]), ("3..5", [3, 4, 5]), (f"{10**30 - 2}..{10**30 - 1}", [10**30 - 2, 10**30 - 1])]
)
def test_any_moves_of_a_plan_too_long_to_list_are_shown(cli: Run, stairs: str, places: str, numbers: list[int]) -> None:
    out = stdout_alone(cli("run", stairs, "--stairs", 10**30, "--solver", "construct", "--moves", places))
    assert [int(number) for number in re.findall(r"^ +(\d+)  down$", out, flags=re.MULTILINE)] == numbers


@pytest.mark.parametrize("places", ["0", "5..3", "-1", "x", "1..", "1..2..3", "1..200000", "1000000"])
def test_places_that_are_none_are_refused(cli: Run, stairs: str, places: str) -> None:
    assert_one_line(cli("run", stairs, "--stairs", 10**6, "--solver", "construct", f"--moves={places}"), places[:1])


@pytest.mark.parametrize("command", ["show", thorough("play"), "simulate", thorough("export")])
def test_other_commands_take_the_plan(cli: Run, stairs: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.closed_form.FEW_STATES", 40)
    more = {"play": ["--watch"], "export": ["--output", "graph.json"]}.get(command, [])
    # By default a search where there are few states, and else the construction.
    for words in (["--solver", "construct"], ["--stairs", 41, *(["--max-nodes", 3] if command == "export" else [])]):
        code, out, err = cli(command, stairs, *words, *more)
        assert code == (3 if "--max-nodes" in words else 0), err
        assert out or command == "export"
    assert_one_line(
        cli(command, stairs, "--stairs", 10**30, "--solver", "construct", *more), "10^30 - 1 actions", "construction()"
    )


@pytest.mark.parametrize("command", ["run", "prove", "explain"])
@pytest.mark.parametrize("wrong", [("--lie", 1), ("--lie", -1), ("--fraud",)])
def test_a_construction_that_is_refused_is_not_shown(
    cli: Run, stairs: str, command: str, wrong: tuple[object, ...]
) -> None:
    assert_one_line(cli(command, stairs, "--solver", "construct", *wrong), "construction", "wrong")


@pytest.mark.parametrize("name", ["proof.json", "proof.json.gz"])
@pytest.mark.parametrize(("number", "length"), [(5, "4"), (5000, "4,999"), (10**30, "10^30 - 1")])
def test_a_certificate_of_a_construction_holds(cli: Run, stairs: str, number: int, length: str, name: str) -> None:
    for command in ("prove", "run"):
        stdout_alone(cli(command, stairs, "--stairs", number, "--solver", "construct", "--certificate", name))
        assert length in stdout_alone(cli("verify", name, "--problem", stairs))


@pytest.mark.parametrize(
    "changes",
    [
        {"cost": 4998},
        {"cost": 5000},
        {"lower_bound": 5000},
        {"status": "unsolvable"},
        {"parameters": {"stairs": 5001}},
        {"parameters": {"stairs": 5000, "broken": True}},
        {"proof": {"kind": "construction", "evidence": {"top": 5000}}},
        {"proof": {"kind": "construction", "evidence": {"stuck": 4999}}},
    ],
)
def test_a_changed_construction_does_not_hold(cli: Run, stairs: str, folder: Path, changes: dict[str, object]) -> None:
    cli("prove", stairs, "--stairs", 5000, "--certificate", "proof.json")
    data = read_json("proof.json")
    assert data["plan"] is None
    write_json("proof.json", {**data, **changes})
    assert "does not hold" in stdout_alone(cli("verify", "proof.json", "--problem", stairs), 1)


def test_a_losing_construction_is_certified_and_explained(cli: Run, stairs: str) -> None:
    stdout_alone(cli("prove", stairs, "--stairs", 9000, "--broken", "--certificate", "proof.json"), 1)
    assert "there is no plan" in stdout(cli("verify", "proof.json", "--problem", stairs))
    assert "The top stair\nis broken." in stdout(cli("explain", stairs, "--stairs", 9000, "--broken"), 1)
    assert "Each step is one down." in stdout(cli("explain", stairs, "--stairs", 9000))


@pytest.mark.parametrize(
    "words", [("--heuristic", "none"), ("--engine", "bits"), ("--dominance",)], ids=lambda words: words[0]
)
def test_whoever_says_how_to_search_gets_a_search(cli: Run, stairs: str, words: tuple[str, ...]) -> None:
    code, out, _ = cli("run", stairs, "--stairs", 5000, *words, "--time-limit", 0.2, "--quiet")
    assert code in (0, 3)
    assert "construction" not in out
    assert_one_line(cli("run", stairs, "--stairs", 5000, "--solver", "construct", *words), "is no search")


@pytest.mark.parametrize(
    ("words", "code", "kinds", "last"),
    [
        ("devil --n 2", 0, ["plan", "flows"], "so that is optimal"),
        ("devil --n 3", 1, ["lower"], "the table lower holds: no plan is sure to win within any number of actions"),
        ("counterfeit-coin --coins 2", 1, ["lost"], "the table lost holds: no plan wins for certain, not even one"),
        ("reset-word --cerny 5", 0, ["plan", "lower"], "so that is optimal"),
        ("hidden-number --limit 6 --lies 1", 0, ["plan", "lower"], "so that is optimal"),
        ("noisy-monty-hall", 0, ["graph", "planes"], "so that is optimal"),
        ("mastermind --pegs 3 --colours 3 --objective expected", 0, ["plan", "mean"], "so that is optimal"),
        ("mastermind --pegs 2 --colours 3 --objective expected", 0, ["plan", "mean"], "so that is optimal"),
        ("vacuum --sensing full --variant slippery", 0, ["plan", "lower"], ""),
    ],
)  # fmt: skip
def test_proofs_as_tables_need_no_puzzle(cli: Run, words: str, code: int, kinds: list[str], last: str) -> None:
    found, out, said = cli("prove", *words.split(), "--certificate", "proof.json", "--format", "game")
    assert found == code, out
    assert "proof.game.json, " in said
    assert [table["kind"] for table in read_json("proof.json")["tables"]] == kinds
    assert last in stdout(cli("verify", "proof.json", "--game", "proof.game.json")).splitlines()[-1]


def test_tables_that_do_not_hold_are_told_by_their_entry(cli: Run) -> None:
    cli("prove", "devil", "--n", "2", "--certificate", "proof.json", "--format", "game")
    data = read_json("proof.json")
    data["tables"][1]["weights"][3] = 2
    write_json("proof.json", data)
    code, out, _ = cli("verify", "proof.json", "--game", "proof.game.json")
    assert (code, out) == (1, "proof.json: it does not hold: action 0: not all of state 3 flows out\n")
    assert_one_line(
        cli("verify", "proof.json"),
        "checked together with its listed game: `beliefsearch verify CERTIFICATE --game GAME`",
    )
    assert_one_line(cli("run", "devil", "--n", "2", "--plan", "proof.game.json"), "No such option")
    assert_one_line(cli("show", "devil", "--n", "2", "--plan", "proof.game.json"), "it is a listed game")
    assert_one_line(cli("verify", "proof.game.json", "--game", "proof.json"), "the game is none of the format")
    assert_one_line(
        cli("verify", "proof.json", "--game", "proof.game.json", "--problem", "devil"), "no puzzle is asked"
    )


def test_a_game_too_large_to_be_listed_is_refused_before_the_search(cli: Run) -> None:
    asked = cli("prove", "devil", "--n", "24", "--certificate", "proof.json", "--format", "game")
    assert_one_line(asked, "the game has more than 1,000,000 starts, too many to be listed")
    assert_one_line(cli("prove", "devil", "--n", "2", "--format", "game"), "say --certificate FILE")
    assert_one_line(cli("prove", "devil", "--format", "game", "--certificate", "p.json.gz"), "without .gz")


def test_the_listed_game_alone_is_a_format_of_problems(cli: Run) -> None:
    cli("export", "vacuum", "--format", "game", "--output", "game.json")
    cli("prove", "vacuum", "--certificate", "proof.json", "--format", "game")
    assert read_json("game.json") == read_json("proof.game.json")


TEXTS = {name: ["AAAA"] for name in ("sizes", "members", "values", "reasons")}
PACKED = {"root": 0, "entries": 4_000_000, "packed": TEXTS}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"actions": [[0, 1], [0], [], 9]}, "an action is listed that cannot come up: 9"),
        ({"states": ["HH", "HH"]}, "it lists a state more than once"),
        ({"states": 5}, "its field 'states' should be a list, but is 5"),
        ({"table": {}}, "its field 'table' should be a table of the kind 'flows'"),
        ({"kind": "faith"}, "its kind is 'faith', of which there are no tables"),
        ({"kind": "faith", "table": {"kind": "faith"}}, "its kind is 'faith', of which there are no tables"),
        ({"kind": []}, "its field 'table' should be a table of the kind []"),
        ({"table": {"kind": "flows", **PACKED}}, "the packed table is too short"),
    ],
)  # fmt: skip
def test_a_proof_that_is_not_right_is_not_written_as_tables(cli: Run, change: dict[str, Any], complaint: str) -> None:
    cli("prove", "devil", "--n", "2", "--certificate", "proof.json")
    data = read_json("proof.json")
    data["proof"].update(change)
    write_json("proof.json", data)
    said = cli("export", "devil", "--n", "2", "--plan", "proof.json", "--format", "game", "--output", "game.json")[2]
    assert f"no tables were written: {complaint}" in said


@pytest.mark.parametrize(
    ("words", "made", "kinds"),
    [
        ("devil --n 4", "prove", ["plan", "flows"]),
        ("four-glasses", "run", ["plan"]),
        ("gambler --goal 5 --capital 2", "run", ["values"]),
        ("noisy-monty-hall", "prove", ["graph", "planes"]),
    ],
)
def test_a_saved_certificate_becomes_tables(cli: Run, words: str, made: str, kinds: list[str]) -> None:
    option, old = ("--certificate", "old.json.gz") if made == "prove" else ("--output", "old.json")
    cli(made, *words.split(), option, old)
    code, _, said = cli("export", *words.split(), "--format", "game", "--plan", old, "--output", "game.json")
    assert code == 0, said
    assert [table["kind"] for table in read_json("game.certificate.json")["tables"]] == kinds
    assert cli("verify", "game.certificate.json", "--game", "game.json")[0] == 0
    other = cli("export", "vacuum", "--format", "game", "--plan", old, "--output", "other.json")
    assert_one_line(other, "holds a plan for something else")
    assert not Path("other.json").exists()
