"""Tables of blind problems: parts of beliefs from which so much has to be paid, and beliefs that are never won."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engine.compiled.bitset_words import Words
from ..engine.compiled.core_search import core_search
from ..engine.compiled.frontier import expand, largest_first, sets_at_once
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


def proof_of_listed(
    view: CompiledView[Any, Any],
    sets: Words,
    tick: Callable[[], None],
    values: NDArray[np.uint32] | None = None,
    root: int = 0,
) -> dict[str, Json] | None:
    """The table `lower` of these sets with their values, as a proof; without values, that nobody wins from any of them.

    That of the number `root` lies in the start. By every action each leads to a set that includes one of them; with
    values to one of them, of a value that is lower by at most 1, which the action costs. None if that is not so.
    """
    model, lost = view.model, values is None
    values = np.full(len(sets), INFINITE, np.uint32) if values is None else values
    reasons = np.full((len(sets), len(model.actions)), NONE, np.uint32)
    order = np.argsort(_keys(sets)).astype(np.uint32)
    exact = _keys(sets)[order]
    inside: SetIndex | None = None
    most = sets_at_once(model)
    for first in range(0, len(sets), most):
        tick()
        after, origins, actions = expand(model, sets[first : first + most], backwards=False)
        rows = first + origins
        due = values[rows] > 1  # else the action is enough
        after, rows, actions = after[due], rows[due], actions[due]
        place = np.searchsorted(exact, _keys(after)) % len(sets)
        found = order[place]
        (others,) = np.nonzero(exact[place] != _keys(after))
        if others.size and not lost:
            return None
        if others.size:
            inside = inside or SetIndex(largest_first(model.universe & ~sets), len(model.states), lambda pairs: tick())
            places = inside.find(np.ascontiguousarray(model.universe & ~after[others]))
            if (places < 0).any():
                return None
            found[others] = order[np.searchsorted(exact, _keys(model.universe & ~inside.sets[places]))]
        if not lost and (values[found] < values[rows] - 1).any():
            return None
        reasons[rows, actions] = found
    return _proof(view, sets, values, reasons, root)


def _keys(rows: Words) -> NDArray[Any]:
    return rows[:, 0] if rows.shape[1] == 1 else np.ascontiguousarray(rows).view(f"S{8 * rows.shape[1]}")[:, 0]


def _proof(
    view: CompiledView[Any, Any], sets: Words, values: NDArray[np.uint32], reasons: NDArray[np.uint32], root: int = 0
) -> dict[str, Json]:
    """The table with these entries as a proof."""
    model, states = view.model, len(view.model.states)
    sizes = np.bitwise_count(sets).sum(axis=1, dtype=np.uint32)
    parts = []
    for first in range(0, len(sizes), _AT_ONCE):  # a byte for each state, of some of the sets at a time
        rows = np.ascontiguousarray(sets[first : first + _AT_ONCE]).view(np.uint8)
        members = np.nonzero(np.unpackbits(rows, axis=1, count=states, bitorder="little"))[1]
        parts.append(members.astype(np.min_scalar_type(states)))
    table = LowerArrays(sizes, np.concatenate(parts), values, reasons, root)
    applies = np.unpackbits(model.applicable.view(np.uint8), axis=1, count=states, bitorder="little")
    short = len(sizes) <= _FEW_ENTRIES
    return {
        "kind": "lower",
        "states": [encode_state(view.problem, state) for state in model.states],
        "actions": [encode_action(view.problem, action) for action in model.actions],
        "table": listed_table(table, lambda a, s: bool(applies[a, s])) if short else packed(table),
    }
