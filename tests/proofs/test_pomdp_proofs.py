"""Bounds that a search finds in floats are made to hold exactly, whatever kind of room there is for rounding."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from beliefsearch import Limits, solve
from beliefsearch.plans.plan_writer import Proof
from beliefsearch.plans.result import Status
from beliefsearch.proofs.prove import prove
from beliefsearch.verify.verdict import FileVerdict

from ..pomdp_mutants import check
from ..random_pomdps import Pairs, TablePomdp
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


def test_where_nothing_can_be_proved_that_is_said() -> None:
    proof = prove(coin(), solve(coin()), limits=Limits(1e-9))
    assert "no proof was found before" in proof.text
    assert (proof.data, proof.status) == (None, Status.UNDECIDED)
