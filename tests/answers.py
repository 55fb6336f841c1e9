"""How a command ended: its exit code, standard output and standard error, each asserted in one line of a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

Found: TypeAlias = tuple[int, str, str]


def stdout(found: Found, code: int = 0) -> str:
    """Assert the exit code; return what was printed."""
    assert found[0] == code, found[2]
    return found[1]


def stdout_alone(found: Found, code: int = 0) -> str:
    """Assert the exit code and that nothing is on standard error; return what was printed."""
    assert (found[0], found[2]) == (code, "")
    return found[1]


def assert_one_line(found: Found, *culprits: str) -> None:
    """Assert that a command was refused in one line, which mentions all of `culprits`."""
    code, out, err = found
    assert "Traceback" not in out + err
    assert err.endswith("\n")
    assert err.count("\n") == 1, f"more than one line: {err}"
    assert code == 2
    assert out == ""
    assert "bug of beliefsearch" not in err
    for culprit in culprits:
        assert culprit in err, f"{culprit!r} is not mentioned: {err}"


def read_json(name: str | Path) -> Any:
    """Read a JSON file of the current folder."""
    return json.loads(Path(name).read_text(encoding="utf-8"))


def write_json(name: str | Path, document: Any) -> None:
    """Write a JSON file into the current folder."""
    Path(name).write_text(json.dumps(document), encoding="utf-8")


def change_json(name: str | Path, edit: Callable[[Any], object] | None = None, **fields: Any) -> None:
    """Edit a JSON file in place, or set fields of it."""
    document = read_json(name)
    if edit is not None:
        edit(document)
    write_json(name, {**document, **fields} if fields else document)
