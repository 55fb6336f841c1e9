"""A program that kills its own search on disk, again and again, and lets it go on: what `test_disk_faults.py` starts.

The search is a process that is forked from one that has loaded everything, so that a kill costs milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from beliefsearch.engine.counting.disk_jobs import Sizes
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Serial
from beliefsearch.errors import StoreError
from beliefsearch.running.store.directory import Store

SUBJECT = {"problem": "ring"}
SIZES = Sizes(piece=150, rows=200, small=50, parts=4)


class Ring:
    """The numbers below `size`, each followed by the next, and by what is three times as large."""

    actions = 2

    def __init__(self, size: int, words: int = 1, bounded: bool = True) -> None:
        self.words, self.size = words, size
        self.bound = size if bounded else None

    def fits(self, codes: Any) -> bool:
        return self.bound is None or bool((codes < self.bound).all())

    def starts(self) -> Any:
        return np.zeros((1, self.words), dtype=np.uint64)

    def successors(self, codes: Any) -> Any:
        return np.concatenate([self.results(codes, action)[0] for action in range(2)])

    def results(self, codes: Any, action: int) -> tuple[Any, Any]:
        numbers = codes[:, -1]
        found = (numbers * np.uint64(3) if action else numbers + np.uint64(1)) % np.uint64(self.size)
        return np.stack([found % np.uint64(7)] * (self.words - 1) + [found], axis=1), np.arange(len(codes))

    def goals(self, codes: Any) -> Any:
        return codes[:, -1] == self.size - 1

    def values(self, codes: Any) -> list[Any]:
        return list(codes[:, -1].tolist())


def finish(layers: DiskLayers) -> None:
    while layers.advance():
        pass


def explore(place: Path, space: Ring) -> list[int]:
    """All layers; goes on with what is in the directory."""
    with Store(place, SUBJECT, resume=True) as store:
        layers = DiskLayers(space, store, Serial(), 2**24, sizes=SIZES)
        finish(layers)
        return layers.counts


_CALLS = ("open", "replace", "unlink", "fsync", "mkdir")


def count_calls(die_at: int | None) -> list[int]:
    """Count from now on the calls to the system that change files, and die just before one of them."""
    calls = [0]

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*arguments: Any, **options: Any) -> Any:
            calls[0] += 1
            if calls[0] == die_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **options)

        return instead

    for name in _CALLS:
        setattr(os, name, counted(getattr(os, name)))
    return calls


def in_a_child(work: Callable[[], object], seconds: float | None = None) -> bool:
    """Do some work in a process that is killed after some seconds; whether it was killed."""
    child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit("the search failed")
    return os.WIFSIGNALED(status)


def kill(place: Path, space: Ring, kills: int, chosen: random.Random) -> dict[str, Any]:
    """Kill a search so many times, half of them between two calls to the system and half at random moments."""
    expected = explore(place / "whole", space)  # which loads kernels

    def calls() -> None:
        counted, began = count_calls(None), time.monotonic()
        explore(place / "counted", space)
        (place / "calls").write_text(json.dumps([counted[0], time.monotonic() - began]))

    in_a_child(calls)
    most, seconds = json.loads((place / "calls").read_text())
    done = whole = layers = 0
    while done < kills:
        if done % 2:
            killed = in_a_child(lambda: explore(place / "killed", space), chosen.uniform(0, seconds / 2))
        else:
            at = chosen.randrange(1, most // 2)
            killed = in_a_child(lambda at=at: (count_calls(at), explore(place / "killed", space)))  # type: ignore[misc]
        done += killed
        if not killed:
            assert explore(place / "killed", space) == expected
            shutil.rmtree(place / "killed")
            whole += 1
            continue
        try:
            with Store(place / "killed", SUBJECT, resume=True) as store:
                counts = [1] if store.state is None else store.state["counts"]
        except StoreError as error:
            raise SystemExit(f"after {done} kills: {error}") from error
        assert counts == expected[: len(counts)]
        layers += len(counts)
    assert explore(place / "killed", space) == expected
    return {"kills": done, "finished": whole, "layers": layers, "counts": expected}


def main(place: Path, size: int, kills: int, seed: int) -> None:
    """Kill searches with sorted runs, and with bits; write what came of them as JSON."""
    found = []
    for words, bounded in ((1, True), (2, False)):
        (place / str(words)).mkdir()
        found.append(kill(place / str(words), Ring(size, words, bounded), kills, random.Random(seed)))
    print(json.dumps(found))


if __name__ == "__main__":
    os.fsync = lambda fd: None  # a kill is no power failure
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
