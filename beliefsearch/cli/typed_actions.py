"""Actions and percepts as they are typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import BeliefSearchError, suggestion


def read_action(problem: Any, text: str, known: Mapping[str, Any]) -> Any:
    """Return the action with this text, or of this meaning to the puzzle, among those that are known by their texts."""
    if text not in known and problem.overrides("parse_action"):
        try:
            action = problem.parse_action(text)
        except ValueError:
            return named(text, known, "action")
        if action in known.values():
            return action
    return named(text, known, "action")


def named(text: str, known: Mapping[str, Any], what: str) -> Any:
    """Return the action or percept with this text; an error says which there are."""
    if text in known:
        return known[text]
    names = list(known)
    there = f"there {'is' if len(names) == 1 else 'are'} {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
    raise BeliefSearchError(f"{text!r} is no {what} here; {suggestion(text, names) or there}")
