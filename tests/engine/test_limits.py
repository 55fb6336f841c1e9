"""Limits and Ctrl-C while compiled kernels run, and what happens where kernels cannot."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

from beliefsearch import BeliefProblem, Limits, SearchResult, Status, check_plan, solve
from beliefsearch.engine.bits.sensorless import BitsetView
from beliefsearch.engine.compiled import jit
from beliefsearch.engine.compiled.bitset_kernels import hash_of, mix
from beliefsearch.planner import path as solving
from beliefsearch.running import limits as limits_of_runs
from beliefsearch.running.limits import resident_memory
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.reset_word import ResetWordProblem

from ..examples import thorough
from ..toys.made import made
from ..waiting import once_begun

# Searches that take much longer than they are given, with a cost that some plan has.
LONG: dict[str, tuple[Any, dict[str, Any], float]] = {
    "breadth-first": (ResetWordProblem(cerny=26), {"solver": "breadth-first"}, 25**2),  # published
    "bidirectional": (
        ResetWordProblem(random=200),
        {"solver": "bidirectional"},
        105,
    ),  # a plan that greedy search finds
    "regression": (ResetWordProblem(random=200), {"solver": "regression"}, 105),
    "dominance": (ResetWordProblem(random=200), {"solver": "breadth-first", "dominance": True}, 105),
    "astar": (ResetWordProblem(random=200), {"solver": "astar", "heuristic": "none"}, 105),
    "a table of pairs": (ResetWordProblem(random=1200), {"solver": "astar", "heuristic": "pairwise"}, math.inf),
}


def stopped(result: SearchResult[Any], most: float) -> None:
    """It is undecided, with a bound that is true."""
    assert result.status is Status.UNDECIDED
    assert result.plan is None
    assert 0 <= result.lower_bound <= most


@pytest.mark.few(3)
@pytest.mark.parametrize("name", list(LONG))
def test_a_time_limit_is_heard_while_kernels_run(name: str) -> None:
    problem, options, most = LONG[name]
    # Compiles the kernels: a table is made before the first expansion, and takes long.
    warm_up = Limits(seconds=0.05) if name == "a table of pairs" else Limits(expanded=3)
    solve(problem, engine="compiled", limits=warm_up, **options)
    result = once_begun(
        lambda result: name == "a table of pairs" or min(result.lower_bound, result.stats.expanded) > 0,
        lambda seconds: solve(problem, engine="compiled", limits=Limits(seconds=seconds), **options),
        0.15,
    )
    stopped(result, most)
    assert re.search(r"the time limit of [\d.]+ s was reached", result.reason or "")
    if name != "a table of pairs":
        assert result.stats.expanded > 0
        assert result.lower_bound > 0


def test_a_random_automaton_of_200_states_has_a_plan_of_105_letters() -> None:
    problem = ResetWordProblem(random=200)
    result = solve(problem, solver="greedy", heuristic="pairwise", engine="compiled")
    assert check_plan(problem, result.require_plan()).holds
    assert result.cost is not None
    assert result.cost <= 105


_INTERRUPTED = """
import json, signal, sys
from beliefsearch import Limits, solve
from beliefsearch_problems.reset_word import ResetWordProblem
options = json.loads(sys.argv[1])
size = options.pop("size")
problem = ResetWordProblem(**size)
solve(problem, engine="compiled", limits=Limits(seconds=0.05), **options)  # compiles the kernels
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.15)
result = solve(problem, engine="compiled", limits=Limits(seconds=60), **options)
print(json.dumps([result.status.value, result.reason, result.lower_bound, result.stats.seconds]))
"""


@pytest.mark.skipif(not hasattr(__import__("signal"), "setitimer"), reason="this system has no timers that interrupt")
@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({"size": {"cerny": 26}, "solver": "breadth-first"}, 25**2),
        thorough({"size": {"random": 200}, "solver": "bidirectional"}, 105),
        thorough({"size": {"random": 1200}, "solver": "astar", "heuristic": "pairwise"}, math.inf),
    ],
)
def test_ctrl_c_is_heard_while_kernels_run(options: dict[str, Any], most: float) -> None:
    line = [sys.executable, "-c", _INTERRUPTED, json.dumps(options)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=True)
    status, reason, bound, seconds = json.loads(done.stdout)
    assert status == "undecided"
    assert reason.startswith("it was interrupted")
    assert 0 <= bound <= most
    assert seconds < 5


# Memory.


def a_little_more(bytes_more: int) -> Limits:
    return Limits(memory=resident_memory() + bytes_more)


def test_a_memory_limit_that_is_too_small_for_kernels_is_said_to_be() -> None:
    result = solve(ResetWordProblem(cerny=6), engine="compiled", limits=a_little_more(2**26))
    assert result.status is Status.UNDECIDED
    assert result.reason is not None
    assert "leaves no room for compiled kernels" in result.reason
    assert (result.engine, result.lower_bound) == ("compiled", 0)


def test_auto_does_without_kernels_where_it_pays_or_must(monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve(ResetWordProblem(cerny=6)).engine == "bits"
    monkeypatch.setattr(solving, "_SMALL", 100)
    assert solve(ResetWordProblem(cerny=8)).engine == "compiled"
    result = solve(ResetWordProblem(cerny=8), limits=a_little_more(2**26))
    assert (result.engine, result.cost, result.solver) == ("bits", 49, "breadth-first")
    monkeypatch.setattr(solving, "_SMALL", 100)
    monkeypatch.setattr(solving, "_EXPLORED", 5)
    # Exploring is given up between stretches of 1,024 states.
    result = solve(counter(3000), limits=Limits(expanded=4000))
    assert (result.engine, result.cost) == ("bits", 3000)


@pytest.mark.parametrize("n", [4, 6])
def test_auto_gives_the_same_answer_as_the_engines_it_chooses_from(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = solve(DevilProblem(n=n), engine="naive", solver="breadth-first").cost
    for small in (0, 50, 500, 10**9):
        monkeypatch.setattr(solving, "_SMALL", small)
        result = solve(DevilProblem(n=n), solver="search")
        assert result.cost == expected
        assert result.engine == ("bits" if small == 10**9 else "compiled")


def counter(last: int, **more: Any) -> Any:
    """Count upwards from 0 to a number."""
    ways = {"results": lambda state, _: [min(state + 1, last)], "is_goal": lambda state: state == last, **more}
    return made(BeliefProblem, initial_states=[0], actions=("next",), **ways)


def test_a_long_corridor_is_explored_in_time_in_proportion() -> None:
    started = process_time()
    assert BitsetView(counter(30_000)).all_actions() == ("next",)
    assert process_time() - started < 2  # some tenths of a second


@pytest.mark.few(2)
@pytest.mark.parametrize("limit", ["time", "memory"])
@pytest.mark.parametrize("engine", ["bits", "compiled"])
def test_endless_states_are_counted_up_to_a_limit(engine: str, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if limit == "memory":
        monkeypatch.setattr(limits_of_runs, "KERNELS", 0)  # what is left is for states
        solve(ResetWordProblem(cerny=3), solver="regression", engine=engine)  # loads what is needed
    form = (
        rf"the {limit} limit of \S+ (s|MiB) was reached while the states were being numbered; ([\d,]+) had been found "
        r"and ([\d,]+) of them explored\. A higher limit may help, or a smaller problem"
    )

    def counted(result: SearchResult[Any]) -> tuple[int, ...]:
        found = re.fullmatch(form, result.reason or "")
        return tuple(int(found[group].replace(",", "")) for group in (2, 3)) if found else (0, 0)

    result = once_begun(
        lambda result: min(counted(result)) > 1000,
        lambda seconds: solve(
            counter(0, results=lambda state, _: [2 * state + 1, 2 * state + 2], is_goal=False),  # an endless tree
            solver="regression",
            engine=engine,
            limits=a_little_more(2**24) if limit == "memory" else Limits(seconds=seconds),
        ),
        0.1,
    )
    assert (result.status, result.lower_bound) == (Status.UNDECIDED, 0)
    states, explored = counted(result)
    assert states >= explored > 1000, result.reason


# Kernels where compiled code cannot be kept.


def test_kernels_work_where_no_cache_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    njit = vars(jit)["njit"]

    def no_locator(**options: Any) -> Callable[..., Any]:
        asked.append(options)
        if options.get("cache"):

            def refuse(function: Callable[..., Any]) -> Callable[..., Any]:
                raise RuntimeError(f"cannot cache function {function.__name__!r}: no locator available")

            return refuse
        return njit(**options)  # type: ignore[no-any-return]

    monkeypatch.setattr(jit, "njit", no_locator)

    @jit.kernel
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42
    assert [bool(options.get("cache")) for options in asked] == [True, False]


_CALLS_A_KERNEL = """
import numpy
from beliefsearch.engine.compiled.bitset_kernels import includes
assert includes(*2 * [numpy.ones(1, numpy.uint64)])
"""


@pytest.mark.parametrize("writable", [True, False])
def test_kernels_are_kept_in_the_users_folder_and_never_in_the_package(tmp_path: Path, writable: bool) -> None:
    """What lay in the package would be left behind when it is installed anew, and be found instead of it."""
    folder = tmp_path / "kernels"
    if not writable:
        folder.touch()  # a file, and no folder
    package = Path(jit.__file__).parents[2]
    before = set(package.rglob("*.nb[ic]"))
    words = [sys.executable, "-c", _CALLS_A_KERNEL]
    done = subprocess.run(words, env={**os.environ, "NUMBA_CACHE_DIR": str(folder)}, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(package.rglob("*.nb[ic]")) == before
    assert any(folder.rglob("*.nbi")) if writable else folder.is_file()


def test_other_sources_have_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit._SETTING, "CACHE_DIR", str(tmp_path))
    first = Path(jit._cache_folder.__wrapped__())
    (first / "kept").touch()
    assert Path(jit._cache_folder.__wrapped__()) == first
    assert (first / "kept").exists()
    digest = jit._digest
    monkeypatch.setattr(jit, "_digest", lambda text: digest(text + " changed" * ("\n" in text)))
    second = Path(jit._cache_folder.__wrapped__())
    assert second.is_dir()
    assert not first.exists()


def test_what_only_kernels_call_is_refused_to_python() -> None:
    word = np.full(1, 8, np.uint64)
    for _ in range(2):  # before it is compiled, or loaded, for a kernel that calls it; and after
        with pytest.raises(TypeError, match="mix is called by kernels only"):
            mix(word[0])
        assert hash_of(word) == hash_of(word.copy())


def as_compiled(function: Any) -> Any:
    """What Numba gives has a method that compiles."""
    function.compile = lambda signature: None
    return function


def test_kernels_are_kept_on_disk_where_they_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []

    def remember(**options: Any) -> Callable[..., Any]:
        asked.append(options)
        return as_compiled

    monkeypatch.setattr(jit, "njit", remember)

    @jit.kernel
    def same(number: int) -> int:
        return number

    assert same(3) == 3
    assert [options.get("cache") for options in asked] == [True]
