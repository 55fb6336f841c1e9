"""Tables of blind problems: parts of beliefs from which so much has to be paid, and beliefs that are never won."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.bitset_words import Words
from ..engine.compiled.core_search import core_search
from ..engine.compiled.frontier import expand, largest_first
from ..engine.compiled.sensorless import CompiledView
from ..engine.compiled.set_index import SetIndex
from ..plans.encoding import Json, encode_action, encode_state
from ..verify.lower_arrays import INFINITE, NONE, LowerArrays
from .packed_tables import listed_table, packed

# A longer table is packed.
_FEW_ENTRIES = 1000
_AT_ONCE = 1 << 16


def proof_by_cores(
    view: CompiledView[Any, Any], bound: int, behind: Sequence[Words], tick: Callable[[int], None]
) -> dict[str, Json] | None:
    """The table `lower` that no plan takes fewer actions than `bound`, as a proof; None if one does.

    Every action costs 1. `behind` are layers of sets that are won by 0, 1, 2, ... actions; `tick` is called with the
    number of entries, and may raise.
    """
    found = core_search(view.model, bound, behind, tick)
    if found is None:
        return None
    last = len(found.sets) - 1  # an entry comes after those that it names; in the table before them, the root first
    reasons = np.where(found.reasons < 0, NONE, last - found.reasons).astype(np.uint32)[::-1]
    return _proof(view, found.sets[::-1], found.values[::-1].astype(np.uint32), reasons)


def proof_of_lost(view: CompiledView[Any, Any], sets: Words, tick: Callable[[], None]) -> dict[str, Json] | None:
    """The table `lower` that nobody wins from any of these sets, as a proof.

    By every action each leads to a set that includes one of them; and the first lies in the start. None if that is not
    so.
    """
    model = view.model
    reasons = np.full((len(sets), len(model.actions)), NONE, np.uint32)
    outside = model.universe & ~sets
    order = np.argsort(_keys(outside))
    exact = _keys(outside)[order]
    inside = SetIndex(largest_first(outside), len(model.states), lambda pairs: tick())
    for first in range(0, len(sets), _AT_ONCE):
        tick()
        after, origins, actions = expand(model, sets[first : first + _AT_ONCE], backwards=False)
        missing = model.universe & ~after
        place = np.searchsorted(exact, _keys(missing)) % len(sets)
        found = np.where(exact[place] == _keys(missing), order[place], -1)
        (others,) = np.nonzero(found < 0)
        places = inside.find(np.ascontiguousarray(missing[others]))
        if (places < 0).any():
            return None
        found[others] = order[np.searchsorted(exact, _keys(inside.sets[places]))]
        reasons[first + origins, actions] = found
    return _proof(view, sets, np.full(len(sets), INFINITE, np.uint32), reasons)


def _keys(rows: Words) -> NDArray[np.bytes_]:
    return np.ascontiguousarray(rows).view(f"S{8 * rows.shape[1]}")[:, 0]


def _proof(
    view: CompiledView[Any, Any], sets: Words, values: NDArray[np.uint32], reasons: NDArray[np.uint32]
) -> dict[str, Json]:
    """The table with these entries, the root first, as a proof."""
    model, states = view.model, len(view.model.states)
    sizes = np.bitwise_count(sets).sum(axis=1, dtype=np.uint32)
    parts = []
    for first in range(0, len(sizes), _AT_ONCE):  # a byte for each state, of some of the sets at a time
        rows = np.ascontiguousarray(sets[first : first + _AT_ONCE]).view(np.uint8)
        parts.append(np.nonzero(np.unpackbits(rows, axis=1, count=states, bitorder="little"))[1].astype(np.uint32))
    table = LowerArrays(sizes, np.concatenate(parts), values, reasons, 0)
    applies = np.unpackbits(model.applicable.view(np.uint8), axis=1, count=states, bitorder="little")
    short = len(sizes) <= _FEW_ENTRIES or not view.has_unit_costs()  # packed tables are of whole costs
    return {
        "kind": "lower",
        "states": [encode_state(view.problem, state) for state in model.states],
        "actions": [encode_action(view.problem, action) for action in model.actions],
        "table": listed_table(table, lambda a, s: bool(applies[a, s])) if short else packed(table),
    }
