"""Limits are heard wherever Python is: in an author's method, in the making of a puzzle, in any thread."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import combinations, count
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from beliefsearch import BeliefProblem, Limits, Problem, Status, StochasticProblem, check_problem, solve
from beliefsearch.running import alarm
from beliefsearch.running import limits as running_limits
from beliefsearch.running.alarm import Stopped, alarm_put_off, call_within, doing
from beliefsearch.running.limits import Budget, LimitReached, hard_memory_limit, resident_memory
from beliefsearch.running.observer import preparing

from ..toys.made import made
from ..waiting import once_begun

SOON = Limits(seconds=0.05)


def for_ever() -> Any:
    """What an author's method may do by mistake."""
    return sum(number % 7 for number in count())


def plain(result: Any = lambda state, _: state + 1 if state < 3 else for_ever()) -> Any:
    """A problem whose `result` never returns."""
    return made(Problem, initial_state=0, actions=("on",), result=result, is_goal=False)


def blind(endless: str, **more: Any) -> Any:
    """A belief problem one of whose methods never returns."""
    answers = {"initial_states": (0, 1), "actions": ("on",), "results": lambda state, _: (state + 1,), "is_goal": False}
    return made(BeliefProblem, **{**answers, "heuristic": 0, **more, endless: lambda *_: for_ever()})


# A game whose outcomes are never told.
CHANCE = made(
    StochasticProblem, initial_state=0, actions=("on",), outcomes=lambda *_: for_ever(), is_terminal=False, utility=0.0
)


def sight(state: int, _: str) -> tuple[int, ...]:
    return (state % 2,)


ENDLESS: dict[str, Callable[[], Any]] = {
    "plain": plain,
    "chance": lambda: CHANCE,
    "starts": lambda: blind("nothing", initial_states=lambda: iter(int, 1)),
    **{name: partial(blind, name) for name in ("initial_states", "actions", "results", "is_goal")},
    **{f"seeing {name}": partial(blind, name, percepts=sight) for name in ("results", "percepts", "heuristic")},
}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", list(ENDLESS))
def test_a_time_limit_is_heard_in_the_methods_of_an_author(name: str) -> None:
    result = solve(ENDLESS[name](), limits=SOON)
    assert result.status is Status.UNDECIDED
    assert str(result.reason).startswith("the time limit of 0.05 s was reached")


@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_a_time_limit_is_heard_with_every_engine(engine: str) -> None:
    result = solve(blind("results"), engine=engine, limits=SOON)
    assert result.status is Status.UNDECIDED
    assert str(result.reason).startswith("the time limit of 0.05 s was reached")


def test_a_memory_limit_is_heard_in_the_methods_of_an_author() -> None:
    before = resident_memory()
    result = solve(plain(lambda *_: len([bytes(10_000) for _ in count()])), limits=Limits(memory=before + 50 * 2**20))
    assert result.status is Status.UNDECIDED
    assert "memory limit" in str(result.reason)


def test_the_bound_proved_before_stands() -> None:
    # Four states are looked at before the endless one, and none is a goal.
    result = once_begun(
        lambda result: result.lower_bound == 4,
        lambda seconds: solve(plain(), solver="breadth-first", limits=Limits(seconds=seconds)),
        0.1,
    )
    assert (result.status, result.lower_bound) == (Status.UNDECIDED, 4)


@pytest.mark.parametrize("caught", [Exception, BaseException])
def test_an_authors_except_does_not_swallow_the_limit(caught: type[BaseException]) -> None:
    def careless(*_: object) -> Any:
        with suppress(caught):
            for_ever()
        return for_ever()

    result = solve(plain(careless), limits=SOON)
    assert result.reason == "the time limit of 0.05 s was reached"


@pytest.mark.few(1)
@pytest.mark.parametrize("engine", ["naive", "bits", "compiled"])
def test_a_time_limit_is_heard_while_actions_are_listed(engine: str) -> None:
    # More than anybody can list, from an iterator written in C.
    hundreds = blind("nothing", actions=lambda _: combinations(range(100), 50))
    assert solve(hundreds, engine=engine, limits=SOON).status is Status.UNDECIDED


# How the alarm is given.


def test_nothing_is_left_behind() -> None:
    solve(plain(), limits=SOON)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_in_another_thread_a_thread_keeps_watch() -> None:
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(solve(plain(), limits=SOON)))
    thread.start()
    thread.join(60)
    assert results[0].reason == "the time limit of 0.05 s was reached"


def test_a_timer_that_somebody_else_uses_is_left_to_them() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    try:
        result = solve(plain(), limits=SOON)
        assert signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung == [signal.SIGALRM]
    assert result.reason == "the time limit of 0.05 s was reached"


TRACED = """
import signal, sys
from beliefsearch import Limits
from beliefsearch.running.alarm import call_within
from beliefsearch.running.limits import Budget, LimitReached

signal.signal(signal.SIGALRM, lambda *_: None)  # somebody else's: a thread keeps watch
for seconds in (60, 0.05):
    try:
        call_within(Budget(Limits(seconds=seconds)), lambda: seconds == 60 or sum(number for number in iter(int, 1)))
    except LimitReached:
        print("reached")
    sys.settrace(lambda *_: None)
    (lambda: print("traced"))()
    sys.settrace(None)
"""


