"""An author's code that raises StopIteration, as a bare `next(...)` does, may end a search but never cut it short."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial, wraps
from itertools import product
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

import beliefsearch as bs
from beliefsearch.kinds import Kind, kind_of
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.hidden_number import HiddenNumberProblem
from beliefsearch_problems.monty_hall import MontyHallProblem
from beliefsearch_problems.noisy_monty_hall import NoisyMontyHallProblem
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.vacuum import VacuumProblem
from beliefsearch_problems.water_jugs import WaterJugsProblem

from ..conftest import Run
from ..examples import thorough
from ..toys import method, toy

PUZZLES: list[tuple[type[Any], dict[str, Any]]] = [
    (WaterJugsProblem, {}),
    (PancakesProblem, {"start": (3, 1, 2)}),
    (DevilProblem, {"n": 2, "reduced": True}),
    (HiddenNumberProblem, {"limit": 4}),
    (VacuumProblem, {"sensing": "local", "variant": "slippery"}),
    (GamblerProblem, {"goal": 6, "capital": 3}),
    (MontyHallProblem, {}),
    (NoisyMontyHallProblem, {}),
]


def solved(problem: Any, **options: Any) -> Any:
    found = bs.solve(problem, **options)
    if isinstance(found, bs.PolicyResult):
        return found.status, found.value, found.upper_bound
    return found.status, found.cost, found.lower_bound


def explored(problem: Any, **options: Any) -> Any:
    found = bs.tools.explore(problem, **options)
    return found.layers, found.complete, found.cut_off


def proved(problem: Any) -> Any:
    found = bs.prove(problem)
    return found.status, found.bound


def drawn(graph: Callable[..., Any], problem: Any) -> Any:
    found = graph(problem)
    return len(found), found.number_of_edges()


def played(problem: Any) -> Any:
    found: Any = bs.solve(problem)
    plan = found.policy if isinstance(found, bs.PolicyResult) else found.plan
    return bs.simulate(problem, plan, games=5, seed=1)


WAYS: dict[str, Callable[[Any], Any]] = {
    "solve": solved,
    "solve naive": partial(solved, engine="naive"),
    "explore": explored,
    "explore naive": partial(explored, engine="naive"),
    "explore compiled": partial(explored, engine="compiled"),
    "explore backward": partial(explored, backward=True),
    "prove": proved,
    "state graph": partial(drawn, bs.graph.state_graph),
    "belief graph": partial(drawn, bs.graph.belief_graph),
    "describe": bs.tools.describe,
    "simulate": played,
}


def methods_of(cls: type[Any]) -> list[str]:
    """What the authors of a puzzle, and of the hooks that it is derived from, have written for us to call."""
    own = [kind for kind in cls.__mro__ if kind.__module__.startswith("beliefsearch_problems.")]
    ours = {name for kind in cls.__mro__ if kind not in own for name in vars(kind)}
    written = {name for kind in own for name, value in vars(kind).items() if isinstance(value, FunctionType)}
    shown = ("_", "format_", "parse_", "describe_", "svg_", "draw_")  # which no answer depends on
    return sorted(name for name in written & ours if not name.startswith(shown))


def stopping(cls: type[Any], options: dict[str, Any], method: str, calls: int) -> Any:
    """The puzzle, of which `method` raises StopIteration from the call of that number on."""
    given, left = getattr(cls, method), calls

    @wraps(given)
    def stops(self: Any, *arguments: Any) -> Any:
        nonlocal left
        left -= 1
        return given(self, *arguments) if left > 0 else next(iter(()))

    return type(cls.__name__, (cls,), {method: stops, "__module__": cls.__module__})(**options)


def told(way: Callable[[Any], Any], make: Callable[[], Any]) -> Any:
    """The answer, or the error as text."""
    try:
        return way(make())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("calls", [2, thorough(9)])
@pytest.mark.parametrize(("cls", "options"), PUZZLES, ids=lambda given: getattr(given, "__name__", ""))
def test_no_answer_is_wrong_where_a_method_raises_it(cls: type[Any], options: dict[str, Any], calls: int) -> None:
    right = {name: told(way, lambda: cls(**options)) for name, way in WAYS.items()}
    right = {name: answer for name, answer in right.items() if not isinstance(answer, str)}  # what this kind has
    errors = 0
    for named, name in product(methods_of(cls), right):
        answer = told(WAYS[name], lambda: stopping(cls, options, named, calls))  # noqa: B023  # called at once
        assert isinstance(answer, str) or answer == right[name], (named, calls, name)
        errors += isinstance(answer, str)
    assert errors  # else nothing was asked


def test_there_is_a_puzzle_of_every_kind() -> None:
    assert {kind_of(cls(**options)) for cls, options in PUZZLES} == set(Kind)


def test_a_layer_on_disk_is_not_cut_short(tmp_path: Path) -> None:
    options = {"start": (3, 1, 2, 4)}
    broken = stopping(PancakesProblem, options, "results_of", 9)
    with pytest.raises(RuntimeError, match="StopIteration"):
        bs.tools.explore(broken, store=tmp_path / "kept")


def test_the_method_that_raises_it_is_named(cli: Run, folder: Path) -> None:
    (folder / "narrow.py").write_text(toy("narrow") + method("canonical", "return next(iter(()))"))
    code, out, err = cli("explore", "narrow.py")
    assert (code, out) == (2, "")
    assert "Narrow.canonical(0) raised StopIteration (line " in err


def test_no_loop_in_c_calls_an_author() -> None:
    by_author = re.compile(r"\b(?:map|filter|takewhile|accumulate)\((?:\w+\.)*_?problem\.\w+,")
    files = Path(bs.__file__).parent.rglob("*.py")
    found = {file.name: calls for file in files if (calls := by_author.findall(file.read_text(encoding="utf-8")))}
    assert not found, "StopIteration would end them; write a comprehension, in which it is an error"
