"""Trust in plan files: the code that they may make this program run, and the data files that it may read.

Opening a file must be harmless, whoever wrote it. So a file can name only installed puzzles, by their exact names, and
ordinary files beside itself or below. Only the user can name other code and files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePath

from ...errors import InvalidPlanError, PluginError, ProblemError, UnknownProblemError, Worded
from ...model.base import BaseProblem
from ..data_files import lies_below, sha256_of
from ..installed import GROUP, installed_targets, points_by_name
from ..loading import ProblemClass, load_problem_class, split_reference
from ..options import arguments_of, file_options


def class_for_file(name: str, folder: Path, allowed: str | ProblemClass | None = None) -> ProblemClass:
    """The problem class that a plan file in `folder` calls `name`.

    `allowed` is the problem as the user named it, whose code may be run, or its class. If the user named none, and the
    name is not that of an installed problem, PluginError is raised before anything is run. If the file names an
    installed problem, and the user another one, InvalidPlanError is raised.
    """
    if allowed is None:
        if installed_targets(name):
            return load_problem_class(name)
        raise _would_run(name, folder)
    cls = load_problem_class(allowed) if isinstance(allowed, str) else allowed
    if not issubclass(cls, BaseProblem):
        raise PluginError(f"{cls.__qualname__} is no problem class")
    reference = allowed if isinstance(allowed, str) else f"{cls.__module__}:{cls.__qualname__}"
    if installed_targets(name) and not _is_same(name, reference, cls):
        raise InvalidPlanError(f"it is about the installed problem {name!r}, and {reference!r} is something else")
    return cls


def _would_run(name: str, folder: Path) -> PluginError:
    if not any(mark in name for mark in ":/\\") and not name.endswith(".py"):
        unknown = UnknownProblemError(name, points_by_name(GROUP))
        text = "{unknown}; or name the code to check it against: [problem=PROBLEM]"
        return PluginError(Worded(text, unknown=unknown))
    moved = str(folder / name)
    known = moved if _is_there(moved) and not _is_there(name) else name
    text = (
        "its problem is {name!r}, code that is not installed and that a file may not run; if you trust that code, "
        "name it yourself: [problem={known}]"
    )
    return PluginError(Worded(text, name=name, known=known))


def _is_there(reference: str) -> bool:
    """Whether the file of a reference such as `turnstile.py` or `turnstile.py:Turnstile` exists."""
    path, dot_py, class_name = reference.partition(".py")
    return bool(dot_py) and class_name[:1] in ("", ":") and os.path.exists(path + dot_py)


def _is_same(name: str, reference: str, cls: ProblemClass) -> bool:
    """Whether the name in a file means the problem that the user named; runs no other code."""
    if name == reference:
        return True
    own = f"{cls.__module__}:{cls.__qualname__}"
    targets = installed_targets(name)
    if targets:
        return own in targets or (len(targets) == 1 and load_problem_class(name) is cls)
    if installed_targets(reference):
        return name == own
    stem, class_name = _stem_and_class(name)
    return stem == _stem_and_class(reference)[0] and class_name in ("", cls.__qualname__)


def _stem_and_class(reference: str) -> tuple[str, str]:
    """The names of module and class: the same for `../turnstile.py:Turnstile` and `puzzles.turnstile:Turnstile`."""
    code, class_name = split_reference(reference)
    last = code.replace("\\", "/").rpartition("/")[2]
    return (last.removesuffix(".py") if last.endswith(".py") else last.rpartition(".")[2]), class_name


def parameters_with_files(
    cls: ProblemClass,
    parameters: Mapping[str, object],
    hashes: Mapping[str, str],
    folder: Path,
    given: Mapping[str, Path],
) -> dict[str, object]:
    """The parameters in a plan file in `folder`, with the paths at which its data files are found.

    `hashes` has the SHA-256 of each option's data file, according to the plan file, and `given` the data files that the
    user named. Raises InvalidPlanError if one lies elsewhere, cannot be read or has changed, and ProblemError if the
    user named one for an option that takes none.
    """
    most = file_options(cls)
    for name in given:
        if name not in most:
            raise ProblemError(f"{cls.__name__} has no option {name!r} that takes a data file")
        if parameters.get(name) is None:
            raise InvalidPlanError(Worded("the plan was made without a data file for [{name}]", name=name))
    written = {name: text for name in most if isinstance(text := parameters.get(name), str)}  # others are refused later
    found = {name: given[name] if name in given else _beside(text, folder) for name, text in written.items()}
    _require_all(written, found, hashes)
    for name, path in found.items():
        if path is not None and name in hashes:
            _check_hash(path, hashes[name], most[name])
    return {**parameters, **{name: str(path) for name, path in found.items()}}


def _beside(written: str, folder: Path) -> Path | None:
    """The data file that a plan file names, with all links resolved; None if it lies elsewhere."""
    path = PurePath(written)
    is_relative = not (path.drive or path.root or ".." in path.parts) and "\0" not in written
    if not is_relative or not lies_below(folder / path, folder):
        return None
    return Path(os.path.realpath(folder / path))


def _require_all(written: Mapping[str, str], found: Mapping[str, Path | None], hashes: Mapping[str, str]) -> None:
    """Raise `InvalidPlanError`, which names all data files that may not be read, or that are missing."""
    elsewhere = [name for name, path in found.items() if path is None]
    missing = [
        name for name, path in found.items() if path is not None and name in hashes and not os.path.lexists(path)
    ]
    if elsewhere:
        named = " and ".join(repr(written[name]) for name in elsewhere)
        several = len(elsewhere) > 1
        said = f"data files {named} do" if several else f"data file {named} does"
        read = "they may be read, name them" if several else "it may be read, name it"
        data = [*(f"{name}={written[name]}" for name in elsewhere), *(f"{name}=FILE" for name in missing)]
        text = "its {said} not lie beside it or below; if {read} yourself: [data={data}]"
        raise InvalidPlanError(Worded(text, said=said, read=read, data=data))
    if missing:
        named = " or ".join(repr(str(found[name])) for name in missing)
        where = "data files are" if len(missing) > 1 else "data file is"
        text = "there is no file {named}; say where the {where}: [data={data}]"
        raise InvalidPlanError(Worded(text, named=named, where=where, data=[f"{name}=FILE" for name in missing]))


def _check_hash(path: Path, expected: str, most_bytes: int) -> None:
    try:
        found = sha256_of(path, most_bytes)
    except ValueError as error:
        raise InvalidPlanError(str(error)) from error
    _require_unchanged(path, found, expected)


def _require_unchanged(path: Path | str, found: str | None, expected: str) -> None:
    if found != expected:
        raise InvalidPlanError(f"the file {PurePath(path).name} has changed since the plan was made, or is another one")


def check_made_for(
    cls: ProblemClass,
    reference: str,
    chosen: tuple[Mapping[str, object], Mapping[str, str]],
    name: str,
    saved: tuple[Mapping[str, object], Mapping[str, str]],
) -> bool:
    """Whether a plan file is about the instance that the user chose. Opens and runs nothing that the file names.

    `cls` is the class of that instance, `reference` its name given by the user, `chosen` its parameters and the SHA-256
    of its data files by option; `name` and `saved` are the same in the file. Raises InvalidPlanError if only the
    content of a data file differs, and ProblemError if the parameters in the file are invalid.
    """
    if not _is_same(name, reference, cls):
        return False
    if arguments_of(cls, chosen[0], with_files=False) != arguments_of(cls, saved[0], with_files=False):
        return False
    for key in file_options(cls):
        path, saved_path = chosen[0].get(key), saved[0].get(key)
        if path is None or saved_path is None:
            if path != saved_path:
                return False
        elif key in saved[1]:
            _require_unchanged(str(path), chosen[1].get(key), saved[1][key])
        elif PurePath(str(path)).name != PurePath(str(saved_path)).name:
            return False  # an old file has only the name of its data file
    return True
