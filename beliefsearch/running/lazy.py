"""Functions that stand in a table: most runs call one of them, and need not load the modules of the others."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def loaded_when_called(package: str, place: str) -> Callable[..., Any]:
    """The function at `place`, such as ".path.astar:astar_search" in `package`; its module is loaded by a call."""
    module, _, name = place.partition(":")

    def call(*arguments: Any, **keywords: Any) -> Any:
        return getattr(import_module(module, package), name)(*arguments, **keywords)

    return call
