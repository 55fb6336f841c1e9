"""Homing, distinguishing and resetting machines: small ones by brute force, and real ones where their files are.

`BELIEFSEARCH_MACHINES` names a folder of machines with `expected.json`, the least numbers of inputs by brute force.
"""

from __future__ import annotations

import json
import math
import os
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, ProblemError, prove, solve
from beliefsearch.proofs.check import check_proof
from beliefsearch.verify.proof import rules_out_trying
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems._mealy.reader import Machine
from beliefsearch_problems.files.mealy import MealyFileProblem

from ..examples import examples
from ..random_problems import least_costs
from .layers import assert_solved

FOLDER = Path(os.environ.get("BELIEFSEARCH_MACHINES", "no machines"))
_EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text()) if FOLDER.is_dir() else {}
KNOWN = {name: known for name, known in _EXPECTED.items() if name.endswith(".dot")}
# This has a stack.
NO_MEALY = ("arithmetics.dot",)
# Of this `expected.json` takes labels whose lines are inputs and an output for inputs: it is done by brute force here.
IN_LINES = "JSSE_1.8.0_25_server_regular.dot"
ENOUGH = Limits(seconds=60)

# What is asked of a machine, and what it is called where answers are known.
QUESTIONS: dict[str, dict[str, Any]] = {
    "homing_adaptive": {},
    "distinguishing_adaptive": {"find": "start"},
    "reset": {"outputs": "unseen"},
}

# Two states that no input tells apart from each other, and one that is left for them.
TWINS: Machine = {
    "a": {"x": [("b", "0")], "y": [("a", "0")]},
    "b": {"x": [("c", "0")], "y": [("b", "1")]},
    "c": {"x": [("b", "0")], "y": [("c", "1")]},
}


def least_inputs(machine: Machine, *, find: str = "now", outputs: str = "seen") -> float:
    """The least number of inputs after which the state now, or at the start, is known; by brute force."""
    inputs = sorted({put for row in machine.values() for put in row})

    def parts(pairs: frozenset[tuple[str, str]], put: str) -> list[frozenset[tuple[str, str]]]:
        found: dict[str, set[tuple[str, str]]] = {}
        for now, first in pairs:
            for after, output in machine[now][put]:
                found.setdefault(output if outputs == "seen" else "", set()).add((after, first))
        return [frozenset(part) for part in found.values()]

    def ways(pairs: frozenset[tuple[str, str]]) -> list[tuple[int, list[frozenset[tuple[str, str]]]]]:
        return [(1, parts(pairs, put)) for put in inputs if all(put in machine[now] for now, _ in pairs)]

    everything = frozenset((state, state) for state in machine)
    costs = least_costs([everything], ways, lambda pairs: len({pair[find == "start"] for pair in pairs}) == 1)
    least: float = costs[everything]
    return least


def assert_proved(problem: Any, least: float) -> None:
    result = assert_solved(problem, least, limits=ENOUGH)
    if least:
        proof = prove(problem, result, limits=ENOUGH)
        assert proof.data is not None
        assert check_proof(problem, json.loads(json.dumps(proof.data))) == least
        assert problem.is_sensorless() or rules_out_trying(problem, proof.data)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    states = [str(number) for number in range(draw(st.integers(2, 3)))]
    answer = st.tuples(st.sampled_from(states), st.sampled_from("01"))
    answers = st.lists(answer, min_size=1, max_size=draw(st.sampled_from((1, 1, 2))), unique=True)
    row = st.fixed_dictionaries({"x": answers}, optional={"y": answers})
    return {state: draw(row) for state in states}


@given(machine=machines())
@settings(max_examples=examples(20))
def test_machines_agree_with_brute_force(machine: Machine) -> None:
    for options in QUESTIONS.values():
        assert solve(MachineProblem(machine, **options)).cost == least_inputs(machine, **options)


def test_states_that_cannot_be_told_apart_are_proved_so() -> None:
    assert_proved(MachineProblem(TWINS, find="start"), math.inf)
    assert_proved(MachineProblem(TWINS), math.inf)
    assert_proved(MachineProblem({"a": {"x": [("b", "0")]}, "b": {"x": [("a", "1")]}}, find="start"), 1)


def test_outputs_that_nobody_sees_do_not_keep_states_apart() -> None:
    machine = {"a": {"x": [("b", "0"), ("b", "1")]}, "b": {"x": [("b", "2")]}}
    problem = MachineProblem(machine, outputs="unseen")
    assert solve(problem).cost == 1
    assert (problem.results(("a", "", ""), "x"), problem.percepts(("b", "", ""), "x")) == ([("b", "", "")], (None,))
    with pytest.raises(ValueError, match="tell nothing of the start"):
        MachineProblem(machine, find="start", outputs="unseen")


@pytest.mark.skipif(not KNOWN, reason="BELIEFSEARCH_MACHINES names no folder of machines")
@pytest.mark.parametrize(("name", "question"), list(product(KNOWN, QUESTIONS)))
def test_real_machines(name: str, question: str) -> None:
    if name in NO_MEALY:
        with pytest.raises(ProblemError, match="is of an automaton with a stack"):
            MealyFileProblem(FOLDER / name)
        return
    expected = KNOWN[name][question]
    problem = MealyFileProblem(FOLDER / name, **QUESTIONS[question])
    if name == IN_LINES:
        assert all(len(row) == 8 for row in problem.machine.values())
        expected = least_inputs(problem.machine, **QUESTIONS[question])
    assert len(problem.machine) == KNOWN[name]["states"]
    if len(problem.machine) == 1:
        expected = 0  # nothing is unknown, whatever else is told
    assert_proved(problem, math.inf if expected is None else expected)
