"""Whether the files of a search on disk are those that its state says: what is looked at before it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import StoreError
from .code_ranges import ByHash, ByRange
from .layer_files import LayerFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...running.store.checkpoint import StoreOfSearch
    from ...running.store.directory import Store
    from .codes import Space
    from .disk_state import DiskState

# Bits that are only counted are read so many words at a time.
_WORDS = 1 << 20


def check_files(state: DiskState, space: Space, store: Store | StoreOfSearch, piece: int) -> None:
    """Raise StoreError unless the arrays are those that the state says; `piece` nodes are looked at at a time."""
    division, first = state.division, ByHash(1, space.words)
    fits = isinstance(division, ByHash) or (space.bound is not None and division.parts * division.size >= space.bound)
    kept = [(division if late else first, part, run) for late, by in state.kept or () for part, run in by.items()]
    parts = enumerate(state.parts)
    kept += [(division, number, part.frontier) for number, part in parts if part.frontier is not None]
    runs = [(division, run) for part in state.parts for run in part.reached]
    for of, run in (*runs, *((of, run) for of, _, run in kept)):
        array = store.read(run.name, mapped=True)
        fits = fits and (array.dtype, array.shape) == (np.dtype(of.kind), (run.nodes, *of.width))
    if fits:
        fits = all(
            space.fits(codes)
            for of, part, run in kept
            for codes in LayerFile(store.path(run.name), run.nodes, of, part, piece).pieces()
        )
    reached = sum(run.nodes for part in state.parts for run in part.reached)
    for name in (part.base for part in state.parts if part.base is not None):
        bits = store.read(name, mapped=True)
        fits = fits and isinstance(division, ByRange) and bits.shape == (division.size // 64,)
        fits = fits and bits.dtype == np.uint64
        reached += _set_in(bits) if fits else 0
    if not fits or reached != sum(state.counts):
        raise StoreError(f"{str(store.directory)!r} is damaged: its files are not those of such a search")


def _set_in(bits: NDArray[np.uint64]) -> int:
    """How many bits are set."""
    pieces = (bits[begin : begin + _WORDS] for begin in range(0, len(bits), _WORDS))
    return sum(int(np.bitwise_count(some).sum(dtype=np.int64)) for some in pieces)
