"""How a start is given: `--belief`, which states are possible; `--start`, which is the true one; and from a pipe."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest

from beliefsearch.cli.selected_problem import belief_typed

from ..answers import assert_one_line, read_json, stdout, write_json
from ..conftest import Run


def test_a_plan_for_a_belief_is_saved_checked_shown_and_played(cli: Run, folder: Path) -> None:
    words = ("devil", "--n", 4, "--belief", "HHHH HTTT")
    out = stdout(cli("run", *words, "--output", "plan.json", "--certificate", "proof.json"))
    assert out.startswith("devil --n 4 --belief 'HHHH HTTT': solved in 7 actions")
    data = read_json("plan.json")
    assert data["belief"] == ["HHHH", "HTTT"]
    for name in ("plan.json", "proof.json"):
        out = stdout(cli("verify", name))
        assert "beginning with HHHH HTTT" in out
        assert "all 2 starts" in out
    code, out, _ = cli("show", *words, "--plan", "plan.json")
    assert (code, out.splitlines()[0].split()) == (0, ["0", "|", "|", "HHHH", "HTTT"])
    assert cli("simulate", *words, "--plan", "plan.json", "--games", 20)[0] == 0
    assert cli("play", *words, "--plan", "plan.json", "--watch")[0] == 0
    assert cli("explain", *words, "--plan", "plan.json")[0] == 0
    assert cli("prove", *words)[0] == 0
    assert cli("export", *words, "--plan", "plan.json", "--output", "graph.json")[0] == 0
    graph = read_json("graph.json")
    assert sum(node["on_plan"] for node in graph["nodes"]) == 8


def test_verify_checks_against_the_belief_in_the_file(cli: Run, folder: Path) -> None:
    cli("run", "devil", "--n", 4, "--belief", "HTHT", "--output", "plan.json")
    assert cli("verify", "plan.json")[0] == 0
    data = read_json("plan.json")
    for other in (["TTTT", "HTTT"], None):
        write_json("plan.json", {**data, "belief": other})
        assert cli("verify", "plan.json")[0] == 1
    for wrong in ([], "HTHT", [1], ["HX"]):
        write_json("plan.json", {**data, "belief": wrong})
        code, out, err = cli("verify", "plan.json")
        assert (code, out) == (2, "")
        assert "belief" in err or "HX" in err


def test_a_plan_for_another_belief_is_refused(cli: Run) -> None:
    cli("run", "devil", "--n", 2, "--belief", "HT", "--output", "plan.json")
    for words in ((), ("--belief", "TT")):
        assert_one_line(cli("show", "devil", "--n", 2, *words, "--plan", "plan.json"), "something else", "--belief HT")
    assert cli("show", "devil", "--n", 2, "--belief", "HT HT", "--plan", "plan.json")[0] == 0


def test_the_true_start_is_played_and_the_belief_stays(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    out = stdout(cli("play", "devil", "--n", 4, "--watch", "--start", "HHTH", "--seed", 1))
    assert out.splitlines()[0].split() == ["0", "HHTH"]
    answers = iter(["belief", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    out = stdout(cli("play", "devil", "--n", 4, "--start", "HHTH"))
    assert "The state was HHTH" in out
    assert "HHHH HHHT HHTT HTHT HTTT TTTT" in out
    said = cli("simulate", "devil", "--n", 4, "--start", "HHHH", "--games", 30)
    assert "won after 0.00 actions on average" in stdout(said)


def test_where_the_problem_has_a_start_of_its_own_that_one_is_meant(cli: Run) -> None:
    own = ("--squares", 2, "--start", "[*].")
    assert cli("play", "vacuum", *own, "--watch", "--seed", 1)[0] == 0
    assert cli("play", "vacuum", "--help")[1].count("--start ") == 1
    code, out, _ = cli("play", "vacuum", "--squares", 2, "--watch", "--true-start", "[*].", "--seed", 1)
    assert (code, out.splitlines()[0].split()) == (0, ["0", "[*]."])


def test_beliefs_go_with_percepts(cli: Run) -> None:
    words = ("counterfeit-coin", "--coins", 4, "--belief", "'1 heavy' '2 heavy' '3 light'")
    assert "solved" in stdout(cli("run", *words, "--output", "plan.json"))
    assert cli("verify", "plan.json")[0] == 0
    out = stdout(cli("play", *words, "--watch", "--plan", "plan.json", "--true-start", "3 light"))
    assert "3 light" in out.splitlines()[0]
    assert cli("simulate", *words, "--plan", "plan.json", "--start", "3 light", "--games", 5)[0] == 0
    assert cli("export", *words, "--plan", "plan.json", "--output", "graph.json")[0] == 0


@pytest.mark.parametrize("states", [["[.]", "*[*]"], ["a b", "c"], ["it's", 'a"b', "c\\d"], [""], ["a\tb", "#c", "$d"]])
def test_a_belief_is_written_as_the_shell_and_the_option_read_it(states: list[str]) -> None:
    option, text = shlex.split(belief_typed(states))
    assert (option, shlex.split(text)) == ("--belief", states)
    assert belief_typed(["[.]", "*[*]"]) == "--belief '[.] *[*]'"


# Options that are asked for on a terminal, read from a pipe.


def test_the_nine_letters_come_from_a_pipe_without_a_prompt(folder: Path) -> None:
    line = [sys.executable, "-m", "beliefsearch", "run", "nine-tails"]
    done = subprocess.run(line, input="HHHTTTHHH\n", capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("nine-tails --start HHHTTTHHH: solved in 2 actions")


@contextmanager
def pipe(text: str | None) -> Iterator[TextIO]:
    """A pipe from which this comes; None: nothing, ever, but it stays open."""
    reader, writer = os.pipe()
    with open(reader) as stream, open(writer, "w") as to_it:
        if text is not None:
            to_it.write(text)
            to_it.close()
        yield stream


@pytest.fixture
def piped(cli: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with this on its standard input."""

    def run(text: str | None, *words: str) -> tuple[int, str, str]:
        with pipe(text) as stream:
            monkeypatch.setattr("sys.stdin", stream)
            return cli(*words)

    return run


