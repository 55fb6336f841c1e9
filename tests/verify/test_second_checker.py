"""The second checker refuses the same tables that are not as the format says, also in parts that prove nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.verify import checker

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
GRAPH = {"kind": "graph", "unit": 1, "nodes": [[0, [0], [2]], [0, [None], [None]]]}
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
        (GAME, {**GRAPH, "nodes": [GRAPH["nodes"][0], [0, [2], [None]]]}, False),  # type: ignore[index]
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
