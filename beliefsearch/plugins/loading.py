"""Plug-ins: problems found by name, in a file, or in a module.

Names are entry points in the group `beliefsearch.problems`, ours like anybody else's. Listing them
imports nothing: a summary is read from the source. Asking for one imports that one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import Distribution, EntryPoint, distributions
from inspect import getargvalues, isabstract, isclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

from attrs import frozen

from ..errors import PluginError, UnknownProblemError
from ..model.problem import BaseProblem
from ..running.limits import LimitReached

ProblemClass: TypeAlias = "type[BaseProblem[object, object]]"

GROUP = "beliefsearch.problems"

FILE_MODULE = "beliefsearch_plugin_"
"""The prefix of the names of modules made from plug-in files."""


@frozen
class Listing:
    """A line of `beliefsearch list`."""

    name: str
    target: str  # where it is, as `module:ClassName`
    distribution: str  # which installed package brings it, with its version
    summary: str | None  # the first line of the class's docstring; None if the source cannot be read
    rivals: tuple[str, ...] = ()  # other distributions that claim the same name


def list_problems() -> list[Listing]:
    """All installed problems by name, broken ones included. Imports none of them."""
    return [
        Listing(name, first.value, _distribution(first), _summary(first), tuple(map(_distribution, others)))
        for name, (first, *others) in sorted(_points_by_name().items())
    ]


def load_problem_class(reference: str) -> ProblemClass:
    """The problem class that `reference` names.

    Parameters
    ----------
    reference
        An installed name (`devil`), a file (`turnstile.py`, or `turnstile.py:ClassName` when it defines
        several problems), or `module:ClassName`.

    Raises
    ------
    UnknownProblemError
        If nothing goes by that name.
    PluginError
        If it is there but cannot be used: no such file or class, an error while importing it, no
        problem in it or several, or two distributions that claim the name.
    """
    path, class_name = split_reference(reference)
    if path.endswith(".py") or "/" in path or "\\" in path:
        return _choose_class(_import_file(Path(path)), class_name, reference)
    if class_name:
        with _installed_only():
            if _find_without_importing(path.partition(".")[0]) is None:
                sys.path.append("")  # a module may lie in the current folder, behind everything installed
            return _choose_class(_import_module(path, reference), class_name, reference)
    return _load_installed(reference)


def split_reference(reference: str) -> tuple[str, str]:
    """The file, module or name, and the class if one is named."""
    code, colon, class_name = reference.rpartition(":")
    # A colon may also belong to a Windows drive.
    return (code, class_name) if colon and class_name.isidentifier() else (reference, "")


def _points_by_name() -> dict[str, list[EntryPoint]]:
    """What is installed: read once, and again when something was put into one of the folders, or taken out."""
    return _points_in(tuple((entry, _changed(entry)) for entry in _installed_path()))


def _changed(folder: str) -> int | None:
    """When something was last put into a folder or taken out; None if it is not there."""
    with suppress(OSError):
        return os.stat(folder).st_mtime_ns
    return None


@lru_cache(maxsize=1)
def _points_in(folders: tuple[tuple[str, int | None], ...]) -> dict[str, list[EntryPoint]]:
    points: dict[str, list[EntryPoint]] = {}
    for point in _entry_points([folder for folder, _ in folders]):
        rivals = points.setdefault(point.name, [])
        # One distribution may be found twice: installed, and as metadata in the current folder.
        if all(_distribution(point) != _distribution(rival) for rival in rivals):
            rivals.append(point)
    return points


def installed_targets(name: str) -> list[str]:
    """The targets `module:ClassName` of an installed name: several if several distributions claim it."""
    return [point.value for point in _points_by_name().get(name, [])]


def _entry_points(folders: list[str]) -> Iterator[EntryPoint]:
    names: set[str] = set()
    for distribution in distributions(path=folders):
        with suppress(Exception):  # somebody's metadata is broken: leave those out, not everybody
            points = distribution.entry_points.select(group=GROUP)
            name = _known_name(distribution) if points else None
            if name not in names:  # the first hides an older one
                names |= {name} if name else set()
                yield from points


def _known_name(distribution: Distribution) -> str | None:
    known, _ = _name_and_version(distribution)
    return known and known.lower().replace("-", "_").replace(".", "_")


def _installed_path() -> list[str]:
    """`sys.path` without the entries that mean the current folder: where installed packages are."""
    return [entry for entry in sys.path if os.path.isabs(entry)]


@contextmanager
def _installed_only() -> Iterator[None]:
    """Make imports find installed modules, not modules of the same name in the current folder."""
    before = list(sys.path)
    sys.path[:] = _installed_path()
    try:
        yield
    finally:
        sys.path[:] = before


def _distribution(point: EntryPoint) -> str:
    name, version = (None, None) if point.dist is None else _name_and_version(point.dist)
    return f"{name} {version}" if name else "an unknown distribution"


@cache
def _name_and_version(distribution: Distribution) -> tuple[str | None, str | None]:
    """Read once: whenever either is asked for, the library reads and parses the file anew."""
    metadata: Any = distribution.metadata  # None where it is missing, whatever the stubs say
    return (None, None) if metadata is None else (metadata["Name"], metadata["Version"])


def _load_installed(name: str) -> ProblemClass:
    installed = _points_by_name()
    if name not in installed:
        file = Path(f"{name.replace('-', '_')}.py")  # as `new` calls it
        raise UnknownProblemError(name, [f"./{file}"] if _is_file(file) else installed)
    first, *others = installed[name]
    if others:
        claims = ", ".join(f"{_distribution(point)} as {point.value}" for point in installed[name])
        raise PluginError(
            f"several distributions claim the name {name!r}: {claims}; "
            "uninstall one, or say module:ClassName as given here"
        )
    try:
        module, class_name = first.module, first.attr
    except AttributeError:
        raise PluginError(f"{name} (of {_distribution(first)}) leads nowhere: {first.value!r}") from None
    with _installed_only():
        return _choose_class(_import_module(module, f"{name} (of {_distribution(first)})"), class_name, name)


def _is_file(path: Path) -> bool:
    """Whether it is one; a name that no file can have is none."""
    with suppress(OSError, ValueError):
        return path.is_file()
    return False


def _import_module(name: str, reference: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # something that the plug-in imports
            raise _not_importable(reference, error) from error
        hint = f"; the installed problem is called {name!r}" if name in _points_by_name() else ""
        raise PluginError(f"{reference}: there is no module {name!r}{hint}") from error
    except (LimitReached, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _not_importable(reference, error) from error


def _import_file(path: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    class AsWritten(SourceFileLoader):
        """Compiles the file as it is now: what Python keeps is told from it by size and by whole seconds only."""

        def path_stats(self, path: Any) -> Any:
            raise OSError(f"{path} is not kept")

    if not path.is_file():
        raise PluginError(f"there is no file {str(path)!r}" if not path.exists() else f"{str(path)!r} is not a file")
    name = f"{FILE_MODULE}{path.stem}"
    loader = AsWritten(name, str(path)) if path.suffix == ".py" else None
    spec = None if loader is None else spec_from_file_location(name, path, loader=loader)
    if spec is None or spec.loader is None:
        raise PluginError(f"{str(path)!r} is not a Python file; its name should end in .py")
    module = module_from_spec(spec)
    sys.modules[name] = module  # attrs looks the module up there
    sys.path.insert(0, str(path.parent.resolve()))  # a plug-in may have helpers beside it
    try:
        spec.loader.exec_module(module)
    except (LimitReached, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _not_importable(str(path), error) from error
    finally:
        sys.path.pop(0)
    return module


def _not_importable(reference: str, error: BaseException) -> PluginError:
    why = f"line {error.lineno}: {error.msg}" if isinstance(error, SyntaxError) else _describe_raised(error)
    return PluginError(f"the plug-in {reference} cannot be imported: {why}")


def _choose_class(module: ModuleType, class_name: str, reference: str) -> ProblemClass:
    if class_name:
        found: Any = module
        for part in class_name.split("."):
            found = getattr(found, part, None)
        if not (isclass(found) and issubclass(found, BaseProblem)):
            names = ", ".join(cls.__name__ for cls in _problems_in(module))
            but = f"; it has {names}" if names else ""
            raise PluginError(f"{reference}: the module has no problem class {class_name!r}{but}")
        if isabstract(found):
            raise PluginError(f"{reference}: {class_name} lacks {_missing(found)}")
        loaded: ProblemClass = found
        return loaded
    candidates = _problems_in(module)
    complete = [found for found in candidates if not isabstract(found)]
    if len(complete) == 1:
        return complete[0]
    if complete:
        names = ", ".join(found.__name__ for found in complete)
        raise PluginError(f"{reference} defines several problems ({names}); say {reference}:{complete[0].__name__}")
    if candidates:
        lacking = candidates[0]
        raise PluginError(f"{reference} defines no complete problem: {lacking.__name__} lacks {_missing(lacking)}")
    raise PluginError(f"{reference} defines no problem, that is, no class derived from Problem or BeliefProblem")


def _missing(cls: ProblemClass) -> str:
    """The methods that a class lacks, each with its hook if it belongs to one."""
    from ..model.hooks import hook_of

    missing = ((name, hook_of(name, cls)) for name in sorted(cls.__abstractmethods__))
    return ", ".join(f"{name} (of {hook.__name__})" if hook else name for name, hook in missing)


def _problems_in(module: ModuleType) -> list[ProblemClass]:
    """The problem classes defined in this module (not those it imports), in the order of their definition."""
    found = [value for value in vars(module).values() if isclass(value) and issubclass(value, BaseProblem)]
    return list(dict.fromkeys(cls for cls in found if cls.__module__ == module.__name__))


def blame(error: BaseException, cls: ProblemClass) -> str | None:
    """The call of the plug-in's code that raised `error`, with its arguments; None if other code raised it."""
    bases = (base for base in cls.__mro__ if issubclass(base, BaseProblem))
    own_modules = {base.__module__ for base in bases if not base.__module__.startswith("beliefsearch.")}
    trace = error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_globals.get("__name__") in own_modules:
            names, _, _, values = getargvalues(frame)
            arguments = ", ".join(f"{values[name]!r:.80}" for name in names if name != "self" and name in values)
            while trace.tb_next is not None and trace.tb_next.tb_frame.f_globals.get("__name__") in own_modules:
                trace = trace.tb_next
            where = f"line {trace.tb_lineno} of {trace.tb_frame.f_code.co_filename}"
            return f"{cls.__name__}.{frame.f_code.co_name}({arguments}) raised {_describe_raised(error)} ({where})"
        trace = trace.tb_next
    return None


def _describe_raised(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _summary(point: EntryPoint) -> str | None:
    """The first line of the docstring of the class that `point` names, read from its source."""
    import ast

    try:
        module, class_name = point.module, point.attr.rpartition(".")[2]
        spec = _find_without_importing(module)
        if spec is None or spec.origin is None:
            return None
        tree = ast.parse(Path(spec.origin).read_bytes())
    except (OSError, SyntaxError, ValueError, ImportError, AttributeError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return None


def module_found(name: str) -> str | None:
    """Where an installed or built-in module of this name comes from; None if there is none. Imports nothing."""
    if name in sys.stdlib_module_names:
        return "Python's standard library"
    with _installed_only():
        here = os.getcwd()
        sys.path[:] = [entry for entry in sys.path if entry != here]
        spec = _find_without_importing(name)
    return None if spec is None else spec.origin or "an installed package"


def _find_without_importing(module: str) -> ModuleSpec | None:
    """The spec of a module, found without importing its parents as `importlib.util.find_spec` does."""
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
