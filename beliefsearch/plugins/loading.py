"""Loading of problem classes: by an installed name, from a Python file or a module, or as the reader of a file."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint
from inspect import getargvalues, isclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, TypeAlias

from ..errors import PluginError, UnknownProblemError, Worded
from ..model.base import BaseProblem
from ..running.limits import LimitReached
from .installed import (
    GROUP,
    READ,
    READERS,
    distribution_of,
    find_without_importing,
    installed_only,
    points_by_name,
    points_called,
    reader_of,
)
from .options import file_options

ProblemClass: TypeAlias = "type[BaseProblem[object, object]]"
FILE_MODULE = "beliefsearch_plugin_"
"""The prefix of the names of modules made from plug-in files."""


def load_problem_class(reference: str) -> type[Any]:
    """The problem class that `reference` names.

    Parameters
    ----------
    reference
        An installed name (`devil`), a file (`turnstile.py`, or `turnstile.py:ClassName` if it defines several
        problems), `module:ClassName`, a file of the field whose ending has a reader (`tiger.pomdp`), or a name with the
        prefix of a source (`gym:FrozenLake-v1`). In the last two cases the class has an option `file` or `name`, and
        nothing is opened.

    Raises
    ------
    UnknownProblemError
        If there is no problem of that name.
    PluginError
        If it cannot be used: no such file or class, an error while importing it, no problem in it or several, or two
        distributions that claim the name.
    """
    reader = reader_of(reference)
    if reader is not None:
        return _load_point(reader, points_called(reader))
    path, class_name = split_reference(reference)
    if path.endswith(".py") or "/" in path or "\\" in path:
        return _choose_class(_import_file(Path(path)), class_name, reference)
    if class_name:
        with installed_only():
            if find_without_importing(path.partition(".")[0]) is None:
                sys.path.append("")  # last, so that installed modules come before those in the current folder
            return _choose_class(_import_module(path, reference), class_name, reference)
    return _load_installed(reference)


def split_reference(reference: str) -> tuple[str, str]:
    """The file, module or name, and the class if one is named."""
    code, colon, class_name = reference.rpartition(":")
    # Otherwise the colon is that of a Windows drive.
    return (code, class_name) if colon and class_name.isidentifier() else (reference, "")


def _load_installed(name: str) -> ProblemClass:
    points = points_called(name)
    if points:
        return _load_point(name, points)
    if _is_file(Path(name)):
        raise _no_reader(Path(name))
    file = Path(f"{name.replace('-', '_')}.py")  # as `new` calls it
    known = [f"./{file}"] if _is_file(file) else [*points_by_name(GROUP), *points_by_name(READERS)]
    raise UnknownProblemError(name, known)


def _load_point(name: str, points: list[EntryPoint]) -> ProblemClass:
    """The class that an entry point leads to."""
    first, *others = points
    if others:
        claims = ", ".join(f"{distribution_of(point)} as {point.value}" for point in points)
        raise PluginError(
            f"several distributions claim the name {name!r}: {claims}; "
            "uninstall one, or say module:ClassName as given here"
        )
    called = f"{name} (of {distribution_of(first)})"
    try:
        module, class_name = first.module, first.attr
    except AttributeError:
        raise PluginError(f"{called} leads nowhere: {first.value!r}") from None
    with installed_only():
        cls = _choose_class(_import_module(module, called), class_name, name)
    if first.group == READERS and READ not in file_options(cls):
        raise PluginError(f"{called} is no reader: {cls.__name__} has no field {READ!r} of the type Path")
    return cls


def _no_reader(path: Path) -> PluginError:
    """Make the error for a file without a reader."""
    readers = sorted(points_by_name(READERS))
    why = f"no reader claims the ending {path.suffix!r}" if path.suffix else "its name has no ending"
    text = f"cannot tell what {str(path)!r} is: {why}; there are plug-ins in .py"
    if not readers:
        return PluginError(text)
    text += f", and readers of {', '.join(f'.{name}' for name in readers)}; to have it read by one of these, write "
    from difflib import get_close_matches  # only a mistake pays for this import

    reader = [*get_close_matches(path.suffix[1:].lower(), readers), "NAME"][0]
    return PluginError(Worded("{text}{reader} [file={path}]", text=text, reader=reader, path=str(path)))


def _is_file(path: Path) -> bool:
    """Whether there is a file at a path, which may be invalid."""
    with suppress(OSError, ValueError):
        return path.is_file()
    return False


def _import_module(name: str, reference: str) -> ModuleType:
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # a module that the plug-in imports is missing
            raise _not_importable(reference, error) from error
        hint = f"; the installed problem is called {name!r}" if points_called(name) else ""
        raise PluginError(f"{reference}: there is no module {name!r}{hint}") from error
    except (LimitReached, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise _not_importable(reference, error) from error


def _import_file(path: Path) -> ModuleType:
    from importlib.util import module_from_spec, spec_from_file_location

    class AsWritten(SourceFileLoader):
        """Loader without Python's cache, which would miss a change of the same size within a second."""

        def path_stats(self, path: Any) -> Any:
            raise OSError(f"{path} is not kept")

    if not path.is_file():
        raise PluginError(f"there is no file {str(path)!r}" if not path.exists() else f"{str(path)!r} is not a file")
    name = f"{FILE_MODULE}{path.stem}"
    loader = AsWritten(name, str(path)) if path.suffix == ".py" else None
    spec = None if loader is None else spec_from_file_location(name, path, loader=loader)
    if spec is None or spec.loader is None:
        raise _no_reader(path)
    module = module_from_spec(spec)
    sys.modules[name] = module  # attrs looks modules up there
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
    why = _describe_raised(error)
    if isinstance(error, SyntaxError):
        why = error.msg if error.lineno is None else f"line {error.lineno}: {error.msg}"
        if "null bytes" in error.msg:
            why = "it holds null bytes, and so is no text of a program; save it as UTF-8"
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
        if missing := _missing(found):
            raise PluginError(f"{reference}: {class_name} lacks {missing}")
        return found
    candidates = _problems_in(module)
    complete = [found for found in candidates if not _missing(found)]
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
    """The methods that a class lacks, as text, each with its hook if it has one; empty if it lacks none."""
    from ..model.class_lint import without_goal
    from ..model.hooks import hook_of

    names = sorted([*cls.__abstractmethods__, *["is_goal"] * bool(without_goal(cls))])
    missing = ((name, hook_of(name, cls)) for name in names)
    return ", ".join(f"{name} (of {hook.__name__})" if hook else name for name, hook in missing)


