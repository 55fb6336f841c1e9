"""The progress line: what it counts, and that it starts anew when another engine takes over."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from numba import njit
from rich.console import Console
from rich.spinner import Spinner

from beliefsearch import Limits, Observer, PolicyResult, solve
from beliefsearch.cli.progress import Progress, _OneLine
from beliefsearch.cli.renderers.exploration import ExploreProgress
from beliefsearch.engine.compiled import jit
from beliefsearch.tools import explore
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.tiger import TigerProblem


def test_layers_are_counted_from_the_beginning_of_the_engine_at_work() -> None:
    line = Progress(quiet=True)
    for _ in range(2):
        line.numbered(0)
        for bound in (1, 2, 3):
            line.layer_finished(bound, 10, 20)
            line.progressed(bound, 5, 10, 20)
    assert "lower bound 3, layer 3, 20 reached, 10 in the frontier" in line.__rich__()


def test_what_is_done_is_said_before_anything_is_counted() -> None:
    line = Progress(quiet=True, doing="looking for a proof")
    assert line.__rich__() == "0 s: looking for a proof"
    line.numbered(1_234)
    assert line.__rich__() == "0 s: looking for a proof, 1,234 states numbered"


def test_kernels_that_are_compiled_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    line = Progress(quiet=True)

    def double(number: int) -> int:
        return 2 * number

    compiled: Any = njit(double)
    compile_for = compiled.compile

    def compile_and_listen(signature: Any) -> Any:
        heard.append(line.__rich__())
        return compile_for(signature)

    compiled.compile = compile_and_listen
    compiled.compile = jit._without_interrupt(compiled)
    assert compiled(3) == 6
    assert [text.partition(": ")[2] for text in heard] == ["compiling, which is done once"]
    assert line.__rich__().endswith("s: searching")


def test_starts_that_take_long_to_list_are_said_to_be_listed() -> None:
    line = Progress(quiet=True)
    heard: list[str] = []

    class Slow(LostRobotProblem):  # type: ignore[misc]  # puzzles are untyped for importers
        def initial_states(self) -> Any:
            for state in super().initial_states():
                heard.append(line.__rich__())
                yield state

    found: Any = solve(Slow(rows=2, cols=2), observer=line)
    assert found.cost is not None
    assert "listing the possible starts" in {text.partition(": ")[2].partition(",")[0] for text in heard}
    assert "listing" not in line.__rich__()


def test_on_a_terminal_it_is_one_line_however_narrow_that_is() -> None:
    line = Progress(quiet=True)
    line.progressed(32, 848_880, 492_303, 1_269_105)
    console = Console(width=60, force_terminal=True)
    with console.capture() as shown:
        console.print(Spinner("dots", _OneLine(line)))
    (only,) = shown.get().splitlines()
    assert len(only) <= 60 < len(line.__rich__())
    assert "lower bound 32, layer 0, 1,269,105 reached" in only


class Layers(Observer):
    """Remembers what it was told of layers, and of states numbered."""

    def __init__(self) -> None:
        self.bounds: list[int] = []
        self.beginnings = 0

    def numbered(self, states: int) -> None:
        if states == 0:
            self.beginnings += 1
            self.bounds.clear()

    def layer_finished(self, bound: int, frontier: int, reached: int) -> None:
        self.bounds.append(bound)


def test_a_search_that_changes_engine_tells_every_layer_from_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.path._SMALL", 1000)  # so much the first engine may do
    layers = Layers()
    result = solve(ResetWordProblem(cerny=10), solver="breadth-first", observer=layers)
    assert result.engine == "compiled"
    assert layers.beginnings == 2
    assert layers.bounds == list(range(1, 9 * 9 + 1))


@pytest.mark.parametrize("engine", ["naive", "compiled"])
def test_a_search_for_bounds_tells_how_they_draw_together(engine: str) -> None:
    line = Progress(quiet=True)
    told: list[tuple[float, float, int]] = []
    line.narrowed = lambda *bounds: told.append(bounds)  # type: ignore[method-assign]
    result = solve(TigerProblem(), engine=engine, observer=line)
    assert isinstance(result, PolicyResult)
    for (lower, upper, beliefs), (higher, less, more) in pairwise(told):
        assert lower <= higher <= less <= upper
        assert beliefs <= more
    assert told[-1][1] - told[-1][0] <= 1e-3 * told[-1][1]
    Progress.narrowed(line, *told[-1])
    assert f"value between {told[-1][0]:.7g} and" in line.__rich__()


def test_bounds_do_not_get_worse_where_another_engine_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("beliefsearch.planner.pomdp._TURN", 50)  # so many back-ups without kernels
    told: list[float] = []
    shown: list[tuple[float, float]] = []

    class Line(Progress):
        def narrowed(self, lower: float, upper: float, beliefs: int) -> None:
            super().narrowed(lower, upper, beliefs)
            told.append(upper - lower)
            found = re.search(r"between (\S+) and (\S+),", self.__rich__())
            assert found
            shown.append((float(found[1]), float(found[2])))

    result: Any = solve(TigerProblem(), observer=Line(quiet=True))
    assert told != sorted(told, reverse=True)  # the second search begins with worse ones
    assert all(before[0] <= after[0] <= after[1] <= before[1] for before, after in pairwise(shown))
    assert shown[-1] == (float(f"{result.lower_bound:.7g}"), float(f"{result.upper_bound:.7g}"))


class TenSeconds(ExploreProgress):
    """Progress after ten seconds."""

    seconds = 10.0


def test_what_was_done_before_does_not_count_as_quick_work(tmp_path: Path) -> None:
    problem = PancakesProblem(start=(1, 2, 3, 4, 5, 6))
    before = sum(explore(problem, store=tmp_path / "kept", limits=Limits(expanded=200)).layers[:-1])
    line = TenSeconds(quiet=True)
    total = explore(problem, store=tmp_path / "kept", resume=True, observer=line).total
    assert 0 < before < 200 < total == 720
    assert line.rate == (total - before) / 10


def test_what_is_waited_for_is_told() -> None:
    line = ExploreProgress(quiet=True)
    line.waiting("workers")
    assert line.__rich__() == "0 s: waiting for workers"
    line.waiting("")
    assert line.__rich__() == "0 s: beginning"
