"""Options that are asked for on a terminal, read from a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[int, str, str]]


def piped(text: str | None, *words: str, **more: Any) -> tuple[int, str, str]:
    """Run a command with this on its standard input; None: nothing, ever, but the pipe stays open."""
    line = [sys.executable, "-m", "beliefsearch", *words]
    if text is not None:
        done = subprocess.run(line, input=text, capture_output=True, text=True, timeout=60, check=False, **more)
        return done.returncode, done.stdout, done.stderr
    reader, writer = os.pipe()
    try:
        done = subprocess.run(line, stdin=reader, capture_output=True, text=True, timeout=60, check=False, **more)
    finally:
        os.close(reader)
        os.close(writer)
    return done.returncode, done.stdout, done.stderr


def test_the_nine_letters_come_from_a_pipe_without_a_prompt(folder: Path) -> None:
    code, out, err = piped("HHHTTTHHH\n", "run", "nine-tails")
    assert (code, err) == (0, "")
    assert out.startswith("nine-tails --start HHHTTTHHH: solved in 2 actions")


def test_so_does_the_board_of_another_puzzle(folder: Path) -> None:
    code, out, _ = piped("1 2 3 4 5 6 7 0 8\n", "run", "sliding-tiles")
    assert code == 0
    assert "solved in 1 action" in out


@pytest.mark.parametrize("text", ["", "\n", None])
def test_without_a_line_the_option_was_left_out(folder: Path, text: str | None) -> None:
    code, out, err = piped(text, "run", "nine-tails")
    assert (code, out) == (2, "")
    assert "say --start" in err
    assert err.count("\n") == 1


def test_a_wrong_line_is_told_once(folder: Path) -> None:
    code, out, err = piped("HHX\nHHHTTTHHH\n", "run", "nine-tails")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "HHX" in err


@pytest.mark.parametrize("words", ["run nine-tails --start HHHTTTHHH", "run nine-tails --all", "run devil --n 2"])
def test_nothing_is_read_that_is_not_needed(cli: Run, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    stdin = StringIO("TTTTTTTTT\n")
    monkeypatch.setattr("sys.stdin", stdin)
    code, _, _ = cli(*words.split())
    assert (code, stdin.tell()) == (0, 0)


def test_the_lines_behind_the_start_are_the_players(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("HHHTTTHHH\n0 1\n2 1\n"))
    code, out, _ = cli("play", "nine-tails")
    assert code == 0
    assert "2" in out.splitlines()[-1]
