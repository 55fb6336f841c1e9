"""The second checker refuses the same tables: what does not hold, and what is not as the format says."""

from __future__ import annotations

import json
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


def refused_by_both(tmp_path: Path, cases: list[tuple[str, str]]) -> tuple[list[bool], list[bool]]:
    """Whether each pair of texts of a game and a certificate is refused, by the first checker and by the second."""
    ours = []
    for number, texts in enumerate(cases):
        paths = [tmp_path / f"{number}.{part}.json" for part in ("game", "certificate")]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        try:
            checker.check(*(checker.read_json(str(path)) for path in paths))
        except (checker.WrongError, checker.UnreadableError):
            ours.append(True)
        else:
            ours.append(False)
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases))
    says = subprocess.run(["node", "-e", _REFUSED, str(SCRIPT), str(path)], capture_output=True, text=True, check=True)
    return ours, json.loads(says.stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_it_knows_every_condition(tmp_path: Path) -> None:
    cases = [(json.dumps(game), json.dumps(tables)) for game, tables in every_case()]
    ours, theirs = refused_by_both(tmp_path, cases)
    assert [case for case, one, other in zip(cases, ours, theirs, strict=True) if one != other] == []
    assert 0 < sum(ours) < len(ours)


_TEXTS = {
    '"unit": 1': [
        *('"unit": 01', '"unit": 1.0', '"unit": 1e0', '"unit": +1', '"unit": true', '"unit": "1"', '"unit": "1/1"'),
        *(
            '"unit": 1, "unit": 1',
            '"unit": 1, "unti": 1',
            '"unit": 1, "": 0',
            '"unit": {"": 0}',
            '"unit": NaN',
            '"unit":',
        ),
        *(f'"unit": {"0" * 20}1', f'"unit": {"9" * 20_001}', f'"unit": {2**4096}', '"unit": -1', '"unit": null'),
        *(f'"unit": {"[" * 100_000}', '"unit": 1, "__proto__": {}', r'"unit": 1, "\u0075nit": 2', '"unit": [1]'),
    ],
    '"seen": false': ['"seen": 0', '"seen": null', '"seen": false, "seen": true', '"sEen": false'],
    '"start": [[0, 1]]': [
        *('"start": [[-0, 1]]', '"start": [[0, "2/2"]]', '"start": [[0, "1/00"]]', '"start": [[0, "1/01"]]'),
        *('"start": [[0, "\u0661/2"]]', '"start": [[0, " 1/2"]]', '"start": [[0, "1/2\\n"]]', '"start": [[false, 1]]'),
        *('"start": [[0.0, 1]]', '"start": [[0, 1, 0]]', '"start": {"0": 1}', f'"start": [[0, "1/{"9" * 20_000}"]]'),
    ],
}
"""By a part of the texts of a game and a table what may stand in its place: tricks of JSON and of numbers."""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_both_read_odd_texts_alike(tmp_path: Path) -> None:
    texts = json.dumps(GAME), json.dumps({"format": "beliefsearch-certificate", "version": 1, "tables": [PLANES]})
    cases = [
        (texts[0].replace(part, other), texts[1].replace(part, other))
        for part, others in _TEXTS.items()
        for other in (part, *others)
    ]
    ours, theirs = refused_by_both(tmp_path, cases)
    differ = [case for case, one, other in zip(cases, ours, theirs, strict=True) if one != other]
    assert [(game[-300:][:300], table[:300]) for game, table in differ] == []
    assert 3 <= ours.count(False) < 8
