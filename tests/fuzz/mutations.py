"""Changes of real files: of their bytes, their words, and the values in a JSON document."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

from hypothesis import strategies as st

_MOST_BYTES = 1 << 20
"""What a change may make of a file: repeated doubling would test the disk."""


class Change(NamedTuple):
    """One change: what is done, where (modulo what there is), how much of it, and what with (modulo the choices)."""

    kind: str
    place: int
    extent: int
    choice: int


PIECES: tuple[bytes, ...] = (
    *(b"", b"\0", b"\n", b"\r", b"\t", b" ", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe"),
    *(b"\x1b[2J",),
    *("\u2028".encode(), "\u00b2".encode(), "\u0663".encode(), "\U0001f600".encode(), "\u202e".encode()),
    *(b"0", b"-1", b"1", b"2", b"1/0", b"0/1", b"1/3", b"1.", b".5", b"-0.0", b"1e400", b"1e-400", b"1E999999999"),
    *(b"nan", b"inf", b"-inf", b"Infinity", b"0x10", b"1_000", b"9" * 25, b"9" * 5000, b"4294967296"),
    *(b"18446744073709551616", b"(", b")", b"[", b"]", b"{", b"}", b"<", b">", b'"', b"'", b"\\", b"/", b"*", b"+"),
    *(b"-", b"#", b"//", b":", b";", b",", b"=", b"&", b"|", b"!", b"?", b"..", b"true", b"false", b"null", b"uniform"),
    *(b"identity", b"reset", b"start include:", b"start exclude:", b"reward", b"cost", b"endmodule", b"min(", b"pow("),
    *(b"->", b"label=", b"subgraph ", b"strict ", b"<br/>", b"<!--", b"/*", b"\\n", b"{" * 500, b"->a" * 5000),
    *(b"(" * 2000, b"[" * 2000, b'{"a":' * 500, b"!" * 5000, b"-" * 5000, b"1+" * 3000, b"a" * 100_000, b"." * 5000),
)
"""What is put into files: what readers treat in a way of its own, in one format or another."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, -1, 3, 10, 1.5, -0.5, 1e308, -1e308, 5e-324, 2**63, 2**64, -(2**63), 10**30),
    *(10**4000,),
    *(float("inf"), float("nan"), "", "0", "1", "-1", "1/0", "1/2", "4/3", "1e9", "nan", "inf", "9" * 5000, "\0"),
    *("\ud800", "\udcff", "\u202e", "\x1b[2J", "a\nb", "a" * 100_000, "../../x", "/", ".", "devil", "sequence"),
    *("cyclic",),
    *("solved", "unsolvable", "undecided", "worst", "expected", "almost-sure", "policy", "conditional", "policy-graph"),
    *("trap", "ray", "potential", "distances", "capacity", "belief-bounds", "lost-beliefs", "mean-bounds"),
    *("exhaustion",),
    *("construction", "value-bounds", "winning-region", [], {}, [[]], [None], [0], [0, 0], {"": {}}, [[0, 1], [0]]),
)
"""What is put into JSON documents in the place of something else."""

_BYTES = ("put", "replace", "delete", "double", "exchange", "end", "flip", "digit")
_JSON = ("value", "copy", "remove", "repeat", "swap", "more", "less", "rename", "add", "wrap", "nest", "turn", "join")
_PACKING = ("gzip", "half gzip", "flip gzip", "twice gzip")

_Changes = st.lists(
    st.builds(
        Change, st.sampled_from(_BYTES), st.integers(0, 2**20), st.integers(0, 2**10), st.integers(0, len(PIECES) - 1)
    ),
    min_size=1,
    max_size=4,
)


def changes(*, is_json: bool) -> st.SearchStrategy[list[Change]]:
    """A few changes for `mutated`; of documents mostly of values, sometimes of bytes or packing."""
    if not is_json:
        return _Changes
    places, choices = st.integers(0, 2**20), st.integers(0, len(VALUES) - 1)
    within = st.lists(
        st.builds(Change, st.sampled_from(_JSON), places, st.integers(0, 2**10), choices), min_size=1, max_size=3
    )
    packed = st.lists(
        st.builds(Change, st.sampled_from(_PACKING), places, st.integers(0, 2**10), choices), min_size=1, max_size=1
    )
    return st.one_of(within, within, within, st.builds(list.__add__, within, _Changes), _Changes, packed)


