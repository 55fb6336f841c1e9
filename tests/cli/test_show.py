"""`beliefsearch show`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pytest

from ..answers import assert_one_line, change_json, stdout, stdout_alone
from ..benchmarks.reference import canonical_belief, update
from ..conftest import Run
from ..toys import method, toy

FOUR_COINS = """\
  0 |          | HHHH HHHT HHTT HTHT HTTT TTTT
  1 | 0123     | HHHH HHHT HHTT HTHT HTTT
  2 | 0 2      | HHHH HHHT HHTT      HTTT TTTT
  3 | 0123     | HHHH HHHT HHTT      HTTT
  4 | 01       | HHHH HHHT      HTHT HTTT TTTT
  5 | 0123     | HHHH HHHT      HTHT HTTT
  6 | 0 2      | HHHH HHHT           HTTT TTTT
  7 | 0123     | HHHH HHHT           HTTT
  8 | 012      | HHHH      HHTT HTHT      TTTT
  9 | 0123     | HHHH      HHTT HTHT
 10 | 0 2      | HHHH      HHTT           TTTT
 11 | 0123     | HHHH      HHTT
 12 | 01       | HHHH           HTHT      TTTT
 13 | 0123     | HHHH           HTHT
 14 | 0 2      | HHHH                     TTTT
 15 | 0123     | HHHH
