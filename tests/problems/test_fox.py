"""The fox in the holes: the length of a plan by theory and by brute force over sets of holes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from beliefsearch_problems.fox import FoxProblem

from .layers import assert_solved, fewest_steps


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
