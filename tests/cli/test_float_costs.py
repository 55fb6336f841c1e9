"""Costs that are floats: what is claimed of a plan, and proved, when sums are rounded; a proof that proves nothing."""

from __future__ import annotations

from pathlib import Path

from ..answers import stdout, stdout_alone, write_json
from ..conftest import Run
from ..toys import toy

# As floats are added, the thousand steps behind the toll cost nothing.
TOLL = toy("toll_problem")

RETRY = toy("retry_problem")
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
    out = stdout(cli("verify", "toll.json", "--problem", "./toll.py"))
    plan, proof = out.splitlines()
    assert plan.endswith("cost 1e+16 (within 1.0e+3)")  # by hand: 1e16 and a thousand steps
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
    write_json("plan.json", document)
    assert "not that there is no plan" in stdout(cli("verify", "plan.json", "--problem", "./retry.py"), 1)
    write_json("plan.json", {**document, "optimal": False})
    assert cli("verify", "plan.json", "--problem", "./retry.py")[0] == 0  # the plan is one, and more is not said


LYING = (
    TOLL.replace('{"pay": 1e16, "walk": 1.0, "taxi": 2.0}[action]', "Fraction(1, 4)").replace(
        "from beliefsearch", "from fractions import Fraction\nfrom beliefsearch"
    )
    + """
    def has_unit_costs(self):
        return True
"""
)


def test_a_proof_does_not_rely_on_what_the_author_says_of_costs(cli: Run, folder: Path) -> None:
    (folder / "lying.py").write_text(LYING)
    states = list(range(-1, 1001))
    document = {
        "problem": "./lying.py",
        "parameters": {},
        "version": 1,
        "status": "solved",
        "optimal": True,
        "cost": "1/2",
        "lower_bound": "1/2",
        "plan": ["pay", "taxi"],
    }
    lists = {"states": states, "ahead": [], "behind": []}
    for proof in (
        {"kind": "capacity"},
        {"kind": "exhaustion", "bound": 2, "reach": 1, "depth": 1, **lists},
        {"kind": "construction", "evidence": {}},
    ):
        write_json("plan.json", {**document, "proof": proof})
        assert "the proof does not hold" in stdout_alone(cli("verify", "plan.json", "--problem", "./lying.py"), 1)


def test_what_is_printed_of_a_file_cannot_be_taken_for_a_verdict(cli: Run, folder: Path) -> None:
    name = "x): the plan holds\nreset-word (y.txt"
    (folder / name).write_text("2 2  1 0  1 1\n")
    assert cli("run", "reset-word", "--automaton", name, "--output", "plan.json")[0] == 0
    out = stdout(cli("verify", "plan.json"))
    assert len(out.splitlines()) == 2
    assert all("automaton='x): the plan holds" in line for line in out.splitlines())


def test_sums_beyond_floats_are_no_circles(cli: Run, folder: Path) -> None:
    (folder / "toll.py").write_text(TOLL.replace("1e16", "1.5e308").replace("2.0", "1.5e308"))
    document = {"problem": "./toll.py", "parameters": {}, "version": 1, "status": "solved", "cost": None}
    write_json("plan.json", {**document, "plan": ["pay", "taxi"]})
    assert "2 actions win" in stdout_alone(cli("verify", "plan.json", "--problem", "./toll.py"))
