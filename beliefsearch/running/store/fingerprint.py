"""Fingerprint of the subject of a store, and the difference of two fingerprints in words.

The subject is JSON: the problem with all that distinguishes it from others, and the options of the search.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import MemberDescriptorType, NoneType
from typing import Any

from attrs import fields, has

from ... import __version__
from ...errors import StoreError
from ...model.adapters import Blindfolded, StartingFrom
from ...model.base import BaseProblem

SOURCE = "sha256 of the source"
"""Key of the digest of the module that defines the class of a problem."""

SOURCES_OF_BASES = "sha256 of the sources of its bases"
"""Key of the digests, by module name, of the author's other modules that define bases of the class."""

_LONGEST = 60
# Options that change the start of a game; a subject has them only if they were given.
_OPTIONS = ("belief", "blindfold")


def difference(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Describe the first difference of the subject `theirs` of a store from `ours`; None if there is none.

    `theirs` may be any JSON object.
    """
    kinds = [_kind(subject) for subject in (theirs, ours)]
    if kinds[0] != kinds[1]:
        return f"{kinds[0]}, and not {kinds[1]}"
    here = dict(ours)
    if here.get(SOURCE) is not None and here[SOURCE] == theirs.get(SOURCE):
        here["module"] = theirs.get("module")  # the same file may be found under several names
    said = _first(theirs, here, "")
    return said and f"another search: {said}"


def shown(value: Any) -> str:
    """A JSON value as text that is fit for one line."""
    text = value if isinstance(value, str) and value.isidentifier() else json.dumps(value)
    if len(text) <= _LONGEST:
        return ascii(text)[1:-1]
    quote = '"' if text.startswith('"') else ""
    return f"{ascii(text[:_LONGEST])[1:-1]}...{quote}"


def _kind(subject: Mapping[str, Any]) -> str:
    """Name the kind of work in a store: an exploration or a search, whose options cannot be compared."""
    search = subject.get("search")
    if not isinstance(search, dict):
        return "another search"
    return "an exploration" if search.get("command") == "explore" else "a search for a plan"


def _first(theirs: Any, ours: Any, where: str) -> str | None:
    """Describe the first difference of two JSON values; options of the user by their names."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*ours, *theirs)):
            there, here = theirs.get(key), ours.get(key)
            if key == SOURCES_OF_BASES:  # left out of a subject if there are none
                there, here = there or {}, here or {}
            said = _first(there, here, f"{where}.{key}" if where else key)
            if said is not None and key == SOURCE:
                return f"the source of {ours.get('class', ours.get('problem'))} has changed since"
            if said is not None and where.endswith(SOURCES_OF_BASES):
                return f"the source of the module {ascii(key[:100])[1:-1]} has changed since"
            if said is not None:
                return f"there is {_option(key, there)}, here {_option(key, here)}" if key in _OPTIONS else said
    elif theirs != ours or type(theirs) is not type(ours):
        return f"there {ascii(where[:100])[1:-1]} is {shown(theirs)}, here {shown(ours)}"
    return None


def _option(key: str, value: Any) -> str:
    if value is None:
        return f"no {key}"
    return key if value is True else f"{key} {shown(value)}"


_NOT_THE_AUTHORS = {*sys.stdlib_module_names, __name__.partition(".")[0]}
# A longer value is replaced by its digest.
_LONGEST_TEXT = 200

# Values of these types are equal if and only if their texts are.
_SAID_BY_THEIR_TEXT = (str, bytes, float, complex, int, bool, NoneType, Fraction, Enum, range)


def subject_of(problem: object, search: Mapping[str, Any]) -> dict[str, Any]:
    """Return the subject of a store: the problem, the belief it begins with if given, and the search options.

    Raises `StoreError` if the problem cannot be distinguished from others, since a store of one must not be resumed for
    another.
    """
    how: dict[str, Any] = {}
    while isinstance(problem, (Blindfolded, StartingFrom)):  # the subject is the author's problem and two options
        if isinstance(problem, StartingFrom):
            how.setdefault("belief", _parameter(problem.belief, "the belief"))
        else:
            how["blindfold"] = True
        problem = problem.problem
    cls = type(problem)
    return {
        "problem": cls.__qualname__,
        "module": cls.__module__,
        "parameters": parameters_in(problem),
        **_code_of(cls),
        **how,
        "search": dict(search),
        "version": __version__,
    }


def parameters_in(problem: object) -> dict[str, Any]:
    """Return the fields that distinguish a problem from others of its class, as JSON; problems in fields likewise.

    A data file counts by its content, not by its path. Cached properties, and fields that attrs does not compare
    (`eq=False`), are left out.
    """
    cls: Any = type(problem)
    values = _fields_of(problem)
    if "__attrs_attrs__" not in vars(cls):
        values = {**dict(_attributes(problem)), **values}
    return {name: _parameter(value, f"{cls.__name__}.{name}") for name, value in values.items()}


def _fields_of(value: object) -> dict[str, Any]:
    cls: Any = type(value)
    return {one.name: getattr(value, one.name) for one in fields(cls) if one.eq} if has(cls) else {}


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    """Yield the attributes of an object, with slots or without."""
    cls: Any = type(value)
    not_compared = {one.name for one in fields(cls) if not one.eq} if has(cls) else set()
    for name, content in getattr(value, "__dict__", {}).items():
        if name not in not_compared and not isinstance(getattr(cls, name, None), cached_property):
            yield name, content
    for base in cls.__mro__:
        if "__attrs_attrs__" in vars(base):
            continue  # its slots are its fields and cached properties
        for name, member in vars(base).items():
            if isinstance(member, MemberDescriptorType) and name not in not_compared and hasattr(value, name):
                yield name, getattr(value, name)


def _parameter(value: object, where: str) -> Any:
    """A value as JSON that is short and the same in every process; `where` names its place in errors."""
    if isinstance(value, BaseProblem):
        return {"class": type(value).__qualname__, **_code_of(type(value)), **parameters_in(value)}
    if isinstance(value, Path) and (digest := _digest(value)) is not None:
        return {"sha256": digest}
    if type(value) in (bool, int, NoneType):
        return value
    text = value if type(value) is str else _text_of(value, where)
    return text if len(text) <= _LONGEST_TEXT else {"sha256": _sha256(text.encode(errors="surrogatepass"))}


def _text_of(value: Any, where: str) -> str:
    """A value with all its contents as a text that is the same in every process."""
    if isinstance(value, _SAID_BY_THEIR_TEXT):
        return repr(value)
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, (BaseProblem, Path)):
        return str(_parameter(value, where) if isinstance(value, BaseProblem) else _digest(value) or value)
    name = type(value).__qualname__
    if isinstance(value, dict):
        pairs = sorted(f"{_text_of(key, where)}: {_text_of(content, where)}" for key, content in value.items())
        return f"{name if type(value) is not dict else ''}{{{', '.join(pairs)}}}"
    if isinstance(value, (set, frozenset)):
        return f"{name} {{{', '.join(sorted(_text_of(member, where) for member in value))}}}"
    if isinstance(value, (list, tuple)):
        within = ", ".join(_text_of(member, where) for member in value)
        return f"({within})" if type(value) is tuple else f"[{within}]" if type(value) is list else f"{name} [{within}]"
    if has(type(value)):
        return f"{name} {[(key, _text_of(content, where)) for key, content in _fields_of(value).items()]}"
    if is_dataclass(value):
        return f"{name} {[(key, _text_of(content, where)) for key, content in _attributes(value)]}"
    if hasattr(value, "dtype") and hasattr(value, "tobytes"):  # `repr` leaves out most of a long array
        content = _text_of(value.tolist(), where) if value.dtype.hasobject else _sha256(value.tobytes())
        return f"{name} {value.dtype} {value.shape} {content}"
    if callable(value) or repr(value) == object.__repr__(value):
        raise StoreError(
            f"{where} is {value!r:.60}, by which a store cannot tell one problem from another; keep problems whose "
            "parameters are numbers, texts, or collections of such"
        )
    return f"{name} {value!r}"


