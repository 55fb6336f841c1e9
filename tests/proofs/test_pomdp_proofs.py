"""Bounds that a search finds in floats are made to hold exactly, whatever kind of room there is for rounding."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from beliefsearch import Limits, StochasticProblem, solve
from beliefsearch.model.belief import no_tick
from beliefsearch.planner import pomdp
from beliefsearch.plans.plan_writer import Proof
from beliefsearch.plans.policy_files import policy_graph_plan
from beliefsearch.plans.result import Status
from beliefsearch.proofs import pomdp_bounds
from beliefsearch.proofs.hints import elaborator
from beliefsearch.proofs.pomdp_makers import Maker
from beliefsearch.proofs.prove import prove
from beliefsearch.solvers.pomdp.arrays import arrays_of
from beliefsearch.verify.pomdp_file import PomdpOfFile
from beliefsearch.verify.verdict import FileVerdict
from beliefsearch_problems.rock_sample import RockSampleProblem

from ..pomdp_mutants import check
from ..random_pomdps import Pairs, TablePomdp
from ..toys.made import made
from ..verify.test_policy_graph import coin, free_looks

ONE, HALF = Fraction(1), Fraction(1, 2)


def proved(problem: TablePomdp, **options: Any) -> tuple[FileVerdict, Proof[Any]]:
    proof = prove(problem, solve(problem, **options))
    assert proof.data is not None, proof.text
    verdict = check(problem, proof.document(name="x", parameters={}))
    assert isinstance(verdict, FileVerdict)
    assert verdict.holds, verdict.complaint
    assert verdict.attained is not None
    assert verdict.unattained is not None
    return verdict, proof


def test_simple_values_are_proved_exactly() -> None:
    """Where a look costs more than it is worth, one says how the coin lies at once, and is right half of the time."""
    verdict, proof = proved(coin(HALF))
    assert (verdict.attained, verdict.unattained) == (Fraction(3, 2), Fraction(3, 2))
    assert proof.status is Status.SOLVED
    assert proof.text == "planes of 3 actions and 0 points"
    answer: Any = proof.answer
    assert (answer.value, answer.lower_bound, answer.upper_bound) == (Fraction(3, 2),) * 3


def test_a_game_that_is_over_at_the_start_is_worth_what_it_ends_in() -> None:
    starts = ((HALF, 1), (HALF, 2))
    verdict, proof = proved(TablePomdp(starts, ({"a": (5, ((ONE, 0),))},), {}, utilities=(3, 4), factor=HALF))
    assert (verdict.attained, verdict.unattained) == (Fraction(7, 2), Fraction(7, 2))
    assert proof.status is Status.SOLVED


def test_games_that_may_go_on_for_ever_without_a_discount() -> None:
    """Whoever looks for ever pays for ever; but no number of looks is too large."""
    verdict, _ = proved(coin())
    assert verdict.attained is not None
    assert verdict.unattained is not None
    # A look first, and then two in a row that agree where one said otherwise: no less than after one look.
    assert Fraction(7, 2) <= verdict.attained <= verdict.unattained <= 5
    assert verdict.unattained - verdict.attained <= Fraction(1, 100)


def walk(size: int, reward: int) -> TablePomdp:
    """A corridor, felt at its ends only; whoever steps on from the last place is out. Steps fail one time in three."""
    third = Fraction(1, 3)
    table: Any = tuple(
        {
            "on": (reward, ((third, place), (1 - third, place + 1))),
            "back": (reward, ((third, place), (1 - third, max(place - 1, 0)))),
        }
        for place in range(size)
    )
    steps = [(place, step) for place in range(size) for step in ("on", "back")]
    feel: Any = {(place, step): ((ONE, int(place in (0, size - 1))),) for place, step in steps}
    start: Pairs = tuple((Fraction(1, size), place) for place in range(size))
    return TablePomdp(start, table, feel, (0 if reward else 4,), ONE)


def test_costs_are_lowered_where_a_game_may_go_on_for_ever() -> None:
    """The mean of 1 to 3 places, at 3/2 steps each."""
    verdict, _ = proved(walk(3, -1))
    assert verdict.attained is not None
    assert verdict.unattained is not None
    value = -Fraction(3, 2) * Fraction(1 + 2 + 3, 3)
    assert verdict.attained <= value <= verdict.unattained
    assert verdict.unattained - verdict.attained <= Fraction(1, 250)


def test_numbers_are_raised_until_none_is_too_low_where_nothing_is_paid_on_the_way() -> None:
    verdict, _ = proved(walk(3, 0))
    assert verdict.attained is not None
    assert verdict.unattained is not None
    assert 4 - Fraction(1, 100) <= verdict.attained <= 4 <= verdict.unattained <= 4 + Fraction(1, 100)


def test_an_upper_bound_that_no_policy_attains() -> None:
    """Looks that cost nothing make as sure as one likes, and never quite sure."""
    result = solve(free_looks(), precision=0.1, limits=Limits(20))
    proof = prove(free_looks(), result)
    assert proof.data is not None, proof.text
    verdict = check(free_looks(), proof.document(name="x", parameters={}))
    assert isinstance(verdict, FileVerdict)
    assert verdict.holds, verdict.complaint
    assert verdict.attained is not None
    assert verdict.unattained is not None
    assert 3 <= verdict.attained <= 6 <= verdict.unattained <= Fraction(6001, 1000)


def noise() -> Any:
    """All is random: where actions lead, what is perceived, and what it is worth."""

    def chances(*key: int, size: int = 5) -> list[tuple[float, int]]:
        random = Random(str(key))
        weights = [random.random() ** 3 for _ in range(size)]
        return [(weight / sum(weights), number) for number, weight in enumerate(weights)]

    return made(
        StochasticProblem,
        initial_distribution=lambda: chances(),
        actions=range(3),
        outcomes=chances,
        percept_distribution=lambda state, action: chances(state, action, 0, size=3),
        reward=lambda state, action: Random(str((state, action))).uniform(-1, 1),
        discount=0.95,
    )


@pytest.mark.parametrize("horizon", [None, 12])
def test_where_time_is_short_a_wider_gap_is_proved(monkeypatch: pytest.MonkeyPatch, horizon: int | None) -> None:
    """Some points are named, and the others left out."""
    monkeypatch.setattr(pomdp, "_FEW_CHANCES", -1)
    problem = noise()
    result: Any = solve(problem, horizon=horizon, precision=0, limits=Limits(expanded=300))
    proofs = [prove(problem, result)]
    for name in ("_LEAST_SECONDS", "_SHARE_OF_SEARCH", "_SHARE_OF_LIMIT"):
        monkeypatch.setattr(pomdp_bounds, name, 0)
    proofs.append(prove(problem, result))
    found: list[Any] = []
    for proof in proofs:
        assert proof.data is not None, proof.text
        verdict = check(problem, json.loads(json.dumps(proof.document(name="x", parameters={}))))
        assert isinstance(verdict, FileVerdict)
        assert verdict.holds, verdict.complaint
        found.append((verdict.unattained, len(proof.data["points"])))
    (upper, points), (wider, fewer) = found
    assert upper == pytest.approx(result.upper_bound, rel=1e-6)
    assert upper < wider
    assert 1 <= fewer < points


@pytest.mark.parametrize("size", [3, 4])
def test_what_a_search_kept_proves_what_it_says_and_the_checker_agrees(size: int) -> None:
    """The bound is known without exact arithmetic, and no more of it is claimed than the checker finds."""
    problem: Any = RockSampleProblem(size=size, rocks=3)
    result: Any = solve(problem, engine="compiled", precision=0.001, limits=Limits(expanded=400))
    arrays = arrays_of(result.found.model)
    made_so = Maker(result.found.model, arrays, result.found, 1, no_tick)
    plan = policy_graph_plan(result.policy, problem, result.found.model.come_up())
    data: Any = made_so.proof(problem, plan)
    upper = made_so.proved()
    assert upper == PomdpOfFile(problem, plan, elaborator, no_tick).planes(data)[0]
    assert upper == pytest.approx(result.upper_bound, rel=1e-6)
    assert len(data["points"]) > 10
    proof = prove(problem, result)
    verdict: Any = check(problem, json.loads(json.dumps(proof.document(name="x", parameters={}))))
    assert verdict.holds, verdict.complaint
    answer: Any = proof.answer
    assert (verdict.attained, verdict.unattained) == (answer.lower_bound, answer.upper_bound)


def test_where_nothing_can_be_proved_that_is_said() -> None:
    proof = prove(coin(), solve(coin()), limits=Limits(1e-9))
    assert "no proof was found before" in proof.text
    assert (proof.data, proof.status) == (None, Status.UNDECIDED)
