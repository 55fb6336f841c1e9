"""Proofs by exhaustion that outgrow memory: layers on disk, tables of them, and long lists in old certificates."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from beliefsearch import prove
from beliefsearch.errors import InvalidProofError
from beliefsearch.proofs import cores, exhaustion_on_disk
from beliefsearch.proofs.check import check_proof as check_any
from beliefsearch.proofs.exhaustion import TooLong, exhaustion
from beliefsearch.proofs.finder import unreduced
from beliefsearch.proofs.hints import exhaustion_tables
from beliefsearch.proofs.hints.elaborator import proof_table
from beliefsearch.running import run as running
from beliefsearch.running.limits import Budget
from beliefsearch.running.store import npy_files as array_files
from beliefsearch.running.store.checkpoint import Checkpoints
from beliefsearch.running.store.directory import Store
from beliefsearch.verify.proof import check_proof
from beliefsearch_problems.reset_word import ResetWordProblem

from ..conftest import Run
from ..examples import examples
from ..random_problems import TableBeliefProblem, belief_steps, exact_belief_costs
from .test_laws import long_problem

CERNY = ResetWordProblem(cerny=7)


@pytest.fixture(autouse=True)
def no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is listed in memory, and a power failure is not what these are about."""
    monkeypatch.setattr(exhaustion_on_disk, "_PART", 1 << 60)
    monkeypatch.setattr("os.fsync", lambda file: None)


@contextmanager
def checkpoints() -> Iterator[Checkpoints]:
    with TemporaryDirectory() as place, Store(Path(place), {"problem": "any"}, resume=False) as store:
        yield Checkpoints(store)


def on_disk(problem: Any, bound: float, kept: Checkpoints) -> dict[str, Any] | None:
    """What is found on disk, as it is read from a file."""
    view, _ = unreduced(problem, lambda: None)
    run = running.Run(checkpoints=kept).saved_as("exhaustion")
    proof: Any = exhaustion_on_disk.stored_exhaustion(view, bound, run.tick, run)
    return None if proof is None else dict(json.loads(json.dumps(proof)))


def check(problem: Any, proof: dict[str, Any]) -> float | None:
    """The bound that is established; None if none is."""
    try:
        return float(check_proof(problem, proof))
    except InvalidProofError:
        return None


