"""Options of a problem class, read from its attrs fields; `cli` makes click options of these."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import attrs
from attrs import NOTHING, Attribute, fields, frozen, has

from ..errors import PluginError, ProblemError, meant
from ..kinds import played_by, require
from ..model.base import BaseProblem
from ..model.class_lint import forgotten_decorator, undeclared_hook
from .data_files import MOST_BYTES, UnreadableFile, check_data_file
from .installed import NAMED, source_of


@frozen
class Option:
    """An attrs field as an option."""

    name: str  # as on the command line, without the dashes: `max-depth`
    field: str  # the argument of the class's constructor
    kind: Callable[[str], Any]  # bool, int, float, str, or another function from text to a value
    choices: Mapping[str, Any]  # the allowed texts with their values; empty if any text is allowed
    default: Any  # `attrs.NOTHING` if the option is required, None if it depends on the other options
    help: str
    prompt: str | None  # question on a terminal if it is left out (a pipe is read without one); None: it is not asked
    is_file: bool = False  # whether its value is the path of a data file
    most_bytes: int = MOST_BYTES  # the largest size of this file
    may_be_none: bool = False  # whether None, in files null, is a value
    is_computed: bool = False  # whether the default depends on the other options
    to_text: Callable[[Any], str] = str  # the inverse of `kind`
    attribute: str = ""  # the name of the value in a problem
    joined: str = ""  # the separator of the texts of an option that may be given several times; empty if it may not
    formerly: str = ""  # its old name, which files and command lines may still use

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is NOTHING

    def written_default(self) -> object:
        """The default as it is written in files; `attrs.NOTHING` if there is none or it cannot be written."""
        return self.written(self.default)

    def written(self, value: Any) -> object:
        """A value as it is written in files, the inverse of `value`; `attrs.NOTHING` if it cannot be written."""
        for text, choice in self.choices.items():
            if choice == value:
                return text
        if value is None or value is NOTHING:
            return value
        try:
            text = value if self.kind in _NAMES else self.to_text(value)
            if isinstance(text, float) and not isfinite(text):
                text = str(text)  # JSON has no infinity
            return text if isinstance(text, (bool, int, float, str)) and self.value(text) == value else NOTHING
        except Exception:  # of the problem's own functions
            return NOTHING

    def value(self, written: object) -> Any:
        """The constructor's argument for a value as typed or read from a file; raises ValueError if it is invalid."""
        if written is None and (self.may_be_none or self.default is None):
            return None
        if self.choices:
            if not isinstance(written, str) or written not in self.choices:
                hint = meant(str(written), self.choices)
                raise ValueError(f"{written!r} is not one of {', '.join(self.choices)}{hint}")
            return self.choices[written]
        if self.kind is float and written in ("inf", "-inf"):
            return float(str(written))
        if self.kind in (bool, int, float, str):
            right = isinstance(written, self.kind) and (self.kind is bool or not isinstance(written, bool))
            if not right and not (self.kind is float and type(written) is int):
                raise ValueError(f"{written!r} is not {_NAMES[self.kind]}")
            return written
        if not isinstance(written, str):
            raise ValueError(f"{written!r} is not text")
        if self.is_file:
            check_data_file(Path(written), self.most_bytes)  # before the problem opens it
        try:
            return self.kind(written)
        except (ValueError, ArithmeticError) as error:
            said = "it divides by 0" if isinstance(error, ZeroDivisionError) else error  # which is only Fraction(1, 0)
            raise ValueError(f"{written!r} cannot be read: {said}") from error

    def argument(self, value: object) -> Any:
        """The constructor's argument for a Python value, or for its text; raises ValueError if it is invalid."""
        as_written = value is None or isinstance(value, str) or (self.kind in _NAMES and not self.choices)
        return self.value(value) if as_written else value


_NAMES: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


def options_of(cls: type[BaseProblem[Any, Any]]) -> list[Option]:
    """The options of a problem class: one for each attrs field that its constructor takes, with the field's metadata.

    Raises PluginError if a field without a default has a type that cannot be written as text, or the class has fields
    but no decorator of attrs, or a method of a hook that it is not derived from.
    """
    return list(_options(cls))


@lru_cache(maxsize=32)  # a command asks for the options of its puzzle several times
def _options(cls: type[BaseProblem[Any, Any]]) -> tuple[Option, ...]:
    complaint = forgotten_decorator(cls) or undeclared_hook(cls)
    if complaint is not None:
        raise PluginError(complaint)
    if not has(cls):
        return ()
    made = [_option(cls, attribute, _hint(cls, attribute)) for attribute in fields(cls) if attribute.init]
    return tuple(option for option in made if option is not None)


