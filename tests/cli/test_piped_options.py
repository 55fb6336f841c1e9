"""Options that are asked for on a terminal, read from a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest

from ..answers import assert_one_line, stdout
from ..conftest import Run


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
def piped(cli: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
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
    assert_one_line(piped(text, "run", "nine-tails"), "say --start")


def test_a_wrong_line_is_told_once(piped: Run) -> None:
    assert_one_line(piped("HHX\nHHHTTTHHH\n", "run", "nine-tails"), "HHX")


@pytest.mark.parametrize("words", ["run nine-tails --start HHHTTTHHH", "run nine-tails --all", "run devil --n 2"])
def test_nothing_is_read_that_is_not_needed(cli: Run, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    stdin = StringIO("TTTTTTTTT\n")
    monkeypatch.setattr("sys.stdin", stdin)
    code, _, _ = cli(*words.split())
    assert (code, stdin.tell()) == (0, 0)


def test_the_lines_behind_the_start_are_the_players(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("HHHTTTHHH\n0 1\n2 1\n"))
    out = stdout(cli("play", "nine-tails"))
    assert "2" in out.splitlines()[-1]
