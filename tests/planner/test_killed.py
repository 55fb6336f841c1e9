"""Commands that keep their search, killed by SIGKILL at random moments: they go on, and write the same file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .killed_run import COMMANDS

_ROOT = Path(__file__).parents[2]


def kill(place: Path, kills: int, seed: int, *names: str) -> None:
    words = [sys.executable, "-m", "tests.planner.killed_run", str(place), str(kills), str(seed), *names]
    done = subprocess.run(words, capture_output=True, text=True, timeout=1800, cwd=_ROOT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    for name in names:
        assert found[name]["kills"] >= kills
        assert found[name]["saved"] > kills // 5, name  # it was not always killed before there was anything to save


def test_a_command_that_is_killed_goes_on(tmp_path: Path) -> None:
    kill(tmp_path, 3, 1, "astar")


@pytest.mark.thorough
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_a_hundred_times_goes_on(tmp_path: Path, name: str) -> None:
    kill(tmp_path, 100, 2, name)
