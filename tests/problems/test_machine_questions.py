"""Questions of testing about machines: small random ones by their definitions, and real ones where their files are."""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch import Limits, ProblemError, check_problem, prove, solve
from beliefsearch.cli import main
from beliefsearch.engine.futures import bounded, restarts, telling
from beliefsearch.engine.futures import evidence as futures_evidence
from beliefsearch.engine.futures import search as futures
from beliefsearch.engine.futures.evidence import evidence_of_word
from beliefsearch.engine.futures.search import search_futures, search_word
from beliefsearch.engine.futures.tables import future_tables
from beliefsearch.engine.futures.telling import search_each_told
from beliefsearch.errors import DataWarning, InvalidProofError
from beliefsearch.planner import path
from beliefsearch.plans.result import Status
from beliefsearch.proofs.belief_bounds import evidence_proof
from beliefsearch.proofs.check import check_proof
from beliefsearch.running.run import Run
from beliefsearch.verify.plan import check_plan
from beliefsearch_problems._mealy import bounds as machine_bounds
from beliefsearch_problems._mealy.machine import MachineProblem
from beliefsearch_problems._mealy.reader import Machine, read_machine
from beliefsearch_problems._source import Source
from beliefsearch_problems.files.mealy import MealyFileProblem

from ..examples import examples

FOLDER = Path(__file__).parents[3] / "shared" / "benchmarks" / "machines"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text()) if FOLDER.is_dir() else {}
NOT_READ_ALIKE = {"arithmetics.dot", "JSSE_1.8.0_25_server_regular.dot"}  # see test_machines.py
QUESTIONS: dict[str, dict[str, Any]] = {
    "reset": {"find": "synchronizing"},
    "homing_preset": {"find": "homing", "preset": True},
    "homing_adaptive": {"find": "homing"},
    "distinguishing_preset": {"find": "distinguishing", "preset": True},
    "distinguishing_adaptive": {"find": "distinguishing"},
}
ENOUGH = Limits(seconds=60)


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    states = [f"s{number}" for number in range(draw(st.integers(2, 5)))]
    inputs = "abc"[: draw(st.integers(1, 3))]
    answer = st.tuples(st.sampled_from(states), st.sampled_from("01")).map(lambda answer: (answer,))
    some_are_missing = draw(st.sampled_from((False, False, True)))
    if some_are_missing:
        row = st.fixed_dictionaries({"a": answer}, optional=dict.fromkeys(inputs[1:], answer))
    else:
        row = st.fixed_dictionaries(dict.fromkeys(inputs, answer))
    return {state: draw(row) for state in states}


def random_machine(states: int, inputs: int, outputs: int) -> Machine:
    """A machine with next states and outputs drawn evenly, the same each time."""
    drawn = random.Random(1)

    def row() -> dict[str, list[tuple[str, str]]]:
        return {f"i{k}": [(f"s{drawn.randrange(states)}", str(drawn.randrange(outputs)))] for k in range(inputs)}

    return {f"s{number}": row() for number in range(states)}


def steps(first: Any, follow: Callable[[Any], Iterable[Any]], is_over: Callable[[Any], bool]) -> float:
    """The least number of steps by plain breadth-first search, for words."""
    layer, seen, count = [first], {first}, 0
    while layer:
        if any(map(is_over, layer)):
            return count
        new = dict.fromkeys(after for node in layer for after in follow(node) if after not in seen)
        seen |= new.keys()
        layer, count = [*new], count + 1
    return math.inf


def answers(machine: Machine, word: Iterable[str], state: str) -> tuple[tuple[str, ...], str] | None:
    """What a machine says to a word, and where it ends; None where an input does not apply."""
    said = []
    for given_input in word:
        if given_input not in machine[state]:
            return None
        ((state, output),) = machine[state][given_input]
        said.append(output)
    return tuple(said), state


def least_word(machine: Machine, is_good: Callable[[dict[str, Any]], bool]) -> float:
    """The least length of a word that applies in all states and is good by what the states answer; at most 6."""
    inputs = sorted({given_input for row in machine.values() for given_input in row})
    words = [""]
    for length in range(7):
        for word in words:
            found = {state: answers(machine, word, state) for state in machine}
            if None not in found.values() and is_good(found):
                return length
        words = [word + given_input for word in words for given_input in inputs]
    return math.inf


