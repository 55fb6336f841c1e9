"""What tells the subject of a store from another, in words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SOURCE = "sha256 of the source"
"""Of a subject, and of a problem within it: the digest of the module of its class."""

SOURCES_OF_BASES = "sha256 of the sources of its bases"
"""The digests of the author's other modules in which classes stand that this one extends, by name."""

_LONGEST = 60
# Options that change where a game begins; a subject has them only if they were given.
_OPTIONS = {"belief": "--belief", "blindfold": "--blindfold"}


def difference(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """What a store holds whose subject is `theirs`, and how `ours` differs from that first; None if it does not.

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
    """Whether it is counted or searched; other commands ask for other things."""
    search = subject.get("search")
    if not isinstance(search, dict):
        return "another search"
    return "an exploration" if search.get("command") == "explore" else "a search for a plan"


def _first(theirs: Any, ours: Any, where: str) -> str | None:
    """The first thing in which two JSON values differ."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*ours, *theirs)):
            there, here = theirs.get(key), ours.get(key)
            said = _first(there, here, f"{where}.{key}" if where else key)
            if said is not None:
                return _by_name(key, ours, there, here) or said
    elif theirs != ours or type(theirs) is not type(ours):
        return f"there {ascii(where[:100])[1:-1]} is {shown(theirs)}, here {shown(ours)}"
    return None


def _by_name(key: str, ours: Mapping[str, Any], there: Any, here: Any) -> str | None:
    """The same in the words of the user, where these are others than the key and the values."""
    if key == SOURCE:
        return f"the source of {ours.get('class', ours.get('problem'))} has changed since"
    if key == SOURCES_OF_BASES:
        old, new = (digests if isinstance(digests, dict) else {} for digests in (there, here))
        name = next(name for name in (*new, *old) if new.get(name) != old.get(name))
        return f"the source of the module {ascii(name[:100])[1:-1]} has changed since"
    if key in _OPTIONS:
        return f"there is {_option(key, there)}, here {_option(key, here)}"
    return None


def _option(key: str, value: Any) -> str:
    if value is None:
        return f"no {_OPTIONS[key]}"
    return _OPTIONS[key] if value is True else f"{_OPTIONS[key]} {shown(value)}"
