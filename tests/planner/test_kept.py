"""Searches that are kept: killed after any save they go on, and their answers and counts are the same."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from attrs import asdict, evolve

from beliefsearch import solve
from beliefsearch.engine.compiled import bidirectional as both_ends
from beliefsearch.engine.compiled import breadth_first
from beliefsearch.errors import StoreError
from beliefsearch.planner.options import SearchRequest
from beliefsearch.planner.solve import answer
from beliefsearch.plans.policy import PolicyResult
from beliefsearch.plans.result import SearchResult, Status
from beliefsearch.running.graceful_stop import LastSave
from beliefsearch.running.limits import Budget, LimitReached, Limits
from beliefsearch.running.run import KeptIn, Run
from beliefsearch.running.store.checkpoint import Checkpoint, Checkpoints
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem
from beliefsearch_problems.tiger import TigerProblem


class Killed(BaseException):
    """Stands for SIGKILL: what was committed is there, and nothing else."""


class Killer:
    """Lets searches save, and kills them after that."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked = 0  # how often a search has asked whether to save
        self.every = 0  # how often it is told to do so; 0: never
        self.kills = 0
        self._left = 0  # so many commits until it is killed
        commit = Checkpoints.commit

        def due(checkpoint: Checkpoint) -> bool:
            self.asked += 1
            return self.every > 0 and self.asked % self.every == 0

        def commit_and_die(checkpoints: Checkpoints) -> None:
            commit(checkpoints)
            self._left -= 1
            if self._left == 0:
                self.kills += 1
                raise Killed

        monkeypatch.setattr(Checkpoint, "due", due)
        monkeypatch.setattr(Checkpoints, "commit", commit_and_die)
        monkeypatch.setattr(os, "fsync", lambda file: None)  # a kill is no power failure

    def solve(self, problem: Any, store: Path, kills: int, **asked: Any) -> Any:
        """Solve, killed so many times."""
        for self._left in [1, 2] * kills:
            with suppress(Killed):
                return solve(problem, store=store, resume=True, **asked)
            if self.kills == kills:
                break
        return solve(problem, store=store, resume=True, **asked)


def same(result: SearchResult[Any] | PolicyResult[Any, Any]) -> Any:
    """What does not depend on the clock."""
    said = asdict(
        result, recurse=False, filter=lambda attribute, _: attribute.name not in ("found", "grounds", "problem")
    )
    said["stats"] = evolve(result.stats, seconds=0.0)
    if isinstance(result, PolicyResult):
        graph: Any = result.policy
        said["policy"] = [graph.action(node) for node in range(len(graph))]
    elif result.plan is not None:
        said["plan"] = result.plan.as_sequence()
    return said


TILES = SlidingTilesProblem(start="1 3 6 4 2 8 7 0 5")
AGAIN = SlidingTilesProblem(start="2 1 3 4 0 7 5 8 6", estimate="manhattan")  # whose states are reached more cheaply
COINS = NineTailsProblem(start="HTHHHHHTT", weights="flips")
DEVIL = DevilProblem(n=4)


class Tolls(SlidingTilesProblem):  # type: ignore[misc]  # installed puzzles have no types
    """Costs and estimates that are floats: whole numbers of a unit that are too large for an array of them."""

    def has_unit_costs(self) -> bool:
        return False

    def action_cost(self, state: Any, action: Any) -> float:
        return 0.1 + hash(state) % 7 / 10

    def heuristic(self, state: Any) -> float:
        return 0.1 * int(super().heuristic(state))


TOLLS = Tolls(start="2 1 3 4 0 7 5 8 6")
WORD = ResetWordProblem(cerny=5)
SEARCHES = [
    *({"solver": solver} for solver in ("breadth-first", "uniform-cost", "astar", "greedy")),
    {"solver": "weighted-astar", "weight": 1.5},
]
BITS: list[dict[str, Any]] = [
    *({"solver": solver, "engine": "bits"} for solver in ("uniform-cost", "bidirectional", "regression", "ida-star")),
    {"solver": "breadth-first", "engine": "naive", "dominance": True},
]
COMPILED: list[dict[str, Any]] = [
    *({"solver": solver, "engine": "compiled"} for solver in ("breadth-first", "astar", "regression", "auto")),
    {"solver": "astar", "engine": "compiled", "dominance": True},
]
CASES = [
    *((COINS, asked) for asked in SEARCHES),
    *((TILES, {"solver": solver}) for solver in ("bidirectional", "ida-star")),
    (AGAIN, {"solver": "weighted-astar", "weight": 3}),
    *((TOLLS, {"solver": solver}) for solver in ("uniform-cost", "astar", "ida-star")),
    *((DEVIL, {"solver": solver, "engine": "bits"}) for solver in ("breadth-first", "astar")),
    *((WORD, asked) for asked in [*BITS, *COMPILED]),
    (ResetWordProblem(cerny=7), {"engine": "compiled", "solver": "bidirectional"}),
    *((TigerProblem(), {"engine": engine, "precision": 1e-4}) for engine in ("auto", "compiled")),
]


