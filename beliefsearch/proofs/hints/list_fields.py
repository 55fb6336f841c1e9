"""Lists of a proof that is no table; malformed data raises `InvalidProofError` or `UnreadableError`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from ...errors import InvalidPlanError, InvalidProofError
from ...plans.encoding import number_from_json
from ...verify.checker import index
from ...verify.numbered import list_of


def fraction(value: Any) -> Fraction:
    """A number that is not negative, given as a whole number or as text such as `3/4`."""
    with suppress(InvalidPlanError):
        if not isinstance(value, float) and (number := number_from_json(value, "it")) >= 0:
            return Fraction(number)
    raise InvalidProofError(f"{value!r:.40} should be a number that is not negative, such as 3 or '3/4'")


def valued_sets(proof: Mapping[str, Any], key: str, states: int) -> Iterator[tuple[int, Fraction]]:
    """Sets of states as bit sets, each with a cost, one after the other."""
    known: dict[int, Fraction] = {}  # most numbers come thousands of times
    for entry in list_of(proof, key) if key in proof else []:
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], (list, str)) or not entry[0]:
            raise InvalidProofError(f"an entry of {key!r} should be a list of states and a cost, but is {entry!r:.40}")
        members, value = entry
        mask = _mask(members, states) if isinstance(members, str) else 0
        for number in members if isinstance(members, list) else []:
            mask |= 1 << index(number, states, "a state")
        price = known.get(value) if type(value) is int else None
        if price is None:
            price = fraction(value)
            if type(value) is int:
                known[value] = price
        yield mask, price


def _mask(text: str, states: int) -> int:
    """A bit set written as a hexadecimal number: bit i is for state i."""
    if not text.strip("0123456789abcdef"):
        mask = int(text, 16)
        if 0 < mask < 1 << states:
            return mask
    raise InvalidProofError(f"{text!r:.40} should be a set of states as a hexadecimal number")


def limit_of(proof: Mapping[str, Any], key: str) -> Fraction | float:
    """A number that is not negative; null stands for infinity, which JSON lacks."""
    return math.inf if proof.get(key) is None else fraction(proof[key])