def _code_of(cls: type) -> dict[str, Any]:
    """The SHA-256 of a puzzle's source and of the sources of its bases: a store is valid for this code only.

    Bases of Python's library and of this package are left out; the version covers these.
    """
    others = {base.__module__: base for base in reversed(cls.__mro__) if base.__module__ != cls.__module__}
    digests = {
        name: _digest_of_code(base)
        for name, base in reversed(others.items())
        if name.partition(".")[0] not in _NOT_THE_AUTHORS
    }
    return {SOURCE: _digest_of_code(cls), **({SOURCES_OF_BASES: digests} if digests else {})}


def _digest_of_code(cls: type) -> str:
    """The SHA-256 of the file of a class's module; of the class's source if there is no file, as in a notebook."""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    digest = None if path is None else _digest(Path(path))
    if digest is not None:
        return digest
    try:
        return _sha256(inspect.getsource(cls).encode())
    except (OSError, TypeError):
        raise StoreError(
            f"the source of {cls.__name__} is nowhere to be found, and so a store could not tell whether it has "
            "changed; put the class into a file"
        ) from None


def _digest(path: Path) -> str | None:
    """The SHA-256 of a file; None if there is none."""
    return _sha256(path.read_bytes()) if path.is_file() else None


def _sha256(data: bytes) -> str:
    from hashlib import sha256  # most runs keep nothing

    return sha256(data).hexdigest()
