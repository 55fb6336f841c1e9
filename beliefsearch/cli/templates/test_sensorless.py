"""Tests of New; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from sensorless import NewProblem

SMALL = NewProblem(squares=4)


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers(NewProblem)


def test_brute_force() -> None:
    testing.check_against_brute_force(SMALL)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


@given(testing.actions(SMALL))
def test_a_step_goes_one_square_at_most(step: tuple[int, str]) -> None:
    state, action = step
    (result,) = SMALL.results(state, action)
    assert abs(result - state) <= 1
