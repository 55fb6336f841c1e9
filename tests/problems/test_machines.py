"""Adaptive homing and distinguishing of machines: small ones by brute force, and real ones where their files are.

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

from beliefsearch import Limits, prove, solve
from beliefsearch.verify.conditional import check_conditional_plan
from beliefsearch.verify.proof import check_proof, rules_out_trying

from ..examples import examples
from ..toys.machines import Distinguish, Home, Machine, read_machine

FOLDER = Path(os.environ.get("BELIEFSEARCH_MACHINES", "no machines"))
KNOWN: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text()) if FOLDER.is_dir() else {}
ENOUGH = Limits(seconds=60)

# Two states that no input tells apart from each other, and one that is left for them.
TWINS: Machine = {
    "a": {"x": ("b", "0"), "y": ("a", "0")},
    "b": {"x": ("c", "0"), "y": ("b", "1")},
    "c": {"x": ("b", "0"), "y": ("c", "1")},
}


def least_inputs(machine: Machine, *, start: bool) -> float:
    """The least number of inputs after which the state now, or at the start, is known; by brute force, by depth."""
    inputs = sorted({put for row in machine.values() for put in row})

    def known(pairs: frozenset[tuple[str, str]], depth: int) -> bool:
        if len({pair[start] for pair in pairs}) <= 1:
            return True
        if not depth:
            return False
        for put in inputs:
            if all(put in machine[now] for now, _ in pairs):
                parts: dict[str, set[tuple[str, str]]] = {}
                for now, first in pairs:
                    after, output = machine[now][put]
                    parts.setdefault(output, set()).add((after, first))
                if all(known(frozenset(part), depth - 1) for part in parts.values()):
                    return True
        return False

    everything = frozenset((state, state) for state in machine)
    most = len(machine) ** 2
    return next((depth for depth in range(most) if known(everything, depth)), math.inf)


def assert_proved(problem: Any, least: float) -> None:
    result = solve(problem, limits=ENOUGH)
    assert result.cost == least
    if result.plan is not None:
        assert check_conditional_plan(problem, result.require_conditional_plan(), claimed_cost=least).holds
    if least:
        proof = prove(problem, result, limits=ENOUGH)
        assert proof.data is not None
        assert check_proof(problem, json.loads(json.dumps(proof.data))) == least
        assert rules_out_trying(problem, proof.data["kind"])


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    states = [str(number) for number in range(draw(st.integers(2, 3)))]
    answers = st.tuples(st.sampled_from(states), st.sampled_from("01"))
    row = st.fixed_dictionaries({"x": answers}, optional={"y": answers})
    return {state: draw(row) for state in states}


@given(machine=machines())
@settings(max_examples=examples(20))
def test_machines_agree_with_brute_force(machine: Machine) -> None:
    assert solve(Distinguish(machine)).cost == least_inputs(machine, start=True)
    assert solve(Home(machine)).cost == least_inputs(machine, start=False)


def test_states_that_cannot_be_told_apart_are_proved_so() -> None:
    assert_proved(Distinguish(TWINS), math.inf)
    assert_proved(Home(TWINS), math.inf)
    assert_proved(Distinguish({"a": {"x": ("b", "0")}, "b": {"x": ("a", "1")}}), 1)


def test_machines_are_read_from_files(tmp_path: Path) -> None:
    (tmp_path / "m.dot").write_text('digraph {\n s0 -> s1 [label="x/0"];\n"s1" -> s0 [label=<x / <b>1</b>>]\nq [x=1] }')
    (tmp_path / "m.kiss").write_text("s0 -- x / 0 -> s1\ns1 -- x / 1 -> s0\n")
    assert read_machine(tmp_path / "m.dot") == read_machine(tmp_path / "m.kiss")
    assert read_machine(tmp_path / "m.kiss") == {"s0": {"x": ("s1", "0")}, "s1": {"x": ("s0", "1")}}


@pytest.mark.skipif(not KNOWN, reason="BELIEFSEARCH_MACHINES names no folder of machines")
@pytest.mark.parametrize(("name", "kind"), list(product(KNOWN, (Distinguish, Home))))
def test_real_machines(name: str, kind: Any) -> None:
    expected = KNOWN[name]["distinguishing_adaptive" if kind is Distinguish else "homing_adaptive"]
    problem = kind(read_machine(FOLDER / name))
    assert len(problem.machine) == KNOWN[name]["states"]
    if len(problem.machine) == 1:
        expected = 0  # nothing is unknown, whatever else is told
    assert_proved(problem, math.inf if expected is None else expected)