def least_depth(machine: Machine, *, from_start: bool, most: int = 12) -> float:
    """The least depth of an adaptive plan, by its definition on pairs of the state now and that at the start."""
    inputs = sorted({given_input for row in machine.values() for given_input in row})

    def wins(pairs: frozenset[tuple[str, str]], depth: int) -> bool:
        if len({pair[from_start] for pair in pairs}) == 1:
            return True
        for given_input in inputs if depth else ():
            if all(given_input in machine[now] for now, _ in pairs):
                parts: dict[str, set[tuple[str, str]]] = {}
                for now, start in pairs:
                    ((after, output),) = machine[now][given_input]
                    parts.setdefault(output, set()).add((after, start))
                if frozenset(next(iter(parts.values()))) != pairs and all(
                    wins(frozenset(part), depth - 1) for part in parts.values()
                ):
                    return True
        return False

    everything = frozenset((state, state) for state in machine)
    return next((depth for depth in range(most) if wins(everything, depth)), math.inf)


HASTE: dict[str, tuple[Any, str, int] | None] = {
    "not at all": None,
    "words of pairs are listed at once": (bounded, "_LATE", -1),
    "a plan comes before a proof": (futures, "PATIENCE", 0),
}


def _hastily(haste: str, search: Callable[[], Any]) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        if (change := HASTE[haste]) is not None:
            patch.setattr(*change)
        return search()


@pytest.mark.parametrize("haste", HASTE)
@given(machine=machines())
@settings(max_examples=examples(15))
def test_adaptive_plans_agree_with_the_definition(haste: str, machine: Machine) -> None:
    for find in ("homing", "distinguishing"):
        problem = MachineProblem(machine, find=find)
        least = least_depth(machine, from_start=find == "distinguishing", most=7)
        found = _hastily(haste, partial(search_futures, problem, Run()))
        result = solve(problem) if found is None else found
        assert result.cost == least or (least == math.inf and result.cost is not None and result.cost >= 7)
        assert result.lower_bound == result.cost
        if result.plan is not None:
            assert check_plan(problem, result.plan, claimed_cost=result.cost).holds
        evidence = found and found.grounds and found.grounds.evidence and found.grounds.evidence()
        if evidence:
            proof = {"kind": "construction", "evidence": json.loads(json.dumps(evidence))}
            assert check_proof(problem, proof) == result.cost
            assert found is not None
            table = evidence_proof(problem, found.grounds, Run())
            assert table is not None
            assert table["kind"] == "belief-bounds"
            assert check_proof(problem, json.loads(json.dumps(table))) == result.cost
            assert found.grounds.evidence is not None
            with pytest.MonkeyPatch.context() as patch:  # all sets are listed, and the checker finds none itself
                patch.setattr(futures_evidence, "_TWO_AHEAD", 2)
                patch.setattr(machine_bounds, "LOOKED_AHEAD", 1)
                every = found.grounds.evidence()
                assert every is not None
                assert check_proof(problem, {"kind": "construction", "evidence": every}) == result.cost
        for claimed in (1, 2, 3, 4):  # which the checker looks ahead for
            claim = {"kind": "construction", "evidence": {"sets": [[*machine]], "bounds": [claimed]}}
            with nullcontext() if claimed <= least else pytest.raises(InvalidProofError):
                check_proof(problem, claim)


@pytest.mark.parametrize("haste", HASTE)
@given(machine=machines())
@settings(max_examples=examples(15))
def test_words_agree_with_the_definition(haste: str, machine: Machine) -> None:
    def homes(found: dict[str, Any]) -> bool:
        ends: dict[Any, set[str]] = {}
        for said, state in found.values():
            ends.setdefault(said, set()).add(state)
        return all(len(states) == 1 for states in ends.values())

    def distinguishes(found: dict[str, Any]) -> bool:
        return len({said for said, _ in found.values()}) == len(found)

    for find, is_good in (("homing", homes), ("distinguishing", distinguishes)):
        problem = MachineProblem(machine, find=find, preset=True)
        least = least_word(machine, is_good)
        found = _hastily(haste, partial(search_word, problem, Run()))
        for result in (found,) if HASTE[haste] else (solve(problem, engine="naive"), found):
            if result is not None:
                assert result.cost == least or (least == math.inf and result.cost is not None and result.cost > 6)
                assert result.plan is None or check_plan(problem, result.plan, claimed_cost=result.cost).holds
        tables = future_tables(problem.adaptively(), lambda: None)
        exact = least if least < math.inf else solve(problem, engine="naive").cost
        if tables is not None and exact:
            assert_evidence_shows(exact, evidence_of_word(tables, exact), problem)
            # Words are no shorter than plans, of which there is evidence for larger machines.
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(futures_evidence, "_LARGEST", 0)
                evidence = evidence_of_word(tables, exact)
            assert (evidence is None) == (exact == math.inf)
            if evidence is not None:
                bound = problem.check_construction(evidence)
                assert evidence["argument"] == "futures"
                assert bound is not None
                assert min(exact, 2) <= bound <= exact


