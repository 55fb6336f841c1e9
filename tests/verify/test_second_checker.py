"""The second checker refuses the same tables: what does not hold, and what is not as the format says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.verify import checker

from .test_checker_conditions import every_case

SCRIPT = Path(str(checker.__file__)).with_suffix(".js")
GAME: dict[str, Any] = {
    "format": "beliefsearch-game",
    "version": 1,
    "kind": "chance",
    "states": 1,
    "percepts": 1,
    "seen": False,
    "discount": "1/2",
    "start": [[0, 1]],
    "start_value": 0,
    "actions": [[[1, 1, 0, 0, 1]]],
}
SEEN = {**GAME, "seen": True}
VALUES = {"kind": "values", "high": [2], "low": [2], "policy": [0]}
GRAPH: dict[str, Any] = {"kind": "graph", "unit": 1, "nodes": [[0, [0], [2]], [0, [None], [None]]]}
PLANES = {"kind": "planes", "unit": 1, "planes": [[2]], "points": [[[[0, 1]], 2, [[0, 0, -2]]]]}


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize(
    ("game", "table", "holds"),
    [
        (SEEN, VALUES, True),
        (SEEN, {**VALUES, "ranks": 0}, False),
        (SEEN, {**VALUES, "ranks": None}, False),
        (GAME, GRAPH, True),
        (GAME, {**GRAPH, "left": None}, False),
        (GAME, {**GRAPH, "left": [1, 1]}, False),
        (GAME, {**GRAPH, "nodes": [[0, [None], [1]]], "left": [1]}, True),
        (GAME, {**GRAPH, "ranks": False}, False),
        (GAME, {**GRAPH, "nodes": [GRAPH["nodes"][0], [0, [2], [None]]]}, False),
        (GAME, {**GRAPH, "nodes": [[0, [0], [2], 5]]}, False),
        (GAME, PLANES, True),
        (GAME, {**PLANES, "points": [[[[0, 1]], 2, [[0, None, -2]]]]}, False),
        (GAME, {**PLANES, "points": [[[[0, 1]], 2, [[0, 0, [1, 1]]]]]}, False),
        (GAME, {**PLANES, "points": [[[[0, 1]], 2, [[0, 0, -1]]]]}, False),
        (GAME, {**PLANES, "points": [[[[0, 1, 1]], 2, []]]}, False),
    ],
)
def test_both_say_the_same(tmp_path: Path, game: Any, table: Any, holds: bool) -> None:
    files = tmp_path / "game.json", tmp_path / "certificate.json"
    certificate = {"format": "beliefsearch-certificate", "version": 1, "tables": [table]}
    for path, data in zip(files, (game, certificate), strict=True):
        path.write_text(json.dumps(data))
    assert (checker.main([str(path) for path in files]) == 0) == holds
    says = subprocess.run(["node", str(SCRIPT), *map(str, files)], capture_output=True, text=True, check=False)
    assert (says.returncode == 0) == holds, says.stdout


_REFUSED = """
const { check } = require(process.argv[1]);
const cases = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
console.log(JSON.stringify(cases.map(([game, tables]) => {
  try { check(game, tables); return false; } catch (error) { return true; }
})));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_it_knows_every_condition(tmp_path: Path) -> None:
    """Only fields that it does not know are all one to it, and limits of numbers it has of its own."""
    cases, ours = list(every_case()), []
    for game, tables in cases:
        try:
            checker.check(game, tables)
        except (checker.WrongError, checker.UnreadableError) as error:
            ours.append(str(error))
        else:
            ours.append("")
    path = tmp_path / "cases.json"
    path.write_text(json.dumps([[json.dumps(part) for part in case] for case in cases]))
    says = subprocess.run(["node", "-e", _REFUSED, str(SCRIPT), str(path)], capture_output=True, text=True, check=True)
    passed = [error for error, refused in zip(ours, json.loads(says.stdout), strict=True) if error and not refused]
    assert [error for error in passed if "unknown field" not in error and "no number below 2^" not in error] == []
    stopped = [
        case for case, error, refused in zip(cases, ours, json.loads(says.stdout), strict=True) if refused > bool(error)
    ]
    assert all(max(map(len, re.findall(r"\d+", json.dumps(case)))) >= 13 for case in stopped)