@pytest.fixture
def arrays_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short lists are made into arrays as if they were long, and are packed."""
    monkeypatch.setattr(exhaustion_tables, "_FEW", 0)
    monkeypatch.setattr(exhaustion_tables, "_MANY", 0)
    monkeypatch.setattr(cores, "_FEW_ENTRIES", 0)


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 10**6), free=st.booleans(), few=st.sampled_from([0, 1000]))
def test_what_is_true_is_proved_on_disk_and_nothing_else(seed: int, free: bool, few: int) -> None:
    problem = long_problem(seed, [0, 1, 2] if free else None)
    cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    if not cost or (free and cost < math.inf):
        return
    with checkpoints() as kept, pytest.MonkeyPatch.context() as patch:
        patch.setattr(cores, "_FEW_ENTRIES", few)
        proof = on_disk(problem, cost, kept)
        assert proof is not None
        assert check(problem, proof) == cost
        if cost < math.inf:
            # What is on disk already serves other bounds.
            for too_high in (cost + 1, math.inf):
                assert on_disk(problem, too_high, kept) is None
            lower = on_disk(problem, cost - 1, kept) if cost > 1 else None
            assert lower is None or check(problem, lower) == cost - 1


@pytest.mark.usefixtures("arrays_only")
@settings(max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), choices=st.randoms(use_true_random=False))
def test_nothing_false_is_believed_of_a_long_list(seed: int, choices: Random) -> None:
    problem = long_problem(seed, None if seed % 3 else [0, 1, 2])
    states = sorted({s for steps in belief_steps(problem) for s in steps[0]} & reached(problem))
    if not states:
        return
    cost = exact_belief_costs(problem)[frozenset(problem.starts)]
    bound: Any = choices.choice([None, 1, 2, 3, 4, 5])
    everything = [*range(1, 1 << len(states))]
    kept = choices.sample(everything, max(1, len(everything) - choices.choice([0, 0, 1, 2, len(everything) // 2])))
    flat = choices.random() < 0.4
    ahead = [[f"{members:x}", 0 if flat else choices.choice([0, 1, 1, 2, 2, 3])] for members in kept]
    goals = [sorted({states.index(s) for s in goal if s in states}) for goal in problem.goals]
    proof = {"kind": "exhaustion", "states": states, "bound": bound, "depth": 0, "ahead": ahead}
    proof |= {"reach": choices.choice([bound, bound, None]), "behind": [[goal, 0] for goal in goals if goal]}
    with suppress(InvalidProofError):
        assert check_any(problem, proof) <= cost


def reached(problem: TableBeliefProblem) -> set[int]:
    found = set(problem.starts)
    frontier = list(found)
    for state in frontier:  # grows while it is walked
        for results in problem.table[state].values():
            frontier += set(results) - found
            found |= set(results)
    return found


def test_on_disk_and_in_memory_list_the_same_where_nothing_is_left_out() -> None:
    """Without two beliefs of which one includes the other, and with goals that nothing leads to, both list all."""
    turned: tuple[dict[str, tuple[int, ...]], ...] = tuple(
        {"turn": ((state + 1) % 6,), "swap": (1 - state if state < 2 else state,)} for state in range(6)
    )
    problem = TableBeliefProblem((0, 1, 2, 3), turned, (frozenset({0, 1, 2}), frozenset({3, 4, 5})))
    view, _ = unreduced(problem, lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("beliefsearch.proofs.exhaustion.cheaper_side", lambda ahead, behind: ahead)
        memory: Any = exhaustion(view, math.inf, lambda: None)
    with checkpoints() as kept:
        disk: Any = on_disk(problem, math.inf, kept)
    everything = {frozenset(belief) for belief in disk["table"]["beliefs"]}
    assert everything == {frozenset(belief) for belief in memory["table"]["beliefs"]}
    assert len(everything) == math.comb(6, 4)
    assert check(problem, disk) == check_any(problem, memory) == math.inf


@pytest.mark.usefixtures("arrays_only")
def test_long_lists_of_old_files_are_made_into_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, checkpoints() as kept:
        patch.setattr(cores, "_FEW_ENTRIES", 1000)
        found: Any = on_disk(CERNY, 36, kept)
    rows = zip(found["table"]["beliefs"], found["table"]["values"], strict=True)
    ahead = [[f"{sum(1 << state for state in belief):x}", 36 - value] for belief, value in rows]
    limits = {"bound": 36, "reach": 36, "depth": 0}
    proof = {"kind": "exhaustion", "states": found["states"], **limits, "behind": [], "ahead": ahead}
    assert check_any(CERNY, proof) == 36
    assert "packed" in proof_table(CERNY, proof)["table"]

    def refused(changed: Any, said: str) -> None:
        with pytest.raises(InvalidProofError, match=said):
            check_any(CERNY, {**proof, **changed})

    assert check_any(CERNY, {**proof, "ahead": [*ahead, ["1", 36]]}) == 36
    assert check_any(CERNY, {**proof, "ahead": ahead[::-1]}) == 36
    refused({"bound": None, "reach": None}, "not among the 120")
    refused({"ahead": [["3" if one == "7f" else one, n] for one, n in ahead]}, "not among the 120")
    refused({"ahead": [*ahead, ["7f", "1/2"]]}, "not among the 121")
    refused({"ahead": [*ahead, ["ff", 0]]}, "a set of states as a hexadecimal number")
    refused({"bound": 37, "reach": 37}, "leads to is not among the 120 that are listed")
    refused({"bound": 37}, "its reach 36, depth 0 and rest 0 do not make the bound 37")
    refused({"ahead": ahead[1:]}, "not among")
    refused({"bound": 10**30, "reach": 10**30}, "not among")
    for far in (10**30, 2**31, "1/2"):
        refused({"bound": 36, "reach": 1, "depth": 10**30, "behind": [["1", far]]}, "may cost less than 36")
    refused({"ahead": [entry for entry in ahead if entry is not ahead[5]]}, "not among the 119")
    monkeypatch.setattr(exhaustion_tables, "MOST_ENTRIES", 110)
    refused({}, "its list 'ahead' of 120 sets is too long: at most 110 make a table")
    monkeypatch.setattr(exhaustion_tables, "_MOST_BEHIND", 3)
    refused({"behind": [["1", 0]] * 4}, "its list 'behind' of 4 sets is too long: at most 3 make a table")


@pytest.mark.usefixtures("arrays_only")
def test_beliefs_of_many_words_are_listed_and_checked() -> None:
    problem = ResetWordProblem(random=70, seed=0)
    with checkpoints() as kept:
        proof: Any = on_disk(problem, 9, kept)
    assert check(problem, proof) == 9
    assert proof["table"]["entries"] > 100
    assert check(problem, {**proof, "table": {**proof["table"], "root": 1}}) == 8


PROVE = ("prove", "reset-word", "--cerny", 6, "--solver", "regression", "--engine", "compiled", "--quiet")
KEPT = ("--store", "kept")


def test_prove_writes_its_list_from_disk(cli: Run) -> None:
    code, out, _ = cli(*PROVE, *KEPT, "--certificate", "long.json.gz")
    assert (code, out.splitlines()[1]) == (0, "proof: the bounds of 57 beliefs")
    assert cli("verify", "long.json.gz")[0] == 0
    # Nothing is listed anew.
    assert cli(*PROVE, *KEPT, "--resume", "--certificate", "again.json.gz")[0] == 0
    assert Path("again.json.gz").read_bytes() == Path("long.json.gz").read_bytes()
    # Without a store it is in memory as before.
    assert "the bounds of" in cli(*PROVE)[1]
    assert check_proof(CERNY, prove(CERNY, store="python").data or {}) == 36


class Killed(BaseException):
    """What no code hears."""


def test_a_proof_that_is_killed_goes_on(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli(*PROVE, "--store", "whole", "--certificate", "whole.json")[0] == 0
    whole = json.loads(Path("whole.json").read_text())
    commit, kills = Store.commit, 0
    for _ in range(8):
        calls = 0

        def dies(store: Store, *arguments: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 6:
                raise Killed
            commit(store, *arguments)

        with monkeypatch.context() as patch:
            patch.setattr(Store, "commit", dies)
            try:
                cli(*PROVE, *KEPT, "--resume", "--certificate", "killed.json")
            except Killed:
                kills += 1
                assert not Path("killed.json").exists()
                continue
        break
    assert kills > 3
    found = json.loads(Path("killed.json").read_text())
    assert {**found, "stats": 0} == {**whole, "stats": 0}
    assert found["proof"]["kind"] == "lower"


def test_a_limit_says_how_to_go_on(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli(*PROVE, *KEPT)[0] == 0
    for path in Path("kept").rglob("*"):
        assert not path.name.endswith(".part")

    def stopped(budget: Budget, expanded: int) -> None:
        if expanded > 30:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Budget, "check_expanded", stopped)
        code, out, err = cli(*PROVE, "--store", "other", "--certificate", "none.json")
    assert (code, out.splitlines()[1]) == (3, "proof: no proof was found before it was interrupted")
    assert err.splitlines() == [
        "'other' holds a part of the proof; the same command with --resume goes on from there",
        "none.json: not written, since there is no proof",
    ]
    assert "the bounds of 57" in cli(*PROVE, "--store", "other", "--resume")[1]


def test_a_damaged_store_is_named_and_no_certificate_is_begun(cli: Run) -> None:
    assert cli(*PROVE, *KEPT)[0] == 0
    for path in Path("kept/layers").iterdir():
        data = bytearray(path.read_bytes())
        data[-12] ^= 1
        path.write_bytes(data)
    code, _, err = cli(*PROVE, *KEPT, "--resume", "--certificate", "bad.json")
    assert code == 2
    assert "damaged: its checksum is wrong" in err
    assert not Path("bad.json").exists()


def test_a_list_that_no_checker_takes_is_given_up_in_words(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustion_on_disk, "MOST_ENTRIES", 30)
    said = "proof: none of a size that can be checked: it would list more than 30 beliefs"
    code, out, err = cli(*PROVE, *KEPT, "--certificate", "none.json")
    assert code == 3
    assert out.splitlines()[1].startswith(said)
    assert err == "none.json: not written, since there is no proof\n"
    assert not Path("none.json").exists()
    monkeypatch.setattr(exhaustion_on_disk, "_on_disk", lambda *_: pytest.fail("it lists them again"))
    assert cli(*PROVE, *KEPT, "--resume")[1] == out
    with monkeypatch.context() as patch:  # with more memory cores are tried once more
        patch.setattr(exhaustion_on_disk, "_PART", 1)
        patch.setattr(exhaustion_on_disk, "_FIRST", 0)
        assert "the bounds of" in cli(*PROVE, *KEPT, "--resume")[1]
    with monkeypatch.context() as patch:
        patch.setattr("beliefsearch.proofs.belief_bounds._FEW", 0)
        patch.setattr("beliefsearch.proofs.exhaustion._MOST_OF_CORES", 0)
        assert "it would list more than 0 beliefs" in prove(CERNY).text
    view, _ = unreduced(CERNY, lambda: None)
    with checkpoints() as kept:
        kept.of("exhaustion-on-disk").give_up({"in": "any"})
        run = running.Run(checkpoints=kept).saved_as("exhaustion")
        with pytest.raises(TooLong, match="more than 30"):
            exhaustion_on_disk.stored_exhaustion(view, 36, run.tick, run)


def test_a_full_disk_ends_the_proof_with_what_it_has(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write, calls = array_files.write_whole, 0

    def full(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 8:
            raise OSError(28, "No space left on device")
        return write(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr("beliefsearch.running.store.directory.write_whole", full)
        out = cli(*PROVE, *KEPT)[1]
    assert "no proof was found before there is no space left in 'kept'; make some" in out
    assert "the bounds of 57" in cli(*PROVE, *KEPT, "--resume")[1]
