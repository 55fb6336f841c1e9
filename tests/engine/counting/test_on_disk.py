"""Layers on disk against a breadth-first search with a dictionary, in pieces and parts of all sizes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.engine.counting.codes import BackwardSpace, StateSpace
from beliefsearch.engine.counting.disk_breadth_first import path_back
from beliefsearch.engine.counting.disk_jobs import Sizes
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.engine.counting.executors import Serial
from beliefsearch.errors import StoreError
from beliefsearch.running.limits import LimitReached, Limits
from beliefsearch.running.run import Run
from beliefsearch.running.store.directory import Store
from beliefsearch.running.store.npy_files import read_array, write_array

from .coded_table import CodedTable, coded_tables, naive_layers
from .killed_search import Ring, finish
from .test_layers import assert_layers_are

SUBJECT = {"problem": "coded"}
MEMORY = 2**24

sizes = st.builds(
    Sizes, st.integers(1, 8), st.integers(1, 8), st.sampled_from([0, 3, 100]), st.integers(1, 5), st.booleans()
)


@contextmanager
def kept(place: str | Path, resume: bool = False) -> Iterator[Store]:
    with Store(Path(place), SUBJECT, resume=resume) as store:
        yield store


@pytest.fixture(autouse=True, scope="module")
def _without_waiting() -> Iterator[None]:
    """No test here cuts the power: nothing need be on the disk itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda file: None)
        yield


def expected_of(problem: CodedTable) -> list[set[int]]:
    return naive_layers([0], lambda state: problem.table[state].values())


@given(problem=coded_tables() | coded_tables(bounded=True), size=sizes, keep=st.booleans())
def test_all_states_are_found_layer_by_layer(problem: CodedTable, size: Sizes, keep: bool) -> None:
    space = StateSpace(problem)
    with TemporaryDirectory() as place, kept(place) as store:
        layers = DiskLayers(space, store, Serial(), MEMORY, sizes=size, keep_layers=keep)
        assert_layers_are(layers, expected_of(problem), space)


@given(problem=coded_tables() | coded_tables(bounded=True), size=sizes, others=st.lists(sizes, min_size=1, max_size=3))
def test_it_goes_on_after_every_layer_with_other_sizes(problem: CodedTable, size: Sizes, others: list[Sizes]) -> None:
    space = StateSpace(problem)
    expected = list(map(len, expected_of(problem)))
    with TemporaryDirectory() as place:
        for turn in range(len(expected)):
            with kept(place, resume=True) as store:
                now = size if turn == 0 else others[turn % len(others)]
                layers = DiskLayers(space, store, Serial(), MEMORY, sizes=now)
                assert layers.counts == expected[: turn + 1]
                assert layers.advance() == (expected[turn + 1] if turn + 1 < len(expected) else 0)
        with kept(place, resume=True) as store:
            layers = DiskLayers(space, store, Serial(), MEMORY)
            assert (layers.counts, layers.advance()) == (expected, 0)


@given(problem=coded_tables(bounded=True), size=sizes)
def test_no_goals_are_no_layers(problem: CodedTable, size: Sizes) -> None:
    space = BackwardSpace(problem)
    with TemporaryDirectory() as place, kept(place) as store:
        layers = DiskLayers(space, store, Serial(), MEMORY, sizes=size)
        finish(layers)
        assert layers.counts[0] == len(problem.won)
        assert len(layers.last(5)) == min(layers.counts[-1], 5)


@given(problem=coded_tables() | coded_tables(bounded=True), size=sizes)
def test_a_shortest_path_is_walked_back(problem: CodedTable, size: Sizes) -> None:
    space = StateSpace(problem)
    actions = problem.all_actions()
    with TemporaryDirectory() as place, kept(place) as store:
        layers = DiskLayers(space, store, Serial(), MEMORY, sizes=size, keep_layers=True)
        while True:
            for code in layers.last(3):
                path = path_back(layers, space, code)
                assert len(path) == len(layers.counts) - 1
                state = 0
                for action in path:
                    state = problem.result(state, actions[action])
                assert problem.codes([state]).tolist() == [code.tolist()]
            if not layers.advance():
                break


def ring(size: int) -> list[int]:
    return [len(layer) for layer in naive_layers([0], lambda n: [(n + 1) % size, 3 * n % size])]


@pytest.mark.parametrize(
    ("words", "bounded", "stay"), [(1, True, False), (1, True, True), (1, False, False), (2, False, False)]
)
def test_thousands_of_nodes_in_pieces_that_fit(tmp_path: Path, words: int, bounded: bool, stay: bool) -> None:
    size = 3_001
    with kept(tmp_path) as store:
        layers = DiskLayers(Ring(size, words, bounded), store, Serial(), MEMORY, sizes=Sizes(150, 200, 50, 4, stay))
        finish(layers)
        assert layers.counts == ring(size)


