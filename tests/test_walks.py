"""Call chain in docs/architecture.md: a command comes to every file in the list, in that order."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "beliefsearch"
SECTION = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## The way down\n")[2]

TRACE = """
import json, sys
from beliefsearch.cli import main

root, *words = sys.argv[1:]
way = [""]

def hear(frame, event, _):
    # Quickly: the alarm's own steps are heard as well, and it comes many times a second.
    file = frame.f_code.co_filename
    if event == "call" and file != way[-1] and file.startswith(root):
        way.append(file)

sys.setprofile(hear)
try:
    main(words)
except SystemExit:
    pass
finally:
    sys.setprofile(None)
    print(json.dumps([file[len(root):] for file in way[1:]]), file=sys.stderr)
"""


def files_called(*words: str) -> list[str]:
    """Return the files of the package whose functions a command calls, one after the other."""
    # In a process of its own, where nothing else is going on that could be heard.
    line = [sys.executable, "-c", TRACE, f"{PACKAGE}{os.sep}", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)
    way: list[str] = json.loads(done.stderr.splitlines()[-1])
    return way


def test_the_way_down() -> None:
    stations = re.findall(r"^\d+\. `([\w/]+\.py)`", SECTION.partition("\n## ")[0], re.MULTILINE)
    assert len(stations) == 10
    way = iter(files_called("run", "vacuum", "--quiet"))
    assert [station for station in stations if station not in way] == []  # each is looked for after the one before
