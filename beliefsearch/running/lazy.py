"""Lazy imports: the module of a function in a table is imported when the function is looked up or called."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, Hashable, Mapping
from importlib import import_module
from typing import Any, TypeVar

_Key = TypeVar("_Key", bound=Hashable)


class LoadedWhenLookedUp(UserDict[_Key, Any]):
    """Table of functions given by their places, such as ".path.astar:astar_search" in a package.

    A look-up imports the module and returns the function.
    """

    def __init__(self, package: str, places: Mapping[_Key, str]) -> None:
        super().__init__(places)
        self._package = package

    def __getitem__(self, key: _Key) -> Callable[..., Any]:
        module, _, name = self.data[key].partition(":")
        function: Callable[..., Any] = getattr(import_module(module, self._package), name)
        return function


def loaded_when_called(package: str, place: str) -> Callable[..., Any]:
    """Return a function that imports the one at `place` in `package` and calls it."""
    module, _, name = place.partition(":")

    def call(*arguments: Any, **keywords: Any) -> Any:
        return getattr(import_module(module, package), name)(*arguments, **keywords)

    return call
