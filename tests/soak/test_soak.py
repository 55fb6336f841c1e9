"""Whether a process that searches, proves and checks for long grows; `--soak-seconds 3600` takes an hour."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .rounds import Round, growth, most_allowed

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_memory_stays_flat(request: pytest.FixtureRequest) -> None:
    seconds = request.config.getoption("--soak-seconds")
    line = [sys.executable, "-m", "tests.soak.rounds", str(seconds)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=2 * seconds + 600, check=False)
    assert done.returncode == 0, done.stderr
    ends = [Round(float(time), int(resident)) for time, resident in map(str.split, done.stdout.splitlines())]
    before, after = growth(ends)
    print(f"{len(ends)} rounds in {ends[-1].seconds:.0f} s: {before >> 20} MiB, then {after >> 20} MiB")
    assert after <= most_allowed(before), done.stdout


def test_what_grows_is_told_apart() -> None:
    flat = [Round(float(number), (200 << 20) + number % 3 * 4096) for number in range(40)]
    growing = [Round(end.seconds, end.resident + number * (1 << 20)) for number, end in enumerate(flat)]
    warming = [Round(end.seconds, end.resident >> 1) if number < 5 else end for number, end in enumerate(flat)]
    for rounds, is_flat in ((flat, True), (growing, False), (warming, True)):
        before, after = growth(rounds)
        assert (after <= most_allowed(before)) == is_flat
