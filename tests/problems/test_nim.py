"""Nim: who wins by Bouton's theory, after how many moves by brute force, and how positions and moves read."""

from __future__ import annotations

import math
from functools import cache, reduce
from itertools import combinations_with_replacement
from operator import xor
from typing import TypeAlias

import pytest

from beliefsearch import SearchResult, solve
from beliefsearch.plugins.options import make_problem
from beliefsearch_problems._typed import number_list
from beliefsearch_problems.nim import NimProblem, parse_heaps

from .layers import assert_solved

Heaps: TypeAlias = tuple[int, ...]

SMALL = [heaps for count in (1, 2, 3, 4) for heaps in combinations_with_replacement(range(1, 7 - count), count)]


def first_player_wins(heaps: Heaps, last: str) -> bool:
    """Bouton, 1901: the nim-sum; who must not take the last counter has only to look out for heaps of one."""
    if last == "loses" and max(heaps) == 1:
        return len(heaps) % 2 == 0
    return reduce(xor, heaps) != 0


def moves(heaps: Heaps) -> set[Heaps]:
    """What one player may make of the heaps, whoever it is."""
    rests = ((*heaps[:i], left, *heaps[i + 1 :]) for i, heap in enumerate(heaps) for left in range(heap))
    return {tuple(sorted(filter(None, rest))) for rest in rests}


@cache
def most_moves(heaps: Heaps, last: str) -> float:
    """How many moves of the player who begins are enough; infinite if none are. Shares nothing with the puzzle."""
    if not heaps:  # the opponent took the last counter
        return 0 if last == "loses" else math.inf
    ways = []
    for left in moves(heaps):
        if left:
            ways.append(1 + max(most_moves(reply, last) for reply in moves(left)))
        else:
            ways.append(1 if last == "wins" else math.inf)
    return min(ways)


def found(heaps: Heaps, last: str = "wins") -> SearchResult[tuple[int, int]]:
    result: SearchResult[tuple[int, int]] = solve(NimProblem(heaps=heaps, last=last))
    return result


@pytest.mark.parametrize("last", ["wins", "loses"])
def test_who_begins_wins_if_bouton_says_so_and_as_soon_as_possible(last: str) -> None:
    for heaps in SMALL:
        expected = most_moves(heaps, last)
        assert (expected < math.inf) == first_player_wins(heaps, last)
        assert_solved(NimProblem(heaps=heaps, last=last), expected)


@pytest.mark.parametrize(("small", "large"), [(1, 2), (2, 5), (3, 4), (4, 9)])
def test_the_copycat_wins_two_heaps(small: int, large: int) -> None:
    result = found((small, large))
    assert result.cost == small + 1
    assert result.require_conditional_plan().nodes[0].action == (large - small, large)


def test_a_move_has_a_result_for_every_reply_and_the_last_counter_ends_the_game() -> None:
    problem = NimProblem(heaps=(2, 1))
    assert problem.initial_state() == ((1, 2), "")
    assert problem.actions(((1, 2), "")) == [(1, 1), (1, 2), (2, 2)]
    assert problem.results(((1, 2), ""), (1, 1)) == [((1,), ""), ((), "opponent")]
    assert problem.results(((1, 2), ""), (1, 2)) == [((1,), "")]
    assert problem.results(((3,), ""), (3, 3)) == [((), "you")]
    assert problem.actions(((), "opponent")) == []
    assert problem.percepts(((1,), ""), (1, 2)) == (((1,), ""),)
    assert problem.has_adversary()


def test_what_is_perceived_reads_like_the_state() -> None:
    problem = NimProblem()
    for state in (((1, 4, 4), ""), ((), "you"), ((), "opponent")):
        assert problem.format_percept(state) == problem.format_state(state)
        assert problem.parse_state(problem.format_state(state)) == state


@pytest.mark.parametrize("text", ["5 3 4", " 3,4, 5 "])
def test_heaps_are_read_in_any_order(text: str) -> None:
    assert parse_heaps(text) == (3, 4, 5)
    assert make_problem(NimProblem, {"heaps": text}) == NimProblem()
    assert number_list(parse_heaps(text)) == "3 4 5"
