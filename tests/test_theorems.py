"""The theorems behind the tables `lower` and `plan`, proved by Coq where it is installed (`apt-get install coq`)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

THEOREMS = Path(__file__).parents[1] / "docs" / "theorems" / "tables.v"


@pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")
def test_the_theorems_are_proved_without_axioms(tmp_path: Path) -> None:
    shutil.copy(THEOREMS, tmp_path)
    said = subprocess.run(["coqc", THEOREMS.name], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert said.stdout.splitlines() == ["Closed under the global context"] * 3


def test_nothing_is_taken_for_granted() -> None:
    text = THEOREMS.read_text(encoding="utf-8")
    assert not any(word in text for word in ("Admitted", "admit", "Axiom", "Parameter", "Abort"))
    assert [text.count(f"Print Assumptions {name}.") for name in ("lower", "plan_wins", "an_end_stays_near")] == [1] * 3
