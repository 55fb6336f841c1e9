"""The table of the lecture: each of its commands is run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from .conftest import Run

TABLE = (Path(__file__).parent.parent / "docs" / "lecture.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\|[^|]+\|[^|]+\| `([^`]+)` \|$", TABLE, re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_lecture(command: str, cli: Run) -> None:
    code, out, _ = cli(*shlex.split(command))
    assert (code, bool(out)) == (0, True)


def test_the_table_is_read() -> None:
    assert len(COMMANDS) > 15
