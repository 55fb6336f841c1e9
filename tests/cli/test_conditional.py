"""Problems with percepts on the command line: from `run` to `export`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from ..answers import assert_one_line, change_json, read_json, stdout, write_json
from ..conftest import Run
from ..toys import toy
from ..waiting import once_begun

PUZZLES = toy("boxes_and_doors")
BOXES, DOOR = "puzzles.py:Boxes", "puzzles.py:Door"


@pytest.fixture(autouse=True)
def puzzles(folder: Path) -> Path:
    path = folder / "puzzles.py"
    path.write_text(PUZZLES, encoding="utf-8")
    return path


def test_the_json_says_which_cost_is_meant(cli: Run) -> None:
    code, out, _ = cli("run", BOXES, "--format", "json", "--n", 3)
    document = json.loads(out)
    assert (code, document["objective"], document["cost"], document["optimal"]) == (0, "worst", 3, True)
    assert document["plan"]["kind"] == "conditional"
    assert document["plan"]["cyclic"] is False
    assert document["plan"]["nodes"][0]["branches"][0] == {"percept": "nothing", "node": 1}
    code, out, _ = cli("run", BOXES, "--n", 4, "--objective", "expected", "--format", "json")
    document = json.loads(out)
    # 1, 2, 3 and 4 boxes are opened: 5/2 in the mean.
    assert (document["objective"], document["cost"], document["exact_cost"]) == ("expected", 2.5, "5/2")
    code, out, _ = cli("run", BOXES, "--n", 4, "--objective", "expected")
    assert "solved at an expected cost of 5/2 (about 2.5), at most 4 actions, proved optimal" in out


@pytest.mark.parametrize("options", [("--n", 3), ("--n", 4, "--objective", "expected")])
def test_a_saved_plan_is_verified_shown_and_played(cli: Run, options: tuple[Any, ...]) -> None:
    assert cli("run", BOXES, *options, "--output", "plan.json")[0] == 0
    out = stdout(cli("verify", "plan.json", "--problem", BOXES))
    assert f"all {options[1]} starts, cost {options[1]} at the most" in out
    out = stdout(cli("show", BOXES, "--n", options[1], "--plan", "plan.json"))
    assert out.splitlines()[1].split() == ["0", *"1234"[: options[1]], "open", "1", "nothing:", "1,", "prize:", "done"]
    assert out == cli("show", BOXES, *options)[1]
    code, out, _ = cli("simulate", BOXES, "--n", options[1], "--plan", "plan.json", "--every-start", "--games", 5)
    assert (code, f"{5 * options[1]} won" in out) == (0, True)
    out = stdout(cli("play", BOXES, "--n", options[1], "--watch", "--plan", "plan.json", "--seed", 3))
    assert "prize" in out.splitlines()[-2]
    assert out.splitlines()[-1].startswith("won after")


@pytest.mark.parametrize(
    ("change", "code", "complaint"),
    [
        (lambda d: d.update(cost=2), 1, "costs 3, not 2"),
        (lambda d: d.update(objective="expected"), 1, "costs 2, not 3"),
        (lambda d: d["plan"].update(cyclic=True), 1, "not cyclic, and the file says otherwise"),
        (lambda d: d["plan"]["nodes"][0]["branches"][0].update(node=2), 1, "which is not won"),
        (lambda d: d["plan"]["nodes"][1].clear(), 1, "which is not won"),
        (lambda d: d.update(status="unsolvable"), 1, "does not hold"),
        (lambda d: d["plan"]["nodes"][0]["branches"].pop(), 1, "there is no branch for it"),
        (lambda d: d["plan"]["nodes"][0].update(action="knock"), 1, "no action"),
        (lambda d: d.update(objective="cheap"), 2, "objective 'cheap'"),
        (lambda d: d["plan"].update(kind="tree"), 2, "'tree', not 'conditional'"),
        (lambda d: d.update(exact_cost="7/2"), 2, "say different things"),
    ],
)
def test_a_changed_plan_does_not_hold(cli: Run, change: Callable[[Any], None], code: int, complaint: str) -> None:
    cli("run", BOXES, "--output", "plan.json")
    change_json("plan.json", change)
    found = cli("verify", "plan.json", "--problem", BOXES)
    assert (found[0], "does not hold" in found[1]) == (code, code == 1)
    assert complaint in found[1] + found[2]


def test_a_plan_that_keeps_trying_says_so(cli: Run) -> None:
    out = stdout(cli("run", DOOR, "--output", "door.json"))
    assert "solved by a cyclic plan, which keeps trying" in out
    assert "which keeps trying and wins with probability 1" in stdout(cli("run", DOOR, "--objective", "almost-sure"))
    held = stdout(cli("run", "puzzles.py:HeldDoor", "--objective", "almost-sure"), 1)
    assert "unsolvable; it is proved that no plan wins with probability 1" in held
    assert "[1] push" in out
    assert "shut: go to [1]" in out
    document = read_json("door.json")
    assert (document["plan"]["cyclic"], document["cost"], document["status"]) == (True, None, "solved")
    assert cli("verify", "door.json", "--problem", DOOR)[0] == 0
    assert "the plan holds: it keeps trying" in cli("verify", "door.json", "--problem", DOOR)[1]
    assert cli("run", DOOR, "--solver", "and-or")[0] == 0
    assert cli("simulate", DOOR, "--games", 50, "--seed", 1)[0] == 0
    assert "unsolvable" in stdout(cli("run", "puzzles.py:HeldDoor"), 1)
    write_json("door.json", {**document, "problem": "puzzles.py:HeldDoor"})
    out = stdout(cli("verify", "door.json", "--problem", "puzzles.py:HeldDoor"), 1)
    assert "an adversary can make it do so for ever" in out


def test_the_mean_of_a_sequence_is_verified_as_a_mean(cli: Run) -> None:
    code, out, _ = cli("run", "puzzles.py:Toll", "--objective", "expected", "--format", "json", "--output", "toll.json")
    document = json.loads(out)
    assert (code, document["plan"], document["cost"]) == (0, ["drive"], 1.5)
    assert cli("verify", "toll.json", "--problem", "puzzles.py:Toll")[0] == 0
    cli("run", "puzzles.py:Toll", "--output", "toll.json")
    assert cli("verify", "toll.json", "--problem", "puzzles.py:Toll")[0] == 0


def test_a_game_tells_what_is_perceived(talk: Run) -> None:
    said = ["hint", "belief", "undo", "open 9", "open 1", "undo", "belief", "#3", "open 2", "open 1", "belief"]
    out = stdout(talk(said, BOXES, "--seed", 5))
    assert "3 states possible." in out
    assert "open 1, and then 2 more actions at the most" in out
    assert "1 2 3" in out
    assert "there is nothing to undo" in out
    assert "'open 9' is no action here" in out
    assert "You perceive: nothing. 2 states possible." in out
    assert "You perceive: prize" in out
    assert "You have won" in out


def test_any_action_may_be_named_though_only_some_are_listed(talk: Run) -> None:
    out = stdout(talk(["actions", "4 against 5", "quit"], "counterfeit-coin", "--coins", 5, "--seed", 1))
    assert "#3" not in out
    assert "You perceive" in out


@pytest.mark.parametrize(
    ("suffix", "read"), [("graphml", nx.read_graphml), ("gexf", nx.read_gexf), ("json", None), ("dot", None)]
)
def test_plans_and_graphs_are_exported(cli: Run, suffix: str, read: Any) -> None:
    # A plan of three steps and an end, with 2 + 2 + 1 branches; and every belief with every outcome of every action.
    for options, nodes, edges in (((), 4, 5), (("--no-plan",), 8, 30)):
        code, _, err = cli("export", BOXES, "--output", f"graph.{suffix}", *options)
        assert code == 0
        assert f"{nodes} nodes, {edges} edges" in err
        text = Path(f"graph.{suffix}").read_text(encoding="utf-8")
        if suffix == "json":
            assert len(json.loads(text)["nodes"]) == nodes
        if read is not None:
            assert len(read(f"graph.{suffix}")) == nodes
        assert "open 1" in text
    assert cli("export", BOXES, "--output", f"graph.{suffix}", "--no-plan", "--max-nodes", 2)[0] == 3


def test_explain_says_how_the_plan_branches(cli: Run) -> None:
    assert "3 steps; a step has at most 2 branches." in stdout(cli("explain", BOXES))
    assert cli("explain", "puzzles.py:HeldDoor")[0] == 1
    cli("run", BOXES, "--output", "plan.json")
    code, out, err = cli("explain", BOXES, "--plan", "plan.json")
    assert code in (0, 2)
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((BOXES, "--solver", "breadth-first"), "breadth-first never branch on percepts"),
        ((BOXES, "--objective", "cheap"), "cheap"),
        ((BOXES, "--engine", "compiled", "--solver", "and-or"), "choose bits or naive"),
        ((BOXES, "--heuristic", "potential"), "choose best, own"),
        ((DOOR, "--objective", "expected"), "use the worst case"),
        (("puzzles.py:Dumb",), "it must give a collection of percepts"),
        (("nine-tails", "--solver", "and-or"), "and-or is for belief problems"),
        (("nine-tails", "--objective", "expected"), "leave it out"),
        (("devil", "--heuristic", "information-bound"), "for contingent problems"),
    ],
)
def test_bad_requests_are_usage_errors(cli: Run, words: tuple[str, ...], complaint: str) -> None:
    assert_one_line(cli("run", *words), complaint)


def test_a_limit_leaves_it_undecided_with_a_bound(cli: Run) -> None:
    words = ("run", BOXES, "--n", 40, "--solver", "and-or", "--heuristic", "none", "--time-limit")
    code, out, _ = once_begun(lambda found: "no plan costs less than" in found[1], lambda time: cli(*words, time), 0.4)
    assert code == 3
    assert "undecided" in out
    assert "no plan costs less than" in out


def test_where_knowing_wins_the_ends_tell_what_is_known(cli: Run) -> None:
    assert "done (3 light)" in cli("run", "counterfeit-coin", "--coins", 3)[1]
    assert "balance: done (1 heavy)" in cli("show", "counterfeit-coin", "--coins", 3)[1]


def test_a_memory_limit_that_is_too_low_for_anything_is_a_limit(cli: Run) -> None:
    assert "undecided" in stdout(cli("run", "four-glasses", "--memory-limit", "1KB", "--look", 2), 3)


def test_a_puzzle_that_is_at_fault_ends_the_game(talk: Run, folder: Path) -> None:
    (folder / "faulty.py").write_text(PUZZLES.replace('("nothing" if state else "prize",)', "()"))
    code, _, err = talk(["open 1", "open 2"], "./faulty.py:Boxes")
    assert code == 2
    assert "gave no percept" in err


def test_a_hint_looks_ahead_from_what_is_known(talk: Run) -> None:
    found = talk(["112", "hint", "quit"], "mastermind", "--pegs", 3, "--colours", 3, "--seed", 1)
    assert "at the most" in stdout(found)


# In the state a the output is x for ever, so whoever begins there never learns the state, though it always may seem so.
STUCK = "a -- i / x -> a\nb -- i / x -> b\nb -- i / y -> b\n"


def test_what_no_table_shows_is_said_to_be_what_the_search_says(cli: Run, folder: Path) -> None:
    (folder / "stuck.kiss").write_text(STUCK)
    verdict = "stuck.kiss: unsolvable; it is proved that no plan is sure to win"
    assert verdict in stdout(cli("run", "stuck.kiss"), 1)
    code, out, err = cli("prove", "stuck.kiss", "--certificate", "stuck.json")
    proof = "proof: none about plans that keep trying; that none of these wins either is what the search says"
    assert (code, out.splitlines()) == (3, [verdict, proof])
    assert "not written, since there is no proof" in err
    assert not (folder / "stuck.json").exists()