def assert_evidence_shows(least: float, evidence: Any, problem: MachineProblem) -> None:
    """Assert that sets of pairs show a bound, and no higher one."""
    assert evidence is not None
    evidence = json.loads(json.dumps(evidence))
    assert evidence["argument"] == "pairs"
    assert problem.check_construction(evidence) == (None if least == math.inf else least)
    for higher in (least + 1, None) if least < math.inf else ():
        with pytest.raises(ValueError, match=r"set \d+ may be settled by the input"):
            problem.check_construction({**evidence, "bounds": [higher, *evidence["bounds"][1:]]})


@pytest.mark.parametrize("patience", [telling._PATIENCE, 1], ids=["patient", "hasty"])
@given(machine=machines(), data=st.data())
@settings(max_examples=examples(12))
def test_the_word_of_a_state_agrees_with_the_definition(patience: int, machine: Machine, data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(sorted(machine)))
    everyone = MachineProblem(machine, find="uio")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(telling, "_PATIENCE", patience)
        every = {name: found for (name, *_), found in search_each_told(everyone, everyone.adaptively(), Run())}
    inputs = sorted({given_input for row in machine.values() for given_input in row})

    def follow(node: tuple[str, frozenset[str]]) -> Iterable[tuple[str, frozenset[str]]]:
        now, others = node
        for given_input in inputs:
            if all(given_input in machine[state] for state in (now, *others)):
                ((after, output),) = machine[now][given_input]
                alike = [machine[state][given_input][0] for state in others]
                left = frozenset(state for state, said in alike if said == output)
                if after not in left:
                    yield after, left

    least = steps((target, frozenset(machine) - {target}), follow, lambda node: not node[1])
    problem = MachineProblem(machine, find="uio", state=target)
    tables = future_tables(problem.adaptively(), lambda: None)
    assert tables is not None
    with pytest.MonkeyPatch.context() as patch:  # sets with bounds of 2 and more are listed
        patch.setattr(futures_evidence, "_TWO_AHEAD", 2)
        assert_evidence_shows(least, evidence_of_word(tables, least, tables.futures.index(target)), problem)
    assert every.keys() == machine.keys()
    for result in (solve(problem), solve(problem, engine="naive"), every[target]):
        assert result.cost == result.lower_bound == least
        assert result.plan is None or check_plan(problem, result.plan, claimed_cost=result.cost).holds


@given(machine=machines())
@settings(max_examples=examples(10))
def test_problems_keep_the_rules(machine: Machine) -> None:
    is_complete = len({frozenset(row) for row in machine.values()}) == 1
    for find in ("homing", "distinguishing", "synchronizing", *(["separating"] if is_complete else [])):
        for preset in (False, True):
            report = check_problem(MachineProblem(machine, find=find, preset=preset))
            assert report.passed, report.violations


@pytest.mark.parametrize("preset", [False, True])
def test_that_there_is_no_plan_outlives_a_limit(preset: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = MachineProblem(random_machine(30, 2, 2), find="distinguishing", preset=preset)
    search = search_word if preset else search_futures
    known = search(problem, Run())

    def interrupted(search: Any, *, by_word: bool) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(futures, "told_apart", interrupted)
    found = search(problem, Run())
    assert known is not None
    assert found is not None
    assert found.status is known.status is Status.UNSOLVABLE
    assert (found.reason, known.reason is None) == (None, False)
    assert found.grounds is not None


def test_bounds_that_a_limit_leaves_are_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "_SLICE", 10_000)
    problem = MachineProblem(random_machine(80, 6, 2))
    found = search_futures(problem, Run.of(Limits(expanded=20), None))
    assert found is not None
    assert found.status is Status.UNDECIDED
    assert found.lower_bound >= 4
    proof = prove(problem, found)
    assert proof.data is not None
    assert check_proof(problem, json.loads(json.dumps(proof.data))) == proof.bound == found.lower_bound


