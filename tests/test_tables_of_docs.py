"""The tables of the lecture and of the questions about the devil: each command is run, and says what the table says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from .conftest import Run

DOCS = Path(__file__).parent.parent / "docs"
PAGES = [DOCS / "lecture.md", DOCS / "open-questions.md"]
ROW = r"^\| ([^|]+) \|[^|]+\| `([^`]+)` \| (?:`([^`]+)`)? *\|"


def rows_of(page: Path) -> list[tuple[str, str, str]]:
    return re.findall(ROW, page.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("section", "command", "answer"), [row for page in PAGES for row in rows_of(page)])
def test_a_command_of_a_table(
    section: str, command: str, answer: str, cli: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = cli(*shlex.split(command))
    assert code == (1 if answer == "unsolvable" else 0), err
    assert answer in out
    assert out or any(tmp_path.iterdir())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_whole_table_is_read(page: Path) -> None:
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert len(rows_of(page)) == len(lines) - 1 > 30


def test_there_are_twenty_four_questions() -> None:
    assert list(dict.fromkeys(int(number) for number, _, _ in rows_of(PAGES[1]))) == list(range(1, 25))
