"""A store, for its tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from beliefsearch.running.store.directory import Store

from .stores import NUMBERS, SUBJECT


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store with one committed array."""
    with Store(tmp_path / "kept", SUBJECT, resume=False) as store:
        store.write("layers/0000", NUMBERS)
        store.commit({"depth": 0}, ["layers/0000"])
    return tmp_path / "kept"
