"""`beliefsearch help`: the own options of a command come first, and searching is explained once."""

from __future__ import annotations

import pytest

from beliefsearch.cli.app import app
from beliefsearch.heuristics.registry import HEURISTICS
from beliefsearch.planner.solver_table import SOLVERS

from ..answers import assert_one_line, stdout_alone
from .conftest import Run


def test_help_alone_lists_the_commands(cli: Run) -> None:
    assert stdout_alone(cli("help")) == cli("--help")[1]


@pytest.mark.parametrize("name", [name for name in app.list_commands(None) if name != "help"])  # type: ignore[attr-defined, arg-type, unused-ignore]
def test_help_on_a_command_is_that_of_the_command(name: str, cli: Run) -> None:
    assert stdout_alone(cli("help", name)) == cli(name, "--help")[1]


def test_help_on_searching_names_every_solver_and_heuristic(cli: Run) -> None:
    out = stdout_alone(cli("help", "search"))
    text = "".join(out.split())  # names may be broken at their hyphens
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
        ("run", "devil", "--table", "ciclic"): "cyclic",
        ("run", "devil", "--solver", "bredth-first"): "breadth-first",
        ("run", "devil", "--engine", "compild"): "compiled",
    }.items():
        assert_one_line(cli(*words), f"id you mean '{near}'?")
    assert "there are search, list" in cli("help", "xyzzy")[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("prove", "devil", "--output", "x"), ("No such option '--output'.", "`prove` has --certificate, --n, ")),
        (("view", "devil", "--format", "html"), ("No such option '--format'.", "--no-browser")),
        (("run", "devil", "-n", 4), ("No such option '-n'. Did you mean '--n'?",)),
        (("run", "devil", "--certifcate", "x"), ("Did you mean one of: '--certificate', ",)),
    ],
)
def test_whoever_names_an_option_that_is_not_there_is_told_which_are(
    cli: Run, words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    found = cli(*words)
    assert_one_line(found, *said)
    assert "--blindfold" not in found[2]
