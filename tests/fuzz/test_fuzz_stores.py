"""Directories that hold a search, with a few changes each: the search goes on to its answer, or they are refused."""

from __future__ import annotations

import re
import shutil
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from beliefsearch.cli import main
from beliefsearch.proofs import exhaustion_on_disk
from beliefsearch.running.store.checkpoint import Checkpoint
from beliefsearch.running.store.directory import Store

from ..cli.processes import Result, Starter
from .mutations import Change, changes, mutated
from .trying import assert_ended_well

_TILES = ("run", "sliding-tiles", "--rows", "2", "--cols", "3", "--start", "5 4 3 2 1 0", "--solver")
_WORD = ("run", "reset-word", "--cerny", "6", "--engine")

# Commands, and after how many commits they are killed; 0: they come to an end.
SEARCHES: dict[str, tuple[int, tuple[str, ...]]] = {
    "states": (4, ("explore", "lights-out", "--rows", "3", "--cols", "3")),
    "beliefs": (4, ("explore", "devil", "--n", "4")),
    "explored": (0, ("explore", "lights-out", "--rows", "2", "--cols", "2")),
    "layers": (3, (*_WORD, "compiled", "--solver", "breadth-first")),
    "both ends": (3, (*_WORD, "bits", "--solver", "bidirectional")),
    "backwards": (3, (*_WORD, "compiled", "--solver", "regression")),
    "deeper": (2, (*_WORD, "bits", "--solver", "ida-star")),
    "best first": (3, (*_TILES, "astar")),
    "trials": (3, ("run", "tiger", "--discounted", "0.75", "--engine", "compiled")),
    "answer": (0, ("run", "devil", "--n", "4", "--engine", "naive")),
    "proof": (0, ("prove", "devil", "--n", "3")),
    "listed": (5, ("prove", "robber", "--graph", "complete", "--n", "5", "--cops", "2", "--engine", "compiled")),
}
_OPTIONS = ("--store", "kept", "--resume", "--quiet", "--time-limit", "5", "--memory-limit", "500M")


class Killed(BaseException):
    """Stands for SIGKILL."""


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the stores of all searches, by name."""
    folder = tmp_path_factory.mktemp("stores")
    commit, left = Store.commit, 0

    def commit_and_die(store: Store, *arguments: Any) -> None:
        nonlocal left
        commit(store, *arguments)
        left -= 1
        if left == 0:
            raise Killed

    output = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(output), redirect_stderr(output):
        patch.setattr(Store, "commit", commit_and_die)
        patch.setattr(Checkpoint, "due", lambda checkpoint: True)
        patch.setattr(exhaustion_on_disk, "_PART", 1 << 60)  # a list that has outgrown memory goes on on disk
        for name, (left, words) in SEARCHES.items():  # noqa: B007  # `commit_and_die` counts it down
            place = folder / name
            with suppress(SystemExit, Killed):
                main([*words, "--store", str(place), "--quiet"])
            assert (place / "manifest.json").exists(), output.getvalue()
    return folder


def answer(done: Result) -> str:
    """What a search says, but for what it took; that says how far it had come."""
    return re.sub(r"[\d.,]+ (s|seconds|expanded|generated|reached|trials)\b", "", done.stdout)


def go_on(commands: Starter, words: tuple[str, ...]) -> Result:
    return commands(*words, *_OPTIONS)


@pytest.mark.parametrize("name", SEARCHES)
def test_stores(name: str, stores: Path, bench: Path, commands: Starter, trying: Any) -> None:
    _, words = SEARCHES[name]
    original, kept = stores / name, bench / "kept"

    def copy() -> list[Path]:
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(original, kept)
        return sorted(path for path in kept.rglob("*") if path.is_file() and path.suffix in (".json", ".npy", ".lock"))

    copy()
    unchanged = go_on(commands, words)
    assert unchanged.returncode in (0, 1), unchanged.stderr

    def one(number: int, of_the_manifest: bool, of_values: list[Change], of_bytes: list[Change]) -> None:
        files = copy()
        file = kept / "manifest.json" if of_the_manifest else files[number % len(files)]
        what = of_values if file.suffix == ".json" else of_bytes
        text = mutated(file.read_bytes(), what)
        file.write_bytes(text)
        done = go_on(commands, words)
        line = assert_ended_well(done)
        assert {path.name for path in bench.iterdir()} == {"kept", "machine.txt"}, line
        # All have checksums: what is wrong in them is found out.
        if done.returncode != 2:
            assert answer(done) == answer(unchanged), line

    trying(
        one,
        {
            "number": st.integers(0, 1000),
            "of_the_manifest": st.booleans(),
            "of_values": changes(is_json=True),
            "of_bytes": changes(is_json=False),
        },
    )
