"""Tests of New; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from stochastic import NewProblem, Throw

SMALL = NewProblem(rolls=2)


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers(NewProblem)


def test_brute_force() -> None:
    testing.check_against_brute_force(SMALL)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


@given(testing.walks(SMALL))
def test_a_die_shows_one_to_six(walk: testing.Walk[Throw, str, Throw]) -> None:
    assert all(1 <= turn.state[1] <= 6 for turn in walk.turns if turn.action == "roll")
