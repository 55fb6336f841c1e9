"""The soak: searches, proofs and checks in one process, round after round, each with problems of its own.

`python -m tests.soak.rounds SECONDS` prints a line for each round: seconds since the start, resident bytes.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil

from beliefsearch.cli import main
from tests.field_files import POMDP, PRISM


class Round(NamedTuple):
    """How it stood at the end of a round."""

    seconds: float
    resident: int
    """Bytes."""


def growth(rounds: list[Round]) -> tuple[int, int]:
    """Resident bytes in the second quarter of the rounds and in the last one, each the median.

    The first quarter warms up: modules and kernels are loaded, and caches of a fixed size filled.
    """
    quarter = len(rounds) // 4
    second, last = rounds[quarter : 2 * quarter], rounds[-quarter:]
    return int(median(end.resident for end in second)), int(median(end.resident for end in last))


def most_allowed(before: int) -> int:
    """What may be resident at the end: 3 % more than before, and 4 MiB, which the allocator may have kept."""
    return before + before * 3 // 100 + (4 << 20)


def command(expected: int | tuple[int, ...], *words: object) -> None:
    """Run a command in this process, which ends with this code, or one of these."""
    output = StringIO()
    code: object = None
    with redirect_stdout(output), redirect_stderr(output):
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
    if code not in (expected if isinstance(expected, tuple) else (expected,)):
        raise AssertionError(f"{words}: exit code {code}, not {expected}\n{output.getvalue()}")


def searches(number: int) -> None:
    """Each kind of problem and most solvers; of a size, but never the same twice where there is a seed."""
    size = 9 + number % 4
    for solver in ("breadth-first", "a-star", "bidirectional"):
        command(
            (0, 1), "run", "reset-word", "--random", size, "--seed", number, "--solver", solver, "--output", "word.json"
        )
    command(0, "run", "reset-word", "--cerny", 14, "--engine", "compiled", "--output", "word.json")
    command(0, "verify", "word.json")
    command(0, "run", "sliding-tiles", "--rows", 2, "--cols", 3, "--start", "5 4 3 2 1 0", "--output", "tiles.json")
    command(0, "verify", "tiles.json")
    command(0, "run", "wumpus", "--output", "cave.json")
    command(0, "verify", "cave.json")
    command(0, "show", "wumpus", "--plan", "cave.json")
    command(0, "run", "gambler", "--goal", 20 + number % 30, "--capital", 10, "--output", "policy.json")
    command(0, "verify", "policy.json")
    command(0, "simulate", "gambler", "--goal", 50, "--capital", 25, "--games", 20, "--seed", number)


def proofs(number: int) -> None:
    """Certificates of several kinds, found and checked."""
    seeded = ("reset-word", "--random", 6 + number % 3, "--seed", number)
    command((0, 1), "prove", *seeded, "--certificate", "exhaustion.json")
    command(0, "verify", "exhaustion.json")
    command(1, "prove", "devil", "--n", 3, "--certificate", "devil.json")
    command(0, "verify", "devil.json")
    command(0, "prove", "counterfeit-coin", "--coins", 4, "--reference", 1, "--certificate", "coins.json")
    command(0, "verify", "coins.json")
    command(0, "run", "tiger", "--certificate", "tiger.json")
    command(0, "verify", "tiger.json")


def explorations(number: int) -> None:
    """Layers in memory and on disk, of states and of beliefs; and a search that is kept, and asked for again."""
    command(0, "explore", "lights-out", "--rows", 3, "--cols", 3)
    command(0, "explore", "reset-word", "--random", 8, "--seed", number)
    command(0, "explore", "devil", "--n", 4, "--backward")
    kept = ("nine-tails", "--start", "HTHTHHTTH", "--store", "kept")
    command(0, "explore", *kept)
    command(0, "explore", *kept, "--resume")
    shutil.rmtree("kept")
    command(0, "run", *kept)
    command(0, "run", *kept, "--resume")
    shutil.rmtree("kept")


def files(number: int) -> None:
    """What is read and written besides: files of the field, graphs, pages, rules."""
    Path("weather.pomdp").write_text(POMDP.replace("-2.5", f"-{number}.5"), encoding="utf-8")
    Path("robot.nm").write_text(PRISM.replace("0.1;", f"0.{number + 1:04};"), encoding="utf-8")
    command(0, "run", "weather.pomdp")
    command(0, "run", "robot.nm", "--safe-label", "notbad")
    command(0, "export", "devil", "--n", 4, "--output", "page.html")
    command(0, "export", "lost-robot", "--rows", 3, "--cols", 3, "--output", "graph.graphml")
    command(0, "check", "vacuum", "--states", 200)


def soak(seconds: float) -> Iterator[Round]:
    """Round after round until the time is over, in the current folder, and at least eight rounds."""
    process, begin, number = psutil.Process(), time.monotonic(), 0
    parts: tuple[Callable[[int], None], ...] = (searches, proofs, explorations, files)
    while number < 8 or time.monotonic() - begin < seconds:
        for part in parts:
            part(number)
        number += 1
        yield Round(time.monotonic() - begin, process.memory_info().rss)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for end in soak(float(sys.argv[1])):
            print(f"{end.seconds:.1f} {end.resident}", flush=True)
        os.chdir("/")