def test_a_bound_that_takes_too_long_to_check_is_certified_in_part(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """That 4 inputs do not suffice is shown by all states alone, which the checker looks ahead from."""
    for few in ("_MANY", "_FEW"):
        monkeypatch.setattr(futures_evidence, few, 0)
    monkeypatch.setattr(futures_evidence, "_LARGEST", 160)
    machine, path = random_machine(160, 4, 2), tmp_path / "machine.fsm"
    columns = [[[end[k] for ((*end,),) in row.values()] for row in machine.values()] for k in (1, 0)]
    lines = [f"{s} {' '.join(row).replace('s', '')}" for column in columns for s, row in enumerate(column)]
    path.write_text("\n".join(["2", "160 4 2", "160", *lines, ""]))
    certificate = str(tmp_path / "plan.json")
    with pytest.raises(SystemExit, match="3"):
        main(["prove", str(path), "--certificate", certificate])
    assert (
        "no plan costs less than 5\nproof: certified: at least 5, where the search says 7; a "
        in capsys.readouterr().out
    )
    with pytest.raises(SystemExit, match="0"):
        main(["verify", certificate])
    assert "the proof holds: no plan costs less than 5;" in capsys.readouterr().out


def test_words_for_all_states_within_no_time_are_undecided() -> None:
    everyone = MachineProblem(random_machine(10, 2, 2), find="uio")
    found = [*search_each_told(everyone, everyone.adaptively(), Run.of(Limits(seconds=1e-9), None))]
    assert {result.status for _, result in found} == {Status.UNDECIDED}
    assert [state for state, _ in found] == everyone.told()


def test_states_that_separating_words_do_not_tell_apart_are_named() -> None:
    twins: Machine = {name: {"x": [("c" if name == "c" else "a", name)]} for name in "ac"}
    twins["b"] = twins["a"]
    result = solve(MachineProblem(twins, find="separating"))
    assert (result.cost, result.reason) == (math.inf, "a,b cannot be told apart; at least 2 of 3 can, without b")


def test_going_back_to_the_start_tells_apart_what_inputs_make_one() -> None:
    machine: Machine = {
        "a": {"x": [("c", "0")], "y": [("a", "1")]},
        "b": {"x": [("c", "0")], "y": [("c", "0")]},
        "c": {"x": [("c", "1")], "y": [("c", "0")]},
    }
    result = solve(MachineProblem(machine, find="distinguishing"))
    assert (result.cost, result.reason) == (math.inf, "a,b,c cannot be told apart; at least 2 of 3 can, without b")
    for preset in (False, True):
        problem = MachineProblem(machine, find="separating", preset=preset)
        result = solve(problem)
        assert result.cost == 3  # x, back, y
        assert result.plan is not None
        assert check_plan(problem, result.plan, claimed_cost=3).holds
    for states, cost in (("a,b", 1), ("without b", 1)):
        assert solve(MachineProblem(machine, find="distinguishing", states=states)).cost == cost


def test_states_that_a_preset_word_tells_apart_are_named() -> None:
    """All words and plans were tried: no word tells three states apart, and plans do 0,1,2 and 0,1,3."""
    machine: Machine = {
        "0": {"x": [("0", "1")]},
        "1": {"x": [("3", "0")], "y": [("3", "0")]},
        "2": {"x": [("2", "0")], "y": [("3", "0")]},
        "3": {"x": [("2", "0")], "y": [("3", "1")]},
    }
    why = "0,2,3 cannot be told apart (the action y does not apply in 0); at least"
    for preset, kept in ((False, "3 of 4 can, without 3"), (True, "2 of 4 can, without 1,3")):
        found = solve(MachineProblem(machine, find="distinguishing", preset=preset))
        assert (found.status, found.reason) == (Status.UNSOLVABLE, f"{why} {kept}")
        told = MachineProblem(machine, find="distinguishing", preset=preset, states=kept.partition(", ")[2])
        assert solve(told, engine="naive").plan is not None


@given(machine=machines(), preset=st.booleans())
@settings(max_examples=examples(40))
def test_states_that_are_said_to_be_told_apart_are(machine: Machine, preset: bool) -> None:
    result = solve(MachineProblem(machine, find="distinguishing", preset=preset))
    claim = re.search(r"at least (\d) of \d can(?:, |: )(.*)", result.reason or "")
    assert claim is not None or "at least" not in (result.reason or "")
    if claim is not None:
        assert int(claim[1]) > 1
        told = MachineProblem(machine, find="distinguishing", preset=preset, states=claim[2])
        assert solve(told, engine="naive").plan is not None


def test_of_states_that_are_told_apart_the_few_are_named() -> None:
    machine: Machine = {f"s{k}": {"x": [("end", str(k % 2))]} for k in range(9)} | {"end": {"x": [("end", "0")]}}
    result = solve(MachineProblem(machine, find="distinguishing"))
    assert str(result.reason).endswith("cannot be told apart; at least 2 of 10 can: s0,s1")
    for row in machine.values():
        row["x"] = [("end", "0")]
    assert str(solve(MachineProblem(machine, find="distinguishing")).reason).endswith("cannot be told apart")


@given(machine=machines())
@settings(max_examples=examples(10))
def test_words_that_begin_at_the_start_tell_apart_what_can_be(machine: Machine) -> None:
    if len({frozenset(row) for row in machine.values()}) > 1:
        return
    for preset in (False, True):
        problem = MachineProblem(machine, find="separating", preset=preset)
        least = solve(problem)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(restarts, "_FEW_PAIRS", 0)
            found = restarts.search_with_restarts(problem, Run())
        assert found is not None
        assert found.lower_bound <= (least.cost or 0) <= (found.cost or 0)
        assert (found.cost == math.inf) == (least.cost == math.inf)
        assert found.plan is None or check_plan(problem, found.plan, claimed_cost=found.cost).holds


@pytest.mark.parametrize("preset", [False, True])
@pytest.mark.parametrize("find", ["separating", "homing", "distinguishing", "uio"])
def test_a_single_start_is_known_whatever_the_inputs(find: Any, preset: bool) -> None:
    machine: Machine = {"s0": {f"a{number}": [("s0", "0")] for number in range(201)}}
    problem = MachineProblem(machine, find=find, preset=preset, state="s0" if find == "uio" else "")
    result = solve(problem)
    assert (result.cost, result.optimal) == (0, True)
    assert prove(problem, result).data is not None


def test_separating_words_of_a_small_machine_are_few() -> None:
    problem = MachineProblem(random_machine(12, 20, 5), find="separating", preset=True)
    found = restarts.search_with_restarts(problem, Run())
    assert found is not None
    assert found.plan is not None
    assert check_plan(problem, found.plan, claimed_cost=found.cost).holds
    assert found.cost == solve(problem, solver="breadth-first").cost


def test_evidence_that_proves_nothing_is_refused() -> None:
    machine = {"a": {"x": [("b", "0")]}, "b": {"x": [("b", "0")]}, "c": {"x": [("a", "1")]}}
    problem = MachineProblem(machine, find="distinguishing")
    good = {"sets": [["a", "b"]], "bounds": [None]}
    assert problem.check_construction(good) is None
    for evidence, complaint in (
        ({}, "it should have lists"),
        ({**good, "sets": [["a"]]}, "of two states of the machine at least"),
        ({**good, "sets": [["a", "d"]]}, "possible at the start"),
        ({**good, "sets": [["a", "c"]]}, "may be settled by the input 'x'"),
        ({**good, "bounds": [None, 1]}, "each have a bound"),
        ({**good, "bounds": [2.9]}, "bounds should be whole numbers"),
        ({**good, "argument": "pairs"}, "evidence about a word"),
    ):
        with pytest.raises(ValueError, match=complaint):
            problem.check_construction(evidence)
    told = MachineProblem(machine, find="uio", state="a")
    pairs: dict[str, Any] = {"argument": "pairs", "sets": [[["a", "b"]]], "bounds": [None]}
    assert told.check_construction(pairs) is None
    for evidence, complaint in (
        (good, "evidence about a word"),
        ({**pairs, "sets": [[]]}, "pairs of different states"),
        ({**pairs, "sets": [[["a", "a"]]]}, "pairs of different states"),
        ({**pairs, "sets": [[["a", "d"]]]}, "possible at the start"),
        ({**pairs, "sets": [[["b", "c"]]]}, "each of the first pairs should be of 'a' and another"),
        ({**pairs, "sets": [[["a", "c"]]]}, "may be settled by the input 'x'"),
    ):
        with pytest.raises(ValueError, match=complaint):
            told.check_construction(evidence)
    with pytest.raises(InvalidProofError, match="about homing, distinguishing and uio only"):
        check_proof(MachineProblem(machine, find="synchronizing"), {"kind": "construction", "evidence": good})


@pytest.mark.parametrize("find", ["homing", "distinguishing"])
def test_that_there_is_no_word_is_proved_where_not_even_a_plan_tells(find: str) -> None:
    """Both say 0 to everything, for ever."""
    problem = MachineProblem({"a": {"x": (("b", "0"),)}, "b": {"x": (("a", "0"),)}}, find=find, preset=True)
    proof = prove(problem)
    assert proof.bound == math.inf
    assert proof.data is not None
    assert check_proof(problem, proof.data) == math.inf


def test_a_state_without_inputs_is_told_apart_from_none() -> None:
    machine = {"a": {"x": [("a", "0")], "y": [("a", "1")]}, "b": {}, "c": {"x": [("b", "2")]}}
    problem = MachineProblem(machine, find="start")
    found = search_futures(problem, Run())
    assert found is not None
    assert found.grounds is not None
    assert found.grounds.evidence is not None
    evidence = found.grounds.evidence()
    assert evidence == {"argument": "futures", "sets": [["a", "b"]], "bounds": [None]}
    assert problem.check_construction(evidence) is None
    # Sets of states say the same in a table; but where there are very many states it takes long to check them.
    cores = found.grounds.cores
    assert cores is not None
    assert {frozenset(some): bound for some, bound in (cores() or {}).items()} == {
        frozenset(problem.initial_states()[:2]): math.inf
    }


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"state": "a"}, "take --find uio"),
        ({"find": "uio", "state": "aa"}, "no state 'aa'; did you mean 'a'"),
        ({"states": "a,bb"}, "no state 'bb'; did you mean 'b'"),
        ({"find": "uio", "state": "a,b"}, "no state 'a,b'.*--states those possible"),
        ({"states": "without a,b,c"}, "no state is left"),
        ({"find": "uio", "state": "a", "states": "b,c"}, "no state 'a' among those possible"),
        ({"find": "separating"}, "state 'b' has no input 'y'"),
        ({"find": "distinguishing", "outputs": "unseen"}, "tell nothing of the start"),
    ],
)
def test_questions_that_cannot_be_asked(options: dict[str, Any], complaint: str) -> None:
    machine = {"a": {"x": [("b", "0")], "y": [("b", "0")]}, "b": {"x": [("a", "0")]}, "c": {"x": [("a", "1")]}}
    with pytest.raises(ValueError, match=complaint):
        MachineProblem(machine, **options)


