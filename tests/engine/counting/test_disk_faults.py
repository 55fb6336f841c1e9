"""Faults of a search on disk: killed at any moment, no space left for a while. The counts stay what they are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.engine.counting.disk_jobs import Sizes
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Serial
from beliefsearch.errors import StoreError
from beliefsearch.running.limits import LimitReached
from beliefsearch.running.store.directory import Store

from . import killed_search
from .killed_search import SIZES, SUBJECT, Ring, explore, finish
from .test_on_disk import ring

KINDS = [(1, "bounded"), (2, "unbounded")]


def kill(place: Path, size: int, kills: int, seed: int) -> list[dict[str, Any]]:
    command = [sys.executable, killed_search.__file__, str(place), str(size), str(kills), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    searches: list[dict[str, Any]] = json.loads(done.stdout)
    for found in searches:
        assert found["counts"] == ring(size)
        assert found["kills"] == kills
    return searches


def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    kill(tmp_path, 503, 3, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
def test_killed_a_hundred_times(tmp_path: Path, seed: int) -> None:
    for found in kill(tmp_path, 2_003, 100, seed):
        assert found["layers"] > 2 * 100  # it was not always killed at the beginning


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of some pages in memory."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(place)]
    try:
        refused = subprocess.run(mounted, capture_output=True).returncode
    except FileNotFoundError:
        refused = 1
    if refused:
        pytest.skip("only root may mount a disk")
    yield place
    subprocess.run(["umount", str(place)], check=True)


@pytest.mark.parametrize(("words", "bounded"), KINDS)
def test_a_full_disk_stops_the_search_until_there_is_space(small_disk: Path, words: int, bounded: str) -> None:
    space = Ring(2_003, words, bounded == "bounded")
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(240_000))
    stops = []
    while ballast.stat().st_size:
        with Store(small_disk / "kept", SUBJECT, resume=True) as store:
            try:
                finish(DiskLayers(space, store, Serial(), 2**24, sizes=SIZES))
                break
            except LimitReached as stop:
                reason = str(stop)
            assert "there is no space left" in reason
            counts = [] if store.state is None else store.state["counts"]
            assert counts == ring(2_003)[: len(counts)]
            stops.append(len(counts))
        with ballast.open("rb+") as file:
            file.truncate(max(ballast.stat().st_size - 8_192, 0))
    assert len(set(stops)) > 2
    assert explore(small_disk / "kept", space) == ring(2_003)


def test_files_that_may_not_grow_stop_the_search(tmp_path: Path) -> None:
    """The same error from the system, where no disk can be mounted."""
    space = Ring(2_003, 2, False)
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store(tmp_path, SUBJECT, resume=True) as store:
        layers = DiskLayers(space, store, Serial(), 2**24, sizes=SIZES)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_500, before[1]))
        try:
            with pytest.raises(LimitReached, match="there is no space left"):
                finish(layers)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        done = list(layers.counts)
        finish(layers)  # also without leaving the program
        assert layers.counts == ring(2_003)
    assert 3 < len(done) < len(ring(2_003))


def begun(place: Path, folder: str) -> Ring:
    """Search until the store holds files of one kind; returns what is searched."""
    bounded = folder in ("bits", "parts")
    space = Ring(2_003, 1 if bounded else 2, bounded)
    with Store(place, SUBJECT, resume=True) as store:
        layers = DiskLayers(space, store, Serial(), 2**24, sizes=Sizes(10, 10, 1, 2) if bounded else SIZES)
        while not (place / folder).exists() or not any((place / folder).iterdir()):
            assert layers.advance()
    return space


@pytest.mark.parametrize("folder", ["layers", "runs", "bits", "parts"])
def test_a_damaged_file_is_named(tmp_path: Path, folder: str) -> None:
    space = begun(tmp_path, folder)
    file = min((tmp_path / folder).iterdir())
    whole = file.read_bytes()
    half = len(whole) - 10
    turned = whole[:half] + bytes([whole[half] ^ 8]) + whole[half + 1 :]
    for damaged in (whole[:half], whole[:-8], turned, b"", None):
        file.unlink(missing_ok=True)
        if damaged is not None:
            file.write_bytes(damaged)
        with pytest.raises(StoreError, match=rf"{folder}/{re.escape(file.name)}.*(damaged|lacking)"):
            explore(tmp_path, space)
    file.write_bytes(whole)
    assert explore(tmp_path, space) == ring(2_003)


def test_a_file_that_is_cut_while_the_search_runs_is_named(tmp_path: Path) -> None:
    space = Ring(2_003, 2, False)
    with Store(tmp_path, SUBJECT, resume=True) as store:
        layers = DiskLayers(space, store, Serial(), 2**24, sizes=SIZES)
        while len(layers.counts) < 12:
            layers.advance()
        for file in (tmp_path / "layers").iterdir():
            file.write_bytes(file.read_bytes()[:-30])
        with pytest.raises(StoreError, match=r"layers/.*damaged"):
            layers.advance()
        assert store.state is not None
        assert store.state["counts"] == ring(2_003)[:12]
