"""Wordle: the marks by another way of counting, brute force, and files that somebody else wrote."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch import check_problem, solve
from beliefsearch_problems._guesses import MarkTable
from beliefsearch_problems.wordle import WordleProblem, marks_of

from .contingent_brute_force import least_total_cost, with_hooks
from .layers import assert_solved


def by_counting(guess: str, answer: str) -> str:
    """Of each letter as many are marked as both words have: those in place, then others from the left."""
    marks = ["=" if g == a else "." for g, a in zip(guess, answer, strict=True)]
    for letter, count in (Counter(guess) & Counter(answer)).items():
        right = sum(g == letter and mark == "=" for g, mark in zip(guess, marks, strict=True))
        others = [i for i, g in enumerate(guess) if g == letter and marks[i] == "."]
        for place in others[: count - right]:
            marks[place] = "+"
    return "".join(marks)


WORDS = st.text("abc", min_size=4, max_size=4)


@pytest.mark.parametrize(
    ("guess", "answer", "marks"),
    [
        ("speed", "abide", "..+.+"),
        ("speed", "erase", "+.++."),
        ("speed", "steal", "=.=.."),
        ("speed", "crepe", ".+=+."),
        ("eerie", "where", "+.+.="),
        ("total", "total", "====="),
    ],
)
def test_marks_of_repeated_letters(guess: str, answer: str, marks: str) -> None:
    assert marks_of(guess, answer) == marks


@given(guess=WORDS, answers=st.lists(WORDS, min_size=1, max_size=6))
def test_marks_and_their_arrays_are_those_of_counting(guess: str, answers: list[str]) -> None:
    expected = [by_counting(guess, answer) for answer in answers]
    assert [marks_of(guess, answer) for answer in answers] == expected
    table = MarkTable(answers, marks_of, ".+=")
    assert [table.answers[number] for number in table[guess]] == [(marks,) for marks in expected]


def test_long_words_and_letters_of_any_alphabet(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("übungswort\nfahrkarten\n", encoding="utf-8")
    problem = WordleProblem(answers=file)
    assert problem.initial_states() == ("übungswort", "fahrkarten")
    values, places = problem.all_percepts("übungswort")
    assert [values[place] for place in places[:2, 0]] == ["==========", marks_of("übungswort", "fahrkarten")]
    assert problem.all_results("fahrkarten").ravel().tolist() == [0, 3, 2, 3]


@pytest.mark.parametrize(("first", "cost"), [(1, 1), (5, 2), (12, 2), (30, 3)])
def test_the_worst_case_is_that_of_brute_force(first: int, cost: int) -> None:
    problem = WordleProblem(first=first)
    assert with_hooks(problem).least(9) == cost
    assert_solved(problem, cost)


def test_the_mean_is_that_of_brute_force() -> None:
    problem = WordleProblem(first=5)
    assert least_total_cost(problem) == 9
    found: Any = solve(problem, objective="expected")
    assert found.cost * 5 == 9


def test_other_words_may_be_guessed_and_help(tmp_path: Path) -> None:
    answers, guesses = tmp_path / "answers.txt", tmp_path / "guesses.txt"
    answers.write_text("Bat\nCAT hat\nmat rat\n")
    guesses.write_text("bat\nchm\nbrx\n")
    assert solve(WordleProblem(answers=answers)).cost == 5
    problem = WordleProblem(answers=answers, guesses=guesses)
    assert problem.actions("cat") == ("bat", "cat", "hat", "mat", "rat", "chm", "brx")
    assert problem.parse_action(" CHM ") == "chm"
    assert solve(problem).cost == with_hooks(problem).least(9) == 3


def test_the_contract_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "guesses.txt"
    file.write_text("total eerie")
    report = check_problem(WordleProblem(first=4, guesses=file))
    assert report.passed, report.violations
    assert report.complete


BAD: list[tuple[bytes, str]] = [
    (b"", "has no words; write one in each line"),
    (b"\n \n", "has no words; write one in each line"),
    (b"apple\nbread\nApple\n", "line 3 of '{}' has 'Apple', which stands in line 1 already"),
    (b"apple pears fig", "line 1 of '{}' has 'fig', of 3 letters, but the words before have 5"),
    (b"apple\nit's!\n", "line 2 of '{}' has \"it's!\", which is no word: write letters only"),
    (b"12345", "line 1 of '{}' has '12345', which is no word: write letters only"),
    (b"a" * 300, "line 1 of '{}' has 'aaaaaaaaaaaaaaaaaaaa', a word of 300 letters; at most 10 are possible"),
    (b"\xff\xfe", "cannot read '{}': byte 0 is not of a text in UTF-8"),
    (b"\x00\x01\x02", "which is no word: write letters only"),
    (b"a" * (4 * 2**20 + 1), "cannot read '{}': it is larger than 4 MiB"),
    (" ".join(map("".join, islice(product("abcdefghij", repeat=5), 20_001))).encode(), "has more than 20,000 words"),
]


@pytest.mark.parametrize("option", ["answers", "guesses"])
@pytest.mark.parametrize(("content", "complaint"), BAD, ids=[text[:40] for _, text in BAD])
def test_a_file_without_a_list_is_refused_in_a_line(
    tmp_path: Path, option: str, content: bytes, complaint: str
) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=f"^{option}: ") as refused:
        WordleProblem(**{option: file})
    assert complaint.format(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_files_that_do_not_fit_together_or_are_not_there(tmp_path: Path) -> None:
    file = tmp_path / "four.txt"
    file.write_text("four five nine")
    with pytest.raises(ValueError, match=r"^guesses: the words of .* have 4 letters, but the answers 5$"):
        WordleProblem(guesses=file)
    with pytest.raises(ValueError, match=r"^answers: cannot read .*nowhere\.txt': No such file or directory$"):
        WordleProblem(answers=tmp_path / "nowhere.txt")
    with pytest.raises(ValueError, match="it is a folder"):
        WordleProblem(answers=tmp_path)


def test_the_arrays_agree_with_the_percepts() -> None:
    problem: Any = WordleProblem()
    states = problem.all_states()
    for action in problem.actions(states[0])[::5]:
        values, places = problem.all_percepts(action)
        results = problem.all_results(action)
        assert results.shape == places.shape == (len(states), 1)
        for number, state in enumerate(states):
            assert (states[results[number, 0]],) == problem.results(state, action)
            assert (values[places[number, 0]],) == problem.percepts(state, action)
    assert np.array_equal(problem.all_results("apple")[0], [len(states) // 2])
