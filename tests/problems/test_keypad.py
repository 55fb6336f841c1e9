"""The keypad: words of de Bruijn, found by brute force over words, and what the lock does."""

from __future__ import annotations

from itertools import count, product

import pytest

from beliefsearch import check_plan, solve
from beliefsearch_problems.keypad import KeypadProblem

from .layers import assert_solved


def shortest_word(keys: str, length: int) -> int:
    """How long a word is in which every code occurs: all words are tried, the shortest first."""
    codes = {"".join(code) for code in product(keys, repeat=length)}
    return next(size for size in count() if any(holds_all(word, codes) for word in product(keys, repeat=size)))


def holds_all(word: tuple[str, ...], codes: set[str]) -> bool:
    text = "".join(word)
    return all(code in text for code in codes)


@pytest.mark.parametrize(("keys", "code"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (5, 1)])
def test_every_press_counts_from_the_first_code_on(keys: int, code: int) -> None:
    assert shortest_word("01234"[:keys], code) == keys**code + code - 1
    assert_solved(KeypadProblem(keys=keys, code=code), keys**code + code - 1)


@pytest.mark.parametrize(("keys", "code"), [(2, 4), (3, 2), (4, 2)])
def test_a_plan_contains_every_code_once(keys: int, code: int) -> None:
    problem = KeypadProblem(keys=keys, code=code)
    word = "".join(solve(problem).require_plan())
    assert len(word) == keys**code + code - 1
    codes = ["".join(letters) for letters in product("0123"[:keys], repeat=code)]
    assert sorted(word[start : start + code] for start in range(keys**code)) == codes
    assert check_plan(problem, tuple(word)).holds


def test_a_lock_opens_and_stays_open() -> None:
    problem = KeypadProblem(keys=2, code=3)
    assert problem.results(("011", ""), "0") == (("011", "0"),)
    assert problem.results(("011", "10"), "1") == (("011", "01"),)
    assert problem.results(("011", "01"), "1") == problem.results(("", ""), "0") == (("", ""),)
