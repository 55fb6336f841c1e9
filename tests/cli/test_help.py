"""What the program tells of itself and of puzzles: `help`, `list`, `describe`, and what a shell is offered."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from inspect import getdoc
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from beliefsearch.cli.app import app
from beliefsearch.heuristics.registry import HEURISTICS
from beliefsearch.planner.solver_table import SOLVERS
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..answers import assert_one_line, stdout, stdout_alone
from ..conftest import Run
from ..examples import thorough
from ..problems.test_devil import CANONICAL_SEQUENCES
from ..toys import toy


def test_help_alone_lists_the_commands(cli: Run) -> None:
    assert stdout_alone(cli("help")) == cli("--help")[1]


@pytest.mark.parametrize("name", [name for name in app.list_commands(None) if name != "help"])  # type: ignore[attr-defined, arg-type, unused-ignore]
def test_help_on_a_command_is_that_of_the_command(name: str, cli: Run) -> None:
    assert stdout_alone(cli("help", name)) == cli(name, "--help")[1]


def test_help_on_searching_names_every_solver_and_heuristic(cli: Run) -> None:
    text = "".join(stdout_alone(cli("help", "search")).split())  # names may be broken at their hyphens
    assert [name for name in (*SOLVERS, *HEURISTICS) if name not in text] == []


def test_searching_is_not_explained_by_each_command(cli: Run) -> None:
    for name in ("run", "show", "play", "simulate", "sweep", "prove", "explain", "export"):
        out = cli(name, "devil", "--help")[1]
        assert "help search" in out
        assert "regression" not in out
        assert out.index("Options:") < out.index("Options of devil:") < out.index("Options that others have, too:")


def test_a_mistyped_topic_or_value_gets_a_suggestion(cli: Run) -> None:
    for words, near in {
        ("help", "serch"): "search",
        ("run", "devil", "--format", "jsno"): "json",
        ("run", "devil", "--told", "partiy"): "parity",
        ("run", "devil", "--group", "permutation"): "permutations",
        ("run", "devil", "--group", "Turns"): "turns",
        ("run", "devil", "--goal", "3-head"): "3-heads",
        ("sweep", "devil", "--n", "2,3", "--told", "head"): "heads",
        ("run", "devil", "--solver", "bredth-first"): "breadth-first",
        ("run", "devil", "--engine", "compild"): "compiled",
    }.items():
        assert_one_line(cli(*words), f"id you mean '{near}'?")
    assert "there are search, list" in cli("help", "xyzzy")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prove", "devil", "--zzz", "x"), ("No such option '--zzz'.", "`prove` has --certificate, --format, ")),
        (("view", "devil", "--format", "html"), ("No such option '--format'.", "--no-browser")),
        (("run", "devil", "-n", 4), ("No such option '-n'. Did you mean '--n'?",)),
        (("run", "random-devil", "--meddle", 1), ("`run` has ", "--within")),
        (("run", "devil", "--certifcate", "x"), ("Did you mean one of: '--certificate', ",)),
    ],
)
def test_an_unknown_option_is_told_with_those_there_are(
    cli: Run, words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    found = cli(*words)
    assert_one_line(found, *said)
    assert "--blindfold" not in found[2]


# `list`.


# `describe`.


ENDLESS = toy("endless_starts")


def about_this_instance(out: str) -> str:
    return out.partition("This instance")[2]


@pytest.mark.parametrize(
    ("n", "count"),
    [thorough(*known) if known[0] > 8 else known for known in CANONICAL_SEQUENCES.items() if known[0] > 1],
)
def test_the_numbers_of_starts_and_of_canonical_starts_are_told(cli: Run, n: int, count: int) -> None:
    facts = about_this_instance(stdout_alone(cli("describe", "devil", "--n", n)))
    assert re.search(rf"(?<![\d,]){2**n:,} possible start", facts)
    assert re.search(rf"(?<![\d,]){count:,} of them up to symmetry", facts)
    assert re.search(rf"(?<![\d,]){count:,} action", facts), "there is one move for each canonical sequence"


@pytest.mark.parametrize(("name", "cls"), [("devil", DevilProblem), ("nine-tails", NineTailsProblem)])
def test_the_whole_docstring_is_told(cli: Run, name: str, cls: type) -> None:
    code, out, _ = cli("describe", name)
    text = getdoc(cls)
    assert text is not None
    assert code == 0
    assert text in out
    for heading in ("Story", "Formal model", "Source", "Known answers"):
        assert re.search(rf"^{heading}\n-+$", out, re.M)


def test_every_option_is_told_with_choices_and_default(cli: Run) -> None:
    _, out, _ = cli("describe", "devil")
    words = " ".join(out.split())
    assert re.search(r"--n INTEGER number of coins on the table \[default: 4\]", words)
    assert "--canonical / --no-canonical" in words
    assert "--told [heads|parity|pattern|equal]" in words
    assert re.search(r"--faces INTEGER .*?\[default: 2\]", words)
    assert "--cost [moves|flips]" in words


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        ("devil --no-canonical", "16 possible starts"),
        ("vacuum --squares 3", "24 possible starts"),  # three places, two states of each square
        ("lights-out --rows 2 --cols 2", "4 actions"),
        ("lights-out --rows 2 --cols 2 --blindfold", "16 possible starts"),
        ("nine-tails --start HHHTTTHHH", "6 actions"),  # six coins show heads
        ("nine-tails --start HHHTTTHHH --legal any", "9 actions"),
        ("nine-tails", "backwards"),
    ],
)
def test_facts_of_the_instance_are_told(cli: Run, words: str, fact: str) -> None:
    assert fact in about_this_instance(stdout(cli("describe", *words.split())))


def test_nobody_waits_for_the_count_of_an_endless_number_of_starts(cli: Run, folder: Path) -> None:
    (folder / "endless.py").write_text(ENDLESS)
    out = stdout(cli("describe", "./endless.py:Sensorless", "--time-limit", 0.1), 3)
    assert "more than" in about_this_instance(out)


def test_of_many_states_so_many_are_counted(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.describe._MOST_ASKED", 100)
    facts = about_this_instance(cli("describe", "devil", "--n", 5)[1])
    assert "  8 states up to symmetry" in facts
    assert "  at least 32 states without symmetry" in facts
    assert "  at least 2^32 beliefs without symmetry" in facts
    assert "not everything was counted: more than 100 pairs of a state and an action" in facts


def test_a_plain_problem_has_states_and_no_beliefs(cli: Run) -> None:
    _, out, _ = cli("describe", "nine-tails")
    assert "512 states" in about_this_instance(out)
    assert "belief" not in about_this_instance(out)


# What a shell is offered: through click's interface for completion, as the script that it writes asks.


def offered(line: str) -> list[tuple[str, str]]:
    """Kind and value of each completion of the last word of a line."""
    *words, incomplete = line.split(" ")
    shell = ShellComplete(app, {}, "beliefsearch", "_BELIEFSEARCH_COMPLETE")
    return [(item.type, item.value) for item in shell.get_completions(words, incomplete)]


def test_problem_is_an_installed_name_or_a_python_file(folder: Path) -> None:
    for name in ("devices.py", "notes.txt", "river.py"):
        (folder / name).touch()
    assert offered("run de") == [("dir", "de"), ("plain", "devil"), ("plain", "devices.py")]
    found = offered("run ")
    assert {("plain", "devil"), ("plain", "vacuum"), ("plain", "river.py")} <= {*found}
    assert ("plain", "notes.txt") not in found
    assert offered("check ./ri") == [("dir", "./ri"), ("plain", "./river.py")]
    assert offered("play --watch no-such/") == [("dir", "no-such/")]
    assert ("plain", "devices.py") in offered("verify plan.json --problem de")


def test_options_and_their_values_are_completed(folder: Path) -> None:
    (folder / "machine.txt").touch()
    for line in (
        "run reset-word --automaton",
        "show reset-word --plan",
        "run reset-word --output",
        "run lost-robot --n 3 --map",
        "verify",
        "verify plan.json --data",
        "sweep reset-word --automaton",
        "export devil --output",
    ):
        assert offered(f"{line} ma") == [("file", "ma")]
    assert offered("verify plan.json --data automaton=ma") == [("plain", "automaton=machine.txt")]
    assert offered("sweep reset-word --letters 2") == []
    assert ("plain", "--canonical") in offered("run devil --ca")
    assert ("plain", "--automaton") in offered("run reset-word --au")
    assert offered("run devil --told par") == [("plain", "parity")]


@pytest.mark.parametrize("line", ["run devli --n", "run ./none.py --qui", "run ./broken.py --qui", "rnu dev"])
def test_what_cannot_be_found_is_no_error_in_the_middle_of_a_line(folder: Path, line: str) -> None:
    (folder / "broken.py").write_text("1 / 0\n")
    assert all(value.startswith("--") for _, value in offered(line))


@pytest.mark.parametrize(("command", "option"), [("run", "--automaton"), ("sweep", "--automaton"), ("run", "--output")])
def test_help_says_that_they_are_paths(command: str, option: str) -> None:
    found = app.get_command(click.Context(app), command)
    assert found is not None
    with click.Context(found, info_name=command) as context:
        found.parse_args(context, ["reset-word"] if command == "run" else ["reset-word", "--letters", "1..2"])
        (line,) = (line for line in found.get_help(context).splitlines() if line.strip().startswith(f"{option} "))
    assert line.split()[1].startswith("PATH")


def test_the_shell_gets_them(folder: Path) -> None:
    environment = {**os.environ, "_BELIEFSEARCH_COMPLETE": "bash_complete", "COMP_WORDS": "beliefsearch run wum"}
    done = subprocess.run(
        [sys.executable, "-m", "beliefsearch"],
        env={**environment, "COMP_CWORD": "2"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("dir,wum\nplain,wumpus\n", "")
