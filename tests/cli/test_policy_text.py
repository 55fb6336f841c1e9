"""What `run`, `show`, `explain` and `export` tell of the best policy of a stochastic problem."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from ..answers import read_json, stdout, stdout_alone, write_json
from ..conftest import Run
from ..toys import toy

# v0 = v1 / 2 + 2 and v1 = v0 / 2 + 1 / 2, so v0 = 3 and v1 = 2; to stop is worth 1.
TO_AND_FRO = toy("to_and_fro")


@pytest.fixture
def game(folder: Path) -> str:
    (folder / "game.py").write_text(TO_AND_FRO)
    return "./game.py"


@pytest.mark.parametrize(
    ("exact", "only_a", "both", "rounding"),
    [(False, 1563, 17_061, 1e-12), pytest.param(True, 1667, 16_957, 0, marks=pytest.mark.thorough)],
)
def test_run_counts_ties_up_to_rounding(cli: Run, exact: bool, only_a: int, both: int, rounding: float) -> None:
    # By brute force; see tests/plans/test_table.py.
    words = ("run", "riddler-flips", *(["--exact"] if exact else []))
    sets = [{"actions": ["A", "B"], "states": both}, {"actions": ["A"], "states": only_a}]
    out = cli(*words, "--output", "found.json")[1]
    best = read_json("found.json")["best_actions"]
    assert best == {
        "one": only_a + 1275,
        "several": both,
        "rounding": rounding,
        "sets": [*sets, {"actions": ["B"], "states": 1275}],
        "other_sets": 0,
    }
    assert f"  {only_a:,}  A only\n" in out
    assert ("up to rounding, 1e-12 of the value" in out) == (not exact)


@pytest.mark.thorough
def test_many_sets_of_actions_are_told_in_short(cli: Run) -> None:
    # A fair coin makes all stakes equally good: of 220 capitals two have the same stakes, but for the middle one.
    words = ("run", "gambler", "--goal", 220, "--p", "1/2", "--exact")
    out = cli(*words)[1]
    assert "One action is best in 2 states, several are equally good in 217:" in out
    assert "  2  1 only\n" in out
    assert "  2  1 or 2\n" in out
    assert "... and 104 more sets of actions" in out
    assert max(map(len, out.splitlines())) < 120
    best = json.loads(cli(*words, "--format", "json")[1])["best_actions"]
    assert (len(best["sets"]), best["other_sets"]) == (100, 10)


def test_show_is_a_table_of_states_as_long_and_as_wide_as_it_should_be(cli: Run, game: str, folder: Path) -> None:
    out = stdout_alone(cli("show", game))
    assert out.splitlines() == [
        "state  action  value  runner-up  its value  margin",
        "here   go      3      stop       1          2",
        "there  go      2",
    ]
    _, out, _ = cli("show", "riddler-flips", "--flips", 9)
    lines = out.splitlines()
    # 4m + 1 scores after m flips, but for one; 40 rows are shown.
    states = sum(4 * made + 1 for made in range(9)) - 1
    assert (len(lines), lines[-1].split(";")[0]) == (42, f"... and {states - 40} more states")
    assert len(cli("show", "riddler-flips", "--flips", 9, "--all")[1].splitlines()) == states + 1
    narrow = cli("show", "monty-hall", "--doors", 6, "--opened", 3, "--width", 60)[1].splitlines()
    assert max(map(len, narrow[:-1])) <= 60
    assert "..." in narrow[2]


def test_show_writes_the_whole_table(cli: Run, folder: Path) -> None:
    words = ("show", "riddler-flips", "--flips", 9, "--exact")
    for name in ("table.json", "table.csv"):
        code, out, err = cli(*words, "--output", name)
        assert (code, err) == (0, f"{name}: 152 states\n")
        assert "... and 112 more states" in out
    document = read_json("table.json")
    assert (document["problem"], document["parameters"]["flips"], document["version"]) == ("riddler-flips", 9, 1)
    with (folder / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 152
    for row, line in zip(rows, document["rows"], strict=True):
        assert row == {**{key: str(value) for key, value in line.items()}, "best": " or ".join(line["best"])}
        margin = Fraction(line["value"]) - Fraction(line["runner_up_value"])
        assert (Fraction(row["margin"]), Fraction(line["margin"])) == (margin, margin)
        assert (len(line["best"]) == 2) == (margin == 0)


def test_show_and_explain_take_a_policy_from_a_file(cli: Run, folder: Path, game: str) -> None:
    cli("run", game, "--output", "p.json")
    for command in ("show", "explain"):
        assert cli(command, game, "--plan", "p.json") == cli(command, game)
    data = read_json("p.json")
    data["plan"]["states"] = [["here", "stop", 1], ["there", "go", 1]]
    write_json("p.json", data)
    assert "here   stop    1      go         5/2        -3/2\n" in cli("show", game, "--plan", "p.json")[1]
    out = stdout(cli("explain", game, "--plan", "p.json"), 1)
    assert "  go: 5/2, better by 3/2" in out
    assert "the policy does not hold: it says that the state here is worth 1, but action go is worth 2.5 there" in out


def test_explain_says_where_the_value_comes_from(cli: Run, game: str) -> None:
    first, proof = stdout_alone(cli("explain", game)).split("\nwhy no policy is better: ")
    assert first == (
        "./game.py: value 3\n\n"
        "At the start, here; what each action is worth, and what may follow it:\n"
        "  go: 3, the policy's\n"
        "    1/2  there: 2, then go\n"
        "    1/2  won: 4, the end\n"
        "  stop: 1, 2 less\n"
        "    1  lost: 1, the end\n\n"
        "One action is best in 2 states, several are equally good in 0:\n"
        "  2  go only\n"
    )
    assert proof.startswith("in each of 2 states all actions were compared")
    assert "attains its value, exactly" in proof
    out = stdout(cli("explain", "riddler-flips", "--flips", 12))
    assert re.search(r"^  B: 0\.\d+, equally good$", out, re.MULTILINE)
    assert "in each of 275 states" in out
    assert "attains its value, exactly" in out  # with probabilities of 1/2 floats make no rounding error here


@pytest.mark.thorough
def test_explain_of_many_actions_is_short(cli: Run) -> None:
    out = cli("explain", "gambler", "--exact")[1]
    assert "... and 120 more lines; --all shows them" in out
    assert cli("explain", "gambler", "--exact", "--all")[1].count("\n") == out.count("\n") + 119


def test_a_game_that_is_over_at_the_start(cli: Run, folder: Path) -> None:
    words = ("riddler-flips", "--flips", 3, "--state", "3,1")
    over = "The game is over at the start, 3,1"
    assert cli("show", *words)[1].startswith(over)
    assert over in cli("explain", *words)[1]
    assert over in cli("run", *words)[1]
    best = json.loads(cli("run", *words, "--format", "json")[1])["best_actions"]
    assert (best["one"], best["several"], best["sets"]) == (0, 0, [])
    assert cli("export", *words, "--output", "g.json") == (0, "", "g.json: 1 node, 0 edges, json\n")


@pytest.mark.parametrize("words", ["", "--no-plan"])
def test_export_writes_the_graph(cli: Run, folder: Path, game: str, words: str) -> None:
    for name in ("g.graphml", "g.gexf", "g.json", "g.dot"):
        code, out, err = cli("export", game, "--output", name, *words.split())
        assert (code, out, err) == (0, "", f"{name}: 4 nodes, 5 edges, {name[2:]}\n")
    graph: Any = nx.read_graphml(folder / "g.graphml")
    assert [data["state"] for _, data in graph.nodes(data=True)] == ["here", "lost", "there", "won"]
    assert [data["action"] for _, data in graph.nodes(data=True)] == ([""] * 4 if words else ["go", "", "go", ""])
    assert sum(data["on_policy"] for *_, data in graph.edges(data=True)) == (0 if words else 4)
    assert graph.graph["problem"] == game
    code, _, err = cli("export", game, "--output", "g.json", "--max-nodes", 2, *words.split())
    assert code == 3
    assert "the graph is not complete: the limit of 2 nodes was reached" in err


def test_a_limit_leaves_show_and_explain_undecided(cli: Run, folder: Path) -> None:
    source = TO_AND_FRO.replace('return [(1, "lost")]', 'return [(1, state + "o")]').replace(
        'if state == "here" else ["go"]', ""
    )
    (folder / "game.py").write_text(source)
    for words in (("show",), ("explain",), ("export", "--output", "g.json")):
        out = stdout(cli(words[0], "./game.py", "--time-limit", 0.1, *words[1:]), 3)
        assert "undecided, the time limit of 0.1 s was reached" in out
