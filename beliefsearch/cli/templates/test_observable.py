"""Tests of New; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from observable import NewProblem

SMALL = NewProblem(stones=6)


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers(NewProblem)


def test_brute_force() -> None:
    testing.check_against_brute_force(SMALL)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


@given(testing.walks(SMALL))
def test_nobody_falls(walk: testing.Walk[int, str, int]) -> None:
    assert all(turn.state >= 0 for turn in walk.turns)
