"""How changes are tried, and what is true of every command however its files were changed."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import SystemRandom
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from ..cli.processes import Result, Starter

_FEW = 2
"""Examples of each file by default."""

_ROUND = 50
"""Examples between two looks at the clock."""

_SETTINGS = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), print_blob=False)

_OUTPUTS = {"result.json", "graph.json", "graph.svg", "page.html"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def assert_ended_well(done: Result) -> str:
    """Check that a command ended in one of the ways in which a command ends; what to show of it if more is wrong."""
    line = f"{str(done.args)[:1000]}\n{done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-1000:]}"
    assert done.returncode in (0, 1, 2, 3), line
    assert "Traceback" not in done.stdout + done.stderr, line
    assert "bug of beliefsearch" not in done.stderr, line
    assert "\x1b" not in done.stdout + done.stderr, line
    if done.returncode == 2:
        complaints = [row for row in done.stderr.splitlines() if "error: " in row]
        assert len(complaints) == 1, line
        assert len(complaints[0]) < 1600, line
    return line


def run_well(commands: Starter, folder: Path, *words: str) -> Result:
    """The result of a command that ends well and leaves other files alone."""
    for name in _OUTPUTS:
        (folder / name).unlink(missing_ok=True)
    before = contents(folder)
    done = commands(*words)
    line = assert_ended_well(done)
    after = contents(folder)
    made = after.keys() - before.keys()
    assert {name: after.get(name) for name in before} == before, line
    assert done.returncode != 2 or made == set(), line
    assert made <= _OUTPUTS, line
    for name in made:
        assert after[name], line
        if name.endswith(".json"):
            json.loads(after[name])
    return done


def rounds(target: Any, strategies: dict[str, st.SearchStrategy[Any]], seconds: float) -> None:
    """Try `target` on ever new examples until the time is over."""
    end, chance = time.monotonic() + seconds, SystemRandom()
    while time.monotonic() < end:
        number = chance.randrange(2**32)
        seed(number)(settings(_SETTINGS, max_examples=_ROUND, derandomize=False)(given(**strategies)(target)))()


def quickly(target: Any, strategies: dict[str, st.SearchStrategy[Any]]) -> None:
    settings(_SETTINGS, max_examples=_FEW, derandomize=True)(given(**strategies)(target))()
