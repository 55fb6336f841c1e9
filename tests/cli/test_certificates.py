"""Certificates on the command line: what is written, what holds, and what does not."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from beliefsearch.cli.renderers.plan import Answer
from beliefsearch.plans.proof_words import argument_of
from beliefsearch.running.limits import LimitReached

from ..answers import assert_one_line, stdout, stdout_alone, write_json
from ..conftest import Run
from ..toys import toy
from .conftest import Filed


@pytest.fixture
def certified(filed: Filed) -> Filed:
    """Write a certificate with changes to `proof.json`: what the file holds."""
    return partial(filed, "--certificate", name="proof.json")


DEVIL_4 = ("devil", "--n", 4)
DEVIL_3 = ("devil", "--n", 3)
VACUUM = ("vacuum", "--squares", 3)
LAMPS = ("lights-out", "--rows", 1, "--cols", 4, "--blindfold")
WON: list[tuple[tuple[object, ...], int, str]] = [
    (DEVIL_4, 15, "potential"),
    (VACUUM, 7, "belief-bounds"),
    (("reset-word", "--cerny", 5), 16, "belief-bounds"),
    (("lights-out", "--rows", 2, "--cols", 2, "--start", "1111"), 4, "distances"),
    (LAMPS, 15, "potential"),
]


@pytest.mark.parametrize(("words", "cost", "kind"), WON)
def test_run_writes_a_certificate(cli: Run, certified: Filed, words: tuple[object, ...], cost: int, kind: str) -> None:
    data = certified(*words)
    assert (data["status"], data["cost"], data["lower_bound"]) == ("solved", cost, cost)
    assert argument_of(data["proof"]) == kind
    plan, proof = stdout_alone(cli("verify", "proof.json")).splitlines()
    assert f"the plan holds: {cost} actions" in plan
    assert f"the proof holds: no plan costs less than {cost};" in proof


@pytest.mark.parametrize("name", ["proof.json.gz", "proof.gz"])
def test_a_certificate_is_compressed_if_its_name_says_so(cli: Run, folder: Path, name: str) -> None:
    cli("run", *DEVIL_4, "--certificate", name)
    first = (folder / name).read_bytes()
    assert first.startswith(b"\x1f\x8b")
    assert json.loads(gzip.decompress(first))["proof"]["kind"] == "flows"
    assert cli("verify", name)[0] == 0
    (folder / "plain.json").write_bytes(gzip.decompress(first))
    assert cli("verify", "plain.json")[0] == 0


def test_a_certificate_is_the_same_in_every_run(cli: Run, folder: Path) -> None:
    texts = []
    for name in ("one.json", "two.json"):
        cli("prove", *DEVIL_4, "--certificate", name)
        data = json.loads((folder / name).read_text())
        del data["stats"]  # the seconds differ
        texts.append(json.dumps(data))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("words", [["vacuum", "--squares", 13], ["reset-word", "--cerny", 10**10]])
def test_a_limit_leaves_the_answer_without_a_certificate(cli: Run, folder: Path, words: list[object]) -> None:
    """The limit is reached by the search, or, always for the second, while the puzzle is being made."""
    code, _, err = cli("run", *words, "--time-limit", 0.001, "--certificate", "proof.json", "--quiet")
    assert code == 3
    assert "no certificate was written" in err
    assert not (folder / "proof.json").exists()


@pytest.mark.parametrize("form", ["text", "json"])
def test_bounds_are_printed_if_the_last_limit_ends_their_proof(
    cli: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    def too_late(answer: Answer) -> None:
        raise LimitReached("the time limit was reached")

    monkeypatch.setattr(Answer, "prove", too_late)
    code, out, err = cli("run", "tiger", "--time-limit", 60, "--certificate", "proof.json", "--format", form)
    assert code == 0
    assert "no proof was finished: the time limit was reached while the answer was being written" in err
    assert all(bound in out for bound in ("19.36", "19.38"))  # the value is 19.37
    assert json.loads((folder / "proof.json").read_text())["plan"]["kind"] == "policy-graph"


# What does not hold.


def check_rejected(cli: Run, *said: str) -> None:
    out = stdout_alone(cli("verify", "proof.json"), 1)
    assert out.count("does not hold") == 1
    assert all(text in out for text in said), out


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("words", "changes"),
    [
        (DEVIL_4, {"parameters": {"n": 3}}),
        (DEVIL_4, {"parameters": {"n": 5}}),
        (DEVIL_4, {"parameters": {"n": 4, "canonical": False}}),
        (DEVIL_4, {"parameters": {"n": 4, "goal": "all-same"}}),
        (DEVIL_4, {"problem": "vacuum", "parameters": {"squares": 3}}),
        (DEVIL_3, {"parameters": {"n": 2}}),
        (DEVIL_3, {"parameters": {"n": 4}}),
        (DEVIL_3, {"problem": "vacuum", "parameters": {"squares": 3}}),
        (VACUUM, {"parameters": {"squares": 4}}),
        (VACUUM, {"parameters": {"squares": 2}}),
        (LAMPS, {"blindfold": False}),
        (LAMPS, {"parameters": {"rows": 1, "cols": 5}}),
    ],
)
def test_a_certificate_is_for_one_thing(
    cli: Run, certified: Filed, words: tuple[object, ...], changes: dict[str, Any]
) -> None:
    certified(*words, **changes)
    code, out, err = cli("verify", "proof.json")
    assert code in (1, 2)
    assert (out + err).count("\n") in (1, 2)
    assert "the proof holds" not in out
    # The proof alone does not hold either.
    certified(*words, **{**changes, "plan": None})
    code, out, err = cli("verify", "proof.json")
    assert code in (1, 2)
    assert "the proof holds" not in out


@pytest.mark.few(8)
@pytest.mark.parametrize(("words", "cost", "kind"), WON)
@pytest.mark.parametrize("claim", [1, 0.5, "1/7", 10**30, 10**400])
def test_a_lower_bound_above_what_is_proved_does_not_hold(
    cli: Run, certified: Filed, words: tuple[object, ...], cost: int, kind: str, claim: Any
) -> None:
    certified(*words, lower_bound=f"{cost * 7 + 1}/7" if claim == "1/7" else cost + claim)
    check_rejected(cli, "the plan holds", "the proof does not hold", str(cost))


@pytest.mark.parametrize(("words", "cost", "kind"), WON)
def test_a_solved_game_is_not_unsolvable(
    cli: Run, certified: Filed, words: tuple[object, ...], cost: int, kind: str
) -> None:
    certified(*words, status="unsolvable")
    check_rejected(cli, "it has a plan, but says unsolvable")
    certified(*words, status="unsolvable", plan=None, cost=None, lower_bound=None)
    check_rejected(cli, "not that there is no plan")


def test_a_lost_game_is_not_said_to_be_solved_nor_a_plan_that_is_wrong_or_missing(cli: Run, certified: Filed) -> None:
    certified(*DEVIL_3, status="solved")
    check_rejected(cli, "the file says solved")
    certified(*DEVIL_3, status="solved", plan=[], cost=0)
    check_rejected(cli, "the plan does not hold")
    certified(*DEVIL_4, plan=None)
    assert cli("verify", "proof.json")[0] == 1
    plan = certified(*DEVIL_4)["plan"]
    certified(*DEVIL_4, plan=plan[:-1], cost=14)
    check_rejected(cli, "the plan does not hold", "step 14")


@pytest.mark.parametrize(
    ("words", "change", "said"),
    [
        (DEVIL_4, lambda proof: proof["table"]["weights"].__setitem__(3, 2), "flows out"),
        (DEVIL_4, lambda proof: proof["table"]["flows"].pop(), "flows has the length 5 and not 6"),
        (DEVIL_4, lambda proof: proof["actions"].append(3), "an action is listed that cannot come up: 3"),
        (DEVIL_4, lambda proof: proof["table"].__setitem__("ray", True), "into won states"),
        (DEVIL_4, lambda proof: proof["table"].__setitem__("kind", "lower"), "a table of the kind 'flows'"),
        (DEVIL_4, lambda proof: proof.__setitem__("table", 3), "a table of the kind 'flows'"),
        (DEVIL_3, lambda proof: proof["states"].pop(), "entry 3: it is won"),
        (DEVIL_3, lambda proof: proof["actions"].pop(0), "not inside the outcome"),
        (DEVIL_3, lambda proof: proof["table"]["reasons"][0].pop(), "entry 0"),
        (DEVIL_3, lambda proof: proof["states"].append("HHH"), ""),
        (VACUUM, lambda proof: proof["table"]["reasons"][0].__setitem__(1, 0), "entry 0 is not inside the outcome"),
        (VACUUM, lambda proof: proof["table"]["values"].__setitem__(0, 8), "it comes to 7 which is less than 8"),
    ],
)
def test_the_first_thing_that_is_wrong_is_told(
    cli: Run, certified: Filed, folder: Path, words: tuple[object, ...], change: Callable[[Any], Any], said: str
) -> None:
    data = certified(*words)
    change(data["proof"])
    write_json("proof.json", data)
    if said:
        check_rejected(cli, "the proof does not hold", said)
    else:  # a won state that the trap never leads to does no harm, or is told
        assert cli("verify", "proof.json")[0] in (0, 1)


@pytest.mark.parametrize("proof", [{}, {"kind": "faith"}, {"kind": 1}, {"kind": "trap"}, {"kind": "trap", "states": 1}])
def test_what_is_no_proof_does_not_hold(cli: Run, certified: Filed, proof: dict[str, Any]) -> None:
    certified(*DEVIL_3, proof=proof)
    check_rejected(cli, "the proof does not hold")


# What cannot be read.


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"proof": []}, "'proof'"),
        ({"proof": "trap"}, "'proof'"),
        ({"lower_bound": "x"}, "'lower_bound'"),
        ({"lower_bound": math.nan}, "JSON"),
        ({"lower_bound": math.inf}, "JSON"),
        ({"proof": None}, "no plan"),
    ],
)
def test_a_file_that_cannot_be_read_is_told(cli: Run, certified: Filed, changes: dict[str, Any], said: str) -> None:
    certified(*DEVIL_3, **changes)
    assert_one_line(cli("verify", "proof.json"), said)


def test_a_number_of_any_size_gives_no_traceback(cli: Run, certified: Filed, folder: Path) -> None:
    data = certified(*DEVIL_4)
    data["proof"]["table"]["weights"][3] = "1e5000"
    write_json("proof.json", data)
    code, out, err = cli("verify", "proof.json")
    assert code in (1, 2)
    assert "bug of beliefsearch" not in err
    assert (out + err).count("\n") in (1, 2)


# Independence.


def test_checking_a_certificate_imports_nothing_that_searches(
    modules_after_each: Callable[..., Iterator[tuple[int, set[str]]]], certified: Filed, folder: Path
) -> None:
    commands = []
    for number, words in enumerate([DEVIL_4, DEVIL_3, VACUUM, LAMPS]):
        (folder / f"proof{number}.json").write_text(json.dumps(certified(*words)))
        commands.append(f"verify proof{number}.json")
    (_, first), *_, (_, modules) = found = [*modules_after_each(*commands)]
    assert [code for code, _ in found] == [0, 0, 0, 0]
    assert {"beliefsearch.verify.proof", "beliefsearch.verify.sequence"} <= first
    ours = r"beliefsearch\.(solvers|engine|heuristics|solving|proofs)(\.|$)"
    assert not {name for name in modules if re.match(ours, name)}
    assert {name.partition(".")[0] for name in modules} & {"numpy", "numba", "scipy", "networkx"} == set()


# A puzzle that knows nothing of all this.


def test_a_puzzle_as_in_the_readme_is_proved_verified_and_explained(cli: Run, folder: Path) -> None:
    readme = Path(__file__).parent.parent.parent / "README.md"
    block = re.search(r"```python\n(# file: turnstile\.py\n.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None
    (folder / "turnstile.py").write_text(block[1])
    for notches in (2, 3, 5):
        words = ("./turnstile.py", "--notches", notches)
        assert "proved optimal" in stdout_alone(cli("prove", *words, "--certificate", "proof.json.gz"))
        out = stdout_alone(cli("verify", "proof.json.gz", "--problem", "./turnstile.py"))
        assert f"no plan costs less than {(notches - 1) ** 2};" in out  # Černý 1964
        assert "Why no plan costs less" in stdout_alone(cli("explain", *words))


# Costs that are floats: what is claimed, and proved, when sums are rounded; a proof that proves nothing.


# As floats are added, the thousand steps behind the toll cost nothing.
TOLL = toy("toll_problem")

RETRY = toy("retry_problem")
KEEPS_TRYING = {
    "kind": "conditional",
    "cyclic": True,
    "nodes": [{"action": "try", "branches": [{"percept": "here", "node": 0}, {"percept": "there", "node": 1}]}, {}],
}


def test_floats_are_added_without_rounding(cli: Run, folder: Path) -> None:
    (folder / "toll.py").write_text(TOLL)
    code, out, _ = cli("prove", "./toll.py", "--certificate", "toll.json")
    assert "cost 10000000000000002, proved optimal" in out  # the toll and the taxi; a thousand steps cost more
    assert code == 0
    plan, proof = stdout(cli("verify", "toll.json", "--problem", "./toll.py")).splitlines()
    assert plan.endswith("cost 10000000000000002")
    assert "no plan costs less than 10000000000000002;" in proof


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
