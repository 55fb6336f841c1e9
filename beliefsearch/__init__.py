"""beliefsearch: searching when you cannot see everything.

The public names stand in `__init__.pyi`, where type checkers find them too. They are loaded when they are first used,
so that `import beliefsearch` costs next to nothing and a checker need not load a solver.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"


def _homes() -> dict[str, str]:
    """By public name: the module it comes from, relative to this one."""
    stub = __loader__.get_data(f"{__file__.rpartition('.')[0]}.pyi").decode()
    lines = (line.split() for line in stub.splitlines() if line.startswith("from ."))
    return {name: module for _, module, _, name, *_ in lines}


_HOME = _homes()

__all__ = ["__version__", *sorted(_HOME)]


def __getattr__(name: str) -> object:
    try:
        home = _HOME[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    value = getattr(import_module(home, __name__), name)
    globals()[name] = value  # so that this runs once a name
    return value


def __dir__() -> list[str]:
    return __all__