def test_so_does_the_board_of_another_puzzle(piped: Run) -> None:
    assert "solved in 1 action" in stdout(piped("1 2 3 4 5 6 7 0 8\n", "run", "sliding-tiles"))


@pytest.mark.parametrize("text", ["", "\n", None])
def test_without_a_line_the_option_was_left_out(piped: Run, monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
    if text is None:
        monkeypatch.setattr("beliefsearch.cli.problem_options._PATIENCE", 0.1)  # as it is waited in vain
    assert_one_line(piped(text, "run", "sliding-tiles", "--rows", "2"), "say --start")
    assert stdout(piped(text, "run", "nine-tails")).startswith("nine-tails: solved")


def test_a_start_may_be_written_in_rows(piped: Run) -> None:
    rows, line = (stdout(piped(text, "run", "nine-tails")) for text in ("HHH\nTTT\nHHH\n", "HHHTTTHHH\n"))
    assert rows.replace("'HHH TTT HHH'", "HHHTTTHHH").splitlines()[:-1] == line.splitlines()[:-1]  # all but the time
    assert_one_line(piped("HHH\nTTT\n", "run", "nine-tails"), "6 letters")


def test_a_wrong_line_is_told_once(piped: Run) -> None:
    assert_one_line(piped("HHX\nHHHTTTHHH\n", "run", "nine-tails"), "HHX")


@pytest.mark.parametrize("words", ["run nine-tails --start HHHTTTHHH", "run nine-tails --all", "run devil --n 2"])
def test_nothing_is_read_that_is_not_needed(cli: Run, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    stdin = StringIO("TTTTTTTTT\n")
    monkeypatch.setattr("sys.stdin", stdin)
    code, _, _ = cli(*words.split())
    assert (code, stdin.tell()) == (0, 0)


def test_the_lines_behind_the_start_are_the_players(talk: Run) -> None:
    assert "2" in stdout(talk(["HHHTTTHHH", "0 1", "2 1"], "nine-tails")).splitlines()[-1]
