"""Crossing a river: published answers, and a brute force that treats everybody as a person of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import combinations

import pytest

from beliefsearch import Status, check_plan, solve
from beliefsearch_problems.river_crossing import RiverCrossingProblem

from ..examples import thorough
from .layers import assert_solved, fewest_steps

Bank = frozenset[str]
Side = tuple[Bank, bool]

# Published (see the docstring of the puzzle): pairs, boat, crossings; None: they cannot cross.
PUBLISHED = [(1, 2, 1), (2, 2, 5), (3, 2, 11), (4, 2, None), (4, 3, 9), (5, 3, 11), (6, 3, None)]


@pytest.mark.parametrize("story", ["missionaries", "jealous-husbands"])
@pytest.mark.parametrize(("pairs", "boat", "crossings"), PUBLISHED)
def test_pairs_take_as_many_crossings_as_published(story: str, pairs: int, boat: int, crossings: int | None) -> None:
    assert_solved(RiverCrossingProblem(story, pairs, boat), crossings)


@pytest.mark.parametrize("story", ["missionaries", "jealous-husbands"])
@pytest.mark.parametrize("pairs", [5, thorough(6)])
def test_a_boat_for_four_takes_any_number_of_pairs(story: str, pairs: int) -> None:
    assert solve(RiverCrossingProblem(story, pairs, 4)).status is Status.SOLVED


def test_the_farmer_crosses_seven_times_and_takes_the_goat_first() -> None:
    assert assert_solved(RiverCrossingProblem(), 7).require_plan()[0] == "FG"
    assert check_plan(RiverCrossingProblem(), ["FG", "F", "FC", "FG", "FW", "F", "FG"]).holds, "the other answer"


def crossings(party: Bank, boat: int, rows: Iterable[str], safe: Callable[[Bank], bool], side: Side) -> Iterator[Side]:
    """Who may be on the first bank next, and whether the boat is, where everybody is a person of their own."""
    bank, boat_is_here = side
    ashore = bank if boat_is_here else party - bank
    for size in range(1, boat + 1):
        for people in map(frozenset, combinations(ashore, size)):
            after = bank ^ people
            if people.intersection(rows) and safe(people) and safe(after) and safe(party - after):
                yield after, not boat_is_here


def fewest_crossings(party: Bank, boat: int, rows: Iterable[str], safe: Callable[[Bank], bool]) -> float:
    """Breadth-first over who is still on the first bank, layer by layer."""
    following = partial(crossings, party, boat, rows, safe)
    return fewest_steps([(party, True)], following, lambda side: side == (frozenset(), False))


def farm_is_safe(group: frozenset[str]) -> bool:
    return "F" in group or not ({"W", "G"} <= group or {"G", "C"} <= group)


def missionaries_are_safe(group: frozenset[str]) -> bool:
    faithful = sum(name[0] == "m" for name in group)
    return faithful in (0, *range(len(group) - faithful, len(group) + 1))


def wives_are_safe(group: frozenset[str]) -> bool:
    pairs = {name[1:] for name in group if name[0] == "h"}
    return not any(name[0] == "w" and name[1:] not in pairs and pairs for name in group)


@pytest.mark.parametrize("most", [4, thorough(5)])
@pytest.mark.parametrize("boat", [1, 2, 3, 4])
def test_crossings_agree_with_brute_force(boat: int, most: int) -> None:
    assert solve(RiverCrossingProblem(boat=boat)).cost == fewest_crossings(frozenset("FWGC"), boat, {"F"}, farm_is_safe)
    for pairs in range(1, most + 1):
        missionaries = frozenset(f"{kind}{n}" for n in range(pairs) for kind in "mc")
        brute = fewest_crossings(missionaries, boat, set(missionaries), missionaries_are_safe)
        assert solve(RiverCrossingProblem("missionaries", pairs, boat)).cost == brute
        couples = frozenset(f"{kind}{n}" for n in range(pairs) for kind in "hw")
        brute = fewest_crossings(couples, boat, set(couples), wives_are_safe)
        assert solve(RiverCrossingProblem("jealous-husbands", pairs, boat)).cost == brute


def test_the_picture_shows_both_banks_and_the_boat() -> None:
    problem = RiverCrossingProblem()
    assert problem.draw_state(problem.initial_state()) == "farmer, wolf, goat, cabbage |\\__/~~~~~~~~| nobody"
    after = problem.result(problem.initial_state(), "FG")
    assert problem.draw_state(after) == "              wolf, cabbage |~~~~~~~~\\__/| farmer, goat"
    assert problem.describe_step(problem.initial_state(), "FG", after) == "farmer, goat to the right"
