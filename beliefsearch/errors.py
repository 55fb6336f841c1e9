"""The exception tree: everything this package raises on purpose descends from `BeliefSearchError`.

A search that finds nothing is not an error: "unsolvable" and "undecided" are verdicts inside a
`SearchResult`. Exceptions are for questions that cannot be answered at all.
"""

from __future__ import annotations

from collections.abc import Iterable


def suggestion(name: str, names: Iterable[str], *, at_least: float = 0.6) -> str | None:
    """`did you mean X?` for the one of `names` nearest to a mistyped name; None if none is near."""
    from difflib import get_close_matches  # only a mistake pays for this import

    near = get_close_matches(name, list(names), n=1, cutoff=at_least)
    return f"did you mean {near[0]!r}?" if near else None


class BeliefSearchError(Exception):
    """Base class of all errors of this package. Its text is one line, fit to be shown to a user."""


class ProblemError(BeliefSearchError):
    """A problem broke the contract of its interface (no results, a negative cost, no start, ...)."""


class BeliefSearchWarning(UserWarning):
    """Base class of all warnings of this package. The command line prints each in one line."""


class DataWarning(BeliefSearchWarning):
    """A data file was not quite right, and was read all the same; the text says what was done."""


class IdentityWarning(BeliefSearchWarning):
    """States are compared by identity, so a search may treat equal states as different (see `identity`)."""


class InvalidPlanError(BeliefSearchError):
    """A plan, or a file that should hold one, cannot be read or names an action that does not exist."""


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


class InvalidProofError(InvalidPlanError):
    """A proof does not hold; the message names its first mistake."""


class StoreError(BeliefSearchError):
    """A directory of a search that is kept on disk cannot be used: it is another's, in use, or damaged."""
