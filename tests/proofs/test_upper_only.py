"""Bounds from above alone: proved, checked, tampered with, and refused where there is none."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import load, prove, save, verify_file
from beliefsearch.results import Proof
from beliefsearch.running.limits import LimitReached
from beliefsearch_problems.tiger import TigerProblem

from ..answers import assert_one_line, stdout
from ..conftest import Run


@cache
def proved() -> Proof[Any]:
    return prove(TigerProblem(), upper_only=True)


@pytest.fixture
def above(folder: Path) -> dict[str, Any]:
    """The certificate of a bound from above on the tiger."""
    proof = proved()
    assert proof.data is not None
    save(proof, "above.json", TigerProblem())
    found: dict[str, Any] = json.loads(Path("above.json").read_text())
    return found


def test_the_bound_is_proved_without_a_policy(above: dict[str, Any]) -> None:
    found = verify_file("above.json")
    assert found.holds
    assert found.attained is None
    # The policy of five nodes attains 19.3713683, by its equations.
    assert found.unattained is not None
    assert Fraction("19.3713683") < found.unattained < Fraction("19.4")
    again = load("above.json")
    assert isinstance(again, Proof)
    assert again.text == f"planes of 3 actions and {len(above['proof']['points'])} points"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"upper_bound": 18.0}, "it is proved only that no policy attains more than 19.3"),
        ({"status": "solved", "value": 19.0}, "it has no policy, but claims"),
        ({"lower_bound": 19.0}, "there is no node"),
        ({"exact_lower_bound": "19"}, "it has no policy, but claims"),
        ({"value": 19.0}, "it says undecided, but gives a value"),
    ],
)
def test_more_than_that_does_not_hold(above: dict[str, Any], change: dict[str, Any], why: str) -> None:
    Path("other.json").write_text(json.dumps({**above, **change}))
    found = verify_file("other.json")
    assert not found.holds
    assert why in found.complaint


def test_a_proof_with_a_lower_point_does_not_hold(above: dict[str, Any]) -> None:
    above["proof"]["points"][0][1] -= above["proof"]["unit"]
    Path("other.json").write_text(json.dumps(above))
    assert "the proof does not hold" in verify_file("other.json").complaint


def test_the_command_says_what_it_is_for(cli: Run) -> None:
    for words in ("prove vacuum --upper-only", "prove tiger --upper-only --certificate c.json --format game"):
        assert_one_line(cli(*words.split()), "--upper-only is for partially observable")
    told = stdout(cli("prove", "tiger", "--horizon", "2", "--upper-only"), code=3)
    assert "in a game with a horizon a bound from above is proved beside a policy only" in told


@pytest.mark.parametrize("stop", [LimitReached("the time limit of 9 s was reached"), KeyboardInterrupt()])
def test_after_a_search_that_was_stopped_the_bound_is_proved_and_the_answer_undecided(
    cli: Run, folder: Path, stop: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: Any) -> Any:
        raise stop

    monkeypatch.setattr("beliefsearch.solvers.pomdp.trials.fast_informed_bound", stopped)
    told = stdout(cli("prove", "tiger", "--upper-only", "--certificate", "above.json"), code=3)
    why = "it was interrupted" if isinstance(stop, KeyboardInterrupt) else str(stop)
    assert f"tiger: undecided, {why}; no policy is known and at most 189" in told
    assert verify_file("above.json").unattained == 189
