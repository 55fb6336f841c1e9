"""How many states or beliefs there are at each distance: as published, or by brute force that shares nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from math import comb, factorial, inf
from typing import Any

import pytest

from beliefsearch import check_problem
from beliefsearch.tools import explore
from beliefsearch_problems.devil import DevilProblem
from beliefsearch_problems.knights_swap import KnightsSwapProblem
from beliefsearch_problems.lights_out import LightsOutProblem
from beliefsearch_problems.nine_tails import NineTailsProblem
from beliefsearch_problems.pancakes import PancakesProblem
from beliefsearch_problems.reset_word import ResetWordProblem
from beliefsearch_problems.river_crossing import RiverCrossingProblem
from beliefsearch_problems.sliding_tiles import SlidingTilesProblem

from ..examples import thorough
from .layers import layers
from .test_boards import distances, leaps
from .test_plain_puzzles import brute_force_distances
from .test_river_crossing import Bank, Side, crossings, farm_is_safe, missionaries_are_safe, wives_are_safe
from .test_sliding_tiles import EIGHT_PUZZLE, brute_force

# OEIS A092113: stacks of 1, 2, ... pancakes by the turns that they take.
PANCAKES = [
    (1,),
    (1, 1),
    (1, 2, 2, 1),
    (1, 3, 6, 11, 3),
    (1, 4, 12, 35, 48, 20),
    (1, 5, 20, 79, 199, 281, 133, 2),
    (1, 6, 30, 149, 543, 1357, 1903, 1016, 35),
    (1, 7, 42, 251, 1191, 4281, 10561, 15011, 8520, 455),
    (1, 8, 56, 391, 2278, 10666, 38015, 93585, 132697, 79379, 5804),
]


def counts(far: Iterable[float]) -> tuple[int, ...]:
    """How many there are at the distances 0, 1, ... of those that are at one."""
    by_distance = Counter(distance for distance in far if distance < inf)
    return tuple(by_distance[distance] for distance in range(len(by_distance)))


def assert_counted(problem: Any, expected: Iterable[int], *, backward: bool = False) -> None:
    found = explore(problem, backward=backward, engine="compiled")
    assert (found.complete, found.layers) == (True, tuple(expected))


def test_sliding_tiles() -> None:
    # The goal is as far from a board as the board from the goal: a slide can be taken back.
    for backward in (False, True):
        assert_counted(SlidingTilesProblem("1 2 3 4 5 6 7 8 0"), EIGHT_PUZZLE, backward=backward)
    assert sum(EIGHT_PUZZLE) == 181_440
    for rows, cols in ((1, 4), (2, 2), (2, 3), (3, 2)):
        problem = SlidingTilesProblem(rows=rows, cols=cols)
        assert_counted(problem, counts(brute_force(rows, cols).values()), backward=True)


@pytest.mark.parametrize("turns", [*PANCAKES[:-1], thorough(PANCAKES[-1])], ids=lambda turns: len(turns))
def test_pancakes(turns: tuple[int, ...]) -> None:
    count = PANCAKES.index(turns) + 1
    assert sum(turns) == factorial(count)
    stack = tuple(range(1, count + 1))
    assert_counted(PancakesProblem(stack), turns)
    # A stack renamed so that another one is sorted is as far from it: the start does not matter.
    assert_counted(PancakesProblem(stack[::2] + stack[1::2]), turns)
    assert_counted(PancakesProblem(stack), turns, backward=True)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_burnt_pancakes(count: int) -> None:
    expected = counts(distances(count, True).values())
    assert sum(expected) == 2**count * factorial(count)
    for start in (tuple(range(1, count + 1)), tuple(range(-count, 0))):
        for backward in (False, True):
            assert_counted(PancakesProblem(start, burnt=True), expected, backward=backward)


# OEIS A058986 and A078941.
@pytest.mark.thorough
@pytest.mark.parametrize(("count", "burnt", "most"), [(10, False, 11), (6, True, 12), (7, True, 14), (8, True, 15)])
def test_many_pancakes(count: int, burnt: bool, most: int) -> None:
    found = explore(PancakesProblem(tuple(range(1, count + 1)), burnt=burnt), backward=True)
    assert (found.total, found.eccentricity) == (factorial(count) * (2**count if burnt else 1), most)


def crosses(rows: int, cols: int) -> list[int]:
    """The cells that each button changes, as bits."""
    cells = list(product(range(rows), range(cols)))
    return [sum(1 << i for i, (v, u) in enumerate(cells) if abs(v - y) + abs(u - x) <= 1) for y, x in cells]


def fewest_presses(rows: int, cols: int) -> list[float]:
    """By pattern: the size of a smallest set of buttons that makes it; all sets are tried."""
    patterns = [0]  # by set of buttons
    for cross in crosses(rows, cols):
        patterns += [pattern ^ cross for pattern in patterns]
    fewest = [inf] * len(patterns)
    for buttons, pattern in enumerate(patterns):
        fewest[pattern] = min(fewest[pattern], buttons.bit_count())
    return fewest


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 3), (3, 3), (4, 3), (4, 4)])
def test_lights_out(rows: int, cols: int) -> None:
    expected = counts(fewest_presses(rows, cols))
    assert_counted(LightsOutProblem(rows, cols), expected, backward=True)
    assert_counted(LightsOutProblem(rows, cols, "0" * rows * cols), expected)


# 5 x 5 patterns by the presses that they take; 7,350 in 15 is published (see the puzzle).
FIVE_BY_FIVE = (
    *(1, 25, 300, 2300, 12650, 53130, 176176, 467104, 982335, 1596279, 1935294, 1684446, 1004934, 383670),
    *(82614, 7350),
)


def test_the_counts_of_five_by_five_follow_from_its_idle_sets() -> None:
    # Sets of buttons that differ by an idle set make the same pattern, and the smallest of the four is what it takes.
    buttons = crosses(5, 5)

    def chased(first_row: int) -> int | None:
        lamps = pressed = 0
        for cell in range(25):
            if first_row >> cell & 1 if cell < 5 else lamps >> cell - 5 & 1:
                lamps ^= buttons[cell]
                pressed |= 1 << cell
        return None if lamps else pressed

    idle = [pressed for row in range(32) if (pressed := chased(row)) is not None]
    assert len(idle) == 4
    # The cells by the idle sets that they belong to; a set of buttons by how many it has of each sort.
    sorts = Counter(tuple(pressed >> cell & 1 for pressed in idle) for cell in range(25))
    by_size: Counter[int] = Counter()
    for chosen in product(*(range(most + 1) for most in sorts.values())):
        ways = 1
        sizes = [0] * len(idle)
        for number, (sort, most) in zip(chosen, sorts.items(), strict=True):
            ways *= comb(most, number)
            sizes = [size + (most - number if turned else number) for size, turned in zip(sizes, sort, strict=True)]
        by_size[min(sizes)] += ways
    assert {size: ways // len(idle) for size, ways in by_size.items()} == dict(enumerate(FIVE_BY_FIVE))
    assert sum(FIVE_BY_FIVE) == 2**23


@pytest.mark.thorough
def test_lights_out_of_five_by_five() -> None:
    assert_counted(LightsOutProblem(), FIVE_BY_FIVE, backward=True)
    assert_counted(LightsOutProblem(start="0" * 25), FIVE_BY_FIVE)


@pytest.mark.parametrize("legal", ["heads", "any"])
def test_nine_tails(legal: str) -> None:
    expected = counts(brute_force_distances(legal, "none").values())
    assert sum(expected) == 512
    assert_counted(NineTailsProblem(legal=legal), expected, backward=True)
    if legal == "any":
        assert expected == tuple(comb(9, presses) for presses in range(10))
        assert_counted(NineTailsProblem("HHHTTTHHH", legal=legal), expected)


def test_knights() -> None:
    start = frozenset({(0, 0), (0, 2)}), frozenset({(2, 0), (2, 2)})
    expected = list(map(len, layers([start], partial(leaps, 3, 3))))
    assert sum(expected) == 280  # four knights on a ring of eight squares, in an order that never changes
    for backward in (False, True):
        assert_counted(KnightsSwapProblem(), expected, backward=backward)


def banks(party: Bank, boat: int, rows: Bank, safe: Callable[[Bank], bool]) -> list[set[Side]]:
    """Who is on the first bank, and whether the boat is, by the number of crossings."""
    return list(layers([(party, True)], partial(crossings, party, boat, rows, safe)))


@pytest.mark.parametrize(("boat", "pairs"), [(2, 2), (2, 3), (3, 4), thorough(3, 5), (2, 4), (4, 4)])
def test_crossings(boat: int, pairs: int) -> None:
    farm = frozenset("FWGC")
    expected = [len(layer) for layer in banks(farm, boat, frozenset("F"), farm_is_safe)]
    assert_counted(RiverCrossingProblem(boat=boat), expected)
    couples = frozenset(f"{kind}{n}" for n in range(pairs) for kind in "hw")
    expected = [len(layer) for layer in banks(couples, boat, couples, wives_are_safe)]
    assert_counted(RiverCrossingProblem("jealous-husbands", pairs, boat), expected)
    crowd = frozenset(f"{kind}{n}" for n in range(pairs) for kind in "mc")
    alike = [  # missionaries are all alike, and so are cannibals
        {(sum(name[0] == "m" for name in bank), len(bank), here) for bank, here in layer}
        for layer in banks(crowd, boat, crowd, missionaries_are_safe)
    ]
    assert_counted(RiverCrossingProblem("missionaries", pairs, boat), map(len, alike))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_beliefs_about_the_coins_of_the_devil(n: int) -> None:
    # Coins as bits, and one of all that are the same but for a turn of the table.
    every = (1 << n) - 1
    least = {c: min((c << k | c >> (n - k)) & every for k in range(n)) for c in range(every + 1)}
    after = {  # by move and kind of arrangement; once all show heads it is over
        (move, kind): frozenset(
            {least[coins ^ move] for coins in least if least[coins] == kind} if kind != every else {every}
        )
        for move in range(1, every + 1)
        for kind in least.values()
    }

    def following(belief: frozenset[int]) -> Iterable[frozenset[int]]:
        return {frozenset[int]().union(*(after[move, kind] for kind in belief)) for move in range(1, every + 1)}

    found = list(layers([frozenset(least.values())], following))
    assert_counted(DevilProblem(n=n), map(len, found))
    if n == 4:
        assert (sum(map(len, found)), len(found) - 1) == (22, 15)


@pytest.mark.parametrize("n", range(2, 11))
def test_beliefs_of_the_automaton_of_cerny(n: int) -> None:
    def letters(belief: int) -> tuple[int, int]:
        """One moves every state on, the other only the last, to the first."""
        last = belief >> n - 1
        return (belief << 1 | last) & (1 << n) - 1, (belief & (1 << n - 1) - 1) | last

    found = list(layers([(1 << n) - 1], letters))
    assert sum(map(len, found)) == 2**n - 1
    assert len(found) - 1 == n * (n - 1)
    assert_counted(ResetWordProblem(cerny=n), map(len, found))


# Codes of another form than those of small instances: several words, ranks of ten and more things, no bound.
LARGE = [
    LightsOutProblem(9, 9, "01" * 40 + "0"),
    NineTailsProblem("HT" * 33, 6, 11),
    SlidingTilesProblem("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0", 4, 4),
    SlidingTilesProblem("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 0", 2, 10),
    SlidingTilesProblem(" ".join(map(str, [*range(1, 17), 0, *range(17, 36)])), 6, 6),
    PancakesProblem(tuple(range(10, 0, -1))),
    PancakesProblem((14, *range(1, 14))),
    PancakesProblem((33, *range(1, 33))),
    PancakesProblem(tuple(range(-10, 0)), burnt=True),
    PancakesProblem((-20, *range(1, 20)), burnt=True),
    KnightsSwapProblem(6, 7),
    RiverCrossingProblem("jealous-husbands", 9, 3),
    RiverCrossingProblem("missionaries", 40, 6),
]


@pytest.mark.parametrize("problem", LARGE, ids=lambda problem: f"{type(problem).__name__}-{LARGE.index(problem)}")
def test_codes_of_large_instances_keep_the_rules(problem: Any) -> None:
    report = check_problem(problem, max_states=8)
    assert report.passed, report.violations
    assert "codes" in report.applied