# Advice for every field whose type cannot be read from text.
_CURE = "give the field metadata={'parse': function from text, 'format': its inverse}"


def fields_without_option(cls: type[BaseProblem[Any, Any]]) -> dict[str, str]:
    """Say for each field that can only be given from Python, or not be written to a file, why, with advice."""
    if not has(cls) or cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
        return {}  # our own adapters
    said: dict[str, str] = {}
    for attribute in fields(cls):
        if not attribute.init or attribute.default is NOTHING or attribute.name.startswith("_"):
            continue
        option, name = _option(cls, attribute, hint := _hint(cls, attribute)), f"{cls.__name__}.{attribute.name}"
        if option is None:
            kind = hint.__name__ if isinstance(hint, type) and not get_args(hint) else hint
            said[attribute.name] = f"{name} is no option, since {kind} cannot be read from text; {_CURE}"
        elif not option.is_computed and option.written_default() is NOTHING:
            said[attribute.name] = f"files cannot hold the default of {name}, which is not read back the same; {_CURE}"
    return said


def file_options(cls: type[BaseProblem[Any, Any]]) -> dict[str, int]:
    """The names of the options whose values are paths of data files, with the largest size of each file."""
    return {option.name: option.most_bytes for option in options_of(cls) if option.is_file}


def _hint(cls: type, attribute: Attribute[Any]) -> Any:
    """The type of a field; resolves its annotation alone, since others may need names that only type checkers know."""
    written: Any = attribute.type or str
    home = next((base for base in cls.__mro__ if attribute.name in inspect.get_annotations(base)), cls)
    holder = types.SimpleNamespace(__annotations__={attribute.name: written})
    try:
        return get_type_hints(holder, _names_around(home))[attribute.name]
    except Exception as error:
        raise PluginError(f"the field types of {cls.__name__} cannot be resolved: {error}") from error


def _names_around(cls: type) -> dict[str, Any]:
    """Return the globals of a class, from its methods: a file loaded later may have replaced its module."""
    module = cls.__module__
    known = (method.__globals__ for method in vars(cls).values() if isinstance(method, types.FunctionType))
    return next((names for names in known if names.get("__name__") == module), None) or vars(sys.modules[module])


def _option(cls: type, attribute: Attribute[Any], hint: Any) -> Option | None:
    metadata = attribute.metadata
    kind, choices = _kind_of(hint)
    kind = metadata.get("parse", kind)
    if kind is None:
        if attribute.default is not NOTHING:
            return None  # an argument for Python callers only
        raise PluginError(
            f"{cls.__name__}.{attribute.name} is of type {hint}, which cannot be read from text; {_CURE}, or a default"
        )
    default: Any = attribute.default
    is_computed = False
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # typed as a function, but a class
        is_computed = default.takes_self
        default = None if is_computed else default.factory()
    return Option(
        name=metadata.get("option", attribute.name.strip("_")).replace("_", "-"),
        field=attribute.alias or attribute.name,
        kind=kind,
        choices=choices,
        default=default,
        help=metadata.get("help", ""),
        prompt=metadata.get("prompt"),
        is_file=any(isinstance(part, type) and issubclass(part, Path) for part in (kind, *_parts(hint))),
        most_bytes=metadata.get("most_bytes", MOST_BYTES),
        may_be_none=type(None) in _parts(hint),
        is_computed=is_computed,
        to_text=metadata.get("format", str),
        attribute=attribute.name,
        joined=metadata.get("joined", ""),
        formerly=metadata.get("formerly", ""),
    )


def _parts(hint: Any) -> tuple[Any, ...]:
    """The types of a union, or the type itself."""
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _kind_of(hint: Any) -> tuple[Callable[[str], Any] | None, dict[str, Any]]:
    """Return the function from text to a value of this type, None if there is none, and the allowed texts if listed."""
    if len(_parts(hint)) > 1:
        parts = [part for part in _parts(hint) if part is not type(None)]
        return _kind_of(parts[0]) if len(parts) == 1 else (None, {})
    if get_origin(hint) is Literal:
        return str, {str(value): value for value in get_args(hint)}
    if isinstance(hint, type):
        if issubclass(hint, Enum):
            return str, {str(member.value): member for member in hint}
        if hint in (bool, int, float, str):
            return hint, {}
        from fractions import Fraction

        if issubclass(hint, (Path, Fraction)):
            return hint, {}
    return None, {}


def problem_with(cls: type[BaseProblem[Any, Any]], values: Mapping[str, object]) -> BaseProblem[Any, Any]:
    """Construct a problem from Python values, by the names of options or of the constructor's arguments.

    Texts are read as on the command line; otherwise like `make_problem`.
    """
    names = {option.field: option.name for option in options_of(cls)}
    return make_problem(cls, {names.get(name, name): value for name, value in values.items()}, Option.argument)


