"""A graph of a million nodes, written; run with `pytest -n 0 tests/benchmarks/test_graph_files.py --benchmark-only -s`.

Two puzzles: one whose states and texts cost nothing, and sliding tiles. The targets are 60 s and 500 MiB.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beliefsearch.graph.graph_files import FORMATS

from .measuring import once

CHEAP = """
from beliefsearch import Problem

class Cheap(Problem[int, str]):
    def initial_state(self):
        return 0

    def actions(self, state):
        return ["right", "down"]

    def result(self, state, action):
        return (state + (1 if action == "right" else 1000)) % 1_000_000

    def is_goal(self, state):
        return False
"""
PUZZLES = {
    "cheap": ("./cheap.py",),
    "sliding-tiles": ("sliding-tiles", "--rows", "2", "--cols", "5", "--start", "1 2 3 4 5 6 7 9 8 0"),
}
# Runs a command, then says how much memory it took at most, in KiB on Linux.
MEASURED = """
import resource, sys
from beliefsearch.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("puzzle", PUZZLES)
def test_a_million_nodes(benchmark: BenchmarkFixture, tmp_path: Path, puzzle: str, form: str) -> None:
    (tmp_path / "cheap.py").write_text(CHEAP)
    words = ["export", *PUZZLES[puzzle], "--no-plan", "--max-nodes", "1000000", "--output", f"graph.{form}"]

    def export() -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-c", MEASURED, *words]
        return subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)

    done = once(benchmark, export)
    assert "1,000,000 nodes" in done.stderr
    assert benchmark.stats is not None
    memory = int(done.stdout.splitlines()[-1]) / 1024
    benchmark.extra_info["MiB"] = memory
    size = (tmp_path / f"graph.{form}").stat().st_size / 2**20
    print(f"\n{puzzle}, {form}: {benchmark.stats.stats.median:.0f} s, {memory:.0f} MiB, a file of {size:.0f} MiB")
