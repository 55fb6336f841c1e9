"""Explorations that are kept in a store, or done by workers: gone on with, told apart, refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from beliefsearch import BeliefSearchError, Limits, Problem
from beliefsearch.engine.counting import cluster
from beliefsearch.engine.counting import disk_jobs as sizes
from beliefsearch.engine.counting.executors import Serial
from beliefsearch.errors import StoreError
from beliefsearch.running.store.directory import manifest_of
from beliefsearch.running.store.fingerprint import parameters_in
from beliefsearch.tools import explore
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nim import NimProblem
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem


@pytest.mark.parametrize(
    ("problem", "backward"),
    [
        (PancakesProblem(start=(6, 5, 4, 3, 2, 1)), False),
        (SlidingTilesProblem(rows=2, cols=3), True),
        (ResetWordProblem(cerny=6), False),
        (VacuumProblem(squares=3, sensing="local"), False),
        (TigerProblem(), False),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Problem) else None,
)
def test_a_store_is_gone_on_with_and_counts_the_same(problem: Any, backward: bool, tmp_path: Path) -> None:
    whole = explore(problem, backward=backward, engine="naive")
    place = tmp_path / "store"
    expanded, steps = 1, 0
    found = explore(problem, backward=backward, store=place, limits=Limits(expanded=expanded))
    while not found.complete:
        assert found.layers == whole.layers[: len(found.layers)]
        expanded *= 3
        steps += 1
        found = explore(problem, backward=backward, store=str(place), resume=True, limits=Limits(expanded=expanded))
    assert steps > 2 or whole.total < 10
    for again in (found, explore(problem, backward=backward, store=place, resume=True)):
        assert (again.layers, again.nodes, again.cut_off) == (whole.layers, whole.nodes, 0)
        assert len(again.last) == len(whole.last)
    if len(whole.last) < 10:
        assert set(found.last) == set(whole.last)


def test_the_seconds_are_those_of_all_processes(tmp_path: Path) -> None:
    problem, manifest = ResetWordProblem(cerny=6), tmp_path / "manifest.json"
    assert not explore(problem, store=tmp_path, limits=Limits(expanded=20)).complete

    def write(seconds: float) -> None:
        kept = json.loads(manifest.read_text())
        assert kept["state"]["seconds"] > 0
        kept["state"]["seconds"] = seconds
        del kept["checksum"]
        manifest.write_bytes(manifest_of(kept))

    write(1000.0)
    found = explore(problem, store=tmp_path, resume=True)
    assert found.complete
    assert found.seconds > 1000
    assert explore(problem, store=tmp_path, resume=True).seconds > 1000


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is small is done without an engine: have it do something in small problems, too."""
    monkeypatch.setattr(sizes, "_MOST_SMALL", 20)
    monkeypatch.setattr(sizes, "_MOST_SUCCESSORS", 500)


@pytest.mark.usefixtures("small_pieces")
def test_the_engine_dask_is_told_what_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []

    class Told(Serial):
        def __init__(self, workers: int | None, scheduler: str | None, **others: Any) -> None:
            told.append((workers, scheduler, others["store"], others["budget"].limits.seconds))

        def __enter__(self) -> Serial:
            return self

        def __exit__(self, *_: object) -> None:
            told.append("left")

        def map(self, function: Any, jobs: Iterable[Any]) -> Any:
            told.append("work")
            return super().map(function, jobs)

    monkeypatch.setattr(cluster, "DaskEngine", Told)
    problem, place = PancakesProblem(start=(6, 5, 4, 3, 2, 1)), tmp_path / "store"
    asked: dict[str, Any] = {"engine": "dask", "store": place, "limits": Limits(seconds=60)}
    found = explore(problem, scheduler="tcp://there:1", **asked)
    assert found.layers == explore(problem, engine="naive").layers
    assert (told[0], told[-1]) == ((None, "tcp://there:1", place, 60), "left")
    assert "work" in told
    told.clear()
    # Who counts makes no difference to what is kept.
    assert explore(problem, store=place, resume=True).layers == found.layers
    assert explore(problem, workers=3, resume=True, **asked).layers == found.layers
    assert told == [(3, None, place, 60), "left"]


def test_without_dask_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, cluster.__name__)
    monkeypatch.setitem(sys.modules, "dask.system", None)  # as if it were not installed
    with pytest.raises(BeliefSearchError, match=r"needs Dask, which is not installed .*; pip install"):
        explore(PancakesProblem(start=(3, 2, 1)), engine="dask", store=tmp_path / "store")


