"""Bit sets and transition tables against sets of numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.engine.bits.bitset import TransitionTable, bit_numbers, chosen, mask_of

numbers = st.sets(st.integers(0, 300))


@given(numbers)
def test_a_mask_holds_the_numbers_it_was_made_of(members: set[int]) -> None:
    mask = mask_of(members)
    assert mask == sum(1 << number for number in members)
    assert list(bit_numbers(mask)) == sorted(members)
    assert chosen(range(301), mask) == sorted(members)


@given(st.dictionaries(st.integers(0, 40), st.sets(st.integers(0, 40), min_size=1)), st.lists(numbers))
def test_an_image_is_the_union_of_those_of_members(images: dict[int, set[int]], beliefs: list[set[int]]) -> None:
    asked: list[int] = []

    def image_of_state(state: int) -> int:
        asked.append(state)
        return mask_of(images[state])

    table = TransitionTable(image_of_state)
    for drawn in beliefs:
        belief = drawn & images.keys()
        expected = set().union(*(images[state] for state in belief))
        assert set(bit_numbers(table.image(mask_of(belief)))) == expected
    assert len(asked) == len(set(asked)), "a state's image is asked for once"
