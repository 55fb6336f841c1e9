"""Proofs by lists of beliefs ahead and of sets behind, made into tables of beliefs with their bounds.

Files of before hold such proofs, where a belief stands for all that include it, and a rest of the actions is in no
list. If the beliefs ahead go as far as the bound, they are the table; else the sets behind help to find cores.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from itertools import islice, takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...engine.compiled.bitset_words import Words, mask_of_words
from ...engine.compiled.sensorless import CompiledView
from ...errors import InvalidProofError
from ...model.adapters import Unreduced
from ...model.base import Cost
from ...plans.encoding import encode_state, exact_to_json
from ...verify.asked_game import AskedGame
from ...verify.checker import index
from ...verify.lower_arrays import MOST_ENTRIES
from ...verify.numbered import list_of
from ..cores import proof_by_cores, proof_of_listed
from ..exhaustion import lost_cores
from .list_fields import limit_of, valued_sets

_LARGEST = 1 << 20
_MOST_BEHIND = 1 << 16
_FEW, _MANY = 1000, 1 << 22
"""A longer list than the first is made into arrays, if it can; a longer one than the second has to."""
_AT_ONCE = 1 << 16


def listed_bounds(problem: Any, proof: Mapping[str, Any], tick: Callable[[], None]) -> Mapping[str, Any]:
    """The proof as a table, or as bounds of listed beliefs; raises `InvalidProofError` if it cannot be made."""
    bound, reach, depth = (limit_of(proof, key) for key in ("bound", "reach", "depth"))
    written = list_of(proof, "states")
    if not problem.is_sensorless():
        raise InvalidProofError("its kind 'exhaustion' is about players who perceive nothing; here something is")
    for key, most in (("behind", _MOST_BEHIND), ("ahead", MOST_ENTRIES)):
        if (count := len(list_of(proof, key)) if key in proof else 0) > most:
            raise InvalidProofError(f"its list {key!r} of {count:,} sets is too long: at most {most:,} make a table")
    rest = index(proof.get("rest", 0), 1 << 49, "rest")
    if math.inf not in (reach, depth) and reach + depth + rest < bound:
        raise InvalidProofError(f"its reach {reach}, depth {depth} and rest {rest} do not make the bound {bound}")
    if reach >= bound and count <= _FEW:
        return _bounds(proof, bound, written)
    AskedGame(problem, {"states": written}, tick).walk(len(written))  # a game may have no end
    view: CompiledView[Any, Any] = CompiledView(Unreduced(problem), tick)
    if reach >= bound:
        found: Any = _arrays(view, proof, bound, written, tick)
        if found is None and count > _MANY:
            raise InvalidProofError(f"a belief that an action leads to is not among the {count:,} that are listed")
        found = found or _bounds(proof, bound, written)
    elif bound == math.inf:
        _require_start(view, proof, written)
        sets, _ = _sets(view, proof, "behind", written)
        found = lost_cores(view, [mask_of_words(row) for row in sets], tick)
    else:
        if bound > _LARGEST:
            raise InvalidProofError(f"its bound is above {_LARGEST:,}, too large for a search from both ends")
        if not view.has_unit_costs():
            raise InvalidProofError("it lists sets behind, which is for problems whose costs are 1")
        _require_start(view, proof, written)
        sets, numbers = _sets(view, proof, "behind", written)
        layers = (sets[numbers == k] for k in range(1 + math.ceil(min(depth, bound))))
        known = [*takewhile(len, layers)] or [sets[:0]]
        found = proof_by_cores(view, math.ceil(bound), known, lambda cores: tick())
    if found is None:
        raise InvalidProofError(f"by the sets behind, a plan may cost less than {bound}")
    return {"states": [encode_state(problem, state) for state in view.model.states], **found}


def _bounds(proof: Mapping[str, Any], bound: Any, written: Any) -> dict[str, Any]:
    """Bounds of beliefs, each of which stands for all that include it."""
    ahead = ((mask, value) for mask, value in valued_sets(proof, "ahead", len(written)) if value < bound)
    beliefs = [
        [[s for s in range(len(written)) if mask >> s & 1], exact_to_json(_less(bound, value))] for mask, value in ahead
    ]
    return {"kind": "belief-bounds", "states": written, "beliefs": beliefs}


def _arrays(
    view: CompiledView[Any, Any], proof: Mapping[str, Any], bound: Any, written: Any, tick: Callable[[], None]
) -> dict[str, Any] | None:
    """The table of a list that has each belief itself, and if it has a bound, where an action costs 1; else None."""
    sets, numbers = _sets(view, proof, "ahead", written)
    values = None
    if bound < math.inf:
        if bound > _LARGEST or not view.has_unit_costs() or numbers.min(initial=0) < 0:
            return None
        below = numbers < math.ceil(bound)
        sets, values = sets[below], (math.ceil(bound) - numbers[below]).astype(np.uint32)
    (starts,) = np.nonzero((sets == view.model.initial).all(axis=1))
    return proof_of_listed(view, sets, tick, values, int(starts[0])) if starts.size else None


def _less(bound: Cost, value: Any) -> Any:
    return math.inf if bound == math.inf else bound - value


def _places(view: CompiledView[Any, Any], written: Any, states: Iterable[Any]) -> list[int]:
    number = {json.dumps(entry): place for place, entry in enumerate(written)}
    return [number[json.dumps(encode_state(view.problem, state))] for state in states]


def _require_start(view: CompiledView[Any, Any], proof: Mapping[str, Any], written: Any) -> None:
    start = sum(1 << place for place in _places(view, written, view.members(view.initial_state())))
    if not any(value == 0 and not mask & ~start for mask, value in valued_sets(proof, "ahead", len(written))):
        raise InvalidProofError("the initial belief is not covered")


def _sets(
    view: CompiledView[Any, Any], proof: Mapping[str, Any], key: str, written: Any
) -> tuple[Words, NDArray[np.int64]]:
    """The sets of a list in the numbers of the view, and their numbers; -1 of what is no whole number."""
    places, bound = _places(view, written, view.model.states), 1 << 31
    width, entries = -(-len(written) // 8), valued_sets(proof, key, len(written))
    parts, numbers = [np.zeros((0, view.model.width), np.uint64)], [np.zeros(0, np.int64)]
    while some := [*islice(entries, _AT_ONCE)]:
        rows = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask, _ in some), np.uint8)
        bits = np.zeros((len(some), 64 * view.model.width), np.uint8)
        bits[:, : len(places)] = np.unpackbits(rows.reshape(-1, width), axis=1, bitorder="little")[:, places]
        parts.append(np.packbits(bits, axis=1, bitorder="little").view(np.uint64))
        numbers.append(np.array([int(x) if x == int(x) and x < bound else -1 for _, x in some], np.int64))
    return np.concatenate(parts), np.concatenate(numbers)
