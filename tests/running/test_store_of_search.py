"""A search that writes its files itself, in a store that it shares with others."""

from __future__ import annotations

from pathlib import Path

import pytest

from beliefsearch.running.limits import LimitReached
from beliefsearch.running.store.checkpoint import Checkpoints
from beliefsearch.running.store.directory import Store

from .stores import NUMBERS, SUBJECT


def test_an_interrupted_commit_counts_as_far_as_it_came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise LimitReached

    with Store(tmp_path / "store", SUBJECT, resume=False) as store:
        search = Checkpoints(store).of("proof")
        search.write("layers/0001", NUMBERS)
        search.commit({"layers": 1}, ["layers/0001"])
        search.write("layers/0002", NUMBERS)
        with monkeypatch.context() as patch:
            patch.setattr(Store, "_write_manifest", interrupted)  # nothing has happened yet
            with pytest.raises(LimitReached):
                search.commit({"layers": 2}, ["layers/0002"])
        assert search.state == {"layers": 1}
        with monkeypatch.context() as patch:
            patch.setattr(Store, "_sweep", interrupted)  # what is not needed any more is being deleted
            with pytest.raises(LimitReached):
                search.commit({"layers": 2}, ["layers/0002"])
        assert search.state == {"layers": 2}
        assert search.read("layers/0002").tolist() == NUMBERS.tolist()
    with Store(tmp_path / "store", SUBJECT, resume=True) as store:
        assert Checkpoints(store).of("proof").kept == {"layers": 2}
