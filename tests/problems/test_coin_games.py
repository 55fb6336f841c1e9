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
from beliefsearch_problems.biased_coin import BiasedCoinProblem
from beliefsearch_problems.coin_turning import CoinTurningProblem
from beliefsearch_problems.coins_in_a_line import CoinsInALineProblem
from beliefsearch_problems.digital_scale import DigitalScaleProblem
from beliefsearch_problems.fair_coin import FairCoinProblem
from beliefsearch_problems.frogs_and_toads import FrogsAndToadsProblem
from beliefsearch_problems.penney import PenneyProblem
from beliefsearch_problems.penny_shapes import PennyShapesProblem
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


def weighings(states: frozenset[tuple[int, ...]], coins: int) -> int:
    """The least number of weighings in the worst case, by trying all to the end."""

    @cache
    def least(left: frozenset[tuple[int, ...]]) -> int:
        if len(left) == 1:
            return 0
        best = 99
        for scale in product(range(coins + 1), repeat=len(min(left))):
            parts: dict[int, set[tuple[int, ...]]] = {}
            for state in left:
                parts.setdefault(sum(n * fake for n, fake in zip(scale, state, strict=True)), set()).add(state)
            if len(parts) > 1:
                best = min(best, 1 + max(least(frozenset(part)) for part in parts.values()))
        return best

    return least(states)


@pytest.mark.parametrize(
    ("bags", "coins", "fakes"),
    [(1, 1, None), (2, 1, None), (3, 1, None), (4, 1, None), (4, 1, 1), (3, 2, None), (3, 2, 1)],
)
def test_bags_on_the_digital_scale(bags: int, coins: int, fakes: int | None) -> None:
    states = frozenset(s for s in product((0, 1), repeat=bags) if fakes in (None, sum(s)))
    found = solve(DigitalScaleProblem(bags=bags, coins=coins, counterfeit=fakes)).cost
    assert found == weighings(states, coins)


def test_a_scale_with_more_bags_than_can_be_listed() -> None:
    assert solve(DigitalScaleProblem(bags=5)).cost == 4
    scale = DigitalScaleProblem(bags=40, coins=9)
    assert (0,) * 40 in scale.actions("g" * 40)
    assert (10,) * 40 not in scale.actions("g" * 40)
    with pytest.raises(ValueError, match="cannot be counterfeit"):
        DigitalScaleProblem(bags=2, counterfeit=3)


@pytest.mark.parametrize(
    ("coins", "heads", "flips"),
    [(2, "3/4", 0), (2, "3/4", 1), (2, "3/4", 2), (2, "3/4", 3), (2, "1", 3), (3, "2/3", 2)],
)
def test_the_biased_coin_by_weights_of_all_that_may_be_seen(coins: int, heads: str, flips: int) -> None:
    def best(weights: tuple[Fraction, ...], left: int) -> Fraction:
        """The probability to be right, of weights of each coin that are not divided by their sum."""
        found = max(weights)
        for flipped in range(coins if left else 0):
            p = [Fraction(heads) if coin == flipped else Fraction(1, 2) for coin in range(coins)]
            sides = (
                [w * q for w, q in zip(weights, p, strict=True)],
                [w * (1 - q) for w, q in zip(weights, p, strict=True)],
            )
            found = max(found, sum((best(tuple(side), left - 1) for side in sides), Fraction(0)))
        return found

    expected = best((Fraction(1, coins),) * coins, flips)
    value = solve(BiasedCoinProblem(coins=coins, heads=Fraction(heads), flips=flips)).lower_bound
    assert value is not None
    assert float(value) == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 3), Fraction(9, 10)])
@pytest.mark.parametrize("longest", [2, 4, 8])
def test_the_tossed_coin_is_fair_and_takes_as_long_as_it_should(p: Fraction, longest: Any) -> None:
    toss = FairCoinProblem(p=p, longest=longest)
    called = {"heads": Fraction(0), "tails": Fraction(0), "": Fraction(0)}
    flips, waiting = Fraction(0), {(longest, ""): Fraction(1)}
    for _ in range(longest):
        flips += sum(waiting.values())
        after: dict[tuple[int, str], Fraction] = {}
        for state, share in waiting.items():
            for chance, (_, text) in toss.outcomes(state, "flip"):
                if text in called:
                    called[text] += share * chance
                else:
                    after[longest, text] = share * chance
        waiting = after
    assert not waiting
    assert called["heads"] == called["tails"]
    mean = flips / (1 - called[""])
    assert solve(toss).value == -mean
    assert longest != 2 or mean == 1 / (p * (1 - p))