"""

WALK = toy("walk")


def test_the_table_is_that_of_the_notebook(cli: Run) -> None:
    out = stdout_alone(cli("show", "devil", "--n", 4))
    assert [line.rstrip() for line in out.splitlines()] == FOUR_COINS.splitlines()


def test_a_state_is_always_in_the_same_column(cli: Run) -> None:
    _, out, _ = cli("show", "devil", "--n", 4, "--no-canonical")
    lines = out.splitlines()
    assert len(lines) == 16
    columns: dict[str, int] = {}
    for line in lines:
        for found in re.finditer("[HT]{4}", line):
            assert columns.setdefault(found[0], found.start()) == found.start()
    assert set(columns) == {"".join(coins) for coins in product("HT", repeat=4)}


def test_eight_coins_fit_a_hundred_columns_with_every_belief_complete(cli: Run) -> None:
    lines = stdout(cli("show", "devil", "--n", 8)).splitlines()
    assert max(map(len, lines)) <= 100
    heads = lines[:8]
    first = heads[0].index("H")
    states = ["".join(column) for column in zip(*(head[first:] for head in heads), strict=True)]
    everything = canonical_belief(map("".join, product("HT", repeat=8)))
    assert set(states) == everything
    assert len(states) == len(everything) == 36
    rows = [line for line in lines if re.match(r" *\d+ \|", line)]
    assert [int(row.split("|")[0]) for row in rows] == list(range(256))
    belief = everything
    for row in rows:
        _, move, marks = row.split("|")
        belief = update(belief, [int(digit) for digit in re.findall(r"\d", move)]) if row != rows[0] else belief
        shown = {state for state, mark in zip(states, marks[1:], strict=True) if mark == "#"}
        assert shown == belief
    assert belief == {"HHHHHHHH"}


def test_a_table_too_wide_for_columns_gives_counts_and_some_states(cli: Run) -> None:
    rows = stdout(cli("show", "devil", "--n", 8, "--width", 50)).splitlines()
    assert (len(rows), max(map(len, rows)) <= 50) == (256, True)
    belief = canonical_belief(map("".join, product("HT", repeat=8)))
    for row in rows[:20]:
        _, move, text = row.split("|")
        belief = update(belief, [int(digit) for digit in re.findall(r"\d", move)]) if row != rows[0] else belief
        count, _, members = text.strip().partition(":")
        shown = re.findall("[HT]{8}", members)
        assert (int(count), set(shown) <= belief) == (len(belief), True)
        assert ("..." in members) == (len(shown) < len(belief))


def test_a_plan_file_is_shown_without_a_search(cli: Run, folder: Path) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    change_json("plan.json", plan=[[0], [0, 1]])
    code, out, _ = cli("show", "devil", "--n", 2, "--plan", "plan.json")
    belief = frozenset({"HH", "HT", "TT"})
    expected = [belief := update(belief, move) if move else belief for move in ([], [0], [0, 1])]
    assert code == 1, "it loses"
    assert [set(re.findall("[HT]{2}", line)) for line in out.splitlines()] == expected


def test_of_a_plain_problem_the_states_along_the_plan_are_shown(cli: Run, folder: Path) -> None:
    (folder / "walk.py").write_text(WALK)
    out = stdout(cli("show", "./walk.py"))
    assert [line.split() for line in out.splitlines()] == [
        ["0", "0"],
        ["1", "walk", "on", "1"],
        ["2", "walk", "on", "2"],
        ["3", "walk", "on", "3"],
    ]


def test_without_a_plan_the_verdict_is_told_and_the_first_starts_instead(cli: Run) -> None:
    assert "unsolvable" in stdout(cli("show", "devil", "--n", 3), 1)
    _, out, _ = cli("show", "devil", "--n", 3, "--debug")
    assert [line.partition(": ")[2] for line in out.splitlines() if line.startswith("devil")] == ["HHH", "HHT", "HTH"]
    assert "There are more starts" in out


def test_rows_are_printed_as_they_are_worked_out_and_no_more_than_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from beliefsearch.cli import output
    from beliefsearch.cli.renderers.conditional_plan import belief_table
    from beliefsearch_problems.devil import DevilProblem

    asked = 0

    def beliefs() -> Iterator[list[str]]:
        nonlocal asked
        while True:
            asked += 1
            yield ["".join(coins) for coins in product("HT", repeat=7)]

    devil = DevilProblem(n=7)
    plan = [frozenset({0})] * 65_535
    rows = belief_table(devil, plan, beliefs(), 60)
    assert next(rows).startswith("    0 |          | 128: HHHHHHH ")
    assert next(rows).startswith("    1 | 0        | 128: HHHHHHH ")
    assert asked == 2
    printed: list[str] = []

    def echo(line: str) -> None:
        printed.append(line)
        if len(printed) == 5:
            raise BrokenPipeError

    monkeypatch.setattr(click, "echo", echo)
    monkeypatch.setattr(output, "_drop_output", lambda: None)
    output.emit_lines(rows)
    assert (len(printed), asked) == (5, 7)


def test_a_plan_that_does_not_apply_everywhere_is_refused_at_its_step(cli: Run, folder: Path) -> None:
    (folder / "narrow.py").write_text(NARROW)
    cli("run", "./narrow.py", "--output", "plan.json")
    change_json("plan.json", plan=["stay", "leap"])
    code, _, err = cli("show", "./narrow.py", "--plan", "plan.json")
    assert (code, "error: step 2: the action leap does not apply to " in err) == (1, True)


NARROW = toy("narrow")


# What the puzzle answers at one state: --debug.


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
def test_what_does_not_go_together_is_told(cli: Run, folder: Path, words: tuple[str, ...], culprit: str) -> None:
    (folder / "squares.py").write_text(BELIEF)
    assert_one_line(cli("show", "./squares.py", *words), culprit)


def test_check_explains_every_rule_if_asked(cli: Run) -> None:
    _, short, _ = cli("check", "devil", "--n", 2)
    _, out, _ = cli("check", "devil", "--n", 2, "--explain")
    assert "why:" not in short
    lines = out.splitlines()
    rules = [place for place, line in enumerate(lines) if line.startswith("ok ")]
    assert len(rules) == 13
    assert all(lines[place + 1].strip().startswith("why: ") for place in rules)


def test_given_moves_are_followed_from_another_belief(cli: Run, folder: Path) -> None:
    cli("run", "devil", "--n", 2, "--output", "plan.json")
    out = stdout(cli("show", "devil", "--n", 2, "--plan", "plan.json", "--belief", "TT HT"))
    rows = [set(re.findall("[HT]{2}", line)) for line in out.splitlines()]
    belief = frozenset({"TT", "HT"})
    assert rows == [belief := update(belief, move) if move else belief for move in ([], [0, 1], [0], [0, 1])]


def test_what_contains_commas_is_parted_by_semicolons(cli: Run) -> None:
    shown = stdout(cli("show", "hidden-number", "--limit", 4)).splitlines()
    assert "1, 0 lies, yes; 2, 0 lies, yes" in shown[3]
    assert shown[3].endswith("no: done (2, 0 lies, no); yes: done (1, 0 lies, yes)")


def test_long_states_are_not_written_downwards(cli: Run) -> None:
    Path("bombs.pddl").write_text(
        "(define (domain d) (:predicates (armed ?b)) (:action dunk :parameters (?b) :effect (not (armed ?b))))"
        "(define (problem p) (:domain d) (:objects bomb1 bomb2 bomb3) (:init (oneof (armed bomb1) (armed bomb2))"
        " (unknown (armed bomb3))) (:goal (forall (?b) (not (armed ?b)))))"
    )
    rows = stdout(cli("show", "bombs.pddl", "--width", 60)).splitlines()
    assert rows == [
        "  0 |            | 4: armed(bomb1), armed(bomb3); ...",
        "  1 | dunk bomb1 | 4: armed(bomb2), armed(bomb3); ...",
        "  2 | dunk bomb2 | 2: armed(bomb3) nothing",
        "  3 | dunk bomb3 | 1: nothing",
    ]


def test_states_that_are_numbers_stand_in_their_order(cli: Run) -> None:
    first = stdout(cli("show", "hidden-number", "--limit", 12)).splitlines()[1]
    assert " 1 2 3 4 5 6 7 8 9 10 11 12 " in first
    listed = stdout(cli("belief", "hidden-number", "--limit", 12)).splitlines()[1:]
    assert [int(line) for line in listed] == [*range(1, 13)]


def test_a_typed_action_that_another_stands_for_is_named(cli: Run) -> None:
    code, _, err = cli("show", "devil", "--n", 2, "--plan", "{1,0}; {1}; 01")
    assert (code, err) == (0, "step 2: {1} is read as {0}\n")
    Path("moves.txt").write_text("{0,1}\n{1}\n{0,1}\n")
    assert cli("show", "devil", "--n", 2, "--plan", "moves.txt")[::2] == (0, "{1} is read as {0}\n")


def test_a_sequence_is_shown_where_there_are_percepts_too(cli: Run) -> None:
    Path("plan.txt").write_text("Suck\nRight\nSuck\n")
    code, out, err = cli("show", "vacuum", "--sensing", "local", "--plan", "plan.txt")
    assert code == 1
    assert out.splitlines() == [
        "  0 |          | [*]* [*]. [.]* [.]. *[*] *[.] .[*] .[.]",
        "  1 | Suck     |           [.]* [.].      *[.]      .[.]",
        "  2 | Right    |                          *[.] .[*] .[.]",
        "  3 | Suck     |                          *[.]      .[.]",
    ]
    assert err == "plan.txt: the plan does not win: after step 3, the last, the state may be *[.], which is no goal\n"


def test_a_policy_that_ignores_a_percept_does_not_hold(cli: Run) -> None:
    cli("run", "tiger", "--output", "tiger.json")
    change_json("tiger.json", lambda document: document["plan"]["nodes"][0][1].__setitem__(0, None))
    code, out, err = cli("show", "tiger", "--plan", "tiger.json")
    assert (code, out, err) == (1, "", "beliefsearch: error: the policy says nothing about the percept 'growl left'\n")