@pytest.mark.parametrize("preset", [False, True])
def test_an_input_that_is_missing_is_named(preset: bool) -> None:
    lacking = {"a": {"x": [("a", "0")]}, "b": {"x": [("b", "0")], "y": [("b", "1")]}}
    result = solve(MachineProblem(lacking, preset=preset))
    assert result.status is Status.UNSOLVABLE
    assert result.reason == "a,b cannot be told apart or made one (the action y does not apply in a)"
    lacking["a"]["y"] = [("a", "0")]
    assert solve(MachineProblem(lacking, preset=preset)).cost == 1


@pytest.mark.parametrize(("lacks", "why"), [("c", ""), ("b", " (the action y does not apply in b)")])
def test_an_input_that_is_missing_elsewhere_is_no_reason(lacks: str, why: str) -> None:
    """Nothing tells a and b apart, which lead to each other, whatever c has."""
    machine: dict[str, Any] = {"a": {"x": [("b", "0")]}, "b": {"x": [("a", "0")]}, "c": {"x": [("a", "1")]}}
    for state in {*machine} - {lacks}:
        machine[state]["y"] = [("c", "0")] if state == "c" else [(state, "0")]
    assert solve(MachineProblem(machine)).reason == "a,b cannot be told apart or made one" + why


def test_a_small_machine_needs_no_kernels_for_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "beliefsearch.engine.futures.search", None)
    machine = random_machine(12, 3, 3)
    # By all words, and for the last by all sets of up to three words of up to three inputs.
    asked: dict[str, int] = {"homing": 2, "uio": 3, "separating": 4}
    for find, least in asked.items():
        state = "s1" if find == "uio" else ""
        result = solve(MachineProblem(machine, find=find, preset=True, state=state))
        assert (result.cost, result.engine, result.optimal) == (least, "bits", True)