def test_workers_that_cannot_be_used_leave_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Unreachable(Serial):
        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __enter__(self) -> Serial:
            assert (tmp_path / "made" / "store" / "manifest.json").exists()  # which workers are asked for
            raise BeliefSearchError("nobody answers")

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(cluster, "DaskEngine", Unreachable)
    with pytest.raises(BeliefSearchError, match="nobody answers"):
        explore(PancakesProblem(start=(3, 2, 1)), engine="dask", scheduler="x", store=tmp_path / "made" / "store")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.thorough
@pytest.mark.usefixtures("small_pieces")
def test_workers_of_dask_count_the_same_as_one_process(tmp_path: Path) -> None:
    problem = PancakesProblem(start=(6, 5, 4, 3, 2, 1))
    found = explore(problem, engine="dask", workers=2, store=tmp_path / "store")
    assert found.complete
    assert found.layers == explore(problem, engine="naive").layers


def test_a_store_is_of_one_exploration(tmp_path: Path) -> None:
    place = tmp_path / "store"
    explore(ResetWordProblem(cerny=3), store=place)
    for cerny, resume, complaint in (
        (3, False, "add resume to go on"),
        (4, True, "there parameters.cerny is 3, here 4"),
    ):
        with pytest.raises(StoreError, match=complaint):
            explore(ResetWordProblem(cerny=cerny), store=place, resume=resume)
    # What is in a data file counts, and not where it lies.
    machine = "0 1\n1 0\n"
    for name in ("one", "other"):
        (tmp_path / name).write_text(machine)
    about = [parameters_in(_WithFile(file=tmp_path / name)) for name in ("one", "other")]
    assert about[0] == about[1]
    (tmp_path / "other").write_text("1 0\n1 0\n")
    assert about[1] != parameters_in(_WithFile(file=tmp_path / "other"))


@frozen
class _WithFile:
    file: Path


@pytest.mark.parametrize(
    ("problem", "options", "complaint"),
    [
        (RiverCrossingProblem(), {"engine": "bits"}, "there is no engine called 'bits'; choose auto, naive, compiled"),
        (RiverCrossingProblem(), {"engine": "dask"}, "give a directory, store=DIR"),
        (RiverCrossingProblem(), {"engine": "naive", "store": "x"}, "keeps everything in memory"),
        (RiverCrossingProblem(), {"resume": True}, "say where it is kept: store=DIR"),
        (RiverCrossingProblem(), {"store": "x", "workers": 2}, "^workers goes with engine=.dask"),
        (RiverCrossingProblem(), {"scheduler": "tcp://x:1"}, "^scheduler goes with engine=.dask"),
        (RiverCrossingProblem(), {"store": "x", "engine": "dask", "workers": 0}, "there must be a worker at least"),
        (NimProblem(), {"store": "x"}, "gives no codes of its states"),
        (GamblerProblem(), {"store": "x"}, "one by one and have no codes; leave store and engine out"),
        (DevilProblem(n=2), {"store": "x", "backward": True}, "or backward"),
        (NimProblem(), {"engine": "compiled"}, "gives no codes of its states"),
        (DevilProblem(n=2), {"engine": "compiled", "backward": True}, "is counted one by one"),
        (DevilProblem(n=2), {"most_last": -1}, "at least 0"),
        (DevilProblem(n=2), {"most_last": "1"}, "at least 0, not '1'"),
        (DevilProblem(n=2), {"store": 3}, "a store is a directory, given as text or as a Path, not 3"),
        (DevilProblem(n=2), {"store": True}, "given as text or as a Path, not True"),
        (DevilProblem(n=2), {"store": ""}, "a store needs a directory"),
        (DevilProblem(n=2), {"store": "x", "engine": "dask", "workers": "2"}, "workers is a whole number, not '2'"),
        (DevilProblem(n=2), {"store": "x", "engine": "dask", "scheduler": 1}, "scheduler is the address of a"),
        (DevilProblem(n=2), {"backward": "yes"}, "backward is True or False, not 'yes'"),
        (DevilProblem(n=2), {"store": "x", "resume": 1}, "resume is True or False, not 1"),
        ("devil", {}, "is no problem"),
    ],
)
def test_what_does_not_fit_is_refused(
    problem: Any, options: dict[str, Any], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BeliefSearchError, match=complaint):
        explore(problem, **options)
    assert [*tmp_path.iterdir()] == []  # nor is there an empty store
