"""Rules: constraints on truth values, and the decision diagrams of the assignments that satisfy them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from .diagrams import FALSE, TRUE, Diagram, Diagrams

Rule: TypeAlias = "tuple[str, Sequence[Collection[int]]]"
"""A kind, and members that are conjunctions of literals: at least one of them holds (`or`), or exactly one (`oneof`).

Literal 2 n says that variable n is true, 2 n + 1 that it is false.
"""


def kept(diagrams: Diagrams, rules: Iterable[Rule]) -> Diagram:
    """Return the assignments that satisfy all rules, added from the last variable to the first: diagrams stay small."""
    found = TRUE
    for rule in sorted(rules, key=_first_variable, reverse=True):
        found = diagrams.both(found, holds(diagrams, rule))
    return found


def holds(diagrams: Diagrams, rule: Rule) -> Diagram:
    """Return the assignments that satisfy a rule."""
    kind, members = rule
    none, one = TRUE, FALSE  # where none, and where one (or at least one) of the members so far holds
    for member in sorted(members, key=min, reverse=True) if all(members) else members:
        here = TRUE
        for literal in sorted(member, reverse=True):
            here = diagrams.both(diagrams.literal(literal), here)
        one = diagrams.where(here, TRUE if kind == "or" else none, one)
        none = diagrams.where(here, FALSE, none)
    return one


def count_kept(variables: int, rules: Iterable[Rule], most: int) -> int | None:
    """Count the assignments to `variables` variables that satisfy all rules; None if that takes over `most` nodes.

    Diagrams are smaller the nearer the variables of a rule are to each other.
    """
    left = most

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooLarge

    diagrams = Diagrams(tick)
    try:
        return diagrams.count(kept(diagrams, rules), variables)
    except _TooLarge:
        return None


class _TooLarge(Exception):
    pass


def _first_variable(rule: Rule) -> int:
    return min((literal >> 1 for member in rule[1] for literal in member), default=0)