def test_several_outcomes_are_for_adaptive_plans_only() -> None:
    machine = {"a": {"x": [("a", "0"), ("a", "1")]}, "b": {"x": [("a", "2")]}}
    assert solve(MachineProblem(machine)).cost == 1
    with pytest.raises(ValueError, match="state 'a' has several outcomes of the input 'x'"):
        MachineProblem(machine, preset=True)


def test_tables_are_read() -> None:
    known = {"0": {"0": [("1", "5")], "1": [("0", "7")]}, "1": {"0": [("0", "6")]}}
    fsm = "2 1\n2 2 8\n2\n0 5 7\n1 6 -1\n0 1 0\n1 0 -1\n"
    assert read_machine(Source(Path("some.fsm"), fsm)) == known
    moore = "3 1\n2 1 10\n2\n0 8\n1 9\n0 1\n1 0\n"
    assert read_machine(Source(Path("some.fsm"), moore)) == {"0": {"0": [("1", "9")]}, "1": {"0": [("0", "8")]}}
    kiss = "a -- x / 0 -> b\n\nb -- x y / -> a\nb -- x y / -> a\n".replace("/ ->", "/  ->")
    assert read_machine(Source(Path("some.kiss"), kiss)) == {"a": {"x": [("b", "0")]}, "b": {"x y": [("a", "")]}}


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("some.fsm", "", "here the file ends, and should have 1 whole number: the type (1 DFSM, 2 Mealy, 3"),
        ("some.fsm", "5 1\n", "line 1, column 1: the type of the machine should be one of 1 DFSM, 2 Mealy, 3"),
        ("some.fsm", "2 1\n0 2 1\n", "line 2, column 1: a machine of 0 states"),
        ("some.fsm", "2 1\n1 1 1\n1\n0 0\n0 1\n", "line 5, column 3: there is no state 1; they are 0 to 0"),
        ("some.fsm", "2 1\n1 2 2\n1\n0 0  5\n0 0 0\n", "line 4, column 6: there is no output 5; they are 0 to 1"),
        ("some.fsm", "2 1\n2 1 1\n2\n0 0\n0 0\n", "line 5, column 1: 0 is not the number of another state"),
        ("some.fsm", "2 1\n1 1 1\n1\n0 x\n", "line 4, column 3: here should be 2 whole numbers: a state and its out"),
        ("some.fsm", "2 1\n1 1 1\n1\n0 0\n0\n", "line 5, column 2: here should be 2 whole numbers: a state and its ne"),
        ("some.fsm", f"2 1\n1 1 1\n1\n0 {'9' * 5000}\n", "line 4, column 3: here should be 2 whole numbers"),
        ("some.kiss", "a -- x / 0 -> b\n.i 2\n", "; a table of KISS2 begins with its numbers, such as `.i 2`"),
        ("some.kiss", "\n", "there is no transition"),
    ],
)
def test_tables_that_are_refused(name: str, text: str, complaint: str) -> None:
    with pytest.raises(ProblemError) as raised:
        read_machine(Source(Path(name), text))
    assert complaint in str(raised.value)


