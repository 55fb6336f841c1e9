"""Reading and writing JSON objects: it is what `json` does, and damage is told."""

from __future__ import annotations

import gzip
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beliefsearch.errors import InvalidPlanError
from beliefsearch.plans import plan_reader
from beliefsearch.plans.plan_reader import bytes_of, file_bytes, read_object

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


@given(objects)
def test_it_reads_what_json_reads(data: dict[str, Any]) -> None:
    # repr, because 1 == 1.0 == True
    assert repr(read_object(json.dumps(data).encode())) == repr(data)


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
    with pytest.raises(InvalidPlanError, match="JSON") as told:
        read_object(data)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("digits", [4300, 1000])
@pytest.mark.parametrize("before", [0, 4000, 4290, 8599])
def test_a_number_of_as_many_digits_as_python_reads_is_read(digits: int, before: int) -> None:
    text = f'{{"a": ["{"x" * before}", {"7" * digits}, -{"8" * digits}, 1.{"9" * digits}]}}'
    assert read_object(text.encode()) == json.loads(text)


@pytest.mark.parametrize("name", ["plan.json", "plan.json.gz"])
def test_a_file_is_read_compressed_or_not(tmp_path: Path, name: str) -> None:
    data = json.dumps({"plan": [[1], [2]]}).encode()
    for written in (data, gzip.compress(data)):
        (tmp_path / name).write_bytes(written)
        assert bytes_of(tmp_path / name) == data


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_read_although_it_can_be_read_only_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b'{"plan": [1, 2]}',))
    writer.start()
    assert bytes_of(pipe) == b'{"plan": [1, 2]}'
    writer.join()


@pytest.mark.parametrize("cut", [1, 4, 9, 12, 20])
def test_damage_of_what_is_compressed_is_told(tmp_path: Path, cut: int) -> None:
    data = gzip.compress(b'{"plan": [1, 2]}')
    for damaged in (data[:-cut], data[:-cut] + b"\xff" * cut):
        (tmp_path / "plan.json.gz").write_bytes(damaged)
        with pytest.raises(InvalidPlanError, match="its compressed data is damaged"):
            bytes_of(tmp_path / "plan.json.gz")


# Writing.


@given(value=values)
def test_what_is_written_is_what_json_writes(value: Any) -> None:
    document = {"a": value, "in": {"more": value}}
    text = file_bytes(document, Path("x.json"))
    assert text.decode() == f"{json.dumps(document)}\n"
    assert gzip.decompress(file_bytes(document, Path("x.json.gz"))) == text


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_file_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_reader, "_MOST_BYTES", 10_000)
    monkeypatch.setattr(plan_reader, "_PIECE", 4_096)
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b"{}" + b" " * 9_998))
    assert len(bytes_of(path)) == 10_000
    path.write_bytes(gzip.compress(b"{}" + b" " * 9_999))
    with pytest.raises(InvalidPlanError, match="more than 4 GiB, decompressed"):
        bytes_of(path)
    with pytest.raises(InvalidPlanError, match="more than 4 GiB"):
        bytes_of(Path("/dev/zero"))
