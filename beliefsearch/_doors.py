"""Front doors: packages and modules whose public names are loaded when they are first used.

The names of a door stand in its stub (`.pyi`), where type checkers find them too, so that `import beliefsearch` costs
next to nothing and a checker need not load a solver.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection
from functools import cached_property
from importlib import import_module
from pathlib import PurePath
from types import ModuleType

DOORS = ("hooks", "graph", "plot", "page", "tools", "results", "solvers")
"""The doors beside `beliefsearch` itself and `beliefsearch.errors`, which has all its names at hand."""


class Door(ModuleType):
    """Module whose public names are those of its stub."""

    @classmethod
    def open(cls, name: str) -> None:
        """Make a door of the module of this name."""
        sys.modules[name].__class__ = cls

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Return, by public name, the module it comes from."""
        assert self.__file__ is not None
        assert self.__loader__ is not None
        path = str(PurePath(self.__file__).with_suffix(".pyi"))
        stub: bytes = self.__loader__.get_data(path)  # type: ignore[attr-defined]  # so it is found in an archive, too
        lines = (line.split() for line in stub.decode().splitlines() if line.startswith("from ."))
        return {name: module for _, module, _, name, *_ in lines if module != "."}

    def __getattr__(self, name: str) -> object:
        if name == "__all__":
            return sorted(self._homes)
        home = None if name.startswith("__") else self._homes.get(name)
        if home is None:
            return self._other(name)
        value = getattr(import_module(home, self.__package__), name)
        vars(self)[name] = value  # so that this runs once a name
        return value

    def __setattr__(self, name: str, value: object) -> None:
        # A file that is called like a public name, and is loaded, must not hide it.
        if not isinstance(value, ModuleType) or name not in self._homes:
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*vars(self), *self._homes})

    def _other(self, name: str) -> object:
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


class MainDoor(Door):
    """Door of the package itself, which also has the other doors, and knows the names that have moved to them."""

    def __getattr__(self, name: str) -> object:
        if name == "__all__":
            return ["__version__", *sorted(self._homes)]
        return super().__getattr__(name)

    def _other(self, name: str) -> object:
        if name in (*DOORS, "errors"):
            return import_module(f".{name}", self.__name__)
        if name.startswith("_"):
            return super()._other(name)
        new = {"solve_stochastic": "solve"}.get(name, name)
        for door in ("", ".errors", *(f".{other}" for other in DOORS)):
            module = import_module(door, self.__name__) if door else self
            if (new != name and not door) or (door and new in _names(module)):
                from .errors import MovedNameWarning

                text = f"beliefsearch.{name} has moved: `from beliefsearch{door} import {new}`"
                warnings.warn(text, MovedNameWarning, stacklevel=4)
                return getattr(module, new)
        return super()._other(name)


def public_names() -> dict[str, list[str]]:
    """Return by door the public names that it has."""
    main = __name__.partition(".")[0]
    doors = (import_module(f"{main}.{door}" if door else main) for door in ("", *DOORS))
    errors = import_module(f"{main}.errors")
    return {
        **{door.__name__: list(door.__all__) for door in doors},
        errors.__name__: [name for name, value in vars(errors).items() if _is_raised(value, errors.__name__)],
    }


def _is_raised(value: object, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, Exception) and value.__module__ == module


def _names(module: ModuleType) -> Collection[str]:
    """Return the public names of a door."""
    return module._homes if isinstance(module, Door) else vars(module)
