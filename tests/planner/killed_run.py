"""A program that kills commands which keep their search, again and again: what `test_killed.py` starts.

A command is a process that is forked from one that has loaded everything, so that a kill costs milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from beliefsearch.cli import main as beliefsearch
from beliefsearch.engine.compiled import bidirectional as both_ends
from beliefsearch.proofs import exhaustion_on_disk
from beliefsearch.running.store import checkpoint

from ..engine.counting.killed_search import count_calls

COMMANDS = {
    "breadth-first": "run sliding-tiles --start 2,1,3,4,0,8,5,6,7 --solver bfs",
    "breadth-first-arrays": "run reset-word --cerny 19 --solver bfs --engine compiled",
    "both-ends": "run sliding-tiles --start 8,6,7,2,5,4,3,0,1 --solver bidirectional",
    "both-ends-arrays": "run reset-word --cerny 13 --solver regression --engine compiled",
    "bounded": "run reset-word --cerny 24 --solver bidirectional --engine compiled",
    "astar": "run sliding-tiles --start 8,6,7,2,5,4,3,0,1 --solver astar --estimate manhattan",
    "astar-beliefs": "run reset-word --cerny 12 --solver astar --engine compiled --dominance",
    "trials-arrays": "run rock-sample --precision 0.05 --engine compiled",
    "prove": "prove reset-word --cerny 12 --solver bfs --engine compiled",
    "prove-on-disk": "prove reset-word --cerny 10 --solver regression --engine compiled",
}


def command(name: str, place: Path, kept: bool) -> list[str]:
    """The words of a command that writes the file `answer` in this directory, and keeps its search there, too."""
    words = COMMANDS[name].replace(",", " ").split(" ")
    if "--start" in words:
        at = words.index("--start") + 1
        words[at : at + 9] = [" ".join(words[at : at + 9])]
    writes = "--certificate" if words[0] == "prove" else "--output"
    store = ["--store", str(place / "kept"), "--resume"] if kept else []
    return [*words, "--quiet", writes, str(place / "answer"), *store]


def in_a_child(words: list[str], place: Path, seconds: float | None = None, call: int | None = None) -> bool:
    """Do a command in a process, which is killed after some seconds, or before this call that changes a file.

    Returns whether it was killed; without these it says in a file how many calls there were.
    """
    child = os.fork()
    if not child:
        said = os.open(place / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(said, 1)
        os.dup2(said, 2)
        calls = count_calls(call)
        try:
            beliefsearch(words)
        except SystemExit as end:
            sys.stderr.flush()
            (place / "calls").write_text(str(calls[0]))
            os._exit(int(end.code or 0))
        finally:
            os._exit(99)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"{words}: {os.WEXITSTATUS(status)}: {(place / 'said').read_text()}")
    return os.WIFSIGNALED(status)


def answer(place: Path) -> Any:
    """What a command has written, without the seconds; None if it has not come to that."""
    if not (place / "answer").exists():
        return None
    found = json.loads((place / "answer").read_text())
    del found["stats"]["seconds"]
    return found


def main(place: Path, name: str, kills: int, seed: int) -> dict[str, int]:
    """Kill a command so many times, half of them between two changes of files; at its end it begins anew.

    On a busy machine all moments may come before anything is saved, so there are more as long as little was.
    """
    chosen = random.Random(seed)
    whole, killed = place / f"{name}-whole", place / f"{name}-killed"
    for folder in (whole, killed):
        folder.mkdir()
    with suppress(SystemExit):
        beliefsearch([*command(name, whole, kept=False)])  # kernels and modules are loaded now
    began = time.monotonic()
    in_a_child(command(name, whole, kept=True), whole)
    seconds = time.monotonic() - began
    calls = int((whole / "calls").read_text())
    expected = answer(whole)
    done = finished = saved = 0
    while done < kills or (saved <= kills // 5 and done < 20 * kills):
        moment = {"call": chosen.randint(1, calls)} if done % 2 else {"seconds": chosen.uniform(0, seconds)}
        if in_a_child(command(name, killed, kept=True), killed, **moment):
            done += 1
            assert answer(killed) in (None, expected)
            manifest = killed / "kept" / "manifest.json"
            saved += manifest.exists() and json.loads(manifest.read_text())["state"] is not None
        else:
            assert answer(killed) == expected
            finished += 1
            shutil.rmtree(killed)
            killed.mkdir()
    in_a_child(command(name, killed, kept=True), killed)
    assert answer(killed) == expected
    return {"kills": done, "finished": finished, "saved": saved}


if __name__ == "__main__":
    os.fsync = lambda fd: None  # a kill is no power failure
    checkpoint._FIRST = checkpoint._INTERVAL = 0.0
    checkpoint._SHARE = 2.0
    both_ends._LARGE = 1 << 10
    exhaustion_on_disk._PART = 1 << 60
    names = sys.argv[4:]
    print(json.dumps({name: main(Path(sys.argv[1]), name, int(sys.argv[2]), int(sys.argv[3])) for name in names}))
