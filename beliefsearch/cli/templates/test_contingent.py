"""Tests of New; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from contingent import NewProblem

SMALL = NewProblem(limit=5)


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers(NewProblem)


def test_brute_force() -> None:
    testing.check_against_brute_force(SMALL)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


@given(testing.walks(SMALL))
def test_the_true_number_is_never_ruled_out(walk: testing.Walk[int, int, str]) -> None:
    for turn in walk.turns:
        assert turn.state in (turn.belief or ())
