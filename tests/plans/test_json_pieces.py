"""Writing JSON in pieces: it is what `json` writes, and long lists are not held."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.plans import json_stream as file
from beliefsearch.plans.json_stream import LongList, json_pieces, read_object, text_source

from .test_json_stream import values


@given(value=values, long=st.lists(values, max_size=8))
def test_what_is_written_is_what_json_writes(value: Any, long: list[Any]) -> None:
    document = {"a": value, "in": {"it": long, "more": value}, "list": long}
    text = json.dumps(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "_AT_ONCE", 3)
        assert b"".join(json_pieces(document)).decode() == text
        read = read_object(text_source(text), lambda path: path in (("list",), ("in", "it")))
        assert isinstance(read["list"], LongList)
        assert json.loads(b"".join(json_pieces(read))) == json.loads(text)


class Many(Collection[int]):
    """A list that would not fit in memory."""

    def __len__(self) -> int:
        return 10**12

    def __iter__(self) -> Iterator[int]:
        return iter(range(10**12))

    def __contains__(self, value: object) -> bool:
        return False


def test_nothing_is_read_before_it_is_written() -> None:
    pieces = json_pieces({"many": Many()})
    begin = b"".join(next(pieces) for _ in range(5))
    assert begin.startswith(b'{"many": [0, 1, 2, ')
    assert len(begin) < 100_000
