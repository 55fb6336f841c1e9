"""The front doors: public names are few, stand in stubs, and those that have moved are still found."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

import beliefsearch
from beliefsearch import solve
from beliefsearch._doors import DOORS, public_names
from beliefsearch.errors import MovedNameWarning
from beliefsearch.planner.solver_table import SOLVERS
from beliefsearch.solvers import and_or, astar, breadth_first, hsvi, policy_iteration
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

# The names of `beliefsearch` up to the version in which the doors were opened.
MOVED = {
    "ArrayHook": "hooks",
    "ReversibleProblem": "hooks",
    "belief_graph": "graph",
    "WinningRegion": "graph",
    "draw_plan": "plot",
    "Profile": "plot",
    "problem_page": "page",
    "explore": "tools",
    "SweepRow": "tools",
    "SearchStats": "results",
    "Turn": "results",
    "distance_table": "solvers",
    "StoreError": "errors",
}


def test_the_main_door_has_thirty_names() -> None:
    assert len(public_names()["beliefsearch"]) == 30 + 1  # and the version


@pytest.mark.parametrize("door", ["beliefsearch", *(f"beliefsearch.{door}" for door in DOORS)])
def test_every_name_of_a_door_is_there(door: str) -> None:
    module = import_module(door)
    names = public_names()[door]
    assert names
    assert set(names) <= set(dir(module))
    for name in names:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing


@pytest.mark.parametrize("name", MOVED)
def test_a_name_that_has_moved_is_still_found(name: str) -> None:
    with pytest.warns(MovedNameWarning, match=f"`from beliefsearch.{MOVED[name]} import {name}`") as told:
        old = getattr(beliefsearch, name)
    assert told[0].filename == __file__
    assert old is getattr(import_module(f"beliefsearch.{MOVED[name]}"), name)


def test_solve_stochastic_is_solve() -> None:
    with pytest.warns(MovedNameWarning, match="`from beliefsearch import solve`"):
        old: Any = vars(beliefsearch).get("solve_stochastic") or beliefsearch.solve_stochastic  # type: ignore[attr-defined]
    assert old is solve


def test_a_file_called_like_a_public_name_does_not_hide_it() -> None:
    code = (
        "import beliefsearch.solvers.contingent.and_or_graph, beliefsearch.planner.region\n"
        "from beliefsearch.solvers import and_or\n"
        "from beliefsearch.graph import winning_region\n"
        "print(callable(and_or), callable(winning_region))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True True\n"


def test_an_algorithm_is_a_function_of_any_problem_that_it_fits() -> None:
    assert astar(DevilProblem(n=2)).solver == "astar"
    assert astar(DevilProblem(n=2), heuristic="none").cost == breadth_first(DevilProblem(n=2)).cost == 3
    assert breadth_first(NineTailsProblem("HHTT", rows=2, cols=2)).cost is not None
    assert and_or(VacuumProblem(squares=2, sensing="local")).solver == "and-or"
    assert policy_iteration(GamblerProblem(goal=4, capital=2)).value == pytest.approx(0.4)
    assert hsvi(TigerProblem(discounted=0.75)).policy is not None


def test_every_solver_is_an_algorithm() -> None:
    door = import_module("beliefsearch.solvers")
    algorithms = {getattr(door, name) for name in public_names()["beliefsearch.solvers"] if name != "distance_table"}
    assert SOLVERS.keys() - {algorithm.name for algorithm in algorithms} == {"expected-partitions"}
