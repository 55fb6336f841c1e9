"""Reading and writing JSON in pieces: it is what `json` does, long lists are not held, and damage is told."""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
import tracemalloc
from collections.abc import Collection, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans import json_stream as file
from beliefsearch.plans.json_stream import LongList, file_source, json_pieces, read_object

from ..plan_texts import text_source

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.integers() | st.integers(10**30, 10**40) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
objects = st.dictionaries(texts | st.sampled_from(["plan", "proof", "proof.states", "item"]), values, max_size=5)


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    """Whatever commands that ran before have allowed, numbers have as many digits as Python allows by default."""
    allowed = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    yield
    sys.set_int_max_str_digits(allowed)


def in_full(value: Any) -> Any:
    if isinstance(value, LongList):
        read = list(value)
        assert len(value) == len(read)
        assert list(value) == read, "it can be walked through again"
        return read
    return {name: in_full(member) for name, member in value.items()} if isinstance(value, dict) else value


@given(objects)
def test_it_reads_what_json_reads(data: dict[str, Any]) -> None:
    source = text_source(json.dumps(data))
    for piece in (1, 5, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(file, "_PIECE", piece)
            # repr, because 1 == 1.0 == True
            assert repr(read_object(source)) == repr(data)
            assert repr(in_full(read_object(source, lambda path: True))) == repr(data)


def test_names_with_dots_lead_nowhere_else() -> None:
    text = '{"proof.states": [1], "item": [2], "proof": {"item": [3], "states": [4, [5]]}, "plan": [6]}'
    read = read_object(text_source(text), lambda path: True)
    assert in_full(read) == json.loads(text)


def test_only_the_lists_asked_for_stay_in_the_file() -> None:
    read = read_object(text_source('{"plan": [1], "a": {"b": [2], "c": [[3]]}}'), lambda path: path == ("a", "c"))
    assert read["plan"] == [1]
    assert read["a"]["b"] == [2]
    assert isinstance(read["a"]["c"], LongList)
    assert [3] in read["a"]["c"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"3",
        b"null",
        b'"plan"',
        b'{"a": 1',
        b'{"a": "b',
        b'{"a": tru}',
        b'{"a": [1, 2}',
        b'{"a": [1, 2,]}',
        b'{"a": 1} x',
        b'{"a": 1}{"a": 1}',
        b'{"a": 1, "a": 1}',
        b'{"a": {"b": 1, "b": 1}}',
        b'{"a": [{"b": 1, "b": 1}]}',
        b'{"a": NaN}',
        b'{"a": [-Infinity]}',
        b'{"a": 1e99999999999999999999}',
        b'{"a": 01}',
        b'{"a": "\xff"}',
        b'\xef\xbb\xbf{"a": 1}',
        b"\xff\xfe{\x00}\x00",
        b"{'a': 1}",
        b"\x00" * 100,
        b'{"a": "\x01"}',
        b'{"a": ["\\ud800"]}',
        b'{"\\udc00": 1}',
        b"[" * 100_000,
        b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a": [' + b'{"b":' * 5000 + b"1" + b"}" * 5000 + b"]}",
        # More digits than Python reads unless it is told to.
        b'{"a": ' + b"9" * 4301 + b"}",
        b'{"a": ["' + b"x" * 4090 + b'", ' + b"9" * 5000 + b"]}",
        b'{"a": ' + b"1" * 100_000 + b"}",
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(data: bytes) -> None:
    for is_long in (False, True):
        with pytest.raises(InvalidPlanError, match="JSON") as told:
            read_object(lambda: BytesIO(data), lambda path, answer=is_long: answer)  # type: ignore[misc]
        assert "\n" not in str(told.value)


@pytest.mark.parametrize("digits", [4300, 1000])
@pytest.mark.parametrize("before", [0, 4000, 4290, 8599])
def test_a_number_of_as_many_digits_as_python_reads_is_read(digits: int, before: int) -> None:
    text = f'{{"a": ["{"x" * before}", {"7" * digits}, -{"8" * digits}, 1.{"9" * digits}]}}'
    assert read_object(text_source(text)) == json.loads(text)


@pytest.mark.parametrize("name", ["plan.json", "plan.json.gz"])
def test_a_file_is_read_compressed_or_not(tmp_path: Path, name: str) -> None:
    data = json.dumps({"plan": [[1], [2]]}).encode()
    for written in (data, gzip.compress(data)):
        (tmp_path / name).write_bytes(written)
        read = read_object(file_source(tmp_path / name), lambda path: True)
        assert in_full(read) == {"plan": [[1], [2]]}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_read_although_it_can_be_read_only_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b'{"plan": [1, 2]}',))
    writer.start()
    read = read_object(file_source(pipe), lambda path: True)
    writer.join()
    assert in_full(read) == {"plan": [1, 2]}


@pytest.mark.parametrize("after", ['{"plan": 1}', '{"plan": [1', "{}", "[]"])
def test_a_file_that_changes_between_two_passes_is_told(tmp_path: Path, after: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text('{"other": {"plan": [0]}, "plan": [1, 2, 3]}')
    plan = read_object(file_source(path), lambda path: True)["plan"]
    assert list(plan) == [1, 2, 3]
    path.write_text(after)
    with pytest.raises(InvalidPlanError):
        list(plan)
    path.unlink()
    with pytest.raises(InvalidPlanError, match="cannot be read"):
        list(plan)


def test_a_long_list_is_never_held(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps({"plan": [[number, number + 1] for number in range(20_000)]}))
    tracemalloc.start()
    try:
        read = read_object(file_source(path), lambda path: True)
        assert sum(len(entry) for entry in read["plan"]) == 40_000
        assert tracemalloc.get_traced_memory()[1] < path.stat().st_size / 2
    finally:
        tracemalloc.stop()


# Writing.


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