@pytest.mark.few(12)
@pytest.mark.parametrize(("problem", "asked"), CASES)
def test_a_killed_search_goes_on(
    problem: Any, asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breadth_first, "_FIRST_CALL", 4)
    monkeypatch.setattr(breadth_first, "_LARGEST_CALL", 4)
    monkeypatch.setattr(both_ends, "_LARGE", 16)
    killer = Killer(monkeypatch)
    expected = solve(problem, store=tmp_path / "whole", **asked)
    killer.every = max(1, killer.asked // 8)
    result = killer.solve(problem, tmp_path / "killed", 3, **asked)
    assert killer.kills
    assert same(result) == same(expected)
    assert same(solve(problem, store=tmp_path / "killed", resume=True, **asked)) == same(expected)


@pytest.mark.parametrize(
    "change",
    [
        {"plan": [0, 0]},
        {"plan": [99]},
        {"cost": "1"},
        {"status": "undecided", "plan": None},
        {"stats": {"no such count": 1}},
    ],
)
def test_an_answer_of_nobody_is_refused(
    change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = Checkpoints.finish

    def change_it(kept: Checkpoints, answer: Any) -> None:
        changed = {name: {**answer[name], **new} if name == "stats" else new for name, new in change.items()}
        finish(kept, {**answer, **changed})

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoints, "finish", change_it)
        solve(DevilProblem(n=3), store=tmp_path / "kept", engine="naive")
    with pytest.raises(StoreError, match="damaged"):
        solve(DevilProblem(n=3), store=tmp_path / "kept", engine="naive", resume=True)


@pytest.mark.parametrize("solver", ["breadth-first", "astar", "bidirectional", "regression"])
def test_a_wrong_bound_is_no_fault_of_a_heuristic(solver: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killer, save = Killer(monkeypatch), Checkpoint.save
    killer.every = 1

    def save_wrong(checkpoint: Checkpoint, state: Any, *arrays: Any) -> None:
        save(checkpoint, {**state, "lower_bound": "88"}, *arrays)

    killer._left = 2
    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", save_wrong)
        with pytest.raises(Killed):
            solve(WORD, store=tmp_path / "kept", solver=solver, engine="bits")
    killer.every = 0
    with pytest.raises(StoreError, match="damaged"):
        solve(WORD, store=tmp_path / "kept", solver=solver, engine="bits", resume=True)


@pytest.mark.parametrize("asked", [asked for asked in (*BITS, *COMPILED) if "ida-star" not in asked.values()])
def test_the_bound_stands_where_a_limit_ends_the_loading(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breadth_first, "_FIRST_CALL", 4)
    monkeypatch.setattr(breadth_first, "_LARGEST_CALL", 4)
    killer, save = Killer(monkeypatch), Checkpoint.save
    killer.every = 1
    killer._left = 3
    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "save", lambda kept, state, *rest: save(kept, {**state, "lower_bound": "2"}, *rest))
        with pytest.raises(Killed):
            solve(WORD, store=tmp_path / "kept", **asked)

    def stop(checkpoint: Checkpoint, name: str) -> Any:
        raise LimitReached("the time limit was reached")

    monkeypatch.setattr(Checkpoint, "pieces", stop)
    found = solve(WORD, store=tmp_path / "kept", resume=True, **asked)
    assert (found.status, found.lower_bound >= 2) == (Status.UNDECIDED, True)


def stopped_in(place: Path, problem: Any, solver: str, limits: Limits | None = None) -> tuple[Any, str]:
    """The result of a search that is kept, and what is said to be kept."""
    kept = KeptIn(place)
    return answer(problem, SearchRequest(solver), Run(Budget(limits), kept=kept), None), kept.holds


class Pressed(SlidingTilesProblem):  # type: ignore[misc]  # mypy does not see the base
    """Tiles that press Ctrl-C so many times, in the middle of an expansion."""

    times = 1
    asked = 0

    def result(self, state: Any, action: Any) -> Any:
        Pressed.asked += 1
        if Pressed.asked == 10:
            for _ in range(self.times):
                signal.raise_signal(signal.SIGINT)
        return super().result(state, action)


@pytest.mark.parametrize("solver", ["breadth-first", "astar", "bidirectional"])
@pytest.mark.parametrize("times", [1, 2])
def test_one_ctrl_c_saves_all_and_two_end_at_once(
    solver: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pressed, "times", times)
    monkeypatch.setattr(Pressed, "asked", 0)
    problem = Pressed(start=TILES.start)
    before = signal.getsignal(signal.SIGINT)
    result, holds = stopped_in(tmp_path / "kept", problem, solver)
    assert signal.getsignal(signal.SIGINT) is before
    assert result.reason == "it was interrupted"
    assert holds == (f"the search up to {result.stats.expanded} expansions" if times == 1 else "")
    expected = solve(TILES, solver=solver)
    assert same(solve(problem, solver=solver, store=tmp_path / "kept", resume=True)) == same(expected)


def test_a_time_limit_waits_until_the_search_has_saved(tmp_path: Path) -> None:
    tiles = SlidingTilesProblem(start="8 6 7 2 5 4 3 0 1")
    seconds, expanded = 0.05, 0
    while expanded < 2:  # on a busy machine the time may be over before the search begins
        result, holds = stopped_in(tmp_path / f"kept {seconds}", tiles, "breadth-first", Limits(seconds=seconds))
        assert result.reason == f"the time limit of {seconds} s was reached"
        seconds, expanded = 2 * seconds, result.stats.expanded
    assert holds == f"the search up to {result.stats.expanded:,} expansions"


def test_a_search_that_does_not_ask_whether_to_save_is_not_waited_for() -> None:
    hurried: list[bool] = []
    last = LastSave(lambda: hurried.append(True))
    stop = KeyboardInterrupt
    assert not last.puts_off(stop)
    last.asked = monotonic()
    assert last.puts_off(stop)
    assert hurried == [True]
    assert 0 < last.seconds_left <= 1
    with pytest.raises(KeyboardInterrupt):
        last.saved(0.1)
    assert not last.puts_off(stop)