def test_many_counts_have_a_file_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.engine.counting.disk_layers._COUNTS_SINCE", 4)
    expected = ring(3_001)
    for layers_before in range(1, len(expected) + 1):
        with kept(tmp_path, resume=True) as store:
            layers = DiskLayers(Ring(3_001), store, Serial(), MEMORY)
            assert layers.counts == expected[:layers_before]
            layers.advance()
            assert store.state is not None
            assert len(store.state["counts"]) < 4 or layers_before < 4
    files = list((tmp_path / "counts").iterdir())
    assert len(files) == 1
    write_array(files[0], read_array(files[0])[1:].copy())
    with pytest.raises(StoreError, match="damaged"), kept(tmp_path, resume=True) as store:
        DiskLayers(Ring(3_001), store, Serial(), MEMORY)


def test_a_store_of_the_first_versions_is_gone_on_with(tmp_path: Path) -> None:
    with kept(tmp_path) as store:
        layers = DiskLayers(Ring(1000), store, Serial(), MEMORY)
        for _ in range(3):
            layers.advance()
        assert store.state is not None
        store.commit({name: value for name, value in store.state.items() if name != "earlier"}, layers._state.names())
    with kept(tmp_path, resume=True) as store:
        layers = DiskLayers(Ring(1000), store, Serial(), MEMORY)
        finish(layers)
        assert layers.counts == ring(1000)


def test_bits_are_written_anew_and_looked_up_if_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.engine.counting.disk_runs.SPARSE", 16)
    monkeypatch.setattr("beliefsearch.engine.counting.disk_runs._LAYERS_SINCE", 5)
    size = 3_001
    with kept(tmp_path) as store:
        layers = DiskLayers(Ring(size), store, Serial(), MEMORY, sizes=Sizes(100, 100, 10, 3))
        finish(layers)
        assert layers.counts == ring(size)
        assert len(list((tmp_path / "bits").iterdir())) == 3


def test_a_layer_that_was_stopped_is_found_again(tmp_path: Path) -> None:
    """Also without leaving the program: bits that stay in memory say more than the files then."""
    size = 5_003
    with kept(tmp_path) as store:
        run = Run.of(Limits(expanded=2_000))
        layers = DiskLayers(Ring(size), store, Serial(), MEMORY, run, sizes=Sizes(100, 100, 10, 3, True))
        with pytest.raises(LimitReached, match="2000 expanded"):
            finish(layers)
        done = list(layers.counts)
        assert done == ring(size)[: len(done)]
        layers._run = Run()
        finish(layers)
        assert layers.counts == ring(size)


@pytest.fixture(scope="module")
def of_three_layers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], list[str]]:
    """A store that a search can go on with, its state and the names of its files."""
    place, space = tmp_path_factory.mktemp("layers"), Ring(1000)
    with kept(place) as store:
        layers = DiskLayers(space, store, Serial(), MEMORY)
        for _ in range(3):
            layers.advance()
        assert store.state is not None
        state, names = store.state, [*layers._state.names()]
    with kept(place, resume=True) as store:
        assert DiskLayers(space, store, Serial(), MEMORY).counts == [1, 1, 2, 3]
    return place, state, names


@pytest.mark.parametrize("damage", [{}, {"parts": [["layers/000003-00000"]]}, {"counts": 3}])
def test_no_state_is_refused(of_three_layers: tuple[Path, dict[str, Any], list[str]], damage: dict[str, Any]) -> None:
    place, state, names = of_three_layers
    with kept(place, resume=True) as store:
        store.commit({**state, **damage} if damage else {}, names)
    with kept(place, resume=True) as store, pytest.raises(StoreError, match="damaged"):
        DiskLayers(Ring(1000), store, Serial(), MEMORY)


def test_codes_that_are_too_large_reach_no_kernel(tmp_path: Path) -> None:
    space = Ring(1000)
    with kept(tmp_path) as store:
        layers = DiskLayers(space, store, Serial(), MEMORY, sizes=Sizes(10, 10, 1, 2))
        for _ in range(5):
            layers.advance()
        for folder in ("layers", "parts"):
            for file in (tmp_path / folder).iterdir():
                array = np.load(file)
                np.save(file, np.full_like(array, np.iinfo(array.dtype).max))
        with pytest.raises(StoreError, match="too large"):
            layers.advance()
