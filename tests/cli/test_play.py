"""`beliefsearch play`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from beliefsearch.cli.commands.play import TABLES

from ..answers import assert_one_line, stdout, stdout_alone
from ..conftest import Run
from ..toys import toy

# A corridor with walls at its ends, in which every state is known.
CORRIDOR = toy("corridor")


def answers(out: str) -> list[str]:
    """What the game said, cut at its prompts."""
    return [answer.strip() for answer in re.split(r"^\d+> ", out, flags=re.MULTILINE)]


# Watching.


@pytest.mark.parametrize("seed", range(8))
def test_watching_shows_a_game_that_keeps_the_rules(cli: Run, seed: int) -> None:
    found = cli("play", "devil", "--n", 4, "--watch", "--seed", seed)
    out = stdout_alone(found)
    assert cli("play", "devil", "--n", 4, "--watch", "--seed", seed) == found
    rows = [line for line in out.splitlines() if re.match(r" *\d+ ", line)]
    state = re.findall("[HT]{4}", rows[0])[0]
    for row in rows[1:]:
        arranged, after = re.findall("[HT]{4}", row)
        positions = {int(digit) for digit in re.findall(r"\d", row[row.index("{") : row.index("}")])}
        assert arranged in [state[turn:] + state[:turn] for turn in range(4)]
        assert after == "".join("HT"[c == "H"] if i in positions else c for i, c in enumerate(arranged))
        assert state != "HHHH", "the game stops when it is won"
        state = after
    assert state == "HHHH"
    assert re.search(rf"won after {len(rows) - 1} .*15", out.splitlines()[-1])


def test_watching_a_problem_that_cannot_be_won_tells_the_verdict(cli: Run) -> None:
    assert "unsolvable" in stdout(cli("play", "devil", "--n", 3, "--watch"), 1)


# Playing.


def test_an_action_may_be_written_in_any_notation_of_the_problem(talk: Run) -> None:
    for moves in (["01", "0", "01"], ["0,1", "{0}", "1 0"]):
        _, out, _ = talk([*moves, "quit"], "devil", "--n", 2, "--seed", 0)
        assert "won" in out
        assert "no action" not in out


def test_a_plain_game_shows_the_state_lists_actions_and_ends_when_it_is_won(cli: Run, talk: Run, folder: Path) -> None:
    (folder / "corridor.py").write_text(CORRIDOR)
    code, out, _ = talk(["right", "left", "right", "right", "right"], "./corridor.py")
    said = answers(out)
    assert code == 0
    assert [re.findall(r"square \d", answer) for answer in said] == [
        ["square 0"],
        ["square 1"],
        ["square 0"],
        ["square 1"],
        ["square 2"],
    ]
    assert "won" in said[-1]
    assert "4 actions" in said[-1]
    (folder / "corridor.py").write_text(CORRIDOR)
    _, out, _ = talk(["actions", "#1", "actions", "#2"], "./corridor.py")
    said = answers(out)
    assert re.findall(r"(\d) +(\w+)", said[1]) == [("1", "right")]
    assert "square 1" in said[2]
    assert re.findall(r"(\d) +(\w+)", said[3]) == [("1", "left"), ("2", "right")]
    assert "square 2" in said[4]
    (folder / "corridor.py").write_text(CORRIDOR)
    _, out, _ = talk(["right", "undo", "undo", "right", "right"], "./corridor.py")
    said = answers(out)
    assert "square 1" in said[1]
    assert "square 0" in said[2]
    assert "nothing to undo" in said[3]
    assert "won" in said[5]
    (folder / "corridor.py").write_text(
        CORRIDOR + "\n    def describe_action(self, action):\n        return f'Go {action}'\n"
    )
    _, out, _ = talk(["actions"], "./corridor.py")
    assert answers(out)[1].splitlines()[0] == "#1  right   (Go right)"


def test_belief_tells_the_states_that_are_possible_now(talk: Run) -> None:
    # Flipping both coins turns TT to HH and leaves all else; then flipping one turns HT to HH or TT.
    expected = [{"HH", "HT", "TT"}, {"HH", "HT"}, {"HH", "TT"}]
    longest = 0
    for seed in range(10):
        _, out, _ = talk(["belief", "01", "belief", "0", "belief", "quit"], "devil", "--n", 2, "--seed", seed)
        beliefs = [set(answer.split()) for answer in answers(out) if re.fullmatch("(HH|HT|TT| )+", answer)]
        assert beliefs == expected[: len(beliefs)]
        longest = max(longest, len(beliefs))
    assert longest == 3, "in one of ten games the bell does not ring before the second move"


def test_a_game_in_which_the_player_sees_every_state_begins_by_showing_it(talk: Run) -> None:
    _, out, _ = talk(["undo", "belief", "quit"], "nim", "--heaps", "1 2")
    opening, _, belief, *_ = answers(out)
    assert opening.splitlines()[-1] == f"The state is {belief}."


def test_a_hint_names_the_first_move_of_a_shortest_plan(talk: Run) -> None:
    _, out, _ = talk(["hint", "actions", "undo", "", "quit"], "devil", "--n", 4, "--seed", 5)
    *before, last = answers(out)
    assert not re.search("[HT]{4}", " ".join(before))
    assert re.search("[HT]{4}", last)
    _, out, _ = talk(["hint", "quit"], "devil", "--n", 4, "--seed", 5)
    assert "{0, 1, 2, 3}" in answers(out)[1]
    assert "14" in answers(out)[1]
    assert "no way to win" in talk(["hint", "quit"], "devil", "--n", 3)[1]


def test_following_the_hints_wins(talk: Run) -> None:
    moves: list[str] = []
    for _ in range(7):
        _, out, _ = talk([*moves, "hint", "quit"], "vacuum", "--squares", 3, "--seed", 3)
        if "You have won" in out:
            break
        moves.append(answers(out)[-2].split(",")[0])
    assert "You have won" in talk(moves, "vacuum", "--squares", 3, "--seed", 3)[1]


def test_undo_in_a_sensorless_game_gives_the_earlier_belief_back(talk: Run) -> None:
    _, out, _ = talk(["belief", "Suck", "belief", "undo", "belief", "quit"], "vacuum", "--seed", 1)
    said = answers(out)
    assert set(said[1].split()) == set(said[5].split())
    assert len(said[1].split()) == 8
    assert set(said[3].split()) == {"[.]*", "[.].", "*[.]", ".[.]"}


@pytest.mark.parametrize("words", [["quit"], ["exit"], ["QUIT"], []])
def test_leaving_tells_the_true_state(talk: Run, words: list[str]) -> None:
    assert re.search("The state was [HT]{4}", stdout_alone(talk(words, "devil", "--n", 4, "--seed", 5)))


@pytest.mark.parametrize("nonsense", ["xyzzy", "{0, 9}", "-1", "\t", "help me", "½", "{", "²"])
def test_nonsense_is_answered_and_the_game_goes_on(talk: Run, nonsense: str) -> None:
    out = stdout_alone(talk([nonsense, "quit"], "devil", "--n", 4, "--seed", 5))
    assert answers(out)[1]
    assert "Traceback" not in out
    assert "The state was" in out


def test_an_action_that_does_not_apply_here_is_refused_and_changes_nothing(talk: Run) -> None:
    _, out, _ = talk(["9,9", "1,1", "belief", "quit"], "nine-tails", "--start", "HHHTTTHHH")
    said = answers(out)
    assert "'9,9' is no action here" in said[1]
    assert "does not apply" in said[2]
    assert said[3] == "HHHTTTHHH"


@pytest.mark.parametrize("word", ["help", "?", ""])
def test_help_names_everything_one_can_say(talk: Run, word: str) -> None:
    _, out, _ = talk([word, "quit"], "nine-tails", "--start", "HHHTTTHHH")
    for command in ("actions", "belief", "hint", "undo", "quit"):
        assert command in answers(out)[1]


def test_the_documentation_has_all_commands_of_the_games() -> None:
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    section = text.partition("## `beliefsearch play")[2].partition("\n## ")[0]
    games = [game.HELP for game in TABLES.values()]
    words = {line.partition(" ")[0] for lines in games for line in lines}
    assert {word for word in words if f"`{word}" not in section} == set()
    assert "plan" in words


def test_a_game_that_is_won_at_the_start_ends_at_once(talk: Run) -> None:
    assert "won" in stdout(talk([], "nine-tails", "--start", "TTTTTTTTT"))


def test_every_kind_of_problem_has_its_game_at_the_table() -> None:
    from beliefsearch.cli.commands.play import DELAYED
    from beliefsearch.kinds import MISSING, Kind

    assert set(TABLES) == set(Kind)
    refused = {*MISSING["play against an adversary"], *MISSING["play against an adversary who delays"]}
    assert set(DELAYED) == set(Kind) - refused


def test_the_list_of_actions_gives_the_sentence_of_the_author_as_well(talk: Run, folder: Path) -> None:
    (folder / "corridor.py").write_text(
        CORRIDOR + "\n    def describe_action(self, action):\n        return f'Go {action}'\n"
    )
    _, out, _ = talk(["actions"], "./corridor.py")
    assert answers(out)[1].splitlines()[0] == "#1  right   (Go right)"


# A plan of one's own.


def test_a_plan_is_tried_in_the_middle_of_a_game(talk: Run) -> None:
    lines = ["plan {0,1}; 0", "{0,1}", "plan {0}; {0,1}", "plan {0}; {7}", "plan", "hint"]
    code, out, _ = talk(lines, "devil", "--n", 2, "--seed", 0)
    assert code == 0
    said = answers(out)
    assert said[1].splitlines()[-1] == "It may fail from 1 of 3 starts: HT."
    assert said[3] == "The plan wins, at a cost of 2, and no plan costs less."
    assert said[4].startswith("step 2: '{7}' is no action here")
    assert said[5].startswith("'plan' is no action here")


def test_only_sequences_are_tried(talk: Run) -> None:
    _, out, _ = talk(["plan 1 against 2"], "counterfeit-coin", "--coins", 3)
    assert "only a sequence of actions can be typed" in out
    _, out, _ = talk(["plan Sibiu; Fagaras; Bucharest"], "romania")
    assert "The plan wins, at a cost of 450, where 418 would do." in out


@pytest.mark.parametrize("typed", ["Sibiu", "Sibiu; Fagaras"])
def test_a_plan_may_be_typed_instead_of_a_file(cli: Run, typed: str) -> None:
    code, out, _ = cli("explain", "romania", "--plan", typed)
    assert code == 1
    assert "The plan does not win" in out


@pytest.mark.parametrize("command", ["explain", "show", "simulate"])
def test_a_typed_plan_fails_where_an_action_does_not_apply_and_cannot_be_read_where_there_is_none(
    command: str, cli: Run, folder: Path
) -> None:
    (folder / "narrow.py").write_text(toy("narrow"))
    assert stdout(cli(command, "./narrow.py", "--plan", "go; leap"), code=1).startswith(
        "./narrow.py: the plan does not"
    )
    assert_one_line(cli(command, "./narrow.py", "--plan", "go; heap"), "step 2: 'heap' is no action here")


def test_a_file_that_is_not_there_is_no_typed_plan(cli: Run) -> None:
    code, _, err = cli("explain", "romania", "--plan", "nothing.json")
    assert (code, "cannot read 'nothing.json'" in err) == (2, True)
    code, _, err = cli("explain", "romania", "--plan", "nothing")
    assert (code, "'nothing' is no action here" in err) == (2, True)
