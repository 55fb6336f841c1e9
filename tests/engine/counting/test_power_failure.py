"""The power fails while a search is written to the disk: at every moment its last commit is there."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

from beliefsearch.engine.counting.disk_jobs import Sizes
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Serial
from beliefsearch.errors import StoreError
from beliefsearch.running.store import directory as store_module
from beliefsearch.running.store.directory import Store

from ...examples import thorough
from ...running.power import after_failure, recorded
from .killed_search import SUBJECT, Ring

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="which file is written is asked of /proc")
SIZES = Sizes(piece=20, rows=30, small=10, parts=2)


@pytest.mark.parametrize(("words", "bounded"), [thorough(1, True), (2, False)])
def test_the_last_commit_survives_a_power_failure(tmp_path: Path, words: int, bounded: bool) -> None:
    space, place = Ring(101, words, bounded), tmp_path / "first"
    place.mkdir()
    commits = []
    with recorded(place) as steps, Store(place, SUBJECT, resume=False) as store:
        layers = DiskLayers(space, store, Serial(), 2**24, sizes=SIZES)
        more = True
        while more:
            commits.append((len(steps), list(layers.counts)))
            more = bool(layers.advance())
    expected = layers.counts
    assert len(steps) > 100
    chosen = random.Random(1)
    moments = chosen.sample(range(commits[0][0], len(steps) + 1), 10)
    # The first commits make folders: just before the names in the directory itself are sure, often.
    named = [at for at, (kind, path, _) in enumerate(steps, 1) if (kind, path) == ("name", place / "manifest.json")]
    moments += 5 * named[1:4]
    for number, moment in enumerate(moments):
        least = max((counts for at, counts in commits if at <= moment), default=[])
        new_place = tmp_path / "after"
        after_failure(steps[:moment], place, new_place, chosen if number % 3 else None)
        with Store(new_place, SUBJECT, resume=True) as store:
            assert store.state is not None or not least
            layers = DiskLayers(space, store, Serial(), 2**24, sizes=SIZES)
            assert len(least) <= len(layers.counts) <= max(len(least), 1) + 1
            assert layers.counts == expected[: len(layers.counts)]
            if number % 5 == 0:
                while layers.advance():
                    pass
                assert layers.counts == expected
        shutil.rmtree(new_place)


def test_without_waiting_for_the_disk_it_would_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail."""
    monkeypatch.setattr(store_module, "_make_last", lambda folder: None)
    with pytest.raises((AssertionError, StoreError)):
        test_the_last_commit_survives_a_power_failure(tmp_path, 2, False)
