"""Policies written for other solvers: what is written is read and proved, and controllers are worth the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import PolicyResult, save, solve, verify_file
from beliefsearch.proofs import vector_policies
from beliefsearch_problems.files.pomdp import PomdpFileProblem

from ..answers import assert_one_line, stdout
from ..conftest import Run
from ..proofs.test_vector_policies import TIGER

# A machine that wears out, and a state, broken, that ends the game; costs.
MACHINE = """\
discount: 0.9
values: cost
states: fine worn broken
actions: run mend
observations: quiet loud
start: 0.7 0.3 0
T: run : fine 0.8 0.2 0
T: run : worn 0 0.75 0.25
T: run : broken 0 0 1
T: mend : fine 1 0 0
T: mend : worn 0.9 0.1 0
T: mend : broken 0 0 1
O: * : fine 0.8 0.2
O: * : worn 0.3 0.7
O: * : broken 0 1
R: run : fine : * : * 1
R: run : worn : fine : * 2
R: run : worn : worn : * 2
R: run : worn : broken : * 60
R: mend : fine : * : * 5
R: mend : worn : * : * 8
"""


@pytest.fixture(params=[TIGER, MACHINE], ids=["tiger", "machine"])
def solved(folder: Path, request: pytest.FixtureRequest) -> PolicyResult[Any, Any]:
    """The answer to a file `p.pomdp`, saved in `p.json`."""
    (folder / "p.pomdp").write_text(request.param)
    problem = PomdpFileProblem(file=Path("p.pomdp"))
    result: PolicyResult[Any, Any] = solve(problem)
    save(result, "p.json", problem)
    return result


@pytest.mark.parametrize("ending", ["policy", "alpha", "pg"])
def test_what_is_written_is_proved(
    solved: PolicyResult[Any, Any], cli: Run, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(vector_policies, "PAIRS", (3000,))  # which is enough here
    stdout(cli("export", "p.pomdp", "--plan", "p.json", "--output", f"p.{ending}"))
    found = verify_file(f"p.{ending}", problem="p.pomdp")
    lower, upper = solved.bounds
    assert found.attained is not None
    assert float(lower) - 1e-6 <= found.attained <= float(upper) + 1e-6


def test_a_controller_is_worth_what_the_policy_is(solved: PolicyResult[Any, Any], cli: Run) -> None:
    """What is done, by memory and what is seen just now, from the memory 0 on, whatever was seen before the start."""
    stdout(cli("export", "p.pomdp", "--plan", "p.json", "--format", "controller", "--output", "c.json"))
    controller = json.loads(Path("c.json").read_text())
    problem = PomdpFileProblem(file=Path("p.pomdp"))
    actions, percepts = problem.numbering().actions, problem.numbering().percepts
    assert [controller["action_labels"], controller["observation_labels"]] == [list(actions), list(percepts)]
    moves = {
        (memory, percept): (actions[action], after)
        for memory, row in enumerate(controller["action_function"])
        for percept, action, after in zip(percepts, row, controller["update_function"][memory], strict=True)
    }
    values = {(*move, state): 0.0 for move in moves for state in problem.numbering().states}
    for _ in range(400):
        values = {
            (memory, percept, state): float(problem.reward(state, action))
            + float(problem.discount())
            * sum(
                float(chance * likely) * values[after, seen, result]
                for chance, result in problem.outcomes(state, action)
                for likely, seen in problem.percept_distribution(result, action)
            )
            for (memory, percept, state) in values
            for action, after in [moves[memory, percept]]
        }
    stdout(cli("export", "p.pomdp", "--plan", "p.json", "--output", "p.pg"))
    attained = verify_file("p.pg", problem=problem).attained
    for percept in percepts:
        worth = sum(float(chance) * values[0, percept, state] for chance, state in problem.initial_distribution())
        assert worth == pytest.approx(float(attained or 0), abs=1e-6)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("export tiger --output x.policy", "as `beliefsearch export` writes"),
        ("export vacuum --output x.pg", "--format pg is for the policies of partially observable"),
        ("export endless.pomdp --output x.alpha", "choose pg"),
        ("export endless.pomdp --output x.pg --max-nodes 3", "this is a policy"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_line(folder: Path, cli: Run, line: str, why: str) -> None:
    (folder / "endless.pomdp").write_text(
        "values: reward\nstates: 2\nactions: 1\nobservations: 2\nT: 0\n0.5 0.5\n0 1\nO: 0 uniform\nR: 0 : 0 : * : * 3\n"
    )
    assert_one_line(cli(*line.split()), why)
    assert not Path("x.policy").exists()
