"""`beliefsearch explain`, and playing against the adversary it tells of."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from beliefsearch.cli.interactive.contingent import DelayedContingentGame
from beliefsearch.cli.selected_problem import Asked
from beliefsearch.running.limits import Budget, Limits
from beliefsearch.tools import load_problem_class

from ..answers import assert_one_line, change_json, stdout, stdout_alone
from ..conftest import Run
from ..toys import toy

# The published plan for four coins: a ruler.
LEVELS_4 = ("{0, 1, 2, 3}", "{0, 2}", "{0, 1}", "{0, 1, 2}")
PLAN_4 = [LEVELS_4[(place & -place).bit_length() - 1] for place in range(1, 16)]

# The hidden letter can be found out by nobody, but whoever sees it can name it.
GUESS = toy("guess")

# Steps of one or two, as far as square 3; the goal lies beyond.
HALL = toy("hall")


def test_whoever_asks_for_a_search_is_told_of_what_it_found(cli: Run) -> None:
    out = stdout_alone(cli("explain", "devil", "--n", 4, "--solver", "search", "--quiet"))
    assert "It is a ruler sequence: " in out
    assert "Why no plan costs less: States have weights, 15 of them above 0" in out
    assert "construction" not in out
    assert "a trap of 30 states" in stdout_alone(cli("explain", "devil", "--n", 6, "--solver", "search", "--quiet"), 1)


@pytest.mark.parametrize(
    ("n", "cycle"), [(6, "0, 2, 4"), (9, "0, 3, 6"), (10, "0, 2, 4, 6, 8"), (12, "0, 4, 8"), (15, "0, 5, 10")]
)
def test_the_short_argument_comes_first(cli: Run, monkeypatch: pytest.MonkeyPatch, n: int, cycle: str) -> None:
    """Equally spaced coins, as many as a prime: nothing is searched, and no table of answers is made."""
    monkeypatch.setattr("beliefsearch.planner.solve.solve", None)
    monkeypatch.setattr("beliefsearch.proofs.explanations.adversary.find_adversary", None)
    out = stdout_alone(cli("explain", "devil", "--n", n), 1)
    assert f"The devil can move the coins at {cycle} round" in out
    assert " -> " not in out
    assert "--all shows the whole strategy" in out
    assert len(out.splitlines()) < 50


@pytest.mark.parametrize("where", ["plan.json", "proof.json"])
def test_a_saved_plan_is_explained(cli: Run, where: str) -> None:
    cli("run", "devil", "--n", 4, "--output", "plan.json", "--certificate", "proof.json")
    out = stdout_alone(cli("explain", "devil", "--n", 4, "--plan", where))
    assert "15 actions" in out
    assert "8 x  {0, 1, 2, 3}" in out
    assert "ruler sequence" in out


def test_where_all_is_seen_and_certain_nobody_is_to_blame(cli: Run) -> None:
    words = ("--rows", 2, "--cols", 3, "--start", "100000")
    out = stdout_alone(cli("explain", "lights-out", *words), 1)
    lights_out: Any = load_problem_class("lights-out")
    problem = lights_out(rows=2, cols=3, start="100000")
    reached = {problem.initial_state()}
    for _ in range(2**6):
        reached |= {problem.result(state, action) for state in reached for action in problem.actions(state)}
    assert not any(map(problem.is_goal, reached))
    assert f"No goal can be reached: {len(reached)} states" in out
    assert "all of them were looked at" in out
    assert "adversary" not in out


def test_a_dead_end_is_told_of(cli: Run, folder: Path) -> None:
    (folder / "hall.py").write_text(HALL)
    out = stdout_alone(cli("explain", "./hall.py"), 1)
    assert "No goal can be reached: 4 states can be reached, all of them were looked at, and none is a goal." in out
    assert "In 1 of them no action is possible." in out


def test_a_saved_plan_of_something_else_is_refused(cli: Run) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    assert_one_line(cli("explain", "devil", "--n", 4, "--plan", "plan.json"), "something else")


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("devil", {"n": 3}, ("--n", 3)),
        ("devil", {"n": 6}, ("--n", 6)),
        ("devil", {"n": 3, "reduced": False}, ("--n", 3, "--no-canonical")),
    ],
)
def test_every_answer_of_the_strategy_is_a_result_and_stays_in_the_trap(
    cli: Run, name: str, options: dict[str, Any], words: tuple[object, ...]
) -> None:
    out = stdout_alone(cli("explain", name, *words, "--all"), 1)
    problem: Any = load_problem_class(name)(**options)
    strategy: dict[str, dict[str, str]] = {}
    state = ""
    for line in out.splitlines():
        if match := re.fullmatch(r"      (\S.*) -> (\S+)", line):
            strategy[state][match[1]] = match[2]
        elif match := re.fullmatch(r"  (\S+)", line):
            state = match[1]
            strategy[state] = {}
    counted = re.search(r"a trap of (\d+) states", out)
    assert counted is not None
    assert len(strategy) == int(counted[1])
    for text, answers in strategy.items():
        state = problem.parse_state(text)
        assert not problem.is_goal(state)
        actions = {problem.format_action(action): action for action in problem.actions(state)}
        assert list(answers) == list(actions)
        for said, after in answers.items():
            results = (
                problem.results(state, actions[said]) if name == "devil" else [problem.result(state, actions[said])]
            )
            assert after in [problem.format_state(result) for result in results]
            assert after in strategy


def test_where_only_sight_is_missing_it_is_said(cli: Run, folder: Path) -> None:
    (folder / "guess.py").write_text(GUESS)
    out = stdout_alone(cli("explain", "./guess.py"), 1)
    assert "not seeing" in out
    assert "the start may be any of these 2 (for fewer starts a plan exists)" in out
    table = out.split("\n  {a, b}\n")[1]
    assert table.startswith("      a -> {won, lost}\n      b -> {won, lost}\n  {won, lost}\n")


def test_starts_that_cannot_be_told_apart_are_shown_with_what_is_perceived(cli: Run, folder: Path) -> None:
    (folder / "turn.txt").write_text("2 4\n1 1\n2 0\n3 2\n0 3\n")
    out = stdout_alone(cli("explain", "reset-word", "--automaton", "turn.txt"), 1)
    assert "the start may be any of these 2 (for fewer starts a plan exists)" in out


def test_a_limit_leaves_it_open(cli: Run) -> None:
    assert cli("explain", "vacuum", "--squares", 10, "--time-limit", 0.01, "--quiet")[0] == 3


# The adversary.


@pytest.mark.few(6)
@pytest.mark.parametrize(
    "words",
    [
        ("devil", "--n", 3),
        ("devil", "--n", 6),
        ("devil", "--n", 5, "--no-canonical"),
        ("lights-out", "--rows", 2, "--cols", 3, "--start", "100000"),
    ],
    ids=lambda words: " ".join(map(str, words)),
)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_nobody_wins_against_the_adversary(talk: Run, words: tuple[object, ...], seed: int) -> None:
    chance = Random(seed)
    count = 4 if words[:3] == ("devil", "--n", 3) else 6
    lines = [f"#{chance.randint(1, count)}" for _ in range(60)]
    out = stdout_alone(talk([*lines, "quit"], *words, "--adversary", "--seed", seed))
    assert "won" not in out
    assert "61> " in out, "all sixty actions were understood"
    state = re.findall(r"The state was (\S+?)[.,]", out)[0]
    assert set(state) - {"H"} if words[0] == "devil" else "1" in state


def test_the_state_that_is_told_is_one_that_the_moves_allow(talk: Run) -> None:
    _, out, _ = talk(["{0, 1, 2}", "belief", "quit"], "devil", "--n", 3, "--adversary", "--no-canonical", "--seed", 4)
    belief = set(re.findall(r"\b[HT]{3}\b", out.split("2> ")[1]))
    assert re.findall(r"The state was ([HT]{3})", out)[0] in belief


def test_undo_goes_back_against_the_adversary_too(talk: Run) -> None:
    said = ["{0}", "undo", "undo", "quit"]
    assert "nothing to undo" in stdout(talk(said, "devil", "--n", 3, "--adversary", "--seed", 1))


def test_blindfolded_the_adversary_fixes_no_state(talk: Run) -> None:
    plan = list(PLAN_4)
    out = stdout_alone(talk(plan, "devil", "--n", 4, "--adversary"))
    assert "The adversary fixes no state" in out
    assert "You have won, after 15 actions." in out
    # Whoever leaves out the last move has won from all arrangements but those that were kept for the end.
    out = stdout_alone(talk([*plan[:-1], "quit"], "devil", "--n", 4, "--adversary"))
    assert "won" not in out
    assert "15> The state was TTTT." in out


@pytest.mark.parametrize(("words", "most"), [(("counterfeit-coin",), 3), (("four-glasses",), 10)])
def test_whoever_takes_every_hint_needs_the_worst_case(cli: Run, words: tuple[str], most: int) -> None:
    cls = load_problem_class(words[0])
    asked = Asked(words[0], cls(), "", False, Budget(Limits()), cls, {}, None)
    game = DelayedContingentGame(asked, Random(0))
    assert "chooses what you perceive" in game.welcome("a game")
    count = 0
    while not game.over:
        told = game.say(game.say("hint").split(", and then")[0])
        count += 1
    assert count == most
    assert f"You have won, after {most} actions." in told


def test_where_nothing_can_be_worked_out_the_largest_belief_is_kept(talk: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_GRAPH", "_SEARCH"):
        monkeypatch.setattr(f"beliefsearch.proofs.explanations.adversary.{limit}", 10)
    out = stdout_alone(talk(["1 against 2", "quit"], "counterfeit-coin", "--coins", 6, "--adversary"))
    assert "the one that leaves most states.)\nYou perceive: balance. 8 states possible." in out


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (("explain",), ""),
        (("show",), ""),
        (("export", "--output", "plan.svg"), "plan.svg"),
        (("export", "--output", "graph.json"), "graph.json"),
        (("view", "--no-browser", "--output", "page.html"), ""),
    ],
)
def test_a_plan_that_loses_is_called_so(cli: Run, folder: Path, command: tuple[str, ...], written: str) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    change_json("plan.json", lambda document: document["plan"].pop())
    code, out, err = cli(command[0], "devil", "--n", 2, "--plan", "plan.json", *command[1:])
    assert code == 1
    assert "does not win: after step 2, the last, the state may be TT, which is no goal" in out + err
    assert not written or Path(written).exists()


def test_a_plan_that_is_too_long_is_told_where_it_wastes(cli: Run, folder: Path) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    change_json("plan.json", lambda document: document["plan"].__setitem__(slice(0, 1), document["plan"][:1] * 3))
    out = stdout(cli("explain", "devil", "--n", 2, "--plan", "plan.json"))
    assert "The plan wins, at a cost of 5, where 3 would do." in out
    assert "At step 2, {0, 1}: 2 would be enough from there; with this it is 3." in out
