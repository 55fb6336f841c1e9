"""Exception tree: everything this package raises on purpose descends from `BeliefSearchError`.

A search that finds nothing is not an error: "unsolvable" and "undecided" are verdicts inside a
`SearchResult`. Exceptions are for questions that cannot be answered at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any


def suggestion(name: str, names: Iterable[str], *, at_least: float = 0.6) -> str | None:
    """Return `did you mean X?` for the one of `names` nearest to a mistyped name; None if none is near."""
    from difflib import get_close_matches  # only a mistake pays for this import

    near = get_close_matches(name, list(names), n=1, cutoff=at_least)
    return f"did you mean {near[0]!r}?" if near else None


def meant(name: str, names: Iterable[str]) -> str:
    """Return the end of a message, `; did you mean X?`, as `suggestion` has it; empty if no name is near."""
    hint = suggestion(name, names)
    return f"; {hint}" if hint else ""


# An argument in a template: its name or `{value}` with its name, and perhaps a value for it, or `{value}` with that.
_ARGUMENT = re.compile(r"\[(\{?)(\w+)\}?(?:=(\{?)([\w.-]+)\}?)?\]")


class Worded(str):
    """Text that names arguments of a function, which the command line words as options.

    In the template an argument stands in brackets: `[weight]`, `[solver=astar]`, and `[{option}]` where `option` is
    among the values, a name or several. So may its value: `[problem={path}]`. Other values stand in braces. As a string
    it is worded for Python.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Worded:
        """Fill in the values, and word the arguments for Python."""
        text = super().__new__(cls, _filled(template, values, _as_argument))
        text.template, text.values = template, values
        return text

    def worded(self, option: Callable[[str, str | None], str]) -> str:
        """Return the text with arguments in other words: `option` is given each name, and what to give for it."""
        return _filled(self.template, self.values, option)


def _filled(template: str, values: Mapping[str, object], option: Callable[[str, str | None], str]) -> str:
    def words(found: re.Match[str]) -> str:
        names = _each(values[found[2]] if found[1] else found[2])
        given = _each(values[found[4]] if found[3] else found[4])
        # What a value says is not to be read as a field of the template.
        texts = (option(name, value) for name in names for value in given)
        return (" " if found[3] else ", ").join(texts).replace("{", "{{").replace("}", "}}")

    return _ARGUMENT.sub(words, template).format(**values)


def _each(value: object) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _as_argument(name: str, value: str | None) -> str:
    """Return an argument as Python has it; a value in capitals stands for any, and `key=value` for a mapping."""
    if value is None:
        return name
    key, equals, of_key = value.partition("=")
    if equals:
        return f"{name}={{{key!r}: {of_key if of_key.isupper() else repr(of_key)}}}"
    return f"{name}={value}" if value.isupper() or value.isdecimal() else f'{name}="{value}"'


class BeliefSearchError(Exception):
    """Base class of all errors of this package. Its text is one line, fit to be shown to a user."""

    def worded(self, option: Callable[[str, str | None], str]) -> str:
        """Return the text with arguments in other words, see `Worded`."""
        text = self.args[0] if self.args else ""
        return text.worded(option) if isinstance(text, Worded) else str(self)


def about_file(path: object, error: Exception) -> str:
    """Return the text of an error after the name of the file that it is about."""
    text = error.args[0] if error.args else ""
    if isinstance(text, Worded):
        return Worded("{file_named}: " + text.template, file_named=repr(str(path)), **text.values)
    return f"{str(path)!r}: {error}"


class ProblemError(BeliefSearchError):
    """A problem broke the contract of its interface (no results, a negative cost, no start, ...)."""


class EndlessError(ProblemError):
    """Without a discount a game never ends, or rewards can be collected for ever."""


class Unfit(ProblemError):
    """Something was asked for that does not go with the problem, or with what else was asked for.

    Parameters
    ----------
    code
        The reason; its value is the template of the text, see `Worded`.
    values
        The values in the template.
    """

    def __init__(self, code: Enum, **values: object) -> None:
        super().__init__(Worded(code.value, **values))
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[object, ...]:
        return _unfit, (self.code, self.values)


def _unfit(code: Enum, values: Mapping[str, object]) -> Unfit:
    return Unfit(code, **values)


class BeliefSearchWarning(UserWarning):
    """Base class of all warnings of this package. The command line prints each in one line."""


class DataWarning(BeliefSearchWarning):
    """A data file was not quite right, and was read all the same; the text says how."""


class IdentityWarning(BeliefSearchWarning):
    """States are compared by identity, so a search may treat equal states as different (see `identity`)."""


class MovedNameWarning(BeliefSearchWarning):
    """A public name was taken from where it used to be, or has changed; the text says the new one."""


class InvalidPlanError(BeliefSearchError):
    """A plan, or a file that should hold one, cannot be read or names an action that does not exist."""


class DoesNotHoldError(InvalidPlanError):
    """A plan, policy or file that can be read does not hold; the message says why."""


class NoSolutionError(BeliefSearchError):
    """A plan was demanded, but the result is a proof that there is none."""


class LimitError(BeliefSearchError):
    """A plan was demanded, but a limit stopped the search before it could decide."""


class PluginError(BeliefSearchError):
    """A plug-in could not be found, imported, or used."""


class UnknownProblemError(PluginError):
    """No problem goes by this name.

    Parameters
    ----------
    name
        What was asked for.
    known
        The names that exist; the nearest of them is suggested.
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        hint = suggestion(name, sorted(known), at_least=0.5) or "`beliefsearch list` shows all names"
        super().__init__(f"there is no problem called {name!r}; {hint}")
        self.name = name
        self._known = tuple(known)

    def __reduce__(self) -> tuple[object, ...]:
        return UnknownProblemError, (self.name, self._known)


class InvalidProofError(InvalidPlanError):
    """A proof does not hold; the message names its first mistake."""


class StoreError(BeliefSearchError):
    """A directory of a search that is kept on disk cannot be used: it is another's, in use, or damaged."""