def mutated(data: bytes, changes: list[Change]) -> bytes:
    """The file after the changes, one after the other; those of values do nothing to what is no JSON any more."""
    for change in changes:
        if change.kind in _BYTES:
            data = _with_other_bytes(data, change)
        elif change.kind in _PACKING:
            data = _packed(data, change)
        else:
            try:
                document = json.loads(data)
            except (ValueError, RecursionError):
                continue
            data = json.dumps(_with_other_values(document, change)).encode()
        data = data[:_MOST_BYTES]
    return data


def _with_other_bytes(data: bytes, change: Change) -> bytes:
    at = change.place % (len(data) + 1)
    end = at + change.extent % 40
    piece = PIECES[change.choice]
    match change.kind:
        case "put":
            return data[:at] + piece + data[at:]
        case "replace":  # a whole word
            words = data.split(b" ")
            words[change.place % len(words)] = piece
            return b" ".join(words)
        case "delete":
            return data[:at] + data[end:]
        case "double":
            return data[:at] + data[at:end] * (2 + change.choice % 30) + data[end:]
        case "exchange":  # two lines
            lines = data.split(b"\n")
            first, second = change.place % len(lines), change.extent % len(lines)
            lines[first], lines[second] = lines[second], lines[first]
            return b"\n".join(lines)
        case "end":
            return data[:at]
        case "flip":
            return data[:at] + bytes(byte ^ 1 << change.extent % 8 for byte in data[at : at + 1]) + data[at + 1 :]
        case _:  # "digit": a number a little different
            digits = [place for place, byte in enumerate(data) if 48 <= byte < 58]
            if not digits:
                return data
            at = digits[change.place % len(digits)]
            return data[:at] + b"%d" % (change.choice % 12) + data[at + 1 :]


def _packed(data: bytes, change: Change) -> bytes:
    packed = gzip.compress(data, mtime=0)
    match change.kind:
        case "half gzip":
            return packed[: change.place % len(packed)]
        case "flip gzip":
            at = change.place % len(packed)
            return packed[:at] + bytes((packed[at] ^ 1 << change.extent % 8,)) + packed[at + 1 :]
        case "twice gzip":
            return packed * 2 if change.extent % 2 else gzip.compress(packed, mtime=0)
        case _:
            return packed


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Every value of a document, as what holds it and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        found += [(holder, key) for key in keys]
        waiting += [holder[key] for key in keys]
    return found


def _with_other_values(document: Any, change: Change) -> Any:
    whole = {"": document}
    places = _places(whole)
    holder, key = places[change.place % len(places)]
    other, name = places[(change.place + change.extent) % len(places)]
    old, value = holder[key], VALUES[change.choice]
    acts: dict[str, Callable[[], Any]] = {
        "value": lambda: value,
        "copy": lambda: deepcopy(other[name]),
        "more": lambda: old + 1 if isinstance(old, int | float) else value,
        "less": lambda: old - 1 if isinstance(old, int | float) else value,
        "wrap": lambda: [old],
        "nest": lambda: _nested(old, change.extent),
        "turn": lambda: old[::-1] if isinstance(old, list | str) else value,
        "join": lambda: old * 2 if isinstance(old, list | str) else value,
    }
    if change.kind in acts:
        holder[key] = acts[change.kind]()
    elif change.kind == "remove":
        del holder[key]
    elif change.kind == "repeat" and isinstance(holder, list):
        holder[key:key] = [deepcopy(old) for _ in range(1 + change.extent % 3)]
    elif change.kind == "swap":
        holder[key], other[name] = deepcopy(other[name]), deepcopy(old)
    elif change.kind == "rename" and isinstance(holder, dict):
        holder[str(value)[:1000]] = holder.pop(key)
    elif isinstance(old, dict):
        old[str(value)[:100]] = deepcopy(other[name])
    elif isinstance(old, list):
        old.append(deepcopy(value))
    return whole.get("")


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth % 300):
        value = [value]
    return value
