"""Products of matrices of whole numbers are exact, however long the numbers are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.verify.whole_arrays import bits_of_digits, digits, exact_product, whole_array, wide_enough


@given(st.integers(1, 40), st.integers(0, 200), st.integers(0, 200), st.randoms(use_true_random=False))
def test_a_product_is_that_of_whole_numbers(size: int, bits: int, others: int, random: object) -> None:
    generator = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]

    def numbers(rows: int, columns: int, most: int) -> np.ndarray:
        signs = generator.choice((-1, 0, 1), (rows, columns)).astype(object)
        found: np.ndarray = signs * (2**most - generator.integers(0, 3, (rows, columns)).astype(object))
        return found

    left, right = numbers(2, size, bits), numbers(size, 3, others)
    width = bits_of_digits(size)
    assert (exact_product(digits(left, width), digits(right, width), width) == left @ right).all()


@pytest.mark.parametrize("terms", [1, 2, 63, 64, 65, 1000, 2**20])
def test_sums_of_products_of_digits_are_floats_exactly(terms: int) -> None:
    assert terms * 2 ** (2 * bits_of_digits(terms)) <= 2**53


def test_digits_make_up_the_number() -> None:
    numbers = np.array([0, 1, -1, 2**70 + 5, -(2**70) - 5, 2**20, -(2**20)], object)
    parts = digits(numbers, 20)
    assert all(np.abs(part).max() <= 2**20 for part in parts)
    assert [sum(int(part[place]) << 20 * number for number, part in enumerate(parts)) for place in range(7)] == [
        *numbers
    ]


def test_arrays_of_what_does_not_fit_hold_numbers_of_python() -> None:
    assert whole_array([1, -(2**61)]).dtype == np.int64
    assert whole_array([1, 2**62]).dtype == object
    assert whole_array([]).dtype == np.int64
    assert wide_enough(2**62 - 1) is np.int64
