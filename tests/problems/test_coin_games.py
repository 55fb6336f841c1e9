"""Coin puzzles that everybody knows: by theorems, formulas, and minimax without the package."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any

import pytest

from beliefsearch import solve
from beliefsearch_problems.coin_turning import CoinTurningProblem
from beliefsearch_problems.coins_in_a_line import CoinsInALineProblem
from beliefsearch_problems.frogs_and_toads import FrogsAndToadsProblem
from beliefsearch_problems.penney import PenneyProblem
from beliefsearch_problems.silver_dollar import SilverDollarProblem
from beliefsearch_problems.star_coins import StarCoinsProblem
from beliefsearch_problems.tait_coins import TaitCoinsProblem

from ..examples import thorough
from .layers import fewest_steps


def least_moves(start: Any, moves: Callable[[Any], Iterable[Any]]) -> float:
    """How many moves of one's own it takes at the most to make the last one; infinite if the other player makes it."""

    @cache
    def mine(position: Any) -> float:
        best = math.inf
        for after in moves(position):
            replies = list(moves(after))
            best = min(best, 1 + max(map(mine, replies)) if replies else 1)
        return best

    return mine(start)


@pytest.mark.parametrize("frogs", [1, 2, 3])
@pytest.mark.parametrize("toads", [1, 2, 3])
def test_frogs_and_toads_by_lucas_formula(frogs: int, toads: int) -> None:
    assert solve(FrogsAndToadsProblem(frogs=frogs, toads=toads)).cost == frogs * toads + frogs + toads


def tait(pairs: int) -> float:
    """Breadth-first: any two neighbours to any two free places that are neighbours."""

    def following(row: str) -> Iterator[str]:
        for first, to in product(range(len(row) - 1), repeat=2):
            if "." not in row[first : first + 2] and row[to : to + 2] == "..":
                left = f"{row[:first]}..{row[first + 2 :]}"
                yield left[:to] + row[first : first + 2] + left[to + 2 :]

    in_order = {"G" * pairs + "S" * pairs, "S" * pairs + "G" * pairs}
    return fewest_steps(["SG" * pairs + ".."], following, lambda row: row.strip(".") in in_order)


@pytest.mark.parametrize("pairs", [1, 2, 3, 4, 5, thorough(6)])
def test_taits_coins(pairs: int) -> None:
    assert solve(TaitCoinsProblem(pairs=pairs)).cost == tait(pairs)
    assert pairs < 4 or tait(pairs) == pairs


ODIOUS = [number for number in range(64) if number.bit_count() % 2]
SIZES: dict[str, Callable[[int], int]] = {
    "turtles": lambda place: place,
    "mock-turtles": lambda place: ODIOUS[place - 1],
    "ruler": lambda place: place & -place,
}


@pytest.mark.parametrize("game", SIZES)
@pytest.mark.parametrize("length", [3, 4, 5])
def test_coin_turning_games_are_nim(game: Any, length: int) -> None:
    for faces in product("HT", repeat=length):
        sizes = [SIZES[game](place) for place, face in enumerate(faces, 1) if face == "H"]
        found = solve(CoinTurningProblem(row="".join(faces), game=game)).cost
        assert (found is not None and found < math.inf) == bool(reduce(xor, sizes, 0)), faces

        def moves(row: int) -> Iterable[int]:
            for mask in range(1, 1 << length):
                top = mask.bit_length() - 1
                low = (mask & -mask).bit_length() - 1
                few = mask.bit_count() <= (2 if game == "turtles" else 3)
                if row >> top & 1 and (few if game != "ruler" else mask.bit_count() == top - low + 1):
                    yield row ^ mask

        start = sum(1 << place for place, face in enumerate(faces) if face == "H")
        assert found == least_moves(start, moves)


