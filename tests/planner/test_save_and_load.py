"""Answers of every kind are saved to a file and loaded from it; what comes back is the same answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import Blindfolded, Limits, load, prove, save, solve, verify_file
from beliefsearch.errors import BeliefSearchError, InvalidPlanError, PluginError
from beliefsearch.graph import winning_region
from beliefsearch.results import Proof
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.gambler import GamblerProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.tiger import TigerProblem
from beliefsearch_problems.vacuum import VacuumProblem

PLAIN: Any = NineTailsProblem("HHTT", rows=2, cols=2)
SIGHTED: Any = VacuumProblem(squares=2, sensing="local")
SLIPPERY: Any = VacuumProblem(squares=2, sensing="local", variant="slippery")
PROBLEMS: dict[str, Any] = {
    "plain": PLAIN,
    "sensorless": DevilProblem(n=2),
    "unsolvable": DevilProblem(n=3),
    "contingent": SIGHTED,
    "keeps trying": SLIPPERY,
    "blindfolded": Blindfolded(PLAIN),
}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_a_result_comes_back(name: str, ending: str, tmp_path: Path) -> None:
    result = solve(PROBLEMS[name])
    path = tmp_path / f"answer.{ending}"
    save(result, path)
    read: Any = load(path)
    assert (read.status, read.cost, read.lower_bound) == (result.status, result.cost, result.lower_bound)
    assert (read.solver, read.heuristic, read.engine, read.stats) == (
        result.solver,
        result.heuristic,
        result.engine,
        result.stats,
    )
    again = tmp_path / f"again.{ending}"
    save(read, again)
    assert again.read_bytes() == path.read_bytes()
    if result.plan is not None:
        assert verify_file(path).holds


def test_an_undecided_result_comes_back(tmp_path: Path) -> None:
    result = solve(DevilProblem(n=6), solver="breadth-first", limits=Limits(expanded=3))
    save(result, tmp_path / "answer.json")
    assert load(tmp_path / "answer.json") == result


def test_policies_come_back(tmp_path: Path) -> None:
    for problem in (GamblerProblem(goal=4, capital=2), GamblerProblem(goal=4, capital=2, exact=True)):
        result = solve(problem)
        save(result, tmp_path / "policy.json")
        read: Any = load(tmp_path / "policy.json")
        assert read.value == result.value
        assert list(read.policy.items()) == list(result.require_policy().items())
        assert verify_file(tmp_path / "policy.json").holds


def test_a_policy_graph_comes_back(tmp_path: Path) -> None:
    result = solve(TigerProblem(discounted=0.75))
    save(result, tmp_path / "policy.json")
    read: Any = load(tmp_path / "policy.json")
    assert read.policy.actions == result.policy.actions
    assert read.value == pytest.approx(result.value)
    assert verify_file(tmp_path / "policy.json").holds


def test_certificates_come_back(tmp_path: Path) -> None:
    for problem in (DevilProblem(n=2), DevilProblem(n=3)):
        proof = prove(problem)
        save(proof, tmp_path / "certificate.json")
        read: Any = load(tmp_path / "certificate.json")
        assert isinstance(read, Proof)
        assert (read.bound, read.status, read.text) == (proof.bound, proof.status, proof.text)
        assert verify_file(tmp_path / "certificate.json").holds


def test_a_region_comes_back(tmp_path: Path) -> None:
    region = winning_region(SLIPPERY)
    save(region, tmp_path / "region.json")
    read: Any = load(tmp_path / "region.json")
    assert (list(read.states), list(read.actions)) == (list(region.states), list(region.actions))
    assert (list(read.beliefs), list(read.safe), read.start) == (list(region.beliefs), list(region.safe), region.start)
    assert verify_file(tmp_path / "region.json").holds


def test_a_problem_that_is_not_installed_must_be_given(tmp_path: Path) -> None:
    problem = RiverCrossingProblem()
    save(solve(problem), tmp_path / "answer.json")
    document = json.loads((tmp_path / "answer.json").read_text())
    document["problem"] = "./strange.py"
    (tmp_path / "answer.json").write_text(json.dumps(document))
    with pytest.raises(PluginError, match="not installed"):
        load(tmp_path / "answer.json")
    assert load(tmp_path / "answer.json", problem) == load(tmp_path / "answer.json", RiverCrossingProblem)


def test_what_cannot_be_saved_or_loaded_is_said(tmp_path: Path) -> None:
    nothing: Any = 5
    with pytest.raises(BeliefSearchError, match="not int"):
        save(nothing, tmp_path / "x.json")
    from attrs import evolve

    with pytest.raises(BeliefSearchError, match="give save"):
        save(evolve(solve(PLAIN), problem=None), tmp_path / "x.json")
    with pytest.raises(BeliefSearchError, match="cannot write"):
        save(solve(PLAIN), tmp_path / "no folder" / "x.json")
    with pytest.raises(InvalidPlanError, match="cannot read"):
        load(tmp_path / "x.json")
    save(solve(PLAIN), tmp_path / "x.json")
    good = json.loads((tmp_path / "x.json").read_text())
    for wrong in (
        {"plan": ["no such action"]},
        {"status": "unsolvable"},
        {"status": "won"},
        {"stats": 5},
        {"stats": {"colour": 3}},
        {"solver": None, "reason": 7},
        {"cost": -1},
        {"parameters": {"rows": "x"}},
        {"problem": "no-such-puzzle"},
        {"plan": {"kind": "winning-region", "states": [7], "actions": [], "beliefs": [], "safe": [], "start": 0}},
        {"plan": {"kind": "winning-region", "states": 7}},
    ):
        (tmp_path / "x.json").write_text(json.dumps({**good, **wrong}))
        with pytest.raises(BeliefSearchError):
            load(tmp_path / "x.json")


def test_a_file_stays_as_it_was_where_a_result_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text("mine")
    result = solve(DevilProblem(n=2))
    for stays in (tmp_path / "nowhere" / "plan.json", tmp_path):
        with pytest.raises(BeliefSearchError, match="cannot write"):
            save(result, stays)
    save(result, path)
    assert json.loads(path.read_text())["cost"] == 3
    assert [file.name for file in tmp_path.iterdir()] == ["plan.json"]