def test_a_table_with_other_lines_than_it_counts_is_told() -> None:
    with pytest.warns(DataWarning, match=r"some.kiss: .p says 3 lines of the table; there are 2"):
        read_machine(Source(Path("some.kiss"), ".i 1\n.o 1\n.p 3\n0 a b 1\n1 b a 0\n"))


def test_counts_and_proofs_of_a_larger_machine() -> None:
    """The counts are those of this search; that there is no plan is proved to the checker."""
    machine: Machine = {
        str(s): {a: [(str((s * k + 7 * (s % 11) + k) % 97), str((s * s + k) % 23 % 2))] for k, a in enumerate("abc", 2)}
        for s in range(97)
    }
    homing = search_futures(MachineProblem(machine), Run())
    assert homing is not None
    told = search_futures(MachineProblem(machine, find="distinguishing"), Run())
    assert told is not None
    assert (homing.cost, homing.stats.expanded, homing.stats.generated) == (8, 152, 568)
    assert told.cost == math.inf
    assert told.reason is not None
    assert "cannot be told apart; " in told.reason
    proof = prove(MachineProblem(machine, find="distinguishing"), told, limits=ENOUGH)
    assert proof.data is not None
    assert check_proof(MachineProblem(machine, find="distinguishing"), proof.data) == math.inf


