"""Costs that are floats: what is claimed of a plan, and proved, when sums are rounded; a proof that proves nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

Run: TypeAlias = Callable[..., tuple[int, str, str]]

# As floats are added, the thousand steps behind the toll cost nothing.
TOLL = """
from beliefsearch import Problem


class TollProblem(Problem[int, str]):
    \"\"\"Pay a toll; then walk far, or take a taxi.\"\"\"

    def initial_state(self):
        return -1

    def actions(self, place):
        return ("pay",) if place < 0 else ("walk", "taxi") if place == 0 else ("walk",)

    def result(self, place, action):
        return 1000 if action == "taxi" or place == 1000 else place + 1

    def is_goal(self, place):
        return place == 1000

    def action_cost(self, place, action):
        return {"pay": 1e16, "walk": 1.0, "taxi": 2.0}[action]
"""

RETRY = """
from attrs import frozen
from beliefsearch import BeliefProblem


@frozen
class RetryProblem(BeliefProblem[str, str, str]):
    \"\"\"Try again and again, or be sure at a price.\"\"\"

    def initial_states(self):
        return ["here"]

    def actions(self, state):
        return ("try", "sure")

    def results(self, state, action):
        return ["here", "there"] if state == "here" and action == "try" else ["there"]

    def percepts(self, state, action):
        return (state,)

    def is_goal(self, state):
        return state == "there"

    def action_cost(self, state, action):
        return 1 if action == "try" else 5
"""
KEEPS_TRYING = {
    "kind": "conditional",
    "cyclic": True,
    "nodes": [
        {"action": "try", "branches": [{"percept": "here", "node": 0}, {"percept": "there", "node": 1}]},
        {},
    ],
}


def test_what_floats_prove_is_said_to_be_within_their_rounding(cli: Run, folder: Path) -> None:
    (folder / "toll.py").write_text(TOLL)
    code, out, _ = cli("prove", "./toll.py", "--certificate", "toll.json")
    assert "proved optimal, up to the rounding of floats" in out
    assert code == 0
    code, out, _ = cli("verify", "toll.json", "--problem", "./toll.py")
    assert code == 0
    plan, proof = out.splitlines()
    assert plan.endswith("cost 1e+16, within 1.0e+3")  # by hand: 1e16 and a thousand steps
    assert "no plan costs less than 10000000000000002, so the plan is the cheapest within 1.0e+3" in proof


def test_a_proof_of_nothing_proves_no_cyclic_plan_optimal(cli: Run, folder: Path) -> None:
    (folder / "retry.py").write_text(RETRY)
    empty = {"kind": "belief-bounds", "states": [], "beliefs": []}
    document = {
        "problem": "./retry.py",
        "parameters": {},
        "version": 1,
        "status": "solved",
        "cost": None,
        "lower_bound": None,
        "optimal": True,
        "plan": KEEPS_TRYING,
        "proof": empty,
    }
    (folder / "plan.json").write_text(json.dumps(document))
    code, out, _ = cli("verify", "plan.json", "--problem", "./retry.py")
    assert code == 1
    assert "not that there is no plan" in out
    (folder / "plan.json").write_text(json.dumps({**document, "optimal": False}))
    assert cli("verify", "plan.json", "--problem", "./retry.py")[0] == 0  # the plan is one, and more is not said
