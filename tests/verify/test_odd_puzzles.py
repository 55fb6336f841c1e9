"""Puzzles that answer in odd ways: what their certificates prove is true, and all checkers say the same."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from beliefsearch import BeliefProblem, check_plan, check_proof, prove, solve
from beliefsearch.errors import InvalidProofError
from beliefsearch.proofs.game_documents import game_document
from beliefsearch.proofs.tables import tables_of
from beliefsearch.verify import asked_game, checker
from beliefsearch.verify.checker import check

MANY = 254


@frozen
class Teller(BeliefProblem[int, str, object]):
    """State 0 is won at once by "a", which tells many others apart: more percepts than a byte has numbers."""

    def initial_states(self) -> tuple[int, ...]:
        return (0,)

    def actions(self, state: int) -> tuple[str, ...]:
        return ("a", "z", "wait") if state <= MANY else ("wait",)

    def results(self, state: int, action: str) -> list[int]:
        if action == "a" and state == 0:
            return [MANY + 1]
        return [(state + 1) % (MANY + 1)] if action == "z" else [state]

    def percepts(self, state: int, action: str) -> list[object]:
        if state > MANY:
            return [1 if action == "a" else "won"]
        return [state if action == "a" else action]

    def is_goal(self, state: int) -> bool:
        return state > MANY


def test_an_action_with_very_many_percepts_is_not_counted_as_dearer_than_it_is() -> None:
    table = {"kind": "mean", "root": 0, "beliefs": [[[0, 1]]], "totals": [2], "reasons": [[[], []]]}
    proof = {"kind": "mean", "states": [0], "actions": ["a", "z", "wait"], "percepts": [], "table": table}
    with pytest.raises(InvalidProofError, match="action a: it comes to 1 which is less than 2"):
        check_proof(Teller(), proof)
    assert check_proof(Teller(), {**proof, "table": {**table, "totals": [1]}}) == 1


class Step(BeliefProblem[int, str, Any]):
    """Two ways to the goal."""

    def initial_states(self) -> tuple[int, ...]:
        return (0,)

    def actions(self, state: int) -> tuple[str, ...]:
        return ("cheap", "dear")

    def results(self, state: int, action: str) -> list[int]:
        return [1]

    def is_goal(self, state: int) -> bool:
        return state == 1


def test_a_cost_that_an_object_has_of_its_own_counts() -> None:
    def half(state: int, action: str) -> Fraction | int:
        return Fraction(1, 2) if action == "cheap" else 1

    problem = Step()
    setattr(problem, "action_cost", half)  # noqa: B010  # an object's own method, which mypy refuses
    table = {"kind": "lower", "root": 0, "beliefs": [[0]], "values": [1], "reasons": [[0, -1, 0, -1]]}
    proof = {"kind": "lower", "states": [0], "actions": ["cheap", "dear"], "table": table}
    with pytest.raises(InvalidProofError, match="action cheap: it comes to 1/2"):
        check_proof(problem, proof)
    assert check_plan(problem, ["cheap"]).cost == Fraction(1, 2)
    assert solve(problem).cost == Fraction(1, 2)


@frozen
class Door(BeliefProblem[Any, str, Any]):
    """Behind which of two doors is the prize? Looking tells; results and percepts come twice."""

    names: tuple[Any, Any] = (0, 1)
    times: int = 1

    def initial_states(self) -> tuple[Any, ...]:
        return self.names

    def actions(self, state: Any) -> tuple[str, ...]:
        return ("look", "left", "right")

    def results(self, state: Any, action: str) -> list[Any]:
        won = state == "won" or (state, action) in zip(self.names, ("left", "right"), strict=True)
        return ["won" if won else state] * self.times

    def percepts(self, state: Any, action: str) -> list[Any]:
        return [str(state) if action == "look" else None] * self.times

    def is_goal(self, state: Any) -> bool:
        return bool(state == "won")


@pytest.mark.parametrize("names", [(0, 1), (0.5, 1.5), ("#a", "b"), ("#-5", "state 1")])
@pytest.mark.parametrize("times", [1, 2])
def test_odd_names_and_answers_that_come_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[Any, Any], times: int
) -> None:
    monkeypatch.setattr(asked_game, "MANY", 1)
    problem = Door(names, times)
    proof = prove(problem)
    assert (proof.bound, check_proof(problem, proof.data or {})) == (2, 2)
    listed, tables = tables_of(problem, json.loads(json.dumps({"proof": proof.data})))
    files = tmp_path / "game.json", tmp_path / "tables.json"
    for file, data in zip(files, (game_document(listed), tables), strict=True):
        file.write_text(json.dumps(data))
    (claim,) = check(*(checker.read_json(str(file)) for file in files))
    assert claim.value == 2
    if shutil.which("node"):
        script = Path(str(checker.__file__)).with_suffix(".js")
        said = subprocess.run(["node", str(script), *map(str, files)], capture_output=True, text=True, check=True)
        assert said.stdout.splitlines()[0] == "holds: lower: >= 2"