def test_python_does_not_go_on_looking_for_a_signal_that_was_taken_back() -> None:
    """A debugger would stand still then."""
    line = [sys.executable, "-c", TRACED]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["traced", "reached", "traced"]


def test_calls_may_lie_in_calls() -> None:
    outer = Budget(SOON)
    with pytest.raises(LimitReached, match=r"0\.05 s"):
        call_within(outer, lambda: call_within(Budget(Limits(seconds=60)), for_ever))
    inner = Budget(SOON)
    with pytest.raises(LimitReached, match=r"0\.05 s"):
        call_within(Budget(Limits(seconds=60)), lambda: call_within(inner, for_ever))


def test_what_no_exception_may_leave_is_done_first() -> None:
    budget, done = Budget(SOON), []

    def work() -> None:
        with alarm_put_off():
            while budget.seconds() < 0.12:
                pass
            done.append("all of it")
        for_ever()

    with pytest.raises(LimitReached):
        call_within(budget, work)
    assert done == ["all of it"]


def test_a_call_that_ends_in_time_gives_its_answer_and_no_alarm_comes_later() -> None:
    budget = Budget(SOON)
    assert call_within(budget, lambda: "the answer") == "the answer"
    while budget.seconds() < 0.1:
        pass


def test_the_conformance_suite_says_what_it_found_before_a_limit() -> None:
    report = check_problem(blind("results"), budget=Budget(SOON))
    assert (report.passed, report.stopped) == (False, "the time limit of 0.05 s was reached")
    assert report.violations == ()


def test_a_library_is_imported_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slowly_imported.py").write_text(
        "import time\nbegan = time.monotonic()\nwhile time.monotonic() < began + 0.12:\n    pass\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    def work() -> None:
        import_module("slowly_imported")
        for_ever()

    with pytest.raises(LimitReached):
        call_within(Budget(SOON), work)
    assert sys.modules["slowly_imported"].whole


def test_an_alarm_that_comes_while_another_is_set_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    outer, inner = Budget(Limits(seconds=60)), Budget(Limits(seconds=60))
    begin = type(alarm._timer).begin

    def begin_late(timer: Any, budget: Budget, beat: float) -> None:
        begin(timer, budget, beat)
        if budget is inner:
            raise LimitReached("of the outer call")

    monkeypatch.setattr(type(alarm._timer), "begin", begin_late)
    with pytest.raises(LimitReached):
        call_within(outer, lambda: call_within(inner, for_ever))
    assert alarm._timer.depth == 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there the system refuses memory")
def test_once_a_search_was_stopped_there_is_room_left_to_write_the_answer() -> None:
    import resource

    def allowed() -> int:
        return resource.getrlimit(resource.RLIMIT_DATA)[0]

    before, memory = allowed(), 2**33
    with hard_memory_limit(memory):
        searching = allowed()
        Budget().why(LimitReached("enough"))
        assert allowed() - searching == pytest.approx(0.05 * memory, rel=0.01)
    assert allowed() == before
    Budget().why(LimitReached("enough"))
    assert allowed() == before


def test_what_a_library_could_not_get_is_named() -> None:
    """Not only what the limit is, of which a small part may be in use."""
    budget = Budget(Limits(memory=2**30))
    try:
        np.empty(2**50)
    except MemoryError as error:
        said = budget.why(error)
    assert said == "memory ran out (8.00 PiB were asked for at once, the limit is 1,024 MiB)"
    assert Budget().why(MemoryError()) == "memory ran out"


@pytest.mark.parametrize("kind", [SystemError, ImportError])
def test_memory_that_runs_out_in_a_kernel_is_told_as_such(kind: type[Exception]) -> None:
    def call_kernel() -> None:
        try:
            raise MemoryError
        except MemoryError as error:
            raise kind("CPUDispatcher(...) returned a result with an exception set") from error

    def fail() -> None:
        raise kind("of its own")

    with pytest.raises(Stopped, match="memory ran out while a kernel ran"):
        doing("a kernel ran", Budget(Limits()), call_kernel)
    with pytest.raises(kind, match="of its own"):
        doing("a kernel ran", Budget(Limits()), fail)


def test_waiting_for_the_user_takes_no_time() -> None:
    budget = Budget(Limits(seconds=60))
    budget.without(3600)
    assert budget.seconds() < 0
    assert 3600 < budget.seconds_left() <= 3660
    budget.tick()


def test_a_time_limit_says_what_of_it_went_to_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_limits, "_WORTH_TELLING", 0.01)
    before, budget = Budget(Limits(seconds=0.01)), Budget(Limits(seconds=0.01))
    with preparing("sorting"):
        sleep(0.02)
    for told in (before, budget, after := Budget(Limits(seconds=0.01))):
        sleep(0.01)
        with pytest.raises(LimitReached) as stop:
            told.tick()
        reason = "the time limit of 0.01 s was reached"
        assert str(stop.value) == (reason if told is after else f"{reason} (0 s went to sorting)")
