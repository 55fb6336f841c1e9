"""The files that `verify` loads for each kind of claim, as docs/proofs.md tells them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import solve, verify
from beliefsearch.graph import winning_region
from beliefsearch.plans.encoding import number_to_json
from beliefsearch.plans.plan_writer import plan_document
from beliefsearch.plans.winning_region import region_plan
from beliefsearch.proofs.prove import prove
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.mastermind import MastermindProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

FOLDER = Path(str(verify.__file__)).parent
TEXT = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text(encoding="utf-8")
COMMON = {"__init__", "file", "answer", "verdict", "checker", "asked_game", "numbered", "sequence"}

Document = dict[str, Any]


def _plan(name: str, problem: Any, **options: Any) -> Document:
    return plan_document(solve(problem), problem, name=name, parameters=options)


def _proof(name: str, problem: Any, objective: str = "worst", **options: Any) -> Document:
    found: Any = prove(problem, solve(problem, objective=objective))
    return dict(found.document(name=name, parameters=options))


def _region() -> Document:
    problem = VacuumProblem(sensing="local", variant="slippery")
    region = winning_region(problem)
    options = {"sensing": "local", "variant": "slippery"}
    return {
        "version": 1,
        "problem": "vacuum",
        "parameters": options,
        "plan": region_plan(region, problem),
        "status": "solved",
    }


SMALL: dict[str, Any] = {"pegs": 2, "colours": 3}
SAMPLES: dict[str, Callable[[], Document]] = {
    "a sequence": lambda: _plan("devil", DevilProblem(n=2), n=2),
    "a conditional plan": lambda: _plan("vacuum", VacuumProblem(sensing="local"), sensing="local"),
    "a winning region": _region,
    "a policy": lambda: _plan("gambler", GamblerProblem(goal=10, capital=5), goal=10, capital=5),
    "a policy graph with bounds": lambda: _proof("tiger", TigerProblem()),
    "a table of a proof": lambda: _proof("devil", DevilProblem(n=2), n=2),
    "an information bound": lambda: _proof("mastermind", MastermindProblem(**SMALL), **SMALL),
}
"""By the kind of claim a file that makes one; each imports what it needs in a process of its own."""

_LOADED = """
import json, sys
from beliefsearch import verify_file
assert verify_file(sys.argv[1]).holds
files = [[name, getattr(module, "__file__", None)] for name, module in sys.modules.items()]
print(json.dumps([[name, file] for name, file in files if file]))
"""


def rows() -> dict[str, tuple[set[str], int, set[str]]]:
    """By kind of claim what the page says: files beside the common ones, lines at the most, and libraries."""
    table = re.findall(r"^\| (an? [^|]+) \| ([^|]*) \| ([\d,]+) \|([^|]*)\|$", TEXT, re.MULTILINE)
    return {
        name: (set(re.findall(r"`(\w+)`", files)), int(lines.replace(",", "")), set(re.findall(r"\w+", libraries)))
        for name, files, lines, libraries in table
    }


def test_the_page_names_every_kind() -> None:
    assert rows().keys() == {*SAMPLES, "a listed game"}
    assert set(re.findall(r"`(\w+)`", TEXT.partition("All of these load")[2].partition(".")[0])) == COMMON - {
        "__init__"
    }


@pytest.mark.parametrize("kind", SAMPLES)
def test_what_is_loaded_is_what_the_page_says(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(SAMPLES[kind](), default=number_to_json))
    said = subprocess.run(
        [sys.executable, "-c", _LOADED, str(path)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    modules = {name: Path(file) for name, file in json.loads(said.stdout)}
    loaded = {file for name, file in modules.items() if file.parent == FOLDER}
    files, most, libraries = rows()[kind]
    assert {file.stem for file in loaded} - COMMON == files
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in loaded)
    assert most - 200 < lines <= most
    assert {name for name in ("attr", "numpy", "scipy", "numba", "networkx") if name in modules} == libraries


def test_a_listed_game_is_checked_by_one_file() -> None:
    files, most, libraries = rows()["a listed game"]
    lines = len((FOLDER / "checker.py").read_text(encoding="utf-8").splitlines())
    assert (files, lines <= most, libraries) == ({"checker"}, True, set())


def test_the_page_tells_the_size_of_the_folder() -> None:
    told = re.search(r"at most ([\d,]+) lines of Python, and `checker.js` at most ([\d,]+)", TEXT)
    assert told is not None
    lines, script = (int(number.replace(",", "")) for number in told.groups())
    sizes = [len(file.read_text(encoding="utf-8").splitlines()) for file in FOLDER.glob("*.py")]
    assert lines - 150 < sum(sizes) <= lines
    assert script - 50 < len((FOLDER / "checker.js").read_text(encoding="utf-8").splitlines()) <= script
