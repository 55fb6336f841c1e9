"""A program that searches with workers of its own, and says what it finds: `test_cluster_faults.py` kills it."""

from __future__ import annotations

import sys
from pathlib import Path

from beliefsearch.engine.counting.cluster import DaskEngine
from beliefsearch.engine.counting.disk_layers import DiskLayers
from beliefsearch.running.store.directory import Store

from .killed_search import SIZES, SUBJECT, Ring


def main(place: Path, workers: int, words: int, bounded: bool) -> None:
    """Search, and go on with what is there."""
    with DaskEngine(workers) as engine, Store(place, SUBJECT, resume=True) as store:
        layers = DiskLayers(Ring(2_003, words, bounded), store, engine, 2**24, sizes=SIZES)
        print("begun", flush=True)
        while found := layers.advance():
            print(found, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "bounded")
