"""What is kept of one problem is never taken for another's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from importlib.metadata import entry_points
from json import dumps
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from beliefsearch import Limits, Problem, Status, solve
from beliefsearch.errors import StoreError
from beliefsearch.plugins.options import make_problem
from beliefsearch.running.store.checkpoint import Checkpoint
from beliefsearch.running.store.fingerprint import parameters_in
from beliefsearch.tools import load_problem_class

LIBRARY = {entry.name: entry for entry in entry_points(group="beliefsearch.problems")}


class Line(Problem[int, str]):
    """Go up to `goal`, which stands in an attribute that attrs knows nothing of."""

    def __init__(self, goal: Any) -> None:
        self._goal = goal

    def initial_state(self) -> int:
        return 0

    def actions(self, state: int) -> tuple[str, ...]:
        return ("up",)

    def result(self, state: int, action: str) -> int:
        return state + 1

    def is_goal(self, state: int) -> bool:
        return bool(state >= self.steps)

    @cached_property
    def steps(self) -> int:
        return int(np.sum(self._goal))


class WithSlots:
    __slots__ = ("goal",)

    def __init__(self, goal: Any) -> None:
        self.goal = goal


class ExtendsFields(WithSlots):
    def __init__(self, goal: Any) -> None:
        super().__init__(0)
        self._goal = goal


@frozen
class WithFields:
    goal: Any
    table: object = field(factory=object, eq=False)


@frozen
class Slotted:
    goal: int

    @cached_property
    def doubled(self) -> int:
        return 2 * self.goal


def ones(number: int) -> Any:
    """So long that its text leaves out where the ones are."""
    array = np.zeros(5_000, dtype=int)
    array[number] = 1
    return array


@pytest.mark.parametrize("kind", [Line, WithSlots, ExtendsFields, WithFields])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (2, 3),
        (1, 1.0),
        (1, True),
        ("1", 1),
        ([1, 2], (1, 2)),
        ({1: [2, {3}]}, {1: [2, {4}]}),
        (ones(2_000), ones(3_000)),
        (ones(2_000), ones(2_000).astype(float)),
        ([WithFields(1)], [WithFields(2)]),
        (int, float),
    ],
)
def test_problems_that_differ_are_told_apart(kind: Callable[[Any], object], one: Any, other: Any) -> None:
    assert dumps(parameters_in(kind(one))) == dumps(parameters_in(kind(one))) != dumps(parameters_in(kind(other)))


def test_the_order_of_a_set_and_what_is_cached_tell_nothing() -> None:
    forwards, backwards = set(range(0, 800, 8)), set(range(792, -1, -8))
    assert parameters_in(Line(forwards)) == parameters_in(Line(backwards))
    line = Line(3)
    before = parameters_in(line)
    assert line.steps == 3
    assert parameters_in(line) == before


def test_what_slots_cache_tells_nothing_to_a_class_that_extends_it() -> None:
    class Extended(Slotted):
        pass

    one = Extended(3)
    before = parameters_in(one)
    assert one.doubled == 6
    assert parameters_in(one) == before == {"goal": 3}


@pytest.mark.parametrize("value", [len, lambda: 1, object(), [object()], {1: print}])
def test_what_cannot_be_told_apart_is_refused(value: Any, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"Line\._goal is .*, by which a store cannot tell one problem from another"):
        solve(Line(value), store=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_class_without_a_source_is_refused(tmp_path: Path) -> None:
    names: dict[str, Any] = {"Line": Line, "__name__": "nowhere"}
    exec("class Sourceless(Line): pass", names)  # as in a console
    with pytest.raises(StoreError, match="the source of Sourceless is nowhere to be found"):
        solve(names["Sourceless"](3), store=tmp_path / "kept")


def test_another_line_is_another_problem(tmp_path: Path) -> None:
    assert solve(Line(20), store=tmp_path / "kept").cost == 20
    with pytest.raises(StoreError, match=r"there parameters\._goal is 20, here 10"):
        solve(Line(10), store=tmp_path / "kept", resume=True)
    assert solve(Line(20), store=tmp_path / "kept", resume=True).cost == 20


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_every_puzzle_can_be_kept(name: str) -> None:
    cls = LIBRARY[name].load()
    assert parameters_in(make_problem(cls, dict(cls.known_answers[0].options)))


def test_a_changed_helper_is_noticed_by_states_that_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checkpoint, "due", lambda checkpoint: True)
    (tmp_path / "rules_of_walk.py").write_text("def after(place):\n    return (place + 1) % 5000\n")
    (tmp_path / "helped_walk.py").write_text(
        "import rules_of_walk\nfrom beliefsearch import Problem\n\n\n"
        "class HelpedWalk(Problem[int, str]):\n"
        "    def initial_state(self):\n        return 0\n\n"
        "    def actions(self, state):\n        return ('on',)\n\n"
        "    def result(self, state, action):\n        return rules_of_walk.after(state)\n\n"
        "    def is_goal(self, state):\n        return state == 4999\n"
    )
    cls: Any = load_problem_class(str(tmp_path / "helped_walk.py"))
    stopped = solve(cls(), solver="breadth-first", store=tmp_path / "kept", limits=Limits(expanded=100))
    assert stopped.status is Status.UNDECIDED
    rules: Any = sys.modules["rules_of_walk"]
    rules.after = lambda place: (place + 7) % 5000
    with pytest.raises(StoreError, match="damaged, or the puzzle has changed"):
        solve(cls(), solver="breadth-first", store=tmp_path / "kept", resume=True)