def make_problem(
    cls: type[BaseProblem[Any, Any]], written: Mapping[str, object], read: Callable[[Option, Any], Any] = Option.value
) -> BaseProblem[Any, Any]:
    """Construct a problem from its options as they were typed or read from a file.

    `written` has numbers, texts and truth values by name of the option; other options have their defaults. An invalid
    value raises ProblemError, in one line.
    """
    written = by_new_names(cls, written)
    arguments = arguments_of(cls, written, read=read)
    given = [option.field for option in options_of(cls) if option.name in written]
    values = {field: arguments[field] for field in given if arguments[field] is not NOTHING}
    try:
        return cls(**values)
    except (ValueError, TypeError) as error:
        # Validators of attrs raise errors whose first argument is the text, and others are objects.
        text = " ".join(str(error.args[0] if error.args else error).split())
        is_file = isinstance(error, UnreadableFile)
        raise ProblemError(text if is_file else f"{cls.__name__} refuses these options: {text}") from error


def by_new_names(cls: type[BaseProblem[Any, Any]], written: Mapping[str, object]) -> dict[str, object]:
    """Options with old names replaced by the present ones."""
    new = {option.formerly: option.name for option in options_of(cls) if option.formerly}
    return {new.get(name, name) if new.get(name) not in written else name: value for name, value in written.items()}


def arguments_of(
    cls: type[BaseProblem[Any, Any]],
    written: Mapping[str, object],
    *,
    with_files: bool = True,
    read: Callable[[Option, Any], Any] = Option.value,
) -> dict[str, Any]:
    """The constructor's arguments, by field, for options that were typed or read from a file.

    Other options have their defaults, or `attrs.NOTHING` if the default depends on the given ones. Without `with_files`
    options for data files are left out. Raises ProblemError if a value is invalid or missing, or there is no such
    option.
    """
    options, written = {option.name: option for option in options_of(cls)}, by_new_names(cls, written)
    for name in written:
        if name not in options:
            raise ProblemError(f"{cls.__name__} has no option {name!r}; it has {', '.join(options) or 'none'}")
    values: dict[str, Any] = {}
    for name, option in options.items():
        if option.is_file and not with_files:
            continue
        if option.is_computed and (name not in written or (written[name] is None and not option.may_be_none)):
            values[option.field] = NOTHING
        elif name in written:
            try:
                values[option.field] = read(option, written[name])
            except ValueError as error:
                raise ProblemError(f"--{name}: {error}") from error
        elif option.required:
            source = source_of(cls) if name == NAMED else None
            raise ProblemError(f"{cls.__name__} needs the option --{name}{f'; say {source}:NAME' if source else ''}")
        else:
            values[option.field] = option.default
    return values


def parameters_of(
    options: Iterable[Option], written: Mapping[str, object], problem: object = None
) -> dict[str, object]:
    """All options with their values as they are written in files, defaults included.

    A file identifies its instance by these: they make an equal problem even if defaults change later. `written` has the
    given options, and `problem` is made from them; it has the defaults that depend on other options. Raises PluginError
    if a default cannot be written and read back.
    """
    parameters: dict[str, object] = {}
    for option in options:
        if option.name in written:
            given = written[option.name]
            # JSON has no infinity.
            parameters[option.name] = option.written(given) if isinstance(given, float) else given
        elif option.is_computed and problem is not None:
            parameters[option.name] = option.written(getattr(problem, option.attribute))
        elif not option.required:
            parameters[option.name] = option.written_default()
        if parameters.get(option.name) is NOTHING:
            raise PluginError(
                f"the value of --{option.name} cannot be written to a file and read back as the same value; type it, "
                f"or {_CURE}"
            )
    return parameters


def build_problem(problem: Any, blindfold: bool, belief: Sequence[str] | None = None, objective: str = "worst") -> Any:
    """The problem as it is played: by an objective (see `played_by`), perhaps blindfolded, or from another `belief`.

    Raises ProblemError if the problem does not support that, and BeliefSearchError if a text is no state.
    """
    problem = played_by(objective, problem)
    if blindfold:
        from ..model.adapters import Blindfolded

        require("play blindfolded", problem)
        problem.possible_starts()  # raises at once if the problem lists none
        problem = Blindfolded(problem)
    if belief is None:
        return problem
    from ..model.adapters import read_state, starting_from

    require("begin with a belief", problem)
    return starting_from(problem, [read_state(problem, text) for text in belief])
