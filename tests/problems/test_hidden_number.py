"""The hidden number: published answers, and brute force."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch_problems.hidden_number import HiddenNumberProblem, SetQuestions

from ..contingent_problems import outcomes
from ..examples import thorough
from .contingent_brute_force import least_worst_cost, with_hooks
from .layers import assert_solved

# By number of questions: the largest limit for which they are enough, with at most one lie.
COMPARISONS = {3: 2, 4: 2, 5: 4, 6: 7, 7: 12}  # OEIS A325908
SETS = {3: 2, 4: 2, 5: 4, 6: 8, 7: 16}  # OEIS A286496
LIMITS = {"comparisons": COMPARISONS, "sets": SETS}

GAMES = st.tuples(st.integers(1, 5), st.integers(0, 1), st.sampled_from(["yes", "no"]))
BELIEFS = st.sets(GAMES, min_size=1, max_size=5).map(frozenset)


def pelc(limit: int) -> int:
    """The published formula for sets and one lie."""
    slack = limit % 2
    return next(q for q in range(100) if limit * (q + 1) + slack * (q - 1) <= 2**q)


@pytest.mark.parametrize("questions", ["comparisons", "sets"])
@pytest.mark.parametrize("limit", range(1, 18))
def test_without_lies_it_takes_the_logarithm(limit: int, questions: str) -> None:
    problem = HiddenNumberProblem(limit=limit, questions=questions)
    assert with_hooks(problem).least(9) == (limit - 1).bit_length()


@pytest.mark.parametrize("questions", ["comparisons", "sets"])
@pytest.mark.parametrize("count", COMPARISONS)
def test_one_lie_takes_as_long_as_published(count: int, questions: str) -> None:
    largest = LIMITS[questions][count]
    game = with_hooks(HiddenNumberProblem(limit=largest, lies=1, questions=questions))
    assert game.wins(frozenset(game.problem.initial_states()), count)
    game = with_hooks(HiddenNumberProblem(limit=largest + 1, lies=1, questions=questions))
    assert not game.wins(frozenset(game.problem.initial_states()), count)


@pytest.mark.parametrize("limit", [*range(2, 11), *map(thorough, range(11, 18))])
def test_one_lie_and_sets_take_what_the_formula_says(limit: int) -> None:
    assert with_hooks(HiddenNumberProblem(limit=limit, lies=1, questions="sets")).least(9) == pelc(limit)


# Of sets there are many more questions.
LARGE = [(16, 0), (17, 0), (12, 1)]


@pytest.mark.parametrize(
    ("limit", "lies", "questions"),
    [
        *(
            (*size, questions)
            for size in [(1, 0), (8, 0), (9, 0), (2, 1), (3, 1), (7, 1), (3, 2)]
            for questions in ("comparisons", "sets")
        ),
        *((*size, "comparisons") for size in LARGE[:2]),
        thorough(*LARGE[2], "comparisons"),
        *(thorough(*size, "sets") for size in LARGE),
    ],
)
def test_the_solver_agrees_with_brute_force(limit: int, lies: int, questions: str) -> None:
    problem = HiddenNumberProblem(limit=limit, lies=lies, questions=questions)
    assert_solved(problem, with_hooks(problem).least(9))


def test_the_formula_gives_the_published_million() -> None:
    assert pelc(1_000_000) == 25


@pytest.mark.parametrize("questions", ["comparisons", "sets"])
@pytest.mark.parametrize(("limit", "lies"), [(1, 0), (1, 2), (2, 1), (2, 2), (2, 3), (3, 0), (3, 1), (3, 2), (4, 1)])
def test_the_hooks_leave_the_optimum_as_it_is(limit: int, lies: int, questions: str) -> None:
    problem = HiddenNumberProblem(limit=limit, lies=lies, questions=questions)
    cost = least_worst_cost(problem)
    assert least_worst_cost(problem, actions_of=problem.distinct_actions) == cost
    assert with_hooks(problem).least(9) == cost


@given(belief=BELIEFS, questions=st.sampled_from(["comparisons", "sets"]))
def test_every_question_is_like_a_distinct_one_or_tells_nothing(belief: Any, questions: str) -> None:
    problem = HiddenNumberProblem(limit=5, lies=1, questions=questions)

    def signature(action: Any) -> frozenset[tuple[Any, int]]:
        following = outcomes(problem, belief, action).values()
        return frozenset(Counter(map(problem.belief_class, following)).items())

    distinct = list(problem.distinct_actions(belief))
    assert all(action in problem.actions((1, 0, "")) for action in distinct)
    named = set(map(signature, distinct))
    live = {number for number, _, _ in belief}
    for action in problem.actions((1, 0, "")):
        asked = live & set(action if questions == "sets" else range(action + 1))
        assert asked in (set(), live) or signature(action) in named


@given(beliefs=st.lists(BELIEFS, min_size=10, max_size=10), questions=st.sampled_from(["comparisons", "sets"]))
def test_beliefs_of_a_class_cost_the_same(beliefs: list[Any], questions: str) -> None:
    problem = HiddenNumberProblem(limit=5, lies=1, questions=questions)
    costs: dict[Any, float] = {}
    for belief in beliefs:
        mirrored = frozenset((6 - number, lies, "yes") for number, lies, _ in belief)
        assert problem.belief_class(mirrored) == problem.belief_class(belief)
        cost = with_hooks(problem).wins
        least = next(budget for budget in range(20) if cost(belief, budget))
        assert costs.setdefault(problem.belief_class(belief), least) == least


def test_answers_may_be_lies_while_there_are_some_left() -> None:
    problem = HiddenNumberProblem(limit=9, lies=1)
    assert problem.results((5, 0, ""), 5) == [(5, 0, "yes"), (5, 1, "no")]
    assert problem.results((5, 1, "no"), 4) == [(5, 1, "no")]
    sets = HiddenNumberProblem(limit=9, lies=0, questions="sets")
    assert sets.results((5, 0, ""), frozenset({1, 5})) == [(5, 0, "yes")]
    assert sets.percepts((5, 0, "yes"), frozenset({1})) == ("yes",)


@pytest.mark.parametrize("limit", range(1, 7))
def test_the_sets_are_all_but_two(limit: int) -> None:
    numbers = range(1, limit + 1)
    expected = {frozenset(chosen) for size in range(1, limit) for chosen in combinations(numbers, size)}
    assert set(SetQuestions(limit)) == expected
    assert all(question in SetQuestions(limit) for question in expected)
    assert frozenset() not in SetQuestions(limit)
    assert frozenset(numbers) not in SetQuestions(limit)
    assert frozenset((0,)) not in SetQuestions(limit)
