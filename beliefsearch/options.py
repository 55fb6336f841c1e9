"""Options of a problem class, read off its attrs fields: types, defaults, help and validators.

Independent of any command-line library; `cli` makes click options of these.
"""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import NOTHING, Attribute, fields, frozen, has

from .errors import PluginError, ProblemError

if TYPE_CHECKING:
    from .problem import BaseProblem

__all__ = ["Option", "make_problem", "options_of", "parameters_of"]


@frozen
class Option:
    """An attrs field as an option.

    Attributes
    ----------
    name
        Spelled as on the command line, without the dashes: `max-depth`.
    field
        The argument of the class's constructor.
    kind
        bool, int, float, str, or another callable that makes a value of a text.
    choices
        The texts allowed, with their values; empty if there is no such list.
    default
        Used when the option is left out; `attrs.NOTHING` if it is required.
    help
        What it means.
    prompt
        What to ask on a terminal when the option is left out, or to read silently in a pipe; None: neither.
    """

    name: str
    field: str
    kind: Callable[[str], Any]
    choices: Mapping[str, Any]
    default: Any
    help: str
    prompt: str | None

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is NOTHING

    def written_default(self) -> object:
        """The default as it is written in files; `attrs.NOTHING` if there is none, or no way to write it."""
        default = self.default
        for text, choice in self.choices.items():
            if choice == default:
                return text
        if default is NOTHING or default is None or isinstance(default, (bool, int, float, str)):
            return default
        with suppress(Exception):  # of the problem's own function
            if self.kind(str(default)) == default:
                return str(default)
        return NOTHING

    def value(self, written: object) -> Any:
        """The constructor's argument for what was typed, or stands in a file.

        Raises
        ------
        ValueError
            If it cannot be a value of this option.
        """
        if written is None and self.default is None:
            return None
        if self.choices:
            if not isinstance(written, str) or written not in self.choices:
                raise ValueError(f"{written!r} is not one of {', '.join(self.choices)}")
            return self.choices[written]
        if self.kind in (bool, int, float, str):
            right = isinstance(written, self.kind) and (self.kind is bool or not isinstance(written, bool))
            if not right and not (self.kind is float and type(written) is int):
                raise ValueError(f"{written!r} is not {_NAMES[self.kind]}")
            return written
        if not isinstance(written, str):
            raise ValueError(f"{written!r} is not a text")
        try:
            return self.kind(written)
        except (ValueError, ArithmeticError) as error:  # such as the fraction 1/0
            raise ValueError(f"{written!r} cannot be read: {error}") from error


_NAMES: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def options_of(cls: type[BaseProblem[Any, Any]]) -> list[Option]:
    """The options of a problem class: one for each attrs field that its constructor takes.

    Raises
    ------
    PluginError
        If a field without a default has a type that cannot be written as text.

    Notes
    -----
    A field's metadata may hold `help`, `option` (a name other than the field's), `prompt`, and `parse`
    (a function from text, for types of one's own).
    """
    if not has(cls):
        return []
    made = [_option(cls, attribute, _hint(cls, attribute)) for attribute in fields(cls) if attribute.init]
    return [option for option in made if option is not None]


def _hint(cls: type, attribute: Attribute[Any]) -> Any:
    """The type of a field. Only this annotation is resolved: others may name things for type checkers only."""
    written: Any = attribute.type or str
    home = next((base for base in cls.__mro__ if attribute.name in inspect.get_annotations(base)), cls)
    holder = types.SimpleNamespace(__annotations__={attribute.name: written})
    try:
        return get_type_hints(holder, vars(sys.modules[home.__module__]))[attribute.name]
    except Exception as error:
        raise PluginError(f"the field types of {cls.__name__} cannot be resolved: {error}") from error


def _option(cls: type, attribute: Attribute[Any], hint: Any) -> Option | None:
    metadata = attribute.metadata
    kind, choices = _kind_of(hint)
    kind = metadata.get("parse", kind)
    if kind is None:
        if attribute.default is not NOTHING:
            return None  # an argument for Python callers only
        raise PluginError(
            f"{cls.__name__}.{attribute.name} has the type {hint}, which no text can give; "
            "give the field a default, or metadata={'parse': function}"
        )
    default: Any = attribute.default
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # typed as a function, but a class
        default = None if default.takes_self else default.factory()
    return Option(
        name=metadata.get("option", attribute.name.strip("_")).replace("_", "-"),
        field=attribute.alias or attribute.name,
        kind=kind,
        choices=choices,
        default=default,
        help=metadata.get("help", ""),
        prompt=metadata.get("prompt"),
    )


def _kind_of(hint: Any) -> tuple[Callable[[str], Any] | None, dict[str, Any]]:
    """How to make a value of this type from text, and the texts there are if they can be listed."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        parts = [part for part in get_args(hint) if part is not type(None)]
        return _kind_of(parts[0]) if len(parts) == 1 else (None, {})
    if origin is Literal:
        return str, {str(value): value for value in get_args(hint)}
    if isinstance(hint, type):
        if issubclass(hint, Enum):
            return str, {str(member.value): member for member in hint}
        if hint in (bool, int, float, str):
            return hint, {}
        from fractions import Fraction
        from pathlib import Path

        if issubclass(hint, (Path, Fraction)):
            return hint, {}
    return None, {}


def make_problem(cls: type[BaseProblem[Any, Any]], written: Mapping[str, object]) -> BaseProblem[Any, Any]:
    """Construct a problem from its options as they were typed, or stand in a file.

    Parameters
    ----------
    cls
        The problem class.
    written
        By name of the option: a number, a text, true or false. What is left out has its default.

    Raises
    ------
    ProblemError
        If a value is refused, in one line.
    """
    options = {option.name: option for option in options_of(cls)}
    for name in written:
        if name not in options:
            raise ProblemError(f"{cls.__name__} has no option {name!r}; it has {', '.join(options) or 'none'}")
    values = {}
    for name, option in options.items():
        if name in written:
            try:
                values[option.field] = option.value(written[name])
            except ValueError as error:
                raise ProblemError(f"--{name}: {error}") from error
        elif option.required:
            raise ProblemError(f"{cls.__name__} needs the option --{name}")
    try:
        return cls(**values)
    except (ValueError, TypeError) as error:
        # Validators of attrs put the text first and objects behind it.
        text = " ".join(str(error.args[0] if error.args else error).split())
        raise ProblemError(f"{cls.__name__} refuses these options: {text}") from error


def parameters_of(options: Iterable[Option], written: Mapping[str, object]) -> dict[str, object]:
    """All options with their values as they are written in files: what was given, and the defaults."""
    defaults = {option.name: option.written_default() for option in options}
    return {name: value for name, value in {**defaults, **written}.items() if value is not NOTHING}
