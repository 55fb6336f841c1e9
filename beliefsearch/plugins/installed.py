"""Installed problems, readers of files and sources, as entry points. Looking them up imports none of them.

Problems are entry points in the group `beliefsearch.problems`, ours like anybody else's. Readers are problem classes
with a field `file`, in the group `beliefsearch.readers`, named by the ending of their files. Sources are problem
classes with a field `name`, in the group `beliefsearch.sources`, named by their prefix: `gym` finds `gym:NAME`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path, PurePath
from typing import Any

from attrs import frozen

GROUP = "beliefsearch.problems"
READERS = "beliefsearch.readers"
SOURCES = "beliefsearch.sources"
READ = "file"
"""The option of a reader that takes the file."""
NAMED = "name"
"""The option of a source that takes the name after the colon."""

_GROUPS = (GROUP, READERS, SOURCES)


@frozen
class Listing:
    """A line of `beliefsearch list`."""

    name: str
    target: str  # `module:ClassName`
    distribution: str  # the installed package, with its version
    summary: str | None  # the first line of the class's docstring; None if the source cannot be read
    rivals: tuple[str, ...] = ()  # other distributions that claim the same name


def list_problems(beginning: str = "") -> list[Listing]:
    """The installed problems whose names begin so, broken ones included. Imports none of them."""
    return _listings(GROUP, beginning)


def list_readers() -> list[Listing]:
    """All installed readers, by the endings of their files without the dot; as `list_problems`."""
    return _listings(READERS, "")


def list_sources() -> list[Listing]:
    """All installed sources, by their prefixes; as `list_problems`."""
    return _listings(SOURCES, "")


def is_reader(cls: type) -> bool:
    """Whether a class is an installed reader of files."""
    target = f"{cls.__module__}:{cls.__qualname__}"
    return any(point.value == target for points in points_by_name(READERS).values() for point in points)


def source_of(cls: type) -> str | None:
    """The name of the source that finds problems of a class; None if none does."""
    target = f"{cls.__module__}:{cls.__qualname__}"
    found = points_by_name(SOURCES).items()
    return next((name for name, points in found if any(point.value == target for point in points)), None)


def reader_of(reference: str) -> str | None:
    """The name of the installed source or reader for `reference`; None if there is none."""
    source, colon, _ = reference.partition(":")
    if colon and source in points_by_name(SOURCES):
        return source
    ending = PurePath(reference).suffix[1:].lower()
    return next((name for name in points_by_name(READERS) if name.lower() == ending), None)


def given_by(reference: str) -> dict[str, object]:
    """The options that a reference sets: the file of a reader, or the name of a source."""
    reader = reader_of(reference)
    if reader is None:
        return {}
    return {NAMED: reference.partition(":")[2]} if reader in points_by_name(SOURCES) else {READ: reference}


def _listings(group: str, beginning: str) -> list[Listing]:
    return [
        Listing(name, first.value, distribution_of(first), _summary(first), tuple(map(distribution_of, others)))
        for name, (first, *others) in sorted(points_by_name(group).items())
        if name.startswith(beginning)
    ]


def points_by_name(group: str) -> Mapping[str, list[EntryPoint]]:
    """Return the installed entry points: read once, and again when a folder of packages has changed."""
    return _points_in(tuple((entry, _changed(entry)) for entry in _installed_path()))[group]


def _changed(folder: str) -> int | None:
    """Return the time of the last change of a folder; None if it is not there."""
    with suppress(OSError):
        return os.stat(folder).st_mtime_ns
    return None


@lru_cache(maxsize=1)
def _points_in(folders: tuple[tuple[str, int | None], ...]) -> dict[str, dict[str, list[EntryPoint]]]:
    points: dict[str, dict[str, list[EntryPoint]]] = {group: {} for group in _GROUPS}
    for point in _entry_points([folder for folder, _ in folders]):
        rivals = points[point.group].setdefault(point.name, [])
        # A distribution may be found twice: installed, and as metadata in the current folder.
        if all(distribution_of(point) != distribution_of(rival) for rival in rivals):
            rivals.append(point)
    return points


def installed_targets(name: str) -> list[str]:
    """The targets `module:ClassName` of an installed name: several if several distributions claim it."""
    return [point.value for point in points_called(name)]


def points_called(name: str) -> list[EntryPoint]:
    """The problems of this name; or if there are none the readers, or the sources."""
    return next((points_by_name(group)[name] for group in _GROUPS if name in points_by_name(group)), [])


def _entry_points(folders: list[str]) -> Iterator[EntryPoint]:
    names: set[str] = set()
    for distribution in distributions(path=folders):
        with suppress(Exception):  # a distribution with broken metadata is left out
            points = [point for point in distribution.entry_points if point.group in _GROUPS]
            known = _name_and_version(distribution)[0] if points else None
            name = known and known.lower().replace("-", "_").replace(".", "_")
            if name not in names:  # the first one on the path hides others of the same name
                names |= {name} if name else set()
                yield from points


def _installed_path() -> list[str]:
    """`sys.path` without the entries for the current folder."""
    return [entry for entry in sys.path if os.path.isabs(entry)]


@contextmanager
def installed_only() -> Iterator[None]:
    """Make imports find installed modules, not modules of the same name in the current folder."""
    before = list(sys.path)
    sys.path[:] = _installed_path()
    try:
        yield
    finally:
        sys.path[:] = before


def distribution_of(point: EntryPoint) -> str:
    """The package of an entry point, with its version."""
    name, version = (None, None) if point.dist is None else _name_and_version(point.dist)
    return f"{name} {version}" if name else "an unknown distribution"


@cache
def _name_and_version(distribution: Distribution) -> tuple[str | None, str | None]:
    """Return name and version, cached: the library parses the metadata at each access."""
    metadata: Any = distribution.metadata  # None where it is missing, whatever the stubs say
    return (None, None) if metadata is None else (metadata["Name"], metadata["Version"])


def _summary(point: EntryPoint) -> str | None:
    """The first line of the docstring of the class that `point` names, read from its source."""
    try:
        module, class_name = point.module, point.attr.rpartition(".")[2]
        spec = find_without_importing(module)
        if spec is None or spec.origin is None:
            return None
        return _first_line(class_name, Path(spec.origin).read_bytes())
    except (OSError, SyntaxError, ValueError, ImportError, AttributeError):
        return None


# A class at the left margin and the first line of its docstring, as nearly all are written.
_DOCUMENTED = rb'^class %s\b(?:\([^()]*\))?:\n[ \t]+"""([^"\\\n]*)("""|\n)'


@lru_cache(maxsize=1024)  # keyed by the content of the file
def _first_line(class_name: str, source: bytes) -> str | None:
    """Return the first line of the docstring of a class in a module; None if it is not there."""
    name = class_name.encode()
    found = re.findall(_DOCUMENTED % re.escape(name), source, re.MULTILINE)
    if len(found) == 1 and len(re.findall(rb"\bclass\s+%s\b" % re.escape(name), source)) == 1:
        return str(found[0][0].decode().rstrip())  # parsing the file would take a hundred times as long
    import ast

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return None


def find_without_importing(module: str) -> ModuleSpec | None:
    """Find the spec of a module without importing its parents, which `importlib.util.find_spec` does."""
    search: list[str] | None = None
    spec: ModuleSpec | None = None
    parts = module.split(".")
    for depth in range(len(parts)):
        name = ".".join(parts[: depth + 1])
        specs = (finder.find_spec(name, search) for finder in sys.meta_path)
        spec = next((found for found in specs if found is not None), None)
        if spec is None:
            return None
        search = list(spec.submodule_search_locations or ())
    return spec
