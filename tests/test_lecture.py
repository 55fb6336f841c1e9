"""The table of the lecture: each of its commands is run, and says what the table says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from .conftest import Run

TABLE = (Path(__file__).parent.parent / "docs" / "lecture.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\| ([^|]+) \|[^|]+\| `([^`]+)` \| (?:`([^`]+)`)? *\|$", TABLE, re.MULTILINE)


@pytest.mark.parametrize(("section", "command", "answer"), COMMANDS)
def test_a_command_of_the_lecture(
    section: str, command: str, answer: str, cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*shlex.split(command))
    assert code == (1 if answer == "unsolvable" else 0), err
    assert answer in out
    assert out or any(tmp_path.iterdir())


def test_the_table_is_read() -> None:
    lines = [line for line in TABLE.splitlines() if line.startswith("| ")]
    assert len(COMMANDS) == len(lines) - 1
