"""The files of a layer that a search on disk keeps: they can be read when the search is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from ...running.store.npy_files import read_rows
from .code_ranges import ByHash, ByRange

if TYPE_CHECKING:
    from .codes import Codes


@frozen
class LayerFile:
    """The nodes of a layer that one part has.

    Attributes
    ----------
    path
        Where they are.
    nodes
        How many they are.
    division, part
        How codes are divided, and which part this is.
    piece
        How many are read at a time.
    """

    path: Path
    nodes: int
    division: ByHash | ByRange
    part: int
    piece: int

    def pieces(self) -> Iterator[Codes]:
        """The nodes, some at a time; raises `StoreError` if the file is not what it was."""
        for begin in range(0, self.nodes, self.piece):
            end = min(begin + self.piece, self.nodes)
            yield self.division.codes(self.part, read_rows(self.path, begin, end))
