"""Files kept from the version before the rooms were made smaller still verify, and its stores still go on.

`before/files.json` has the command that made each file, and what that version said of it. Of a store it has the number
of commits after which the search was killed, and the answer of the same command with `--resume`. The puzzles are files
of their own, since a store goes on only while its puzzle stays the same.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

BEFORE = Path(__file__).parent / "before"
KEPT = json.loads((BEFORE / "files.json").read_text(encoding="utf-8"))


@pytest.fixture
def puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with the puzzles of the files in it."""
    monkeypatch.chdir(tmp_path)
    for puzzle in (BEFORE / "puzzles").glob("*.py"):
        shutil.copy(puzzle, tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", KEPT["files"])
def test_an_old_answer_still_verifies(name: str, puzzles: Path, cli: Run) -> None:
    kept = KEPT["files"][name]
    shutil.copy(BEFORE / name, puzzles)
    code, out, err = cli("verify", name, *kept["verify"])
    assert (code, out.splitlines(), err) == (kept["exit"], kept["says"], "")


@pytest.mark.parametrize("name", KEPT["stores"])
def test_an_old_store_still_goes_on(name: str, puzzles: Path, cli: Run) -> None:
    kept = KEPT["stores"][name]
    with zipfile.ZipFile(BEFORE / f"store-{name}.zip") as store:
        store.extractall(puzzles / name)
    proves = kept["made"][0] == "prove"
    form = () if proves else ("--format", "json")
    code, out, err = cli(*kept["made"], "--store", name, "--resume", "--quiet", *form)
    assert code == kept["exit"]
    if "refused" in kept:  # a student's version of a search has no store any more, and says so
        assert kept["refused"] in err
        return
    said = {"text": out.splitlines()} if proves else comparable(json.loads(out))
    assert said == kept["says"]


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without its version and the seconds it took."""
    del answer["version"]
    for timed in (answer, answer.get("stats", {})):
        timed.pop("seconds", None)
    return answer
