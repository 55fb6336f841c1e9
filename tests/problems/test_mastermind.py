"""Mastermind: published counts and answers, and brute force."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import check_problem, solve
from beliefsearch_problems.mastermind import MastermindProblem

from ..contingent_problems import outcomes
from ..examples import thorough
from .contingent_brute_force import least_total_cost, least_worst_cost, with_hooks
from .layers import assert_solved

# How many codes remain after a first guess and an answer, published in many places: no pegs, one white, one black.
FIRST_GUESSES = {
    "1111": (625, 0, 500),
    "1112": (256, 308, 317),
    "1122": (256, 256, 256),
    "1123": (81, 276, 182),
    "1234": (16, 152, 108),
}


def answer(guess: str, secret: str) -> tuple[int, int]:
    """Black pegs first; then each left-over peg of the guess takes a left-over peg of its colour."""
    left = [(g, s) for g, s in zip(guess, secret, strict=True) if g != s]
    others = [s for _, s in left]
    white = 0
    for g, _ in left:
        if g in others:
            others.remove(g)
            white += 1
    return len(guess) - len(left), white


@pytest.mark.parametrize(("pegs", "colours"), [(1, 1), (1, 4), (2, 3), (3, 3), (4, 2), (4, 3), (15, 2)])
def test_answers_are_those_of_the_rules(pegs: int, colours: int) -> None:
    problem = MastermindProblem(pegs=pegs, colours=colours)
    codes = problem.initial_states()[:100]
    for guess, secret in product(codes[::9] if len(codes) > 81 else codes, codes):
        assert problem.percepts(secret, guess) == (answer(guess, secret),)
    assert problem.percepts(codes[0] + "!", codes[0]) == ((pegs, 0),)


def test_the_first_guess_is_one_of_five() -> None:
    problem = MastermindProblem()
    codes = frozenset(problem.initial_states())
    assert len(codes) == 1296
    assert tuple(problem.distinct_actions(codes)) == tuple(FIRST_GUESSES)
    for guess, counts in FIRST_GUESSES.items():
        after = outcomes(problem, codes, guess)
        assert tuple(len(after.get(pegs, ())) for pegs in ((0, 0), (0, 1), (1, 0))) == counts
        assert after[4, 0] == {guess + "!"}


@pytest.mark.parametrize(("pegs", "colours"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2)])
def test_the_hook_leaves_the_optimum_as_it_is(pegs: int, colours: int) -> None:
    problem = MastermindProblem(pegs=pegs, colours=colours)
    cost = least_worst_cost(problem)
    assert least_worst_cost(problem, actions_of=problem.distinct_actions) == cost
    assert with_hooks(problem).least(9) == cost
    assert least_total_cost(problem) == least_total_cost(problem, actions_of=problem.distinct_actions)


@pytest.mark.parametrize("colours", range(1, 7))
def test_one_peg_is_tried_colour_by_colour(colours: int) -> None:
    problem = MastermindProblem(pegs=1, colours=colours)
    assert with_hooks(problem).least(9) == colours
    assert least_total_cost(problem, actions_of=problem.distinct_actions) == colours * (colours + 1) / 2


def test_two_pegs_of_three_colours_take_21_guesses_for_all_nine() -> None:
    # A published strategy; that there is none better was found by listing all.
    problem = MastermindProblem(pegs=2, colours=3)
    assert least_total_cost(problem) == 21


@pytest.mark.parametrize(("pegs", "colours"), [(1, 4), (2, 3), (3, 2), (3, 3), thorough(3, 4), (2, 6)])
def test_the_solver_agrees_with_brute_force(pegs: int, colours: int) -> None:
    problem = MastermindProblem(pegs=pegs, colours=colours)
    assert_solved(problem, with_hooks(problem).least(9))
    expected = solve(problem, objective="expected")
    assert expected.optimal
    total = least_total_cost(problem, actions_of=problem.distinct_actions)
    assert expected.cost == Fraction(int(total), colours**pegs)


@pytest.mark.parametrize(("pegs", "colours"), [(1, 3), (2, 3), (2, 4), thorough(3, 4)])
def test_codes_of_distinct_colours(pegs: int, colours: int) -> None:
    problem = MastermindProblem(pegs=pegs, colours=colours, distinct=True)
    codes = problem.initial_states()
    assert list(codes) == ["".join(code) for code in permutations("123456"[:colours], pegs)]
    for guess, secret in product(codes, codes):
        assert problem.percepts(secret, guess) == (answer(guess, secret),)
    assert check_problem(problem).passed
    assert least_total_cost(problem) == least_total_cost(problem, actions_of=problem.distinct_actions)
    for objective, least in (("worst", with_hooks(problem).least(9)), ("expected", None)):
        result = solve(problem, objective=objective)
        assert result.optimal
        assert result.cost == (Fraction(int(least_total_cost(problem)), len(codes)) if least is None else least)


CODES = list(map("".join, product("123", repeat=3)))
SYMMETRIES = [
    {code: "".join(names["123".index(code[place])] for place in order) for code in CODES}
    for order in permutations(range(3))
    for names in permutations("123")
]


@given(belief=st.sets(st.sampled_from(CODES), min_size=1, max_size=12).map(frozenset))
def test_every_guess_is_like_a_distinct_one(belief: Any) -> None:
    problem = MastermindProblem(pegs=3, colours=3)
    kept = [image for image in SYMMETRIES if {image[code] for code in belief} == belief]
    distinct = set(problem.distinct_actions(belief) or CODES)
    assert distinct <= set(CODES)
    assert all(any(image[guess] in distinct for image in kept) for guess in CODES)


@pytest.mark.parametrize("guess", ["111", "112", "123"])
def test_something_is_gained_after_a_guess(guess: str) -> None:
    problem = MastermindProblem(pegs=3, colours=3)
    for pegs, belief in outcomes(problem, frozenset(CODES), guess).items():
        distinct = problem.distinct_actions(belief)
        assert distinct is None if pegs == (3, 0) else len(distinct) < len(CODES)


def test_what_is_typed_is_understood() -> None:
    problem = MastermindProblem(colours=6)
    assert problem.parse_state("1126!") == "1126!"
    assert problem.format_percept((2, 1)) == "2 black 1 white"