@pytest.mark.skipif(not EXPECTED, reason="there is no folder of machines")
@pytest.mark.parametrize("name", sorted(EXPECTED))
@pytest.mark.few(8)
def test_machines_with_answers_by_another_program(name: str) -> None:
    if name in NOT_READ_ALIKE:
        return
    for question, options in QUESTIONS.items():
        expected = EXPECTED[name][question]
        if EXPECTED[name]["states"] == 1:
            expected = 0  # nothing is unknown, whatever else is told
        problem = MealyFileProblem(FOLDER / name, **options)
        assert solve(problem, limits=ENOUGH).cost == (math.inf if expected is None else expected), question


def test_long_plans_are_no_deeper_than_the_stack() -> None:
    def ring(size: int) -> MachineProblem:
        machine = {f"s{k}": {"a": [(f"s{(k + 1) % size}", str(int(k == 0)))]} for k in range(size)}
        return MachineProblem(machine, find="start", states="s1,s2,s3")

    found = search_futures(ring(1100), Run())
    assert found is not None
    assert found.cost == found.lower_bound == 1099
    assert found.grounds is not None
    assert found.grounds.evidence is not None
    evidence = found.grounds.evidence()
    assert evidence is not None
    assert ring(1100).check_construction(evidence) == 1099
    deep = search_futures(ring(4000), Run())
    assert deep is not None
    assert deep.cost == deep.lower_bound == 3999


def test_evidence_of_long_words_is_no_deeper_than_the_stack() -> None:
    """The input that tells two rings apart applies where both end a round, which is after all their sizes' multiple."""
    machine: Machine = {}
    for size in (31, 37):
        for k in range(size):
            machine[f"{size}_{k}"] = {"a": [(f"{size}_{(k + 1) % size}", "0")], "x": [(f"{size}_{k}", "0")]}
        machine[f"{size}_{size - 1}"]["b"] = [("31_0", str(size))]
    problem = MachineProblem(machine, find="uio", state="31_0", states="31_0,37_0")
    tables = future_tables(problem.adaptively(), lambda: None)
    assert tables is not None
    evidence = evidence_of_word(tables, 31 * 37, tables.futures.index("31_0"))
    assert evidence is not None
    assert len(evidence["sets"]) <= 31 * 37  # x, which changes nothing, is shown to be in vain by no others
    assert problem.check_construction(evidence) == 31 * 37


def test_a_bound_of_the_first_search_for_a_word_outlives_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(path, "_TINY", 1000)
    monkeypatch.setattr(futures, "future_tables", interrupted)
    machine = {f"s{k}": {"a": [(f"s{(k + 1) % 5}", "0")], "b": [(f"s{max(k, 1)}", "0")]} for k in range(5)}
    found = solve(MachineProblem(machine, find="homing", preset=True))  # it takes 16 inputs, as Černý's automata do
    assert found.status is Status.UNDECIDED
    assert 1 < found.lower_bound <= 16


@pytest.mark.parametrize("find", ["homing", "distinguishing"])
@pytest.mark.parametrize("bound", [2, 3, 4, math.inf])
def test_a_single_state_without_inputs_is_known(find: Any, bound: float) -> None:
    """Evidence that x leaves something to be told apart is refused, where the states that follow have no inputs."""
    machine: Machine = {"A": {"x": (("S", "0"),)}, "B": {"x": (("T", "1"),)}, "S": {}, "T": {}}
    problem = MachineProblem(machine, find=find, states="A,B")
    evidence = {"sets": [["A", "B"]], "bounds": [None if bound == math.inf else bound]}
    with pytest.raises(ValueError, match="set 0 may be settled by the input 'x'"):
        problem.check_construction(evidence)
    assert problem.check_construction({"sets": [["A", "B"]], "bounds": [1]}) == 1
