"""The three walks of docs/architecture.md: every station is come to, and in the order in which it is listed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "beliefsearch"
SECTION = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Three walks\n")[2]
TOLD = re.split(r"^\*\*.*\*\*$", SECTION.partition("\n## ")[0], flags=re.MULTILINE)[1:]

Station = tuple[str, str]


def stations(walk: str) -> list[list[Station]]:
    """By line of the table: its file with each function that is named beside it, classes left out."""
    rows = re.findall(r"^\| \d+ \| `([\w/]+\.py)`((?:,? `\w+`)*)", walk, re.MULTILINE)
    return [[(file, name) for name in re.findall(r"`([a-z_]\w*)`", names)] for file, names in rows]


TRACE = """
import json, sys
from itertools import groupby
from traceback import walk_stack
from beliefsearch.cli import main

root, *words = sys.argv[1:]
turns, way = {}, []

def hear(frame, event, _):
    # Quickly: the alarm's own steps are heard as well, and it comes many times a second.
    if event != "call":
        return
    file, name = frame.f_code.co_filename, frame.f_code.co_name
    if file.startswith(root):
        turns.setdefault((file[len(root):], name), len(turns))
    elif name == "results" and not way:
        files = (above.f_code.co_filename for above, _ in walk_stack(frame.f_back))
        way.extend(one[len(root):] for one, _ in groupby(one for one in files if one.startswith(root)))

sys.setprofile(hear)
try:
    main(words)
except SystemExit:
    pass
finally:
    sys.setprofile(None)
    print(json.dumps([list(turns), way]), file=sys.stderr)
"""


def follow(*words: str) -> tuple[dict[Station, int], list[str]]:
    """The functions of the package that a command calls, by their first turn; and the files on the way to `results`."""
    # In a process of its own, where nothing else is going on that could be heard.
    line = [sys.executable, "-c", TRACE, f"{PACKAGE}{os.sep}", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    calls, way = json.loads(done.stderr.splitlines()[-1])
    return {(file, name): turn for turn, (file, name) in enumerate(calls)}, way


def test_the_three_walks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    running, way = follow("run", "vacuum", "--output", "plan.json", "--quiet")
    verifying, way_of_verify = follow("verify", "plan.json")
    _, contingent_way = follow("run", "vacuum", "--sensing", "local", "--quiet")
    problem, belief, plan_file = map(stations, TOLD)
    assert [len(walk) for walk in (problem, belief, plan_file)] == [19, 9, 13]
    places = [running[row[0]] for row in problem if row]
    assert places == sorted(places)
    met = {*running, *verifying}
    assert [
        station for walk in (problem, belief, plan_file) for row in walk for station in row if station not in met
    ] == []
    assert [running[row[0]] for row in plan_file[:4]] == sorted(running[row[0]] for row in plan_file[:4])
    assert [verifying[row[0]] for row in plan_file[4:11]] == sorted(verifying[row[0]] for row in plan_file[4:11])
    # Files that are being carried out twice at a time, besides those that the page names there are none.
    twice = {file for one in (way, contingent_way, way_of_verify) for file, count in Counter(one).items() if count > 1}
    told = TOLD[-1].partition("most files are passed once.")[2].partition("\n\n")[0]
    assert twice == {*re.findall(r"`([\w/]+\.py)`", told), "engine/bits/contingent.py"}
