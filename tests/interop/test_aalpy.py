"""Automata of AALpy: those that it makes itself, as objects and as it saves them, and what is refused without it."""

from __future__ import annotations

import random
import sys
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beliefsearch import ProblemError, check_plan, solve
from beliefsearch.interop.aalpy import from_aalpy
from beliefsearch_problems.files.mealy import MealyFileProblem
from beliefsearch_problems.files.prism import PrismFileProblem

from ..problems.test_machines import least_inputs


def test_other_things_are_refused() -> None:
    pytest.importorskip("aalpy")
    with pytest.raises(ProblemError, match="SimpleNamespace is no finite automaton of AALpy; there are Dfa, Moore"):
        from_aalpy(SimpleNamespace(states=[]))


def test_without_the_library_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aalpy", None)
    monkeypatch.setitem(sys.modules, "aalpy.utils", None)
    with pytest.raises(ModuleNotFoundError, match=r"not installed; pip install 'beliefsearch\[aalpy\]'"):
        from_aalpy(SimpleNamespace(states=[]))


def test_an_engine_without_its_library_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "unified_planning", None)
    monkeypatch.delitem(sys.modules, "beliefsearch.interop.unified_planning", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"not installed; pip install 'beliefsearch\[up\]'"):
        import_module("beliefsearch.interop.unified_planning")


def made(kind: str) -> Any:
    """A small random automaton by AALpy itself."""
    utils = pytest.importorskip("aalpy.utils")
    random.seed(5)
    return {
        "dfa": lambda: utils.generate_random_dfa(num_states=5, alphabet=["a", 2], num_accepting_states=2),
        "moore": lambda: utils.generate_random_moore_machine(4, ["a", "b"], ["x y", "z"]),
        "mealy": lambda: utils.generate_random_mealy_machine(4, ["a", "b"], [0, 1]),
        "onfsm": lambda: utils.generate_random_ONFSM(num_states=3, num_inputs=2, num_outputs=2),
        "mdp": lambda: utils.generate_random_mdp(num_states=5, input_size=2, output_size=3),
        "smm": lambda: utils.generate_random_smm(num_states=4, input_size=2, output_size=3),
        "chain": lambda: utils.generate_random_markov_chain(4),
    }[kind]()


@pytest.mark.filterwarnings("ignore::beliefsearch.errors.DataWarning")
@pytest.mark.parametrize("kind", ["dfa", "moore", "mealy", "onfsm"])
def test_objects_and_files_are_one_machine(kind: str, tmp_path: Path) -> None:
    automaton = made(kind)
    automaton.save(tmp_path / "saved.dot")
    machine = MealyFileProblem(tmp_path / "saved.dot").machine
    for find, found in (("homing", {}), ("synchronizing", {"outputs": "unseen"})):
        problem = from_aalpy(automaton, find=find)
        assert {state: {put: {*ways} for put, ways in row.items()} for state, row in problem.machine.items()} == {
            state: {put: {*ways} for put, ways in row.items()} for state, row in machine.items()
        }
        assert solve(problem).cost == least_inputs(machine, **found)
    for state in automaton.states if kind in ("dfa", "moore", "mealy") else ():
        for put in ("a", 2, "b"):
            if put in state.transitions:
                automaton.current_state = state
                output = automaton.step(put)
                said = {True: "accepted", False: "rejected"}[output] if kind == "dfa" else str(output)
                assert machine[state.state_id][str(put)] == ((automaton.current_state.state_id, said),)


def most_likely(automaton: Any, goal: str, steps: int) -> float:
    """The greatest probability of an output within so many steps, where states are seen."""
    worth = dict.fromkeys((state.state_id for state in automaton.states), 0.0)
    for _ in range(steps):
        before, worth = worth, {}
        for state in automaton.states:
            moves = state.transitions if isinstance(state.transitions, dict) else {"step": state.transitions}
            worth[state.state_id] = max(
                sum(
                    way[-1]
                    * (1 if str(way[1] if len(way) == 3 else way[0].output) == goal else before[way[0].state_id])
                    for way in ways
                )
                for ways in (*moves.values(), ())
            )
    return worth[automaton.initial_state.state_id]


@pytest.mark.parametrize("kind", ["mdp", "smm", "chain"])
def test_values_are_those_of_the_automaton(kind: str, tmp_path: Path) -> None:
    automaton = made(kind)
    automaton.save(tmp_path / "saved.dot")
    outputs = {str(getattr(state, "output", "o1")) for state in automaton.states}
    outputs -= {str(getattr(automaton.initial_state, "output", ""))}
    for goal in sorted(outputs):
        asked = f'P{"" if kind == "chain" else "max"}=? [ F<=3 "{goal}" ]'
        problem = from_aalpy(automaton, property=asked)
        value = solve(problem).value
        assert value == solve(PrismFileProblem(tmp_path / "saved.dot", property=asked)).value
        assert isinstance(value, int | Fraction)
        if problem.sees_state():
            assert float(value) == pytest.approx(most_likely(automaton, goal, 3))
        else:
            assert value <= most_likely(automaton, goal, 3) + 1e-9
    assert outputs


def test_a_file_that_is_kept_verifies_plans(tmp_path: Path) -> None:
    automaton = made("mealy")
    problem = from_aalpy(automaton, path=tmp_path / "kept.dot", find="homing")
    assert problem == MealyFileProblem(tmp_path / "kept.dot", find="homing")
    assert check_plan(problem, solve(problem).plan).holds
    with pytest.warns(match="probabilities are not looked at"):
        assert solve(from_aalpy(made("mdp"), find="homing")).plan is not None


def test_inputs_with_a_slash_are_refused() -> None:
    automaton = made("dfa")
    first, second = automaton.states[:2]
    first.transitions["get /"] = second
    with pytest.raises(ProblemError, match="the input 'get /' has a slash, which parts inputs from outputs"):
        from_aalpy(automaton)
