"""Jobs that Dask carries out: their order and number, what goes wrong in them, and workers that are killed."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from beliefsearch.engine.counting import cluster
from beliefsearch.engine.counting.cluster import DaskEngine
from beliefsearch.errors import BeliefSearchError, UnknownProblemError
from beliefsearch.plugins.loading import load_problem_class
from beliefsearch.running.limits import Budget, LimitReached, Limits

from ...examples import thorough
from ...toys import toy

pytestmark = [
    pytest.mark.usefixtures("swept"),
    pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning"),
]


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def work_in(folder: Path) -> None:
    """Return once the folder of a test is removed, which is when it has passed, or after a minute."""
    end = time.monotonic() + 60
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.02)


def refuse(error: BaseException) -> None:
    raise error


def fall_over(path: Path) -> str:
    """Kill this process, the first time."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return path.name
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def stumble(path: Path) -> str:
    """Fail, the first time."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return path.name
    raise OSError("a bad day")


def test_results_come_in_order_from_other_processes(engine: DaskEngine) -> None:
    found = list(engine.map(square, range(20)))
    assert [result for result, _ in found] == [number**2 for number in range(20)]
    assert os.getpid() not in {process for _, process in found}
    assert engine.workers == 2
    assert list(engine.map(square, [])) == []


def test_only_some_jobs_are_under_way(engine: DaskEngine) -> None:
    given: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(100):
            given.append(number)
            yield number

    results = engine.map(square, jobs())
    next(results)
    assert len(given) < 10
    del results


@pytest.mark.parametrize("rounds", [4, thorough(200)])
def test_jobs_that_are_given_up_do_no_harm_to_those_after_them(engine: DaskEngine, rounds: int) -> None:
    for number in range(rounds):
        results = engine.map(square, range(number, number + 20))
        assert next(results)[0] == number**2
        del results
        assert [result for result, _ in engine.map(square, [number])] == [number**2]


@pytest.mark.parametrize(
    "error",
    [BeliefSearchError("too wide"), UnknownProblemError("devils", ["devil"]), LimitReached("no space"), MemoryError()],
    ids=lambda error: type(error).__name__,
)
def test_what_a_job_refuses_is_raised_here(engine: DaskEngine, error: BaseException) -> None:
    with pytest.raises(type(error)) as raised:
        list(engine.map(refuse, [error]))
    assert str(raised.value) == str(error)


def test_a_job_that_fails_is_tried_again(engine: DaskEngine, tmp_path: Path) -> None:
    assert list(engine.map(stumble, [tmp_path / "a", tmp_path / "b"])) == ["a", "b"]
    with pytest.raises(ValueError, match="always"):
        list(engine.map(refuse, [ValueError("always")]))


def test_what_cannot_be_sent_is_told(engine: DaskEngine) -> None:
    with pytest.raises(BeliefSearchError, match=r"this cannot be sent to workers: .*lock"):
        list(engine.map(repr, [Lock()]))


def test_a_killed_worker_is_replaced(engine: DaskEngine, tmp_path: Path) -> None:
    assert list(engine.map(fall_over, [tmp_path / "a"])) == ["a"]


def climb(problem: Any, step: int) -> Any:
    return problem.result(step, "walk on")


def test_a_puzzle_from_a_file_is_sent_as_it_is(engine: DaskEngine, tmp_path: Path) -> None:
    (tmp_path / "stairs.py").write_text(toy("walk"))
    problem = load_problem_class(str(tmp_path / "stairs.py"))()
    with DaskEngine(scheduler=engine.address) as second:
        assert list(second.map(partial(climb, problem), range(3))) == [1, 2, 3]


def test_what_workers_lack_is_told(engine: DaskEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "only_here.py").write_text("def found(number):\n    return number\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = import_module("only_here").found
    with pytest.raises(BeliefSearchError, match=r"cannot load .*only_here.*install the same packages"):
        list(engine.map(found, [1]))


def test_only_modules_that_nobody_finds_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hidden.py").write_text("")
    spec = spec_from_file_location("hidden", tmp_path / "hidden.py")
    assert spec is not None

    class Finder:
        """As a package that is installed to be edited has one."""

        @staticmethod
        def find_spec(name: str, path: object, target: object = None) -> ModuleSpec | None:
            return spec if name == "hidden" else None

    module = module_from_spec(spec)
    assert cluster._is_nowhere(module)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert not cluster._is_nowhere(module)


def test_whose_disk_it_was_is_told(engine: DaskEngine, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=f"No such file or directory, on the machine {socket.gethostname()}"):
        list(engine.map(os.listdir, [tmp_path / "nowhere"]))


def test_a_scheduler_is_asked_for_its_packages_and_the_store(engine: DaskEngine, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    with DaskEngine(scheduler=engine.address, store=tmp_path) as second:
        assert 1 <= second.workers <= 2  # one that was killed may not be back yet
        assert [result for result, _ in second.map(square, range(3))] == [0, 1, 4]
    assert [result for result, _ in engine.map(square, range(3))] == [0, 1, 4]  # its workers are not ours to end


def test_a_worker_elsewhere_is_refused(engine: DaskEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "manifest_seen", lambda path: str(os.getpid()))
    with pytest.raises(BeliefSearchError, match=r"does not see what this machine sees in .* machines share"):
        DaskEngine(scheduler=engine.address, store=tmp_path).__enter__()


def test_another_version_is_refused(engine: DaskEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cluster._PACKAGES, "no-such-package", 1)
    with pytest.raises(BeliefSearchError, match=r"the scheduler has no-such-package \(not installed\)"):
        DaskEngine(scheduler=engine.address).__enter__()


def test_versions_are_compared_as_far_as_they_matter() -> None:
    mine = {**dict.fromkeys(cluster._PACKAGES, "1.2.3"), "python": "3.11.7.final.0", "numpy": "2.4.6"}
    cluster._require_same(mine, {**mine, "python": "3.11.2.final.0", "numpy": "2.0.1"}, "a worker")
    for package, version in ("python", "3.12.1.final.0"), ("numpy", "1.26.4"), ("dask", "2025.1.0"):
        with pytest.raises(BeliefSearchError, match=f"a worker has {package} {version}, this machine"):
            cluster._require_same(mine, {**mine, package: version}, "a worker")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nowhere", "http://127.0.0.1:1", "tls://127.0.0.1:1"])
def test_a_scheduler_that_cannot_be_reached(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECTING", 0.1)
    with pytest.raises(BeliefSearchError, match=f"the scheduler {address} cannot be used: ."):
        DaskEngine(scheduler=address).__enter__()


def test_what_cannot_be_asked_for() -> None:
    for numbers, text in ((2, "tcp://here:1"), "not both"), ((0, None), "a worker at least, not 0"):
        with pytest.raises(BeliefSearchError, match=text):
            DaskEngine(*numbers)
    with pytest.raises(BeliefSearchError, match="inside `with DaskEngine"):
        next(DaskEngine(workers=1).map(square, [1]))


def test_limits_are_heard_while_work_is_waited_for(engine: DaskEngine, tmp_path: Path) -> None:
    with pytest.raises(LimitReached, match=r"time limit of 0\.3 s"):  # noqa: SIM117  # what is inside is what is tested
        with DaskEngine(scheduler=engine.address, budget=Budget(Limits(seconds=0.3))) as second:
            list(second.map(work_in, [tmp_path]))
