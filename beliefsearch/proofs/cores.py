"""Lower bounds of blind problems by cores: small parts of beliefs from which just as much has to be paid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.compiled.bitset_words import Words
from ..engine.compiled.core_search import Cores, core_search
from ..engine.compiled.sensorless import CompiledView
from ..plans.encoding import Json, encode_action, encode_state
from ..verify.packed_lower import NONE, LowerArrays, listed_table, packed

# A longer table is packed.
_FEW_ENTRIES = 1000


def proof_by_cores(
    view: CompiledView[Any, Any], bound: int, behind: Sequence[Words], tick: Callable[[int], None]
) -> dict[str, Json] | None:
    """The table `lower` that no plan takes fewer actions than `bound`, as a proof; None if one does.

    Every action costs 1. `behind` are layers of sets that are won by 0, 1, 2, ... actions; `tick` is called with the
    number of entries, and may raise.
    """
    model = view.model
    found = core_search(model, bound, behind, tick)
    if found is None:
        return None
    table = _arrays(found, len(model.states))
    applies = np.unpackbits(model.applicable.view(np.uint8), axis=1, count=len(model.states), bitorder="little")
    short = len(table.sizes) <= _FEW_ENTRIES
    return {
        "kind": "lower",
        "states": [encode_state(view.problem, state) for state in model.states],
        "actions": [encode_action(view.problem, action) for action in model.actions],
        "table": listed_table(table, lambda a, s: bool(applies[a, s])) if short else packed(table),
    }


def _arrays(found: Cores, states: int) -> LowerArrays:
    """The entries in an order in which each comes after one that names it, the root first."""
    sets, last = found.sets[::-1], len(found.sets) - 1
    sizes = np.bitwise_count(sets).sum(axis=1, dtype=np.uint32)
    parts = []
    for first in range(0, len(sizes), 1 << 16):  # a byte for each state, of some of the sets at a time
        rows = np.ascontiguousarray(sets[first : first + (1 << 16)]).view(np.uint8)
        parts.append(np.nonzero(np.unpackbits(rows, axis=1, count=states, bitorder="little"))[1].astype(np.uint32))
    reasons = np.where(found.reasons < 0, NONE, last - found.reasons).astype(np.uint32)[::-1]
    return LowerArrays(sizes, np.concatenate(parts), found.values[::-1].astype(np.uint32), reasons, 0)
