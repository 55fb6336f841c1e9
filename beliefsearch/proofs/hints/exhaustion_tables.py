"""Proofs by lists of beliefs ahead and of sets behind, made into tables of beliefs with their bounds.

Files of before hold such proofs, where a belief stands for all that include it, and a rest of the actions is in no
list. If the beliefs ahead go as far as the bound, they are the table; else the sets behind help to find cores.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...engine.compiled.bitset_words import Words, mask_of_words
from ...engine.compiled.sensorless import CompiledView
from ...errors import InvalidProofError
from ...model.adapters import Unreduced
from ...model.base import Cost
from ...plans.encoding import encode_state, exact_to_json
from ...verify.asked_game import AskedGame
from ...verify.checker import UnreadableError, WrongError
from ...verify.numbered import UNLIMITED, list_of
from ..cores import proof_by_cores
from ..exhaustion import lost_cores
from .list_fields import limit_of, valued_sets, whole_number

_MOST_AHEAD = 1 << 22
_LARGEST = 1 << 20


def listed_bounds(problem: Any, proof: Mapping[str, Any], tick: Callable[[], None]) -> Mapping[str, Any]:
    """The proof as a table, or as bounds of listed beliefs; raises `InvalidProofError` if it cannot be made."""
    bound, reach, depth = (limit_of(proof, key) for key in ("bound", "reach", "depth"))
    written = list_of(proof, "states")
    if (count := len(list_of(proof, "ahead")) if "ahead" in proof else 0) > _MOST_AHEAD:
        raise InvalidProofError(f"its list of {count:,} beliefs is too long for a table")
    if math.inf not in (reach, depth) and reach + depth + whole_number(proof, "rest") < bound:
        raise InvalidProofError("its reach, its depth and its rest do not make the bound")
    if reach >= bound:
        ahead = ((mask, value) for mask, value in valued_sets(proof, "ahead", len(written)) if value < bound)
        beliefs = [
            [[s for s in range(len(written)) if mask >> s & 1], exact_to_json(_less(bound, value))]
            for mask, value in ahead
        ]
        return {"kind": "belief-bounds", "states": written, "beliefs": beliefs}
    try:  # a game may have no end
        AskedGame(problem, {"states": written}, tick).walk(UNLIMITED, len(written))
    except (WrongError, UnreadableError) as error:
        raise InvalidProofError(str(error)) from None
    view: CompiledView[Any, Any] = CompiledView(Unreduced(problem), tick)
    _require_start(view, proof, written)
    layers = _layers(view, proof, written)
    if bound < math.inf:
        if bound > _LARGEST:
            raise InvalidProofError(f"its bound is above {_LARGEST:,}, too large for a search from both ends")
        if not view.has_unit_costs():
            raise InvalidProofError("it lists sets behind, which is for problems whose costs are 1")
        known = layers[: int(min(depth, len(layers))) + 1]
        found: Any = proof_by_cores(view, math.ceil(bound), known, lambda cores: tick())
    else:
        won = [mask_of_words(row) for layer in layers for row in layer]
        found = lost_cores(view, won, tick)
    if found is None:
        raise InvalidProofError(f"by the sets behind, a plan may cost less than {bound}")
    return {"states": [encode_state(problem, state) for state in view.model.states], **found}


def _less(bound: Cost, value: Any) -> Any:
    return math.inf if bound == math.inf else bound - value


def _places(view: CompiledView[Any, Any], written: Any, states: Iterable[Any]) -> list[int]:
    number = {json.dumps(entry): place for place, entry in enumerate(written)}
    return [number[json.dumps(encode_state(view.problem, state))] for state in states]


def _require_start(view: CompiledView[Any, Any], proof: Mapping[str, Any], written: Any) -> None:
    start = sum(1 << place for place in _places(view, written, view.members(view.initial_state())))
    if not any(value == 0 and not mask & ~start for mask, value in valued_sets(proof, "ahead", len(written))):
        raise InvalidProofError("the initial belief is not covered")


def _layers(view: CompiledView[Any, Any], proof: Mapping[str, Any], written: Any) -> list[Words]:
    """The sets behind by number, in the numbers of the view."""
    places = _places(view, written, view.model.states)
    sets = [*valued_sets(proof, "behind", len(written))]
    width = -(-len(written) // 8)
    rows = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask, _ in sets), np.uint8).reshape(-1, width)
    bits = np.zeros((len(sets), 64 * view.model.width), np.uint8)
    bits[:, : len(places)] = np.unpackbits(rows, axis=1, bitorder="little")[:, places]
    words: Words = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    values = np.array([int(value) for _, value in sets])
    return [words[values == k] for k in range(1 + max(values.tolist(), default=0))]
