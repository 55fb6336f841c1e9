"""Workers of Dask for all tests here that want some: to start them takes seconds."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest

from beliefsearch.engine.counting.cluster import DaskEngine


@pytest.fixture(scope="package")
def engine() -> Iterator[DaskEngine]:
    with DaskEngine(workers=2) as engine:
        yield engine
    sweep()


@pytest.fixture(scope="module")
def swept() -> Iterator[None]:
    """Leave nothing of Dask's for later tests to find."""
    yield
    sweep()


def sweep() -> None:
    """Collect coroutines that Dask began and gave up: it warns of them whenever they are found, in whatever test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
