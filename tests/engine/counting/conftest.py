"""Workers of Dask for all tests here that want some: to start them takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beliefsearch.engine.counting.cluster import DaskEngine


@pytest.fixture(scope="package")
def engine() -> Iterator[DaskEngine]:
    with DaskEngine(workers=2) as engine:
        yield engine
