"""Planning files against what is published; run with `--benchmark-only -s`, one process at a time.

The folder that `BELIEFSEARCH_PDDL` names holds families of conformant files, a folder each, and `expected.json`: by
family and name the length of T0's plan and the least one, as far as they are known. Only a plan shorter than the least
is an error. The folder that `BELIEFSEARCH_FOND` names holds domains whose state is seen, a folder each with the domain
and problems.

Each file may take `PDDL_SECONDS` of processor time, 20 by default, and is then interrupted as by Ctrl-C, which gives
the best plan found; `PDDL_FILES` may be a regular expression for some files only. It prints a row for each file, and
those of the tables in `docs/figures.md`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen
from pytest_benchmark.fixture import BenchmarkFixture

from .measuring import once

FOLDER = Path(
    os.environ.get("BELIEFSEARCH_PDDL") or Path(__file__).parents[3] / "shared" / "benchmarks" / "pddl" / "conformant"
)
FOND = Path(os.environ.get("BELIEFSEARCH_FOND", "none"))
SECONDS = int(os.environ.get("PDDL_SECONDS", "20"))
ONLY = os.environ.get("PDDL_FILES", "")
# Runs a command, which hears the end of its processor time as it hears Ctrl-C.
INTERRUPTED = """
import resource, signal, sys
from beliefsearch.cli import main
signal.signal(signal.SIGXCPU, lambda *_: signal.raise_signal(signal.SIGINT))
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), 2 * int(sys.argv[1])))
main(sys.argv[2:])
"""


@frozen
class Row:
    """A file, what was found, and what is known of it."""

    family: str
    name: str
    seconds: float
    found: dict[str, Any] = field(factory=dict)
    known: dict[str, Any] = field(factory=dict)

    @property
    def cost(self) -> int | None:
        return self.found.get("cost")

    @property
    def published(self) -> int | None:
        """The length of T0's plan."""
        return self.known.get("t0_plan")

    @property
    def is_proved(self) -> bool:
        """Whether the least cost is proved, or that there is no plan."""
        return bool(self.found.get("optimal")) or self.found.get("status") == "unsolvable"

    @property
    def is_longer(self) -> bool:
        """Whether T0 found a plan, and none as short was found here."""
        return self.published is not None and (self.cost is None or self.cost > self.published)

    def __str__(self) -> str:
        bound = "proved" if self.is_proved else f"at least {self.found.get('lower_bound', '?')}"
        least = "none" if self.known.get("unsolvable") else self.known.get("optimum")
        ours = self.cost if self.cost is not None else self.found.get("status", "stopped")
        return f"{self.family}/{self.name}: {ours}, {bound}; T0 {self.published}, least {least}; {self.seconds:.1f} s"


def files() -> Iterator[tuple[str, str, Path]]:
    """Yield family, name, and the file with the problem."""
    for folder in sorted(FOLDER.glob("*/*/")):
        if not re.search(ONLY, f"{folder.parent.name}/{folder.name}"):
            continue
        for path in sorted(folder.glob("*.pddl")):
            if re.search(r"\(\s*define\s*\(\s*problem", path.read_text(errors="replace"), re.IGNORECASE):
                yield folder.parent.name, folder.name, path


def measured(family: str, name: str, path: Path, known: dict[str, Any], *options: str) -> Row:
    line = [sys.executable, "-c", INTERRUPTED, str(SECONDS), "run", str(path), "--quiet", "--format", "json", *options]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Row(family, name, seconds, json.loads(done.stdout or "{}"), known)


def table(rows: list[Row]) -> Iterator[str]:
    """Yield the table by family: files, plans, those against T0, what is proved, and processor seconds."""
    yield "| family | files | decided | as short as T0 | proved | seconds |"
    yield "|---|---|---|---|---|---|"
    for family in [*dict.fromkeys(row.family for row in rows), None]:
        ours = [row for row in rows if family in (row.family, None)]
        decided = sum(row.cost is not None or row.is_proved for row in ours)
        against = [row for row in ours if row.published is not None]
        as_short = f"{sum(not row.is_longer for row in against)} of {len(against)}"
        proved = sum(row.is_proved for row in ours)
        seconds = sum(row.seconds for row in ours)
        yield f"| {family or 'all'} | {len(ours)} | {decided} | {as_short} | {proved} | {seconds:.0f} |"


def test_conformant_files_against_the_published(benchmark: BenchmarkFixture) -> None:
    if not FOLDER.is_dir():
        pytest.skip("BELIEFSEARCH_PDDL names no folder of planning files")
    expected = json.loads((FOLDER / "expected.json").read_text())

    def run_all() -> list[Row]:
        rows = []
        for family, name, path in files():
            rows.append(measured(family, name, path, expected.get(f"{family}/{name}", {})))
            print(rows[-1], flush=True)
        return rows

    print()
    rows = once(benchmark, run_all)
    print("\n".join(table(rows)))
    for row in rows:
        least = row.known.get("optimum")
        assert row.cost is None or least is None or row.cost >= least


def test_strong_cyclic_plans_of_files_whose_state_is_seen(benchmark: BenchmarkFixture) -> None:
    if not FOND.is_dir():
        pytest.skip("BELIEFSEARCH_FOND names no folder of nondeterministic planning files")
    paths = [path for path in sorted(FOND.glob("*/*.pddl")) if path.stem != "domain"]

    def run_all() -> list[Row]:
        print("\n| file | verdict | steps | seconds |\n|---|---|---|---|")
        rows = []
        for path in paths:
            family, name = path.parent.name, path.stem
            if re.search(ONLY, f"{family}/{name}"):
                row = measured(family, name, path, {}, "--seen", "--objective", "almost-sure")
                verdict = row.found.get("status", "stopped")
                if row.found.get("plan"):
                    verdict = "strong cyclic" if row.cost is None else f"strong, at most {row.cost}"
                steps = sum("action" in node for node in (row.found.get("plan") or {"nodes": []})["nodes"])
                print(f"| {family}/{name} | {verdict} | {steps} | {row.seconds:.1f} |", flush=True)
                rows.append(row)
        return rows

    assert once(benchmark, run_all)
