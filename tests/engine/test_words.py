"""Bit sets as words, and relations between numbers, against plain sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.engine.compiled.array_model import Relation, narrowest
from beliefsearch.engine.compiled.bitset_words import (
    mask_of_words,
    members_of_words,
    word_count,
    words_of_mask,
    words_of_members,
)

sizes = st.integers(1, 300)


@st.composite
def sets(draw: st.DrawFn) -> tuple[int, set[int]]:
    """So many states, and some of them."""
    size = draw(sizes)
    return size, draw(st.sets(st.integers(0, size - 1)))


@st.composite
def relations(draw: st.DrawFn) -> list[list[int]]:
    """A relation row by row; rows may be empty."""
    size = draw(st.integers(1, 40))
    return draw(st.lists(st.lists(st.integers(0, size - 1), unique=True, max_size=4), min_size=size, max_size=size))


def rows_of(relation: Relation) -> list[list[int]]:
    bounds = zip(relation.offsets[:-1], relation.offsets[1:], strict=True)
    return [relation.targets[start:stop].tolist() for start, stop in bounds]


@given(sets())
def test_a_set_survives_every_change_of_form(drawn: tuple[int, set[int]]) -> None:
    size, members = drawn
    width = word_count(size)
    mask = sum(1 << number for number in members)
    words = words_of_mask(mask, width)
    assert words.shape == (width,)
    assert mask_of_words(words) == mask
    assert members_of_words(words).tolist() == sorted(members)
    truth = np.array([number in members for number in range(size)])
    assert words_of_members(truth, width).tolist() == words.tolist()
    assert [number for number in range(size) if int(words[number // 64]) >> number % 64 & 1] == sorted(members)


@given(relations())
def test_a_relation_keeps_its_rows(rows: list[list[int]]) -> None:
    assert rows_of(Relation.from_rows(rows)) == rows


@given(relations())
def test_the_inverse_of_a_relation_is_its_definition_and_its_own_inverse(rows: list[list[int]]) -> None:
    relation = Relation.from_rows(rows)
    inverse = rows_of(relation.inverse())
    assert inverse == [[s for s, row in enumerate(rows) if target in row] for target in range(len(rows))]
    assert rows_of(relation.inverse().inverse()) == [sorted(row) for row in rows]


@given(st.data())
def test_a_matrix_gives_the_rows_that_are_wanted(data: st.DataObject) -> None:
    size, width = data.draw(st.integers(1, 20)), data.draw(st.integers(1, 4))
    number = st.integers(0, size - 1)
    rows = data.draw(st.lists(st.lists(number, min_size=width, max_size=width), min_size=size, max_size=size))
    wanted = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    kind = data.draw(st.sampled_from([np.int64, np.uint8, np.int32]))
    matrix = np.array(rows, dtype=kind)
    assert rows_of(Relation.from_matrix(matrix, np.arange(len(matrix)))) == rows
    chosen = rows_of(Relation.from_matrix(matrix, np.flatnonzero(wanted)))
    assert chosen == [row if want else [] for row, want in zip(rows, wanted, strict=True)]


def test_the_narrowest_type_holds_the_last_state() -> None:
    for states in (1, 2**16, 2**16 + 1, 2**20):
        assert np.iinfo(narrowest(states)).max >= states - 1
    assert narrowest(2**16) is np.uint16
    assert narrowest(2**16 + 1) is np.uint32
