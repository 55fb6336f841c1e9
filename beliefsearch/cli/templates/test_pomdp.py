"""Tests of New; they need `pip install pytest hypothesis`."""

from beliefsearch import testing
from hypothesis import given

from pomdp import NewProblem

SMALL = NewProblem(prize=3)


def test_rules() -> None:
    testing.check_rules(SMALL)


def test_known_answers() -> None:
    testing.check_known_answers(NewProblem)


def test_drawings() -> None:
    testing.check_drawings(SMALL)


@given(testing.walks(SMALL))
def test_tails_show_that_it_is_fair(walk: testing.Walk[str, str, str]) -> None:
    seen = [turn.state for turn in walk.turns if turn.percept == "tails"]
    assert set(seen) <= {"fair"}
