"""Functions that stand in a table: most runs call one of them, and need not load the modules of the others."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Hashable, Mapping
from importlib import import_module
from typing import Any, TypeVar

_Key = TypeVar("_Key", bound=Hashable)


class LoadedWhenLookedUp(UserDict[_Key, Any]):
    """Table of functions by their places, such as ".path.astar:astar_search" in a package.

    To look one up loads its module, and gives the function itself.
    """

    def __init__(self, package: str, places: Mapping[_Key, str]) -> None:
        super().__init__(places)
        self._package = package

    def __getitem__(self, key: _Key) -> Callable[..., Any]:
        module, _, name = self.data[key].partition(":")
        function: Callable[..., Any] = getattr(import_module(module, self._package), name)
        return function


def loaded_when_called(package: str, place: str) -> Callable[..., Any]:
    """Return a function that calls the one at `place` in `package`; its module is loaded by the first call."""
    module, _, name = place.partition(":")

    def call(*arguments: Any, **keywords: Any) -> Any:
        return getattr(import_module(module, package), name)(*arguments, **keywords)

    return call