@pytest.mark.parametrize("coins", ["o", ".o", "..oo", ".o.o.o", ".o..o", "..o.o", "o..o.o", ".o..o.o", "...o.o..o"])
def test_the_silver_dollar_game_is_nim_with_every_second_gap(coins: str) -> None:
    places = [place for place, square in enumerate(coins) if square == "o"]
    gaps = [after - before - 1 for before, after in zip([-1, *places], places, strict=False)]
    found = solve(SilverDollarProblem(coins=coins)).cost

    def moves(at: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        for number, place in enumerate(at):
            for to in range(at[number - 1] + 1 if number else 0, place):
                yield (*at[:number], to, *at[number + 1 :])

    assert found == least_moves(tuple(places), moves)
    assert (found < math.inf) == bool(reduce(xor, gaps[::-1][::2], 0))


@pytest.mark.parametrize("coins", [(5, 3, 7, 10), (8, 15, 3, 7), (1, 2, 3, 4, 5), (2, 9, 1, 1, 9, 2), (7,), (0, 0)])
def test_coins_in_a_line_by_dynamic_programming(coins: tuple[int, ...]) -> None:
    @cache
    def best(first: int, last: int) -> int:
        """The most that the player to move can be sure of."""
        if first > last:
            return 0
        whole = sum(coins[first : last + 1])
        return whole - min(best(first + 1, last), best(first, last - 1))

    most = best(0, len(coins) - 1)
    assert len(coins) % 2 or 2 * most >= sum(coins)
    moves = (len(coins) + 1) // 2
    assert solve(CoinsInALineProblem(coins=coins, collect=most)).cost == moves
    assert solve(CoinsInALineProblem(coins=coins, collect=most + 1)).cost == math.inf


def conway(mine: str, theirs: str) -> Fraction:
    """The probability that one pattern comes before the other, by Conway's leading numbers."""

    def leading(a: str, b: str) -> int:
        return sum(2 ** (length - 1) for length in range(1, len(a) + 1) if a[-length:] == b[:length])

    against = leading(theirs, theirs) - leading(theirs, mine)
    return Fraction(against, against + leading(mine, mine) - leading(mine, theirs))


@pytest.mark.parametrize("theirs", ["HH", "HT", "HHH", "HHT", "HTH", "HTT", "THT", "HTHH"])
def test_penneys_game_by_conways_numbers(theirs: str) -> None:
    others = map("".join, product("HT", repeat=len(theirs)))
    best = max(conway(mine, theirs) for mine in others if mine != theirs)
    assert solve(PenneyProblem(theirs=theirs)).value == best


@pytest.mark.parametrize(("points", "skip"), [(5, 2), (6, 2), (6, 1), (7, 3), (8, 3), (8, 4)])
def test_on_each_ring_of_a_star_one_point_stays_free(points: int, skip: int) -> None:
    most = points - math.gcd(points, skip)
    assert solve(StarCoinsProblem(points=points, skip=skip, coins=most)).cost == most
    assert solve(StarCoinsProblem(points=points, skip=skip, coins=most + 1)).cost == math.inf


def test_how_positions_are_written() -> None:
    for problem, texts in (
        (FrogsAndToadsProblem(), ["FFF.TTT", "FF.FTTT"]),
        (TaitCoinsProblem(pairs=2), ["SGSG..", "..SGSG"]),
        (CoinTurningProblem(), ["THHTH", "TTTTT, over: you"]),
        (SilverDollarProblem(coins=".o"), [".o", "o. over: opponent"]),
        (CoinsInALineProblem(), ["5 3 7 10; you have 0", "none left; you have 15"]),
        (PenneyProblem(), ["start", "THH: no flip", "THH: HT"]),
        (StarCoinsProblem(), ["........", "o..o...."]),
    ):
        game: Any = problem
        for text in texts:
            assert game.format_state(game.parse_state(text)) == text
        with pytest.raises(ValueError, match="is n"):
            game.parse_state("???")
        for action in list(game.actions(game.parse_state(texts[0])))[:3]:
            if game.overrides("parse_action"):
                assert game.parse_action(game.format_action(action)) == action
