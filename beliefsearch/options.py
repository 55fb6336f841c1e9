"""Options of a problem class, read off its attrs fields: types, defaults, help and validators.

Independent of any command-line library; `cli` makes click options of these.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
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
        What to ask on a terminal when the option is left out; None to ask nothing.
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

    def text(self, value: object) -> object:
        """`value` as it is written in files: a plain JSON value."""
        for text, choice in self.choices.items():
            if choice == value:
                return text
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        return str(value)

    def value(self, written: object) -> Any:
        """The inverse of `text`.

        Raises
        ------
        ValueError
            If it cannot be a value of this option.
        """
        if written is None:
            return None
        if self.choices:
            if not isinstance(written, str) or written not in self.choices:
                raise ValueError(f"{self.name}: {written!r} is not one of {', '.join(self.choices)}")
            return self.choices[written]
        if self.kind in (bool, int, float, str):
            right = isinstance(written, self.kind) and (self.kind is bool or not isinstance(written, bool))
            if not right and not (self.kind is float and type(written) is int):
                raise ValueError(f"{self.name}: {written!r} is not {_NAMES[self.kind]}")
            return written
        try:
            return self.kind(str(written))
        except ArithmeticError as error:  # a fraction such as 1/0
            raise ValueError(f"{self.name}: {written!r} cannot be read: {error}") from error


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
    try:
        hints = get_type_hints(cls)
    except Exception as error:
        raise PluginError(f"the field types of {cls.__name__} cannot be resolved: {error}") from error
    made = [_option(cls, attribute, hints.get(attribute.name, str)) for attribute in fields(cls) if attribute.init]
    return [option for option in made if option is not None]


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


def make_problem(cls: type[BaseProblem[Any, Any]], values: Mapping[str, Any]) -> BaseProblem[Any, Any]:
    """Construct a problem, and tell in one line what its validators say against `values`.

    Raises
    ------
    ProblemError
        If a value is refused.
    """
    missing = [option.name for option in options_of(cls) if option.required and option.field not in values]
    if missing:
        raise ProblemError(f"{cls.__name__} needs the option --{missing[0]}")
    try:
        return cls(**values)
    except (ValueError, TypeError) as error:
        # Validators of attrs put the text first and objects behind it.
        text = " ".join(str(error.args[0] if error.args else error).split())
        raise ProblemError(f"{cls.__name__} refuses these options: {text}") from error


def parameters_of(problem: BaseProblem[Any, Any]) -> dict[str, Any]:
    """The problem's options with their values, as they are written in files."""
    cls: Any = type(problem)
    options = options_of(cls)
    attributes = {attribute.alias or attribute.name: attribute.name for attribute in fields(cls)} if options else {}
    return {option.name: option.text(getattr(problem, attributes[option.field])) for option in options}