def _problems_in(module: ModuleType) -> list[ProblemClass]:
    """The problem classes defined in this module (not those it imports), in the order of their definition."""
    found = [value for value in vars(module).values() if isclass(value) and issubclass(value, BaseProblem)]
    return list(dict.fromkeys(cls for cls in found if cls.__module__ == module.__name__))


def blame(error: BaseException, cls: ProblemClass) -> str | None:
    """The call of the plug-in's code that raised `error`, with its arguments; None if other code raised it."""
    if isinstance(error, RuntimeError) and isinstance(error.__cause__, StopIteration):
        error = error.__cause__  # Python and `call_within` wrap a StopIteration like this
    calls = own_calls(error, cls)
    if not calls:
        return None
    frame, last = calls[0].tb_frame, calls[-1]
    names, _, _, values = getargvalues(frame)
    arguments = ", ".join(f"{values[name]!r:.80}" for name in names if name != "self" and name in values)
    where = f"line {last.tb_lineno} of {last.tb_frame.f_code.co_filename}"
    return f"{cls.__name__}.{frame.f_code.co_name}({arguments}) raised {_describe_raised(error)} ({where})"


def own_calls(error: BaseException, cls: type) -> list[TracebackType]:
    """Return the calls of the plug-in's code on the way to an error, up to the first of other code."""
    roots = (__name__.partition(".")[0], *sys.stdlib_module_names)
    own = {base.__module__ for base in cls.__mro__ if base.__module__.partition(".")[0] not in roots}
    found: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") in own:
            found.append(trace)
        elif found:
            break
        trace = trace.tb_next
    return found


def _describe_raised(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def module_found(name: str) -> str | None:
    """Return the place of an installed or built-in module; None if there is none. Imports nothing."""
    if name in sys.stdlib_module_names:
        return "Python's standard library"
    with installed_only():
        here = os.getcwd()
        sys.path[:] = [entry for entry in sys.path if entry != here]
        spec = find_without_importing(name)
    return None if spec is None else spec.origin or "an installed package"
