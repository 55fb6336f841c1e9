"""Costs and bounds as they are printed: what is least is a cost, and bounds in one line have one form."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from beliefsearch.plans.policy import PolicyGraph, PolicyResult
from beliefsearch.plans.result import Status
from beliefsearch.plans.verdict import BOUND_ALONE, bounds_verdict, policy_verdict
from beliefsearch.plans.wording import Telling

from ..answers import change_json, read_json, stdout
from ..conftest import Run

# Somewhere in a dark hall, with the exit in the middle: west, west, east, east, east finds it after 1 and 2 moves from
# 4 and 5, and after 5 from 0, 1 and 2; with the first step 23/5 on average. No sequence of up to nine moves takes less.
HALL = """\
pomdp observables out endobservables
module hall
    x : [0..6];
    placed : bool;
    out : bool;
    [place] !placed -> 1/5 : (placed'=true) + 1/5 : (placed'=true) & (x'=1) + 1/5 : (placed'=true) & (x'=2)
        + 1/5 : (placed'=true) & (x'=4) + 1/5 : (placed'=true) & (x'=5);
    [east] placed & !out -> (x'=min(x+1,6)) & (out'=x=2);
    [west] placed & !out -> (x'=max(x-1,0)) & (out'=x=4);
endmodule
label "goal" = out;
rewards true : 1; endrewards
"""

# To the right it is 1 and 3 from the first place, 3 from the second, nothing from the third, each 0.9 times less.
STEPS = """\
discount: 0.9
values: cost
states: a b c
actions: left right
observations: dark lit
start: uniform
T: left : a : a 1
T: left : b : a 1
T: right : a : b 1
T: right : b : c 1
T: * : c : c 1
O: * : a uniform
O: * : b : dark 1
O: * : c : lit 1
R: * : a : * : * 1
R: * : b : * : * 3
"""
LEAST = (1 + Fraction(9, 10) * 3 + 3) / 3  # 67/30


NOTHING: PolicyGraph[Any, Any, Any] = PolicyGraph((), (), ())


def bounded(lower: Any, upper: Any, *, solved: bool = True) -> PolicyResult[Any, Any]:
    status = Status.SOLVED if solved else Status.UNDECIDED
    value = lower if solved else None
    reason = None if solved else "a limit"
    return PolicyResult(
        status, value, NOTHING if solved else None, "some", reason, lower_bound=lower, upper_bound=upper
    )


@pytest.mark.parametrize(
    ("lower", "upper", "value", "cost", "exactly"),
    [
        (Fraction(1, 3), 0.5, "at least 0.3333333 and at most 0.5", "at least -0.5 and at most -0.3333333", "1/3, 0.5"),
        (
            Fraction(-62, 15),
            -4.125,
            "at least -4.133334 and at most -4.125",
            "at least 4.125 and at most 4.133334",
            "-62/15, -4.125",
        ),
        (3, 3.5, "at least 3 and at most 3.5", "at least -3.5 and at most -3", "3, 3.5"),
        (Fraction(2, 3), Fraction(2, 3), "2/3, about 0.6666666666666666", "-2/3, about -0.6666666666666666", "2/3"),
        (0.0, 0.0, "0", "0", "0.0"),
    ],
)
def test_bounds_in_one_line_have_one_form(lower: Any, upper: Any, value: str, cost: str, exactly: str) -> None:
    result = bounded(lower, upper)
    assert bounds_verdict(result) == f"value {value}"
    assert bounds_verdict(result, Telling(costs=True)) == f"cost {cost}"
    both = re.sub(r"value |at least |at most ", "", bounds_verdict(result, exact=True)).replace(" and ", ", ")
    assert both == exactly


def test_bounds_of_a_search_that_was_stopped() -> None:
    def said(lower: Any, upper: Any) -> tuple[str, str]:
        result = bounded(lower, upper, solved=False)
        return bounds_verdict(result), bounds_verdict(result, Telling(costs=True))

    begin = "undecided, a limit"
    assert said(None, None) == (begin, begin)
    assert said(Fraction(-1, 2), None) == (
        f"{begin}; the value is at least -0.5 and nothing is known above it",
        f"{begin}; nothing is known below it and at most 0.5",
    )
    assert said(None, -0.25) == (
        f"{begin}; no policy is known and at most -0.25",
        f"{begin}; the cost is at least 0.25 and no policy is known",
    )


def test_a_bound_that_was_asked_for_alone_is_told_in_a_sentence() -> None:
    result = evolve(bounded(None, -0.25, solved=False), reason=BOUND_ALONE)
    end = "0.25; no policy was asked for"
    assert bounds_verdict(result) == f"proved: no policy attains a value of more than -{end}"
    assert bounds_verdict(result, Telling(costs=True)) == f"proved: no policy attains a cost of less than {end}"


def test_a_search_stopped_before_its_first_bounds_says_so() -> None:
    result: PolicyResult[Any, Any] = PolicyResult(Status.UNDECIDED, None, None, "some", "a limit")
    assert policy_verdict(result) == "undecided, a limit; no bounds on the value are known yet"


def test_values_have_all_digits_where_they_are_wanted() -> None:
    result: PolicyResult[Any, Any] = PolicyResult(Status.SOLVED, Fraction(1, 3**200), NOTHING, "some")
    assert policy_verdict(result).endswith(", rounded from a fraction of 97 digits")
    assert policy_verdict(result, exact=True) == f"value 1/{3**200}"
    assert policy_verdict(result, Telling(costs=True), exact=True) == f"cost -1/{3**200}"


@pytest.fixture
def hall(folder: Path) -> tuple[str, ...]:
    (folder / "hall.nm").write_text(HALL)
    return ("hall.nm", "--costs", "")


def test_a_least_cost_is_printed_as_a_cost(cli: Run, hall: tuple[str, ...]) -> None:
    heading = "hall.nm --costs '': cost at least 4.59999. and at most 4.6\n"
    for command in ("run", "prove", "explain"):
        out = stdout(cli(command, *hall))
        assert re.match(heading, out)
        assert "-4.6" not in out
        assert "-23/5" not in out
    assert "  place: 23/5, the policy's; 1 of it at once\n" in out
    assert stdout(cli("run", *hall, "--exact")).startswith("hall.nm --costs '': cost at least 4.6 and at most 23/5\n")
    assert "; the cost is 4.6\n" in stdout(cli("simulate", *hall, "--games", "10"))


def test_exact_bounds_are_in_the_file_and_checked(cli: Run, hall: tuple[str, ...]) -> None:
    stdout(cli("run", *hall, "--output", "plan.json"))
    saved = read_json("plan.json")
    assert saved["lower_bound"] < -4.6 <= saved["upper_bound"]
    assert saved["exact_lower_bound"] == "-23/5"
    out = stdout(cli("verify", "plan.json"))
    assert "it costs at most 4.6 on average" in out
    assert re.search(r"that no policy costs less than 4\.\d+ is claimed, not proved", out)
    change_json("plan.json", exact_lower_bound="-22/5")
    assert "its exact_lower_bound is -22/5, but its policy" in stdout(cli("verify", "plan.json"), 1)
    stdout(cli("prove", *hall, "--certificate", "proof.json"))
    assert re.search(r"the proof holds: no policy costs less than 4\.(6|59999)", stdout(cli("verify", "proof.json")))
    change_json("proof.json", exact_upper_bound="-24/5")
    assert "its exact_upper_bound is -24/5, but it is proved only" in stdout(cli("verify", "proof.json"), 1)


@pytest.mark.parametrize("unseen", [True, False])
def test_a_file_of_costs_is_about_costs(cli: Run, folder: Path, unseen: bool) -> None:
    text = STEPS
    if not unseen:
        text = re.sub(r"(?m)^(O|observations).*\n", "", text).replace(": * : * ", ": * ")
    (folder / "steps.pomdp").write_text(text)
    assert stdout(cli("run", "steps.pomdp")).startswith(f"steps.pomdp: cost {LEAST}, about 2.23333")
    assert stdout(cli("run", "steps.pomdp", "--exact")).startswith(f"steps.pomdp: cost {LEAST}\n")
    cli("export", "steps.pomdp", "--output", "again.pomdp")
    again = (folder / "again.pomdp").read_text()
    assert "values: cost\n" in again
    assert not re.search(r"R: .* -", again)
    assert stdout(cli("run", "again.pomdp")).startswith(f"again.pomdp: cost {LEAST}, about 2.23333")


CHOICE = """\
mdp
module m x : [0..2]; [slow] x=0 -> 0.5 : (x'=1) + 0.5 : true; [fast] x=0 -> (x'=1); endmodule
label "goal" = x=1;
rewards "paid" [slow] true : 1; [fast] true : 3; endrewards
"""


def test_costs_of_policies_of_states(cli: Run, talk: Run, folder: Path) -> None:
    (folder / "choice.nm").write_text(CHOICE)
    words = ("choice.nm", "--costs", "paid")
    assert stdout(cli("run", *words, "--output", "plan.json")).startswith("choice.nm --costs paid: cost 2\n")
    assert read_json("plan.json")["value"] in (-2, "-2")
    out = stdout(cli("verify", "plan.json"))
    assert "the policy holds: the game costs 2, exactly; " in out
    assert out.endswith("no policy costs less\n")
    for given in ((), ("--plan", "plan.json")):
        out = stdout(cli("explain", *words, *given))
        assert out.startswith("choice.nm --costs paid: cost 2\n")
        assert "what each action costs" in out
        assert "  slow: 2, the policy's\n    1/2  x=1: 0, the end\n    1/2  x=0: 2, then slow\n" in out
        assert "  fast: 3, 1 more\n" in out
    assert [line.split() for line in stdout(cli("show", *words)).splitlines()] == [
        ["state", "action", "cost", "runner-up", "its", "cost", "margin"],
        ["x=0", "slow", "2", "fast", "3", "1"],
    ]
    out = stdout(cli("simulate", *words, "--games", "100"))
    assert re.search(r"mean cost [12]\.?\d*, standard error [\d.]+; the cost is 2\n", out)
    assert "cost  games\n" in out
    assert "2 with the best actions\n2 after slow\n3 after fast\n" in stdout(talk(["value", "quit"], *words))
