"""Fields of a proof; malformed data raises `InvalidProofError`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..errors import InvalidProofError


def list_of(data: Mapping[str, Any], key: str, length: int | None = None) -> Collection[Any]:
    """The list in this field, of length `length` if given. Each iteration may read the file anew."""
    value = data.get(key)
    if not isinstance(value, Collection) or isinstance(value, (str, Mapping)):
        raise InvalidProofError(f"its field {key!r} should be a list, but is {value!r:.40}")
    if length is not None and len(value) != length:
        raise InvalidProofError(f"its field {key!r} has {len(value)} entries for {length} states")
    return value


def names_of(proof: Mapping[str, Any]) -> dict[str, Collection[Any]]:
    """The states, actions and percepts that the numbers of a table stand for, as far as they are listed."""
    return {name: list_of(proof, name) for name in ("states", "actions", "percepts") if name in proof}


def table_of(proof: Mapping[str, Any]) -> Mapping[str, Any]:
    """The table of a proof, which has its kind."""
    kind, table = proof.get("kind"), proof.get("table")
    if not isinstance(table, Mapping) or table.get("kind") != kind:
        raise InvalidProofError(f"its field 'table' should be a table of the kind {kind!r:.40}")
    return table
