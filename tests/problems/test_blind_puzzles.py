"""Puzzles in the dark (keypad, fox, ten heads, reset words, lost robot): published answers, and brute force."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, count, product
from pathlib import Path
from typing import Any

import pytest

from beliefsearch import check_plan, solve
from beliefsearch_problems.fox import FoxProblem
from beliefsearch_problems.keypad import KeypadProblem
from beliefsearch_problems.lost_robot import LostRobotProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.ten_heads import TenHeadsProblem

from ..examples import thorough
from .layers import assert_solved, fewest_steps


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


def fewest_looks(holes: int, ring: bool = False, lazy: bool = False) -> float:
    """Breadth first over the sets of holes where the fox may be, as bits; shares nothing with the puzzle."""
    everywhere = (1 << holes) - 1

    def following(foxes: int) -> Iterator[int]:
        for hole in range(holes):
            left = foxes & ~(1 << hole)
            spread = left << 1 & everywhere | left >> 1
            if ring:
                spread |= (left >> holes - 1 & 1) | (left & 1) << holes - 1
            yield spread | left if lazy or holes == 1 else spread

    return fewest_steps([everywhere], following, lambda foxes: foxes == 0)


@pytest.mark.parametrize("holes", range(1, 11))
def test_a_row_takes_twice_the_inner_holes(holes: int) -> None:
    assert fewest_looks(holes) == (2 * (holes - 2) if holes > 2 else holes)
    assert_solved(FoxProblem(holes=holes), fewest_looks(holes))


@pytest.mark.parametrize("holes", range(1, 7))
@pytest.mark.parametrize(("layout", "nights"), [("ring", "moves"), ("row", "may-stay"), ("ring", "may-stay")])
def test_rings_and_foxes_that_may_stay(holes: int, layout: str, nights: str) -> None:
    expected = fewest_looks(holes, layout == "ring", nights == "may-stay")
    assert_solved(FoxProblem(holes=holes, layout=layout, nights=nights), expected)


def test_what_a_night_does() -> None:
    problem = FoxProblem(holes=3)
    assert problem.results(2, 2) == problem.results(0, 1) == [0]
    assert problem.results(2, 1) == [1, 3]
    assert FoxProblem(holes=3, layout="ring").results(1, 2) == [2, 3]
    assert FoxProblem(holes=3, nights="may-stay").results(1, 2) == [1, 2]


def fewest_actions(coins: int, heads: int, at_once: bool) -> float:
    """Each coin is moved, turned, both or neither; tried for every place of the heads, with numbered coins."""
    best = math.inf
    for treatment in product((0, 1), repeat=2 * coins):
        moved, turned = treatment[:coins], treatment[coins:]
        cost = sum(map(max, moved, turned)) if at_once else sum(treatment)
        if cost < best and all(is_even(coins, up, moved, turned) for up in combinations(range(coins), heads)):
            best = cost
    return best


def is_even(coins: int, up: tuple[int, ...], moved: tuple[int, ...], turned: tuple[int, ...]) -> bool:
    sides = [0, 0]
    for coin in range(coins):
        sides[moved[coin]] += (coin in up) ^ turned[coin]
    return sides[0] == sides[1]


@pytest.mark.few(20)
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(("coins", "heads"), [(n, k) for n in range(1, 6) for k in range(n + 1)])
def test_small_tables(coins: int, heads: int, at_once: bool) -> None:
    problem = TenHeadsProblem(coins=coins, heads=heads, at_once=at_once)
    result = assert_solved(problem, fewest_actions(coins, heads, at_once))
    if 0 < heads < coins:
        assert result.cost == (heads if at_once else min(2 * heads, coins))


def test_the_coin_that_is_taken_may_be_any() -> None:
    problem = TenHeadsProblem(coins=3, heads=1)
    start = ((3, 1), (0, 0), (0, 0), (0, 0))
    assert problem.initial_states() == [start]
    one_head = ((2, 0), (0, 0), (1, 1), (0, 0))
    one_tail = ((2, 1), (0, 0), (1, 0), (0, 0))
    assert problem.results(start, (0, 2)) == [one_head, one_tail, one_tail]
    assert problem.results(one_head, (2, 3)) == [((2, 0), (0, 0), (0, 0), (1, 0))]
    assert [problem.format_action(action) for action in problem.actions(one_head)] == [
        "move left",
        "move right",
        "turn left",
        "turn right",
    ]


# Published: (n - 1)^2 letters; every set of two or more states comes up, and one single state.
@pytest.mark.parametrize("size", range(2, 13))
def test_the_automaton_of_cerny_takes_the_square(size: int) -> None:
    result = assert_solved(ResetWordProblem(cerny=size), (size - 1) ** 2)
    assert result.stats.reached == 2**size - size


def shortest_reset(table: Any) -> float:
    """Breadth-first over sets of states, by definition."""

    def following(states: frozenset[int]) -> Iterator[frozenset[int]]:
        return (frozenset(table[s][letter] for s in states) for letter in range(len(table[0])))

    return fewest_steps([frozenset(range(len(table)))], following, lambda states: len(states) == 1)


@pytest.mark.few(20)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("size", "letters"), [(1, 1), (4, 1), (6, 2), (9, 2), (5, 3)])
def test_random_automata_agree_with_brute_force(size: int, letters: int, seed: int) -> None:
    problem = ResetWordProblem(random=size, letters=letters, seed=seed)
    assert solve(problem).cost == shortest_reset(problem.table)


def test_an_automaton_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "cerny.txt"
    path.write_text("2 4\n1 0\n2 1\n3 2\n0 0\n")
    assert ResetWordProblem(automaton=path).table == ResetWordProblem(cerny=4).table


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "should begin with"),
        ("0 4", "should begin with"),
        ("2 2 0 1 1", "missing is letter 1 of state 1"),
        ("2 2 0 1 1 1 0", "has 5 targets, but 2 letters and 2 states need 4"),
        ("2 2 0 1 2 1", "letter 0 of state 1 leads to 2, but states go from 0 to 1"),
        ("2 2 0 1 -1 1", "'-1' where a whole number should be"),
    ],
)
def test_a_broken_automaton_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "broken.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        ResetWordProblem(automaton=path)
    with pytest.raises(ValueError, match="cannot read"):
        ResetWordProblem(automaton=tmp_path / "missing.txt")
    with pytest.raises(ValueError, match="exclude each other"):
        ResetWordProblem(cerny=3, random=3)


# Published: 3n - 4 for even n.
@pytest.mark.parametrize(("size", "steps"), [(2, 2), (8, 20), (12, 32), thorough(16, 44)])
def test_the_lost_robot_takes_as_long_as_published(size: int, steps: int) -> None:
    problem = LostRobotProblem(rows=size, cols=size, goal=(size // 2, size // 2))
    assert check_plan(problem, assert_solved(problem, steps)).starts == size * size


def test_a_map_has_walls_that_stop_the_robot(tmp_path: Path) -> None:
    path = tmp_path / "room.txt"
    path.write_text("..#\n#..\n")
    problem = LostRobotProblem(map=path, goal=(3, 1))
    assert sorted(problem.initial_states()) == [(1, 2), (2, 1), (2, 2), (3, 1)]
    assert [problem.results((2, 2), step)[0] for step in problem.actions((2, 2))] == [(2, 2), (2, 2), (2, 1), (1, 2)]
    # From the far end, (1, 2): east, south, east; and these three do it from everywhere.
    assert solve(problem).plan == ("East", "South", "East")
    with pytest.raises(ValueError, match="no free cell"):
        LostRobotProblem(map=path, goal=(1, 1))
