"""What the tests of stores share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from beliefsearch.running.store.directory import manifest_of

SUBJECT = {"problem": "devil", "parameters": {"n": 4}, "command": "explore"}
NUMBERS = np.arange(10, dtype=np.uint64)


def files(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())


def edit(place: Path, **changes: Any) -> None:
    manifest = place / "manifest.json"
    document = {**json.loads(manifest.read_text()), **changes}
    del document["checksum"]
    manifest.write_bytes(manifest_of(document))
