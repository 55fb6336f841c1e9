"""The index of sets, compiled and in plain Python, against the comparison of all pairs."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beliefsearch.engine.compiled import set_index
from beliefsearch.engine.compiled.bitset_words import Words, word_count, words_of_mask
from beliefsearch.engine.compiled.set_index import CHUNK, SetIndex

from ..examples import examples


def rows(masks: list[int], states: int) -> Words:
    width = word_count(states)
    return np.array([words_of_mask(mask, width) for mask in masks], dtype=np.uint64).reshape(len(masks), width)


def random_masks(chance: Random, count: int, states: int, share: float) -> list[int]:
    """Sets that are not empty, in which some states are far rarer than others."""
    shares = [share * (state + 1) / states for state in range(states)]
    masks = (sum(1 << s for s in range(states) if chance.random() < shares[s]) for _ in range(count))
    return [mask or 1 for mask in masks]


def assert_law(sets: list[int], queries: list[int], states: int) -> None:
    index, asked = SetIndex(rows(sets, states), states), rows(queries, states)
    first = [next((i for i, one in enumerate(sets) if not query & ~one), -1) for query in queries]
    assert index.find(asked).tolist() == first
    limits = [7 * i % (len(sets) + 1) for i in range(len(queries))]
    below = [place if place < limit else -1 for place, limit in zip(first, limits, strict=True)]
    assert index.find(asked, np.array(limits, dtype=np.int64)).tolist() == below
    assert index.including(asked).tolist() == [any(not query & ~one for query in queries) for one in sets]
    # Which of the sets include an earlier one: that is how antichains are made.
    places = np.arange(len(sets), dtype=np.int64)
    earlier = [any(not sets[j] & ~one for j in range(i)) for i, one in enumerate(sets)]
    assert index.including(index.sets, places).tolist() == earlier


masks = st.lists(st.integers(1, 2**5 - 1).map(lambda low: low | (low & 1) << 69), min_size=1, max_size=12)


@pytest.mark.parametrize("mode", ["scanned", "sieved", "split"])
@settings(max_examples=examples(40))
@given(sets=masks, queries=masks)
def test_an_index_finds_what_comparing_all_pairs_finds(mode: str, sets: list[int], queries: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if mode != "scanned":
            patch.setattr(set_index, "_FEW_PAIRS", 0)
            patch.setattr(set_index, "_MEMBERS_AT_ONCE", 3 * 70)
        if mode == "split":
            patch.setattr(set_index, "_MANY_PAIRS", 0)
            patch.setattr(set_index, "PAIR", 1e9)  # worth while wherever some sets lack the member
        assert_law(sets, queries, 70)


def test_more_states_than_16_bits_count_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_FEW_PAIRS": 0, "_MANY_PAIRS": 0, "PAIR": 1e9}.items():
        monkeypatch.setattr(set_index, name, value)
    common = 1 << 65_599  # in most sets, so that 65,599 states are rarer
    index = SetIndex(rows([1, common | 2, common], 65_600), 65_600)
    assert index.find(rows([common], 65_600)).tolist() == [1]


@pytest.mark.parametrize("split", [False, True])
def test_an_index_of_several_chunks(monkeypatch: pytest.MonkeyPatch, split: bool) -> None:
    chance = Random(4)
    sets = sorted(random_masks(chance, CHUNK + 500, 90, 0.5), key=int.bit_count, reverse=True)
    queries = random_masks(chance, 200, 90, 0.15)
    if split:
        monkeypatch.setattr(set_index, "_MANY_PAIRS", 0)
    index = SetIndex(rows(sets, 90), 90)
    found = index.find(rows(queries, 90))
    assert found.tolist() == [next((i for i, one in enumerate(sets) if not query & ~one), -1) for query in queries]
    assert (found >= CHUNK).any()
    assert (found < 0).any()
    marks = index.including(rows(queries, 90))
    assert np.flatnonzero(marks).tolist() == [
        i for i, one in enumerate(sets) if any(not query & ~one for query in queries)
    ]