def pennies(start: set[complex], is_goal: Callable[[set[complex]], bool], *, slid: bool) -> int:
    """Breadth-first in the plane: the middle of each coin as a complex number, touching ones one apart."""
    turn = complex(0.5, math.sqrt(0.75))
    ways = [turn**k for k in range(6)]

    def named(coins: Iterable[complex]) -> frozenset[complex]:
        """Where coins lie as seen from the first of them, rounded."""
        first = min(coins, key=lambda z: (round(z.imag, 3), round(z.real, 3)))
        return frozenset(complex(round((z - first).real, 3) + 0.0, round((z - first).imag, 3) + 0.0) for z in coins)

    def near(spot: complex, others: Iterable[complex]) -> list[complex]:
        return [z for z in others if abs(z - spot) < 1.01]

    def reached(coin: complex, others: frozenset[complex]) -> list[complex]:
        """Where a coin comes by going from spot to spot; halfway it must not be squeezed from both sides."""
        found = [coin]
        for spot in found:
            for way in ways:
                after, squeezed = spot + way, [z for z in others if abs(z - spot - way / 2) < 0.9]
                is_free = len(squeezed) < 2 and not any(abs(z - after) < 0.1 for z in (*others, *found))
                if is_free and any(abs(z - after) < 2.1 for z in others):
                    found.append(after)
        return found

    layer, seen, moves = {named(start)}, {named(start)}, 0
    while not any(is_goal(set(coins)) for coins in layer):
        following = set()
        for coins in layer:
            for coin in coins:
                others = coins - {coin}
                spots = reached(coin, others) if slid else [z + way for z in others for way in ways]
                free = [z for z in spots if not any(abs(z - other) < 0.1 for other in coins)]
                following |= {named([*others, z]) for z in free if len(near(z, others)) >= 2}
        layer, moves = following - seen, moves + 1
        seen |= layer
    return moves


def is_ring(coins: set[complex]) -> bool:
    middle = sum(coins) / 6
    return all(abs(abs(z - middle) - 1) < 0.01 for z in coins)


def is_line(coins: set[complex]) -> bool:
    ends = max(((z, w) for z in coins for w in coins), key=lambda pair: abs(pair[0] - pair[1]))
    return abs(abs(ends[0] - ends[1]) - 5) < 0.01 and all(abs(z - ends[0]) + abs(z - ends[1]) < 5.01 for z in coins)


RHOMBUS = {complex(x + y / 2, y * math.sqrt(0.75)) for x in range(3) for y in range(2)}
PYRAMID = {complex(x + y / 2, -y * math.sqrt(0.75)) for y in range(3) for x in range(3 - y)}


@pytest.mark.parametrize(
    ("start", "goal", "slid", "moves"),
    [
        ("rhombus", "ring", True, 3),
        thorough("pyramid", "ring", True, 4),
        thorough("pyramid", "line", False, 7),  # nor does it help to pick coins up
    ],
)
def test_pennies_in_the_plane(start: Any, goal: Any, slid: bool, moves: int) -> None:
    found = pennies({"rhombus": RHOMBUS, "pyramid": PYRAMID}[start], is_ring if goal == "ring" else is_line, slid=slid)
    assert found == moves
    assert solve(PennyShapesProblem(start=start, goal=goal)).cost == moves


@pytest.mark.parametrize(("start", "goal"), [("ooo", "oo"), ("", ""), ("square", "ring"), ("ooo/ooo", "ooo/oox")])
def test_shapes_of_pennies_that_are_none(start: str, goal: str) -> None:
    with pytest.raises(ValueError, match=r"not as many coins|no name and no rows"):
        PennyShapesProblem(start=start, goal=goal)


def test_how_positions_are_written() -> None:
    for problem, texts in (
        (FrogsAndToadsProblem(), ["FFF.TTT", "FF.FTTT"]),
        (TaitCoinsProblem(pairs=2), ["SGSG..", "..SGSG"]),
        (CoinTurningProblem(), ["THHTH", "TTTTT, over: you"]),
        (SilverDollarProblem(coins=".o"), [".o", "o. over: opponent"]),
        (CoinsInALineProblem(), ["5 3 7 10; you have 0", "none left; you have 15"]),
        (PenneyProblem(), ["start", "THH: no flip", "THH: HT"]),
        (StarCoinsProblem(), ["........", "o..o...."]),
        (PennyShapesProblem(), ["ooo/ooo", ".oo/o.o/oo."]),
        (DigitalScaleProblem(), ["gcgg", "cccc"]),
        (BiasedCoinProblem(), ["2, 1 flips left", "1, right", "2, wrong"]),
        (FairCoinProblem(longest=4), ["start", "up to 4: HH", "up to 2: no flip", "up to 4: tails"]),
    ):
        game: Any = problem
        for text in texts:
            assert game.format_state(game.parse_state(text)) == text
        with pytest.raises(ValueError, match="is n"):
            game.parse_state("???")
        for action in list(game.actions(game.parse_state(texts[0])))[:3]:
            if game.overrides("parse_action"):
                assert game.parse_action(game.format_action(action)) == action
