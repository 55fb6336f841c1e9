"""What a shell is offered: through click's interface for completion, as the script that it writes asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from beliefsearch.cli.app import app


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


@pytest.mark.parametrize(
    "line",
    [
        "reset-word --automaton",
        "reset-word --plan",
        "reset-word --output",
        "reset-word --certificate",
        "lost-robot --n 3 --map",
    ],
)
def test_options_that_are_paths_complete_to_files(folder: Path, line: str) -> None:
    command = "show" if line.endswith("--plan") else "run"
    assert offered(f"{command} {line} ma") == [("file", "ma")]


def test_so_do_those_of_other_commands(folder: Path) -> None:
    (folder / "machine.txt").touch()
    assert offered("verify pl") == [("file", "pl")]
    assert offered("verify plan.json --data ma") == [("file", "ma")]
    assert offered("verify plan.json --data automaton=ma") == [("plain", "automaton=machine.txt")]
    assert offered("sweep reset-word --automaton ma") == [("file", "ma")]
    assert offered("sweep reset-word --letters 2") == []
    assert offered("export devil --output gr") == [("file", "gr")]


def test_the_options_of_the_puzzle_are_completed(folder: Path) -> None:
    assert ("plain", "--canonical") in offered("run devil --ca")
    assert ("plain", "--automaton") in offered("run reset-word --au")
    assert offered("run devil --table cy") == [("plain", "cyclic")]


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
