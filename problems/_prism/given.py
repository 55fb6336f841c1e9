"""The values of constants that a model leaves open, as somebody types them."""

from __future__ import annotations

from collections.abc import Mapping

from beliefsearch import ProblemError

from .numbers import Value
from .reading import read_value
from .syntax import Constant


def given_constants(file: str, constants: Mapping[str, Constant], typed: str) -> dict[str, Value]:
    """The constants in a text such as `N=6,ENERGY=8`.

    Raises `ProblemError` if there is no such constant, it has a value already, one is missing, or a value cannot be
    read.
    """
    given: dict[str, Value] = {}
    for part in filter(None, (part.strip() for part in typed.split(","))):
        name, sign, written = (word.strip() for word in part.partition("="))
        value = read_value(written)
        if not sign or value is None:
            raise ProblemError(f"--const {part}: give a name and a number, true or false, such as N=6")
        if name not in constants:
            open_ones = [constant.name for constant in constants.values() if constant.value is None]
            raise ProblemError(f"--const {part}: {file} leaves no constant {name!r} open; {_listed(open_ones)}")
        if constants[name].value is not None:
            raise ProblemError(f"--const {part}: {file} itself gives {name} a value")
        if name in given:
            raise ProblemError(f"--const {part}: {name} is given twice")
        given[name] = value
    missing = [
        constant.name for constant in constants.values() if constant.value is None and constant.name not in given
    ]
    if missing:
        raise ProblemError(
            f"{file} leaves {', '.join(missing)} open; give {' '.join(f'--const {n}=...' for n in missing)}"
        )
    return given


def _listed(names: list[str]) -> str:
    return f"it leaves {', '.join(names)} open" if names else "it leaves none open"
