"""Tests of New; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from plain import NewProblem

SMALL = NewProblem()


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers(NewProblem)


def test_brute_force() -> None:
    testing.check_against_brute_force(SMALL)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


@given(testing.states(SMALL))
def test_no_jug_overflows(state: tuple[int, int]) -> None:
    small, large = state
    assert 0 <= small <= 3
    assert 0 <= large <= 5
