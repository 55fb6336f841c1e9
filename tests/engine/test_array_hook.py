"""The array hook: what it gives is what the author's `results` gives, and what breaks its contract is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from beliefsearch import BeliefProblem, Blindfolded, Problem, ProblemError, solve
from beliefsearch.engine.compiled.sensorless import CompiledView
from beliefsearch.hooks import ArrayHook
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem

from ..toys.made import derived, made

_NEXT = np.array([[1], [2], [3], [3]])
_NEXT.setflags(write=False)


def hooked(listed: Any = (0, 1, 2, 3), arrays: Any = _NEXT) -> Any:
    """Walk along states 0 to 3 until the last; 10 and 11 are other names of 0 and 1."""
    return made(
        BeliefProblem,
        ArrayHook,
        initial_states=[0, 1],
        actions=("step",),
        results=lambda state, _: [min(state + 1, 3)],
        is_goal=lambda state: state == 3,
        canonical=lambda state: state % 10,
        all_states=lambda: listed,
        all_results=lambda _: arrays,
    )


def hooked_plain(arrays: Any = _NEXT) -> Any:
    """The same with one start, to be played blindfolded."""
    return made(
        Problem,
        ArrayHook,
        initial_state=0,
        possible_starts=[0, 1],
        actions=("step",),
        result=lambda state, _: min(state + 1, 3),
        is_goal=lambda state: state == 3,
        all_states=(0, 1, 2, 3),
        all_results=lambda _: arrays,
    )


SOLVING = ["breadth-first", "bidirectional", "regression", "uniform-cost", "astar"]
WRONG_ARRAYS: list[tuple[Any, str]] = [
    (np.array([1, 2, 3, 3]), r"shape \(4,\); it should be \(4, most"),
    (np.array([[1], [2], [3]]), r"shape \(3, 1\); it should be \(4, most"),
    (np.array([[1], [2], [3], [3], [3]]), r"shape \(5, 1\); it should be \(4, most"),
    (np.zeros((4, 0), dtype=np.int64), r"shape \(4, 0\); it should be \(4, most"),
    (np.zeros((4, 1, 1), dtype=np.int64), r"shape \(4, 1, 1\)"),
    (None, r"shape \(\)"),
    (np.array([[1.0], [2.0], [3.0], [3.0]]), "float64; it should hold whole numbers"),
    (np.array([[True], [True], [True], [True]]), "bool; it should hold whole numbers"),
    (np.array([["1"], ["2"], ["3"], ["3"]]), "whole numbers"),
    (np.array([[1], [2], [4], [3]]), "numbers from 1 to 4; states go from 0 to 3"),
    (np.array([[1], [2], [-1], [3]]), "numbers from -1 to 3; states go from 0 to 3"),
]


@pytest.mark.parametrize("solver", SOLVING)
def test_a_hook_that_keeps_its_contract_is_used(solver: str) -> None:
    result = solve(hooked(), solver=solver, engine="compiled")
    assert result.plan == ("step",) * 3
    lists = hooked(arrays=[[1], [2], [3], [3]], listed=[0, 1, 2, 3])  # anything that NumPy takes will do
    assert solve(lists, solver=solver, engine="compiled").plan == ("step",) * 3


@pytest.mark.parametrize("solver", SOLVING)
@pytest.mark.parametrize(("arrays", "complaint"), WRONG_ARRAYS)
def test_results_that_are_no_array_of_states_are_refused(arrays: Any, complaint: str, solver: str) -> None:
    with pytest.raises(ProblemError, match=r"Made\.all_results\('step'\) gave .*" + complaint) as error:
        solve(hooked(arrays=arrays), solver=solver, engine="compiled")
    assert "\n" not in str(error.value)


def test_results_of_rows_that_differ_in_length_are_refused() -> None:
    with pytest.raises(ProblemError, match=r"Made\.all_results\('step'\)"):
        solve(hooked(arrays=[[1], [2, 3], [3], [3]]), engine="compiled")


@pytest.mark.parametrize(("arrays", "complaint"), WRONG_ARRAYS)
def test_blindfolded_too_results_that_are_no_array_of_states_are_refused(arrays: Any, complaint: str) -> None:
    with pytest.raises(ProblemError, match=r"all_results\('step'\) gave"):
        solve(Blindfolded(hooked_plain(arrays)), engine="compiled")


def test_blindfolded_the_author_s_own_array_is_left_as_it_is() -> None:
    # The last row would be changed: nothing changes a state that is won.
    arrays = np.array([[1], [2], [3], [0]])
    blind = Blindfolded(hooked_plain(arrays))
    assert solve(blind, engine="compiled").cost == 3
    assert arrays.tolist() == [[1], [2], [3], [0]]
    arrays.setflags(write=False)
    assert solve(blind, engine="compiled").cost == 3


@pytest.mark.parametrize(
    ("listed", "complaint"),
    [
        ((0, 2, 3), r"lacks 1, which can come up"),
        ((), r"lacks 0, which can come up"),
        ((0, 1, 1, 2, 3), r"lists 1, which is there already or is not canonical"),
        ((0, 11, 2, 3), r"lists 11, which is there already or is not canonical"),
        ((0, 1, 2, 3, 10), r"lists 10, which is there already or is not canonical"),
        ((0, 1, [2], 3), r"lists \[2\]"),
    ],
)
def test_states_that_are_not_listed_once_each_are_refused(listed: Any, complaint: str) -> None:
    with pytest.raises(ProblemError, match=r"Made\.all_states\(\) " + complaint) as error:
        solve(hooked(listed=listed), engine="compiled")
    assert "\n" not in str(error.value)


def test_states_that_never_come_up_may_be_listed() -> None:
    wider = hooked(listed=(5, 0, 1, 2, 3, 6), arrays=[[0], [2], [3], [4], [4], [0]])
    for solver in SOLVING:
        assert solve(wider, solver=solver, engine="compiled").plan == ("step",) * 3


DEVILS = [
    DevilProblem(n=n, faces=faces, group=group, goal=goal, reduced=reduced)
    for n, faces in ((1, 2), (3, 2), (4, 2), (2, 3), (3, 3))
    for group in ("turns", "reflections", "permutations")
    for goal in ("all-heads", "all-same")
    for reduced in (True, False)
]
BOARDS: list[Any] = [
    LightsOutProblem(rows=1, cols=4),
    LightsOutProblem(rows=2, cols=3),
    NineTailsProblem(rows=2, cols=2),
    NineTailsProblem(rows=2, cols=2, legal="any"),
]


@pytest.mark.parametrize("devil", [devil for devil in DEVILS if devil.n == 3 or devil.reduced], ids=str)
def test_with_the_hook_results_are_asked_for_once_an_action(
    devil: DevilProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    bits = solve(devil, solver="breadth-first", engine="bits")

    asked = []
    results = DevilProblem.results

    def count(self: DevilProblem, state: str, action: Any) -> Any:
        asked.append(action)
        return results(self, state, action)

    monkeypatch.setattr(DevilProblem, "results", count)
    compiled = solve(devil, solver="breadth-first", engine="compiled")
    assert (compiled.status, compiled.plan) == (bits.status, bits.plan)
    assert evolve(compiled.stats, seconds=0) == evolve(bits.stats, seconds=0)
    assert len(asked) == len(set(asked))


def test_a_hook_that_disagrees_with_results_is_found_out_by_the_engine() -> None:
    wrong = derived(DevilProblem, all_results=lambda action: DevilProblem(n=3).all_results(action) * 0)
    with pytest.raises(ProblemError, match=r"Made\.all_results\(.*disagrees with results"):
        solve(wrong(n=3), engine="compiled")


def test_lamps_have_the_same_search_blindfolded_with_the_hook_and_without() -> None:
    blind = Blindfolded(LightsOutProblem(rows=1, cols=4))
    bits, compiled = (solve(blind, solver="breadth-first", engine=engine) for engine in ("bits", "compiled"))
    assert (bits.plan, bits.cost) == (compiled.plan, 15)
    assert evolve(compiled.stats, seconds=0) == evolve(bits.stats, seconds=0)
    assert len(CompiledView(blind).model.states) == 16
